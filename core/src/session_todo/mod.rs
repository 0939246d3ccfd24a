//! The Session Todo: one small current document attached to one Session.
//!
//! [`SessionTodo`] can only be made by validation, so a value of it always keeps the bounds.
//! The stored text is canonical; [`display::project`] makes it safe to show, and
//! [`TodoView`] is the projected shape that every surface shares.

mod canonical;
pub mod display;
mod document;
mod fault;
mod normalize;
mod parse;
mod record;
mod surrogate;
mod view;

pub use document::{
    MAX_CODE_POINTS, MAX_DOCUMENT_BYTES, MAX_ITEMS, SessionTodo, TodoCounts, TodoItem, TodoStatus,
};
pub use fault::{DocumentFault, JsonKind};
pub use normalize::normalize;
pub use record::RecordFault;
pub use surrogate::replace_unpaired as replace_unpaired_surrogates;
pub use view::{TodoView, TodoViewItem};
