//! Stage 4: credentials. They are found on the shadow; only the value is replaced, so that key,
//! user, host and quotes keep the item's meaning.

mod checks;
mod command_line;
mod header;
mod keyed;
mod keys;
mod opaque;
mod placeholder;
mod prefixes;
mod shapes;
mod url;
mod value;

use std::ops::Range;

use super::project::REDACTED;
use super::shadow::replace;

/// Replaces every credential by [`REDACTED`]; `None` where there is none.
pub(super) fn mask(text: &str, shadow: &[u8]) -> Option<String> {
    masked(text, spans(shadow, has_token_run(shadow)))
}

/// As [`mask`], without the shortcut that skips rules. Only to hold the two against each other.
#[cfg(test)]
pub(super) fn mask_fully(text: &str, shadow: &[u8]) -> Option<String> {
    masked(text, spans(shadow, true))
}

fn masked(text: &str, spans: Vec<Range<usize>>) -> Option<String> {
    (!spans.is_empty()).then(|| replace(text, spans.into_iter().map(|span| (span, REDACTED))))
}

/// Whether there is a run of characters as long as the shortest token. Prose has none, so it never
/// comes to the rules that look into runs.
fn has_token_run(shadow: &[u8]) -> bool {
    let mut run = 0;
    shadow.iter().any(|byte| {
        run = if prefixes::is_token_byte(*byte) { run + 1 } else { 0 };
        run >= prefixes::SHORTEST
    })
}

/// The union of what all rules find, in order and apart. `tokens` tells whether there is a run for
/// the rules that need one.
fn spans(shadow: &[u8], tokens: bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if tokens {
        prefixes::find(shadow, &mut found);
        shapes::find_tokens(shadow, &mut found);
        header::bare_schemes(shadow, &mut found);
        found.extend(opaque::find(shadow));
    }
    shapes::find_private_keys(shadow, &mut found);
    url::find(shadow, &mut found);
    command_line::find(shadow, &mut found);
    keyed::find(shadow, &mut found);
    found.retain(|span| !span.is_empty() && shadow.get(span.clone()) != Some(REDACTED.as_bytes()));
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
