//! Likely reasons for a syntax error, and the advice that goes with each.

use super::found::Found;
use super::suggest::closest;
use super::token::{ITEM_KEYWORDS, STATEMENT_KEYWORDS, Token, TokenSet, is_keyword};

/// What the writer of a broken text probably had in mind.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Slip {
    /// A keyword with a letter wrong.
    Misspelt(&'static str),
    /// A word of another language, with the advice for it.
    Foreign(&'static str),
    /// A keyword where a name stands.
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
    /// `loop while ...` and the like: a block is expected, something else is there.
    MissingBlock(String),
    /// `f();`
    DirectCall(String),
    /// `x = 1;`
    Assignment(String),
    /// A word alone where a statement stands.
    UnknownStatement,
    /// `or` without a `choose`
    StrayOr,
    /// `{ ... }` without a statement that has a block
    StrayBlock,
    /// `;` behind a block, or alone
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
    /// Its first word, empty where it does not begin with a word.
    pub(super) head: &'t str,
    /// The text behind the token that does not fit.
    pub(super) behind: &'t str,
    /// Whether that token is the first one of its line.
    pub(super) on_new_line: bool,
}

/// Guesses what went wrong where one of some tokens was expected and another was found.
pub(super) fn guess(context: Context<'_>, expected: TokenSet, found: &Found) -> Option<Slip> {
    match found {
        Found::Character('#') => return Some(Slip::HashComment),
        Found::Character(character) if character.is_control() => return Some(Slip::NoText),
        _ => {}
    }
    if expected.contains(Token::Item) {
        return outside(found);
    }
    if expected.contains(Token::Statement) {
        return no_statement(context, found);
    }
    match found {
        Found::Keyword(word) if expected.contains(Token::Name) => Some(Slip::KeywordAsName(word.clone())),
        Found::Number(_) if expected.contains(Token::Name) => Some(Slip::LeadingDigit),
        Found::Character(character) => wrong_sign(context.head, expected, *character),
        Found::Name(_) if expected.contains(Token::Comma) && !context.on_new_line => Some(Slip::MissingComma),
        _ => wrong_word(context.head, expected),
    }
}

/// A place between items.
fn outside(found: &Found) -> Option<Slip> {
    match found {
        Found::Keyword(word) if STATEMENT_KEYWORDS.contains(&word.as_str()) => Some(Slip::StatementOutside),
        Found::Name(word) => foreign_item(word)
            .map(Slip::Foreign)
            .or_else(|| closest(word, ITEM_KEYWORDS).map(Slip::Misspelt))
            .or_else(|| closest(word, STATEMENT_KEYWORDS).map(|_| Slip::StatementOutside)),
        Found::Character(';') => Some(Slip::StraySemicolon),
        Found::Character('{') => Some(Slip::StrayBlock),
        _ => None,
    }
}

/// A place between statements.
fn no_statement(context: Context<'_>, found: &Found) -> Option<Slip> {
    match found {
        Found::Keyword(word) if word == "or" => Some(Slip::StrayOr),
        Found::Name(word) => Some(unknown_word(context, word)),
        Found::Character(';') => Some(Slip::StraySemicolon),
        Found::Character('{') => Some(Slip::StrayBlock),
        _ => None,
    }
}

/// A word that begins no statement.
fn unknown_word(context: Context<'_>, word: &str) -> Slip {
    let behind = context.behind.trim_start();
    let misspelt = || closest(word, STATEMENT_KEYWORDS).map(Slip::Misspelt);
    if let Some(advice) = foreign_statement(word) {
        Slip::Foreign(advice)
    } else if behind.starts_with(['=', '+', '-']) || behind.starts_with(":=") {
        Slip::Assignment(word.to_string())
    } else if behind.starts_with('(') {
        misspelt().unwrap_or_else(|| Slip::DirectCall(word.to_string()))
    } else {
        misspelt().unwrap_or(Slip::UnknownStatement)
    }
}

/// A sign that does not fit.
fn wrong_sign(head: &str, expected: TokenSet, character: char) -> Option<Slip> {
    let slip = match (head, character) {
        ("fn", '{') => Slip::FunctionWithoutParentheses,
        ("fn", ';') => Slip::FunctionWithoutBody,
        ("process", '(') => Slip::ProcessParentheses,
        ("process", '[') => Slip::InstanceCount,
        ("call" | "start", '(') if expected.contains(Token::Semicolon) => Slip::Arguments(head.to_string()),
        ("sync", '{') if expected.contains(Token::Name) => Slip::SyncWithoutLock,
        ("return", _) => Slip::ReturnValue,
        (_, '(') if expected.contains(Token::Name) && is_keyword(head) => Slip::ParenthesizedName(head.to_string()),
        (_, ';' | '{' | '}') if expected.contains(Token::Name) => Slip::MissingName(head.to_string()),
        _ if expected.contains(Token::Many) => Slip::InstanceCount,
        (_, ',') if expected.contains(Token::Semicolon) => Slip::SeveralNames(head.to_string()),
        _ if expected == Token::OpenBrace.into() => return wrong_word(head, expected),
        _ => return None,
    };
    Some(slip)
}

/// A word or a number that does not fit.
fn wrong_word(head: &str, expected: TokenSet) -> Option<Slip> {
    match head {
        "return" => Some(Slip::ReturnValue),
        "fn" if expected.contains(Token::CloseParenthesis) => Some(Slip::FunctionParameters),
        "process" if expected.contains(Token::Many) => Some(Slip::InstanceCount),
        _ if expected.contains(Token::OpenBrace) => Some(Slip::MissingBlock(head.to_string())),
        _ => None,
    }
}

/// Advice about words that begin statements in other languages.
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

/// Advice about words that begin declarations in other languages.
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
        "automaton" => "phase automata stand in files of their own",
        _ => return None,
    })
}

