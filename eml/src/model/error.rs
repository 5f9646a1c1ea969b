//! Errors of syntax trees: violations of the rules beyond the grammar.

use std::fmt;

use super::jump_error::JumpError;
use super::nesting_error::NestingError;
use crate::syntax::ast::Mode;
use crate::syntax::ast::Name;
use crate::syntax::{Diagnostic, Span, quote};

/// The five name spaces of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameSpace {
    /// Locks.
    Lock,
    /// Shared locations.
    Location,
    /// Atomic sets.
    AtomicSet,
    /// Functions.
    Function,
    /// Processes.
    Process,
}

impl NameSpace {
    /// All of them.
    pub(super) const ALL: [NameSpace; 5] =
        [NameSpace::Lock, NameSpace::Location, NameSpace::AtomicSet, NameSpace::Function, NameSpace::Process];

    /// Returns the syntax of a declaration in this name space.
    fn declaration(self, name: &str) -> String {
        match self {
            NameSpace::Lock => format!("lock {name};"),
            NameSpace::Location => format!("shared {name};"),
            NameSpace::AtomicSet => format!("atomicset {name} {{ ... }}"),
            NameSpace::Function => format!("fn {name}() {{ ... }}"),
            NameSpace::Process => format!("process {name} {{ ... }}"),
        }
    }

    /// Returns the syntax of a use of a name in this name space, if names are used.
    fn use_of(self, name: &str) -> Option<String> {
        match self {
            NameSpace::Lock => Some(format!("sync {name} {{ ... }}")),
            NameSpace::Location => Some(format!("read {name};")),
            NameSpace::AtomicSet => None,
            NameSpace::Function => Some(format!("call {name};")),
            NameSpace::Process => Some(format!("start {name};")),
        }
    }
}

impl fmt::Display for NameSpace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            NameSpace::Lock => "lock",
            NameSpace::Location => "location",
            NameSpace::AtomicSet => "atomic set",
            NameSpace::Function => "function",
            NameSpace::Process => "process",
        })
    }
}

/// A violation of a rule of the language by a syntax tree.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelError {
    /// A text that is no valid name, in a tree that was built from code.
    InvalidName {
        /// The text.
        name: Name,
    },
    /// A name is declared twice in one name space.
    Duplicate {
        /// The name space.
        space: NameSpace,
        /// The second declaration.
        name: Name,
        /// The first one.
        first: Span,
    },
    /// A name is declared nowhere; reported at its first use.
    Undeclared {
        /// The name space.
        space: NameSpace,
        /// The use.
        name: Name,
        /// A declared name that looks similar.
        closest: Option<String>,
        /// Another name space in which the name is declared.
        elsewhere: Option<NameSpace>,
    },
    /// A lock or a location is declared only after its first use.
    UsedBeforeDeclaration {
        /// The name space.
        space: NameSpace,
        /// The use.
        name: Name,
        /// The declaration.
        declared: Span,
    },
    /// `process P * 0`
    NoInstances {
        /// The process.
        name: Name,
    },
    /// A process that is started is declared with a number of instances.
    StartedWithMultiplicity {
        /// The process.
        name: Name,
        /// A `start` that names it.
        start: Span,
    },
    /// A plain lock with a mode.
    ModeOfPlainLock {
        /// The use.
        name: Name,
        /// The mode.
        mode: Mode,
        /// The declaration.
        declared: Span,
    },
    /// A read-write lock that is acquired or released without a mode.
    MissingMode {
        /// The use.
        name: Name,
        /// The declaration.
        declared: Span,
    },
    /// A `wait` on a read-write lock.
    WaitOnReadWriteLock {
        /// The use.
        name: Name,
        /// The declaration.
        declared: Span,
    },
    /// A set without members, in a tree that was built from code.
    EmptyAtomicSet {
        /// The set.
        name: Name,
    },
    /// A `choose` without blocks, in a tree that was built from code.
    EmptyChoose {
        /// The statement.
        span: Span,
    },
    /// A label or a jump is wrong.
    Jump(JumpError),
    /// Locks or units are not nested properly.
    Nesting(NestingError),
}

