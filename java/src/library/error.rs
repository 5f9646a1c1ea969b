//! The errors of tables.

use std::fmt;

/// An error in a table, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// The kind of the error.
    pub problem: TableProblem,
}

/// The kinds of errors in tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableProblem {
    /// A row before the first class.
    RowWithoutClass,
    /// A missing or invalid name.
    NoName(String),
    /// A row without `:`, or without actions.
    NoActions,
    /// An unknown action.
    UnknownAction(String),
    /// A missing or impossible operand: `this` or the number of an argument is expected.
    NoSubject(String),
    /// A surplus operand.
    Surplus(String),
    /// `nothing` together with another action.
    NothingAndMore,
    /// An unmatched parenthesis.
    Parenthesis,
    /// A class that occurs twice in one text.
    DuplicateClass(String),
}

impl fmt::Display for TableError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.line, self.column, self.problem)
    }
}

impl fmt::Display for TableProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RowWithoutClass => out.write_str("a method stands before the first `class`"),
            Self::NoName(found) => write!(out, "a name is needed, not `{}`", found.escape_debug()),
            Self::NoActions => out.write_str("`: action` is needed after the methods"),
            Self::UnknownAction(found) => write!(out, "there is no action `{}`", found.escape_debug()),
            Self::NoSubject(found) => {
                write!(out, "`this` or the number of an argument, from 1, is needed, not `{}`", found.escape_debug())
            }
            Self::Surplus(found) => write!(out, "`{}` is too much", found.escape_debug()),
            Self::NothingAndMore => out.write_str("`nothing` stands alone"),
            Self::Parenthesis => out.write_str("a parenthesis is open or closed once too often"),
            Self::DuplicateClass(class) => write!(out, "the class `{}` stands here twice", class.escape_debug()),
        }
    }
}

impl std::error::Error for TableError {}
