//! Credentials of a fixed shape: signed tokens, bot tokens, webhooks and private keys.
//!
//! Each pattern is compiled when a text first comes near it. The part to mask is the first group
//! that took part, else the whole match.

use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::{Regex, RegexBuilder};

/// Shapes within one run of token characters, but for the colon of Telegram's.
const TOKENS: &str = concat!(
    // JWT, whose signature may be cut off, and JWE.
    r"eyJ[A-Za-z0-9_-]{5,}\.eyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]+)?",
    r"|eyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*){3}\.[A-Za-z0-9_-]+",
    // Telegram.
    r"|(?:^|[^0-9])([0-9]{8,10}:A[A-Za-z0-9_-]{30,})",
    // Discord.
    r"|(?:^|[^A-Za-z0-9_-])([MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,})",
    // Mailchimp, Airtable, Azure, Cloudflare.
    r"|(?:^|[^0-9A-Za-z]|\\[nrt])([0-9a-f]{32}-us[0-9]{1,2})",
    r"|(?:^|[^0-9A-Za-z]|\\[nrt])(pat[A-Za-z0-9]{14}\.[0-9a-f]{32,64})",
    r"|([A-Za-z0-9_~.-]{3}8Q~[A-Za-z0-9_~.-]{31,34})",
    r"|v1\.0-[0-9a-f]{24}-[0-9a-f]{32,}",
);

/// The least length of the first part of a Discord token.
const BOT_ID: usize = 23;

/// Webhooks, whose path is the credential.
const WEBHOOKS: &str = concat!(
    r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/([a-z0-9/_+-]{8,})",
    r"|discord(?:app)?\.com/api/(?:v[0-9]+/)?webhooks/([0-9]+/[a-z0-9_-]{8,})",
    r"|\.office\.com/webhook(?:b2)?/([a-z0-9/_@-]{16,})",
    r"|hooks\.zapier\.com/hooks/catch/([a-z0-9/_-]{8,})",
    r"|maker\.ifttt\.com/[a-z0-9/_-]{0,80}/(?-i:key)/([a-z0-9_-]{8,})",
    r"|/open-apis/bot/v2/hook/([a-z0-9-]{16,})",
    r"|hook\.(?:[a-z0-9]+\.)?(?:make|integromat)\.com/([a-z0-9]{16,})",
    r"|/hooks/([a-z0-9]{24,}|[a-z0-9]{16,}/[a-z0-9]{16,})",
    r"|events\.pagerduty\.com/(?-i:integration)/([a-z0-9]{16,})",
);

/// A private key to its END line or, since items are cut, to the end of the text; and one whose
/// BEGIN line is cut off. Behind a BEGIN line comes a header or base64: prose about one stays.
const PRIVATE_KEYS: &str = concat!(
    r"-{3,6} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{3,6}(?:\\n|\\r| )*",
    r"((?:[A-Za-z0-9+/=]{16}|[A-Za-z][A-Za-z0-9-]{2,30}: ).*?)(?:(?:\\n|\\r| )*-{3,6} ?END|$)",
    r"|((?:[A-Za-z0-9+/]{16,}(?:\\n|\\r| )*)+[A-Za-z0-9+/]{0,15}={0,2})(?:\\n|\\r| )*",
    r"-{3,6} ?END [A-Z0-9 ]{0,40}PRIVATE KEY",
);

static TOKEN: LazyLock<Option<Regex>> = LazyLock::new(|| compile(TOKENS, false).ok());
static WEBHOOK: LazyLock<Option<Regex>> = LazyLock::new(|| compile(WEBHOOKS, true).ok());
static PRIVATE_KEY: LazyLock<Option<Regex>> = LazyLock::new(|| compile(PRIVATE_KEYS, true).ok());

fn compile(pattern: &str, any_case: bool) -> Result<Regex, regex::Error> {
    const CACHE_BYTES: usize = 256 * 1024;
    RegexBuilder::new(pattern)
        .unicode(false)
        .case_insensitive(any_case)
        .dfa_size_limit(CACHE_BYTES)
        .build()
}

/// Adds signed and bot tokens and the paths of webhooks.
pub(super) fn find_tokens(shadow: &[u8], found: &mut Vec<Range<usize>>) {
    const MARKS: [&[u8]; 6] = [b"eyJ", b":A", b"-us", b"pat", b"8Q~", b"v1.0-"];
    let bot = memchr::memchr3_iter(b'M', b'N', b'O', shadow).any(|at| {
        let piece = shadow.iter().skip(at).take(BOT_ID);
        piece.filter(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')).count() == BOT_ID
    });
    if bot || MARKS.iter().any(|mark| memchr::memmem::find(shadow, mark).is_some()) {
        run(&TOKEN, shadow, found);
    }
    let hook = memchr::memchr2_iter(b'h', b'H', shadow)
        .any(|at| shadow.get(at..at + 4).is_some_and(|word| word.eq_ignore_ascii_case(b"hook")));
    if hook
        || [&b"/key/"[..], b"ntegration/"]
            .iter()
            .any(|mark| memchr::memmem::find(shadow, mark).is_some())
    {
        run(&WEBHOOK, shadow, found);
    }
}

/// Adds the contents of private keys.
pub(super) fn find_private_keys(shadow: &[u8], found: &mut Vec<Range<usize>>) {
    if memchr::memmem::find(shadow, b"---").is_some() {
        run(&PRIVATE_KEY, shadow, found);
    }
}

fn run(pattern: &LazyLock<Option<Regex>>, shadow: &[u8], found: &mut Vec<Range<usize>>) {
    // A test compiles every pattern, so one is always there.
    let Some(pattern) = pattern.as_ref() else { return };
    for captures in pattern.captures_iter(shadow) {
        let part = captures.iter().skip(1).flatten().next().or_else(|| captures.get(0));
        found.extend(part.map(|part| part.range()));
    }
}

#[cfg(test)]
mod tests {
    use super::{PRIVATE_KEYS, TOKENS, WEBHOOKS, compile};

    #[test]
    fn every_pattern_compiles() {
        for pattern in [TOKENS, WEBHOOKS, PRIVATE_KEYS] {
            assert!(compile(pattern, true).is_ok(), "{pattern}");
        }
    }
}
