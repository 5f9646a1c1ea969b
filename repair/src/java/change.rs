//! A change of a method, in words and in the model.

use super::methods::Methods;
use super::region::{Lines, region};
use eml::model::{
    GraphBuilder, GraphNode, LocationId, LockId, LockKind, Mode, Model, Operation, Position, ProcedureId,
};
use java::code_offset;
use std::collections::BTreeSet;
use std::fmt;

/// A lock that a change holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HeldLock {
    /// The expression in the code: `this`, `this.lock`, `Pool.class`.
    pub expression: String,
    /// Whether it is a lock of `java.util.concurrent`, and no monitor.
    pub is_explicit: bool,
    /// Whether it is a read-write lock, whose write lock is held.
    pub is_read_write: bool,
    /// Its name in the model, perhaps of a lock that the model does not have.
    pub(super) name: String,
    /// Whether only methods of the subject's object can use the expression.
    pub(super) needs_subject: bool,
}

/// The kinds of changes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// A lock is held over the lines.
    Hold(HeldLock),
    /// The field of this name is read once; the reads on these lines use the value.
    ReadOnce {
        /// The field.
        field: String,
        /// The lines.
        lines: BTreeSet<u32>,
    },
}

/// A change of a method.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Change {
    /// The kind.
    pub kind: ChangeKind,
    /// The full name of the method.
    pub method: String,
    /// Its name in reports: `Pool.take(int)`.
    pub short: String,
    /// The source file, with its folders.
    pub file: String,
    /// The first and the last line that are changed.
    pub lines: [u32; 2],
    /// Whether the lock is held throughout the method.
    pub is_whole: bool,
}

impl Change {
    /// Whether it makes the other change, too.
    pub(super) fn has(&self, other: &Self) -> bool {
        let lines = self.is_whole || (self.lines[0] <= other.lines[0] && other.lines[1] <= self.lines[1]);
        self.kind == other.kind && self.method == other.method && lines && (self.is_whole || !other.is_whole)
    }

    /// The model after the change; none if the changed graphs are no model. Linear in the model.
    pub(super) fn applied(&self, model: &Model, methods: &Methods) -> Option<Model> {
        let method = methods.named(&self.method)?;
        let mut builder = GraphBuilder::from_model(model);
        match &self.kind {
            ChangeKind::Hold(lock) => {
                // A lock that the model does not have is new.
                let id = model.lock_named(&lock.name).unwrap_or_else(|| builder.lock(&lock.name, Position::START));
                let [first, last] = self.lines;
                for function in &method.functions {
                    let inside = region(model, *function, method.file, Lines { first, last, is_whole: self.is_whole })?;
                    hold(&mut builder, *function, &inside, id);
                }
            }
            ChangeKind::ReadOnce { field, lines } => {
                let location = model.location_named(field)?;
                for function in &method.functions {
                    skip_reads(&mut builder, *function, location, lines);
                }
            }
        }
        builder.build().ok().map(|(changed, _)| changed)
    }
}

impl HeldLock {
    /// Whether a lock of a model is a read-write lock.
    pub(super) fn is_read_write(model: &Model, name: &str) -> bool {
        model.lock_named(name).is_some_and(|id| model.lock(id).kind() == LockKind::ReadWrite)
    }
}

/// Holds a lock in a region of a function.
fn hold(builder: &mut GraphBuilder, function: ProcedureId, inside: &[bool], lock: LockId) {
    builder.insert_between(function, |from, to| {
        let is_inside = |node: GraphNode| inside.get(node.number()).is_some_and(|inside| *inside);
        let [from, to] = [from, Some(to)].map(|node| node.is_some_and(is_inside));
        match (from, to) {
            (false, true) => Some(Operation::Acquire(lock, Mode::Write)),
            (true, false) => Some(Operation::Release(lock, Mode::Write)),
            (true, true) | (false, false) => None,
        }
    });
}

/// Replaces the reads of a location on some lines.
fn skip_reads(builder: &mut GraphBuilder, function: ProcedureId, location: LocationId, lines: &BTreeSet<u32>) {
    let is_repeated =
        |operation: Operation, at: Position| operation == Operation::Read(location) && lines.contains(&at.line);
    let nodes = builder.nodes_of(function).filter(|(_, operation, at)| is_repeated(*operation, *at));
    for node in nodes.map(|(node, ..)| node).collect::<Vec<_>>() {
        builder.set_operation(node, Operation::Skip);
    }
}

impl fmt::Display for Change {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, short, lines: [first, last], is_whole, .. } = self;
        // Constructors and functions cannot be synchronized.
        let is_body = short.contains(".<") || short.contains('$');
        match kind {
            ChangeKind::ReadOnce { field, lines } => {
                let lines: Vec<String> = lines.iter().map(|line| place(*line)).collect();
                write!(
                    out,
                    "read `{field}` once in `{short}`, into a local variable, and use that at {}",
                    lines.join(", ")
                )
            }
            ChangeKind::Hold(lock) if *is_whole && lock.expression == "this" && !is_body => {
                write!(out, "declare `{short}` synchronized")
            }
            ChangeKind::Hold(lock) if *is_whole => write!(out, "hold {lock} throughout `{short}`"),
            ChangeKind::Hold(lock) if first == last => write!(out, "hold {lock} in `{short}` at {}", place(*first)),
            ChangeKind::Hold(lock) => {
                write!(out, "hold {lock} in `{short}` from {} to {}", place(*first), place(*last))
            }
        }
    }
}

impl fmt::Display for HeldLock {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { expression, .. } = self;
        match (self.is_explicit, self.is_read_write) {
            (_, true) => write!(out, "the write lock of `{expression}`"),
            (true, false) => write!(out, "the lock `{expression}`"),
            (false, false) => write!(out, "the monitor of `{expression}`"),
        }
    }
}

/// A line, or the offset of an instruction of code without lines.
fn place(line: u32) -> String {
    code_offset(line).map_or_else(|| format!("line {line}"), |byte| format!("byte {byte}"))
}
