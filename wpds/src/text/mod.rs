//! Weighted pushdown systems as plain text, so that different programs can be measured on the same files.
//!
//! One rule or one transition of an automaton a line, tokens between spaces, `#` begins a comment:
//!
//! ```text
//! p main -> p body back : 2    # a push with weight 2; the topmost symbol comes first
//! p body -> p                  # a pop; without a weight it is 1
//! p back -> q back             # a step
//! initial p main final         # where post* begins: <p, main>
//! target  q *    any           # what pre* asks for: control state q and any symbol
//! target  any *  any           # above any others,
//! target  any *  final         # two or more symbols in all.
//! ```
//!
//! The names of control states, of stack symbols and of the automata's states may be anything but `->`, `:`, `*` and
//! what begins with `#`. A byte-order mark at the beginning of the file is ignored. A name on the right of an
//! automaton's line is a state of that automaton, `final` the accepting one; a name on the left is a state of the
//! automaton if it occurs on the right of one of its lines, otherwise a control state. `*` stands for every stack
//! symbol of the file, and a line without a symbol, `target q final`, for the empty stack.

mod error;
mod names;
mod reader;

pub use error::{ReadError, ReadErrorKind};
pub use names::Names;
pub use reader::{Document, read};
