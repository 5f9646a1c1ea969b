//! Reading tokens and blanks: the place of the parser and the next token.

use nom::Input as _;

use super::super::ast::{Comment, Comments};
use super::super::comments::{blank, comments_within, gap};
use super::super::lexer::{Failure, Input, Parsed, word};
use super::super::span::{Position, Span};
use super::super::token::TokenSet;
use super::Parser;

/// The next token, as far as the loops distinguish tokens.
pub(super) enum Next<'t> {
    End,
    OpenBrace,
    CloseBrace,
    Semicolon,
    UnterminatedComment,
    Word(&'t str),
    Other,
}

impl<'t> Parser<'t> {
    /// Returns the next token; the blanks before it have been read.
    pub(super) fn next(&self) -> Next<'t> {
        let rest = *self.rest.fragment();
        match rest.as_bytes().first() {
            None => Next::End,
            Some(b'{') => Next::OpenBrace,
            Some(b'}') => Next::CloseBrace,
            Some(b';') => Next::Semicolon,
            Some(b'/') if rest.starts_with("/*") => Next::UnterminatedComment,
            Some(_) => match Self::first_word(self.rest) {
                "" => Next::Other,
                word => Next::Word(word),
            },
        }
    }

    /// Runs a parser of the grammar; a failure does not move this parser.
    pub(super) fn advance<T>(&mut self, parser: impl FnOnce(Input<'t>) -> Parsed<'t, T>) -> Result<T, Failure> {
        match parser(self.rest) {
            Ok((rest, value)) => {
                self.rest = rest;
                self.last_end = rest.location_offset();
                Ok(value)
            }
            Err(nom::Err::Error(failure) | nom::Err::Failure(failure)) => Err(failure),
            // Only parsers of streams want more input than there is.
            Err(nom::Err::Incomplete(_)) => Err(Failure::here(self.rest, TokenSet::EMPTY)),
        }
    }

    /// Moves to an offset that is not before the place of the parser.
    fn move_to(&mut self, offset: usize) {
        self.rest = self.rest_from(offset);
    }

    /// Moves to the end of the last accepted token.
    pub(super) fn move_after_last_token(&mut self, failure: Failure) {
        self.move_to(failure.after);
        self.last_end = failure.after;
    }

    /// Moves to the start of the unexpected token.
    pub(super) fn move_before_failure(&mut self, failure: Failure) {
        self.on_new_line = self.breaks_line(failure);
        self.move_after_last_token(failure);
        self.move_to(failure.at);
    }

    /// Whether the unexpected token is the first one of its line.
    pub(super) fn breaks_line(&self, failure: Failure) -> bool {
        let blanks = self.text_from(failure.after);
        blanks.get(..failure.at.saturating_sub(failure.after)).is_some_and(|blanks| blanks.contains('\n'))
    }

    /// Moves to the end of the text.
    pub(super) fn move_to_end(&mut self) {
        self.move_to(self.rest.location_offset() + self.rest.fragment().len());
    }

    /// Reads one token, whatever it is.
    pub(super) fn skip_token(&mut self) {
        let length = match self.next() {
            Next::Word(word) => word.len(),
            _ => self.rest.chars().next().map_or(0, char::len_utf8),
        };
        self.move_to(self.rest.location_offset() + length);
        self.last_end = self.rest.location_offset();
    }

    /// Reads blanks and forgets their comments.
    pub(super) fn skip_blanks(&mut self) {
        self.on_new_line = false;
        while let Some(rest) = blank(self.rest) {
            let length = rest.location_offset() - self.rest.location_offset();
            self.on_new_line |= self.rest.fragment()[..length].contains('\n');
            self.rest = rest;
        }
    }

    /// Reads blanks: the comments on the line of the last token go to `same_line`, the others are returned.
    pub(super) fn split_comments(&mut self, same_line: &mut Vec<Comment>) -> Vec<Comment> {
        let (rest, mut gap) = gap(self.rest);
        self.rest = rest;
        self.on_new_line = gap.ends_line;
        same_line.append(&mut gap.same_line);
        gap.following
    }

    /// Reads blanks and returns all their comments.
    pub(super) fn all_comments(&mut self) -> Vec<Comment> {
        let mut comments = Vec::new();
        let mut following = self.split_comments(&mut comments);
        comments.append(&mut following);
        comments
    }

    /// Returns the comments between the tokens from a place up to the last token, for a construct that begins there.
    pub(super) fn inner_comments(&self, start: Input<'t>) -> Comments {
        Comments { before: self.comments_since(start), ..Comments::default() }
    }

    /// Returns the comments between the tokens from a place up to the last token.
    pub(super) fn comments_since(&self, start: Input<'t>) -> Vec<Comment> {
        let length = self.last_end - start.location_offset();
        comments_within(start.take(length))
    }

    /// Returns the position of the next token.
    pub(super) fn position(&self) -> Position {
        self.rest.extra.position(self.rest.location_offset())
    }

    /// Returns the word at a place; empty if there is none.
    pub(super) fn first_word(start: Input<'t>) -> &'t str {
        word(start).map_or("", |(_, word)| word.into_fragment())
    }

    /// Returns the span of the brace that is the last token.
    pub(super) fn brace_just_read(&self) -> Span {
        self.span(self.last_end.saturating_sub(1)..self.last_end)
    }

    /// Returns the span from a place up to the last token.
    pub(super) fn span_since(&self, start: Input<'t>) -> Span {
        self.span(start.location_offset()..self.last_end)
    }

    /// Returns the span from the beginning of another one up to the last token.
    pub(super) fn span_from(&self, first: Span) -> Span {
        Span { length: u32::try_from(self.last_end).unwrap_or(u32::MAX).saturating_sub(first.offset), ..first }
    }

    /// Returns the span of a range of bytes.
    pub(super) fn span(&self, range: std::ops::Range<usize>) -> Span {
        self.rest.extra.span(range)
    }

    /// Returns the input from an offset on that is not before the place of the parser.
    pub(super) fn rest_from(&self, offset: usize) -> Input<'t> {
        self.rest.take_from(offset.saturating_sub(self.rest.location_offset()))
    }

    /// Returns the text from an offset on that is not before the place of the parser.
    pub(super) fn text_from(&self, offset: usize) -> &'t str {
        self.rest_from(offset).into_fragment()
    }
}
