//! The name that a Session takes where none is given.

/// The current folder's name; "session" in the root folder and where the folder is gone.
pub(crate) fn folder_name() -> String {
    std::env::current_dir()
        .ok()
        .as_deref()
        .and_then(std::path::Path::file_name)
        .map(|name| name.to_string_lossy().chars().take(LONGEST).collect::<String>())
        .filter(|name| maka_core::SessionName::parse(name).is_ok())
        .unwrap_or_else(|| "session".to_owned())
}

/// A Session's name has at most 200 code points, a folder's at most 255 bytes.
const LONGEST: usize = 200;
