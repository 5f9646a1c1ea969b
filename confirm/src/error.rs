//! Errors of a confirmation. They concern the kit, the class path and the folder of reproductions; a client that cannot
//! run is not an error, but a reason in the confirmation of its finding.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// A confirmation that cannot begin, or reproductions that cannot be written.
#[derive(Debug)]
pub enum Error {
    /// There is no Java development kit.
    NoKit,
    /// The compiler of the kit rejects the classes of the controller; its messages.
    Compilation(String),
    /// The compiler of the kit rejects the factory methods of the user; its messages.
    Factories(String),
    /// An operation on a file or a folder failed, or a program could not be started.
    Io {
        /// The operation.
        operation: Operation,
        /// The file, folder or program.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
}

/// An operation on a file, a folder or a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Reads a file or a folder.
    Read,
    /// Writes a file.
    Write,
    /// Creates a folder.
    Create,
    /// Removes a file.
    Remove,
    /// Starts a program.
    Start,
}

impl Operation {
    /// Returns a function that makes the error of this operation on a path.
    pub(crate) fn on(self, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Error {
        let path = path.into();
        move |error| Error::Io { operation: self, path, error }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Create => "make",
            Self::Remove => "remove",
            Self::Start => "start",
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoKit => f.write_str(
                "a confirmation needs a Java development kit, and there is none: set JAVA_HOME, or add `javac` to the path",
            ),
            Self::Compilation(messages) => write!(f, "this kit cannot compile the controller: {messages}"),
            Self::Factories(messages) => write!(f, "the client does not compile: {messages}"),
            Self::Io { operation, path, error: _ } => write!(f, "cannot {operation} {}", path.display()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { error, .. } => Some(error),
            Self::NoKit | Self::Compilation(_) | Self::Factories(_) => None,
        }
    }
}
