//! `maka demo`: the life of a list on a real Host in a throwaway state root. Each step checks what
//! it tells; the first that is not as told ends the demo with a failure.

mod host;
mod play;
mod script;
mod step;
mod steps;
mod steps_after_kill;

pub(crate) use play::run;
pub use step::Step;
