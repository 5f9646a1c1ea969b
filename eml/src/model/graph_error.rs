//! Errors of control-flow graphs that are built by code, in terms of the graphs and of the front end's sources.

use super::error::NameSpace;
use super::nesting_error::{NestingError, NestingProblem, OpenedName, OpenedPlace, Path};
use crate::syntax::{Position, quote};
use std::fmt;
use std::sync::Arc;

/// A place in a source of a front end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file; `None` if the position has none.
    pub file: Option<Arc<str>>,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}:")?;
        }
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A violation of a rule by the graphs of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphError {
    /// The place of the declaration or node that violates it.
    pub place: Place,
    /// The function or process whose graph has the error, if there is one.
    pub procedure: Option<String>,
    /// The kind of error.
    pub problem: GraphProblem,
}

/// The kinds of errors in graphs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GraphProblem {
    /// An empty name.
    EmptyName(NameSpace),
    /// A name is declared twice in one name space.
    Duplicate {
        /// The name space.
        space: NameSpace,
        /// The name.
        name: String,
        /// The place of the first declaration.
        first: Place,
    },
    /// An id that does not come from this builder.
    UnknownId {
        /// The name space of the id.
        space: NameSpace,
        /// The index of the id.
        index: usize,
    },
    /// An atomic set without members.
    EmptyAtomicSet(String),
    /// A process with zero instances.
    NoInstances(String),
    /// A process that is started is declared with a number of instances.
    StartedWithMultiplicity {
        /// The process.
        process: String,
        /// A node that starts it.
        start: Place,
    },
    /// A function or process without nodes.
    NoNodes,
    /// A node that does not come from this builder.
    UnknownNode,
    /// An edge from one procedure to another.
    LeavesProcedure,
    /// A return with a successor.
    ReturnGoesOn,
    /// A node that is no return has no successor.
    DeadEnd,
    /// A plain lock is acquired or released in read mode.
    ReadsPlainLock(String),
    /// A node waits on a read-write lock.
    WaitsOnReadWriteLock(String),
    /// A `Wait` without its `Resume`, or a `Resume` without its `Wait`.
    HalfWait,
    /// The body of a process is called.
    CallsProcess(String),
    /// Two paths to a node on which different locks or units are open.
    Differs {
        /// One of them.
        first: GraphPath,
        /// The other one.
        second: GraphPath,
    },
    /// A release or an end of a lock or unit that was not opened last.
    WrongClose {
        /// The lock or unit that the node closes.
        closes: OpenedName,
        /// A path that leads to the node.
        path: GraphPath,
    },
    /// A lock or unit is open at a return.
    OpenAtReturn {
        /// A path that leads to the return.
        path: GraphPath,
    },
}

/// A path from the entry of a procedure to a node, as far as messages show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphPath {
    /// The locks and units open at its end and the places where they were opened, innermost last; of very many only the
    /// innermost.
    pub opened: Vec<(OpenedName, Place)>,
    /// Whether there are more outside of these.
    pub opened_is_cut: bool,
    /// The places to which it continues after nodes with several successors, in order; of very many only the last.
    pub branches: Vec<Place>,
    /// Whether there were more before these.
    pub branches_are_cut: bool,
}

/// The names of the files of positions.
pub(super) struct Places {
    pub(super) files: Vec<Arc<str>>,
}

impl Places {
    /// Returns the place of a position.
    pub(super) fn of(&self, position: Position) -> Place {
        let file = position.file.named().and_then(|index| self.files.get(index)).cloned();
        Place { file, line: position.line, column: position.column }
    }

    /// Converts an error of nesting to an error in terms of graphs.
    pub(super) fn nesting(&self, error: NestingError) -> GraphError {
        let problem = match error.problem {
            NestingProblem::Differs { first, second } => {
                GraphProblem::Differs { first: self.path(first), second: self.path(second) }
            }
            NestingProblem::WrongClose { closes, path, .. } => {
                GraphProblem::WrongClose { closes, path: self.path(path) }
            }
            NestingProblem::OpenAtReturn { path } => GraphProblem::OpenAtReturn { path: self.path(path) },
        };
        GraphError { place: self.of(error.place.start), procedure: Some(error.procedure.to_string()), problem }
    }

    fn path(&self, path: Path) -> GraphPath {
        let opened = |OpenedPlace { name, span }| (name, self.of(span.start));
        GraphPath {
            opened: path.opened.into_iter().map(opened).collect(),
            opened_is_cut: path.opened_is_cut,
            branches: path.choices.iter().map(|choice| self.of(choice.span.start)).collect(),
            branches_are_cut: path.choices_are_cut,
        }
    }
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.place)?;
        if let Some(procedure) = &self.procedure {
            write!(f, "in {}: ", quote(procedure))?;
        }
        write!(f, "{}", self.problem)
    }
}

impl std::error::Error for GraphError {}

impl fmt::Display for GraphProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyName(space) => write!(f, "the {space} has an empty name"),
            Self::Duplicate { space, name, first } => {
                write!(f, "the {space} {} is declared twice, first at {first}", quote(name))
            }
            Self::UnknownId { space, index } => write!(f, "there is no {space} with number {index} in this model"),
            Self::EmptyAtomicSet(name) => write!(f, "the atomic set {} is empty", quote(name)),
            Self::NoInstances(process) => write!(f, "the process {} has no instance", quote(process)),
            Self::StartedWithMultiplicity { process, start } => write!(
                f,
                "the process {} has a number of instances, but is started at {start}; it runs only when it is started",
                quote(process)
            ),
            Self::NoNodes => f.write_str("there is no node"),
            Self::UnknownNode => f.write_str("the node does not belong to this model"),
            Self::LeavesProcedure => f.write_str("an edge leads to a node of another procedure"),
            Self::ReturnGoesOn => f.write_str("a return has a successor"),
            Self::DeadEnd => f.write_str("the node has no successor and is no return"),
            Self::ReadsPlainLock(lock) => {
                write!(f, "the lock {} is used in read mode, but it is no read-write lock", quote(lock))
            }
            Self::WaitsOnReadWriteLock(lock) => {
                write!(f, "{} is a read-write lock, on which nobody can wait", quote(lock))
            }
            Self::HalfWait => f.write_str(
                "a node that waits has one successor, which gets the same lock back and has no other predecessor",
            ),
            Self::CallsProcess(process) => write!(f, "the body of the process {} is called", quote(process)),
            Self::Differs { first, second } => write!(
                f,
                "two paths lead here with different locks or units open: on one {first}; on the other {second}"
            ),
            Self::WrongClose { closes, path } => {
                write!(f, "{} is {}, but on this path {path}", closes.describe(), closes.closing_verb())
            }
            Self::OpenAtReturn { path } => write!(f, "something is still open at the return: {path}"),
        }
    }
}

impl fmt::Display for GraphPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let opened = self.opened.iter().map(|(name, place)| format!("{} (at {place})", name.describe()));
        match shortened(self.opened_is_cut, opened) {
            None => f.write_str("nothing is open")?,
            Some(opened) => write!(f, "there are open: {opened}")?,
        }
        if let Some(branches) = shortened(self.branches_are_cut, self.branches.iter().map(ToString::to_string)) {
            write!(f, ", by way of {branches}")?;
        }
        Ok(())
    }
}

/// Returns an enumeration, unless it is empty; dots at its front stand for omitted parts.
fn shortened(is_cut: bool, parts: impl Iterator<Item = String>) -> Option<String> {
    let parts: Vec<_> = is_cut.then(|| "...".to_string()).into_iter().chain(parts).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}
