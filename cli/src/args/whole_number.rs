//! Numbers on the command line.

/// Reads a whole number and says in plain words what it takes.
///
/// # Errors
/// What to give instead, for the person who typed it.
pub(super) fn whole_number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "give a whole number, 0 or more".to_owned())
}
