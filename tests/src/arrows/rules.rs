//! The table of `ARCHITECTURE.md`, as data.

/// What one of our crates may use and may never reach.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The package that the rule is about.
    pub package: &'static str,
    /// Our other packages that it may name in its manifest, under any kind of dependency.
    pub may_use: &'static [&'static str],
    /// Packages that its normal dependencies never reach, however far away.
    pub never_reaches: &'static [&'static str],
    /// Packages that its manifest never names as a normal dependency.
    pub never_names: &'static [&'static str],
}

/// The rule of every package of the workspace. A package without a rule is a violation.
#[must_use]
pub const fn rules() -> &'static [Rule] {
    RULES
}

const RULES: &[Rule] = &[
    Rule {
        package: "maka-core",
        may_use: &[],
        never_reaches: &["tokio", "rusqlite", "libsqlite3-sys", "anyhow", "rustix", "jiff", "uuid"],
        never_names: &[],
    },
    Rule {
        package: "maka-storage",
        may_use: &["maka-core"],
        never_reaches: &[
            "tokio",
            "maka-host-protocol",
            "maka-runtime",
            "maka-runtime-host",
            "maka-host-client",
        ],
        never_names: &["anyhow"],
    },
    Rule {
        package: "maka-runtime",
        may_use: &["maka-core"],
        never_reaches: &[
            "maka-storage",
            "rusqlite",
            "libsqlite3-sys",
            "maka-runtime-host",
            "maka-host-client",
        ],
        never_names: &["anyhow"],
    },
    Rule {
        package: "maka-host-protocol",
        may_use: &["maka-core"],
        never_reaches: &["tokio", "rusqlite", "libsqlite3-sys", "maka-storage", "maka-runtime"],
        never_names: &["anyhow"],
    },
    Rule {
        package: "maka-host-client",
        may_use: &["maka-core", "maka-host-protocol"],
        never_reaches: &[
            "maka-storage",
            "rusqlite",
            "libsqlite3-sys",
            "maka-runtime",
            "maka-runtime-host",
        ],
        never_names: &["anyhow"],
    },
    Rule {
        package: "maka-runtime-host",
        may_use: &["maka-core", "maka-storage", "maka-runtime", "maka-host-protocol"],
        never_reaches: &["maka-host-client", "maka-cli"],
        never_names: &["anyhow", "clap", "rusqlite"],
    },
    Rule {
        package: "maka-cli",
        may_use: &["maka-core", "maka-runtime", "maka-runtime-host", "maka-host-client"],
        never_reaches: &["maka-tests"],
        never_names: &["rusqlite", "libsqlite3-sys", "maka-storage"],
    },
    Rule {
        package: "maka-tests",
        may_use: &[
            "maka-core",
            "maka-storage",
            "maka-runtime",
            "maka-runtime-host",
            "maka-host-protocol",
            "maka-host-client",
            "maka-cli",
        ],
        never_reaches: &[],
        never_names: &[],
    },
];
