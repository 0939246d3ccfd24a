//! Instants as text.

use maka_core::Timestamp;

/// Says an instant as RFC 3339 in UTC, to the millisecond. One outside the years -9999 to 9999
/// shows as the nearest inside.
pub(crate) fn rfc3339(instant: Timestamp) -> String {
    let millis = instant.as_millis();
    let nearest = if millis < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX };
    let instant = jiff::Timestamp::from_millisecond(millis).unwrap_or(nearest);
    format!("{instant:.3}")
}

#[cfg(test)]
mod tests {
    use maka_core::Timestamp;

    use super::rfc3339;

    #[test]
    fn an_instant_is_utc_to_the_millisecond_and_a_wild_one_is_still_text() {
        assert_eq!(rfc3339(Timestamp::from_millis(0)), "1970-01-01T00:00:00.000Z");
        assert_eq!(rfc3339(Timestamp::from_millis(1_764_547_200_042)), "2025-12-01T00:00:00.042Z");
        assert!(rfc3339(Timestamp::from_millis(i64::MAX)).starts_with("9999-"));
        assert!(rfc3339(Timestamp::from_millis(i64::MIN)).starts_with("-009999-"));
    }
}
