//! The writer of the JSON format.

use crate::automaton::{Automaton, Goal, Origin};
use crate::index::{Control, Symbol};
use crate::system::{Rule, System};
use crate::text::{Document, Fresh};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, Write};

/// Writes a problem whose states have names; `weight` is the number of a weight, or none if the file is to have no
/// weights, for all rules alike.
///
/// A rule that pushes above another symbol than it read becomes two, with a control state in between; the weight stands
/// in the first one.
///
/// # Errors
/// Those of the output; `InvalidData` for a symbol that the format has another meaning for, or a weight of 2^32 - 1 or
/// more.
pub fn write<W: Clone>(
    out: &mut impl Write,
    document: &Document<W>,
    weight: impl Fn(&W) -> Option<u64>,
) -> io::Result<()> {
    for symbol in document.symbols.iter() {
        if symbol.is_empty() || symbol == "*" {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("`{symbol}` cannot be written as a symbol"),
            ));
        }
    }
    let writer = Writer { document, fresh: Fresh::new(document, "") };
    let first = document.system.rule_ids().next();
    let is_weighted = first.is_some_and(|rule| weight(document.system.weight(rule)).is_some());
    let kind = if is_weighted { "uint" } else { "none" };
    writeln!(out, "{{\"instance\": [{{\"state-names\": true, \"weight-type\": \"{kind}\"}},")?;
    writer.states(out, weight)?;
    writer.automaton(out, &document.initial)?;
    writeln!(out, ",")?;
    writer.automaton(out, &document.target)?;
    writeln!(out, "]}}")
}

struct Writer<'a, W> {
    document: &'a Document<W>,
    fresh: Fresh,
}

/// A string in JSON.
struct Text<'a>(&'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self.0).map_err(|_| fmt::Error)?)
    }
}

impl<W: Clone> Writer<'_, W> {
    fn system(&self) -> &System<W> {
        &self.document.system
    }

    fn control(&self, control: Control) -> &str {
        self.document.controls.name(control.index())
    }

    fn symbol(&self, symbol: Symbol) -> &str {
        self.document.symbols.name(symbol.index())
    }

    /// The state between the two rules that push `symbol` in this control state.
    fn between(&self, control: Control, symbol: Symbol) -> String {
        let (control_name, symbol_name) = (self.control(control), self.symbol(symbol));
        // Names may have commas, so the numbers stand there as well.
        let name = format!("<{control_name},{symbol_name}>{}.{}", control.index(), symbol.index());
        self.fresh.other(&name)
    }

    /// Writes all states, sorted, with their rules by symbol.
    fn states(&self, out: &mut impl Write, weight: impl Fn(&W) -> Option<u64>) -> io::Result<()> {
        let mut by_state: BTreeMap<String, BTreeMap<&str, BTreeSet<String>>> = BTreeMap::new();
        for name in self.document.controls.iter() {
            by_state.entry(name.to_string()).or_default();
        }
        for rule in self.system().rule_ids() {
            let (from, read) = self.system().left(rule);
            let weight = weight(self.system().weight(rule));
            let written =
                |weight: Option<u64>| weight.map_or_else(String::new, |weight| format!(", \"weight\": {weight}"));
            if weight.is_some_and(|weight| weight >= u64::from(u32::MAX)) {
                let message = "weights of 2^32 - 1 and more cannot be written";
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
            let mut add = |state: &str, symbol, to: &str, operation: &str, pushed: &str, weight| {
                let (to, pushed) = (Text(to), Text(pushed));
                let text = format!("{{\"to\": {to}, \"{operation}\": {pushed}{}}}", written(weight));
                by_state.entry(state.to_string()).or_default().entry(symbol).or_default().insert(text);
            };
            let (state, read_name) = (self.control(from), self.symbol(read));
            match self.system().rule(rule) {
                Rule::Pop { control } => add(state, read_name, self.control(control), "pop", "", weight),
                Rule::Step { control, symbol } => {
                    add(state, read_name, self.control(control), "swap", self.symbol(symbol), weight);
                }
                Rule::Push { control, symbol, below } if below == read => {
                    add(state, read_name, self.control(control), "push", self.symbol(symbol), weight);
                }
                Rule::Push { control, symbol, below } => {
                    let between = self.between(control, symbol);
                    add(state, read_name, &between, "swap", self.symbol(below), weight);
                    let none = weight.map(|_| 0);
                    add(&between, self.symbol(below), self.control(control), "push", self.symbol(symbol), none);
                }
            }
        }
        write!(out, "{{\"states\": {{")?;
        for (place, (state, rules)) in by_state.into_iter().enumerate() {
            write!(out, "{}\n{}: {{", if place == 0 { "" } else { "," }, Text(&state))?;
            for (place, (symbol, rules)) in rules.into_iter().enumerate() {
                let rules: Vec<String> = rules.into_iter().collect();
                write!(out, "{}{}: [{}]", if place == 0 { "" } else { ", " }, Text(symbol), rules.join(", "))?;
            }
            write!(out, "}}")?;
        }
        writeln!(out, "}}}},")
    }

    fn automaton(&self, out: &mut impl Write, automaton: &Automaton) -> io::Result<()> {
        let last = self.fresh.other("final");
        let inner = |number: usize| self.fresh.inner(self.document.states.name(number));
        write!(out, "{{\"edges\": [")?;
        for (place, (from, symbol, to)) in automaton.edges().iter().enumerate() {
            let from = match from {
                Origin::Control(control) => self.control(*control).to_string(),
                Origin::Inner(state) => inner(state.index()),
            };
            let to = match to {
                Goal::Inner(state) => inner(state.index()),
                Goal::Final => last.clone(),
            };
            let comma = if place == 0 { "" } else { ", " };
            write!(out, "{comma}[{}, {}, {}]", Text(&from), Text(self.symbol(*symbol)), Text(&to))?;
        }
        write!(out, "], \"accepting\": [{}", Text(&last))?;
        for control in automaton.accepting() {
            write!(out, ", {}", Text(self.control(*control)))?;
        }
        write!(out, "]}}")
    }
}
