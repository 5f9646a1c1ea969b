//! Models built call by call, by callers in other languages: blocks are opened and closed instead of being closures.
//!
//! **Invariant.** The open blocks are a path from a procedure to the innermost block; each is complete when it is
//! closed, and only then becomes a statement of the block around it. So the tree is that of a [`ModelBuilder`] with the
//! same calls. Neither calls nor the tree use call stack in proportion to the depth of blocks: open blocks are a list,
//! and [`build`](FlatBuilder::build) does not copy the tree.

use super::{BodyBuilder, Errors, FileId, Mode, Model, ModelBuilder, ModelError, Multiplicity, Position, Warning};
use crate::syntax::ast::{Block, Program};
use std::fmt;

/// Builds a model call by call.
///
/// Kinds of statements and of blocks are the words of the language: `read`, `write`, `acquire`, `acquire read`,
/// `acquire write`, `release`, `wait`, `call`, `start`, `label` and `goto` take a name; `begin`, `end`, `return`,
/// `skip`, `break` and `continue` take none. Blocks are `fn`, `process`, `sync`, `sync read` and `sync write`, with a
/// name, and `atomic`, `loop`, `choose` and `or`, without. A `choose` has blocks `or` and nothing else.
///
/// ```
/// use eml::model::{FlatBuilder, Multiplicity};
///
/// let mut builder = FlatBuilder::new();
/// builder.declarations().lock("l").location("x");
/// builder.open_process("P", Multiplicity::Times(2))?;
/// builder.open("atomic", None)?;
/// for access in ["read", "write"] {
///     builder.open("sync", Some("l"))?;
///     builder.statement(access, Some("x"))?;
///     builder.close()?;
/// }
/// builder.close()?;
/// builder.close()?;
/// let (model, _, _) = builder.build()?.expect("it obeys the rules");
/// assert_eq!(model.processes()[0].name(), "P");
/// # Ok::<(), eml::model::BlockError>(())
/// ```
#[derive(Debug, Default)]
pub struct FlatBuilder {
    declarations: ModelBuilder,
    /// The open blocks, the innermost last.
    open: Vec<Open>,
}

/// A model that was built, its warnings, and its syntax tree; or the errors.
pub type Built = Result<(Model, Vec<Warning>, Program), Refused>;

/// Calls that make no model.
#[derive(Clone, Debug)]
pub struct Refused {
    /// The errors.
    pub errors: Errors<ModelError>,
    files: Vec<String>,
}

impl Refused {
    /// The name of the file of a position; none if the caller named none.
    pub fn file(&self, file: FileId) -> Option<&str> {
        self.files.get(file.named()?).map(String::as_str)
    }
}

/// An open block.
#[derive(Debug)]
struct Open {
    kind: Kind,
    begin: Position,
    body: BodyBuilder,
}

/// The kind of an open block.
#[derive(Debug)]
enum Kind {
    Procedure(String, Option<Multiplicity>),
    Sync(Option<Mode>, String),
    Atomic,
    Loop,
    /// With its complete blocks.
    Choose(Vec<Block>),
    Or,
}

/// A call that does not fit the open blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlockError {
    /// No kind of statement or block has this name.
    UnknownKind(String),
    /// The kind needs a name.
    MissingName(String),
    /// The kind takes no name.
    UnexpectedName(String),
    /// A statement or a block outside of functions and processes.
    OutsideProcedure,
    /// A procedure or a declaration within a block.
    InsideBlock,
    /// Something else than a block `or` in a `choose`.
    InsideChoose,
    /// A block `or` that is not in a `choose`.
    OutsideChoose,
    /// No block is open.
    NothingOpen,
    /// This number of blocks is open at the end.
    StillOpen(usize),
}

impl fmt::Display for BlockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownKind(kind) => {
                write!(f, "there is no statement or block of the kind `{}`", kind.escape_debug())
            }
            Self::MissingName(kind) => write!(f, "`{kind}` needs a name"),
            Self::UnexpectedName(kind) => write!(f, "`{kind}` takes no name"),
            Self::OutsideProcedure => f.write_str("statements stand in functions and processes"),
            Self::InsideBlock => f.write_str("declarations, functions and processes do not stand in blocks"),
            Self::InsideChoose => f.write_str("a `choose` has blocks `or` and nothing else"),
            Self::OutsideChoose => f.write_str("blocks `or` stand in a `choose`"),
            Self::NothingOpen => f.write_str("no block is open"),
            Self::StillOpen(1) => f.write_str("a block is not closed"),
            Self::StillOpen(count) => write!(f, "{count} blocks are not closed"),
        }
    }
}

