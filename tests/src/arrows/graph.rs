//! What `cargo metadata` says of the workspace, as far as the rules ask.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

/// How a dependency is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DependencyKind {
    /// Linked into the crate.
    Normal,
    /// Only its tests, examples or build script see it.
    Other,
}

/// One package with what it names and what cargo resolved for it.
#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    /// Names of the packages that the manifest depends on.
    pub(super) names: BTreeSet<(String, DependencyKind)>,
    /// Keys of the packages resolved as its normal dependencies.
    pub(super) links: BTreeSet<String>,
    /// The package's own name.
    pub(super) name: String,
}

/// The resolved packages, and which of them are ours.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    pub(super) nodes: BTreeMap<String, Node>,
    pub(super) members: BTreeSet<String>,
    pub(super) sources: BTreeSet<(String, String)>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_members: Vec<String>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    dependencies: Vec<Declared>,
}

#[derive(Deserialize)]
struct Declared {
    name: String,
    source: Option<String>,
    kind: Option<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<ResolvedNode>,
}

#[derive(Deserialize)]
struct ResolvedNode {
    id: String,
    deps: Vec<ResolvedDependency>,
}

#[derive(Deserialize)]
struct ResolvedDependency {
    pkg: String,
    dep_kinds: Vec<ResolvedKind>,
}

#[derive(Deserialize)]
struct ResolvedKind {
    kind: Option<String>,
}

/// Asks cargo about the workspace in `root`, without a network.
///
/// # Errors
/// Where cargo cannot be run, refuses, or answers in an unknown shape.
pub fn read_workspace(root: &Path) -> Result<Graph> {
    let host = host_triple()?;
    let output = Command::new(env!("CARGO"))
        .current_dir(root)
        .args(["metadata", "--offline", "--locked", "--format-version", "1"])
        // Without the filter cargo wants the packages of every platform on disk.
        .args(["--filter-platform", &host])
        .output()
        .context("run cargo metadata")?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "cargo metadata refused: {complaint}");
    Graph::parse(&output.stdout)
}

fn host_triple() -> Result<String> {
    let output = Command::new("rustc").arg("-vV").output().context("run rustc")?;
    let text = String::from_utf8(output.stdout).context("read what rustc said")?;
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(line.context("find the host in what rustc said")?.to_owned())
}

impl Graph {
    /// Reads the answer of `cargo metadata`.
    ///
    /// # Errors
    /// Where the text has another shape.
    pub fn parse(json: &[u8]) -> Result<Self> {
        let metadata: Metadata = serde_json::from_slice(json).context("read cargo's metadata")?;
        let mut graph = Self {
            members: metadata.workspace_members.iter().cloned().collect(),
            ..Self::default()
        };
        for package in metadata.packages {
            if graph.members.contains(&package.id) {
                graph.sources.extend(package.dependencies.iter().filter_map(|declared| {
                    Some((
                        format!("{} → {}", package.name, declared.name),
                        declared.source.clone()?,
                    ))
                }));
            }
            let names = package.dependencies.into_iter().map(|d| (d.name, kind(d.kind.as_deref())));
            let node = Node { names: names.collect(), links: BTreeSet::new(), name: package.name };
            graph.nodes.insert(package.id, node);
        }
        for resolved in metadata.resolve.nodes {
            let normal = resolved
                .deps
                .into_iter()
                .filter(|dependency| dependency.dep_kinds.iter().any(|used| used.kind.is_none()));
            if let Some(node) = graph.nodes.get_mut(&resolved.id) {
                node.links.extend(normal.map(|dependency| dependency.pkg));
            }
        }
        Ok(graph)
    }

    /// Adds a dependency that the manifests do not have, so that a test can see the rules bite.
    ///
    /// # Errors
    /// Where either package is not in the graph.
    pub fn add_edge(&mut self, from: &str, to: &str, kind: DependencyKind) -> Result<()> {
        let key = |name: &str| {
            let mut keys = self.nodes.iter().filter(|(_, node)| node.name == name);
            keys.next().map(|(key, _)| key.clone()).with_context(|| format!("find {name}"))
        };
        let (from_key, to_key) = (key(from)?, key(to)?);
        let node = self.nodes.get_mut(&from_key).context("find the node again")?;
        node.names.insert((to.to_owned(), kind));
        if kind == DependencyKind::Normal {
            node.links.insert(to_key);
        }
        Ok(())
    }

    /// Adds a declared source that the manifests do not have.
    pub fn add_source(&mut self, edge: &str, source: &str) {
        self.sources.insert((edge.to_owned(), source.to_owned()));
    }

    /// The packages that the normal dependencies of `key` reach, with a way to each.
    pub(super) fn reach(&self, key: &str) -> BTreeMap<String, Vec<String>> {
        let mut found = BTreeMap::new();
        let mut open = vec![(key.to_owned(), Vec::new())];
        let mut seen = BTreeSet::new();
        while let Some((at, way)) = open.pop() {
            let Some(node) = self.nodes.get(&at) else { continue };
            for next in node.links.iter().filter(|next| seen.insert((*next).clone())) {
                let Some(reached) = self.nodes.get(next) else { continue };
                let mut longer: Vec<String> = way.clone();
                longer.push(reached.name.clone());
                found.insert(reached.name.clone(), longer.clone());
                open.push((next.clone(), longer));
            }
        }
        found
    }
}

fn kind(word: Option<&str>) -> DependencyKind {
    if word.is_none() { DependencyKind::Normal } else { DependencyKind::Other }
}
