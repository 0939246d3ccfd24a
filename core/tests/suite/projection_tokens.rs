//! Tokens that identify themselves, in the company that they keep.

use maka_core::session_todo::display::project;

use crate::projection_invariants::assert_invariants;

const RANDOM: &str = "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9";
const HEX: &str = "0123456789abcdef0123456789abcdef";

/// Prefixes of random tails.
const PREFIXES: &[&str] = &[
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "npm_",
    "hf_",
    "gsk_",
    "ntn_",
    "secret_",
    "lin_api_",
    "r8_",
    "fw_",
    "pnu_",
    "whsec_",
    "glpat-",
    "gldt-",
    "glrt-",
    "glcbt-",
    "GR1348941",
    "sk-",
    "sk-proj-",
    "sk-ant-api03-",
    "sk-or-v1-",
    "xai-",
    "pplx-",
    "nvapi-",
    "tvly-",
    "pypi-",
    "GOCSPX-",
    "1//0",
    "ya29.",
    "hvs.",
    "hvb.",
    "SG.",
    "dp.pt.",
    "sk_live_",
    "rk_test_",
    "pk_live_",
    "xoxb-",
    "xoxe.xoxp-1-",
    "xapp-1-",
    "AIza",
    "figd_",
    "dckr_pat_",
    "glsa_",
    "glc_",
    "ATATT3",
    "ATBB",
    "sq0csp-",
    "NRAK-",
    "tskey-auth-",
    "sb_secret_",
    "pscale_tkn_",
    "tfp_",
    "re_",
    "fm2_",
    "fo1_",
    "AKCp",
    "LTAI",
    "sntrys_",
    "CCIPAT_",
    "EAACEdEose0cBA",
    "sha256~",
    "dnkey=",
];
/// Prefixes of hexadecimal tails.
const HEX_PREFIXES: &[&str] =
    &["dop_v1_", "shpat_", "shpua_", "rubygems_", "dapi", "pul-", "key-", "SK", "AC"];

/// Whole tokens. They are put together here only, so that scanners of repositories stay quiet.
fn tokens() -> Vec<String> {
    let random = PREFIXES.iter().map(|prefix| format!("{prefix}{RANDOM}"));
    let hex = HEX_PREFIXES.iter().map(|prefix| format!("{prefix}{HEX}"));
    random.chain(hex).chain(shaped()).collect()
}

fn shaped() -> [String; 12] {
    [
        format!("{}IOSFODNN7EXAMPLE", "AKIA"),
        format!("{}IOSFODNN7EXAMPLE", "ABIA"),
        format!("{HEX}-us12"),
        format!("pat{}.{HEX}{HEX}", "ABCdef12345678"),
        format!("abc8Q~{}", "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9StUvW"),
        format!("v1.0-{}-{HEX}", "0123456789abcdef01234567"),
        format!("{}Tk4.GabcDE.{RANDOM}{RANDOM}", "MTAxNDU2Nzg5MDEyMzQ1Njc"),
        format!("123456789:A{RANDOM}{RANDOM}"),
        format!("{}hbGciOiJub25lIn0.eyJzdWIiOiJFIn0.{RANDOM}", "eyJ"),
        format!("{}hbGciOiJub25lIn0.eyJzdWIiOiJFWEFNUExFIn0", "eyJ"),
        format!("{}hbGciOiJkaXIifQ..{RANDOM}.{RANDOM}.{RANDOM}", "eyJ"),
        "aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW3xY5zA7bC9dE2fG".to_owned(),
    ]
}

fn assert_masked(text: &str, token: &str, kept: &[&str]) {
    let shown = project(text);
    let tail: String = token.chars().skip(token.chars().count() - 6).collect();
    assert!(!shown.contains(&tail), "{text} -> {shown}");
    assert!(kept.iter().all(|part| shown.contains(part)), "{text} -> {shown}");
    assert_invariants(text);
}