impl std::error::Error for BlockError {}

impl FlatBuilder {
    /// Creates an empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// The declarations of locks, locations and atomic sets, which may come at any time.
    pub fn declarations(&mut self) -> &mut ModelBuilder {
        &mut self.declarations
    }

    /// Sets the position, both numbers from 1, of the following statements, of the end of the innermost block, and of
    /// declarations; with a file, also their file.
    pub fn at(&mut self, file: Option<&str>, line: u32, column: u32) -> &mut Self {
        if let Some(file) = file {
            let file = self.declarations.file(file);
            self.declarations.in_file(file);
            if let Some(innermost) = self.open.last_mut() {
                innermost.body.in_file(file);
            }
        }
        self.declarations.at(line, column);
        if let Some(innermost) = self.open.last_mut() {
            innermost.body.at(line, column);
        }
        self
    }

    /// Opens a process.
    ///
    /// # Errors
    /// If another block is open.
    pub fn open_process(&mut self, name: &str, multiplicity: Multiplicity) -> Result<(), BlockError> {
        self.open_procedure(Kind::Procedure(name.to_string(), Some(multiplicity)))
    }

    /// Opens a block.
    ///
    /// # Errors
    /// If such a block cannot stand here.
    pub fn open(&mut self, kind: &str, name: Option<&str>) -> Result<(), BlockError> {
        let named = || name.map(String::from).ok_or_else(|| BlockError::MissingName(kind.to_string()));
        let opened = match kind {
            "fn" => return self.open_procedure(Kind::Procedure(named()?, None)),
            "process" => return self.open_process(&named()?, Multiplicity::Single),
            "sync" => Kind::Sync(None, named()?),
            "sync read" => Kind::Sync(Some(Mode::Read), named()?),
            "sync write" => Kind::Sync(Some(Mode::Write), named()?),
            "atomic" => Kind::Atomic,
            "loop" => Kind::Loop,
            "choose" => Kind::Choose(Vec::new()),
            "or" => Kind::Or,
            _ => return Err(BlockError::UnknownKind(kind.to_string())),
        };
        if name.is_some() && !matches!(opened, Kind::Sync(..)) {
            return Err(BlockError::UnexpectedName(kind.to_string()));
        }
        let around = self.open.last().ok_or(BlockError::OutsideProcedure)?;
        match (&around.kind, &opened) {
            (Kind::Choose(_), Kind::Or) => {}
            (Kind::Choose(_), _) => return Err(BlockError::InsideChoose),
            (_, Kind::Or) => return Err(BlockError::OutsideChoose),
            _ => {}
        }
        let begin = around.body.position();
        self.open.push(Open { kind: opened, begin, body: BodyBuilder::new(begin) });
        Ok(())
    }

    fn open_procedure(&mut self, kind: Kind) -> Result<(), BlockError> {
        if !self.open.is_empty() {
            return Err(BlockError::InsideBlock);
        }
        let begin = self.declarations.position();
        self.open.push(Open { kind, begin, body: BodyBuilder::new(begin) });
        Ok(())
    }

