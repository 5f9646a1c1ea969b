//! The grammar of everything but blocks: items and statements up to their opening brace.
//!
//! The parser handles bodies and the order of items and statements, since it recovers from errors there.

use nom::Parser;
use nom::branch::alt;
use nom::sequence::{delimited, preceded, terminated};

use super::ast::{ItemKind, LockUse, Mode, Name, StatementKind};
use super::lexer::{
    Failure, Input, Parsed, close_brace, colon, comma, inner_word, leading_word, name, number, open_brace, parentheses,
    semicolon, star, to_name,
};
use super::token::{Token, is_keyword};

/// An item, or its beginning up to its opening brace.
pub(super) enum ItemHead<'t> {
    /// A declaration that ends in `;`.
    Whole(ItemKind),
    /// `atomicset name {`
    AtomicSet(Name),
    /// `fn name() {`
    Function(Name),
    /// `process name * instances {`
    Process(Name, Instances<'t>),
}

/// The number of instances as written.
pub(super) enum Instances<'t> {
    /// No number is written.
    Single,
    /// `* many`
    Many,
    /// `* n`, of any size.
    Times(Input<'t>),
}

/// A statement, or its beginning up to its opening brace.
pub(super) enum StatementHead {
    /// A statement without a block.
    Whole(StatementKind),
    /// `sync lock {`, perhaps with a mode
    Sync(LockUse),
    /// `atomic {`
    Atomic,
    /// `choose {`
    Choose,
    /// `loop {`
    Loop,
}

/// Parses an item up to its end or its opening brace.
pub(super) fn item(input: Input<'_>) -> Parsed<'_, ItemHead<'_>> {
    let (rest, word) = leading_word(Token::Item, input)?;
    match *word.fragment() {
        "lock" => declared_names(rest).map(whole(ItemKind::Locks)),
        "rwlock" => declared_names(rest).map(whole(ItemKind::RwLocks)),
        "overlap" => declared_names(rest).map(whole(ItemKind::Overlap)),
        "shared" => declared_names(rest).map(whole(ItemKind::Shared)),
        "atomicset" => terminated(name, open_brace).map(ItemHead::AtomicSet).parse(rest),
        "fn" => terminated(name, (parentheses, open_brace)).map(ItemHead::Function).parse(rest),
        "process" => (name, instances).map(|(name, instances)| ItemHead::Process(name, instances)).parse(rest),
        _ => Err(not_one_of(Token::Item, input, word)),
    }
}

/// Wraps the names of a declaration.
fn whole<'t>(kind: fn(Vec<Name>) -> ItemKind) -> impl Fn((Input<'t>, Vec<Name>)) -> (Input<'t>, ItemHead<'t>) {
    move |(rest, names)| (rest, ItemHead::Whole(kind(names)))
}

/// `name, name, ... ;`
fn declared_names(input: Input<'_>) -> Parsed<'_, Vec<Name>> {
    names_until(semicolon, input)
}

/// `name, name, ... }`
pub(super) fn members(input: Input<'_>) -> Parsed<'_, Vec<Name>> {
    names_until(close_brace, input)
}

/// Parses names separated by commas up to an end sign.
fn names_until<'t>(end: fn(Input<'t>) -> Parsed<'t, char>, mut input: Input<'t>) -> Parsed<'t, Vec<Name>> {
    let mut names = Vec::new();
    loop {
        let (rest, (name, separator)) = (name, alt((comma, end))).parse(input)?;
        names.push(name);
        input = rest;
        if separator != ',' {
            return Ok((input, names));
        }
    }
}

/// `[ * instances ] {`
fn instances(input: Input<'_>) -> Parsed<'_, Instances<'_>> {
    let many = inner_word(Token::Many, "many").map(|_| Instances::Many);
    let count = alt((number.map(Instances::Times), many));
    alt((open_brace.map(|_| Instances::Single), delimited(star, count, open_brace))).parse(input)
}

