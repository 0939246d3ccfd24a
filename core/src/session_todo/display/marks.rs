//! The bound on combining marks.

use super::class::{Class, classify, combining_class, is_mark};

/// Marks on one base: room for Burmese and Tibetan.
const MAX_MARKS: usize = 8;
/// Marks of combining class 200 and more on one base: those stack up and down (UTS #39).
const MAX_STACKED: usize = 4;
/// Carries a mark that has no base, which would otherwise attach to what the surface draws before.
const DOTTED_CIRCLE: char = '\u{25cc}';

/// Drops the marks over the bounds, and gives a base to text that starts with a mark.
pub(super) fn bound(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut marks, mut stacked) = (0, 0);
    for c in text.chars() {
        if classify(c) == Class::Soft {
            // Neither a mark nor a new base.
            out.push(c);
            continue;
        }
        if !is_mark(c) {
            (marks, stacked) = (0, 0);
            out.push(c);
            continue;
        }
        if out.is_empty() {
            out.push(DOTTED_CIRCLE);
        }
        let stacks = combining_class(c) >= 200;
        if marks < MAX_MARKS && !(stacks && stacked == MAX_STACKED) {
            marks += 1;
            stacked += usize::from(stacks);
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::bound;

    #[test]
    fn floods_are_cut_and_orthographies_are_not() {
        assert_eq!(
            bound(&format!("a{}b", "\u{316}".repeat(20))),
            format!("a{}b", "\u{316}".repeat(4))
        );
        assert_eq!(bound(&"\u{902}".repeat(20)).chars().count(), 1 + 8);
        let arabic = "مُشَكَّل";
        assert_eq!(bound(arabic), arabic);
        let split = format!("ب{0}\u{200d}{0}ب", "\u{64b}".repeat(8));
        assert_eq!(bound(&split).matches('\u{64b}').count(), 8);
        assert_eq!(bound("\u{301}x"), "\u{25cc}\u{301}x");
    }
}
