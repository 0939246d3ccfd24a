//! The store itself: which method reads, and which queues a job.

use std::sync::Arc;

use async_trait::async_trait;
use maka_core::ports::{CopyContents, CopyOutcome, Replaced, SessionTodoStore, TodoOverview};
use maka_core::session_todo::{SessionTodo, TodoCounts};
use maka_core::{Page, PageRequest, SessionId, StoreError, ToolTurn};

use super::{copy, overview, replace, rows};
use crate::database::Inner;

/// About what a row costs beside its content, in bytes.
pub(super) const ROW_BYTES: usize = 256;

/// The [`SessionTodoStore`] of an open [`crate::Database`].
#[derive(Debug, Clone)]
pub struct SqliteTodoStore {
    database: Arc<Inner>,
}

impl SqliteTodoStore {
    pub(crate) fn new(database: Arc<Inner>) -> Self {
        Self { database }
    }
}

#[async_trait]
impl SessionTodoStore for SqliteTodoStore {
    async fn read_or_init(&self, session: &SessionId) -> Result<SessionTodo, StoreError> {
        let Inner { readers, writer, .. } = &*self.database;
        if !writer.has_pending(session)
            && let Some(todo) = readers.read(|connection| rows::find(connection, session))?
        {
            return Ok(todo);
        }
        let id = session.clone();
        let init = move |connection: &rusqlite::Connection| {
            // Another call may have come first.
            if let Some(todo) = rows::find(connection, &id)? {
                return Ok(todo);
            }
            let empty = SessionTodo::default();
            rows::put(connection, &id, &empty.to_record(), TodoCounts::default())?;
            Ok(empty)
        };
        writer.submit(session, ROW_BYTES, init).await
    }

    async fn replace(
        &self,
        session: &SessionId,
        todo: SessionTodo,
        turn: ToolTurn,
    ) -> Result<Replaced, StoreError> {
        let job = replace::Replacement::new(session.clone(), todo, turn);
        let bytes = job.bytes();
        let faults = self.database.faults.clone();
        let work = move |connection: &rusqlite::Connection| job.run(connection, &faults);
        self.database.writer.submit(session, bytes, work).await
    }

    async fn initialize_copy(
        &self,
        source: &SessionId,
        target: &SessionId,
        contents: CopyContents,
    ) -> Result<CopyOutcome, StoreError> {
        let (source, id) = (source.clone(), target.clone());
        let work = move |connection: &rusqlite::Connection| {
            copy::initialize(connection, &source, &id, contents)
        };
        self.database.writer.submit(target, ROW_BYTES, work).await
    }

    async fn purge(&self, session: &SessionId) -> Result<(), StoreError> {
        let id = session.clone();
        let work = move |connection: &rusqlite::Connection| rows::delete(connection, &id);
        self.database.writer.submit(session, ROW_BYTES, work).await
    }

    async fn overview(&self, page: &PageRequest) -> Result<Page<TodoOverview>, StoreError> {
        self.database.readers.read(|connection| overview::page(connection, page))
    }
}