    /// Adds a statement to the innermost block.
    ///
    /// # Errors
    /// If a statement of this kind cannot stand here.
    pub fn statement(&mut self, kind: &str, name: Option<&str>) -> Result<(), BlockError> {
        let takes_name = match kind {
            "read" | "write" | "acquire" | "acquire read" | "acquire write" | "release" | "wait" | "call" | "start"
            | "label" | "goto" => true,
            "begin" | "end" | "return" | "skip" | "break" | "continue" => false,
            _ => return Err(BlockError::UnknownKind(kind.to_string())),
        };
        let name = match name {
            Some(_) if !takes_name => return Err(BlockError::UnexpectedName(kind.to_string())),
            None if takes_name => return Err(BlockError::MissingName(kind.to_string())),
            name => name.unwrap_or_default(),
        };
        let innermost = self.open.last_mut().ok_or(BlockError::OutsideProcedure)?;
        if matches!(innermost.kind, Kind::Choose(_)) {
            return Err(BlockError::InsideChoose);
        }
        let body = &mut innermost.body;
        match kind {
            "read" => body.read(name),
            "write" => body.write(name),
            "acquire" => body.acquire(name),
            "acquire read" => body.acquire_in(Mode::Read, name),
            "acquire write" => body.acquire_in(Mode::Write, name),
            "release" => body.release(name),
            "wait" => body.wait(name),
            "call" => body.call(name),
            "start" => body.start(name),
            "label" => body.label(name),
            "goto" => body.goto(name),
            "begin" => body.begin(),
            "end" => body.end(),
            "return" => body.return_(),
            "break" => body.break_(),
            "continue" => body.continue_(),
            _ => body.skip(),
        };
        Ok(())
    }

    /// Closes the innermost block.
    ///
    /// # Errors
    /// If no block is open.
    pub fn close(&mut self) -> Result<(), BlockError> {
        let Open { kind, begin, body } = self.open.pop().ok_or(BlockError::NothingOpen)?;
        let block = body.finish(begin);
        let Some(around) = self.open.last_mut() else {
            if let Kind::Procedure(name, multiplicity) = kind {
                self.declarations.add_procedure(name, multiplicity, block);
            }
            return Ok(());
        };
        match kind {
            Kind::Sync(mode, lock) => around.body.add_sync(mode, lock, block),
            Kind::Atomic => around.body.add_atomic(block),
            Kind::Loop => around.body.add_loop(block),
            Kind::Choose(blocks) => around.body.add_choice(blocks),
            Kind::Or => {
                if let Kind::Choose(blocks) = &mut around.kind {
                    blocks.push(block);
                }
            }
            // A procedure has no block around it.
            Kind::Procedure(..) => {}
        }
        Ok(())
    }

