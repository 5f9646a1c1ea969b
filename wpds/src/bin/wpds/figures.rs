//! The measurements of a run of the command.

use crate::memory::peak_kib;
use std::fmt::Display;
use std::io::{self, Write};
use std::time::Duration;

/// The measurements.
pub(crate) struct Figures {
    pub(crate) rules: usize,
    pub(crate) transitions: usize,
    pub(crate) reading: Duration,
    pub(crate) saturation: Duration,
}

impl Figures {
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut line = |name: &str, value: &dyn Display| writeln!(out, "{name:<20} {value}");
        line("rules", &self.rules)?;
        line("transitions", &self.transitions)?;
        line("reading, s", &format!("{:.3}", self.reading.as_secs_f64()))?;
        line("saturation, s", &format!("{:.3}", self.saturation.as_secs_f64()))?;
        peak_kib().map_or(Ok(()), |peak| line("peak memory, MiB", &format!("{:.1}", peak as f64 / 1024.0)))
    }
}
