//! Values that a key, a URL, a header or an option names as a credential.

use maka_core::session_todo::display::project;

use crate::projection_invariants::assert_invariants;

const KEYS: [&str; 44] = [
    "PASSWORD",
    "DB_PASSWORD",
    "PGPASSWORD",
    "MYSQL_PWD",
    "REDIS_PASS",
    "SMTP_PASS",
    "pass",
    "SECRET",
    "CLIENT_SECRET",
    "SECRET_KEY",
    "SECRET_KEY_BASE",
    "API_KEY",
    "apikey",
    "x-api-key",
    "OPENAI_API_KEY",
    "ACCESS_KEY",
    "PRIVATE_KEY",
    "AUTH_TOKEN",
    "GITHUB_TOKEN",
    "_authToken",
    "ENCRYPTION_KEY",
    "SIGNING_KEY",
    "MASTER_KEY",
    "SSH_KEY",
    "AccountKey",
    "SharedAccessKey",
    "SharedAccessSignature",
    "credentials",
    "CREDENTIAL",
    "passphrase",
    "userPassword",
    "password2",
    "TOKEN1",
    "spring.datasource.password",
    "consumer_secret",
    "adminPwd",
    "private_token",
    "access-token",
    "passcode",
    "db.pass",
    "rootpw",
    "kms_key",
    "accessToken",
    "idToken",
];

fn assert_masked(text: &str, secret: &str, kept: &[&str]) {
    let shown = project(text);
    assert!(!shown.contains(secret) && shown.contains("[redacted]"), "{text} -> {shown}");
    assert!(kept.iter().all(|part| shown.contains(part)), "{text} -> {shown}");
    assert_invariants(text);
}

