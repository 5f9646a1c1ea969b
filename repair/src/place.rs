//! Places in the syntax tree: bodies, blocks in them, and runs of statements.

use eml::syntax::Position;
use eml::syntax::ast::{Block, Item, ItemKind, Program, Statement};

/// A function or process, by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum BodyName {
    Function(String),
    Process(String),
}

impl BodyName {
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Function(name) | Self::Process(name) => name,
        }
    }

    fn is_of(&self, item: &Item) -> bool {
        match (self, &item.kind) {
            (Self::Function(own), ItemKind::Function { name, .. })
            | (Self::Process(own), ItemKind::Process { name, .. }) => *own == name.text,
            _ => false,
        }
    }
}

/// Consecutive statements of a block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Run {
    pub(crate) body: BodyName,
    /// The way from the body to the block: the number of a statement and that of one of its blocks, again and again.
    pub(crate) path: Vec<(usize, usize)>,
    pub(crate) first: usize,
    pub(crate) last: usize,
}

impl Run {
    /// The next larger run: the statement whose block has this run, if it is not the body.
    pub(crate) fn outer(&self) -> Option<Self> {
        let (statement, _) = *self.path.last()?;
        let path = self.path[..self.path.len() - 1].to_vec();
        Some(Self { body: self.body.clone(), path, first: statement, last: statement })
    }

    /// Whether the other run lies in this one.
    pub(crate) fn has(&self, other: &Self) -> bool {
        if self.body != other.body || !other.path.starts_with(&self.path) {
            return false;
        }
        let within = |statement: usize| self.first <= statement && statement <= self.last;
        match other.path.get(self.path.len()) {
            Some((statement, _)) => within(*statement),
            None => within(other.first) && within(other.last),
        }
    }
}

/// The body of a function or process.
pub(crate) fn body<'p>(program: &'p Program, name: &BodyName) -> Option<&'p Block> {
    program.items.iter().find(|item| name.is_of(item)).and_then(|item| match &item.kind {
        ItemKind::Function { body, .. } | ItemKind::Process { body, .. } => Some(body),
        _ => None,
    })
}

/// The same, for changes.
pub(crate) fn body_mut<'p>(program: &'p mut Program, name: &BodyName) -> Option<&'p mut Block> {
    program.items.iter_mut().find(|item| name.is_of(item)).and_then(|item| match &mut item.kind {
        ItemKind::Function { body, .. } | ItemKind::Process { body, .. } => Some(body),
        _ => None,
    })
}

/// The smallest run with the statements at all these positions.
pub(crate) fn run_with(program: &Program, name: &BodyName, positions: &[Position]) -> Option<Run> {
    let body = body(program, name)?;
    let mut ways = positions.iter().map(|position| way_to(body, *position));
    let (mut path, mut first) = ways.next()??;
    let mut last = first;
    for way in ways {
        let (other, statement) = way?;
        let common = path.iter().zip(&other).take_while(|(own, other)| own == other).count();
        let at = |path: &[(usize, usize)], statement| path.get(common).map_or(statement, |(statement, _)| *statement);
        let (own_first, own_last) = (at(&path, first), at(&path, last));
        let other = at(&other, statement);
        (first, last) = (own_first.min(other), own_last.max(other));
        path.truncate(common);
    }
    Some(Run { body: name.clone(), path, first, last })
}

/// The way to the statement that begins at a position, and its number in the last block.
fn way_to(body: &Block, position: Position) -> Option<(Vec<(usize, usize)>, usize)> {
    let mut blocks = vec![(Vec::new(), body)];
    while let Some((path, block)) = blocks.pop() {
        for (number, statement) in block.statements.iter().enumerate() {
            if statement.span.start == position {
                return Some((path, number));
            }
            let inner = statement.kind.blocks().iter().enumerate();
            blocks.extend(inner.map(|(place, block)| ([&path[..], &[(number, place)]].concat(), block)));
        }
    }
    None
}

/// Whether a block around the run holds the lock, whatever its mode.
pub(crate) fn is_within(program: &Program, run: &Run, lock: &str) -> bool {
    let Some(mut block) = body(program, &run.body) else { return false };
    for (statement, place) in &run.path {
        let Some(statement) = block.statements.get(*statement) else { return false };
        if statement.kind.section().is_some_and(|(used, _)| used.name.text == lock) {
            return true;
        }
        let Some(inner) = statement.kind.blocks().get(*place) else { return false };
        block = inner;
    }
    false
}

/// The statements of a run.
pub(crate) fn statements<'p>(program: &'p Program, run: &Run) -> Option<&'p [Statement]> {
    let mut block = body(program, &run.body)?;
    for (statement, place) in &run.path {
        block = block.statements.get(*statement)?.kind.blocks().get(*place)?;
    }
    block.statements.get(run.first..=run.last)
}
