//! A real Host in a folder of its own, and the database as an independent connection sees it.

use std::path::{Path, PathBuf};

use maka_runtime_host::{Host, HostOptions};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::wire::Wire;

/// A Host over a real database and a real socket.
pub(crate) struct LiveHost {
    pub(crate) host: Host,
    pub(crate) folder: TempDir,
}

impl LiveHost {
    pub(crate) async fn start() -> Self {
        Self::start_with(|_options| {}).await
    }

    pub(crate) async fn start_with(change: impl FnOnce(&mut HostOptions)) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut options = options(folder.path());
        change(&mut options);
        let host = Host::start(options).await.expect("starts");
        Self { host, folder }
    }

    /// Stops the Host, lets `between` happen, and starts another on the same root.
    pub(crate) async fn restart(self, between: impl FnOnce(&Path)) -> Self {
        self.host.stop().await;
        between(&self.root());
        let host = Host::start(options(self.folder.path())).await.expect("starts again");
        Self { host, folder: self.folder }
    }

    pub(crate) fn root(&self) -> PathBuf {
        root(self.folder.path())
    }

    pub(crate) async fn viewer(&self) -> Wire {
        Wire::hello(self.host.socket(), "viewer").await
    }

    pub(crate) async fn client(&self) -> Wire {
        Wire::hello(self.host.socket(), "client").await
    }

    pub(crate) async fn model(&self, session: &str) -> Wire {
        Wire::model(self.host.socket(), session).await
    }

    /// Creates Sessions of these ids.
    pub(crate) async fn sessions(&self, ids: &[&str]) {
        let mut client = self.client().await;
        for id in ids {
            client.done("session.create", json!({"name":format!("the {id}"),"sessionId":id})).await;
        }
    }

    /// One column of text, through a connection of its own.
    pub(crate) fn select(&self, sql: &str) -> Vec<String> {
        let connection = rusqlite::Connection::open(self.root().join("runtime.sqlite")).unwrap();
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.collect::<Result<_, _>>().unwrap()
    }

    /// The stored record of a Session's list.
    pub(crate) fn record(&self, session: &str) -> Option<String> {
        let sql = format!(
            "SELECT record_json FROM workflow_session_todo_documents WHERE session_id = '{session}'"
        );
        self.select(&sql).pop()
    }
}

fn root(folder: &Path) -> PathBuf {
    folder.join("root")
}

pub(crate) fn options(folder: &Path) -> HostOptions {
    let mut options = HostOptions::new(root(folder));
    options.idle_exit = Some(std::time::Duration::ZERO);
    options
}

/// Changes a database that no Host has open.
pub(crate) fn alter(root: &Path, sql: &str) {
    let connection = rusqlite::Connection::open(root.join("runtime.sqlite")).unwrap();
    connection.execute_batch(sql).unwrap();
}

/// A list of `count` different items.
pub(crate) fn items(count: usize) -> Value {
    let item = |number| json!({"content":format!("step {number}"),"status":"pending"});
    (0..count).map(item).collect()
}
