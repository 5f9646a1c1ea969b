//! The pretty-printer: the canonical text of a syntax tree.
//!
//! A construct with blocks is printed on one line if it fits and contains no comments; otherwise one statement a line,
//! indented by two spaces. Blank lines surround functions and processes, except between one-line items of the same
//! kind. Parsing a printed tree gives the same tree up to positions, comments included; printing it again changes
//! nothing.

use super::ast::{
    Block, Comment, Comments, Item, ItemKind, LockUse, Multiplicity, Name, Program, Statement, StatementKind,
};

/// Maximal width of a line in characters; a longer construct is split into several lines if possible.
const LINE_WIDTH: usize = 100;

/// Maximal indentation in blocks. Deeper blocks are not indented further: lines would get longer and longer, and the
/// text of blocks nested thousands deep would take gigabytes.
const INDENTED: usize = LINE_WIDTH / 2;

/// Returns the canonical text of a program.
///
/// # Examples
///
/// ```
/// use eml::syntax;
///
/// let program = syntax::parse("lock l;process P{sync l{}atomic{skip;}}").unwrap();
/// let text = "\
/// lock l;
///
/// process P { sync l { } atomic { skip; } }
/// ";
/// assert_eq!(syntax::print(&program), text);
/// ```
pub fn print(program: &Program) -> String {
    let mut printer = Printer::default();
    let mut before: Option<(&Item, bool)> = None;
    for item in &program.items {
        let start = printer.text.len();
        let is_short = printer.item(item);
        if before.is_some_and(|(other, other_is_short)| is_apart(other, item, is_short && other_is_short)) {
            printer.text.insert(start, '\n');
        }
        before = Some((item, is_short));
    }
    if !program.items.is_empty() && !program.trailing_comments.is_empty() {
        printer.text.push('\n');
    }
    printer.comment_lines(&program.trailing_comments);
    printer.text
}

/// The state of the printer. Its text ends in a newline except in the middle of a line.
#[derive(Default)]
struct Printer<'p> {
    text: String,
    /// Depth of the block that is being printed.
    depth: usize,
    /// The parts still to be printed, the next one last.
    rest: Vec<Part<'p>>,
}

