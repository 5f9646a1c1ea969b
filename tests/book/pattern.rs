//! The fourteen patterns as the command explains them.

use std::process::Command;

/// An access of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// `R` or `W`.
    pub verb: char,
    /// 1 or 2.
    pub thread: usize,
    pub location: String,
}

/// A pattern.
pub struct Pattern {
    pub number: usize,
    /// As in tables: `R1(a) W2(b)`.
    pub notation: String,
    pub accesses: Vec<Access>,
    /// The consequence of the pattern.
    pub meaning: String,
}

/// Returns all patterns in order.
pub fn patterns() -> Vec<Pattern> {
    (1..=14).map(pattern).collect()
}

fn pattern(number: usize) -> Pattern {
    let mut command = Command::new(env!("CARGO_BIN_EXE_asercheck"));
    let output = command.args(["--color", "never", "--explain-pattern", &number.to_string()]).output();
    let text = String::from_utf8(output.expect("the program can be started").stdout).expect("all output is UTF-8");
    let mut lines = text.lines();
    let head = lines.next().expect("a pattern is explained");
    let notation = head.split_once(": ").expect("the pattern is named first").1.to_string();
    let meaning = lines.next().expect("what goes wrong comes next").trim_end_matches('.').to_string();
    let accesses = notation.split(' ').map(|access| {
        let mut chars = access.chars();
        let verb = chars.next().expect("an access has a verb");
        let thread = chars.next().and_then(|digit| digit.to_digit(10)).expect("an access has a thread");
        let location = chars.as_str().trim_matches(['(', ')']).to_string();
        Access { verb, thread: thread as usize, location }
    });
    let accesses = accesses.collect();
    Pattern { number, notation, accesses, meaning }
}
