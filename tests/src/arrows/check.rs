//! Holds a graph against the rules.

use std::collections::BTreeSet;
use std::fmt;

use super::graph::{DependencyKind, Graph, Node};
use super::rules::Rule;

/// The only place that a package of another author may come from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// One broken rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Violation {
    /// A package of the workspace that the table does not know.
    NoRule(String),
    /// A row of the table for a package that the workspace has not.
    NoPackage(String),
    /// An edge between our crates that the table does not have.
    ForbiddenEdge(String, String),
    /// A normal dependency that this manifest must not name.
    ForbiddenName(String, String),
    /// Something on the never-list is linked, by this way.
    ForbiddenReach(String, Vec<String>),
    /// A dependency from a git repository, another registry or an address.
    ForbiddenSource(String, String),
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRule(package) => write!(f, "{package} has no rule"),
            Self::NoPackage(package) => write!(f, "the rule of {package} has no package"),
            Self::ForbiddenEdge(from, to) => write!(f, "{from} may not use {to}"),
            Self::ForbiddenName(from, to) => write!(f, "{from} may not depend on {to} itself"),
            Self::ForbiddenReach(from, way) => write!(f, "{from} links {}", way.join(" → ")),
            Self::ForbiddenSource(edge, source) => write!(f, "{edge} comes from {source}"),
        }
    }
}

/// Finds every violation, sorted.
#[must_use]
pub fn violations(graph: &Graph, rules: &[Rule]) -> BTreeSet<Violation> {
    let mut found = BTreeSet::new();
    let ours: BTreeSet<&str> = graph.members().map(|(_, node)| node.name.as_str()).collect();
    for (key, node) in graph.members() {
        match rules.iter().find(|rule| rule.package == node.name) {
            None => {
                found.insert(Violation::NoRule(node.name.clone()));
            }
            Some(rule) => {
                found.extend(direct(node, rule, &ours));
                found.extend(transitive(graph, key, rule));
            }
        }
    }
    let unknown = rules.iter().filter(|rule| !ours.contains(rule.package));
    found.extend(unknown.map(|rule| Violation::NoPackage(rule.package.to_owned())));
    let foreign = graph.sources.iter().filter(|(_, source)| source != REGISTRY);
    found.extend(
        foreign.map(|(edge, source)| Violation::ForbiddenSource(edge.clone(), source.clone())),
    );
    found
}

fn direct<'a>(
    node: &'a Node,
    rule: &'a Rule,
    ours: &'a BTreeSet<&str>,
) -> impl Iterator<Item = Violation> + 'a {
    node.names.iter().filter_map(move |(to, kind)| {
        let edge = || (node.name.clone(), to.clone());
        if ours.contains(to.as_str()) && !rule.may_use.contains(&to.as_str()) {
            let (from, to) = edge();
            return Some(Violation::ForbiddenEdge(from, to));
        }
        let named = *kind == DependencyKind::Normal && rule.never_names.contains(&to.as_str());
        named.then(edge).map(|(from, to)| Violation::ForbiddenName(from, to))
    })
}

fn transitive<'a>(
    graph: &'a Graph,
    key: &'a str,
    rule: &'a Rule,
) -> impl Iterator<Item = Violation> + 'a {
    let reach = graph.reach(key);
    rule.never_reaches.iter().filter_map(move |never| {
        let way = reach.get(*never)?.clone();
        Some(Violation::ForbiddenReach(rule.package.to_owned(), way))
    })
}

impl Graph {
    fn members(&self) -> impl Iterator<Item = (&str, &Node)> {
        self.nodes
            .iter()
            .filter(|(key, _)| self.members.contains(*key))
            .map(|(key, node)| (key.as_str(), node))
    }
}
