//! A text format of weighted pushdown systems, so that different programs can be measured on the same files.
//!
//! Each line has one rule or one transition of an automaton; tokens are separated by spaces; `#` begins a comment:
//!
//! ```text
//! p main -> p body back : 2    # a push with weight 2; the topmost symbol comes first
//! p body -> p                  # a pop; without a weight it is 1
//! p back -> q back             # a step
//! initial p main final         # post* begins with <p, main>
//! target  q *    any           # the targets of pre*: control state q and any symbol
//! target  any *  any           # above any others,
//! target  any *  final         # two or more symbols in all.
//! ```
//!
//! Names of control states, stack symbols and automaton states are any tokens except `->`, `:`, `*` and those that
//! begin with `#`. A byte-order mark at the beginning of the file is ignored. A name on the right of an automaton's
//! line is a state of that automaton; `final` is the accepting one. A name on the left is a state of the automaton if
//! it occurs on the right of one of its lines, otherwise a control state. `*` means every stack symbol of the file, and
//! a line without a symbol, `target q final`, the empty stack.
//!
//! [`Document::configurations`] reads a set of configurations from a regular expression:
//!
//! ```text
//! < [p, q], [a] ([b] | [c d])* .? > | < [r], [^a] + >
//! ```
//!
//! A set is a union, by `|`, of control states with a stack. `[p, q]` lists names, separated by commas or spaces;
//! `[^p]` stands for all others, and `.` for all. A stack is a regular expression over such classes of symbols, the
//! topmost one first: a sequence, `|`, `*`, `+`, `?` and parentheses have their usual meaning. Without a comma after
//! the control states, or with nothing after it, the stack is empty. A comment begins with `#`.

mod error;
mod fresh;
mod names;
mod reader;
mod regex;
mod writer;

pub use error::{ReadError, ReadErrorKind};
#[cfg(feature = "json")]
pub(crate) use fresh::Fresh;
pub use names::Names;
pub use reader::{Document, read};
pub use regex::SetError;
pub use writer::write;
