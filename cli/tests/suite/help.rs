//! What the command teaches: help by example, manual pages, completions.

use crate::world::{Ran, maka};

const COMMANDS: &[&[&str]] = &[
    &[],
    &["host"],
    &["host", "run"],
    &["host", "start"],
    &["host", "stop"],
    &["host", "status"],
    &["session"],
    &["session", "new"],
    &["session", "list"],
    &["session", "show"],
    &["session", "rename"],
    &["todo"],
    &["todo", "show"],
    &["todo", "watch"],
    &["todo", "list"],
    &["tool"],
    &["tool", "list"],
    &["tool", "schema"],
    &["tool", "call"],
    &["mcp"],
    &["demo"],
    &["upgrade"],
    &["backup"],
    &["backup", "create"],
    &["backup", "list"],
    &["backup", "verify"],
    &["backup", "restore"],
    &["backup", "prune"],
    &["completions"],
    &["man"],
];

fn run(args: &[&str]) -> Ran {
    Ran::of(maka().args(args).output().unwrap())
}

#[test]
fn every_commands_help_is_as_committed_and_teaches_by_example() {
    for command in COMMANDS {
        let mut args = command.to_vec();
        args.push("-h");
        let help = run(&args).ok().stdout;
        assert!(help.contains("Examples:\n  ") || help.contains("Examples:\n"), "{command:?}");
        let name = format!("maka-{}", command.join("-"));
        insta::assert_snapshot!(name.trim_end_matches('-').to_owned(), help);
    }
}

#[test]
fn every_command_that_help_names_has_its_help_snapshot() {
    for command in COMMANDS {
        let mut args = command.to_vec();
        args.push("-h");
        let help = run(&args).ok().stdout;
        let Some((_, rest)) = help.split_once("Commands:\n") else { continue };
        for line in rest.lines().take_while(|line| !line.is_empty()) {
            let Some(name) = line.split_whitespace().next().filter(|name| *name != "help") else {
                continue;
            };
            let mut inner = command.to_vec();
            inner.push(name);
            assert!(COMMANDS.contains(&inner.as_slice()), "{inner:?} has no snapshot");
        }
    }
}

#[test]
fn a_wrong_command_line_is_usage_and_none_at_all_shows_help() {
    for args in [
        &["no-such-command"][..],
        &["todo", "show"],
        &["todo", "list"],
        &["todo", "show", "x", "--json", "--markdown"],
        &["mcp", "--session", "x", "--new"],
        &["tool", "schema", "--format", "yaml"],
        &["host", "run", "--idle-exit", "soon"],
    ] {
        let ran = run(args);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.stdout.is_empty() && !ran.stderr.is_empty(), "{ran:?}");
    }
    assert_eq!(run(&[]).code, Some(2));
    assert!(run(&["host", "run", "--idle-exit", "soon"]).stderr.contains("give a whole number"));
    assert_eq!(run(&["--version"]).ok().stdout, concat!("maka ", env!("CARGO_PKG_VERSION"), "\n"));
}

/// The variable names a state root and is no part of the command line.
#[test]
fn the_variable_for_the_root_changes_no_help() {
    for args in [&[][..], &["todo", "list"], &["-h"]] {
        let with = |root: Option<&str>| {
            let mut command = maka();
            command.args(args).envs(root.map(|root| ("MAKA_ROOT", root)));
            let ran = Ran::of(command.output().unwrap());
            (ran.code, ran.stdout, ran.stderr)
        };
        assert_eq!(with(Some("/r")), with(None), "{args:?}");
        assert_eq!(with(Some("")), with(None), "{args:?}");
    }
}

#[test]
fn manual_pages_are_written_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("man");
    run(&["man", dir.to_str().unwrap()]).ok();
    for command in COMMANDS {
        let name = std::iter::once("maka").chain(command.iter().copied()).collect::<Vec<_>>();
        let page = std::fs::read_to_string(dir.join(format!("{}.1", name.join("-")))).unwrap();
        assert!(page.contains(".SH NAME") && page.contains("Examples"), "{name:?}");
    }
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(&["completions", shell]).ok().stdout;
        assert!(script.contains("rename") && script.contains("completions"), "{shell}");
    }
}
