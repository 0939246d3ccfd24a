//! Reads the input of an operation, and writes its result.

use maka_host_protocol::ErrorBody;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::errors::{Failure, defect, invalid_request};

/// The most letters of a parser's message that an error repeats.
const MAX_DETAIL: usize = 200;

/// The input of an operation that takes none: absent or `{}`.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoInput {}

/// Reads an input; absent reads as `{}`.
pub(crate) fn read<T: DeserializeOwned>(input: Option<&RawValue>) -> Result<T, ErrorBody> {
    serde_json::from_str(input.map_or("{}", RawValue::get)).map_err(|fault| {
        let detail: String = fault.to_string().chars().take(MAX_DETAIL).collect();
        invalid_request(format!("the input does not fit the operation: {detail}"))
            .with_hint("docs/protocol.md lists the members that each operation takes")
    })
}

/// Writes a result.
pub(crate) fn written(result: &impl Serialize) -> Result<Box<RawValue>, Failure> {
    to_raw_value(result).map_err(|fault| defect("write the result", fault).into())
}