/// A part of a construct with blocks.
enum Part<'p> {
    Statement(&'p Statement),
    /// Between two blocks.
    Or,
    /// A block, with the comments after its opening brace.
    Block(&'p Block, &'p [Comment]),
    /// The comments after the last statement of a block, and its closing brace.
    Close(&'p Block),
    /// The comments after the last token, and the end of the line.
    EndLine(&'p [Comment]),
}

impl<'p> Printer<'p> {
    /// Prints an item; returns whether it takes one line.
    fn item(&mut self, item: &'p Item) -> bool {
        self.comments_before(&item.comments);
        match &item.kind {
            ItemKind::Locks(names) => self.declaration("lock ", names),
            ItemKind::RwLocks(names) => self.declaration("rwlock ", names),
            ItemKind::Overlap(names) => self.declaration("overlap ", names),
            ItemKind::Shared(names) => self.declaration("shared ", names),
            ItemKind::AtomicSet { name, members } => self.atomic_set(name, members),
            ItemKind::Function { name, body } => {
                let head = format!("fn {}() ", name.text);
                return self.whole_construct(&head, std::slice::from_ref(body), &item.comments);
            }
            ItemKind::Process { name, multiplicity, body } => {
                let multiplicity = match multiplicity {
                    Multiplicity::Single => String::new(),
                    Multiplicity::Times(number) => format!("* {number} "),
                    Multiplicity::Many => "* many ".to_string(),
                };
                let head = format!("process {} {multiplicity}", name.text);
                return self.whole_construct(&head, std::slice::from_ref(body), &item.comments);
            }
        }
        self.end_line(&item.comments.after);
        true
    }

    /// `lock a, b;`
    fn declaration(&mut self, keyword: &str, names: &[Name]) {
        self.text.push_str(keyword);
        self.names(names, keyword.len(), 1);
        self.text.push(';');
    }

    /// `atomicset S { a, b }`
    fn atomic_set(&mut self, name: &Name, members: &[Name]) {
        let head = format!("atomicset {} {{ ", name.text);
        let fits = members.iter().map(|name| width(name) + 2).sum::<usize>() + width_of(&head) < LINE_WIDTH;
        if fits {
            self.text.push_str(&head);
            self.names(members, 0, 0);
            self.text.push_str(" }");
        } else {
            self.text.push_str(head.trim_end());
            self.text.push_str("\n  ");
            self.names(members, 2, 0);
            self.text.push_str("\n}");
        }
    }

    /// Prints names separated by commas, on as many lines as needed; all lines but the first are indented by
    /// `indentation`. `reserve` characters follow the last name.
    fn names(&mut self, names: &[Name], indentation: usize, reserve: usize) {
        let mut column = indentation;
        for (index, name) in names.iter().enumerate() {
            if index > 0 {
                self.text.push(',');
                let needed = column + 2 + width(name) + reserve.max(1);
                if needed > LINE_WIDTH {
                    self.text.push('\n');
                    self.text.push_str(&" ".repeat(indentation));
                    column = indentation;
                } else {
                    self.text.push(' ');
                    column += 2;
                }
            }
            self.text.push_str(&name.text);
            column += width(name);
        }
    }

    /// Prints a statement; if its blocks do not fit on the line, they are queued.
    fn statement(&mut self, statement: &'p Statement) {
        self.comments_before(&statement.comments);
        self.indent();
        let (head, blocks) = (head(&statement.kind), statement.kind.blocks());
        if blocks.is_empty() {
            self.text.push_str(&head);
            self.end_line(&statement.comments.after);
        } else {
            self.construct(&head, blocks, &statement.comments);
        }
    }

    /// Prints a construct with blocks, after its indentation, to the end of its line; returns whether it takes one
    /// line.
    fn whole_construct(&mut self, head: &str, blocks: &'p [Block], comments: &'p Comments) -> bool {
        let is_short = self.construct(head, blocks, comments);
        while let Some(part) = self.rest.pop() {
            match part {
                Part::Statement(statement) => self.statement(statement),
                Part::Or => self.text.push_str(" or "),
                Part::Block(block, after) => self.block(block, after),
                Part::Close(block) => self.close(block),
                Part::EndLine(comments) => self.end_line(comments),
            }
        }
        is_short
    }

    /// Prints a construct like [`whole_construct`](Self::whole_construct); if it takes several lines, everything after
    /// its head is queued.
    fn construct(&mut self, head: &str, blocks: &'p [Block], comments: &'p Comments) -> bool {
        self.text.push_str(head);
        let mut line = Line { text: String::new(), room: LINE_WIDTH.saturating_sub(2 * self.depth + width_of(head)) };
        let is_short = comments.after.is_empty() && line.blocks(blocks).is_some();
        if is_short {
            self.text.push_str(&line.text);
            self.end_line(&comments.closing);
            return true;
        }
        self.rest.push(Part::EndLine(&comments.closing));
        for (index, block) in blocks.iter().enumerate().rev() {
            // These comments belong after the first opening brace.
            self.rest.push(Part::Block(block, if index == 0 { &comments.after } else { &[] }));
            if index > 0 {
                self.rest.push(Part::Or);
            }
        }
        false
    }

    /// Prints an opening brace and queues the rest of the block.
    fn block(&mut self, block: &'p Block, after: &[Comment]) {
        self.text.push('{');
        self.same_line_comments(after);
        let is_empty = block.statements.is_empty() && block.trailing_comments.is_empty();
        if is_empty && !after.last().is_some_and(takes_rest_of_line) {
            self.text.push_str(" }");
            return;
        }
        self.text.push('\n');
        self.depth += 1;
        self.rest.push(Part::Close(block));
        self.rest.extend(block.statements.iter().rev().map(Part::Statement));
    }

    fn close(&mut self, block: &Block) {
        self.comment_lines(&block.trailing_comments);
        self.depth -= 1;
        self.indent();
        self.text.push('}');
    }

    /// Prints the comments on the lines before a construct.
    fn comments_before(&mut self, comments: &Comments) {
        self.comment_lines(&comments.before);
    }

    /// Prints comments, each on lines of its own.
    fn comment_lines(&mut self, comments: &[Comment]) {
        for comment in comments {
            self.indent();
            self.text.push_str(&comment.text);
            self.text.push('\n');
        }
    }

    /// Prints comments after a token.
    fn same_line_comments(&mut self, comments: &[Comment]) {
        for comment in comments {
            self.text.push(' ');
            self.text.push_str(&comment.text);
        }
    }

    /// Prints comments after the last token of a construct, and the end of the line.
    fn end_line(&mut self, comments: &[Comment]) {
        self.same_line_comments(comments);
        self.text.push('\n');
    }

    fn indent(&mut self) {
        self.text.extend(std::iter::repeat_n("  ", self.depth.min(INDENTED)));
    }
}

/// A text that has to fit on the rest of a line. The functions return `None` if it does not fit or has comments. Time
/// and stack depth are linear in the length of the line, since each block takes some characters.
struct Line {
    text: String,
    /// The number of characters left.
    room: usize,
}

impl Line {
    fn push(&mut self, text: &str) -> Option<()> {
        self.room = self.room.checked_sub(width_of(text))?;
        self.text.push_str(text);
        Some(())
    }

    fn blocks(&mut self, blocks: &[Block]) -> Option<()> {
        for (index, block) in blocks.iter().enumerate() {
            self.push(if index > 0 { " or { " } else { "{ " })?;
            for statement in &block.statements {
                self.statement(statement)?;
            }
            if !block.trailing_comments.is_empty() {
                return None;
            }
            self.push("}")?;
        }
        Some(())
    }

    fn statement(&mut self, statement: &Statement) -> Option<()> {
        let Comments { before, after, closing } = &statement.comments;
        if ![before, after, closing].into_iter().all(Vec::is_empty) {
            return None;
        }
        self.push(&head(&statement.kind))?;
        self.blocks(statement.kind.blocks())?;
        self.push(" ")
    }
}

/// Returns the text of a statement up to its first block.
fn head(kind: &StatementKind) -> String {
    match kind {
        StatementKind::Sync(lock, _) => format!("sync {} ", lock_use(lock)),
        StatementKind::Atomic(_) => "atomic ".into(),
        StatementKind::Choose(_) => "choose ".into(),
        StatementKind::Loop(_) => "loop ".into(),
        StatementKind::Read(name) => format!("read {};", name.text),
        StatementKind::Write(name) => format!("write {};", name.text),
        StatementKind::Acquire(lock) => format!("acquire {};", lock_use(lock)),
        StatementKind::Release(name) => format!("release {};", name.text),
        StatementKind::Wait(name) => format!("wait {};", name.text),
        StatementKind::Call(name) => format!("call {};", name.text),
        StatementKind::Start(name) => format!("start {};", name.text),
        StatementKind::Goto(name) => format!("goto {};", name.text),
        StatementKind::Label(name) => format!("{}:", name.text),
        StatementKind::Begin => "begin;".into(),
        StatementKind::End => "end;".into(),
        StatementKind::Return => "return;".into(),
        StatementKind::Skip => "skip;".into(),
        StatementKind::Break => "break;".into(),
        StatementKind::Continue => "continue;".into(),
    }
}

/// `l`, `read l` or `write l`
fn lock_use(LockUse { mode, name }: &LockUse) -> String {
    mode.map_or_else(|| name.text.clone(), |mode| format!("{} {}", mode.name(), name.text))
}

/// Whether a blank line separates two items; `short`: both take one line.
fn is_apart(first: &Item, second: &Item, short: bool) -> bool {
    if is_declaration(&first.kind) && is_declaration(&second.kind) {
        return false;
    }
    let alike = std::mem::discriminant(&first.kind) == std::mem::discriminant(&second.kind);
    !(short && alike && second.comments.before.is_empty())
}

/// Whether an item is a declaration, rather than something with a body.
fn is_declaration(kind: &ItemKind) -> bool {
    !matches!(kind, ItemKind::Function { .. } | ItemKind::Process { .. })
}

/// Whether nothing can follow a comment on its line.
fn takes_rest_of_line(comment: &Comment) -> bool {
    comment.text.starts_with("//")
}

/// Returns the number of characters of a name.
fn width(name: &Name) -> usize {
    width_of(&name.text)
}

fn width_of(text: &str) -> usize {
    text.chars().count()
}
