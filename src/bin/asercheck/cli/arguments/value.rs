//! Parsers for values of arguments; their messages give an example.

use bytesize::ByteSize;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::time::Duration;

/// Whether a text is a number without a unit. `2` could mean bytes or gigabytes, seconds or minutes: durations and
/// sizes need units. Only zero is the same in all of them.
fn lacks_unit(text: &str) -> bool {
    text.trim().parse::<f64>().is_ok_and(|number| number != 0.0)
}

/// Parses a duration such as `200s` or `1m 30s`.
pub(super) fn duration(text: &str) -> Result<Duration, &'static str> {
    if lacks_unit(text) {
        return Err("a duration needs a unit, for example 200s or 5m");
    }
    humantime::parse_duration(text).map_err(|_| "a duration with its unit is expected, for example 200s or 5m")
}

/// Parses a size such as `2GiB`.
pub(super) fn size(text: &str) -> Result<ByteSize, &'static str> {
    if lacks_unit(text) {
        return Err("a size needs a unit, for example 500MiB or 2GiB");
    }
    text.parse().map_err(|_: String| "a size with its unit is expected, for example 500MiB or 2GiB")
}

/// Parses a number from 1 on.
pub(super) fn count(text: &str) -> Result<NonZeroUsize, &'static str> {
    text.parse().map_err(|_| "a number from 1 on is expected")
}

/// Parses the number of a pattern, or a range of them such as `1-5`.
pub(super) fn pattern_range(text: &str) -> Result<RangeInclusive<u8>, &'static str> {
    let number = |text: &str| text.trim().parse().ok().filter(|number| (1..=14).contains(number));
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let range = number(first).zip(number(last)).filter(|(first, last)| first <= last);
    let (first, last) = range.ok_or("a number from 1 to 14 or a range of them is expected, for example 12 or 1-5")?;
    Ok(first..=last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_sizes_need_units() {
        assert_eq!(duration("5m 1s"), Ok(Duration::from_secs(301)));
        assert_eq!(duration("0"), Ok(Duration::ZERO));
        assert_eq!(size("2GiB"), Ok(ByteSize::gib(2)));
        assert_eq!(size("512b"), Ok(ByteSize::b(512)));
        for bare in ["5", "2.5", " 7 "] {
            assert_eq!(duration(bare), Err("a duration needs a unit, for example 200s or 5m"));
            assert_eq!(size(bare), Err("a size needs a unit, for example 500MiB or 2GiB"));
        }
        assert!(duration("soon").is_err() && size("much").is_err());
    }
}
