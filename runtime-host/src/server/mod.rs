//! The coordinators, and what they share: draining and change signals.

mod draining;
mod mailbox;
mod session_coordinator;
mod session_todo_coordinator;
mod subscriptions;

pub(crate) use draining::Phase;
pub use draining::{Draining, StopReason};
pub(crate) use mailbox::{Mail, Mailbox};
pub(crate) use session_coordinator::SessionCoordinator;
pub use session_todo_coordinator::{SessionTodoCoordinator, TodoParts};
pub use subscriptions::{ChangeSignal, SignalFault};
pub(crate) use subscriptions::{MAX_SUBSCRIPTIONS, Subscriber, Subscriptions};
