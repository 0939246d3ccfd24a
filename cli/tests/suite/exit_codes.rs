//! Each exit code, from the real command.

use crate::world::World;

#[test]
fn each_code_is_what_the_table_says() {
    let world = World::new();
    world.session("s");
    let old = World::of_workspace("v9-rich.sqlite");
    let broken = World::new();
    std::fs::create_dir(broken.root()).unwrap();
    std::fs::write(broken.root().join("config.toml"), "[host\n").unwrap();
    for (code, world, args) in [
        (0, &world, &["session", "list"][..]),
        (1, &world, &["session", "rename", "s", ""]),
        (2, &world, &["session", "rename", "s"]),
        (3, &world, &["session", "show", "nowhere"]),
        (4, &broken, &["session", "list"]),
        (4, &broken, &["host", "run"]),
        (5, &old, &["session", "list"]),
    ] {
        let ran = world.run(args);
        assert_eq!(ran.code, Some(code), "{args:?}: {ran:?}");
        assert_eq!(ran.stderr.is_empty(), code == 0, "{args:?}: {ran:?}");
        assert!(code == 0 || ran.stderr.starts_with("error: "), "{args:?}: {ran:?}");
    }
}

#[test]
fn the_documented_table_is_that_of_the_program() {
    let page = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/cli.md"));
    for exit in maka_cli::Exit::ALL {
        let row = format!("| {} | {} |", exit.code(), exit.meaning());
        assert!(page.contains(&row), "{row:?} is missing in docs/cli.md");
    }
}
