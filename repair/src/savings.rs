//! Locks that a model does not need, and critical sections that could end earlier.
//!
//! Both are found by trying: the lock or the end is changed, and the queries are decided again by the caller.

use crate::place::{BodyName, Run, body_mut, statements};
use eml::syntax::Position;
use eml::syntax::ast::{Block, Comments, ItemKind, Program, Statement, StatementKind};

/// A critical section that could end earlier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlyEnd {
    /// The lock.
    pub lock: String,
    /// The function or process.
    pub body: String,
    /// The position of the section.
    pub section: Position,
    /// The position of the first statement at its end that does not need the lock.
    pub from: Position,
}

/// The results of a search for savings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Savings {
    /// Locks without each of which everything stays safe.
    pub unneeded: Vec<String>,
    /// Sections, each of which could end earlier by itself.
    pub early_ends: Vec<EarlyEnd>,
    /// Whether the bound ended the search.
    pub is_cut: bool,
}

/// The program without any operation on these locks; their declarations stay, and so do all positions.
#[must_use]
pub fn without_locks(program: &Program, locks: &[String]) -> Program {
    let mut program = program.clone();
    for item in &mut program.items {
        let (ItemKind::Function { body, .. } | ItemKind::Process { body, .. }) = &mut item.kind else { continue };
        let mut blocks: Vec<&mut Block> = vec![body];
        while let Some(block) = blocks.pop() {
            remove(block, locks);
            for statement in &mut block.statements {
                blocks.extend(statement.kind.blocks_mut());
            }
        }
    }
    program
}

/// Removes the operations on locks directly in a block; the statements of a `sync` block take its place.
fn remove(block: &mut Block, locks: &[String]) {
    let is_one = |name: &str| locks.iter().any(|lock| lock == name);
    let mut waiting: Vec<Statement> = std::mem::take(&mut block.statements).into_iter().rev().collect();
    while let Some(mut statement) = waiting.pop() {
        match &mut statement.kind {
            StatementKind::Sync(used, inner) if is_one(&used.name.text) => {
                waiting.extend(std::mem::take(&mut inner.statements).into_iter().rev());
            }
            StatementKind::Acquire(used) if is_one(&used.name.text) => {}
            StatementKind::Release(name) | StatementKind::Wait(name) if is_one(&name.text) => {}
            _ => block.statements.push(statement),
        }
    }
}

/// Searches savings; `is_as_good` decides whether a changed program is as safe as the original one. It is called at
/// most `bound` times.
///
/// # Errors
/// Those of `is_as_good`.
pub fn savings<E>(
    program: &Program,
    bound: usize,
    mut is_as_good: impl FnMut(&Program) -> Result<bool, E>,
) -> Result<Savings, E> {
    let mut savings = Savings::default();
    let mut left = bound;
    let mut tries = |program: &Program, is_cut: &mut bool| -> Result<bool, E> {
        if left == 0 {
            *is_cut = true;
            return Ok(false);
        }
        left -= 1;
        is_as_good(program)
    };
    for lock in used_locks(program) {
        if tries(&without_locks(program, std::slice::from_ref(&lock)), &mut savings.is_cut)? {
            savings.unneeded.push(lock);
        }
    }
    for (run, lock) in sections(program) {
        if savings.unneeded.contains(&lock) {
            continue;
        }
        let (mut count, mut from) = (0, None);
        while let Some((shorter, at)) = shortened(program, &run, count + 1) {
            if !tries(&shorter, &mut savings.is_cut)? {
                break;
            }
            (count, from) = (count + 1, Some(at));
        }
        if let (Some(from), Some([section])) = (from, statements(program, &run)) {
            let body = run.body.name().to_string();
            savings.early_ends.push(EarlyEnd { lock, body, section: section.span.start, from });
        }
    }
    Ok(savings)
}

/// The locks with an operation, in the order of their declarations.
fn used_locks(program: &Program) -> Vec<String> {
    let declared = program.items.iter().flat_map(|item| match &item.kind {
        ItemKind::Locks(names) | ItemKind::RwLocks(names) => &names[..],
        _ => &[],
    });
    let is_used = |lock: &&eml::syntax::ast::Name| {
        let mut blocks: Vec<&Block> = bodies(program).map(|(_, body)| body).collect();
        while let Some(block) = blocks.pop() {
            for statement in &block.statements {
                match &statement.kind {
                    StatementKind::Sync(used, _) | StatementKind::Acquire(used) if used.name.text == lock.text => {
                        return true;
                    }
                    _ => blocks.extend(statement.kind.blocks()),
                }
            }
        }
        false
    };
    declared.filter(is_used).map(|name| name.text.clone()).collect()
}

fn bodies(program: &Program) -> impl Iterator<Item = (BodyName, &Block)> {
    program.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Function { name, body } => Some((BodyName::Function(name.text.clone()), body)),
        ItemKind::Process { name, body, .. } => Some((BodyName::Process(name.text.clone()), body)),
        _ => None,
    })
}

/// All `sync` blocks, with their locks.
fn sections(program: &Program) -> Vec<(Run, String)> {
    let mut found = Vec::new();
    for (name, body) in bodies(program) {
        let mut blocks = vec![(Vec::new(), body)];
        while let Some((path, block)) = blocks.pop() {
            for (number, statement) in block.statements.iter().enumerate() {
                if let Some((used, _)) = statement.kind.section() {
                    let run = Run { body: name.clone(), path: path.clone(), first: number, last: number };
                    found.push((run, used.name.text.clone()));
                }
                let inner = statement.kind.blocks().iter().enumerate();
                blocks.extend(inner.map(|(place, block)| ([&path[..], &[(number, place)]].concat(), block)));
            }
        }
    }
    found
}

/// The program with this number of statements moved from the end of a section to the place after it, and the position
/// of the first of them. None if the section would be empty.
fn shortened(program: &Program, run: &Run, count: usize) -> Option<(Program, Position)> {
    let mut changed = program.clone();
    let mut block = body_mut(&mut changed, &run.body)?;
    for (statement, place) in &run.path {
        block = block.statements.get_mut(*statement)?.kind.blocks_mut().get_mut(*place)?;
    }
    let StatementKind::Sync(_, inner) = &mut block.statements.get_mut(run.first)?.kind else { return None };
    let stays = inner.statements.len().checked_sub(count).filter(|stays| *stays > 0)?;
    let moved: Vec<Statement> = inner.statements.drain(stays..).collect();
    let from = moved.first()?.span.start;
    let after = run.first + 1;
    block.statements.splice(
        after..after,
        moved.into_iter().map(|statement| Statement { comments: Comments::default(), ..statement }),
    );
    Some((changed, from))
}
