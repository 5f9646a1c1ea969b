//! Keywords, and the sets of expected tokens in syntax errors.

use std::fmt;

/// The keywords that begin a top-level item.
pub(super) const ITEM_KEYWORDS: [&str; 7] = ["lock", "rwlock", "overlap", "shared", "atomicset", "fn", "process"];

/// The keywords that begin a statement.
pub(super) const STATEMENT_KEYWORDS: [&str; 18] = [
    "read", "write", "sync", "acquire", "release", "wait", "atomic", "begin", "end", "call", "return", "skip",
    "choose", "loop", "break", "continue", "start", "goto",
];

/// The keywords inside a construct.
const INNER_KEYWORDS: [&str; 2] = ["or", "many"];

/// Returns all keywords.
pub fn keywords() -> impl Iterator<Item = &'static str> {
    [&ITEM_KEYWORDS[..], &STATEMENT_KEYWORDS, &INNER_KEYWORDS].into_iter().flatten().copied()
}

/// Whether a word is reserved.
pub(super) fn is_keyword(word: &str) -> bool {
    keywords().any(|keyword| keyword == word)
}

/// Whether a character can begin a name: a Unicode letter or `_`.
pub(super) fn begins_name(character: char) -> bool {
    character.is_alphabetic() || character == '_'
}

/// Whether a character can stand inside a name: a Unicode letter or digit, `_`, `.` or `$`.
pub(super) fn continues_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '.' | '$')
}

/// Whether a text is a name of EML: well-formed and not a keyword.
///
/// Letters are the characters that Unicode calls alphabetic, digits those that it calls numeric. Names are compared
/// character by character; different ways to compose an accented letter are different names.
///
/// ```
/// use eml::syntax::is_name;
///
/// assert!(is_name("java.util.Stack$Node"));
/// assert!(!is_name("2nd") && !is_name("atomic"));
/// ```
pub fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(begins_name) && characters.all(continues_name) && !is_keyword(text)
}

/// A class of tokens that the grammar can expect at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Token {
    /// A declaration, a function or a process.
    Item,
    /// Any statement.
    Statement,
    /// A name that is not a keyword.
    Name,
    /// A decimal number.
    Number,
    /// `many`
    Many,
    /// `or`
    Or,
    /// `;`
    Semicolon,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `*`
    Star,
    /// `(`
    OpenParenthesis,
    /// `)`
    CloseParenthesis,
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
}

impl Token {
    /// All tokens, in the order in which a message lists them.
    const ALL: [Token; 14] = [
        Token::Item,
        Token::Statement,
        Token::Name,
        Token::Number,
        Token::Many,
        Token::Or,
        Token::Semicolon,
        Token::Comma,
        Token::Colon,
        Token::Star,
        Token::OpenParenthesis,
        Token::CloseParenthesis,
        Token::OpenBrace,
        Token::CloseBrace,
    ];

    /// Returns its name in messages.
    fn description(self) -> &'static str {
        match self {
            Token::Item => "a declaration, a function or a process",
            Token::Statement => "a statement",
            Token::Name => "a name",
            Token::Number => "a number",
            Token::Many => "`many`",
            Token::Or => "`or`",
            Token::Semicolon => "`;`",
            Token::Comma => "`,`",
            Token::Colon => "`:`",
            Token::Star => "`*`",
            Token::OpenParenthesis => "`(`",
            Token::CloseParenthesis => "`)`",
            Token::OpenBrace => "`{`",
            Token::CloseBrace => "`}`",
        }
    }
}

/// A set of tokens. Its text is an enumeration: "`,` or `;`".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TokenSet(u16);

impl TokenSet {
    /// The set without elements.
    pub const EMPTY: TokenSet = TokenSet(0);

    /// Whether the set has this element.
    pub fn contains(self, token: Token) -> bool {
        self.0 & (1 << token as u16) != 0
    }

    /// Returns the elements of both sets.
    pub fn union(self, other: TokenSet) -> TokenSet {
        TokenSet(self.0 | other.0)
    }

    /// Returns the elements, in a fixed order.
    pub fn iter(self) -> impl Iterator<Item = Token> {
        Token::ALL.into_iter().filter(move |&token| self.contains(token))
    }
}

impl From<Token> for TokenSet {
    fn from(token: Token) -> Self {
        TokenSet(1 << token as u16)
    }
}

impl fmt::Display for TokenSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.iter().count();
        for (index, token) in self.iter().enumerate() {
            let separator = match index {
                0 => "",
                _ if index + 1 == count => " or ",
                _ => ", ",
            };
            write!(formatter, "{separator}{}", token.description())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_has_its_own_bit() {
        for token in Token::ALL {
            assert_eq!(TokenSet::from(token).iter().collect::<Vec<_>>(), [token]);
        }
    }

    #[test]
    fn a_set_reads_as_an_enumeration() {
        let set = TokenSet::from(Token::Name).union(Token::Semicolon.into()).union(Token::Comma.into());
        assert_eq!(set.to_string(), "a name, `;` or `,`");
        assert_eq!(TokenSet::EMPTY.to_string(), "");
    }

    #[test]
    fn names_are_letters_digits_and_three_signs() {
        for name in ["x", "_", "é1", "a.b$c_", "变量"] {
            assert!(is_name(name), "{name}");
        }
        for text in ["", "1a", ".a", "$a", "a-b", "a b", "many", "goto", "a#1"] {
            assert!(!is_name(text), "{text}");
        }
    }
}
