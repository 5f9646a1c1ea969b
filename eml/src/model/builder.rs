//! Models built by code: for other analyzers, which have programs but no EML text.
//!
//! A builder makes the syntax tree of a text, so its models obey the same rules as models of texts and can be printed.

use super::{Errors, Model, ModelError, Warning};
use crate::syntax::ast::{
    Block, Comments, Item, ItemKind, LockUse, Mode, Multiplicity, Name, Program, Statement, StatementKind,
};
use crate::syntax::{FileId, Position, Span};

/// Builds a model declaration by declaration.
///
/// Locks, locations and atomic sets are declared before functions and processes, in any order of the calls. Positions
/// are optional: the default is line 1, column 1; see [`at`](Self::at).
///
/// # Examples
///
/// ```
/// use eml::syntax;
/// use eml::model::{ModelBuilder, Multiplicity};
///
/// let mut builder = ModelBuilder::new();
/// builder.function("update", |body| {
///     body.at(12, 5).sync("l", |body| {
///         body.at(13, 9).read("x");
///         body.at(14, 9).write("x");
///     });
/// });
/// builder.process("P", Multiplicity::Times(2), |body| {
///     body.atomic(|body| {
///         body.call("update");
///         body.choose(|choice| {
///             choice.block(|body| {
///                 body.call("update");
///             });
///             choice.block(|_| {});
///         });
///     });
/// });
/// builder.lock("l").location("x");
///
/// let (model, warnings) = builder.build().unwrap();
/// assert_eq!(model.procedures().len(), 2);
/// assert!(warnings.is_empty());
/// assert!(syntax::print(&builder.program()).starts_with("lock l;\nshared x;\n"));
/// ```
#[derive(Clone, Debug)]
pub struct ModelBuilder {
    declarations: Vec<Item>,
    procedures: Vec<Item>,
    files: Vec<String>,
    position: Position,
}

impl Default for ModelBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl ModelBuilder {
    /// Creates an empty builder.
    pub fn new() -> Self {
        Self { declarations: Vec::new(), procedures: Vec::new(), files: Vec::new(), position: Position::START }
    }

    /// Returns the id of a file for positions: the same id for the same name. Linear in the number of files.
    pub fn file(&mut self, name: &str) -> FileId {
        let known = self.files.iter().position(|file| file == name);
        let index = known.unwrap_or_else(|| {
            self.files.push(name.to_string());
            self.files.len() - 1
        });
        FileId::new(index)
    }

    /// Sets the file of the positions of the following declarations.
    pub fn in_file(&mut self, file: FileId) -> &mut Self {
        self.position.file = file;
        self
    }

    /// Sets the position, both numbers from 1, of the following declarations, in the same file as before.
    pub fn at(&mut self, line: u32, column: u32) -> &mut Self {
        self.position = self.position.file.at(line, column);
        self
    }

    /// Declares a lock.
    pub fn lock(&mut self, name: impl Into<String>) -> &mut Self {
        let kind = ItemKind::Locks(vec![name_at(name, self.position)]);
        self.declare(kind)
    }

    /// Lets a lock, declared before, overlap with others instead of nesting.
    pub fn overlap(&mut self, name: impl Into<String>) -> &mut Self {
        let kind = ItemKind::Overlap(vec![name_at(name, self.position)]);
        self.declare(kind)
    }

    /// Declares a read-write lock.
    pub fn rwlock(&mut self, name: impl Into<String>) -> &mut Self {
        let kind = ItemKind::RwLocks(vec![name_at(name, self.position)]);
        self.declare(kind)
    }

    /// Declares a shared location.
    pub fn location(&mut self, name: impl Into<String>) -> &mut Self {
        let kind = ItemKind::Shared(vec![name_at(name, self.position)]);
        self.declare(kind)
    }

    /// Declares an atomic set.
    pub fn atomic_set(
        &mut self,
        name: impl Into<String>,
        members: impl IntoIterator<Item = impl Into<String>>,
    ) -> &mut Self {
        let members = members.into_iter();
        let kind = ItemKind::AtomicSet {
            name: name_at(name, self.position),
            members: members.map(|member| name_at(member, self.position)).collect(),
        };
        self.declare(kind)
    }

    /// Declares a function.
    pub fn function(&mut self, name: impl Into<String>, body: impl FnOnce(&mut BodyBuilder)) -> &mut Self {
        let kind = ItemKind::Function { name: name_at(name, self.position), body: block(self.position, body) };
        self.procedures.push(item_at(kind, self.position));
        self
    }

