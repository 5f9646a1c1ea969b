//! The pretty-printer: the canonical text of a syntax tree.
//!
//! Two spaces of indentation, one statement a line, empty blocks on one line, a blank line around functions and
//! processes. Printing what was parsed and parsing it again gives the same tree up to positions, comments included;
//! printing twice changes nothing.

use super::ast::{Block, Comment, Comments, Item, ItemKind, Multiplicity, Name, Program, Statement, StatementKind};

/// Lists of names are broken before they become longer than this many characters.
const LINE_WIDTH: usize = 100;

/// The canonical text of a program.
///
/// # Examples
///
/// ```
/// use asercheck::eml;
///
/// let program = eml::parse("lock l;process P{sync l{}atomic{skip;}}").unwrap();
/// let text = "\
/// lock l;
///
/// process P {
///   sync l { }
///   atomic {
///     skip;
///   }
/// }
/// ";
/// assert_eq!(eml::print(&program), text);
/// ```
pub fn print(program: &Program) -> String {
    let mut printer = Printer::default();
    for (index, item) in program.items.iter().enumerate() {
        let stands_alone = |item: &Item| !is_declaration(&item.kind);
        if index > 0 && (stands_alone(item) || stands_alone(&program.items[index - 1])) {
            printer.text.push('\n');
        }
        printer.item(item);
    }
    if !program.items.is_empty() && !program.trailing_comments.is_empty() {
        printer.text.push('\n');
    }
    printer.comment_lines(&program.trailing_comments);
    printer.text
}

/// The text so far, which ends in a newline except in the middle of a line.
#[derive(Default)]
struct Printer {
    text: String,
    /// Depth of the block that is being printed.
    depth: usize,
}

impl Printer {
    fn item(&mut self, item: &Item) {
        self.comments_before(&item.comments);
        self.indent();
        match &item.kind {
            ItemKind::Locks(names) => self.declaration("lock ", names),
            ItemKind::Shared(names) => self.declaration("shared ", names),
            ItemKind::AtomicSet { name, members } => self.atomic_set(name, members),
            ItemKind::Function { name, body } => {
                self.text.push_str(&format!("fn {}() ", name.text));
                self.blocks(std::slice::from_ref(body), &item.comments);
            }
            ItemKind::Process { name, multiplicity, body } => {
                self.text.push_str(&format!("process {} ", name.text));
                match multiplicity {
                    Multiplicity::Single => {}
                    Multiplicity::Times(number) => self.text.push_str(&format!("* {number} ")),
                    Multiplicity::Many => self.text.push_str("* many "),
                }
                self.blocks(std::slice::from_ref(body), &item.comments);
            }
        }
        self.end_line(if is_declaration(&item.kind) { &item.comments.behind } else { &item.comments.closing });
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

    /// Names between commas, on as many lines as it takes; all but the first line are indented by `indentation`.
    /// `reserve` characters follow the last name.
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

    fn statement(&mut self, statement: &Statement) {
        self.comments_before(&statement.comments);
        self.indent();
        let comments = &statement.comments;
        let one = std::slice::from_ref;
        let line = match &statement.kind {
            StatementKind::Sync(lock, block) => {
                self.text.push_str(&format!("sync {} ", lock.text));
                return self.statement_blocks(one(block), comments);
            }
            StatementKind::Atomic(block) => {
                self.text.push_str("atomic ");
                return self.statement_blocks(one(block), comments);
            }
            StatementKind::Choose(blocks) => {
                self.text.push_str("choose ");
                return self.statement_blocks(blocks, comments);
            }
            StatementKind::Loop(block) => {
                self.text.push_str("loop ");
                return self.statement_blocks(one(block), comments);
            }
            StatementKind::Read(name) => format!("read {};", name.text),
            StatementKind::Write(name) => format!("write {};", name.text),
            StatementKind::Acquire(name) => format!("acquire {};", name.text),
            StatementKind::Release(name) => format!("release {};", name.text),
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
        };
        self.text.push_str(&line);
        self.end_line(&comments.behind);
    }

    /// The blocks of a statement and the end of its last line.
    fn statement_blocks(&mut self, blocks: &[Block], comments: &Comments) {
        self.blocks(blocks, comments);
        self.end_line(&comments.closing);
    }

    /// The blocks of a construct; the comments behind its first opening brace stand there.
    fn blocks(&mut self, blocks: &[Block], comments: &Comments) {
        let nothing = Vec::new();
        for (index, block) in blocks.iter().enumerate() {
            let behind = if index == 0 { &comments.behind } else { &nothing };
            if index > 0 {
                self.text.push_str(" or ");
            }
            self.block(block, behind);
        }
    }

    fn block(&mut self, block: &Block, behind: &[Comment]) {
        self.text.push('{');
        self.same_line_comments(behind);
        let is_empty = block.statements.is_empty() && block.trailing_comments.is_empty();
        if is_empty && !behind.last().is_some_and(takes_rest_of_line) {
            self.text.push_str(" }");
            return;
        }
        self.text.push('\n');
        self.depth += 1;
        for statement in &block.statements {
            self.statement(statement);
        }
        self.comment_lines(&block.trailing_comments);
        self.depth -= 1;
        self.indent();
        self.text.push('}');
    }

    /// The comments on the lines before a construct.
    fn comments_before(&mut self, comments: &Comments) {
        self.comment_lines(&comments.before);
    }

    /// Comments, each on lines of its own.
    fn comment_lines(&mut self, comments: &[Comment]) {
        for comment in comments {
            self.indent();
            self.text.push_str(&comment.text);
            self.text.push('\n');
        }
    }

    /// Comments behind a token.
    fn same_line_comments(&mut self, comments: &[Comment]) {
        for comment in comments {
            self.text.push(' ');
            self.text.push_str(&comment.text);
        }
    }

    /// Comments behind the last token of a construct, and the end of the line.
    fn end_line(&mut self, comments: &[Comment]) {
        self.same_line_comments(comments);
        self.text.push('\n');
    }

    fn indent(&mut self) {
        self.text.extend(std::iter::repeat_n("  ", self.depth));
    }
}

/// Whether an item is a declaration, rather than something with a body.
fn is_declaration(kind: &ItemKind) -> bool {
    !matches!(kind, ItemKind::Function { .. } | ItemKind::Process { .. })
}

/// Whether nothing can follow a comment on its line.
fn takes_rest_of_line(comment: &Comment) -> bool {
    comment.text.starts_with("//")
}

/// The number of characters of a name.
fn width(name: &Name) -> usize {
    width_of(&name.text)
}

fn width_of(text: &str) -> usize {
    text.chars().count()
}
