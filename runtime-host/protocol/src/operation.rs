//! The operations, and which role has which.

use crate::Role;

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident = $wire:literal for $($role:ident)|+;)*) => {
        /// An operation that a request may name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Operation { $($(#[$doc])* $name,)* }

        impl Operation {
            /// Every operation.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The name on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $wire,)* }
            }

            /// Whether the operation exists for `role`.
            #[must_use]
            pub const fn is_for(self, role: Role) -> bool {
                match self { $(Self::$name => matches!(role, $(Role::$role)|+),)* }
            }
        }
    };
}

operations! {
    /// The Host's own facts. Exempt from the limit of requests in flight.
    HostStatus = "host.status" for Viewer | Client;
    /// Stops the Host after what is running has ended.
    HostStop = "host.stop" for Client;
    /// Lists Sessions in pages.
    SessionList = "session.list" for Viewer | Client;
    /// Reads one Session's facts.
    SessionGet = "session.get" for Viewer | Client;
    /// Creates a Session.
    SessionCreate = "session.create" for Client;
    /// Finds the newest unarchived Session of a name, or creates it.
    SessionOpenByName = "session.open_by_name" for Client;
    /// Renames a Session.
    SessionRename = "session.rename" for Client;
    /// Reads a Session's whole Todo: the contract's first read.
    SessionTodoQuery = "session.todo.query" for Viewer | Client;
    /// Lists unfinished items over all Sessions in pages; initializes nothing.
    SessionTodoOverview = "session.todo.overview" for Viewer | Client;
    /// Asks for change signals.
    SubscriptionOpen = "subscription.open" for Viewer | Client;
    /// Ends them.
    SubscriptionClose = "subscription.close" for Viewer | Client;
    /// Writes a verified backup.
    BackupCreate = "backup.create" for Client;
    /// Lists the model's tools.
    ToolList = "tool.list" for Model;
    /// Calls one of the model's tools.
    ToolCall = "tool.call" for Model;
}

impl Operation {
    /// Finds an operation by its name on the wire.
    #[must_use]
    pub fn from_wire(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|operation| operation.as_str() == name)
    }

    /// What to use in place of an operation that was removed with the Session Task Ledger.
    #[must_use]
    pub fn replacement_of_removed(name: &str) -> Option<Self> {
        (name == "task.ledger.query").then_some(Self::SessionTodoQuery)
    }
}
