//! The ports between the crates. Storage implements the stores, the Host implements
//! [`SessionTodoPort`], and tests put doubles and fault injectors behind all of them.
//!
//! One store method is one whole transaction. When a method that writes returns `Ok`, what it
//! wrote is durable; when it returns `Err`, nothing was changed, except where
//! [`StoreError::CommitOutcomeUnknown`] says that this cannot be known.

use async_trait::async_trait;

use crate::session_todo::{SessionTodo, TodoCounts};
use crate::{
    NewSession, Page, PageRequest, Presence, Session, SessionId, SessionName, StoreError,
    Timestamp, ToolTurn, TurnId,
};

/// Tells the time.
pub trait Clock: Send + Sync {
    /// The present moment.
    fn now(&self) -> Timestamp;
}

/// Makes ids that were never used before.
pub trait IdSource: Send + Sync {
    /// A fresh Session id.
    fn session_id(&self) -> SessionId;
    /// A fresh Turn id.
    fn turn_id(&self) -> TurnId;
}

/// A replaced list, as it was stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    /// The list that is stored now.
    pub todo: SessionTodo,
    /// Unfinished items of the old list whose text the new list lacks, counted with
    /// multiplicity; `None` where there was no old list to read.
    pub dropped_unfinished: Option<u32>,
}

/// What a copy's list starts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CopyContents {
    /// The source's current list; a source without a row reads as empty.
    Current,
    /// An explicit empty list.
    Empty,
}

/// The outcome of initializing a copy's list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CopyOutcome {
    /// The target holds this list, inserted now or by an identical earlier try.
    Initialized(SessionTodo),
    /// The target already holds another list, which was left alone.
    TargetConflict,
}

/// One Session in the overview of all lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TodoOverview {
    /// The Session.
    pub session: Session,
    /// How many items stand at each status; `None` where the stored row is damaged.
    pub counts: Option<TodoCounts>,
    /// The pending and in-progress items in list order, not projected; empty where the stored row
    /// is damaged.
    pub unfinished: SessionTodo,
}

/// The durable Todo documents.
#[async_trait]
pub trait SessionTodoStore: Send + Sync {
    /// Reads the list; where there is no row, inserts the empty list and returns it. Sees every
    /// write of the same Session that was called before. Does not ask whether the Session exists.
    ///
    /// # Errors
    /// [`StoreError::CorruptDocument`] where the row is damaged; the row stays as it is.
    async fn read_or_init(&self, session: &SessionId) -> Result<SessionTodo, StoreError>;

    /// Replaces the whole list and records `turn` with its settled result, in one transaction.
    /// Repairs a damaged row.
    ///
    /// # Errors
    /// Any [`StoreError`] but `CorruptDocument`.
    async fn replace(
        &self,
        session: &SessionId,
        todo: SessionTodo,
        turn: ToolTurn,
    ) -> Result<Replaced, StoreError>;

    /// Gives the absent list of `target` its first content; the source is read and not written.
    ///
    /// # Errors
    /// [`StoreError::CorruptDocument`] where the source's or the target's row is damaged.
    async fn initialize_copy(
        &self,
        source: &SessionId,
        target: &SessionId,
        contents: CopyContents,
    ) -> Result<CopyOutcome, StoreError>;

    /// Deletes the row without reading it. Nothing to delete is fine.
    ///
    /// # Errors
    /// Any [`StoreError`] but `CorruptDocument`.
    async fn purge(&self, session: &SessionId) -> Result<(), StoreError>;

    /// Lists the present Sessions that have unfinished items (or a damaged row), newest first.
    /// Initializes nothing.
    ///
    /// # Errors
    /// Any [`StoreError`] but `CorruptDocument`: a damaged row is an entry without counts.
    async fn overview(&self, page: &PageRequest) -> Result<Page<TodoOverview>, StoreError>;
}

/// The outcome of creating a Session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CreateOutcome {
    /// It was created.
    Created(Session),
    /// The id is that of a present, preparing or removed Session.
    IdTaken,
}

/// The outcome of opening a Session by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenOutcome {
    /// The newest unarchived Session of that name.
    Found(Session),
    /// There was none, so it was created.
    Created(Session),
    /// There was none, and the offered id is taken.
    IdTaken,
}

/// The outcome of renaming a Session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RenameOutcome {
    /// It carries the new name.
    Renamed(Session),
    /// It is archived; its name was left alone.
    Archived,
    /// There is no such Session.
    NotPresent,
}

/// The durable Sessions.
#[async_trait]
pub trait SessionStore: Send + Sync {
    /// Creates a Session. A Todo row that an unknown Session left under this id is purged in the
    /// same transaction.
    ///
    /// # Errors
    /// Any [`StoreError`].
    async fn create(&self, new: NewSession) -> Result<CreateOutcome, StoreError>;

    /// Finds the newest unarchived Session of exactly `new.name`, or creates `new`, in one
    /// transaction: two callers at once get the same Session.
    ///
    /// # Errors
    /// Any [`StoreError`].
    async fn open_by_name(&self, new: NewSession) -> Result<OpenOutcome, StoreError>;

    /// Renames a Session.
    ///
    /// # Errors
    /// Any [`StoreError`].
    async fn rename(
        &self,
        session: &SessionId,
        name: SessionName,
    ) -> Result<RenameOutcome, StoreError>;

    /// Tells whether the id stands for a Session.
    ///
    /// # Errors
    /// Any [`StoreError`].
    async fn presence(&self, session: &SessionId) -> Result<Presence, StoreError>;

    /// Reads one present Session; `None` where it is removed, preparing or unknown.
    ///
    /// # Errors
    /// Any [`StoreError`].
    async fn get(&self, session: &SessionId) -> Result<Option<Session>, StoreError>;

    /// Lists the present Sessions, newest first; archived ones only if asked for.
    ///
    /// # Errors
    /// Any [`StoreError`].
    async fn list(
        &self,
        page: &PageRequest,
        include_archived: bool,
    ) -> Result<Page<Session>, StoreError>;
}

/// Why a tool's read or write was not done.
#[derive(Debug, thiserror::Error)]
pub enum TodoPortError {
    /// There is no such Session (any more).
    #[error("find the Session {0}")]
    NotFound(SessionId),
    /// The Host is draining and takes no new work.
    #[error("start new work: the Runtime Host is stopping")]
    Draining,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The Host's tool port: all that the model-facing tools know of the Host.
#[async_trait]
pub trait SessionTodoPort: Send + Sync {
    /// Reads the Session's list, initializing it on the first read. Signals nothing.
    ///
    /// # Errors
    /// [`TodoPortError`]; never an empty list in place of a failed read.
    async fn read(&self, session: &SessionId) -> Result<SessionTodo, TodoPortError>;

    /// Replaces the Session's list on behalf of `client`. When it returns, the list is durable
    /// and the change signal was sent.
    ///
    /// # Errors
    /// [`TodoPortError`]; nothing was saved, except as its cause says.
    async fn write(
        &self,
        session: &SessionId,
        todo: SessionTodo,
        client: &crate::ClientName,
    ) -> Result<Replaced, TodoPortError>;
}
