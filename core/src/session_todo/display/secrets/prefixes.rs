//! Tokens that identify themselves by a prefix.
//!
//! Formats are public facts, gathered from the providers' documentation and the gitleaks project
//! (see NOTICE). A cut token is still material, so most rows take less than the provider's length.

use std::ops::Range;
use std::sync::LazyLock;

use super::checks::Check;

/// The characters that may follow a prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Alphabet {
    /// Letters and digits.
    Alnum,
    /// And `_`.
    Word,
    /// And `_` and `-`.
    Dash,
    /// And `_`, `-` and `.`; a last `.` ends a sentence.
    Dots,
    /// Base64 of either alphabet.
    Base64,
    /// Hexadecimal digits.
    Hex,
    /// Capitals and digits.
    Upper,
}

impl Alphabet {
    fn has(self, byte: u8) -> bool {
        match self {
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Word => byte.is_ascii_alphanumeric() || byte == b'_',
            Self::Dash => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Dots => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'),
            Self::Base64 => byte.is_ascii_alphanumeric() || b"+/=_-".contains(&byte),
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
        }
    }
}

/// What may stand before a prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edge {
    /// Anything: the prefix occurs in no word.
    Any,
    /// No letter or digit, unless an escape sequence ends with it.
    Word,
}

/// One row: the prefixes, what follows them and at least how much of it, what is asked of it, and
/// what may stand before.
struct Row(&'static [&'static str], Alphabet, usize, Check, Edge);

