//! The writer of the text format.

use super::fresh::Fresh;
use super::names::Names;
use super::reader::Document;
use crate::automaton::{Automaton, Goal, Origin};
use crate::index::{Control, Symbol};
use crate::system::Rule;
use std::collections::BTreeSet;
use std::io::{self, Write};

/// Writes a document, a line for each rule and transition; `weight` is the number of a weight, or none if the rule is
/// to have no weight.
///
/// # Errors
/// Those of the output; `InvalidData` for names that are no tokens.
pub fn write<W: Clone>(
    out: &mut impl Write,
    document: &Document<W>,
    weight: impl Fn(&W) -> Option<u64>,
) -> io::Result<()> {
    let Document { system, controls, symbols, .. } = document;
    for name in controls.iter().chain(symbols.iter()).chain(document.states.iter()) {
        let is_token = !name.is_empty() && !name.contains(char::is_whitespace) && !name.contains('\u{feff}');
        if !is_token || name.starts_with('#') || ["->", ":", "*"].contains(&name) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, format!("`{name}` cannot be written as a name")));
        }
    }
    for rule in system.rule_ids() {
        let (from, read) = system.left(rule);
        write!(out, "{} {} ->", control(controls, from), symbol(symbols, read))?;
        match system.rule(rule) {
            Rule::Pop { control: to } => write!(out, " {}", control(controls, to))?,
            Rule::Step { control: to, symbol: by } => {
                write!(out, " {} {}", control(controls, to), symbol(symbols, by))?;
            }
            Rule::Push { control: to, symbol: by, below } => {
                write!(out, " {} {} {}", control(controls, to), symbol(symbols, by), symbol(symbols, below))?;
            }
        }
        match weight(system.weight(rule)) {
            Some(weight) => writeln!(out, " : {weight}")?,
            None => writeln!(out)?,
        }
    }
    let fresh = Fresh::new(document, FINAL);
    write_automaton(out, document, &fresh, "initial", &document.initial)?;
    write_automaton(out, document, &fresh, "target", &document.target)
}

/// The name of the final state.
const FINAL: &str = "final";

fn control(names: &Names, control: Control) -> &str {
    names.name(control.index())
}

fn symbol(names: &Names, symbol: Symbol) -> &str {
    names.name(symbol.index())
}

fn write_automaton<W>(
    out: &mut impl Write,
    document: &Document<W>,
    fresh: &Fresh,
    keyword: &str,
    automaton: &Automaton,
) -> io::Result<()> {
    let goals = automaton.edges().iter().map(|(.., to)| *to);
    let entered: BTreeSet<Goal> = goals.collect();
    let inner = |number: usize| fresh.inner(document.states.name(number));
    for (from, read, to) in automaton.edges() {
        let from = match from {
            Origin::Control(from) => control(&document.controls, *from).to_string(),
            // The format cannot name other states than those that are entered; the others have no effect.
            Origin::Inner(state) if entered.contains(&Goal::Inner(*state)) => inner(state.index()),
            Origin::Inner(_) => continue,
        };
        let to = match to {
            Goal::Inner(state) => inner(state.index()),
            Goal::Final => FINAL.to_string(),
        };
        writeln!(out, "{keyword} {from} {} {to}", symbol(&document.symbols, *read))?;
    }
    for accepted in automaton.accepting() {
        writeln!(out, "{keyword} {} {FINAL}", control(&document.controls, *accepted))?;
    }
    Ok(())
}
