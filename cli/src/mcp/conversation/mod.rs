//! Whole conversations over a pair of pipes, with a door that stands for the Host.

mod client;
mod hostile;
mod older_form;
mod order;
mod present_form;
mod scripted_door;
mod tools_and_resource;
