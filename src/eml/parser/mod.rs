//! The parser: loops over items and over the statements of blocks, with recovery from errors.
//!
//! `rest` begins right behind the last token that was read, or behind the blanks that follow it. After an error the
//! parser goes on behind the broken piece, so that one run reports several independent errors; a text with an error
//! has no tree. Every function either moves `rest` forward or leaves an item keyword, a `}` or the end of the text to
//! its caller, so the time is linear in the size of the text.

mod cursor;
mod recovery;
#[cfg(test)]
mod tests;

use nom::Input as _;

use super::ast::{Block, Comment, Comments, Item, ItemKind, Multiplicity, Name, Program, Statement, StatementKind};
use super::grammar::{self, Instances, ItemHead, StatementHead};
use super::lexer::{Input, close_brace};
use super::lines::LineIndex;
use super::source::SIZE_LIMIT;
use super::span::{Position, Span};
use super::syntax_error::{BracePair, MAX_DEPTH, SyntaxError, SyntaxErrorKind};
use super::token::ITEM_KEYWORDS;
use cursor::Next;

/// Parses an EML text.
///
/// The text may begin with a byte order mark; lines end in `\n` or `\r\n`. Blocks may be nested
/// [`MAX_DEPTH`] deep; everything else is limited by memory only. The time is linear in the size of the text.
///
/// # Errors
///
/// All syntax errors that could be told apart, in the order of the text, at most about 50.
///
/// # Examples
///
/// ```
/// use asercheck::eml;
///
/// let program = eml::parse("shared x; process P { atomic { read x; } }").unwrap();
/// assert_eq!(program.items.len(), 2);
///
/// let errors = eml::parse("shared x\nprocess P { raed x; }").unwrap_err();
/// assert_eq!(errors.len(), 2);
/// ```
pub fn parse(text: &str) -> Result<Program, Vec<SyntaxError>> {
    if text.len() as u64 >= SIZE_LIMIT {
        return Err(vec![SyntaxError { span: Span::at(Position::START), kind: SyntaxErrorKind::TooLarge }]);
    }
    let lines = LineIndex::new(text);
    let input = Input::new_extra(text, &lines).take_from(lines.mark_length());
    let mut parser = Parser::new(input);
    let program = parser.program();
    if parser.errors.is_empty() { Ok(program) } else { Err(parser.errors) }
}

/// The state of one run.
struct Parser<'t> {
    rest: Input<'t>,
    /// Where the last token ends.
    last_end: usize,
    /// Whether the last blanks that were read contain the end of a line.
    on_new_line: bool,
    errors: Vec<SyntaxError>,
    /// How many blocks are open.
    depth: usize,
    /// Column of the item that is being read.
    item_column: u32,
    /// The first pair of braces of this item that is indented differently.
    suspect: Option<BracePair>,
    /// Set where the item or the text ends inside of blocks: they all end there.
    unwinding: bool,
    /// Set where nothing more is to be reported.
    stopped: bool,
}

impl<'t> Parser<'t> {
    fn new(input: Input<'t>) -> Self {
        Self {
            rest: input,
            last_end: input.location_offset(),
            on_new_line: true,
            errors: Vec::new(),
            depth: 0,
            item_column: 0,
            suspect: None,
            unwinding: false,
            stopped: false,
        }
    }

    /// The whole text.
    fn program(&mut self) -> Program {
        let mut program = Program::default();
        let mut before = self.all_comments();
        loop {
            self.unwinding = self.stopped;
            match self.next() {
                Next::End => break,
                Next::Word(word) if ITEM_KEYWORDS.contains(&word) => {
                    let item = self.item();
                    before = match item {
                        Some(mut item) => {
                            prepend(&mut before, &mut item.comments.before);
                            let following = self.comments_behind_item(&mut item);
                            program.items.push(item);
                            following
                        }
                        None => self.all_comments(),
                    };
                }
                _ => self.stray(),
            }
        }
        program.trailing_comments = before;
        program
    }

    /// One item; its keyword comes next.
    fn item(&mut self) -> Option<Item> {
        let start = self.rest;
        let outer_column = self.item_column;
        self.item_column = self.position().column;
        let outer_suspect = self.suspect.take();
        let item = match self.advance(grammar::item) {
            Ok(head) => self.rest_of_item(start, head),
            Err(failure) => {
                self.broken_item(start, failure);
                None
            }
        };
        self.item_column = outer_column;
        self.suspect = outer_suspect;
        self.unwinding = self.stopped;
        item
    }

    /// An item from behind its opening brace on.
    fn rest_of_item(&mut self, start: Input<'t>, head: ItemHead<'t>) -> Option<Item> {
        let mut comments = self.inner_comments(start);
        let column = self.on_new_line.then_some(self.item_column);
        let kind = match head {
            ItemHead::Whole(kind) => kind,
            ItemHead::AtomicSet(name) => {
                let members = self.members(start)?;
                comments = self.inner_comments(start);
                ItemKind::AtomicSet { name, members }
            }
            ItemHead::Function(name) => ItemKind::Function { name, body: self.first_block(column, &mut comments) },
            ItemHead::Process(name, instances) => ItemKind::Process {
                name,
                multiplicity: self.multiplicity(instances),
                body: self.first_block(column, &mut comments),
            },
        };
        Some(Item { kind, span: self.span_since(start), comments })
    }

    /// Reads the blanks behind an item: comments on its last line belong to it, the others are returned.
    fn comments_behind_item(&mut self, item: &mut Item) -> Vec<Comment> {
        match item.kind {
            ItemKind::Function { .. } | ItemKind::Process { .. } => self.split_comments(&mut item.comments.closing),
            _ => self.split_comments(&mut item.comments.behind),
        }
    }

