//! Finds the tests that documents name, so that no promise outlives its test.
//!
//! A test is named as `crate_name::path::test_name`. The path is that of the file within the
//! crate; `src`, `tests` and `mod` may be left out of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The crates of the workspace and their folders.
const CRATES: &[(&str, &str)] = &[
    ("maka_core", "core"),
    ("maka_storage", "storage"),
    ("maka_runtime", "runtime"),
    ("maka_runtime_host", "runtime-host"),
    ("maka_host_protocol", "runtime-host/protocol"),
    ("maka_host_client", "runtime-host/client"),
    ("maka_cli", "cli"),
    ("maka_tests", "tests"),
];

/// How many lines above a function its test attribute may stand.
const ATTRIBUTE_DISTANCE: usize = 4;

/// One promise of a document: a list entry, with the tests that it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Promise {
    /// The entry's text on one line.
    pub text: String,
    /// The tests that it names.
    pub tests: Vec<String>,
}

/// Reads the promises of a Markdown text: its entries that begin with `- `.
#[must_use]
pub fn promises(markdown: &str) -> Vec<Promise> {
    let mut entries: Vec<String> = Vec::new();
    let mut inside = false;
    for line in markdown.lines() {
        if let Some(first) = line.strip_prefix("- ") {
            entries.push(first.to_owned());
            inside = true;
        } else if let (true, Some(more), Some(entry)) =
            (inside, line.strip_prefix("  "), entries.last_mut())
        {
            entry.push(' ');
            entry.push_str(more.trim_start());
        } else {
            inside = false;
        }
    }
    entries.into_iter().map(|text| Promise { tests: named_tests(&text), text }).collect()
}

/// Finds the names of tests in a text: what stands in backquotes and begins with a crate of ours.
#[must_use]
pub fn named_tests(text: &str) -> Vec<String> {
    let quoted = text.split('`').skip(1).step_by(2);
    let named = quoted.filter(|word| {
        let first = word.split("::").next();
        word.contains("::") && CRATES.iter().any(|(name, _)| Some(*name) == first)
    });
    named.map(str::to_owned).collect()
}

/// Finds the relative targets of a text's Markdown links, without their anchors.
#[must_use]
pub fn relative_links(markdown: &str) -> Vec<String> {
    let targets = markdown.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let relative = targets.filter(|target| !target.contains(':') && !target.starts_with('#'));
    relative.filter_map(|target| target.split('#').next()).map(str::to_owned).collect()
}

/// Finds the files and folders of the workspace that a text names in backquotes.
#[must_use]
pub fn named_paths(text: &str) -> Vec<String> {
    let quoted = text.split('`').skip(1).step_by(2);
    let named = quoted.filter(|word| {
        let begins =
            |folder: &str| word.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        let ours = CRATES.iter().any(|(_, folder)| begins(folder)) || begins("docs");
        ours && !word.contains([' ', '*', '<', '…'])
    });
    named.map(str::to_owned).collect()
}

/// The test functions of the workspace, by name, each with the files that hold one.
#[derive(Debug, Default)]
pub struct TestIndex {
    files: BTreeMap<String, Vec<PathBuf>>,
}

impl TestIndex {
    /// Reads every source file of the workspace.
    ///
    /// # Errors
    /// Where a file cannot be read.
    pub fn read(root: &Path) -> Result<Self> {
        let mut index = Self::default();
        for (_, folder) in CRATES {
            for part in ["src", "tests", "suite"] {
                let part = root.join(folder).join(part);
                if part.is_dir() {
                    index.read_folder(&part)?;
                }
            }
        }
        Ok(index)
    }

    fn read_folder(&mut self, folder: &Path) -> Result<()> {
        let entries = fs::read_dir(folder).with_context(|| format!("list {folder:?}"))?;
        for entry in entries {
            let path = entry.with_context(|| format!("list {folder:?}"))?.path();
            if path.is_dir() {
                self.read_folder(&path)?;
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let source = fs::read_to_string(&path).with_context(|| format!("read {path:?}"))?;
                for name in test_functions(&source) {
                    self.files.entry(name).or_default().push(path.clone());
                }
            }
        }
        Ok(())
    }

