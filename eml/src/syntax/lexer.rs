//! Token parsers over a located text, and the failure that they return.
//!
//! A token parser skips the white space and the comments before its token, and none after it: the rest of the input
//! always begins right after the last token. White space is defined by Unicode's property `White_Space`.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_till, take_until, take_while, take_while1};
use nom::character::complete::{char, digit1, satisfy};
use nom::combinator::{recognize, verify};
use nom::error::{ErrorKind, ParseError};
use nom::multi::many0_count;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};
use nom_locate::LocatedSpan;

use super::ast::Name;
use super::lines::LineIndex;
use super::token::{Token, TokenSet, begins_name, continues_name, is_keyword};

/// The rest of the text from a place on; its `extra` finds positions.
pub(super) type Input<'t> = LocatedSpan<&'t str, &'t LineIndex<'t>>;

/// The result of a parser of this module.
pub(super) type Parsed<'t, T> = IResult<Input<'t>, T, Failure>;

/// The furthest place at which parsing failed, and the tokens that would have been accepted there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// End of the last accepted token.
    pub(super) after: usize,
    /// Start of the token that was not accepted.
    pub(super) at: usize,
    /// The tokens that would have been accepted instead.
    pub(super) expected: TokenSet,
}

impl Failure {
    /// Creates the failure to find one of some tokens at the start of the input.
    pub(super) fn here(input: Input<'_>, expected: TokenSet) -> Self {
        Self { after: input.location_offset(), at: input.location_offset(), expected }
    }
}

impl<'t> ParseError<Input<'t>> for Failure {
    fn from_error_kind(input: Input<'t>, _: ErrorKind) -> Self {
        Self::here(input, TokenSet::EMPTY)
    }

    fn append(_: Input<'t>, _: ErrorKind, inner: Self) -> Self {
        inner
    }

    fn or(self, other: Self) -> Self {
        match self.at.cmp(&other.at) {
            std::cmp::Ordering::Less => other,
            std::cmp::Ordering::Greater => self,
            std::cmp::Ordering::Equal => Self { expected: self.expected.union(other.expected), ..self },
        }
    }
}

/// Parses white space, at least one character.
pub(super) fn white_space(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    take_while1(char::is_whitespace).parse(input)
}

/// Parses a comment with its delimiters: to the end of the line (which is not part of it), or between `/*` and `*/`.
pub(super) fn comment(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    alt((
        recognize(preceded(tag("//"), take_till(|character| character == '\n'))),
        recognize(delimited(tag("/*"), take_until("*/"), tag("*/"))),
    ))
    .parse(input)
}

/// Parses white space and comments, perhaps none. Stops before a comment that has no end.
pub(super) fn blanks(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    recognize(many0_count(alt((white_space, comment)))).parse(input)
}

/// Skips blanks, then runs a parser; its failure says that this token was expected after the blanks.
fn token<'t, O>(
    token: Token,
    mut parser: impl Parser<Input<'t>, Output = O, Error = Failure>,
) -> impl Parser<Input<'t>, Output = O, Error = Failure> {
    move |input: Input<'t>| {
        let (start, _) = blanks(input)?;
        parser.parse(start).map_err(|error| {
            error.map(|_| Failure {
                after: input.location_offset(),
                at: start.location_offset(),
                expected: token.into(),
            })
        })
    }
}

/// Parses a name or a keyword, without skipping blanks.
pub(super) fn word(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    recognize((satisfy(begins_name), take_while(continues_name))).parse(input)
}

/// Parses a word that begins a construct; a failure says that this kind of construct was expected.
pub(super) fn leading_word(kind: Token, input: Input<'_>) -> Parsed<'_, Input<'_>> {
    token(kind, word).parse(input)
}

/// Parses one reserved word inside a construct.
pub(super) fn inner_word<'t>(
    kind: Token,
    text: &'static str,
) -> impl Parser<Input<'t>, Output = Input<'t>, Error = Failure> {
    token(kind, verify(word, move |word: &Input<'t>| *word.fragment() == text))
}

/// Parses a name.
pub(super) fn name(input: Input<'_>) -> Parsed<'_, Name> {
    token(Token::Name, verify(word, |word: &Input<'_>| !is_keyword(word.fragment()))).map(to_name).parse(input)
}

/// Makes a name of the syntax tree.
pub(super) fn to_name(word: Input<'_>) -> Name {
    let start = word.location_offset();
    Name { text: word.fragment().to_string(), span: word.extra.span(start..start + word.fragment().len()) }
}

/// Parses the ASCII digits of a number.
pub(super) fn number(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    token(Token::Number, digit1).parse(input)
}

/// Parses a token of one character.
fn sign<'t>(kind: Token, character: char) -> impl Parser<Input<'t>, Output = char, Error = Failure> {
    token(kind, char(character))
}

/// `;`
pub(super) fn semicolon(input: Input<'_>) -> Parsed<'_, char> {
    sign(Token::Semicolon, ';').parse(input)
}

/// `,`
pub(super) fn comma(input: Input<'_>) -> Parsed<'_, char> {
    sign(Token::Comma, ',').parse(input)
}

/// `:`
pub(super) fn colon(input: Input<'_>) -> Parsed<'_, char> {
    sign(Token::Colon, ':').parse(input)
}

/// `*`
pub(super) fn star(input: Input<'_>) -> Parsed<'_, char> {
    sign(Token::Star, '*').parse(input)
}

/// `( )`
pub(super) fn parentheses(input: Input<'_>) -> Parsed<'_, ()> {
    (sign(Token::OpenParenthesis, '('), sign(Token::CloseParenthesis, ')')).map(|_| ()).parse(input)
}

/// `{`
pub(super) fn open_brace(input: Input<'_>) -> Parsed<'_, char> {
    sign(Token::OpenBrace, '{').parse(input)
}

/// `}`
pub(super) fn close_brace(input: Input<'_>) -> Parsed<'_, char> {
    sign(Token::CloseBrace, '}').parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(text: &str, parser: impl Fn(Input<'_>) -> Parsed<'_, char>) -> Failure {
        let lines = LineIndex::new(text);
        match parser(Input::new_extra(text, &lines)) {
            Err(nom::Err::Error(failure)) => failure,
            _ => panic!("{text} parses"),
        }
    }

    #[test]
    fn a_failure_is_located_after_the_blanks() {
        let failure = failure("x /* c */ // d\n y", |input| {
            let (rest, _) = name(input)?;
            alt((comma, semicolon)).parse(rest)
        });
        assert_eq!((failure.after, failure.at), (1, 16));
        assert_eq!(failure.expected.to_string(), "`;` or `,`");
    }

    #[test]
    fn the_furthest_failure_wins() {
        let failure = failure("x y", |input| alt((|input| semicolon(name(input)?.0), comma)).parse(input));
        assert_eq!((failure.after, failure.at), (1, 2));
        assert_eq!(failure.expected.to_string(), "`;`");
    }

    #[test]
    fn a_comment_without_end_is_no_blank() {
        let failure = failure("  /* a", comma);
        assert_eq!((failure.after, failure.at), (0, 2));
    }
}
