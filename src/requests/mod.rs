//! Requests as data: the arguments of `check` and `java`, for programs in other languages.
//!
//! A request has the names and the defaults of the command's options, and is read from JSON; unknown members are an
//! error. The answers are the [records](crate::records) that the command prints as JSON. The functions print nothing,
//! and stop soon after the [`Cancellation`](crate::Cancellation) that is passed to them.
//!
//! Invariant: for the same input and options the answer is that of the command, except for times.

mod audit;
mod check;
mod deciding;
mod error;
mod progress;
mod question;
mod selection_errors;
mod source_folders;
mod watch;

pub use self::audit::{AuditRequest, audit, problems};
pub use self::check::{CheckRequest, check, decide};
pub use deciding::Patterns;
pub use error::{Error, ErrorKind, Problem, built, loaded, warnings_of};
pub use progress::{Progress, Step};
pub use question::{Kinds, NameTaken, Question, nothing_asked, nothing_named};
pub use selection_errors::described;
pub use source_folders::{MissingFolder, SourceFolders};