#[test]
fn tokens_are_masked_whatever_stands_beside_them() {
    for token in tokens() {
        assert_masked(&format!("rotate {token} today"), &token, &["rotate ", " today"]);
        assert_masked(&format!("密钥{token}已泄露"), &token, &["密钥", "已泄露"]);
        assert_masked(&format!("({token})."), &token, &[]);
        assert_masked(&format!("\"{token}\", next"), &token, &[", next"]);
        assert_masked(&format!(r"log=\n{token}"), &token, &[]);
        assert_masked(&format!("🔑{token}🔑"), &token, &["🔑"]);
    }
}

#[test]
fn invisible_characters_and_look_alikes_hide_no_token() {
    let hidden = [
        "\u{200b}",
        "\u{200c}",
        "\u{200d}",
        "\u{2060}",
        "\u{feff}",
        "\u{ad}",
        "\u{34f}",
        "\u{61c}",
        "\u{180e}",
        "\u{202e}",
        "\u{2066}",
        "\u{206a}",
        "\u{3164}",
        "\u{1160}",
        "\u{ffa0}",
        "\u{17b4}",
        "\0",
        "\u{7}",
        "\u{7f}",
        "\u{1b}[31m",
        "\u{9b}1m",
        "\u{fe01}",
        "\u{fe0f}",
        "\u{e0041}",
        "\u{e0100}",
        "\u{fff9}",
        "\u{1d173}",
        "\u{1bca0}",
        "\u{180b}",
        "\u{70f}",
    ];
    let token = format!("ghp_{RANDOM}{RANDOM}");
    for cut in hidden {
        for at in [2, 4, 12] {
            let (head, tail) = token.split_at(at);
            assert_masked(&format!("x {head}{cut}{tail} y"), &token, &["x ", " y"]);
        }
    }
    let wide: String =
        token.chars().filter_map(|c| char::from_u32(u32::from(c) + 0xfee0)).collect();
    assert_masked(&format!("x {wide} y"), &wide, &["x ", " y"]);
    assert_masked(&format!("x sk–{RANDOM}"), RANDOM, &[]);
}

#[test]
fn private_keys_are_masked_to_their_end() {
    let body = "MIIEexampleEXAMPLE0000EXAMPLE0000EXAMPLE0000";
    for name in ["RSA PRIVATE KEY", "EC PRIVATE KEY", "PRIVATE KEY", "PGP PRIVATE KEY BLOCK"] {
        for text in [
            format!("a -----BEGIN {name}----- {body} -----END {name}----- b"),
            format!("a -----BEGIN {name}-----\n{body}\n{body}\n-----END {name}-----\nb"),
            format!(r"a -----BEGIN {name}-----\n{body}\n-----END {name}-----\n b"),
            format!("a ---- BEGIN {name} ---- {body} ---- END {name} ---- b"),
        ] {
            assert_masked(&text, body, &["a ", " b"]);
        }
        assert_masked(&format!("a -----BEGIN {name}-----{body}"), body, &["a "]);
        assert_masked(&format!("{body} -----END {name}----- b"), body, &[" b"]);
    }
}

#[test]
fn webhooks_are_masked_behind_their_host() {
    for (host, path) in [
        ("hooks.slack.com/services/", "T0EXAMPLE/B0EXAMPLE/EXAMPLE1234LE1234AA"),
        ("hooks.slack.com/triggers/", "T0EXAMPLE/123/EXAMPLE1234LE1234AA"),
        ("canary.discord.com/api/v10/webhooks/", "123456789012345678/EXAMPLE1234LE1234AA"),
        ("contoso.webhook.office.com/webhookb2/", "0a@0b/IncomingWebhook/LE1234AA/0c"),
        ("hooks.zapier.com/hooks/catch/", "123456/exampleLE1234AA/"),
        ("maker.ifttt.com/trigger/x/with/key/", "EXAMPLE1234LE1234AA"),
        ("open.feishu.cn/open-apis/bot/v2/hook/", "01890a5d-ac96-774b-bcce-b302099a8057"),
        ("hook.eu1.make.com/", "exampleexample1234exampleLE1234AA"),
        ("chat.example.com/hooks/", "exampleLE1234AAexample1234"),
    ] {
        let text = format!("post to https://{host}{path} daily");
        assert_masked(&text, path, &["post to https://", " daily"]);
    }
}
