//! The table.

use std::fmt::Write;

use serde::Serialize;

/// One figure, beside its floor and its goal.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    what: String,
    unit: &'static str,
    value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    floor: Option<Floor>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<Goal>,
}

#[derive(Debug, Clone, Serialize)]
struct Floor {
    what: &'static str,
    value: f64,
}

#[derive(Debug, Clone, Serialize)]
struct Goal {
    text: String,
    met: bool,
}

impl Row {
    /// A figure by itself.
    pub(super) fn new(what: impl Into<String>, unit: &'static str, value: f64) -> Self {
        Self { what: what.into(), unit, value, floor: None, ratio: None, goal: None }
    }

    /// Sets the floor, in the same unit; the ratio follows.
    pub(super) fn beside(mut self, what: &'static str, value: f64) -> Self {
        self.floor = Some(Floor { what, value });
        self.ratio = Some(self.value / value);
        self
    }

    /// The ratio shall be at least this.
    pub(super) fn ratio_at_least(self, bound: f64) -> Self {
        let met = self.ratio.is_some_and(|ratio| ratio >= bound);
        self.with_goal(format!("≥ {bound} × floor"), met)
    }

    /// The ratio shall be at most this.
    pub(super) fn ratio_at_most(self, bound: f64) -> Self {
        let met = self.ratio.is_some_and(|ratio| ratio <= bound);
        self.with_goal(format!("≤ {bound} × floor"), met)
    }

    /// The figure itself shall be at least this.
    pub(super) fn at_least(self, bound: f64) -> Self {
        let met = self.value >= bound;
        let goal = format!("≥ {bound} {}", self.unit);
        self.with_goal(goal, met)
    }

    /// The figure itself shall be at most this.
    pub(super) fn at_most(self, bound: f64) -> Self {
        let met = self.value <= bound;
        let goal = format!("≤ {bound} {}", self.unit);
        self.with_goal(goal, met)
    }

    fn with_goal(mut self, text: String, met: bool) -> Self {
        self.goal = Some(Goal { text, met });
        self
    }
}

/// All figures of one run.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    schema: &'static str,
    /// Whether so little was measured that the figures mean nothing.
    quick: bool,
    cores: usize,
    optimized: bool,
    rows: Vec<Row>,
}

impl Report {
    pub(super) fn new(quick: bool) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let optimized = !cfg!(debug_assertions);
        Self { schema: "maka.bench.v1", quick, cores, optimized, rows: Vec::new() }
    }

    pub(super) fn extend(&mut self, rows: Vec<Row>) {
        self.rows.extend(rows);
    }

    /// A Markdown table that also reads well as plain text.
    #[must_use]
    pub fn to_table(&self) -> String {
        let mut cells =
            vec![["what", "measured", "floor", "ratio", "goal", "met"].map(str::to_owned)];
        cells.extend(self.rows.iter().map(cells_of));
        let widths: Vec<usize> = (0..6)
            .map(|column| cells.iter().map(|row| width(row, column)).max().unwrap_or(0))
            .collect();
        let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
        let mut table = String::new();
        for (number, row) in cells.iter().enumerate() {
            line(&mut table, row, &widths);
            if number == 0 {
                line(&mut table, &rule, &widths);
            }
        }
        let note = match (self.quick, self.optimized) {
            (true, _) => "quick: these figures mean nothing",
            (_, false) => "not optimized: these figures mean little",
            (false, true) => "release build",
        };
        // Writing to a String cannot fail.
        let _ = writeln!(table, "\n{} cores; {note}", self.cores);
        table
    }
}

fn width(row: &[String; 6], column: usize) -> usize {
    row.get(column).map_or(0, |cell| cell.chars().count())
}

fn line(table: &mut String, cells: &[String], widths: &[usize]) {
    for (cell, width) in cells.iter().zip(widths) {
        let pad = width.saturating_sub(cell.chars().count());
        // Writing to a String cannot fail.
        let _ = write!(table, "| {cell}{} ", " ".repeat(pad));
    }
    table.push_str("|\n");
}

fn cells_of(row: &Row) -> [String; 6] {
    let figure = |value: f64| format!("{} {}", rounded(value), row.unit);
    [
        row.what.clone(),
        figure(row.value),
        row.floor
            .as_ref()
            .map_or_else(String::new, |f| format!("{} ({})", figure(f.value), f.what)),
        row.ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}")),
        row.goal.as_ref().map_or_else(String::new, |goal| goal.text.clone()),
        row.goal.as_ref().map_or("", |goal| if goal.met { "yes" } else { "NO" }).to_owned(),
    ]
}

fn rounded(value: f64) -> String {
    if value >= 100.0 {
        format!("{value:.0}")
    } else if value >= 10.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::{Report, Row};

    #[test]
    fn a_row_says_how_far_it_is_from_floor_and_goal() {
        let mut report = Report::new(true);
        report.extend(vec![
            Row::new("write", "/s", 850.0).beside("raw", 1000.0).ratio_at_least(0.8),
            Row::new("start", "ms", 25.0).at_most(20.0),
        ]);
        let table = report.to_table();
        assert!(table.contains("850 /s   | 1000 /s (raw) | 0.85"), "{table}");
        assert!(table.contains("≥ 0.8 × floor | yes"), "{table}");
        assert!(table.contains("≤ 20 ms       | NO"), "{table}");
    }
}
