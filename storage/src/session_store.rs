//! The Sessions in SQLite: create, find, rename, list.

use std::sync::Arc;

use async_trait::async_trait;
use maka_core::ports::{CreateOutcome, OpenOutcome, RenameOutcome, SessionStore};
use maka_core::{
    NewSession, Page, PageRequest, Presence, Session, SessionId, SessionName, StoreError,
};
use rusqlite::{Connection, OptionalExtension, params};

use crate::database::Inner;
use crate::page::{self, Cursor};
use crate::session_rows::{SESSION_COLUMNS, find_session, id_is_taken, read_session};
use crate::session_todo_store;
use crate::sqlite_error::store_error;

/// About what a Session's row costs, in bytes.
const ROW_BYTES: usize = 1024;

/// The [`SessionStore`] of an open [`crate::Database`].
#[derive(Debug, Clone)]
pub struct SqliteSessionStore {
    database: Arc<Inner>,
}

impl SqliteSessionStore {
    pub(crate) fn new(database: Arc<Inner>) -> Self {
        Self { database }
    }

    /// Reads at once, or behind the jobs of this Session that are already queued.
    async fn read_behind<T: Send + 'static>(
        &self,
        session: &SessionId,
        read: fn(&Connection, &SessionId) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let Inner { readers, writer, .. } = &*self.database;
        if !writer.has_pending(session) {
            return readers.read(|connection| read(connection, session));
        }
        let id = session.clone();
        writer.submit(session, 0, move |connection| read(connection, &id)).await
    }
}

#[async_trait]
impl SessionStore for SqliteSessionStore {
    async fn create(&self, new: NewSession) -> Result<CreateOutcome, StoreError> {
        let session = new.session_id.clone();
        self.database.writer.submit(&session, ROW_BYTES, move |on| create(on, new)).await
    }

    async fn open_by_name(&self, new: NewSession) -> Result<OpenOutcome, StoreError> {
        let session = new.session_id.clone();
        let work = move |on: &Connection| match newest_named(on, &new.name)? {
            Some(found) => Ok(OpenOutcome::Found(found)),
            None => create(on, new).map(|outcome| match outcome {
                CreateOutcome::Created(session) => OpenOutcome::Created(session),
                CreateOutcome::IdTaken => OpenOutcome::IdTaken,
            }),
        };
        self.database.writer.submit(&session, ROW_BYTES, work).await
    }

    async fn rename(
        &self,
        session: &SessionId,
        name: SessionName,
    ) -> Result<RenameOutcome, StoreError> {
        let id = session.clone();
        let work = move |on: &Connection| rename(on, &id, name);
        self.database.writer.submit(session, ROW_BYTES, work).await
    }

    async fn presence(&self, session: &SessionId) -> Result<Presence, StoreError> {
        let Inner { readers, known_present, .. } = &*self.database;
        if known_present.contains(session) {
            readers.check()?;
            return Ok(Presence::Present);
        }
        let presence = self.read_behind(session, presence).await?;
        if presence == Presence::Present {
            known_present.insert(session);
        }
        Ok(presence)
    }

    async fn get(&self, session: &SessionId) -> Result<Option<Session>, StoreError> {
        self.read_behind(session, find_session).await
    }

    async fn list(
        &self,
        page: &PageRequest,
        include_archived: bool,
    ) -> Result<Page<Session>, StoreError> {
        self.database.readers.read(|connection| list(connection, page, include_archived))
    }
}

fn create(connection: &Connection, new: NewSession) -> Result<CreateOutcome, StoreError> {
    if id_is_taken(connection, &new.session_id)? {
        return Ok(CreateOutcome::IdTaken);
    }
    // What a Session that nobody knows has left under this id is not the new one's.
    session_todo_store::delete(connection, &new.session_id)?;
    connection
        .prepare_cached(
            "INSERT INTO maka_sessions (session_id, name, created_at, archived, state, revision)
             VALUES (?1, ?2, ?3, 0, 'committed', 1)",
        )
        .and_then(|mut insert| {
            insert.execute(params![
                new.session_id.as_str(),
                new.name.as_str(),
                new.created_at.as_millis()
            ])
        })
        .map_err(|cause| store_error("write the new Session", cause))?;
    Ok(CreateOutcome::Created(Session {
        session_id: new.session_id,
        name: new.name,
        archived: false,
        created_at: new.created_at,
        revision: 1,
        lineage: None,
    }))
}

