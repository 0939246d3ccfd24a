//! Connects to a Runtime Host, or spawns one.
