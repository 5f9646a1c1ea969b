//! Axes: from quantities to positions in a drawing.

/// Least value on an axis; clocks do not distinguish smaller ones.
const LEAST: f64 = 1e-6;

/// A logarithmic axis over whole decades.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogAxis {
    /// The powers of ten at the ends.
    decades: (i32, i32),
    /// The positions of the ends.
    places: (f64, f64),
    /// Returns the name of a power of ten.
    name: fn(i32) -> String,
}

impl LogAxis {
    /// Returns an axis that covers all these seconds, and at least one decade.
    pub(super) fn of_seconds(values: impl IntoIterator<Item = f64>) -> Self {
        Self::over(values, duration)
    }

    /// Returns an axis that covers all these mebibytes, and at least one decade.
    pub(super) fn of_mebibytes(values: impl IntoIterator<Item = f64>) -> Self {
        Self::over(values, size)
    }

    fn over(values: impl IntoIterator<Item = f64>, name: fn(i32) -> String) -> Self {
        let (mut least, mut most) = (f64::INFINITY, LEAST);
        for value in values {
            least = least.min(value.max(LEAST));
            most = most.max(value);
        }
        let low = least.min(most).log10().floor() as i32;
        let high = (most.log10().ceil() as i32).max(low + 1);
        Self { decades: (low, high), places: (0.0, 1.0), name }
    }

    /// Returns the same axis between other positions.
    pub(super) fn between(self, from: f64, to: f64) -> Self {
        Self { places: (from, to), ..self }
    }

    /// Returns the position of a value; values outside are drawn at the ends.
    pub(super) fn place(&self, value: f64) -> f64 {
        let ((low, high), (from, to)) = (self.decades, self.places);
        let share = (value.max(LEAST).log10() - f64::from(low)) / f64::from(high - low);
        from + share.clamp(0.0, 1.0) * (to - from)
    }

    /// Returns the powers of ten with their names.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let (low, high) = self.decades;
        (low..=high).map(|power| (self.place(10f64.powi(power)), (self.name)(power))).collect()
    }
}

/// Names a power of ten in seconds.
fn duration(power: i32) -> String {
    let (unit, rest) = match power {
        ..-3 => ("\u{b5}s", power + 6),
        -3..0 => ("ms", power + 3),
        _ => ("s", power),
    };
    format!("{} {unit}", crate::report::in_threes(&10f64.powi(rest).to_string()))
}

/// Names a power of ten in mebibytes.
fn size(power: i32) -> String {
    format!("{} MiB", crate::report::in_threes(&10f64.powi(power).to_string()))
}

/// An axis from zero to a count.
#[derive(Clone, Copy, Debug)]
pub(super) struct CountAxis {
    most: usize,
    places: (f64, f64),
}

impl CountAxis {
    pub(super) fn new(most: usize, from: f64, to: f64) -> Self {
        Self { most: most.max(1), places: (from, to) }
    }

    pub(super) fn place(&self, count: usize) -> f64 {
        let (from, to) = self.places;
        from + (to - from) * count as f64 / self.most as f64
    }

    /// Returns at most six round numbers with their names.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        // 1, 2, 5, 10, 20, 50, ...
        let steps = (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * 10usize.pow(power)));
        let step = steps.into_iter().find(|step| self.most / step <= 5).unwrap_or(self.most);
        (0..=self.most).step_by(step).map(|count| (self.place(count), count.to_string())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decades_surround_the_values() {
        let axis = LogAxis::of_seconds([0.02, 3.0]).between(0.0, 300.0);
        let ticks: Vec<_> = axis.ticks().into_iter().map(|(place, name)| (place.round(), name)).collect();
        let wanted = [(0.0, "10 ms"), (100.0, "100 ms"), (200.0, "1 s"), (300.0, "10 s")];
        assert_eq!(ticks, wanted.map(|(place, name)| (place, name.to_string())));
        assert_eq!(axis.place(0.0), 0.0);
        assert_eq!(axis.place(1e9), 300.0);
    }

    #[test]
    fn an_axis_without_values_has_a_decade() {
        assert_eq!(LogAxis::of_mebibytes([]).ticks().len(), 2);
    }

    #[test]
    fn counts_have_round_ticks() {
        let names: Vec<_> = CountAxis::new(2147, 0.0, 1.0).ticks().into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["0", "500", "1000", "1500", "2000"]);
    }
}
