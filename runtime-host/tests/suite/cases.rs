//! Every case of `host.json` is executed somewhere in this suite or waits for a later operation.

use std::collections::BTreeSet;
use std::future::Future;
use std::time::Duration;

/// Declares the cases that a module executes: each is a test of its own and counts as executed.
macro_rules! host_cases {
    ($($function:ident = $id:literal;)*) => {
        pub(crate) const CASES: &[&str] = &[$($id),*];
        mod case {
            $(
                #[test]
                fn $function() {
                    crate::cases::run(super::$function());
                }
            )*
        }
    };
}
pub(crate) use host_cases;

/// Cases of operations that do not exist yet: archive and remove.
const WAITING: &[&str] =
    &["archive-family", "remove-retry", "remove-busy", "cleanup-fails", "sibling-race"];

/// Runs a test on one thread, so that what was sent first is also read first; never for ever.
pub(crate) fn run(test: impl Future<Output = ()>) {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let limit = Duration::from_secs(120);
    runtime.block_on(async { tokio::time::timeout(limit, test).await }).expect("ends in time");
}

#[test]
fn executed_and_waiting_cases_are_all_cases() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/cases/host.json");
    let text = std::fs::read_to_string(path).expect("the case file");
    let file: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let all: BTreeSet<&str> = file["cases"]
        .as_array()
        .expect("cases")
        .iter()
        .map(|case| case["id"].as_str().expect("an id"))
        .collect();
    let modules = [
        crate::lanes::CASES,
        crate::coordinator::CASES,
        crate::queries::CASES,
        crate::frames::CASES,
        crate::in_flight::CASES,
        crate::lifecycle::CASES,
        crate::signals::CASES,
        WAITING,
    ];
    let known: Vec<&str> = modules.concat();
    assert_eq!(known.iter().copied().collect::<BTreeSet<_>>(), all);
    assert_eq!(known.len(), all.len(), "no case is executed twice");
}