    /// The number of instances, which must fit.
    fn multiplicity(&mut self, instances: Instances<'t>) -> Multiplicity {
        match instances {
            Instances::Single => Multiplicity::Single,
            Instances::Many => Multiplicity::Many,
            Instances::Times(digits) => match digits.fragment().parse() {
                Ok(number) => Multiplicity::Times(number),
                Err(_) => {
                    let start = digits.location_offset();
                    let end = start + digits.fragment().len();
                    self.error(start..end, SyntaxErrorKind::NumberTooLarge);
                    Multiplicity::Many
                }
            },
        }
    }

    /// The members of an atomic set up to its closing brace.
    fn members(&mut self, start: Input<'t>) -> Option<Vec<Name>> {
        let open = self.brace_just_read();
        match self.advance(grammar::members) {
            Ok(members) => Some(members),
            Err(failure) => {
                self.broken_members(start, open, failure);
                None
            }
        }
    }

    /// A block whose opening brace has just been read; comments on its line belong to the construct.
    fn first_block(&mut self, column: Option<u32>, comments: &mut Comments) -> Block {
        let open = self.brace_just_read();
        let leading = self.split_comments(&mut comments.behind);
        self.block(open, column, leading)
    }

    /// The statements up to the closing brace.
    ///
    /// `column` is that of the construct with the block, if that is the first one of its line; `before` are the
    /// comments before the first statement. The blanks behind the opening brace have been read.
    fn block(&mut self, open: Span, column: Option<u32>, mut before: Vec<Comment>) -> Block {
        let mut statements = Vec::new();
        if self.depth == MAX_DEPTH {
            self.error_at(open, SyntaxErrorKind::TooDeep);
            self.skip_block();
        }
        self.depth += 1;
        while self.statement_follows(open) {
            before = match self.statement() {
                Some(mut statement) => {
                    prepend(&mut before, &mut statement.comments.before);
                    let following = self.comments_behind_statement(&mut statement);
                    statements.push(statement);
                    following
                }
                None => self.all_comments(),
            };
        }
        self.depth -= 1;
        // Most blocks are short: 14 MB of them parse in 0.8 s with this and in 2.3 s without, for want of memory.
        statements.shrink_to_fit();
        let close = self.close(open, column);
        Block { statements, trailing_comments: before, span: self.span_from(open), close }
    }

    /// Reads the blanks behind a statement: comments on its last line belong to it, the others are returned.
    fn comments_behind_statement(&mut self, statement: &mut Statement) -> Vec<Comment> {
        if has_block(&statement.kind) {
            self.split_comments(&mut statement.comments.closing)
        } else {
            self.split_comments(&mut statement.comments.behind)
        }
    }

    /// Whether a statement follows in a block, rather than its end; handles everything else that can be there.
    fn statement_follows(&mut self, open: Span) -> bool {
        while !self.unwinding {
            match self.next() {
                Next::CloseBrace => return false,
                Next::End => self.unclosed(open),
                Next::UnterminatedComment => self.unterminated_comment(),
                Next::Word(word) if ITEM_KEYWORDS.contains(&word) => {
                    if self.on_new_line && self.position().column <= self.item_column {
                        self.unclosed(open);
                    } else {
                        self.nested_item(word);
                    }
                }
                _ => return true,
            }
        }
        false
    }

    /// Reads the closing brace, if it is there, and compares its indentation with that of its block.
    fn close(&mut self, open: Span, column: Option<u32>) -> Span {
        let on_new_line = self.on_new_line;
        if self.unwinding || self.advance(close_brace).is_err() {
            return self.span(self.last_end..self.last_end);
        }
        let close = self.brace_just_read();
        let differs = column.is_some_and(|column| column != close.start.column);
        if on_new_line && differs && open.start.line != close.start.line && self.suspect.is_none() {
            self.suspect = Some(BracePair { open, close });
        }
        close
    }

    /// One statement, or nothing if it is broken.
    fn statement(&mut self) -> Option<Statement> {
        let start = self.rest;
        let column = self.on_new_line.then(|| self.position().column);
        let head = match self.advance(grammar::statement) {
            Ok(head) => head,
            Err(failure) => {
                self.broken(start, failure);
                return None;
            }
        };
        let mut comments = self.inner_comments(start);
        let kind = match head {
            StatementHead::Whole(kind) => kind,
            StatementHead::Sync(lock) => StatementKind::Sync(lock, self.first_block(column, &mut comments)),
            StatementHead::Atomic => StatementKind::Atomic(self.first_block(column, &mut comments)),
            StatementHead::Loop => StatementKind::Loop(self.first_block(column, &mut comments)),
            StatementHead::Choose => {
                let first = self.first_block(column, &mut comments);
                StatementKind::Choose(self.alternatives(first, column))
            }
        };
        Some(Statement { kind, span: self.span_since(start), comments })
    }

    /// The blocks of a `choose` from the second one on.
    fn alternatives(&mut self, first: Block, column: Option<u32>) -> Vec<Block> {
        let mut blocks = vec![first];
        while !self.unwinding {
            let start = self.rest;
            if self.advance(grammar::or_block).is_err() {
                break;
            }
            let open = self.brace_just_read();
            let mut leading = self.comments_since(start);
            leading.extend(self.all_comments());
            blocks.push(self.block(open, column, leading));
        }
        blocks
    }
}

/// Moves the comments before a construct to the front of those inside of its head.
fn prepend(before: &mut Vec<Comment>, inner: &mut Vec<Comment>) {
    before.append(inner);
    std::mem::swap(before, inner);
}

/// Whether a statement ends in a block.
fn has_block(kind: &StatementKind) -> bool {
    matches!(
        kind,
        StatementKind::Sync(..) | StatementKind::Atomic(_) | StatementKind::Choose(_) | StatementKind::Loop(_)
    )
}
