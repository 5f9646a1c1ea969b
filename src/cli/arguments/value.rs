//! Values of arguments, with messages that give an example of what is expected.

use bytesize::ByteSize;
use std::num::NonZeroUsize;
use std::time::Duration;

/// A duration such as `200s` or `1m 30s`.
pub(super) fn duration(text: &str) -> Result<Duration, &'static str> {
    humantime::parse_duration(text).map_err(|_| "a duration with its unit is expected, for example 200s or 5m")
}

/// A size such as `2GiB`.
pub(super) fn size(text: &str) -> Result<ByteSize, &'static str> {
    text.parse().map_err(|_: String| "a size is expected, for example 500MiB or 2GiB")
}

/// A number from 1 on.
pub(super) fn count(text: &str) -> Result<NonZeroUsize, &'static str> {
    text.parse().map_err(|_| "a number from 1 on is expected")
}
