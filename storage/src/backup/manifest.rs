//! The manifest, `operational-backup.json`, which seals a backup.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use maka_core::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::BackupError;
use crate::root::create_private_file;

/// The manifest's name in the folder.
pub(super) const MANIFEST: &str = "operational-backup.json";
/// The database's name in the folder.
pub(super) const DATABASE: &str = "runtime.sqlite";

const FORMAT: &str = "maka-operational-backup";
const SCHEMA_VERSION: u32 = 3;
/// No manifest of ours comes near.
const MAX_BYTES: u64 = 1 << 20;

/// What a backup is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BackupInfo {
    /// Its folder, or the state root restored from it.
    pub path: PathBuf,
    /// Bytes of its database.
    pub bytes: u64,
    /// The SHA-256 of its database, in lowercase hexadecimal.
    pub sha256: String,
    /// When it was made.
    pub created_at: Timestamp,
}

/// One file of a backup.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct FileEntry {
    /// A name in the folder.
    pub(super) path: String,
    /// Its bytes.
    pub(super) size: u64,
    /// Lowercase hexadecimal.
    pub(super) sha256: String,
}

/// The whole manifest. Members that another version of version 3 may add are let be.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Manifest {
    format: String,
    schema_version: u32,
    created_at: Moment,
    /// The `user_version` of the database when the backup was made.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) native_version: Option<i64>,
    files: Vec<FileEntry>,
}

/// A moment as text in RFC 3339, or as milliseconds since the Unix epoch.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum Moment {
    Millis(i64),
    Text(String),
}

impl Manifest {
    /// Describes a database that stands ready.
    pub(super) fn of(now: Timestamp, native_version: i64, database: FileEntry) -> Self {
        let moment = jiff::Timestamp::from_millisecond(now.as_millis());
        Self {
            format: FORMAT.to_owned(),
            schema_version: SCHEMA_VERSION,
            // A clock beyond the year 9999 is told in milliseconds.
            created_at: moment
                .map_or(Moment::Millis(now.as_millis()), |at| Moment::Text(at.to_string())),
            native_version: Some(native_version),
            files: vec![database],
        }
    }

    /// Writes the manifest into a folder and syncs it.
    pub(super) fn write(&self, dir: &Path) -> Result<(), BackupError> {
        let path = dir.join(MANIFEST);
        let text = serde_json::to_vec_pretty(self).map_err(std::io::Error::from);
        text.and_then(|text| {
            let mut file = create_private_file(&path)?;
            file.write_all(&text)?;
            file.write_all(b"\n")?;
            file.sync_all()
        })
        .map_err(BackupError::io("write", &path))
    }

    /// Reads the manifest of a backup.
    ///
    /// # Errors
    /// [`BackupError::UnsupportedSchema`] for another version, [`BackupError::Corrupt`] for
    /// anything else that is not a manifest.
    pub(super) fn read(dir: &Path) -> Result<Self, BackupError> {
        let corrupt = |fault: &str| BackupError::corrupt(dir, fault);
        let path = dir.join(MANIFEST);
        match path.symlink_metadata() {
            Ok(metadata) if metadata.is_file() && metadata.len() <= MAX_BYTES => {}
            Ok(_) => return Err(corrupt("its manifest is not an ordinary file")),
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => {
                return Err(corrupt("it has no manifest operational-backup.json"));
            }
            Err(cause) => return Err(BackupError::io("read", &path)(cause)),
        }
        let mut text = Vec::new();
        File::open(&path)
            .and_then(|file| file.take(MAX_BYTES).read_to_end(&mut text))
            .map_err(BackupError::io("read", &path))?;
        let value: Value =
            serde_json::from_slice(&text).map_err(|_| corrupt("its manifest is not JSON"))?;
        if value.get("format").and_then(Value::as_str) != Some(FORMAT) {
            return Err(corrupt("its manifest is not that of a backup"));
        }
        match value.get("schemaVersion") {
            Some(version) if version.as_u64() == Some(u64::from(SCHEMA_VERSION)) => {}
            version => {
                let found = version.map_or_else(|| "none".to_owned(), Value::to_string);
                return Err(BackupError::UnsupportedSchema { path: dir.to_owned(), found });
            }
        }
        serde_json::from_value(value)
            .map_err(|_| corrupt("its manifest lacks what a manifest holds"))
    }

    /// The entry of the database: the one file that a backup holds beside its manifest.
    ///
    /// # Errors
    /// [`BackupError::Corrupt`] where anything else, or nothing, is listed.
    pub(super) fn database(&self, dir: &Path) -> Result<&FileEntry, BackupError> {
        let corrupt = |fault: String| Err(BackupError::corrupt(dir, fault));
        if let Some(other) = self.files.iter().find(|file| file.path != DATABASE) {
            return corrupt(format!("its manifest lists {:?}, not only {DATABASE}", other.path));
        }
        match self.files.as_slice() {
            [database] => Ok(database),
            files => corrupt(format!("its manifest lists {DATABASE} {} times", files.len())),
        }
    }

    /// What is told of the backup.
    pub(super) fn info(&self, dir: &Path) -> Result<BackupInfo, BackupError> {
        let database = self.database(dir)?;
        let created_at = match &self.created_at {
            Moment::Millis(millis) => Some(Timestamp::from_millis(*millis)),
            Moment::Text(text) => text
                .parse::<jiff::Timestamp>()
                .ok()
                .map(|at| Timestamp::from_millis(at.as_millisecond())),
        };
        Ok(BackupInfo {
            path: dir.to_owned(),
            bytes: database.size,
            sha256: database.sha256.clone(),
            created_at: created_at
                .ok_or_else(|| BackupError::corrupt(dir, "its manifest names no moment"))?,
        })
    }
}
