//! Likely reasons for a syntax error, with advice for each.

use super::found_token::FoundToken;
use super::suggest::closest;
use super::token::{ITEM_KEYWORDS, STATEMENT_KEYWORDS, Token, TokenSet, is_keyword};

/// The probable mistake at a syntax error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mistake {
    /// A keyword with a letter wrong.
    Misspelt(&'static str),
    /// A word of another language, with the advice for it.
    Foreign(&'static str),
    /// A keyword in the place of a name.
    KeywordAsName(String),
    /// A name that begins with a digit.
    LeadingDigit,
    /// `fn f { ... }`
    FunctionWithoutParentheses,
    /// `fn f(x) { ... }`
    FunctionParameters,
    /// `fn f();`
    FunctionWithoutBody,
    /// `process P() { ... }`
    ProcessParentheses,
    /// `call f();` or `start P();`
    Arguments(String),
    /// `sync (l) { ... }` and the like
    ParenthesizedName(String),
    /// `sync { ... }`
    SyncWithoutLock,
    /// `read;` and the like
    MissingName(String),
    /// `process P * { ... }`
    InstanceCount,
    /// `read x, y;`
    SeveralNames(String),
    /// `lock a b;`
    MissingComma,
    /// `return x;`
    ReturnValue,
    /// `loop while ...` and the like: another token where a block is expected.
    MissingBlock(String),
    /// `f();`
    DirectCall(String),
    /// `x = 1;`
    Assignment(String),
    /// A word alone in the place of a statement.
    UnknownStatement,
    /// `or` without a `choose`
    StrayOr,
    /// `{ ... }` without a statement that has a block
    StrayBlock,
    /// `;` after a block, or alone
    StraySemicolon,
    /// A statement outside of functions and processes.
    StatementOutside,
    /// `# ...`
    HashComment,
    /// A control character.
    NoText,
}

/// The construct in which an error occurred.
#[derive(Clone, Copy)]
pub(super) struct Context<'t> {
    /// Its first word; empty if it does not begin with a word.
    pub(super) head: &'t str,
    /// The text after the unexpected token.
    pub(super) after: &'t str,
    /// Whether that token is the first one of its line.
    pub(super) on_new_line: bool,
}

/// Guesses the mistake from the expected tokens and the token found.
pub(super) fn guess(context: Context<'_>, expected: TokenSet, found: &FoundToken) -> Option<Mistake> {
    match found {
        FoundToken::Character('#') => return Some(Mistake::HashComment),
        FoundToken::Character(character) if character.is_control() => return Some(Mistake::NoText),
        _ => {}
    }
    if expected.contains(Token::Item) {
        return outside(found);
    }
    if expected.contains(Token::Statement) {
        return no_statement(context, found);
    }
    match found {
        FoundToken::Keyword(word) if expected.contains(Token::Name) => Some(Mistake::KeywordAsName(word.clone())),
        FoundToken::Number(_) if expected.contains(Token::Name) => Some(Mistake::LeadingDigit),
        FoundToken::Character(character) => wrong_sign(context.head, expected, *character),
        FoundToken::Name(_) if expected.contains(Token::Comma) && !context.on_new_line => Some(Mistake::MissingComma),
        _ => wrong_word(context.head, expected),
    }
}

/// Guesses the mistake at a place between items.
fn outside(found: &FoundToken) -> Option<Mistake> {
    match found {
        FoundToken::Keyword(word) if STATEMENT_KEYWORDS.contains(&word.as_str()) => Some(Mistake::StatementOutside),
        FoundToken::Name(word) => foreign_item(word)
            .map(Mistake::Foreign)
            .or_else(|| closest(word, ITEM_KEYWORDS).map(Mistake::Misspelt))
            .or_else(|| closest(word, STATEMENT_KEYWORDS).map(|_| Mistake::StatementOutside)),
        FoundToken::Character(';') => Some(Mistake::StraySemicolon),
        FoundToken::Character('{') => Some(Mistake::StrayBlock),
        _ => None,
    }
}

/// Guesses the mistake at a place between statements.
fn no_statement(context: Context<'_>, found: &FoundToken) -> Option<Mistake> {
    match found {
        FoundToken::Keyword(word) if word == "or" => Some(Mistake::StrayOr),
        FoundToken::Name(word) => Some(unknown_word(context, word)),
        FoundToken::Character(';') => Some(Mistake::StraySemicolon),
        FoundToken::Character('{') => Some(Mistake::StrayBlock),
        _ => None,
    }
}

