//! Values of arguments, with messages that give an example of what is expected.

use bytesize::ByteSize;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
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

/// The number of a pattern, or a range of them such as `1-5`.
pub(super) fn pattern_range(text: &str) -> Result<RangeInclusive<u8>, &'static str> {
    let number = |text: &str| text.trim().parse().ok().filter(|number| (1..=14).contains(number));
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let range = number(first).zip(number(last)).filter(|(first, last)| first <= last);
    let (first, last) = range.ok_or("a number from 1 to 14 or a range of them is expected, for example 12 or 1-5")?;
    Ok(first..=last)
}
