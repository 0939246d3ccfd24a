//! The display projection of the largest lists, in memory.

use std::hint::black_box;
use std::time::Instant;

use maka_core::session_todo::display::project;

use super::options::Scale;
use super::report::Row;
use super::sample::median;

/// Items, and code points of each: the largest list.
const SIZE: usize = 200;

/// What is projected, and the goal in MB/s where there is one.
const TEXTS: [(&str, &str, Option<f64>); 5] = [
    (
        "prose",
        "Check that the importer keeps the order of rows, then write down what it does with empty ones; ",
        Some(60.0),
    ),
    (
        "code",
        "rename `fn load(path: &Path) -> Result<Vec<Row>, Error>` in src/io/load.rs:42, a < b && c > d; ",
        None,
    ),
    (
        "CJK",
        "检查导入器是否保留行的顺序，然后记录它如何处理空行。順序を確認してから書き出す。",
        None,
    ),
    (
        "accents and emoji",
        "Überprüfe, ob die Größe stimmt 👩‍👩‍👧 – naïve Lösung für das Café 🎉 erklären. ",
        None,
    ),
    (
        "secrets",
        "set password=hunter2xyz9 and Authorization: Bearer abcdef0123456789abcdef in the file, ",
        None,
    ),
];

pub(super) fn measure(scale: &Scale) -> Vec<Row> {
    TEXTS.iter().map(|(name, text, goal)| measure_text(scale, name, text, *goal)).collect()
}

fn measure_text(scale: &Scale, name: &str, text: &str, goal: Option<f64>) -> Row {
    let items: Vec<String> = (0..SIZE)
        .map(|index| {
            // Each item starts elsewhere, so that no two are equal.
            text.chars().cycle().skip(index).take(SIZE).collect::<String>().trim().to_owned()
        })
        .collect();
    let bytes: usize = items.iter().map(String::len).sum();
    let passes = scale.projection_passes();
    let megabytes = f64::from(u32::try_from(bytes).unwrap_or(u32::MAX)) * f64::from(passes) / 1e6;
    let (mut ours, mut floor) = (vec![], vec![]);
    for _ in 0..scale.rounds() {
        ours.push(
            megabytes
                / seconds(passes, &items, |item| {
                    black_box(project(black_box(item)));
                }),
        );
        floor.push(
            megabytes
                / seconds(passes, &items, |item| {
                    black_box(black_box(item).chars().filter(|c| c.is_control()).count());
                }),
        );
    }
    let row = Row::new(format!("projection of 200×200, {name}"), "MB/s", median(ours))
        .beside("one look at each character", median(floor));
    match goal {
        Some(goal) => row.at_least(goal),
        None => row,
    }
}

fn seconds(passes: u32, items: &[String], mut act: impl FnMut(&str)) -> f64 {
    let begun = Instant::now();
    for _ in 0..passes {
        for item in items {
            act(item);
        }
    }
    begun.elapsed().as_secs_f64()
}