/// Parses a statement up to its end or its opening brace.
pub(super) fn statement(input: Input<'_>) -> Parsed<'_, StatementHead> {
    use StatementHead::Whole;
    let (rest, word) = leading_word(Token::Statement, input)?;
    let with_name =
        |kind: fn(Name) -> StatementKind| terminated(name, semicolon).map(move |name| Whole(kind(name))).parse(rest);
    let alone = |kind: StatementKind| {
        let (rest, _) = semicolon(rest)?;
        Ok((rest, Whole(kind)))
    };
    let with_block = |head: StatementHead| {
        let (rest, _) = open_brace(rest)?;
        Ok((rest, head))
    };
    let with_lock = |kind: fn(LockUse) -> StatementKind| {
        terminated(lock_use, semicolon).map(move |lock| Whole(kind(lock))).parse(rest)
    };
    match *word.fragment() {
        "read" => with_name(StatementKind::Read),
        "write" => with_name(StatementKind::Write),
        "acquire" => with_lock(StatementKind::Acquire),
        "release" => with_name(StatementKind::Release),
        "wait" => with_name(StatementKind::Wait),
        "call" => with_name(StatementKind::Call),
        "start" => with_name(StatementKind::Start),
        "goto" => with_name(StatementKind::Goto),
        "begin" => alone(StatementKind::Begin),
        "end" => alone(StatementKind::End),
        "return" => alone(StatementKind::Return),
        "skip" => alone(StatementKind::Skip),
        "break" => alone(StatementKind::Break),
        "continue" => alone(StatementKind::Continue),
        "sync" => terminated(lock_use, open_brace).map(StatementHead::Sync).parse(rest),
        "atomic" => with_block(StatementHead::Atomic),
        "choose" => with_block(StatementHead::Choose),
        "loop" => with_block(StatementHead::Loop),
        other => match colon(rest) {
            Ok((rest, _)) if !is_keyword(other) => Ok((rest, Whole(StatementKind::Label(to_name(word))))),
            _ => Err(not_one_of(Token::Statement, input, word)),
        },
    }
}

/// `[ mode ] name`
fn lock_use(input: Input<'_>) -> Parsed<'_, LockUse> {
    let (rest, mode) = match alt((inner_word(Token::Name, "read"), inner_word(Token::Name, "write"))).parse(input) {
        Ok((rest, word)) if *word.fragment() == "read" => (rest, Some(Mode::Read)),
        Ok((rest, _)) => (rest, Some(Mode::Write)),
        Err(_) => (input, None),
    };
    let (rest, name) = name(rest)?;
    Ok((rest, LockUse { mode, name }))
}

/// `or {`
pub(super) fn or_block(input: Input<'_>) -> Parsed<'_, char> {
    preceded(inner_word(Token::Or, "or"), open_brace).parse(input)
}

/// Returns the failure for a word that begins no construct of this kind.
fn not_one_of<'t>(kind: Token, before: Input<'t>, word: Input<'t>) -> nom::Err<Failure> {
    nom::Err::Error(Failure { after: before.location_offset(), at: word.location_offset(), expected: kind.into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::lines::LineIndex;

    fn failure(text: &str) -> (usize, String) {
        let lines = LineIndex::new(text);
        let input = Input::new_extra(text, &lines);
        let result = if text.starts_with(char::is_uppercase) {
            statement(nom::Input::take_from(&input, 1)).map(|_| ())
        } else {
            item(input).map(|_| ())
        };
        match result {
            Err(nom::Err::Error(failure)) => (failure.at, failure.expected.to_string()),
            _ => panic!("{text} parses"),
        }
    }

    #[test]
    fn failures_name_everything_that_fits() {
        let expected = |at: usize, text: &str| (at, text.to_string());
        assert_eq!(failure("lock a b;"), expected(7, "`;` or `,`"));
        assert_eq!(failure("process P ("), expected(10, "`*` or `{`"));
        assert_eq!(failure("process P * {"), expected(12, "a number or `many`"));
        assert_eq!(failure("fn f {"), expected(5, "`(`"));
        assert_eq!(failure("S read x y"), expected(9, "`;`"));
        assert_eq!(failure("S raed x;"), expected(2, "a statement"));
    }
}
