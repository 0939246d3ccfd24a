//! More instances of the kinds of the vectors: what must be masked or defused, and what must
//! survive as it is. Credentials are spelled in pieces, so that scanners of repositories stay quiet.

use maka_core::session_todo::display::project;

use crate::projection_invariants::assert_invariants;

const R: &str = "0123456789abcdefABCDEF0123456789abcd";

#[test]
fn credentials_are_masked() {
    let random = "Ab1Cd2Ef3Gh4Ij5Kl6";
    let cases = [
        (format!("use {}{random} now", "ghr_"), random),
        (format!("use {}{random}{random}", "ntn_"), random),
        (format!("({}{random})", "glrt-"), random),
        (format!("{}{random} in CI", "pypi-"), random),
        (format!("key:{}{random}", "sk-ant-api03-"), random),
        (format!("vault {}{random}", "hvs."), random),
        (format!("x {}{random}", "ya29."), random),
        (format!("aws {}IOSFODNN7EXAMPL3", "ASIA"), "IOSFODNN7EXAMPL3"),
        (format!("bot 123456789:{}{R}", "AA"), R),
        (format!("{}{} leaked", "SK", "0123456789abcdef".repeat(2)), "0123456789abcdef"),
        (format!("https://discord.com/api/webhooks/123456/{random}{random}"), random),
        (format!("-----BEGIN OPENSSH PRIVATE KEY----- {random}{random} rest"), "rest"),
        ("-----BEGIN RSA PRIVATE KEY----- Proc-Type: 4,ENCRYPTED abc".to_owned(), "ENCRYPTED"),
        ("mysql://root:p#ss1@db/x".to_owned(), "p#ss1"),
        ("amqp://u:12345678@mq".to_owned(), "12345678"),
        ("Authorization: Token abc123def".to_owned(), "abc123def"),
        ("Proxy-Authorization: Basic dXNlcjpwYXNz".to_owned(), "dXNlcjpwYXNz"),
        ("set DATABASE_PASSWORD='a b c' now".to_owned(), "a b c"),
        (r#"{"client_secret": "abc123xyz", "id": 1}"#.to_owned(), "abc123xyz"),
        (r#"\"apiKey\":\"abc123xyz\""#.to_owned(), "abc123xyz"),
        (":api_key => 'abc123xyz'".to_owned(), "abc123xyz"),
        ("token := \"tulip\"".to_owned(), "tulip"),
        ("PGPASSWORD=tulip psql".to_owned(), "tulip"),
        ("https://x.test/p?a=1&sig=abcdef%3D&b=2".to_owned(), "abcdef"),
        ("app --api-key=tulip --verbose".to_owned(), "tulip"),
        ("app --secret abc123x".to_owned(), "abc123x"),
        ("curl --user me:tulip http://x".to_owned(), "tulip"),
        ("sshpass -p tulip ssh h".to_owned(), "tulip"),
        ("passwοrd=tulip".to_owned(), "tulip"),
        ("ｐａｓｓｗｏｒｄ＝tulip".to_owned(), "tulip"),
        ("pass\u{200b}word: tul\u{ad}ip1".to_owned(), "tulip1"),
        ("password=a&b next".to_owned(), "a&b"),
    ];
    for (input, secret) in cases {
        let output = project(&input);
        assert!(!output.contains(secret) && output.contains("[redacted]"), "{input} -> {output}");
        assert_invariants(&input);
    }
}

#[test]
fn what_a_masked_value_means_stays() {
    for (input, output) in [
        ("export DB_PASSWORD=tulip, then restart", "export DB_PASSWORD=[redacted], then restart"),
        ("curl -u me:tulip1 https://x.test", "curl -u me:[redacted] https://x.test"),
        ("(token=tulip)", "(token=[redacted])"),
        ("https://x.test/?api_key=tulip&page=2", "https://x.test/?api_key=[redacted]&page=2"),
        ("password=\"tulip\" works", "password=\"[redacted]\" works"),
    ] {
        assert_eq!(project(input), output);
    }
}

#[test]
fn ordinary_items_survive() {
    for text in [
        "implement GET /api/v2/users/{id}?include=roles",
        "fix: token bucket refills twice",
        "secret: rotate it monthly",
        "add --token flag to the CLI",
        "password: min 8 characters",
        "if (password == null) throw",
        "let token = lexer.next()",
        "const apiKey = process.env.API_KEY",
        "api_key=os.environ[\"KEY\"]",
        "set secret=${{ secrets.TOKEN }}",
        "use {{ vault_password }} in the template",
        "token=%TOKEN% on Windows",
        "private_key=~/.ssh/id_rsa",
        "access_key=/run/secrets/key.pem",
        "max_tokens: 4096",
        "primary_key: user_id",
        "docker run -p 8080:80 -u 1000:1000 image",
        "http://localhost:8080?next=a@b",
        "git clone ssh://git@github.com:22/x/y.git",
        "sk-learn-pipeline-with-grid-search",
        "task-list-component and disk-usage",
        "a <= b >= c => d -> e <- f",
        "HashMap<String, Vec<u8>>",
        "<div class=\"x\">",
        "see RFC 7519 for JWT and eyJ prefixes",
        "sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8KuxQ+bW1ZJ5pnSBp3KzOcrvv/yNq7qL2k",
        "Обновить токен доступа: проверить ошибки",
        "パスワード：変更画面を追加",
        "密码重置流程，添加测试",
        "Żółć, čaj, naïve façade",
        "န\u{103a}ုပ\u{103a} မြန်မာ",
        "བོད་ཡིག",
        "🧑🏽‍💻 pair 👩‍❤️‍💋‍👨 ✅ ⚠️ ©",
        "Fix C# build, F# pipes and 50% CPU",
        "bump 1.2.3 -> 2.0.0-rc.1",
        "uuid 01890a5d-ac96-774b-bcce-b302099a8057",
    ] {
        let nfc: String = unicode_normalization::UnicodeNormalization::nfc(text).collect();
        assert_eq!(project(text), nfc);
    }
}
