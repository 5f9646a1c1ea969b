//! Syntax trees without positions, to compare the contents of two texts.

use super::ast::{Block, Comment, Comments, Item, ItemKind, Name, Program, Statement, StatementKind};
use super::span::{Position, Span};

/// The span that all nodes of a tree without positions have.
const NOWHERE: Span = Span::at(Position::START);

impl Program {
    /// Returns the tree with all spans set to one value. Two texts have the same contents, comments included, if their
    /// trees are equal without positions.
    ///
    /// ```
    /// use eml::syntax;
    ///
    /// let one = syntax::parse("process P { skip; }").unwrap();
    /// let other = syntax::parse("process P\n{ skip ; }").unwrap();
    /// assert_ne!(one, other);
    /// assert_eq!(one.without_positions(), other.without_positions());
    /// ```
    #[must_use]
    pub fn without_positions(mut self) -> Program {
        self.items.iter_mut().for_each(erase_item);
        erase_comments(&mut self.trailing_comments);
        self
    }
}

fn erase_item(item: &mut Item) {
    item.span = NOWHERE;
    erase_attached(&mut item.comments);
    match &mut item.kind {
        ItemKind::Locks(names) | ItemKind::RwLocks(names) | ItemKind::Overlap(names) | ItemKind::Shared(names) => {
            erase_names(names)
        }
        ItemKind::AtomicSet { name, members } => {
            erase_name(name);
            erase_names(members);
        }
        ItemKind::Function { name, body } | ItemKind::Process { name, body, .. } => {
            erase_name(name);
            erase_block(body);
        }
    }
}

/// Erases the positions of a statement, except in its blocks.
fn erase_statement(statement: &mut Statement) {
    statement.span = NOWHERE;
    erase_attached(&mut statement.comments);
    match &mut statement.kind {
        StatementKind::Read(name)
        | StatementKind::Write(name)
        | StatementKind::Release(name)
        | StatementKind::Wait(name)
        | StatementKind::Call(name)
        | StatementKind::Start(name)
        | StatementKind::Label(name)
        | StatementKind::Goto(name) => erase_name(name),
        StatementKind::Acquire(lock) => erase_name(&mut lock.name),
        StatementKind::Sync(lock, _) => erase_name(&mut lock.name),
        StatementKind::Atomic(_)
        | StatementKind::Loop(_)
        | StatementKind::Choose(_)
        | StatementKind::Begin
        | StatementKind::End
        | StatementKind::Return
        | StatementKind::Skip
        | StatementKind::Break
        | StatementKind::Continue => {}
    }
}

/// Erases the positions of a block and of all blocks inside.
fn erase_block(block: &mut Block) {
    let mut blocks = vec![block];
    while let Some(block) = blocks.pop() {
        block.span = NOWHERE;
        block.close = NOWHERE;
        erase_comments(&mut block.trailing_comments);
        for statement in &mut block.statements {
            erase_statement(statement);
            blocks.extend(statement.kind.blocks_mut());
        }
    }
}

fn erase_attached(comments: &mut Comments) {
    erase_comments(&mut comments.before);
    erase_comments(&mut comments.after);
    erase_comments(&mut comments.closing);
}

fn erase_comments(comments: &mut [Comment]) {
    for comment in comments {
        comment.span = NOWHERE;
    }
}

fn erase_names(names: &mut [Name]) {
    names.iter_mut().for_each(erase_name);
}

fn erase_name(name: &mut Name) {
    name.span = NOWHERE;
}
