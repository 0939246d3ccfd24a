//! Stage 4: credentials. Rules find them on the shadow; only the value is replaced, so that key,
//! user, host and quotes keep the item's meaning.

mod checks;
mod opaque;
mod placeholder;
mod rules;
mod value;

use std::ops::Range;

use super::project::REDACTED;
use super::shadow::Shadow;

/// Whether anything in this shadow would be masked.
pub(super) fn may_act(shadow: &[u8]) -> bool {
    !spans(shadow).is_empty()
}

/// Replaces every credential by [`REDACTED`].
pub(super) fn mask(mut text: String, shadow: &Shadow) -> String {
    for span in spans(shadow.bytes()).into_iter().rev() {
        text.replace_range(shadow.span(span), REDACTED);
    }
    text
}

/// The union of what all rules find, in order and apart.
fn spans(shadow: &[u8]) -> Vec<Range<usize>> {
    let mut found = rules::find(shadow);
    found.extend(opaque::find(shadow));
    found.retain(|span| shadow.get(span.clone()) != Some(REDACTED.as_bytes()));
    found.sort_unstable_by_key(|span| (span.start, span.end));
    let mut union: Vec<Range<usize>> = Vec::with_capacity(found.len());
    for span in found {
        match union.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => union.push(span),
        }
    }
    union
}