    /// Tells whether a test of this name exists.
    #[must_use]
    pub fn holds(&self, root: &Path, name: &str) -> bool {
        let parts: Vec<&str> = name.split("::").collect();
        let [crate_name, modules @ .., function] = parts.as_slice() else { return false };
        let Some((_, folder)) = CRATES.iter().find(|(known, _)| known == crate_name) else {
            return false;
        };
        let wanted: Vec<&str> = modules.iter().copied().filter(|part| *part != "tests").collect();
        let files = self.files.get(*function).map(Vec::as_slice).unwrap_or_default();
        files.iter().any(|file| {
            let Ok(inner) = file.strip_prefix(root.join(folder)) else { return false };
            module_path(inner).ends_with(&wanted)
        })
    }
}

/// The path of a file within its crate as a path of modules.
fn module_path(file: &Path) -> Vec<&str> {
    let stem = file.file_stem().and_then(|stem| stem.to_str());
    let folders = file.parent().into_iter().flat_map(Path::components);
    let folders = folders.filter_map(|part| part.as_os_str().to_str());
    folders.chain(stem).filter(|part| !["src", "tests", "mod"].contains(part)).collect()
}

/// The names of functions with a test attribute, and of property tests.
fn test_functions(source: &str) -> Vec<String> {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let mut names = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let signature = line.strip_prefix("async ").unwrap_or(line);
        let Some(rest) = signature.strip_prefix("fn ") else { continue };
        let Some((name, _)) = rest.split_once('(') else { continue };
        let above = lines.get(number.saturating_sub(ATTRIBUTE_DISTANCE)..number);
        let attributes = above.unwrap_or_default().iter().rev();
        let mut attributes = attributes.take_while(|line| line.starts_with(['#', '/']));
        if attributes.any(|line| line.starts_with("#[") && line.contains("test")) {
            names.push(name.to_owned());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::{module_path, named_paths, named_tests, promises, relative_links, test_functions};
    use std::path::Path;

    #[test]
    fn an_entry_runs_over_its_indented_lines() {
        let found = promises("text\n- one\n  more `maka_core::a::b`.\n\n  not this\n- two\n");
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].text, "one more `maka_core::a::b`.");
        assert_eq!(found[0].tests, ["maka_core::a::b"]);
        assert!(found[1].tests.is_empty());
    }

    #[test]
    fn only_paths_of_our_crates_are_tests() {
        let text = "`std::fs::read`, `maka_tests`, `maka_tests::suite::x::y`";
        assert_eq!(named_tests(text), ["maka_tests::suite::x::y"]);
    }

    #[test]
    fn a_path_begins_with_a_folder_of_the_workspace_and_is_no_pattern() {
        let text = "`core/src/x.rs`, `corex/y`, `tests/cases/*.json`, `/docs/z`, `docs/z.md`";
        assert_eq!(named_paths(text), ["core/src/x.rs", "docs/z.md"]);
    }

    #[test]
    fn a_link_to_the_web_or_within_the_page_is_not_relative() {
        let text = "[a](x.md#y) [b](https://example.org) [c](#here) [d](../z/)";
        assert_eq!(relative_links(text), ["x.md", "../z/"]);
    }

    #[test]
    fn a_function_without_the_attribute_is_no_test() {
        let source =
            "#[test]\nfn a() {\n}\nfn b() {}\n/// Doc.\n#[tokio::test]\n/// More.\nasync fn c() {";
        assert_eq!(test_functions(source), ["a", "c"]);
    }

    #[test]
    fn a_file_is_a_module_path() {
        assert_eq!(module_path(Path::new("tests/suite/todo.rs")), ["suite", "todo"]);
        assert_eq!(module_path(Path::new("src/writer/mod.rs")), ["writer"]);
    }
}
