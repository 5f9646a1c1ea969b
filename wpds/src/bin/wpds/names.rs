//! The names in a file, and the text of rules and transitions.

use std::io::{self, Write};
use wpds::{Control, Place, Rule, RuleId, Symbol, System, text};

/// The names of control states, symbols and automaton states.
pub(crate) struct Names {
    controls: text::Names,
    symbols: text::Names,
    states: text::Names,
}

impl Names {
    pub(crate) fn of<W>(document: &text::Document<W>) -> Self {
        let text::Document { controls, symbols, states, .. } = document;
        Self { controls: controls.clone(), symbols: symbols.clone(), states: states.clone() }
    }

    pub(crate) fn control(&self, name: &str) -> Result<Control, String> {
        let number = self.controls.find(name).ok_or_else(|| format!("there is no control state `{name}`"))?;
        Ok(Control::new(number))
    }

    pub(crate) fn symbol(&self, name: &str) -> Result<Symbol, String> {
        let number = self.symbols.find(name).ok_or_else(|| format!("there is no stack symbol `{name}`"))?;
        Ok(Symbol::new(number))
    }

    fn place(&self, place: Place) -> String {
        match place {
            Place::Control(control) => self.controls.name(control.index()).to_string(),
            Place::Middle(control, symbol) => {
                format!("<{},{}>", self.controls.name(control.index()), self.symbols.name(symbol.index()))
            }
            Place::Inner(inner) => self.states.name(inner.index()).to_string(),
            Place::Final => "final".to_string(),
        }
    }

    pub(crate) fn transition(
        &self,
        out: &mut impl Write,
        from: Place,
        symbol: Option<Symbol>,
        to: Place,
        weight: &str,
    ) -> io::Result<()> {
        let symbol = symbol.map_or("-", |symbol| self.symbols.name(symbol.index()));
        writeln!(out, "{} {symbol} {} : {weight}", self.place(from), self.place(to))
    }

    /// Prints the rules of a run.
    pub(crate) fn run<W: Clone>(
        &self,
        out: &mut impl Write,
        weight: &str,
        length: u64,
        rules: impl Iterator<Item = RuleId>,
        system: &System<W>,
    ) -> io::Result<()> {
        writeln!(out, "a run of {length} rules with weight {weight}:")?;
        for rule in rules {
            self.rule(out, system, rule)?;
        }
        Ok(())
    }

    fn rule<W: Clone>(&self, out: &mut impl Write, system: &System<W>, rule: RuleId) -> io::Result<()> {
        let (control, symbol) = system.left(rule);
        let (from, read) = (self.controls.name(control.index()), self.symbols.name(symbol.index()));
        let word = match system.rule(rule) {
            Rule::Pop { control } => (control, vec![]),
            Rule::Step { control, symbol } => (control, vec![symbol]),
            Rule::Push { control, symbol, below } => (control, vec![symbol, below]),
        };
        let to = self.controls.name(word.0.index());
        let pushed: String = word.1.iter().map(|symbol| format!(" {}", self.symbols.name(symbol.index()))).collect();
        writeln!(out, "{from} {read} -> {to}{pushed}")
    }
}
