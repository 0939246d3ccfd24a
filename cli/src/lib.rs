//! The maka command.
