//! Reporting an error, and finding the place at which parsing continues.
//!
//! Text is skipped token by token, so comments are skipped correctly, and blocks inside it are parsed to report their
//! errors.

use std::ops::Range;

use super::super::found_token::{FoundToken, found_at};
use super::super::lexer::{Failure, Input};
use super::super::mistake::{self, Context};
use super::super::span::Span;
use super::super::syntax_error::{SyntaxError, SyntaxErrorKind};
use super::super::token::{ITEM_KEYWORDS, STATEMENT_KEYWORDS, Token};
use super::Parser;
use super::cursor::Next;

/// Maximal number of reported errors; then the parser stops.
const MAX_ERRORS: usize = 50;

impl<'t> Parser<'t> {
    /// Reports an error at a range of bytes.
    pub(super) fn error(&mut self, range: Range<usize>, kind: SyntaxErrorKind) {
        self.error_at(self.span(range), kind);
    }

    /// Reports an error; the same kind of error at the same place is reported once.
    pub(super) fn error_at(&mut self, span: Span, kind: SyntaxErrorKind) {
        let is_known = self.errors.last().is_some_and(|last| {
            last.span == span && std::mem::discriminant(&last.kind) == std::mem::discriminant(&kind)
        });
        if self.stopped || is_known {
            return;
        }
        self.errors.push(SyntaxError { span, kind });
        if self.errors.len() == MAX_ERRORS {
            self.errors.push(SyntaxError { span, kind: SyntaxErrorKind::TooMany });
            self.stop();
        }
    }

    /// Ends the run: nothing more is read or reported.
    fn stop(&mut self) {
        self.stopped = true;
        self.unwinding = true;
        self.move_to_end();
    }

    /// Reports a comment without end, which covers the rest of the text.
    pub(super) fn unterminated_comment(&mut self) {
        let start = self.rest.location_offset();
        self.error(start..start + "/*".len(), SyntaxErrorKind::UnterminatedComment);
        self.stop();
    }

    /// Reports that a block is not closed before the next token, and ends all blocks of the item.
    pub(super) fn unclosed(&mut self, open: Span) {
        let start = self.rest.location_offset();
        let (found, length) = found_at(self.rest.fragment());
        let place = match length {
            0 => self.last_end..self.last_end,
            _ => start..start + length,
        };
        let suspect = self.suspect;
        self.error(place, SyntaxErrorKind::UnclosedBrace { open, suspect, found });
        self.unwinding = true;
    }

    /// Reports an unexpected token in the construct that begins at `start`.
    fn unexpected(&mut self, start: Input<'t>, failure: Failure) {
        let text = self.text_from(failure.at);
        let (found, length) = found_at(text);
        let context =
            Context { head: Self::first_word(start), after: &text[length..], on_new_line: self.breaks_line(failure) };
        let mistake = mistake::guess(context, failure.expected, &found);
        let place = match length {
            0 => failure.after..failure.after,
            _ => failure.at..failure.at + length,
        };
        self.error(place, SyntaxErrorKind::Unexpected { expected: failure.expected, found, mistake });
    }

    /// Reports an item inside a block and skips it.
    pub(super) fn nested_item(&mut self, keyword: &str) {
        let start = self.rest.location_offset();
        self.error(start..start + keyword.len(), SyntaxErrorKind::NestedItem { keyword: keyword.to_string() });
        self.item();
        self.skip_blanks();
    }

    /// Reports text between two items that is no item, and skips everything up to the next item.
    pub(super) fn stray(&mut self) {
        let start = self.rest;
        match self.next() {
            Next::CloseBrace => {
                let offset = start.location_offset();
                self.error(offset..offset + 1, SyntaxErrorKind::UnmatchedBrace);
            }
            Next::UnterminatedComment => self.unterminated_comment(),
            _ => self.unexpected(start, Failure::here(start, Token::Item.into())),
        }
        while !self.unwinding {
            match self.next() {
                Next::End => return,
                Next::UnterminatedComment => return self.unterminated_comment(),
                Next::Word(word) if ITEM_KEYWORDS.contains(&word) => return,
                Next::OpenBrace => self.check_block(),
                _ => self.skip_token(),
            }
            self.skip_blanks();
        }
    }