/// Guesses the mistake at a word that begins no statement.
fn unknown_word(context: Context<'_>, word: &str) -> Mistake {
    let after = context.after.trim_start();
    let misspelt = || closest(word, STATEMENT_KEYWORDS).map(Mistake::Misspelt);
    if let Some(advice) = foreign_statement(word) {
        Mistake::Foreign(advice)
    } else if after.starts_with(['=', '+', '-']) || after.starts_with(":=") {
        Mistake::Assignment(word.to_string())
    } else if after.starts_with('(') {
        misspelt().unwrap_or_else(|| Mistake::DirectCall(word.to_string()))
    } else {
        misspelt().unwrap_or(Mistake::UnknownStatement)
    }
}

/// Guesses the mistake at an unexpected sign.
fn wrong_sign(head: &str, expected: TokenSet, character: char) -> Option<Mistake> {
    let mistake = match (head, character) {
        ("fn", '{') => Mistake::FunctionWithoutParentheses,
        ("fn", ';') => Mistake::FunctionWithoutBody,
        ("process", '(') => Mistake::ProcessParentheses,
        ("process", '[') => Mistake::InstanceCount,
        ("call" | "start", '(') if expected.contains(Token::Semicolon) => Mistake::Arguments(head.to_string()),
        ("sync", '{') if expected.contains(Token::Name) => Mistake::SyncWithoutLock,
        ("return", _) => Mistake::ReturnValue,
        (_, '(') if expected.contains(Token::Name) && is_keyword(head) => Mistake::ParenthesizedName(head.to_string()),
        (_, ';' | '{' | '}') if expected.contains(Token::Name) => Mistake::MissingName(head.to_string()),
        _ if expected.contains(Token::Many) => Mistake::InstanceCount,
        (_, ',') if expected.contains(Token::Semicolon) => Mistake::SeveralNames(head.to_string()),
        _ if expected == Token::OpenBrace.into() => return wrong_word(head, expected),
        _ => return None,
    };
    Some(mistake)
}

/// Guesses the mistake at an unexpected word or number.
fn wrong_word(head: &str, expected: TokenSet) -> Option<Mistake> {
    match head {
        "return" => Some(Mistake::ReturnValue),
        "fn" if expected.contains(Token::CloseParenthesis) => Some(Mistake::FunctionParameters),
        "process" if expected.contains(Token::Many) => Some(Mistake::InstanceCount),
        _ if expected.contains(Token::OpenBrace) => Some(Mistake::MissingBlock(head.to_string())),
        _ => None,
    }
}

/// Returns advice about words that begin statements in other languages.
fn foreign_statement(word: &str) -> Option<&'static str> {
    Some(match word {
        "if" | "switch" | "match" | "when" | "case" | "select" => {
            "data is abstracted away: write `choose { ... } or { ... }` for a branch"
        }
        "else" | "elif" | "elsif" | "otherwise" | "default" => {
            "the alternatives of a `choose` are written `choose { ... } or { ... }`"
        }
        "while" | "for" | "do" | "repeat" | "foreach" | "until" => {
            "data is abstracted away: write `loop { ... }`, which runs its block any number of times"
        }
        "assert" | "assume" | "join" => {
            "data is abstracted away and there are no conditions to wait for: leave it out, or model it by locks"
        }
        "await" | "sleep" => "a thread gives a lock up and gets it back by `wait l;`",
        "notify" | "notifyAll" | "signal" | "signalAll" => {
            "leave it out: `wait l;` goes on at any time, as if there were spurious wake-ups"
        }
        "rdlock" | "readlock" | "read_lock" => "a read-write lock is acquired in read mode by `acquire read l;`",
        "wrlock" | "writelock" | "write_lock" => "a read-write lock is acquired in write mode by `acquire write l;`",
        "synchronized" | "with" | "using" => "a lock is held for a block by `sync l { ... }`",
        "lock_acquire" | "enter" | "down" | "P" => "a lock is acquired by `acquire l;`",
        "unlock" | "leave" | "up" | "V" => "a lock is released by `release l;`",
        "transaction" | "unit" | "tx" => "a unit of work is written `atomic { ... }`",
        "spawn" | "fork" | "thread" | "run" | "go" => "an instance of a process is created by `start P;`",
        "var" | "let" | "int" | "bool" | "global" | "volatile" | "const" => {
            "there is no local data; a shared location is declared by `shared x;` outside of functions"
        }
        "store" | "set" => "a location is written by `write x;`",
        "load" | "get" => "a location is read by `read x;`",
        "pass" | "nop" | "noop" => "a statement that does nothing is written `skip;`",
        "jump" => "a jump is written `goto label;`",
        _ => return None,
    })
}

