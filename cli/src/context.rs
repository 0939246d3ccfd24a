//! What every command is given: the state root and the way to its Host.

use std::path::{Path, PathBuf};

use maka_core::{ClientName, SessionId};
use maka_host_client::{HostClient, Identity, ReconnectingClient, Role, SpawnSpec};

use maka_runtime_host::offline;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::host_failure::UPGRADE_HINT;
use crate::root;

/// What this program calls itself on a person's connection.
const PERSON: &str = "maka cli";
/// What a developer is called who stands in for a model; the Turn of each write says so.
const STAND_IN: &str = "maka tool call";

/// The state root that a command works on.
#[derive(Debug, Clone)]
pub struct Context {
    root: PathBuf,
}

impl Context {
    /// Resolves the state root.
    ///
    /// # Errors
    /// Where no state root can be named.
    pub fn new(root: Option<&Path>) -> Result<Self, Failure> {
        Ok(Self { root: root::find(root)? })
    }

    /// The state root, absolute.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// How a Host on this root is spawned: this same program.
    ///
    /// # Errors
    /// Where the program's own file cannot be named.
    pub fn spawn_spec(&self) -> Result<SpawnSpec, Failure> {
        let program = std::env::current_exe()
            .map_err(|error| Failure::io("find the program's own file", &error))?;
        let args = [
            "--root".into(),
            self.root.clone().into_os_string(),
            "host".into(),
            "run".into(),
            "--spawned".into(),
        ];
        Ok(SpawnSpec { program, args: args.into() })
    }

    /// Connects as a person's program, and spawns a Host where none runs.
    ///
    /// # Errors
    /// Exit code 4 where none could be started, 5 where the workspace is blocked.
    pub async fn client(&self) -> Result<HostClient, Failure> {
        self.connect_or_spawn(&identity(Role::Client, None)?).await
    }

    /// Connects as a viewer, and spawns a Host where none runs.
    ///
    /// # Errors
    /// As [`Self::client`].
    pub async fn viewer(&self) -> Result<HostClient, Failure> {
        self.connect_or_spawn(&identity(Role::Viewer, None)?).await
    }

    /// Connects as a Session's model, and spawns a Host where none runs.
    ///
    /// # Errors
    /// As [`Self::client`]; exit code 3 where there is no such Session.
    pub async fn model(&self, session: SessionId) -> Result<HostClient, Failure> {
        self.connect_or_spawn(&identity(Role::Model, Some(session))?).await
    }

    /// Connects to the Host that runs, as `identity` says, or spawns one.
    ///
    /// # Errors
    /// As [`Self::client`].
    pub async fn connect_or_spawn(&self, identity: &Identity) -> Result<HostClient, Failure> {
        let spec = self.spawn_spec()?;
        HostClient::connect_or_spawn(&self.root, identity, &spec).await.map_err(Failure::from)
    }

    /// Connects to the Host that runs; spawns none.
    ///
    /// # Errors
    /// Exit code 4 where none runs.
    pub async fn connect(&self, role: Role) -> Result<HostClient, Failure> {
        let identity = identity(role, None)?;
        HostClient::connect(&self.root, &identity).await.map_err(Failure::from)
    }

    /// Connects as a Session's model to the Host that runs; spawns none.
    ///
    /// # Errors
    /// As [`Self::connect`]; exit code 3 where there is no such Session.
    pub async fn connect_model(&self, session: SessionId) -> Result<HostClient, Failure> {
        let identity = identity(Role::Model, Some(session))?;
        HostClient::connect(&self.root, &identity).await.map_err(Failure::from)
    }

    /// A viewer that waits for a Host to come back; spawns none.
    ///
    /// # Errors
    /// None in practice: this program's own name is well-formed.
    pub fn reconnecting_viewer(&self) -> Result<ReconnectingClient, Failure> {
        Ok(ReconnectingClient::new(&self.root, identity(Role::Viewer, None)?, None))
    }

    /// Refuses a workspace that waits for its upgrade, for commands that start no Host.
    ///
    /// # Errors
    /// Exit code 5 where the workspace is of an older schema or blocked.
    pub fn refuse_old_workspace(&self) -> Result<(), Failure> {
        if self.has_workspace() && offline::plan(&self.root)?.needed {
            return Err(Failure::new(
                Exit::WorkspaceBlocked,
                format!("the workspace in {} needs an upgrade", self.root.display()),
            )
            .with_hint(UPGRADE_HINT));
        }
        Ok(())
    }

    /// Refuses a root without a workspace, for commands that must not make one.
    ///
    /// # Errors
    /// Exit code 3 where there is none.
    pub fn expect_workspace(&self) -> Result<(), Failure> {
        if self.root.is_dir() && !self.has_workspace() || !self.root.exists() {
            return Err(Failure::not_found(format!(
                "there is no workspace in {}",
                self.root.display()
            ))
            .with_hint("name its state root with --root DIR or MAKA_ROOT"));
        }
        Ok(())
    }

    fn has_workspace(&self) -> bool {
        self.root.join("runtime.sqlite").exists()
    }
}

fn identity(role: Role, session: Option<SessionId>) -> Result<Identity, Failure> {
    let name = if session.is_some() { STAND_IN } else { PERSON };
    let client_name =
        ClientName::parse(name).map_err(|fault| Failure::refused(fault.to_string()))?;
    Ok(Identity { role, client_name, session })
}