    /// Reports an error in the head of an item; the readable part of its body is searched for more errors.
    pub(super) fn recover_item(&mut self, start: Input<'t>, failure: Failure) {
        let follows = Self::first_word(self.rest_from(failure.at));
        if failure.expected.contains(Token::OpenBrace) && STATEMENT_KEYWORDS.contains(&follows) {
            self.unexpected(start, failure);
            self.move_before_failure(failure);
            self.block(self.span(failure.after..failure.after), None, Vec::new());
        } else {
            self.recover(start, failure);
        }
    }

    /// Reports an error in the members of an atomic set and skips them.
    pub(super) fn recover_members(&mut self, start: Input<'t>, open: Span, failure: Failure) {
        let follows = Self::first_word(self.rest_from(failure.at));
        let begins_item = self.breaks_line(failure) && ITEM_KEYWORDS.contains(&follows);
        if begins_item || self.text_from(failure.at).is_empty() {
            self.move_before_failure(failure);
            return self.unclosed(open);
        }
        self.unexpected(start, failure);
        self.move_before_failure(failure);
        while !self.unwinding {
            match self.next() {
                Next::End => return,
                Next::UnterminatedComment => return self.unterminated_comment(),
                Next::CloseBrace => return self.skip_token(),
                Next::Word(word) if self.on_new_line && ITEM_KEYWORDS.contains(&word) => return,
                _ => self.skip_token(),
            }
            self.skip_blanks();
        }
    }

    /// Reports an error in a statement, or in the head of an item, and skips the construct.
    pub(super) fn recover(&mut self, start: Input<'t>, failure: Failure) {
        if self.lacks_semicolon(failure) {
            self.error(failure.after..failure.after, SyntaxErrorKind::MissingSemicolon);
            return self.move_after_last_token(failure);
        }
        if self.text_from(failure.at).starts_with("/*") {
            self.move_before_failure(failure);
            return self.unterminated_comment();
        }
        self.unexpected(start, failure);
        self.move_before_failure(failure);
        let is_first = failure.at == start.location_offset();
        let is_name = failure.expected.contains(Token::Name) && !self.on_new_line;
        if matches!(self.next(), Next::Word(_)) && (is_first || is_name) {
            self.skip_token();
            self.skip_blanks();
        }
        self.skip_rest();
    }

    /// Whether only a `;` is missing: the token in its place begins a new construct.
    fn lacks_semicolon(&self, failure: Failure) -> bool {
        let expected = failure.expected;
        expected.contains(Token::Semicolon)
            && match found_at(self.text_from(failure.at)).0 {
                FoundToken::End | FoundToken::Keyword(_) | FoundToken::Character('}') => true,
                FoundToken::Name(_) => self.breaks_line(failure) && !expected.contains(Token::Comma),
                _ => false,
            }
    }

    /// Skips the rest of an erroneous construct: through its `;` or its blocks, or up to the next construct.
    fn skip_rest(&mut self) {
        while !self.unwinding {
            match self.next() {
                Next::End | Next::CloseBrace | Next::UnterminatedComment => return,
                Next::Semicolon => return self.skip_token(),
                Next::Word(word) if self.begins_construct(word) => return,
                Next::OpenBrace => {
                    self.check_block();
                    self.skip_blanks();
                    if !matches!(self.next(), Next::Word("or" | "else")) {
                        return;
                    }
                    self.skip_token();
                }
                _ => self.skip_token(),
            }
            self.skip_blanks();
        }
    }

    /// Whether a word begins a new construct.
    fn begins_construct(&self, word: &str) -> bool {
        ITEM_KEYWORDS.contains(&word) || self.on_new_line && STATEMENT_KEYWORDS.contains(&word)
    }

    /// Parses a block only to report the errors in it; its opening brace comes next.
    fn check_block(&mut self) {
        self.skip_token();
        let open = self.brace_just_read();
        self.skip_blanks();
        self.block(open, None, Vec::new());
    }
}
