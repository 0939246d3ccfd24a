//! `maka demo`: it passes, and each step's check catches a world that is not as told.

use std::time::{Duration, Instant};

use maka_cli::DemoStep;

use crate::world::{Ran, maka};

#[test]
fn the_demo_passes_under_five_seconds_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let began = Instant::now();
    let ran = Ran::of(maka().arg("demo").env("TMPDIR", folder.path()).output().unwrap()).ok();
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    for step in DemoStep::ALL {
        assert!(ran.stdout.contains(&format!("ok  {}", step.name())), "{}: {ran:?}", step.name());
    }
    assert!(ran.stdout.contains("[redacted]") && !ran.stdout.contains('\u{1b}'), "{ran:?}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn each_sabotaged_step_is_caught_by_its_own_check() {
    for step in DemoStep::ALL {
        let ran =
            Ran::of(maka().arg("demo").env("MAKA_DEMO_SABOTAGE", step.name()).output().unwrap());
        let ran = ran.fails(1, &format!("the step {:?} is not as told", step.name()));
        assert!(!ran.stdout.contains(&format!("ok  {} ", step.name())), "{ran:?}");
    }
}

#[test]
fn a_hook_that_names_no_step_is_usage() {
    let ran = Ran::of(maka().arg("demo").env("MAKA_DEMO_SABOTAGE", "nothing").output().unwrap());
    ran.fails(2, "names no step");
}

#[test]
fn keep_leaves_the_root_and_says_where() {
    let folder = tempfile::tempdir().unwrap();
    let ran =
        Ran::of(maka().args(["demo", "--keep"]).env("TMPDIR", folder.path()).output().unwrap());
    let ran = ran.ok();
    let root = ran.stdout.lines().find_map(|line| line.strip_prefix("kept: ")).unwrap();
    assert!(std::path::Path::new(root).join("runtime.sqlite").is_file());
    assert!(root.starts_with(folder.path().to_str().unwrap()));
}
