//! The input: a system with its names.

use crate::arguments::Input;
use crate::names::Names;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::time::{Duration, Instant};
use wpds::text::{self, Document};
use wpds::{Automaton, System};

/// A system, the two automata, and the names.
pub(crate) struct Loaded<W> {
    pub(crate) system: System<W>,
    pub(crate) initial: Automaton,
    pub(crate) target: Automaton,
    pub(crate) names: Names,
    /// The time of reading.
    pub(crate) reading: Duration,
}

/// Reads the file; an error is a message for the user.
pub(crate) fn load<W: Clone>(input: &Input, weight: impl Fn(u64) -> W) -> Result<Loaded<W>, String> {
    let (file, begin) = (&input.file, Instant::now());
    let document = text::read(open(file)?, weight).map_err(|error| format!("{}:{error}", file.display()))?;
    let Document { system, controls, symbols, initial, target, states } = document;
    Ok(Loaded { system, initial, target, names: Names { controls, symbols, states }, reading: begin.elapsed() })
}

fn open(file: &Path) -> Result<Box<dyn BufRead>, String> {
    if file == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    match File::open(file) {
        Ok(opened) => Ok(Box::new(BufReader::with_capacity(1 << 16, opened))),
        Err(error) => Err(format!("{}: {error}", file.display())),
    }
}