const ROWS: &[Row] = &[
    Row(&["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], Alphabet::Dots, 16, Check::Mixed, Edge::Any),
    Row(&["github_pat_"], Alphabet::Word, 16, Check::Mixed, Edge::Any),
    Row(
        &[
            "npm_",
            "hf_",
            "api_org_",
            "gsk_",
            "ntn_",
            "secret_",
            "dop_v1_",
            "doo_v1_",
            "dor_v1_",
            "shpat_",
            "shpca_",
            "shppa_",
            "shpss_",
            "shpua_",
            "lin_api_",
            "lin_oauth_",
            "sbp_",
            "r8_",
            "rubygems_",
            "phc_",
            "phx_",
            "phs_",
            "sgp_",
            "jina_",
            "bkua_",
            "key_live_",
            "cfut_",
            "cfat_",
            "cfk_",
            "fw_",
            "napi_",
            "lip_",
            "nfp_",
            "nfc_",
            "vcp_",
            "pnu_",
            "wandb_v1_",
            "sntryu_",
            "sntrya_",
            "e2b_",
            "ctx7sk-",
            "rnd_",
            "pcsk_",
            "zpka_",
        ],
        Alphabet::Alnum,
        16,
        Check::Mixed,
        Edge::Word,
    ),
    Row(
        &[
            "glsa_",
            "lsv2_pt_",
            "lsv2_sk_",
            "sb_secret_",
            "pscale_tkn_",
            "pscale_pw_",
            "pscale_oauth_",
            "figd_",
            "figo_",
            "figu_",
            "dckr_pat_",
            "dckr_oat_",
            "duffel_test_",
            "duffel_live_",
            "shippo_test_",
            "shippo_live_",
            "rzp_test_",
            "rzp_live_",
            "tfp_",
            "CCIPAT_",
            "hcp_",
            "apify_api_",
            "FLWSECK_TEST-",
            "FLWSECK-",
            "pina_",
            "ATATT3",
            "ATCTT3",
            "dnkey=",
            "dnkey-",
            "squ_",
            "sqp_",
            "sqa_",
            "rpa_",
        ],
        Alphabet::Dash,
        16,
        Check::Mixed,
        Edge::Word,
    ),
    Row(&["re_"], Alphabet::Word, 16, Check::Token, Edge::Word),
    Row(
        &[
            "xai-",
            "pplx-",
            "GOCSPX-",
            "nvapi-",
            "tvly-",
            "PMAK-",
            "NRAK-",
            "NRAA-",
            "NRJS-",
            "NRII-",
            "NRSP-",
            "NRIQ-",
            "sq0atp-",
            "sq0csp-",
            "sq0idp-",
            "CFPAT-",
            "xkeysib-",
            "xsmtpsib-",
            "pat-na1-",
            "pat-na2-",
            "pat-eu1-",
            "GR1348941",
            "tskey-auth-",
            "tskey-api-",
            "tskey-client-",
            "access-sandbox-",
            "access-production-",
            "access-development-",
            "EAACEdEose0cBA",
            "1//0",
        ],
        Alphabet::Dash,
        16,
        Check::Mixed,
        Edge::Word,
    ),
    Row(
        &["pypi-", "sk-", "csk-", "sess-", "fc-", "pul-", "tk-us-", "key-", "pk-lf-", "dapi"],
        Alphabet::Dash,
        16,
        Check::Token,
        Edge::Word,
    ),
    Row(
        &[
            "glpat-", "gldt-", "glrt-", "glrtr-", "glcbt-", "glptt-", "glft-", "glsoat-", "glimt-",
            "glagent-", "gloas-", "glffct-", "glwt-",
        ],
        Alphabet::Dots,
        16,
        Check::Mixed,
        Edge::Any,
    ),
    Row(
        &[
            "hvs.",
            "hvb.",
            "hvr.",
            "SG.",
            "dp.pt.",
            "dp.st.",
            "dp.ct.",
            "dp.sa.",
            "dp.scim.",
            "dp.audit.",
            "ya29.",
            "pk.eyJ",
            "sk.eyJ",
            "atlasv1.",
            "amzn.mws.",
        ],
        Alphabet::Dots,
        16,
        Check::Mixed,
        Edge::Word,
    ),
    Row(
        &[
            "whsec_",
            "glc_",
            "fm1_",
            "fm1a_",
            "fm1r_",
            "fm2_",
            "fo1_",
            "ABSK",
            "ops_eyJ",
            "sntrys_",
            "eyJrIjoi",
            "sha256~",
            "ATBB",
            "AKCp",
            "cmVmdGtuOj",
            "EZAK",
            "EZTK",
        ],
        Alphabet::Base64,
        16,
        Check::Token,
        Edge::Word,
    ),
    Row(
        &[
            "sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_", "pk_live_",
            "pk_test_", "pk_prod_",
        ],
        Alphabet::Alnum,
        10,
        Check::Always,
        Edge::Any,
    ),
    Row(
        &[
            "xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-",
            "xoxs-", "xapp-", "xwfp-",
        ],
        Alphabet::Dots,
        11,
        Check::Mixed,
        Edge::Any,
    ),
    Row(&["AIza"], Alphabet::Dash, 16, Check::Mixed, Edge::Any),
    Row(&["AKIA", "ASIA", "ABIA", "ACCA"], Alphabet::Upper, 16, Check::Always, Edge::Word),
    Row(&["LTAI", "AKID"], Alphabet::Alnum, 16, Check::Token, Edge::Word),
    Row(&["AGE-SECRET-KEY-1", "age-secret-key-1"], Alphabet::Alnum, 10, Check::Always, Edge::Any),
    Row(&["SK", "AC"], Alphabet::Hex, 32, Check::Mixed, Edge::Word),
    Row(&["cio", "oy2", "EAAA", "EAAB"], Alphabet::Alnum, 30, Check::Token, Edge::Word),
    Row(&["s."], Alphabet::Alnum, 24, Check::Random, Edge::Word),
];

/// The shortest token of any row, prefix included. Whoever calls may skip text without a run of
/// [`is_token_byte`] of this length.
pub(super) const SHORTEST: usize = 16;

/// The most of a token that a check looks at.
const MAX_CHECKED: usize = 512;

/// Whether a token may hold the byte.
pub(super) const fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/' | b'+' | b'=' | b'~')
}

/// Adds all tokens.
pub(super) fn find(shadow: &[u8], found: &mut Vec<Range<usize>>) {
    let mut at = 0;
    while at < shadow.len() {
        let rest = shadow.get(at..).unwrap_or_default();
        let run = rest.iter().take_while(|b| is_token_byte(**b)).count();
        if run >= SHORTEST {
            find_in_run(shadow, at..at + run, found);
        }
        at += run + 1;
    }
}

/// A prefix and its row.
type Entry = (&'static [u8], &'static Row);

/// The rows by the first byte of their prefixes.
static BY_FIRST_BYTE: LazyLock<[Vec<Entry>; 128]> = LazyLock::new(|| {
    let mut rows = [const { Vec::new() }; 128];
    for row in ROWS {
        for prefix in row.0.iter().map(|prefix| prefix.as_bytes()) {
            let first = prefix.first().map(|b| usize::from(*b));
            if let Some(rows) = first.and_then(|first| rows.get_mut(first)) {
                rows.push((prefix, row));
            }
        }
    }
    rows
});

fn find_in_run(shadow: &[u8], run: Range<usize>, found: &mut Vec<Range<usize>>) {
    let mut at = run.start;
    while at + SHORTEST <= run.end {
        match token_at(shadow, at) {
            Some(end) => {
                found.push(at..end);
                at = end;
            }
            None => at += 1,
        }
    }
}

/// The end of the token that starts at `at`, if one does.
fn token_at(shadow: &[u8], at: usize) -> Option<usize> {
    let rest = shadow.get(at..)?;
    let rows = BY_FIRST_BYTE.get(usize::from(*rest.first()?))?;
    let starts_word = starts_word(shadow, at);
    for (prefix, Row(_, alphabet, min, check, edge)) in rows {
        if !(starts_word || *edge == Edge::Any) || !rest.starts_with(prefix) {
            continue;
        }
        let tail = rest.get(prefix.len()..).unwrap_or_default();
        let mut checked = tail.iter().take(MAX_CHECKED).take_while(|b| alphabet.has(**b)).count();
        let whole = checked == MAX_CHECKED;
        while tail.get(..checked).is_some_and(|tail| tail.ends_with(b".")) {
            checked -= 1;
        }
        if checked < *min || !check.passes(b"", tail.get(..checked).unwrap_or_default()) {
            continue;
        }
        let more = if whole {
            tail.iter().skip(checked).take_while(|b| alphabet.has(**b)).count()
        } else {
            0
        };
        return Some(at + prefix.len() + checked + more);
    }
    None
}

/// Whether no letter or digit stands before `at`, other than the last of an escape sequence: `\n`,
/// `%3D`.
fn starts_word(shadow: &[u8], at: usize) -> bool {
    let before = shadow.get(at.saturating_sub(3)..at).unwrap_or_default();
    match before {
        [.., b'\\', b'n' | b'r' | b't'] => true,
        [b'%', high, low] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => true,
        _ => !before.last().is_some_and(u8::is_ascii_alphanumeric),
    }
}

#[cfg(test)]
mod tests {
    use super::{ROWS, Row, SHORTEST, find, is_token_byte};

    #[test]
    fn no_row_takes_less_than_the_shortest_token() {
        for Row(prefixes, alphabet, min, ..) in ROWS {
            for prefix in *prefixes {
                assert!(prefix.len() + min >= SHORTEST, "{prefix}");
                assert!(prefix.bytes().all(is_token_byte), "{prefix}");
            }
            assert!((0..=u8::MAX).all(|b| !alphabet.has(b) || is_token_byte(b)), "{alphabet:?}");
        }
    }

    #[test]
    fn every_prefix_is_found_and_prose_of_it_is_not() {
        for Row(prefixes, alphabet, min, ..) in ROWS {
            for prefix in *prefixes {
                let piece = if alphabet.has(b'g') { "Ab1Cd2Ef3Gh4" } else { "A0B1C2D3E4F5" };
                let tail: String = piece.chars().cycle().take(*min).collect();
                for text in [format!("x {prefix}{tail}. y"), format!("=\\n{prefix}{tail}")] {
                    let mut found = Vec::new();
                    find(text.as_bytes(), &mut found);
                    let start = text.find(prefix).expect("it is there");
                    assert!(
                        found.iter().any(|span| *span == (start..start + prefix.len() + min)),
                        "{text}: {found:?}"
                    );
                }
                let mut found = Vec::new();
                find(format!("{prefix} is a prefix").as_bytes(), &mut found);
                assert!(found.is_empty(), "{prefix}");
            }
        }
    }
}
