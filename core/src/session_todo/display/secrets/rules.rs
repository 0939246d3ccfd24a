//! The table of rules and the search that runs it.
//!
//! A rule runs only where one of its triggers occurs, found in one pass over the text. Formats are
//! public facts, gathered from the providers' documentation and the gitleaks project (see NOTICE).

use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, MatchKind};
use regex::bytes::{Captures, Regex, RegexBuilder};

use super::checks::Check;
use super::value;

/// One rule. In its pattern, groups named `q…` are quoted values, `u…` values that no quote
/// encloses, `v…` values whose end the pattern knows; `t` is the part that is checked, where it is
/// not the whole value, and `k` the key.
struct Rule {
    /// One of these, in lower case, occurs in every match, in any letter case.
    triggers: &'static [&'static str],
    pattern: &'static str,
    any_case: bool,
    check: Check,
}

/// Not in the middle of a word. A `\b` would also ask what follows, and counts `_` as a letter.
macro_rules! word {
    ($rest:literal) => {
        concat!("(?:^|[^A-Za-z0-9])", $rest)
    };
}

/// The end of a key that names a credential.
macro_rules! key {
    ($rest:literal) => {
        concat!(
            "(?P<k>[A-Za-z0-9_.-]{0,64}(?:passw(?:or)?d|passphrase|passcode|pwd|secret|token",
            "|credentials?|(?:api|access|private|auth|account|signing|ssh|encryption|decryption",
            "|master|secret|service|shared|storage|session|deploy|client|consumer|admin|app",
            "|webhook|rsa|pgp|gpg|jwt|hmac|bot|license|subscription|security|aes|rest|server",
            "|signature|project|write|maps)[-_. ]?key))",
            $rest
        )
    };
}

/// A value: in quotes, or up to the next space.
macro_rules! value {
    ($first:literal, $rest:literal) => {
        concat!(
            r#"(?:\\?"(?P<q1>[^"]{1,256})|\\?'(?P<q2>[^']{1,256})|`(?P<q3>[^`]{1,256})|(?P<u>[^ "'`,;&"#,
            $first,
            r#"\\][^ "'`,;"#,
            $rest,
            "]{0,255}))"
        )
    };
}

/// Triggers of the rules that look for a key.
const KEYS: &[&str] =
    &["passw", "passphrase", "passcode", "pwd", "secret", "token", "credential", "key"];

