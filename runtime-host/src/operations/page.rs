//! Pages: their bounds, and how a page is kept within one frame.

use std::future::Future;

use maka_core::{PageRequest, StoreError};
use maka_host_protocol::{ErrorBody, MAX_FRAME_BYTES};
use serde::Serialize;
use serde_json::value::RawValue;

use super::input;
use crate::errors::{Failure, invalid_request};

/// Entries of a page that asks for no number.
const DEFAULT_LIMIT: u32 = 100;
/// The most entries of a page.
const MAX_LIMIT: u32 = 500;
/// Bytes of a frame that its envelope may take: a request id of 128 escaped bytes and the names.
const ENVELOPE_BYTES: usize = 2_048;

/// Reads one page and writes it. A page over the frame is read again with half the entries; its
/// cursor then stands where the shorter page ends. `most` bounds what is read at once.
pub(crate) async fn fitting<R, F>(
    page: PageRequest,
    most: u32,
    read: impl Fn(PageRequest) -> F,
) -> Result<Box<RawValue>, Failure>
where
    R: Serialize,
    F: Future<Output = Result<R, StoreError>>,
{
    let mut limit = checked(page.limit)?.min(most);
    loop {
        let cursor = page.cursor.clone();
        let result = read(PageRequest { cursor, limit: Some(limit) }).await?;
        let written = input::written(&result)?;
        if limit == 1 || written.get().len() <= MAX_FRAME_BYTES - ENVELOPE_BYTES {
            return Ok(written);
        }
        limit /= 2;
    }
}

fn checked(limit: Option<u32>) -> Result<u32, ErrorBody> {
    match limit.unwrap_or(DEFAULT_LIMIT) {
        limit @ 1..=MAX_LIMIT => Ok(limit),
        _ => Err(invalid_request(format!("limit must be 1 to {MAX_LIMIT}"))),
    }
}

#[cfg(test)]
mod tests {
    use maka_core::PageRequest;
    use maka_host_protocol::{ErrorCode, MAX_FRAME_BYTES};

    use super::fitting;
    use crate::errors::Failure;

    fn page(limit: Option<u32>) -> PageRequest {
        PageRequest { cursor: None, limit }
    }

    #[tokio::test]
    async fn a_page_over_the_frame_is_halved_until_it_fits() {
        let written = fitting(page(Some(20)), 500, |page| async move {
            Ok(vec!["x".repeat(100_000); usize::try_from(page.limit.unwrap_or(0)).unwrap_or(0)])
        });
        let written = written.await.expect("fits");
        assert!(written.get().len() < MAX_FRAME_BYTES);
        let entries: Vec<String> = serde_json::from_str(written.get()).expect("a list");
        assert_eq!(entries.len(), 5);
    }

    #[tokio::test]
    async fn a_limit_out_of_bounds_is_refused() {
        for limit in [0, 501] {
            let refused =
                fitting(page(Some(limit)), 500, |page| async move { Ok(page.limit) }).await;
            let Err(Failure::Refused(body)) = refused else { panic!("{limit} must be refused") };
            assert_eq!(body.code, ErrorCode::InvalidRequest);
        }
        let default = fitting(page(None), 500, |page| async move { Ok(page.limit) }).await;
        assert_eq!(default.expect("fits").get(), "100");
    }
}
