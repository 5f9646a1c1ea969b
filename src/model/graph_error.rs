//! What can be wrong with control-flow graphs that are given by code, in terms of the graphs and of the sources that
//! they were made from.

use super::error::NameSpace;
use super::nesting_error::{NestingError, NestingProblem, OpenedName, OpenedPlace, Path};
use crate::eml::{Position, quote};
use std::fmt;
use std::sync::Arc;

/// A place in a source of a front end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file; none if the position names none.
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

/// A rule that the graphs of a model break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphError {
    /// Where: the declaration or the node that is at fault.
    pub place: Place,
    /// The function or process in whose graph it is, if it is in one.
    pub procedure: Option<String>,
    /// What is wrong.
    pub problem: GraphProblem,
}

/// The ways in which graphs can be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GraphProblem {
    /// A name without characters.
    EmptyName(NameSpace),
    /// A name is given twice to things of one kind.
    Duplicate {
        /// The kind.
        space: NameSpace,
        /// The name.
        name: String,
        /// Where the first one is declared.
        first: Place,
    },
    /// An id that this builder has not given out.
    UnknownId {
        /// What the id stands for.
        space: NameSpace,
        /// The index of the id.
        index: usize,
    },
    /// An atomic set without members.
    EmptyAtomicSet(String),
    /// A process is declared with no instance.
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
    /// A node that this builder has not given out.
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
    /// A node that waits and the one that gets the lock back do not belong together.
    HalfWait,
    /// The body of a process is called.
    CallsProcess(String),
    /// Two paths lead to a node on which different locks or units are open.
    Differs {
        /// One of them.
        first: GraphPath,
        /// The other one.
        second: GraphPath,
    },
    /// Something is released or ended that is not what was opened last.
    WrongClose {
        /// What the node closes.
        closes: OpenedName,
        /// A path that leads to the node.
        path: GraphPath,
    },
    /// Something is open at a return.
    OpenAtReturn {
        /// A path that leads to the return.
        path: GraphPath,
    },
}

/// A path from the entry of a procedure to a node, as far as messages show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphPath {
    /// What is open at its end and where it was opened, innermost last; of very many only the innermost.
    pub opened: Vec<(OpenedName, Place)>,
    /// Whether there is more around those.
    pub opened_is_cut: bool,
    /// Where it goes on behind nodes with several successors, in order; of very many only the last.
    pub branches: Vec<Place>,
    /// Whether there were more before those.
    pub branches_are_cut: bool,
}

/// Finds the files of positions.
pub(super) struct Places {
    pub(super) files: Vec<Arc<str>>,
}

impl Places {
    pub(super) fn of(&self, position: Position) -> Place {
        let file = position.file.named().and_then(|index| self.files.get(index)).cloned();
        Place { file, line: position.line, column: position.column }
    }

    /// What the check of the nesting found, in terms of graphs.
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

/// An enumeration, if it is not empty, that says whether something is left out at its front.
fn shortened(is_cut: bool, parts: impl Iterator<Item = String>) -> Option<String> {
    let parts: Vec<_> = is_cut.then(|| "...".to_string()).into_iter().chain(parts).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}
