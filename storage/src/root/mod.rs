//! The state root: the folder that holds one workspace, and the lease that makes one process its
//! owner.

mod lease;
mod ownership;
mod state_root;

pub use lease::{LeaseError, RootLease};
pub use state_root::{RootError, StateRoot};

pub(crate) use ownership::{create_private_file, restrict_file};
