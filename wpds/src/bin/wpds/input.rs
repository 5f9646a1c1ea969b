//! The input: a system with its names.

use crate::arguments::{Format, Input};
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::time::{Duration, Instant};
use wpds::pdaaal;
use wpds::text::{self, Document};

/// Reads the file; returns the time that it took as well. An error is a message for the user.
pub(crate) fn load<W: Clone>(input: &Input, weight: impl Fn(u64) -> W) -> Result<(Document<W>, Duration), String> {
    let (file, begin) = (&input.file, Instant::now());
    let error = |error: &dyn Display| format!("{}:{error}", file.display());
    let default = if file.extension().is_some_and(|end| end == "json") { Format::Pdaaal } else { Format::Text };
    let mut document = match input.format.unwrap_or(default) {
        Format::Text => text::read(open(file)?, weight).map_err(|e| error(&e))?,
        Format::Pdaaal => pdaaal::read(open(file)?, weight).map_err(|e| error(&e))?,
    };
    for (name, set) in [("--initial", &input.initial), ("--target", &input.target)] {
        let Some(set) = set else { continue };
        let read = document.configurations(set).map_err(|error| format!("{name}:{error}"))?;
        *(if name == "--initial" { &mut document.initial } else { &mut document.target }) = read;
    }
    Ok((document, begin.elapsed()))
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
