//! The objects of a file, and whether those that touch our tables are the released ones.

use rusqlite::Connection;

use super::ddl;
use super::inspect::{HINT_RESTORE, HINT_STRANGE, blocked, read_error};
use super::shapes::{self, RELEASED, Released};
use crate::OpenError;

/// One row of `sqlite_schema`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Object {
    kind: String,
    name: String,
    table: String,
    sql: Option<String>,
}

/// All objects of one file.
#[derive(Debug)]
pub(super) struct Objects(Vec<Object>);

impl Objects {
    pub(super) fn read(connection: &Connection) -> Result<Self, OpenError> {
        let mut statement = connection
            .prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema")
            .map_err(read_error)?;
        let rows = statement
            .query_map((), |row| {
                Ok(Object {
                    kind: row.get(0)?,
                    name: row.get(1)?,
                    table: row.get(2)?,
                    sql: row.get(3)?,
                })
            })
            .map_err(read_error)?;
        Ok(Self(rows.collect::<Result<_, _>>().map_err(read_error)?))
    }

    /// Whether nothing but SQLite's own bookkeeping is there.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|object| object.name.starts_with("sqlite_"))
    }

    /// Whether there is a released table; one of another shape or name is refused.
    pub(super) fn has(&self, released: &Released) -> Result<bool, OpenError> {
        let Some(object) = self.named(released.name) else { return Ok(false) };
        let sql = object.sql.as_deref().unwrap_or_default();
        if object.kind == "table" && object.name == released.name && ddl::same(sql, released.ddl) {
            return Ok(true);
        }
        Err(blocked(format!("{} has an unfamiliar shape", released.name), HINT_STRANGE))
    }

    /// Refuses a released table that is absent though this workflow version has it.
    pub(super) fn require(&self, workflow: u32) -> Result<(), OpenError> {
        for released in RELEASED {
            if released.required.contains(&workflow) && self.named(released.name).is_none() {
                let reason = format!("the table {} of schema {workflow} is missing", released.name);
                return Err(blocked(reason, HINT_RESTORE));
            }
        }
        Ok(())
    }

    /// Refuses where our own tables and indices are not exactly there (`registered`) or not
    /// exactly absent.
    pub(super) fn check_own(&self, registered: bool) -> Result<(), OpenError> {
        for own in shapes::own_objects() {
            match (registered, self.named(&own.name)) {
                (false, None) => {}
                (false, Some(_)) => {
                    let reason = format!("{} is there though nothing registered it", own.name);
                    return Err(blocked(reason, HINT_STRANGE));
                }
                (true, None) => {
                    return Err(blocked(format!("{} is missing", own.name), HINT_RESTORE));
                }
                (true, Some(object)) => {
                    let sql = object.sql.as_deref().unwrap_or_default();
                    if object.name != own.name || ddl::tokens(sql) != own.tokens {
                        let reason = format!("{} has an unfamiliar shape", own.name);
                        return Err(blocked(reason, HINT_STRANGE));
                    }
                }
            }
        }
        Ok(())
    }

    /// Refuses triggers and indices that nobody released on tables that we write or drop.
    pub(super) fn check_attached(&self) -> Result<(), OpenError> {
        for object in &self.0 {
            // An index without SQL belongs to its table's own statement.
            if object.kind == "table" || object.sql.is_none() {
                continue;
            }
            let table = object.table.to_ascii_lowercase();
            let known = RELEASED.iter().any(|released| released.name == table)
                || shapes::own_objects().iter().any(|own| own.name == table);
            let own = shapes::own_objects().iter().any(|own| own.name == object.name);
            if known && !own {
                let reason =
                    format!("there is an unexpected {} {:?} on {table}", object.kind, object.name);
                return Err(blocked(reason, HINT_STRANGE));
            }
        }
        Ok(())
    }

    /// Refuses views, triggers and tables that mention a table which the upgrade would drop.
    pub(super) fn check_dependents(&self) -> Result<(), OpenError> {
        let dropped = RELEASED.iter().filter(|released| released.dropped);
        for released in dropped.filter(|released| self.named(released.name).is_some()) {
            let hangs_on = |object: &&Object| {
                object.name != released.name
                    && object.sql.as_deref().is_some_and(|sql| ddl::mentions(sql, released.name))
            };
            if let Some(object) = self.0.iter().find(hangs_on) {
                let reason = format!(
                    "the {} {:?} depends on {}, which the upgrade drops",
                    object.kind, object.name, released.name
                );
                return Err(blocked(reason, HINT_STRANGE));
            }
        }
        Ok(())
    }

    /// SQLite looks names up without regard to letter case, and so must this.
    fn named(&self, lower_case: &str) -> Option<&Object> {
        self.0.iter().find(|object| object.name.eq_ignore_ascii_case(lower_case))
    }
}