/// Returns advice about words that begin declarations in other languages.
fn foreign_item(word: &str) -> Option<&'static str> {
    Some(match word {
        "function" | "func" | "fun" | "def" | "void" | "proc" | "procedure" | "sub" => {
            "a function is written `fn f() { ... }`"
        }
        "thread" | "task" | "main" | "actor" => "a process is written `process P { ... }`",
        "mutex" | "monitor" | "semaphore" => "a lock is declared by `lock l;`",
        "var" | "let" | "int" | "bool" | "global" | "volatile" | "location" | "static" => {
            "a shared location is declared by `shared x;`"
        }
        "set" | "invariant" => "an atomic set is declared by `atomicset S { x, y }`",
        "import" | "include" | "module" | "package" | "use" => "a model is one file",
        "automaton" => "phase automata have files of their own",
        _ => return None,
    })
}

impl Mistake {
    /// Returns the advice: how to correct the mistake.
    pub fn advice(&self) -> String {
        match self {
            Mistake::Misspelt(word) => format!("did you mean `{word}`?"),
            Mistake::Foreign(advice) => (*advice).to_string(),
            Mistake::KeywordAsName(word) => {
                format!("`{word}` is a keyword and cannot be a name; `{word}_` can")
            }
            Mistake::LeadingDigit => "a name begins with a letter or `_`".into(),
            Mistake::FunctionWithoutParentheses => "a function is written with parentheses: `fn f() { ... }`".into(),
            Mistake::FunctionParameters => "functions have no parameters: data is abstracted away".into(),
            Mistake::FunctionWithoutBody => "a function has a body, perhaps an empty one: `fn f() { }`".into(),
            Mistake::ProcessParentheses => "a process is written without parentheses: `process P { ... }`".into(),
            Mistake::Arguments(head) => {
                format!("nothing is passed: write `{head}` with the name alone")
            }
            Mistake::ParenthesizedName(head) => {
                format!("write the name after `{head}` without parentheses")
            }
            Mistake::SyncWithoutLock => {
                "name the lock: `sync l { ... }`; a unit of work is written `atomic { ... }`".into()
            }
            Mistake::MissingName(head) if STATEMENT_KEYWORDS.contains(&head.as_str()) => {
                format!("a name is missing after `{head}`")
            }
            Mistake::MissingName(head) => format!("a name is missing after `{head}` or a comma"),
            Mistake::InstanceCount => "`* 3` stands for three instances, `* many` for any number".into(),
            Mistake::SeveralNames(head) => format!("write one `{head}` statement for each name"),
            Mistake::MissingComma => "names are separated by commas".into(),
            Mistake::ReturnValue => "`return` carries no value: data is abstracted away".into(),
            Mistake::MissingBlock(head) => format!("`{head}` is followed by a block in braces"),
            Mistake::DirectCall(name) => format!("a call is written `call {name};`"),
            Mistake::Assignment(name) => {
                format!("data is abstracted away: an access is written `read {name};` or `write {name};`")
            }
            Mistake::UnknownStatement => {
                "a statement begins with a keyword such as `read`, `sync` or `call`; a label ends in `:`".into()
            }
            Mistake::StrayOr => "`or { ... }` must follow a block of a `choose`".into(),
            Mistake::StrayBlock => {
                "a block can only follow `sync`, `atomic`, `choose`, `or`, `loop`, `fn` or `process`".into()
            }
            Mistake::StraySemicolon => {
                "remove the `;`: a block has none at its end; the empty statement is `skip;`".into()
            }
            Mistake::HashComment => "a comment begins with `//`".into(),
            Mistake::NoText => "a control character has no place in a model; is this the right file?".into(),
            Mistake::StatementOutside => "statements belong inside functions and processes".into(),
        }
    }
}