    /// Builds the model, by the same rules as for texts.
    ///
    /// # Errors
    /// If a block is open. The inner result has all errors of the model.
    pub fn build(self) -> Result<Built, BlockError> {
        if !self.open.is_empty() {
            return Err(BlockError::StillOpen(self.open.len()));
        }
        let (program, files) = self.declarations.into_parts();
        Ok(match Model::with_files(&program, files.clone()) {
            Ok((model, warnings)) => Ok((model, warnings, program)),
            Err(errors) => Err(Refused { errors, files }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax;

    const STATEMENTS: [&str; 17] = [
        "read x",
        "write x",
        "acquire l",
        "acquire read r",
        "acquire write r",
        "release l",
        "wait l",
        "call f",
        "start Q",
        "label a",
        "goto a",
        "begin",
        "end",
        "return",
        "skip",
        "break",
        "continue",
    ];

    /// Splits `acquire read r` into the kind and the name.
    fn parts(statement: &str) -> (&str, Option<&str>) {
        match statement.rsplit_once(' ') {
            Some((kind, name)) => (kind, Some(name)),
            None => (statement, None),
        }
    }

    #[test]
    fn the_tree_is_that_of_the_text() {
        let mut builder = FlatBuilder::new();
        builder.declarations().lock("l").location("x").rwlock("r");
        let mut text = String::from("lock l; shared x; rwlock r; fn f() { ");
        builder.open("fn", Some("f")).unwrap();
        for block in ["sync l", "sync read r", "sync write r", "atomic", "loop"] {
            let (kind, name) = parts(block);
            builder.open(kind, name).unwrap();
            text += &format!("{block} {{ ");
        }
        for statement in STATEMENTS {
            let (kind, name) = parts(statement);
            builder.statement(kind, name).unwrap();
            text += &match statement {
                "label a" => "a: ".to_string(),
                other => format!("{other}; "),
            };
        }
        builder.open("choose", None).unwrap();
        for _ in 0..2 {
            builder.open("or", None).unwrap();
            builder.close().unwrap();
        }
        builder.close().unwrap();
        text += "choose { } or { } } } } } } } process P * many { }";
        for _ in 0..6 {
            builder.close().unwrap();
        }
        builder.open_process("P", Multiplicity::Many).unwrap();
        builder.close().unwrap();
        let (program, _) = builder.declarations.into_parts();
        assert_eq!(program.without_positions(), syntax::parse(&text).unwrap().without_positions());
    }

    #[test]
    fn calls_that_do_not_fit_are_refused_and_change_nothing() {
        let mut builder = FlatBuilder::new();
        assert_eq!(builder.close(), Err(BlockError::NothingOpen));
        assert_eq!(builder.statement("skip", None), Err(BlockError::OutsideProcedure));
        assert_eq!(builder.open("atomic", None), Err(BlockError::OutsideProcedure));
        assert_eq!(builder.open("process", None), Err(BlockError::MissingName("process".into())));
        builder.open("process", Some("P")).unwrap();
        assert_eq!(builder.open("fn", Some("f")), Err(BlockError::InsideBlock));
        assert_eq!(builder.open("or", None), Err(BlockError::OutsideChoose));
        assert_eq!(builder.statement("reads", None), Err(BlockError::UnknownKind("reads".into())));
        assert_eq!(builder.statement("read", None), Err(BlockError::MissingName("read".into())));
        assert_eq!(builder.statement("skip", Some("x")), Err(BlockError::UnexpectedName("skip".into())));
        assert_eq!(builder.open("loop", Some("x")), Err(BlockError::UnexpectedName("loop".into())));
        builder.open("choose", None).unwrap();
        assert_eq!(builder.statement("skip", None), Err(BlockError::InsideChoose));
        assert_eq!(builder.open("loop", None), Err(BlockError::InsideChoose));
        builder.open("or", None).unwrap();
        builder.statement("skip", None).unwrap();
        for _ in 0..3 {
            builder.close().unwrap();
        }
        let (_, _, program) = builder.build().unwrap().unwrap();
        let text = "process P { choose { skip; } }";
        assert_eq!(program.without_positions(), syntax::parse(text).unwrap().without_positions());
    }

    #[test]
    fn open_blocks_are_no_model() {
        let mut builder = FlatBuilder::new();
        builder.open("process", Some("P")).unwrap();
        builder.open("loop", None).unwrap();
        assert!(matches!(builder.build(), Err(BlockError::StillOpen(2))));
    }

    #[test]
    fn errors_have_files() {
        let mut builder = FlatBuilder::new();
        builder.open("process", Some("P")).unwrap();
        builder.at(Some("A.java"), 7, 3).statement("read", Some("x")).unwrap();
        builder.close().unwrap();
        let refused = builder.build().unwrap().unwrap_err();
        let place = refused.errors[0].span().start;
        assert_eq!((refused.file(place.file), place.line, place.column), (Some("A.java"), 7, 3));
    }

    #[test]
    fn deep_blocks_use_no_call_stack() {
        let mut builder = FlatBuilder::new();
        builder.open("process", Some("P")).unwrap();
        for _ in 0..100_000 {
            builder.open("loop", None).unwrap();
        }
        for _ in 0..100_001 {
            builder.close().unwrap();
        }
        assert!(builder.build().unwrap().is_ok());
        let mut unfinished = FlatBuilder::new();
        unfinished.open("process", Some("P")).unwrap();
        (0..100_000).for_each(|_| unfinished.open("atomic", None).unwrap());
    }

    #[test]
    fn positions_and_files_are_those_of_the_caller() {
        let mut builder = FlatBuilder::new();
        builder.at(Some("A.java"), 3, 1).declarations().lock("l");
        builder.at(None, 10, 1).open("process", Some("P")).unwrap();
        builder.at(None, 11, 5).open("sync", Some("l")).unwrap();
        builder.at(Some("B.java"), 12, 9).statement("skip", None).unwrap();
        builder.at(Some("A.java"), 13, 5).close().unwrap();
        builder.at(None, 14, 1).close().unwrap();
        let (model, _, _) = builder.build().unwrap().unwrap();
        let lines: Vec<_> =
            model.nodes().map(|(_, node)| (model.file(node.position.file), node.position.line)).collect();
        assert_eq!(lines, [(Some("A.java"), 11), (Some("B.java"), 12), (Some("A.java"), 11), (Some("A.java"), 14)]);
    }
}