const RULES: &[Rule] = &[
    // Prefixes that identify themselves. Each has its own alphabet; a cut one is still material.
    Rule {
        triggers: &[
            "ghp_",
            "gho_",
            "ghu_",
            "ghr_",
            "github_pat_",
            "glsa_",
            "lsv2_",
            "sb_secret_",
            "pscale_",
            "figd_",
            "dckr_",
            "duffel_",
            "shippo_",
            "rzp_",
            "nfp_",
            "e2b_",
        ],
        pattern: word!(
            r"(?P<v>(?:gh[opur]_|github_pat_|glsa_|lsv2_(?:pt|sk)_|sb_secret_|pscale_(?:tkn|pw|oauth)_|figd_|dckr_(?:pat|oat)_|duffel_(?:test|live)_|shippo_(?:test|live)_|rzp_(?:test|live)_|nfp_|e2b_)(?P<t>[A-Za-z0-9_-]{16,}))"
        ),
        any_case: false,
        check: Check::Mixed,
    },
    Rule {
        triggers: &["ghs_"],
        pattern: word!(r"(?P<v>ghs_(?P<t>[A-Za-z0-9_.-]{15,}[A-Za-z0-9_-]))"),
        any_case: false,
        check: Check::Mixed,
    },
    Rule {
        triggers: &[
            "npm_",
            "hf_",
            "api_org_",
            "gsk_",
            "ntn_",
            "dop_v1_",
            "doo_v1_",
            "dor_v1_",
            "shpat_",
            "shpca_",
            "shppa_",
            "shpss_",
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
            "tfp_",
            "bkua_",
            "key_live_",
            "cfut_",
            "fw_",
            "napi_",
            "lip_",
            "secret_",
            "whsec_",
            "glc_",
            "fm1_",
            "fm2_",
            "fo1_",
            "atatt3",
            "atctt3",
            "absk",
            "ops_eyj",
            "vcp_",
            "wandb_v1_",
            "sntry",
        ],
        pattern: word!(
            r"(?P<v>(?:npm_|hf_|api_org_|gsk_|ntn_|do[por]_v1_|shp(?:at|ca|pa|ss)_|lin_(?:api|oauth)_|sbp_|r8_|rubygems_|ph[csx]_|sgp_|jina_|tfp_|bkua_|key_live_|cfut_|fw_|napi_|lip_|secret_(?:[A-Za-z0-9]{16})|vcp_|wandb_v1_)(?P<t>[A-Za-z0-9]{16,})|(?:whsec_|glc_|fm[12]_|fo1_|ATATT3|ATCTT3|ABSK|ops_eyJ|sntry[su]_)(?:[A-Za-z0-9_+/=-]{16,}))"
        ),
        any_case: false,
        check: Check::Mixed,
    },
    Rule {
        triggers: &[
            "sk-",
            "xai-",
            "pplx-",
            "gocspx-",
            "nvapi-",
            "tvly-",
            "pypi-",
            "pmak-",
            "nrak-",
            "nraa-",
            "sq0",
            "cfpat-",
            "xkeysib-",
            "xsmtpsib-",
            "pul-",
            "pat-na",
            "pat-eu",
            "csk-",
            "sess-",
            "fc-",
            "dapi",
            "apify_api_",
        ],
        pattern: word!(
            r"(?P<v>(?:sk-|xai-|pplx-|GOCSPX-|nvapi-|tvly-|pypi-|PMAK-|NRA[AK]-|sq0[a-z]{3}-|CFPAT-|xkeysib-|xsmtpsib-|pul-|pat-(?:na|eu)[0-9]-|csk-|sess-|fc-|dapi|apify_api_)(?P<t>[A-Za-z0-9_-]{16,}))"
        ),
        any_case: false,
        check: Check::Mixed,
    },
    Rule {
        triggers: &[
            "glpat-", "gldt-", "glrt-", "glrtr-", "glcbt-", "glptt-", "glft-", "glsoat-", "glimt-",
            "glagent-", "gloas-", "glffct-", "glwt-",
        ],
        pattern: word!(
            r"(?P<v>gl(?:pat|dt|rtr?|cbt|ptt|ft|soat|imt|agent|oas|ffct|wt)-(?P<t>[A-Za-z0-9_.-]{15,}[A-Za-z0-9_-]))"
        ),
        any_case: false,
        check: Check::Mixed,
    },
    Rule {
        triggers: &["hvs.", "hvb.", "hvr.", "sg.", "dp.", "ya29.", "pk.eyj", "sk.eyj", "atlasv1."],
        pattern: word!(
            r"(?P<v>(?:hv[sbr]\.|SG\.|dp\.(?:pt|st|ct|sa|scim|audit)\.|ya29\.|[ps]k\.eyJ|(?:[A-Za-z0-9]{14}\.)?atlasv1\.)(?P<t>[A-Za-z0-9_.-]{15,}[A-Za-z0-9_-]))"
        ),
        any_case: false,
        check: Check::Mixed,
    },
    // Fixed shapes.
    Rule {
        triggers: &["_live_", "_test_", "_prod_"],
        pattern: word!(r"(?P<v>(?:sk|rk|pk)_(?:live|test|prod)_[A-Za-z0-9]{10,})"),
        any_case: false,
        check: Check::Always,
    },
    Rule {
        triggers: &["xox", "xapp-"],
        pattern: word!(r"(?P<v>(?:xoxe\.)?(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,})"),
        any_case: false,
        check: Check::Always,
    },
    Rule {
        triggers: &["aiza"],
        pattern: word!(r"(?P<v>AIza[A-Za-z0-9_-]{16,})"),
        any_case: false,
        check: Check::Always,
    },
    Rule {
        triggers: &["akia", "asia", "abia", "acca"],
        pattern: word!(r"(?P<v>(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16,})"),
        any_case: false,
        check: Check::Always,
    },
    Rule {
        triggers: &["age-secret-key-1"],
        pattern: r"(?P<v>AGE-SECRET-KEY-1[A-Z0-9]{10,})",
        any_case: true,
        check: Check::Always,
    },
    Rule {
        triggers: &["eyj"],
        pattern: word!(
            r"(?P<v>eyJ[A-Za-z0-9_-]{5,}(?:\.eyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)?|(?:\.[A-Za-z0-9_-]*){4}))"
        ),
        any_case: false,
        check: Check::Always,
    },
    Rule {
        triggers: &[":a"],
        pattern: r"(?:^|[^A-Za-z0-9]|/bot)(?P<v>[0-9]{8,10}:A[A-Za-z0-9_-]{30,})",
        any_case: false,
        check: Check::Always,
    },
    Rule {
        triggers: &[
            "sk0", "sk1", "sk2", "sk3", "sk4", "sk5", "sk6", "sk7", "sk8", "sk9", "ska", "skb",
            "skc", "skd", "ske", "skf",
        ],
        pattern: word!(r"(?P<v>SK[0-9a-fA-F]{32})(?:[^A-Za-z0-9]|$)"),
        any_case: false,
        check: Check::Always,
    },
    Rule {
        triggers: &["hooks.slack", "hooks.zapier", "webhooks/", "webhook.office"],
        pattern: r"(?:hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/|hooks\.zapier\.com/hooks/catch/|discord(?:app)?\.com/api/(?:v[0-9]+/)?webhooks/|webhook\.office\.com/webhookb2/)(?P<v>[A-Za-z0-9/_+@-]{8,})",
        any_case: true,
        check: Check::Always,
    },
    // A private key, to its END line or the end of the text: items are one line, cut at 200.
    Rule {
        triggers: &["private key"],
        pattern: r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:\\n|\\r| )*(?P<v>(?:[A-Za-z0-9+/=]{16}|[A-Za-z][A-Za-z0-9-]{2,30}: ).*?)(?: *-----END|$)",
        any_case: true,
        check: Check::Always,
    },
    // Headers.
    Rule {
        triggers: &["authorization"],
        pattern: r#"authorization["']? *[:=] *["']?(?:bearer|basic|token|apikey|digest|negotiate|key|bot) +["']?(?P<u>[^ "'`,;]{1,256})"#,
        any_case: true,
        check: Check::Assigned,
    },
    Rule {
        triggers: &["authorization"],
        pattern: concat!(r#"(?P<k>authorization)["']? *[:=] *"#, value!("", ":")),
        any_case: true,
        check: Check::Colon,
    },
    Rule {
        triggers: &["bearer ", "basic "],
        pattern: word!("(?:bearer|basic) +(?P<v>[A-Za-z0-9._~+/=-]{15,}[A-Za-z0-9_~+/=-])"),
        any_case: true,
        check: Check::Mixed,
    },
    // URLs: to the last `@` before the path; user and host stay.
    Rule {
        triggers: &["://"],
        pattern: r"[a-z][a-z0-9+.-]{0,30}://[^ :/?#@]*:(?P<v>(?:[^ /0-9]|[0-9]+[^ /0-9?#])[^ /]*)@",
        any_case: true,
        check: Check::Assigned,
    },
    Rule {
        triggers: &["://"],
        pattern: r"[a-z][a-z0-9+.-]{0,30}://[^ :/?#@]*:(?P<v>[0-9]{3,})@",
        any_case: true,
        check: Check::Always,
    },
    Rule {
        triggers: &["://"],
        pattern: r"://(?P<v>[^ :/?#@]{20,})@",
        any_case: false,
        check: Check::Mixed,
    },
    Rule {
        triggers: &[
            "sig=",
            "signature=",
            "jwt=",
            "sas=",
            "hmac=",
            "session=",
            "sid=",
            "assertion=",
            "pass=",
            "auth=",
        ],
        pattern: r#"[?&;#](?P<k>[A-Za-z0-9_.-]{0,64}(?:sig|signature|jwt|sas|hmac|session|sid|assertion|pass|auth))=(?P<v>[^ "'`,;&#<>]{1,256})"#,
        any_case: true,
        check: Check::Assigned,
    },
    Rule {
        triggers: &["key=", "code="],
        pattern: r#"[?&;#](?:key|code)=(?P<v>[^ "'`,;&#<>]{16,})"#,
        any_case: true,
        check: Check::Mixed,
    },
    // Command lines.
    Rule {
        triggers: &["--"],
        pattern: concat!(
            r"--[a-z0-9-]{0,64}(?:passw(?:or)?d|passphrase|pass|token|secret|credentials?|(?:api|access|private|auth|account|secret|signing|encryption)-?key) +",
            value!("", "")
        ),
        any_case: true,
        check: Check::Colon,
    },
    Rule {
        triggers: &["curl", "wget", "http", "xh"],
        pattern: r#"(?:curl|wget|https?|xh)[^|;]*? (?:-u|-a|--user|--auth|--proxy-user)[ =]?["']?[^ :"']*:(?P<u>[^ "'`]{1,256})"#,
        any_case: true,
        check: Check::Assigned,
    },
    Rule {
        triggers: &["sshpass", "redis-cli"],
        pattern: r#"(?:sshpass +-p|redis-cli[^|;]*? -a) *["']?(?P<u>[^ "'`]{1,256})"#,
        any_case: true,
        check: Check::Assigned,
    },
    Rule {
        triggers: &["mysql", "mariadb"],
        pattern: r#"(?:mysql|mysqldump|mysqladmin|mariadb)[^|;]*? -p["']?(?P<u>[^ "'`]{1,256})"#,
        any_case: false,
        check: Check::Colon,
    },
    // Assignments.
    Rule {
        triggers: KEYS,
        pattern: concat!(key!(r#"["'`\\\]]{0,3} *:?= *"#), value!("=>~", "")),
        any_case: true,
        check: Check::Assigned,
    },
    Rule {
        triggers: KEYS,
        pattern: concat!(key!(r#"["'`\\\]]{0,3} *(?::|=>) *"#), value!(":", ":")),
        any_case: true,
        check: Check::Colon,
    },
];

/// All triggers, each with the index of its rule.
struct Triggers {
    automaton: Option<AhoCorasick>,
    rules: Vec<usize>,
}

static TRIGGERS: LazyLock<Triggers> = LazyLock::new(|| {
    let all = RULES.iter().enumerate();
    let pairs: Vec<(usize, &str)> =
        all.flat_map(|(rule, row)| row.triggers.iter().map(move |text| (rule, *text))).collect();
    let automaton = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::Standard)
        .build(pairs.iter().map(|(_, text)| *text))
        .ok();
    Triggers { automaton, rules: pairs.into_iter().map(|(rule, _)| rule).collect() }
});

/// The patterns, each compiled when its first trigger is seen.
static PATTERNS: [OnceLock<Option<Regex>>; RULES.len()] = [const { OnceLock::new() }; RULES.len()];

/// What the rules find, in no order.
pub(super) fn find(shadow: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (index, rule) in triggered(shadow) {
        let compiled =
            PATTERNS.get(index).and_then(|cell| cell.get_or_init(|| compile(rule).ok()).as_ref());
        // A test compiles every row, so a pattern is always there.
        if let Some(pattern) = compiled {
            run(rule, pattern, shadow, &mut found);
        }
    }
    found
}

fn compile(rule: &Rule) -> Result<Regex, regex::Error> {
    RegexBuilder::new(rule.pattern).unicode(false).case_insensitive(rule.any_case).build()
}

fn triggered(shadow: &[u8]) -> impl Iterator<Item = (usize, &'static Rule)> {
    let mut fired = [false; RULES.len()];
    if let Some(automaton) = &TRIGGERS.automaton {
        for found in automaton.find_overlapping_iter(shadow) {
            let rule = TRIGGERS.rules.get(found.pattern().as_usize());
            if let Some(fired) = rule.and_then(|rule| fired.get_mut(*rule)) {
                *fired = true;
            }
        }
    }
    RULES.iter().enumerate().filter(move |(index, _)| fired.get(*index) == Some(&true))
}

/// Runs one rule over the whole text. After a value it goes on behind it; a value that fails its
/// check is searched itself, for it may hold the key of the next one.
fn run(rule: &Rule, pattern: &Regex, shadow: &[u8], found: &mut Vec<Range<usize>>) {
    let mut at = 0;
    while let Some(captures) = pattern.captures_at(shadow, at) {
        let Some((matched, exact)) = value_of(&captures) else { return };
        let value = if exact {
            matched.clone()
        } else {
            let end = value::end(shadow, matched.start, value::MAX_CHECKED);
            value::trim(shadow, matched.start..end)
        };
        let checked = captures.name("t").map_or(value.clone(), |part| part.range());
        let key = captures.name("k").map_or(&b""[..], |key| key.as_bytes());
        let passes = shadow.get(checked).is_some_and(|checked| rule.check.passes(key, checked));
        if passes {
            let value = if exact {
                value
            } else {
                let end = value::end(shadow, matched.start, shadow.len());
                value::trim(shadow, matched.start..end)
            };
            at = value.end.max(at + 1);
            found.push(value);
        } else if captures.name("v").is_some() {
            at = matched.end.max(at + 1);
        } else {
            at = matched.start.max(at + 1);
        }
    }
}

/// The captured value, and whether its end is exact: in quotes, or known to the pattern.
fn value_of(captures: &Captures<'_>) -> Option<(Range<usize>, bool)> {
    let exact = ["v", "q1", "q2", "q3"].iter().find_map(|name| captures.name(name));
    exact
        .map(|value| (value.range(), true))
        .or_else(|| captures.name("u").map(|value| (value.range(), false)))
}

#[cfg(test)]
mod tests {
    use super::{RULES, compile};

    #[test]
    fn every_pattern_compiles_and_captures_a_value() {
        for rule in RULES {
            let pattern = compile(rule).expect(rule.pattern);
            let names: Vec<&str> = pattern.capture_names().flatten().collect();
            assert!(names.contains(&"v") || names.contains(&"u"), "{}", rule.pattern);
            assert!(
                rule.triggers.iter().all(|t| *t == t.to_ascii_lowercase()),
                "{:?}",
                rule.triggers
            );
        }
    }
}
