//! Ordinary text, a line each in `survivors.txt`, that the projection must leave as it is: prose and
//! code about credentials, identifiers and digests, the world's scripts, emoji, paths, and what
//! looks like a tag.

use maka_core::session_todo::display::project;

#[test]
fn ordinary_lines_survive() {
    let lines = include_str!("survivors.txt").lines();
    let changed: Vec<String> = lines
        .filter(|line| project(line) != *line)
        .map(|line| format!("{line:?} -> {:?}", project(line)))
        .collect();
    assert!(changed.is_empty(), "{}", changed.join("\n"));
}
