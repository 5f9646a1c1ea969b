//! The JSON format of PDAAAL: a pushdown system, the starts and the targets.
//!
//! ```json
//! {"instance": [
//!   {"state-names": true, "weight-type": "uint"},
//!   {"states": {"p": {"main": {"to": "p", "push": "body", "weight": 2}, "body": {"to": "q", "pop": "", "weight": 1}}}},
//!   {"edges": [["p", "main", "end"]], "accepting": ["end"]},
//!   {"edges": [["q", "main", "end"]], "accepting": ["end"]}
//! ]}
//! ```
//!
//! - States have names, or without `state-names` numbers; the rules of a state are then an element of an array.
//! - A rule has `to` and one of `pop` (the empty string), `swap` (the new topmost symbol) and `push` (the symbol on top
//!   of the one that was read); and a `weight` if `weight-type` is `"uint"` or `"int"`, not if it is `"none"`. `"*"`
//!   instead of the symbol that is read stands for every symbol of the file; a swap to `"*"` changes the control state
//!   only.
//! - A member that occurs twice counts twice.
//! - An edge over the empty string reads nothing. Edges may lead into control states.
//!
//! Left out: weights that are negative or arrays, the text form of automata ([`crate::text`] has it), and MessagePack.

mod automaton;
mod parts;
mod reader;
mod writer;

pub use reader::{ReadError, read};
pub use writer::write;