    /// Declares a process.
    pub fn process(
        &mut self,
        name: impl Into<String>,
        multiplicity: Multiplicity,
        body: impl FnOnce(&mut BodyBuilder),
    ) -> &mut Self {
        let kind =
            ItemKind::Process { name: name_at(name, self.position), multiplicity, body: block(self.position, body) };
        self.procedures.push(item_at(kind, self.position));
        self
    }

    /// Returns the syntax tree of the declarations so far.
    pub fn program(&self) -> Program {
        Program { items: [self.declarations.as_slice(), &self.procedures].concat(), trailing_comments: Vec::new() }
    }

    /// Builds the model of the declarations so far, by the same rules as for texts.
    ///
    /// # Errors
    ///
    /// All errors. Errors of models without text are rendered with
    /// [`Source::without_text`](crate::syntax::Source), or in one line with the name of the file by
    /// [`describe`](Self::describe).
    pub fn build(&self) -> Result<(Model, Vec<Warning>), Errors<ModelError>> {
        Model::with_files(&self.program(), self.files.clone())
    }

    /// Returns the syntax tree of the declarations so far and the names of the files of its positions, without a copy.
    pub(super) fn into_parts(self) -> (Program, Vec<String>) {
        let Self { mut declarations, procedures, files, .. } = self;
        declarations.extend(procedures);
        (Program { items: declarations, trailing_comments: Vec::new() }, files)
    }

    /// The position of the next declaration.
    pub(super) fn position(&self) -> Position {
        self.position
    }

    /// Adds a function or a process with this name and the multiplicity of a process.
    pub(super) fn add_procedure(&mut self, name: String, multiplicity: Option<Multiplicity>, body: Block) {
        let position = body.span.start;
        let name = name_at(name, position);
        let kind = match multiplicity {
            Some(multiplicity) => ItemKind::Process { name, multiplicity, body },
            None => ItemKind::Function { name, body },
        };
        self.procedures.push(item_at(kind, position));
    }

    /// Formats an error in one line: file, line, column and message.
    pub fn describe(&self, error: &ModelError) -> String {
        let file = error.span().start.file.named().and_then(|index| self.files.get(index));
        file.map_or_else(|| error.to_string(), |file| format!("{file}:{error}"))
    }

    fn declare(&mut self, kind: ItemKind) -> &mut Self {
        self.declarations.push(item_at(kind, self.position));
        self
    }
}

/// Builds the statements of one block.
#[derive(Debug)]
pub struct BodyBuilder {
    statements: Vec<Statement>,
    position: Position,
}

impl BodyBuilder {
    /// An empty block at a position.
    pub(super) fn new(position: Position) -> Self {
        Self { statements: Vec::new(), position }
    }

    /// The position of the next statement.
    pub(super) fn position(&self) -> Position {
        self.position
    }

    /// Holds a lock for a complete block.
    pub(super) fn add_sync(&mut self, mode: Option<Mode>, lock: String, block: Block) {
        let kind = StatementKind::Sync(self.lock_use(mode, lock), block);
        self.add(kind);
    }

    /// Adds a unit of work.
    pub(super) fn add_atomic(&mut self, block: Block) {
        self.add(StatementKind::Atomic(block));
    }

    /// Runs a complete block any number of times.
    pub(super) fn add_loop(&mut self, block: Block) {
        self.add(StatementKind::Loop(block));
    }

    /// Takes one of some complete blocks.
    pub(super) fn add_choice(&mut self, blocks: Vec<Block>) {
        self.add(StatementKind::Choose(blocks));
    }

    /// Returns the block, which began at a position and ends at the position that was set last.
    pub(super) fn finish(self, begin: Position) -> Block {
        Block {
            statements: self.statements,
            trailing_comments: Vec::new(),
            span: Span::at(begin),
            close: Span::at(self.position),
        }
    }

    /// Sets the file of the positions from now on.
    pub fn in_file(&mut self, file: FileId) -> &mut Self {
        self.position.file = file;
        self
    }

    /// Sets the position, both numbers from 1, of the following statements and of the end of the block.
    pub fn at(&mut self, line: u32, column: u32) -> &mut Self {
        self.position = self.position.file.at(line, column);
        self
    }

    /// Reads a location.
    pub fn read(&mut self, location: impl Into<String>) -> &mut Self {
        self.with_name(StatementKind::Read, location)
    }

    /// Writes a location.
    pub fn write(&mut self, location: impl Into<String>) -> &mut Self {
        self.with_name(StatementKind::Write, location)
    }

    /// Holds a lock for a block.
    pub fn sync(&mut self, lock: impl Into<String>, body: impl FnOnce(&mut BodyBuilder)) -> &mut Self {
        self.sync_as(None, lock, body)
    }