fn rename(
    connection: &Connection,
    session: &SessionId,
    name: SessionName,
) -> Result<RenameOutcome, StoreError> {
    let Some(mut found) = find_session(connection, session)? else {
        return Ok(RenameOutcome::NotPresent);
    };
    if found.archived {
        return Ok(RenameOutcome::Archived);
    }
    if found.name == name {
        return Ok(RenameOutcome::Renamed(found));
    }
    connection
        .prepare_cached(
            "UPDATE maka_sessions SET name = ?2, revision = revision + 1 WHERE session_id = ?1",
        )
        .and_then(|mut update| update.execute([session.as_str(), name.as_str()]))
        .map_err(|cause| store_error("write the Session's name", cause))?;
    found.name = name;
    found.revision += 1;
    Ok(RenameOutcome::Renamed(found))
}

fn presence(connection: &Connection, session: &SessionId) -> Result<Presence, StoreError> {
    let failed = |cause| store_error("look for the Session", cause);
    let state: Option<bool> = connection
        .prepare_cached("SELECT state = 'committed' FROM maka_sessions WHERE session_id = ?1")
        .and_then(|mut find| find.query_row([session.as_str()], |row| row.get(0)).optional())
        .map_err(failed)?;
    match state {
        Some(true) => return Ok(Presence::Present),
        Some(false) => return Ok(Presence::Absent),
        None => {}
    }
    let removed = connection
        .prepare_cached("SELECT 1 FROM maka_session_tombstones WHERE session_id = ?1")
        .and_then(|mut find| find.exists([session.as_str()]))
        .map_err(failed)?;
    Ok(if removed { Presence::Removed } else { Presence::Absent })
}

fn newest_named(
    connection: &Connection,
    name: &SessionName,
) -> Result<Option<Session>, StoreError> {
    let failed = |cause| store_error("look for the Session's name", cause);
    let sql = format!(
        "SELECT {SESSION_COLUMNS} FROM maka_sessions AS session
         WHERE session.name = ?1 AND session.archived = 0 AND session.state = 'committed'
         ORDER BY session.created_at DESC, session.session_id DESC LIMIT 1"
    );
    let mut find = connection.prepare_cached(&sql).map_err(failed)?;
    let mut rows = find.query([name.as_str()]).map_err(failed)?;
    rows.next().map_err(failed)?.map(read_session).transpose()
}

fn list(
    connection: &Connection,
    request: &PageRequest,
    include_archived: bool,
) -> Result<Page<Session>, StoreError> {
    let failed = |cause| store_error("read the list of Sessions", cause);
    let after = Cursor::of(request)?;
    let sql = format!(
        "SELECT {SESSION_COLUMNS} FROM maka_sessions AS session
         WHERE (session.created_at, session.session_id) < (?1, ?2)
             AND session.state = 'committed' AND (?3 OR session.archived = 0)
         ORDER BY session.created_at DESC, session.session_id DESC LIMIT ?4"
    );
    let mut find = connection.prepare_cached(&sql).map_err(failed)?;
    let bounds =
        params![after.created_at, after.session_id, include_archived, page::one_more(request)];
    let mut rows = find.query(bounds).map_err(failed)?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next().map_err(failed)? {
        entries.push(read_session(row)?);
    }
    let more = entries.len() > page::limit(request);
    entries.truncate(page::limit(request));
    let last = entries.last().filter(|_| more);
    let next_cursor = last.map(|session| Cursor::after(session).to_text());
    Ok(Page { entries, next_cursor })
}
