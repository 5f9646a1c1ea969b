//! The file of results: one record a line; lines are only appended.

use super::error::{BatchError, LineError};
use super::record::BatchRecord;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time after which a record is on the disk at the latest.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// A file of results that is open for appending, and locked against other programs.
#[derive(Debug)]
pub(super) struct Log {
    file: File,
    path: PathBuf,
    /// The time of the first append that may not be on the disk.
    dirty: Option<Instant>,
}

impl Log {
    /// Opens or creates the file, and drops an incomplete last line. Returns its records.
    ///
    /// # Errors
    /// If it cannot be used, is in use, or has a damaged line before the last.
    pub(super) fn open(path: &Path) -> Result<(Self, Vec<BatchRecord>), BatchError> {
        let fail = |what| move |error| BatchError::io(what, path, error);
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(fail("write"))?;
        if !lock(&file).map_err(fail("lock"))? {
            return Err(BatchError::Busy(path.to_path_buf()));
        }
        let bytes = std::fs::read(path).map_err(fail("read"))?;
        let (records, whole) = parse(&bytes).map_err(|error| BatchError::Line(path.to_path_buf(), error))?;
        if whole < bytes.len() {
            file.set_len(whole as u64).and_then(|()| file.sync_data()).map_err(fail("write"))?;
        }
        Ok((Self { file, path: path.to_path_buf(), dirty: None }, records))
    }

    /// Appends a record with one write.
    pub(super) fn append(&mut self, record: &BatchRecord) -> Result<(), BatchError> {
        let line = serde_json::to_string(record).map_err(io::Error::from).map(|line| line + "\n");
        let written = line.and_then(|line| self.file.write_all(line.as_bytes()));
        written.map_err(|error| BatchError::io("write", &self.path, error))?;
        self.dirty.get_or_insert_with(Instant::now);
        Ok(())
    }

    /// Writes lines to the disk that waited long enough; it has to be called several times a second.
    pub(super) fn tick(&mut self) -> Result<(), BatchError> {
        match self.dirty {
            Some(since) if since.elapsed() >= SYNC_INTERVAL => self.sync(),
            _ => Ok(()),
        }
    }

    /// Writes everything to the disk.
    pub(super) fn sync(&mut self) -> Result<(), BatchError> {
        if self.dirty.take().is_some() {
            self.file.sync_data().map_err(|error| BatchError::io("write", &self.path, error))?;
        }
        Ok(())
    }
}

/// Returns the records in a file of results, to which a batch may be writing.
pub(super) fn read(path: &Path) -> Result<Vec<BatchRecord>, BatchError> {
    let bytes = std::fs::read(path).map_err(|error| BatchError::io("read", path, error))?;
    let (records, _) = parse(&bytes).map_err(|error| BatchError::Line(path.to_path_buf(), error))?;
    Ok(records)
}

/// Returns the records and the number of bytes that they take. The rest is an incomplete last line.
fn parse(bytes: &[u8]) -> Result<(Vec<BatchRecord>, usize), LineError> {
    let mut records = Vec::new();
    let mut whole = 0;
    for (number, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let is_last = whole + line.len() == bytes.len();
        match serde_json::from_slice(line) {
            Ok(record) if line.ends_with(b"\n") => records.push(record),
            // Also if it seems complete: the next line would be appended to it.
            Ok(_) => break,
            Err(_) if is_last => break,
            Err(error) => return Err(LineError { line: number + 1, reason: error.to_string() }),
        }
        whole += line.len();
    }
    Ok((records, whole))
}

/// Locks the file until it is closed, however the program ends; returns whether that succeeded.
#[cfg(unix)]
fn lock(file: &File) -> io::Result<bool> {
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;
    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(Errno::WOULDBLOCK) => Ok(false),
        // Some network file systems have no locks; then the user has to take care.
        Err(Errno::NOSYS | Errno::NOLCK | Errno::OPNOTSUPP) => Ok(true),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(unix))]
fn lock(_: &File) -> io::Result<bool> {
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"model":"m","engine":"e","units":"both","automaton":"1","locations":["x"],"processes":["P","P"],"verdict":"safe","seconds":0.5}"#;

    #[test]
    fn a_torn_last_line_is_dropped() {
        let text = format!("{LINE}\n{LINE}\n");
        for length in text.len() / 2..text.len() {
            let (records, whole) = parse(&text.as_bytes()[..length]).expect("only the last line is torn");
            assert_eq!((records.len(), whole), (1, text.len() / 2), "{length}");
        }
        assert_eq!(parse(text.as_bytes()).map(|(records, whole)| (records.len(), whole)).ok(), Some((2, text.len())));
    }

    #[test]
    fn another_line_is_not() {
        let text = format!("{LINE}\n{{\"model\n{LINE}\n");
        assert_eq!(parse(text.as_bytes()).expect_err("the second line is torn").line, 2);
    }
}