    /// Holds a read-write lock in a mode for a block.
    pub fn sync_in(&mut self, mode: Mode, lock: impl Into<String>, body: impl FnOnce(&mut BodyBuilder)) -> &mut Self {
        self.sync_as(Some(mode), lock, body)
    }

    fn sync_as(
        &mut self,
        mode: Option<Mode>,
        lock: impl Into<String>,
        body: impl FnOnce(&mut BodyBuilder),
    ) -> &mut Self {
        let kind = StatementKind::Sync(self.lock_use(mode, lock), block(self.position, body));
        self.add(kind)
    }

    /// Acquires a lock.
    pub fn acquire(&mut self, lock: impl Into<String>) -> &mut Self {
        self.add(StatementKind::Acquire(self.lock_use(None, lock)))
    }

    /// Acquires a read-write lock in a mode.
    pub fn acquire_in(&mut self, mode: Mode, lock: impl Into<String>) -> &mut Self {
        self.add(StatementKind::Acquire(self.lock_use(Some(mode), lock)))
    }

    /// Releases a lock, in the mode in which it was acquired last.
    pub fn release(&mut self, lock: impl Into<String>) -> &mut Self {
        self.with_name(StatementKind::Release, lock)
    }

    /// Waits on a plain lock: releases it completely, lets others run, and acquires it again.
    pub fn wait(&mut self, lock: impl Into<String>) -> &mut Self {
        self.with_name(StatementKind::Wait, lock)
    }

    /// Adds a unit of work.
    pub fn atomic(&mut self, body: impl FnOnce(&mut BodyBuilder)) -> &mut Self {
        let kind = StatementKind::Atomic(block(self.position, body));
        self.add(kind)
    }

    /// Begins a unit of work.
    pub fn begin(&mut self) -> &mut Self {
        self.add(StatementKind::Begin)
    }

    /// Ends the innermost unit of work.
    pub fn end(&mut self) -> &mut Self {
        self.add(StatementKind::End)
    }

    /// Calls a function.
    pub fn call(&mut self, function: impl Into<String>) -> &mut Self {
        self.with_name(StatementKind::Call, function)
    }

    /// Returns from the function, or ends the process.
    pub fn return_(&mut self) -> &mut Self {
        self.add(StatementKind::Return)
    }

    /// Does nothing.
    pub fn skip(&mut self) -> &mut Self {
        self.add(StatementKind::Skip)
    }

    /// Takes one of some blocks, at least one.
    pub fn choose(&mut self, blocks: impl FnOnce(&mut ChoiceBuilder)) -> &mut Self {
        let mut builder = ChoiceBuilder { blocks: Vec::new(), position: self.position };
        blocks(&mut builder);
        self.add(StatementKind::Choose(builder.blocks))
    }

    /// Runs a block any number of times.
    pub fn loop_(&mut self, body: impl FnOnce(&mut BodyBuilder)) -> &mut Self {
        let kind = StatementKind::Loop(block(self.position, body));
        self.add(kind)
    }

    /// Leaves the innermost loop.
    pub fn break_(&mut self) -> &mut Self {
        self.add(StatementKind::Break)
    }

    /// Continues the innermost loop.
    pub fn continue_(&mut self) -> &mut Self {
        self.add(StatementKind::Continue)
    }

    /// Creates an instance of a process.
    pub fn start(&mut self, process: impl Into<String>) -> &mut Self {
        self.with_name(StatementKind::Start, process)
    }

    /// Declares a label.
    pub fn label(&mut self, label: impl Into<String>) -> &mut Self {
        self.with_name(StatementKind::Label, label)
    }

    /// Jumps to a label.
    pub fn goto(&mut self, label: impl Into<String>) -> &mut Self {
        self.with_name(StatementKind::Goto, label)
    }

    fn lock_use(&self, mode: Option<Mode>, lock: impl Into<String>) -> LockUse {
        LockUse { mode, name: name_at(lock, self.position) }
    }

    fn with_name(&mut self, kind: fn(Name) -> StatementKind, name: impl Into<String>) -> &mut Self {
        self.add(kind(name_at(name, self.position)))
    }

    fn add(&mut self, kind: StatementKind) -> &mut Self {
        self.statements.push(Statement { kind, span: Span::at(self.position), comments: Comments::default() });
        self
    }
}

/// Builds the blocks of a `choose`.
#[derive(Debug)]
pub struct ChoiceBuilder {
    blocks: Vec<Block>,
    position: Position,
}

impl ChoiceBuilder {
    /// Sets the file of the positions from now on.
    pub fn in_file(&mut self, file: FileId) -> &mut Self {
        self.position.file = file;
        self
    }

    /// Sets the position, both numbers from 1, of the following blocks.
    pub fn at(&mut self, line: u32, column: u32) -> &mut Self {
        self.position = self.position.file.at(line, column);
        self
    }