impl ModelError {
    /// Returns the place of the error.
    pub fn span(&self) -> Span {
        match self {
            ModelError::InvalidName { name }
            | ModelError::Duplicate { name, .. }
            | ModelError::Undeclared { name, .. }
            | ModelError::UsedBeforeDeclaration { name, .. }
            | ModelError::NoInstances { name }
            | ModelError::StartedWithMultiplicity { name, .. }
            | ModelError::ModeOfPlainLock { name, .. }
            | ModelError::MissingMode { name, .. }
            | ModelError::WaitOnReadWriteLock { name, .. }
            | ModelError::EmptyAtomicSet { name } => name.span,
            ModelError::EmptyChoose { span } => *span,
            ModelError::Jump(error) => error.span(),
            ModelError::Nesting(error) => error.place,
        }
    }

    /// Returns the message for users.
    pub fn diagnostic(&self) -> Diagnostic {
        let error = |message: String, label: &str| Diagnostic::error(message).at(self.span(), label);
        match self {
            ModelError::InvalidName { name } => {
                error(format!("{} is not a name", quote(&name.text)), "cannot be written in EML")
                    .help("a name is a letter or `_`, then letters, digits, `_`, `.` and `$`, and no keyword")
            }
            ModelError::Duplicate { space, name, first } => {
                error(format!("the {space} {} is declared twice", quote(&name.text)), "declared again")
                    .also(*first, "first declared here")
                    .help(format!("each {space} is declared once; remove or rename one of them"))
            }
            ModelError::UsedBeforeDeclaration { space, name, declared } => {
                error(format!("the {space} {} is used before its declaration", quote(&name.text)), "used here")
                    .also(*declared, "declared here")
                    .help("move the declaration to the top of the file")
            }
            ModelError::NoInstances { name } => {
                error(format!("the process {} has no instance", quote(&name.text)), "`* 0` is not allowed")
                    .help("write `* n` with n of at least 1, or remove the process")
            }
            ModelError::StartedWithMultiplicity { name, start } => error(
                format!("the process {} is started, but has a number of instances", quote(&name.text)),
                "declared with `*`",
            )
            .also(*start, "started here")
            .help("a process that is named in a `start` runs only when it is started; remove the `* ...`"),
            ModelError::ModeOfPlainLock { name, mode, declared } => {
                let message = format!("the lock {} has no modes", quote(&name.text));
                error(message, &format!("used in {} mode", mode.name()))
                    .also(*declared, "declared here as a plain lock")
                    .help(format!("leave `{}` out, or declare it by `rwlock {};`", mode.name(), name.text))
            }
            ModelError::MissingMode { name, declared } => {
                error(format!("the read-write lock {} is used without a mode", quote(&name.text)), "no mode")
                    .also(*declared, "declared here as a read-write lock")
                    .help(format!(
                        "write `read {0}` to share it with other readers, or `write {0}` to have it alone",
                        name.text
                    ))
            }
            ModelError::WaitOnReadWriteLock { name, declared } => error(
                format!("{} is a read-write lock, on which nobody can wait", quote(&name.text)),
                "not a plain lock",
            )
            .also(*declared, "declared here as a read-write lock")
            .help(format!("wait on a plain lock: declare one by `lock {};`", name.text)),
            ModelError::EmptyAtomicSet { name } => {
                error(format!("the atomic set {} is empty", quote(&name.text)), "has no members")
            }
            ModelError::EmptyChoose { .. } => error("a `choose` without blocks".into(), "has nothing to choose from"),
            ModelError::Undeclared { space, name, closest, elsewhere } => {
                undeclared(*space, name, closest.as_deref(), *elsewhere)
            }
            ModelError::Jump(error) => error.diagnostic(),
            ModelError::Nesting(error) => error.diagnostic(),
        }
    }
}

/// Returns the message for a name that is not declared in its name space.
fn undeclared(space: NameSpace, name: &Name, closest: Option<&str>, elsewhere: Option<NameSpace>) -> Diagnostic {
    let quoted = quote(&name.text);
    let diagnostic =
        Diagnostic::error(format!("the {space} {quoted} is not declared")).at(name.span, format!("no such {space}"));
    if let Some(other) = elsewhere {
        let advice = match other.use_of(&name.text) {
            Some(usage) => format!("{quoted} is a {other}, used like {}", quote(&usage)),
            None => format!("{quoted} is the name of an {other}"),
        };
        diagnostic.help(advice)
    } else if let Some(closest) = closest {
        diagnostic.help(format!("did you mean {}?", quote(closest)))
    } else {
        let declaration = space.declaration(&name.text);
        diagnostic.help(format!("declare it outside of all blocks: {}", quote(&declaration)))
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.span().start;
        let message = self.diagnostic();
        write!(formatter, "{}:{}: {message}", start.line, start.column)
    }
}

impl std::error::Error for ModelError {}