impl Slip {
    /// What to do instead.
    pub fn advice(&self) -> String {
        match self {
            Slip::Misspelt(word) => format!("did you mean `{word}`?"),
            Slip::Foreign(advice) => (*advice).to_string(),
            Slip::KeywordAsName(word) => {
                format!("`{word}` is a keyword and cannot be a name; `{word}_` can")
            }
            Slip::LeadingDigit => "a name begins with a letter or `_`".into(),
            Slip::FunctionWithoutParentheses => "a function is written with parentheses: `fn f() { ... }`".into(),
            Slip::FunctionParameters => "functions have no parameters: data is abstracted away".into(),
            Slip::FunctionWithoutBody => "a function has a body, perhaps an empty one: `fn f() { }`".into(),
            Slip::ProcessParentheses => "a process is written without parentheses: `process P { ... }`".into(),
            Slip::Arguments(head) => {
                format!("nothing is passed: write `{head}` with the name alone")
            }
            Slip::ParenthesizedName(head) => {
                format!("the name behind `{head}` stands without parentheses")
            }
            Slip::SyncWithoutLock => {
                "name the lock: `sync l { ... }`; a unit of work is written `atomic { ... }`".into()
            }
            Slip::MissingName(head) if STATEMENT_KEYWORDS.contains(&head.as_str()) => {
                format!("a name is missing behind `{head}`")
            }
            Slip::MissingName(head) => format!("a name is missing behind `{head}` or a comma"),
            Slip::InstanceCount => "`* 3` stands for three instances, `* many` for any number".into(),
            Slip::SeveralNames(head) => format!("write one `{head}` statement for each name"),
            Slip::MissingComma => "names are separated by commas".into(),
            Slip::ReturnValue => "`return` carries no value: data is abstracted away".into(),
            Slip::MissingBlock(head) => format!("`{head}` is followed by a block in braces"),
            Slip::DirectCall(name) => format!("a call is written `call {name};`"),
            Slip::Assignment(name) => {
                format!("data is abstracted away: an access is written `read {name};` or `write {name};`")
            }
            Slip::UnknownStatement => {
                "a statement begins with a keyword such as `read`, `sync` or `call`; a label ends in `:`".into()
            }
            Slip::StrayOr => "`or { ... }` stands right behind a block of a `choose`".into(),
            Slip::StrayBlock => {
                "a block stands only behind `sync`, `atomic`, `choose`, `or`, `loop`, `fn` or `process`".into()
            }
            Slip::StraySemicolon => "remove the `;`: none stands behind a block, and `skip;` does nothing".into(),
            Slip::HashComment => "a comment begins with `//`".into(),
            Slip::NoText => "a control character has no place in a model; is this the right file?".into(),
            Slip::StatementOutside => "statements stand inside of functions and processes".into(),
        }
    }
}
