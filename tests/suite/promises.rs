//! Every promise of the durability contract, and every test that a document names, exists.

use std::fs;
use std::path::{Path, PathBuf};

use maka_tests::promises::{TestIndex, named_paths, named_tests, promises, relative_links};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

#[test]
fn every_promise_of_the_durability_contract_names_a_test_that_exists() {
    let index = TestIndex::read(&root()).unwrap();
    let promises = promises(&fs::read_to_string(root().join("docs/durability.md")).unwrap());
    assert!(promises.len() >= 15, "the contract has only {} promises", promises.len());
    for promise in promises {
        assert!(!promise.tests.is_empty(), "no test behind: {}", promise.text);
        for test in promise.tests {
            assert!(index.holds(&root(), &test), "{test} does not exist: {}", promise.text);
        }
    }
}

/// The pages for readers: those in `docs/`, at the root, and the crates' own.
fn pages() -> Vec<PathBuf> {
    let mut folders = vec![root(), root().join("docs"), root().join("docs/decisions")];
    folders.extend(
        ["core", "storage", "runtime", "cli", "tests", "runtime-host"]
            .map(|name| root().join(name)),
    );
    folders.extend(["client", "protocol"].map(|name| root().join("runtime-host").join(name)));
    let files = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    files.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect()
}

#[test]
fn every_test_that_a_page_names_exists() {
    let index = TestIndex::read(&root()).unwrap();
    for page in pages() {
        for test in named_tests(&fs::read_to_string(&page).unwrap()) {
            assert!(index.holds(&root(), &test), "{page:?} names {test}, which does not exist");
        }
    }
}

#[test]
fn every_link_of_a_page_leads_somewhere() {
    for page in pages() {
        for link in relative_links(&fs::read_to_string(&page).unwrap()) {
            assert!(page.parent().unwrap().join(&link).exists(), "{page:?} links to {link}");
        }
    }
}

#[test]
fn every_path_that_a_page_names_exists() {
    for page in pages() {
        for path in named_paths(&fs::read_to_string(&page).unwrap()) {
            // A crate's own page may name its files from where it stands.
            let bases = [root(), page.parent().unwrap().to_owned()];
            let found = bases.iter().any(|base| base.join(&path).exists());
            assert!(found, "{page:?} names {path}");
        }
    }
}

#[test]
fn a_name_without_a_test_is_found_out() {
    let index = TestIndex::read(&root()).unwrap();
    assert!(
        index.holds(&root(), "maka_tests::suite::promises::a_name_without_a_test_is_found_out")
    );
    assert!(!index.holds(&root(), "maka_tests::suite::arrows::a_name_without_a_test_is_found_out"));
    assert!(!index.holds(&root(), "maka_core::promises::a_name_without_a_test_is_found_out"));
    assert!(!index.holds(&root(), "maka_tests::suite::promises::root"));
}
