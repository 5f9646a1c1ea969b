//! Errors in the nesting of locks and units, with the paths that show them.

use std::sync::Arc;

use super::flow::{Choice, ChoiceKind};
use crate::syntax::{Diagnostic, Span, quote};
use phases::Mode;

/// A place where locks and units are not nested properly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NestingError {
    /// The function or process.
    pub procedure: Arc<str>,
    /// The statement, or the closing brace at which a block or a body ends.
    pub place: Span,
    /// The kind of error.
    pub problem: NestingProblem,
}

/// The kinds of nesting errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NestingProblem {
    /// Two paths to this place on which different locks or units are open.
    Differs {
        /// One of them.
        first: Path,
        /// The other one.
        second: Path,
    },
    /// A release or an end of a lock or unit that was not opened last.
    WrongClose {
        /// The lock or unit that is closed here.
        closes: OpenedName,
        /// The statement whose block ends or is left here, if leaving the block closes the lock or unit.
        block: Option<Span>,
        /// A path to this place, with the locks and units open just before it.
        path: Path,
    },
    /// A lock or unit that no block closes is open at a return.
    OpenAtReturn {
        /// A path to this place.
        path: Path,
    },
}

/// A path from the start of a procedure to a place in it, as far as messages show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The locks and units open at its end, innermost last; of very many only the innermost.
    pub opened: Vec<OpenedPlace>,
    /// Whether there are more outside of these.
    pub opened_is_cut: bool,
    /// The choices taken on the way, in order; of very many only the last.
    pub choices: Vec<Choice>,
    /// Whether there were more before these.
    pub choices_are_cut: bool,
}

/// A lock or a unit, and the place where it was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedPlace {
    /// The lock or unit.
    pub name: OpenedName,
    /// The statement that opened it.
    pub span: Span,
}

/// A lock by its name, or a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenedName {
    /// A lock.
    Lock(Arc<str>),
    /// A read-write lock in a mode.
    ReadWriteLock(Arc<str>, Mode),
    /// A unit of work.
    Unit,
}

impl NestingError {
    /// Returns the message for users.
    pub fn diagnostic(&self) -> Diagnostic {
        let diagnostic = match &self.problem {
            NestingProblem::Differs { first, second } => self.differs(first, second),
            NestingProblem::WrongClose { closes, block, path } => self.wrong_close(closes, *block, path),
            NestingProblem::OpenAtReturn { path } => self.open_at_return(path),
        };
        diagnostic.note(format!("in {}", quote(&self.procedure)))
    }

    fn differs(&self, first: &Path, second: &Path) -> Diagnostic {
        let mut diagnostic = Diagnostic::error("two paths lead here with different locks or units open")
            .at(self.place, "the paths meet here");
        for (path, label) in [(first, "opened here on one path"), (second, "opened here on the other path")] {
            if let Some(last) = path.opened.last() {
                diagnostic = diagnostic.also(last.span, label);
            }
        }
        diagnostic
            .note(format!("on one path {}", first.describe()))
            .note(format!("on the other path {}", second.describe()))
            .help(
                "every path to a statement has to open the same locks and units in the same order; \
                 close them on each path, or hold them by `sync` and `atomic` blocks",
            )
    }

    fn wrong_close(&self, closes: &OpenedName, block: Option<Span>, path: &Path) -> Diagnostic {
        let verb = closes.closing_verb();
        let closes = closes.describe();
        let mut diagnostic = match path.opened.last() {
            None => Diagnostic::error(format!("{closes} is {verb}, but nothing is open"))
                .at(self.place, "nothing to close here")
                .help("a function closes only what it has opened itself, on each path to this place"),
            Some(last) => {
                Diagnostic::error(format!("{closes} is {verb}, but {} was opened last", last.name.describe()))
                    .at(self.place, format!("not the end of {closes}"))
                    .also(last.span, "opened here and not closed yet")
                    .help("locks and units are closed in the reverse order of opening")
            }
        };
        if let Some(block) = block {
            diagnostic = diagnostic.also(block, "by leaving this block");
        }
        diagnostic.note(format!("on this path {}", path.describe()))
    }

    fn open_at_return(&self, path: &Path) -> Diagnostic {
        let mut diagnostic = match path.opened.last() {
            None => Diagnostic::error("something is still open at the return"),
            Some(last) => Diagnostic::error(format!("{} is still open at the return", last.name.describe()))
                .also(last.span, "opened here"),
        };
        diagnostic = diagnostic.at(self.place, "returns here");
        diagnostic
            .note(format!("on this path {}", path.describe()))
            .help("close it before the return, or hold it by a `sync` or `atomic` block, which a return leaves")
    }
}

impl Path {
    /// Describes the path as part of a sentence.
    fn describe(&self) -> String {
        let opened: Vec<String> =
            self.opened.iter().map(|opened| format!("{} ({})", opened.name.describe(), line_of(opened.span))).collect();
        let opened = match opened.as_slice() {
            [] => "nothing is open".to_string(),
            [one] if !self.opened_is_cut => format!("{one} is open"),
            _ => format!("{} are open", shortened(self.opened_is_cut, &opened)),
        };
        let choices: Vec<String> = self.choices.iter().map(describe_choice).collect();
        if choices.is_empty() {
            opened
        } else {
            let choices = shortened(self.choices_are_cut, &choices);
            format!("{opened}; choices: {choices}")
        }
    }
}

/// Returns an enumeration; dots at its front stand for omitted parts.
fn shortened(is_cut: bool, parts: &[String]) -> String {
    let dots = if is_cut { "..., " } else { "" };
    format!("{dots}{}", parts.join(", "))
}

/// Describes a choice in a few words.
fn describe_choice(choice: &Choice) -> String {
    let line = line_of(choice.span);
    match choice.kind {
        ChoiceKind::Block => format!("the block in {line}"),
        ChoiceKind::Enter => format!("into the loop in {line}"),
        ChoiceKind::Leave => format!("past the loop in {line}"),
        ChoiceKind::Jump => format!("the jump in {line}"),
        ChoiceKind::Successor => format!("on to {line}"),
    }
}

/// Describes the line and the column of a place as part of a sentence.
fn line_of(span: Span) -> String {
    format!("line {}:{}", span.start.line, span.start.column)
}

impl OpenedName {
    /// Describes the lock or unit as part of a sentence.
    pub(super) fn describe(&self) -> String {
        match self {
            OpenedName::Lock(name) => format!("lock {}", quote(name)),
            OpenedName::ReadWriteLock(name, mode) => format!("lock {} in {} mode", quote(name), mode.name()),
            OpenedName::Unit => "a unit of work".into(),
        }
    }

    /// Returns the verb for closing it.
    pub(super) fn closing_verb(&self) -> &'static str {
        match self {
            OpenedName::Lock(_) | OpenedName::ReadWriteLock(..) => "released",
            OpenedName::Unit => "ended",
        }
    }
}
