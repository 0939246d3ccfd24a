//! Prints how fast the projection is, in megabytes a second, for lists of several kinds of text:
//! `cargo run --release -p maka-core --example projection_throughput`.

use std::hint::black_box;
use std::time::{Duration, Instant};

use maka_core::SessionId;
use maka_core::session_todo::display::project;
use maka_core::session_todo::{SessionTodo, TodoView};

/// Items of one list, and characters of each.
const ITEMS: usize = 200;
const CHARACTERS: usize = 200;
const LEAST: Duration = Duration::from_millis(400);

/// The kinds of text, each with words to draw from.
const KINDS: [(&str, &str); 6] = [
    (
        "ASCII prose",
        "Fix the parser so that it keeps the last word of a line, then add tests for both cases \
         (see the issue) and write down what was decided: short, clear and complete. ",
    ),
    (
        "prose with paths, keys and URLs",
        "move crates/core/src/session_todo/mod.rs: the token is read from $TOKEN, key=value, see \
         https://example.com/a/b?page=2#top and run cargo test --workspace --no-fail-fast; ",
    ),
    ("accented prose", "corriger l'éditeur : il perd le dernier mot, ajouter dès que possible un "),
    ("CJK prose", "修复登录页面的样式，然后添加测试。日本語のテストを追加する、한국어 문서 번역 "),
    ("Hindi and emoji", "हिन्दी अनुवाद जोड़ें 👩‍💻 क्‍ष ❤️ "),
    (
        "credentials",
        "export DB_PASSWORD=tulip-and-rose; curl -u me:tulip1 https://u:p@example.com ",
    ),
];

fn main() {
    for (kind, words) in KINDS {
        let list: Vec<String> = (0..ITEMS)
            .map(|item| {
                let text: String = words.chars().cycle().skip(item * 7).take(CHARACTERS).collect();
                text.split_whitespace().collect::<Vec<_>>().join(" ")
            })
            .collect();
        let bytes: usize = list.iter().map(String::len).sum();
        let first = Instant::now();
        black_box(list.first().map(|item| project(black_box(item)).len()));
        let first = first.elapsed();
        let start = Instant::now();
        let mut rounds = 0u32;
        while start.elapsed() < LEAST {
            for item in &list {
                black_box(project(black_box(item)));
            }
            rounds += 1;
        }
        let nanos = start.elapsed().as_nanos().max(1);
        let total = u128::from(rounds) * u128::try_from(bytes).unwrap_or_default();
        report(kind, total * 1_000 / nanos, nanos / u128::from(rounds.max(1)), first);
    }
    record();
}

/// Reads and projects a stored list of 20 items of 100 characters.
#[expect(clippy::print_stdout, reason = "the figures are what the program is for")]
fn record() {
    let item = format!(r#"{{"content":"{}","status":"pending"}}"#, "fix it now ".repeat(9).trim());
    let record = format!(r#"{{"schemaVersion":1,"items":[{}]}}"#, vec![item; 20].join(","));
    let rounds: u32 = 100_000;
    let start = Instant::now();
    for _ in 0..rounds {
        black_box(SessionTodo::from_record(black_box(&record)).is_ok());
    }
    println!("read a record of 20 items: {:?}", start.elapsed() / rounds);
    let (Ok(todo), Ok(id)) = (SessionTodo::from_record(&record), SessionId::parse("s")) else {
        return;
    };
    let start = Instant::now();
    for _ in 0..rounds {
        black_box(TodoView::of(id.clone(), black_box(&todo)));
    }
    println!("project a list of 20 items: {:?}", start.elapsed() / rounds);
}

#[expect(clippy::print_stdout, reason = "the figures are what the program is for")]
fn report(kind: &str, megabytes: u128, nanos_a_list: u128, first: Duration) {
    println!("{kind:<34} {megabytes:>5} MB/s {nanos_a_list:>10} ns a list, first item {first:?}");
}