#[test]
fn every_key_is_read_in_every_notation() {
    for key in KEYS {
        for (text, secret) in [
            (format!("export {key}=tulip-and-rose now"), "tulip"),
            (format!("{key} = 'tulip rose' now"), "rose"),
            (format!("{key}=\"tulip\", now"), "tulip"),
            (format!("{key}:=tulip now"), "tulip"),
            (format!("{key} ||= 'tulip' now"), "tulip"),
            (format!("{key}: tulip12 now"), "tulip12"),
            (format!("{{\"{key}\":\"tulip\"}} now"), "tulip"),
            (format!("'{key}': 'tulip rose' now"), "rose"),
            (format!(r#"\"{key}\": \"tulip\" now"#), "tulip"),
            (format!("{key} => 'tulip12' now"), "tulip12"),
            (format!("config[\"{key}\"] = \"tulip\" now"), "tulip"),
            (format!("let {key}: &str = \"tulip\"; now"), "tulip"),
            (format!("if {key} == \"tulip\" now"), "tulip"),
            (format!("<{key}>tulip12</{key}> now"), "tulip12"),
            (format!("name: {key} value: tulip12 now"), "tulip12"),
            (format!("运行 {key}＝tulip，now"), "tulip"),
            (format!("（{key}=tulip）然后 now"), "tulip"),
            (format!("{key}：「tulip12」を now"), "tulip12"),
        ] {
            assert_masked(&text, secret, &[key, "now"]);
        }
    }
}

#[test]
fn a_cut_or_nested_value_is_masked_to_its_end() {
    for (text, secret) in [
        ("password='tulip and rose", "rose"),
        ("password='it\\'s tulip' now", "tulip"),
        ("password=\"tu'lip\" now", "lip"),
        ("password=b\"tulip\" now", "tulip"),
        ("secret: |\n  tulip12 now", "tulip12"),
        ("password=a&tulip now", "tulip"),
        ("token=[redacted]tulip now", "tulip"),
        ("password=tu<session-todo>lip now", "lip"),
        ("password=<system-reminder>tulip now", "tulip"),
        ("token=Bearer tulip now", "tulip"),
        ("password=tu(1)lip now", "lip"),
        ("password=$tulip-rose now", "rose"),
        ("API key: tulip12 now", "tulip12"),
        ("a=1; token=x1y2z3; secret=tulip now", "tulip"),
    ] {
        assert_masked(text, secret, &[]);
    }
}

#[test]
fn urls_lose_their_password_and_keep_the_rest() {
    for scheme in [
        "postgres",
        "mysql",
        "rediss",
        "mongodb+srv",
        "amqp",
        "https",
        "ftp",
        "ssh",
        "smtp",
        "ldap",
        "jdbc:postgresql",
        "socks5",
        "git+https",
    ] {
        for password in ["tulip1", "tu:lip", "tu@lip", "tu/lip", "tu?lip", "%40tulip", "tu,lip"] {
            let text = format!("use {scheme}://app:{password}@db.internal:5432/app now");
            assert_masked(&text, password, &["use ", "://app:", "@db.internal:5432/app now"]);
        }
    }
    let token = "tok3ntok3ntok3ntok3n";
    for user in [format!("{token}@"), format!("{token}:@"), format!("{token}:x-oauth-basic@")] {
        let text = format!("clone https://{user}git.example.com/r.git now");
        assert_masked(&text, token, &["git.example.com/r.git now"]);
    }
}

#[test]
fn queries_lose_their_credentials_and_keep_the_rest() {
    for key in [
        "api_key",
        "key",
        "token",
        "access_token",
        "client_secret",
        "password",
        "sig",
        "signature",
        "X-Amz-Signature",
        "X-Amz-Credential",
        "X-Amz-Security-Token",
        "X-Goog-Signature",
        "hmac",
        "AWSAccessKeyId",
        "jwt",
        "sas",
        "code",
        "subscription-key",
        "SAMLResponse",
        "session",
    ] {
        for mark in ['?', '&', '#'] {
            let text =
                format!("open https://x.test/cb?a=1{mark}{key}=EXAMPLE2EXAMPLE2x&state=ok z");
            assert_masked(&text, "EXAMPLE2", &["https://x.test/cb?a=1", key, "&state=ok z"]);
        }
    }
}

#[test]
fn headers_lose_their_credentials_and_keep_the_rest() {
    for scheme in ["Bearer", "Basic", "Token", "ApiKey", "Bot", "SSWS", "DPoP", "NTLM", "JWT"] {
        for (text, kept) in [
            (format!("curl -H 'Authorization: {scheme} tulip12' x.test"), "x.test"),
            (format!("Authorization: {scheme} tulip12 fails"), " fails"),
            (format!("{{\"Authorization\": \"{scheme} tulip12\"}}"), "}"),
            (format!("Proxy-Authorization={scheme} tulip12 fails"), " fails"),
        ] {
            assert_masked(&text, "tulip12", &[scheme, kept]);
        }
    }
    for (text, secret, kept) in [
        ("Authorization: Digest username=\"u\", response=\"6629fa\" x", "6629fa", " x"),
        ("Authorization: AWS4-HMAC-SHA256 Credential=A/b, Signature=fe5f80 x", "fe5f80", " x"),
        ("Cookie: session=tulip12; theme=dark", "tulip12", "theme=dark"),
        ("Set-Cookie: sid=tulip12; Path=/", "tulip12", "Path=/"),
        ("send Bearer 0123456789abcdef ok", "0123456789abcdef", " ok"),
        ("send basic dXNlcjpwYXNzd29yZA== ok", "dXNlcjpw", " ok"),
    ] {
        assert_masked(text, secret, &[kept]);
    }
}

#[test]
fn command_lines_lose_their_credentials_and_keep_the_rest() {
    for command in [
        "tool --token tulip12",
        "tool --api-key=tulip",
        "tool --db_password 'tulip rose'",
        "tool -password tulip12",
        "curl -u admin:tulip",
        "curl -sS -u 'admin:tulip'",
        "curl -uadmin:tulip",
        "curl --user=admin:tulip",
        "wget --http-password=tulip",
        "http -a admin:tulip",
        "mysql -u root -ptulip12",
        "sshpass -p tulip ssh h",
        "sshpass -ptulip ssh h",
        "docker login -u me -p tulip12",
        "redis-cli -a tulip12",
        "openssl enc -pass pass:tulip",
        "unzip -P tulip a.zip",
        "ldapsearch -w tulip -H h",
        "npm config set //r/:_authToken tulip12",
        "app -DapiKey=tulip",
        "docker run -e TOKEN=tulip",
        "psql 'host=h password=tulip dbname=d'",
        "setx API_KEY tulip12",
    ] {
        assert_masked(&format!("run {command} then https://x.test"), "tulip", &["https://x.test"]);
    }
}