    /// Adds a block.
    pub fn block(&mut self, body: impl FnOnce(&mut BodyBuilder)) -> &mut Self {
        self.blocks.push(block(self.position, body));
        self
    }
}

/// Builds a block that begins at a position and ends at the position that was set last in it.
fn block(position: Position, body: impl FnOnce(&mut BodyBuilder)) -> Block {
    let mut builder = BodyBuilder::new(position);
    body(&mut builder);
    builder.finish(position)
}

fn item_at(kind: ItemKind, position: Position) -> Item {
    Item { kind, span: Span::at(position), comments: Comments::default() }
}

fn name_at(name: impl Into<String>, position: Position) -> Name {
    Name { text: name.into(), span: Span::at(position) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{self, Source};

    /// Returns a builder with every kind of statement, and the corresponding text.
    fn everything() -> (ModelBuilder, &'static str) {
        let mut builder = ModelBuilder::new();
        builder.lock("l").location("x").location("y");
        builder.atomic_set("S", ["x", "y"]);
        builder.function("f", |body| {
            body.acquire("l").release("l").begin().end().skip().return_();
        });
        builder.process("P", Multiplicity::Many, |body| {
            body.loop_(|body| {
                body.break_().continue_();
            });
            body.choose(|choice| {
                choice.block(|body| {
                    body.label("again").start("Q").goto("again");
                });
                choice.block(|body| {
                    body.sync("l", |body| {
                        body.atomic(|body| {
                            body.read("x").write("y").call("f");
                        });
                    });
                });
            });
        });
        builder.process("Q", Multiplicity::Single, |_| {});
        let text = "lock l; shared x; shared y; atomicset S { x, y }
            fn f() { acquire l; release l; begin; end; skip; return; }
            process P * many {
              loop { break; continue; }
              choose { again: start Q; goto again; }
              or { sync l { atomic { read x; write y; call f; } } }
            }
            process Q { }";
        (builder, text)
    }

    #[test]
    fn statements_have_files() {
        let mut builder = ModelBuilder::new();
        let (pool, main) = (builder.file("Pool.java"), builder.file("Main.java"));
        assert_eq!(builder.file("Pool.java"), pool);
        builder.in_file(pool).at(3, 1).location("x");
        builder.process("P", Multiplicity::Single, |body| {
            body.in_file(main).at(7, 9).read("x").in_file(pool).at(8, 1).acquire("l");
        });
        let errors = builder.build().unwrap_err();
        assert_eq!(builder.describe(&errors[0]), "Pool.java:8:1: the lock `l` is not declared");
        builder.lock("l");
        let errors = builder.build().unwrap_err();
        let described = builder.describe(&errors[0]);
        assert!(described.starts_with("Pool.java:8:1: "), "{described}");
    }

    #[test]
    fn a_builder_makes_the_tree_of_the_text() {
        let (builder, text) = everything();
        let parsed = syntax::parse(text).unwrap();
        assert_eq!(builder.program().without_positions(), parsed.clone().without_positions());
        let nodes = |model: &Model| -> Vec<_> {
            let nodes = model.nodes();
            nodes.map(|(id, node)| (node.operation, model.successors(id).to_vec())).collect()
        };
        let (built, _) = builder.build().unwrap();
        let (read, _) = Model::from_program(&parsed).unwrap();
        assert_eq!(nodes(&built), nodes(&read));
    }

    #[test]
    fn positions_are_those_of_the_caller() {
        let mut builder = ModelBuilder::new();
        builder.at(3, 1).lock("l");
        builder.at(10, 1).process("P", Multiplicity::Single, |body| {
            body.at(11, 5).sync("l", |body| {
                body.at(12, 9).skip().at(13, 5);
            });
            body.at(14, 1);
        });
        let (model, _) = builder.build().unwrap();
        let lines: Vec<u32> = model.nodes().map(|(_, node)| node.position.line).collect();
        assert_eq!(lines, [11, 12, 11, 14]);
        assert_eq!(model.locks()[0].position().line, 3);
        assert_eq!(model.procedures()[0].position().line, 10);
    }

    #[test]
    fn errors_are_rendered_without_text() {
        let mut builder = ModelBuilder::new();
        builder.process("P", Multiplicity::Single, |body| {
            body.at(7, 3).read("x");
        });
        let errors = builder.build().unwrap_err();
        assert_eq!(errors.len(), 1);
        let source = Source::without_text("Main.java");
        assert_eq!(
            errors[0].diagnostic().render(&source, false),
            // The help shows the syntax of a declaration, which is useless without a text.
            "error: the location `x` is not declared\n--> Main.java:7:3\n"
        );
    }
}
