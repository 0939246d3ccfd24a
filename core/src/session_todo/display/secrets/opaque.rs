//! Credentials without any mark but their randomness.

use std::ops::Range;

/// The shortest run that is taken for a credential by its look alone.
const MIN_LENGTH: usize = 40;

/// The length of a content identifier of IPFS, which starts with `Qm`.
const CONTENT_ID: usize = 46;

/// Runs of at least 40 `[A-Za-z0-9+_=-]` that mix letter cases and digits as only chance does.
/// Never hexadecimal alone: commit ids, UUIDs and digests are ordinary in a list.
pub(super) fn find(shadow: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for (end, byte) in shadow.iter().copied().chain([b' ']).enumerate() {
        if is_opaque_byte(byte) {
            continue;
        }
        let before = shadow.get(..start).unwrap_or_default();
        // A piece of a path, and the contents of a data URL.
        let is_part = before.ends_with(b"/") || before.ends_with(b";base64,");
        if end - start >= MIN_LENGTH && !is_part && shadow.get(start..end).is_some_and(looks_random)
        {
            found.push(start..end);
        }
        start = end + 1;
    }
    found
}

const fn is_opaque_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'_' | b'=' | b'-')
}

/// At least three of each class, and a change of class at 45 % of the places: names in camel case
/// change less often. Digests in SRI form and SSH public keys are no credentials.
fn looks_random(run: &[u8]) -> bool {
    let public = run.starts_with(b"AAAA")
        || (run.starts_with(b"Qm") && run.len() == CONTENT_ID)
        || (run.starts_with(b"sha")
            && run.iter().skip(3).find(|b| !b.is_ascii_digit()) == Some(&b'-'));
    let count = |class: fn(&u8) -> bool| run.iter().filter(|b| class(b)).count();
    let changes = run.windows(2).filter(|pair| pair.first().map(class) != pair.last().map(class));
    !public
        && count(u8::is_ascii_uppercase) >= 3
        && count(u8::is_ascii_lowercase) >= 3
        && count(u8::is_ascii_digit) >= 3
        && changes.count() * 100 >= run.len() * 45
}

const fn class(byte: &u8) -> u8 {
    match byte {
        b'A'..=b'Z' => 0,
        b'a'..=b'z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn only_random_runs_are_found() {
        let random = "aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW3xY5zA7bC9dE2fG";
        let found = find(format!("x {random} y").as_bytes());
        assert_eq!(found.first(), Some(&(2..2 + random.len())));
        for ordinary in [
            "687f0be3bfa9cdd762aed88c9e7e70876686055d",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "getUserProfileByIdAndTenantV2HandlerFactoryBean1234",
            &format!("/{random}"),
            &format!("sha512-{random}"),
            &format!("AAAA{random}"),
            &format!("Qm{random}"),
            &format!("data:image/png;base64,{random}"),
            "aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW3",
        ] {
            assert!(find(ordinary.as_bytes()).is_empty(), "{ordinary}");
        }
    }
}
