//! What a client says of itself.

use maka_core::{ClientName, SessionId};
use maka_host_protocol::{Hello, PROTOCOL_VERSION, Role};

/// What a connection is, and for whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Decides which operations exist on the connection.
    pub role: Role,
    /// What the program calls itself.
    pub client_name: ClientName,
    /// The one Session of a [`Role::Model`] connection; `None` for the other roles.
    pub session: Option<SessionId>,
}

impl Identity {
    /// A reader.
    #[must_use]
    pub const fn viewer(client_name: ClientName) -> Self {
        Self { role: Role::Viewer, client_name, session: None }
    }

    /// A program that also manages Sessions.
    #[must_use]
    pub const fn client(client_name: ClientName) -> Self {
        Self { role: Role::Client, client_name, session: None }
    }

    /// The model of one Session.
    #[must_use]
    pub const fn model(client_name: ClientName, session: SessionId) -> Self {
        Self { role: Role::Model, client_name, session: Some(session) }
    }

    pub(crate) fn hello(&self) -> Hello {
        Hello {
            protocol: PROTOCOL_VERSION,
            role: self.role,
            client_name: self.client_name.clone(),
            session_id: self.session.clone(),
        }
    }
}
