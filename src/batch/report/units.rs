//! Quantities as people read them.

/// Seconds with three digits that count, or as many as there are before the point.
pub(super) fn seconds(seconds: f64) -> String {
    if seconds == 0.0 {
        return "0".to_string();
    }
    let magnitude = seconds.abs().log10().floor() as i32;
    let decimals = usize::try_from(2 - magnitude).unwrap_or(0).min(6);
    grouped(&format!("{seconds:.decimals$}"))
}

/// Bytes in mebibytes.
pub(super) fn mebibytes(bytes: u64) -> String {
    grouped(&format!("{:.1}", bytes as f64 / f64::from(1 << 20)))
}

/// A number with commas between each three digits before the point.
pub(super) fn grouped(number: &str) -> String {
    let (whole, rest) = number.find('.').map_or((number, ""), |point| number.split_at(point));
    let mut text = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + rest
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
