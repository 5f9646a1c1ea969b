//! The syntax tree of an EML text, as written: names are not resolved, nothing is checked.
//!
//! Comments are kept beside the item or statement that they belong to, so that the pretty-printer loses none.
//!
//! Blocks may be nested to any depth. The crate walks and drops trees with explicit stacks; only cloning, comparing and
//! debug-printing a tree use call stack in proportion to its depth.

use super::span::Span;
pub use phases::Mode;

/// A whole EML text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Declarations, functions and processes in the order of the text.
    pub items: Vec<Item>,
    /// Comments after the last item.
    pub trailing_comments: Vec<Comment>,
}

impl Program {
    /// Lets all locks overlap, as if the text ended in an `overlap` item that names all locks.
    pub fn let_locks_overlap(&mut self) {
        let names = self.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Locks(names) | ItemKind::RwLocks(names) => Some(names.clone()),
            _ => None,
        });
        let kind = ItemKind::Overlap(names.flatten().collect());
        let span = self.items.last().map(|item| item.span);
        self.items.extend(span.map(|span| Item { kind, span, comments: Comments::default() }));
    }
}

/// A comment with its delimiters, `// ...` (without the line's end) or `/* ... */`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The text with its delimiters.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// The comments that belong to an item or a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comments {
    /// The comments on the lines before it.
    pub before: Vec<Comment>,
    /// The comments after it on its last line (for a construct with a block: after the opening brace, on its line).
    pub after: Vec<Comment>,
    /// The comments after the closing brace of its last block, on its line; none for a construct without a block.
    pub closing: Vec<Comment>,
}

/// A name with the place where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name itself.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A lock as a statement names it: `l`, or `read l` or `write l`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockUse {
    /// The mode, where one is written.
    pub mode: Option<Mode>,
    /// The lock.
    pub name: Name,
}

/// One declaration, function or process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The kind, with its parts.
    pub kind: ItemKind,
    /// The text from its keyword to its end.
    pub span: Span,
    /// Comments that belong to it.
    pub comments: Comments,
}

/// The kinds of top-level items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// `lock a, b;`
    Locks(Vec<Name>),
    /// `rwlock a, b;`
    RwLocks(Vec<Name>),
    /// `overlap a, b;`: these locks need not nest with others.
    Overlap(Vec<Name>),
    /// `shared x, y;`
    Shared(Vec<Name>),
    /// `atomicset S { x, y }`
    AtomicSet {
        /// Name of the set.
        name: Name,
        /// Its locations.
        members: Vec<Name>,
    },
    /// `fn f() { ... }`
    Function {
        /// Name of the function.
        name: Name,
        /// Its body.
        body: Block,
    },
    /// `process P * 2 { ... }`
    Process {
        /// Name of the process.
        name: Name,
        /// The number of instances; one if the text has none.
        multiplicity: Multiplicity,
        /// Its body.
        body: Block,
    },
}

/// The number of instances of a process that run from the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Multiplicity {
    /// No number in the text: one instance.
    Single,
    /// `* n`, at least 1 in a model.
    Times(u32),
    /// `* many`: any number.
    Many,
}

/// Statements between braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The statements in order.
    pub statements: Vec<Statement>,
    /// Comments after the last statement, before the closing brace.
    pub trailing_comments: Vec<Comment>,
    /// The text from the opening brace to the closing one, both included.
    pub span: Span,
    /// The closing brace.
    pub close: Span,
}

impl Drop for Block {
    /// Drops without recursion: inner blocks are emptied before they are dropped.
    fn drop(&mut self) {
        let mut full = vec![std::mem::take(&mut self.statements)];
        while let Some(statements) = full.pop() {
            for mut statement in statements {
                let inner = statement.kind.blocks_mut().iter_mut().map(|block| std::mem::take(&mut block.statements));
                full.extend(inner.filter(|statements| !statements.is_empty()));
            }
        }
    }
}

/// One statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The kind, with its operands and blocks.
    pub kind: StatementKind,
    /// The text from its first token to its last.
    pub span: Span,
    /// Comments that belong to it.
    pub comments: Comments,
}

/// The kinds of statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// `read x;`
    Read(Name),
    /// `write x;`
    Write(Name),
    /// `sync l { ... }`, `sync read l { ... }` or `sync write l { ... }`
    Sync(LockUse, Block),
    /// `acquire l;`, perhaps with a mode
    Acquire(LockUse),
    /// `release l;`
    Release(Name),
    /// `wait l;`
    Wait(Name),
    /// `atomic { ... }`
    Atomic(Block),
    /// `begin;`
    Begin,
    /// `end;`
    End,
    /// `call f;`
    Call(Name),
    /// `return;`
    Return,
    /// `skip;`
    Skip,
    /// `choose { ... } or { ... }`, at least one block
    Choose(Vec<Block>),
    /// `loop { ... }`
    Loop(Block),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `start P;`
    Start(Name),
    /// `name:`
    Label(Name),
    /// `goto name;`
    Goto(Name),
}

/// The blocks of a statement kind as a slice; `$one` makes a slice of a single block.
macro_rules! blocks {
    ($kind:expr, $one:path) => {
        match $kind {
            StatementKind::Sync(_, block) | StatementKind::Atomic(block) | StatementKind::Loop(block) => $one(block),
            StatementKind::Choose(blocks) => blocks,
            StatementKind::Read(_)
            | StatementKind::Write(_)
            | StatementKind::Acquire(_)
            | StatementKind::Release(_)
            | StatementKind::Wait(_)
            | StatementKind::Begin
            | StatementKind::End
            | StatementKind::Call(_)
            | StatementKind::Return
            | StatementKind::Skip
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Start(_)
            | StatementKind::Label(_)
            | StatementKind::Goto(_) => Default::default(),
        }
    };
}

impl StatementKind {
    /// Returns its blocks; most kinds have none.
    pub fn blocks(&self) -> &[Block] {
        blocks!(self, std::slice::from_ref)
    }

    /// Returns the lock and the block of `sync`.
    pub fn section(&self) -> Option<(&LockUse, &Block)> {
        if let Self::Sync(used, block) = self { Some((used, block)) } else { None }
    }

    /// Returns its blocks for changes.
    pub fn blocks_mut(&mut self) -> &mut [Block] {
        blocks!(self, std::slice::from_mut)
    }
}
