//! What can be wrong with a table.

use std::fmt;

/// What is wrong with a table, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong.
    pub problem: TableProblem,
}

/// What is wrong with a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableProblem {
    /// A row stands before the first class.
    RowWithoutClass,
    /// There is no name where one should be, or one that is none.
    NoName(String),
    /// A row without `:`, or without actions.
    NoActions,
    /// There is no such action.
    UnknownAction(String),
    /// An action of `this` or an argument names none, or one that there cannot be.
    NoSubject(String),
    /// An action that takes nothing is followed by something.
    Surplus(String),
    /// `nothing` stands beside another action.
    NothingAndMore,
    /// A parenthesis without its other half.
    Parenthesis,
    /// A class twice in one text.
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
