//! Formats of quantities.

use crate::report::in_threes;

/// Formats seconds with three significant digits, and all digits before the point.
pub(super) fn seconds(seconds: f64) -> String {
    if seconds == 0.0 {
        return "0".to_string();
    }
    let magnitude = seconds.abs().log10().floor() as i32;
    let decimals = usize::try_from(2 - magnitude).unwrap_or(0).min(6);
    in_threes(&format!("{seconds:.decimals$}"))
}

/// Formats bytes in mebibytes.
pub(super) fn mebibytes(bytes: u64) -> String {
    in_threes(&format!("{:.1}", bytes as f64 / f64::from(1 << 20)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_short() {
        let all = [0.0, 0.000_123_4, 0.25, 1.0, 17.728, 136_235.4].map(seconds);
        assert_eq!(all, ["0", "0.000123", "0.250", "1.00", "17.7", "136,235"]);
        assert_eq!(mebibytes(5 << 20), "5.0");
    }
}
