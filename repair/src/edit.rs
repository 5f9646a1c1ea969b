//! Changes of a model: a lock is held over a run of statements.

use crate::place::{BodyName, Run, body_mut, statements};
use eml::syntax::ast::{Block, Comments, Item, ItemKind, LockUse, Mode, Name, Program, Statement, StatementKind};
use eml::syntax::{Position, Span};
use std::fmt;

/// A lock that is held over consecutive statements.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edit {
    /// The lock.
    pub lock: String,
    /// Whether the model does not have it.
    pub is_new: bool,
    /// Whether it is a read-write lock, which is held in write mode.
    pub is_read_write: bool,
    pub(crate) run: Run,
    /// The positions of the first and the last statement in the model without any change.
    pub first: Position,
    /// Likewise.
    pub last: Position,
}

impl Edit {
    /// The change, if the run exists and does not hold the lock all along.
    pub(crate) fn new(program: &Program, lock: &Lock, run: Run) -> Option<Self> {
        let [first, .., last] = statements(program, &run)? else {
            let [only] = statements(program, &run)? else { return None };
            let position = only.span.start;
            return Some(Self::at(lock, run, position, position));
        };
        Some(Self::at(lock, run, first.span.start, last.span.start))
    }

    fn at(lock: &Lock, run: Run, first: Position, last: Position) -> Self {
        Self { lock: lock.name.clone(), is_new: lock.is_new, is_read_write: lock.is_read_write, run, first, last }
    }

    /// The function or process of the statements.
    pub fn body(&self) -> &str {
        self.run.body.name()
    }

    /// Whether the body is a process.
    pub fn is_in_process(&self) -> bool {
        matches!(self.run.body, BodyName::Process(_))
    }

    /// Changes the program: encloses the statements in a block, which takes the place of `sync` blocks of the same lock
    /// in it. Returns the positions of those of them that other changes have made; none if the statements do not exist.
    ///
    /// A thread that holds a lock may take it again, so a `sync` block within another one of its lock has no effect.
    pub(crate) fn apply(&self, program: &mut Program) -> Option<Vec<Position>> {
        let mut block = body_mut(program, &self.run.body)?;
        for (statement, place) in &self.run.path {
            block = block.statements.get_mut(*statement)?.kind.blocks_mut().get_mut(*place)?;
        }
        if self.run.last >= block.statements.len() {
            return None;
        }
        let taken: Vec<_> = block.statements.drain(self.run.first..=self.run.last).collect();
        let mut sync = self.sync(taken);
        let mut replaced = Vec::new();
        let mut open: Vec<&mut Block> = sync.kind.blocks_mut().iter_mut().collect();
        while let Some(inner) = open.pop() {
            while inner.statements.iter().any(|statement| self.is_replaced(statement)) {
                let all = std::mem::take(&mut inner.statements);
                inner.statements = all.into_iter().flat_map(|one| self.without_lock(one, &mut replaced)).collect();
            }
            open.extend(inner.statements.iter_mut().flat_map(|statement| statement.kind.blocks_mut()));
        }
        block.statements.insert(self.run.first, sync);
        Some(replaced)
    }

    /// Whether this change replaces another one, which has made a block at this position.
    pub(crate) fn replaces(&self, other: &Self, at: Position) -> bool {
        self.lock == other.lock && self.run.body == other.run.body && other.first == at
    }

    /// Whether a statement is a `sync` block of the same lock, without comments.
    fn is_replaced(&self, statement: &Statement) -> bool {
        statement.kind.section().is_some_and(|(used, body)| {
            used.name.text == self.lock
                && used.mode != Some(Mode::Read)
                && body.trailing_comments.is_empty()
                && statement.comments == Comments::default()
        })
    }

    /// The statements of a replaced block; any other statement itself.
    fn without_lock(&self, mut statement: Statement, replaced: &mut Vec<Position>) -> Vec<Statement> {
        if !self.is_replaced(&statement) {
            return vec![statement];
        }
        // Only blocks of changes have no text.
        replaced.extend((statement.span.length == 0).then_some(statement.span.start));
        match &mut statement.kind {
            StatementKind::Sync(_, body) => std::mem::take(&mut body.statements),
            _ => vec![statement],
        }
    }

    fn sync(&self, statements: Vec<Statement>) -> Statement {
        let span = Span { offset: 0, length: 0, start: self.first };
        let mode = self.is_read_write.then_some(Mode::Write);
        let used = LockUse { mode, name: Name { text: self.lock.clone(), span } };
        let block = Block { statements, trailing_comments: Vec::new(), span, close: span };
        Statement { kind: StatementKind::Sync(used, block), span, comments: Comments::default() }
    }
}

/// A lock that may be held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lock {
    pub(crate) name: String,
    pub(crate) is_new: bool,
    pub(crate) is_read_write: bool,
}

/// Declares a lock before everything else.
pub(crate) fn declare(program: &mut Program, name: &str) {
    let Some(span) = program.items.first().map(|item| item.span) else { return };
    let kind = ItemKind::Locks(vec![Name { text: name.to_string(), span }]);
    let mut comments = Comments::default();
    if let Some(first) = program.items.first_mut() {
        // The comment at the head of the text stays at the head.
        comments.before = std::mem::take(&mut first.comments.before);
    }
    program.items.insert(0, Item { kind, span, comments });
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_in_process() { "process" } else { "function" };
        let new = if self.is_new { "a new lock " } else { "" };
        write!(f, "hold {new}`{}` in {kind} `{}`, ", self.lock, self.body())?;
        match (self.first, self.last) {
            (first, last) if first == last => write!(f, "over the statement at {}:{}", first.line, first.column),
            (first, last) => {
                write!(f, "from {}:{} to the statement at {}:{}", first.line, first.column, last.line, last.column)
            }
        }
    }
}
