//! The workspace follows its own arrows, and the check that says so can fail.

use std::path::Path;

use maka_tests::arrows::{DependencyKind, Graph, Violation, read_workspace, rules, violations};

fn workspace() -> Graph {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    read_workspace(root).unwrap()
}

#[test]
fn the_workspace_has_only_the_arrows_of_the_table() {
    let found = violations(&workspace(), rules());
    let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert!(lines.is_empty(), "{}", lines.join("\n"));
}

/// Each edge is forbidden by another part of the rules.
#[test]
fn one_forbidden_edge_fails_the_check() {
    let normal = DependencyKind::Normal;
    let edges = [
        ("maka-core", "tokio", normal),
        ("maka-core", "anyhow", normal),
        ("maka-storage", "maka-host-protocol", normal),
        ("maka-runtime", "maka-storage", normal),
        ("maka-host-protocol", "tokio", normal),
        ("maka-host-client", "rusqlite", normal),
        ("maka-host-client", "maka-runtime-host", normal),
        ("maka-runtime-host", "maka-host-client", DependencyKind::Other),
        ("maka-cli", "maka-storage", normal),
        ("maka-cli", "rusqlite", normal),
        ("maka-cli", "maka-tests", DependencyKind::Other),
    ];
    let clean = workspace();
    for (from, to, kind) in edges {
        let mut graph = clean.clone();
        graph.add_edge(from, to, kind).unwrap();
        assert!(!violations(&graph, rules()).is_empty(), "{from} → {to} must be refused");
    }
}

/// The never-list is about what is linked: a way through crates of others counts.
#[test]
fn a_forbidden_package_behind_another_one_fails_the_check() {
    let mut graph = workspace();
    graph.add_edge("serde_json", "rusqlite", DependencyKind::Normal).unwrap();
    let found = violations(&graph, rules());
    let way = found.iter().find_map(|violation| {
        let Violation::ForbiddenReach(package, way) = violation else { return None };
        (package == "maka-host-client").then_some(way)
    });
    assert_eq!(way.unwrap().last().unwrap(), "rusqlite");
}

#[test]
fn a_package_that_does_not_come_from_the_registry_fails_the_check() {
    for source in ["git+https://example.org/x", "registry+https://example.org/index"] {
        let mut graph = workspace();
        graph.add_source("maka-cli → x", source);
        assert_eq!(violations(&graph, rules()).len(), 1, "{source} must be refused");
    }
}
