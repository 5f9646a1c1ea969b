//! Errors of batches.

use super::agreement::Disagreement;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A batch that cannot be run, continued, united or read.
#[derive(Debug)]
pub enum BatchError {
    /// A file or folder cannot be used.
    Io {
        /// The action that failed.
        what: &'static str,
        /// The path.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The folder exists, and `--resume` is not given.
    Exists(PathBuf),
    /// The folder holds other files and no batch.
    Foreign(PathBuf),
    /// The folder holds no batch.
    NoBatch(PathBuf),
    /// Another program writes to the batch.
    Busy(PathBuf),
    /// The header is damaged, or has another form than this version writes.
    Header(PathBuf, String),
    /// The folder holds a batch of other queries or under other limits: the differences.
    Differs(PathBuf, Vec<String>),
    /// A line of the results other than the last is no result.
    Line(PathBuf, LineError),
    /// Two records of one query and engine have different verdicts.
    Conflict(Box<Disagreement>),
    /// A worker cannot be started.
    Spawn(io::Error),
}

/// A line that is no result.
#[derive(Debug)]
pub struct LineError {
    /// Its number, from 1.
    pub line: usize,
    /// A description of the mistake.
    pub reason: String,
}

impl BatchError {
    pub(super) fn io(what: &'static str, path: &Path, error: io::Error) -> Self {
        Self::Io { what, path: path.to_path_buf(), error }
    }
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { what, path, error } => write!(f, "cannot {what} {}: {error}", path.display()),
            Self::Exists(path) => write!(f, "{} is there already; choose another folder", path.display()),
            Self::Foreign(path) => write!(f, "{} holds other files and no batch", path.display()),
            Self::NoBatch(path) => write!(f, "{} holds no batch", path.display()),
            Self::Busy(path) => write!(f, "another run writes to {}", path.display()),
            Self::Header(path, reason) => write!(f, "{}: {reason}", path.display()),
            Self::Differs(path, differences) => {
                write!(f, "{} holds a batch of something else:", path.display())?;
                differences.iter().try_for_each(|difference| write!(f, "\n  {difference}"))
            }
            Self::Line(path, LineError { line, reason }) => {
                write!(f, "{}, line {line}: not a result: {reason}", path.display())
            }
            Self::Conflict(disagreement) => write!(f, "conflicting verdicts: {disagreement}"),
            Self::Spawn(error) => write!(f, "cannot start a worker: {error}"),
        }
    }
}

impl std::error::Error for BatchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { error, .. } | Self::Spawn(error) => Some(error),
            _ => None,
        }
    }
}
