//! The command: reads a file, saturates the system, prints the results.

use crate::arguments::{Arguments, Command, Task, Weights};
use crate::memory::peak_kib;
use std::cell::Cell;
use std::convert::Infallible;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};
use wpds::text::{self, Document};
use wpds::{
    Boolean, Control, MinPlus, Place, PostStar, PreStar, Rule, RuleId, Run, Summary, Symbol, System, Traceable,
};

/// Runs the command; an error is a message for the user.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let (Command::Post(task) | Command::Pre(task)) = &arguments.command;
    match task.semiring {
        Weights::Boolean => saturate(Boolean, &arguments.command, task, |_| true, |()| "1".to_string(), |_| Some(())),
        Weights::MinPlus => {
            let met_many = Cell::new(false);
            let show = |length: u64| {
                if length == MinPlus::MANY {
                    met_many.set(true);
                    return MANY.to_string();
                }
                length.to_string()
            };
            let result = saturate(MinPlus, &arguments.command, task, Some, show, |weight| *weight);
            if met_many.get() {
                eprintln!(
                    "wpds: warning: {MANY} stands for any sum of 2^64 - 1 or more; such a run need not be the shortest"
                );
            }
            result
        }
    }
}

/// The text of a sum that is too large to be exact.
const MANY: &str = "2^64-1+";

/// A semiring whose weights have at most one element.
trait Plain: Traceable<Stop = Infallible> {}

impl<S: Traceable<Stop = Infallible>> Plain for S {}

/// Saturates the system of a file over a semiring. `weight` reads a weight, `element` and `show` print it.
fn saturate<S: Plain>(
    mut semiring: S,
    command: &Command,
    task: &Task,
    weight: impl Fn(u64) -> S::Weight,
    show: impl Fn(S::Element) -> String,
    element: impl Fn(&S::Weight) -> Option<S::Element>,
) -> Result<(), String> {
    let begin = Instant::now();
    let document = text::read(open(&task.file)?, weight).map_err(|error| format!("{}:{error}", task.file.display()))?;
    let reading = begin.elapsed();
    let Document { system, controls, symbols, initial, target, states } = document;
    let names = Names { controls, symbols, states };
    let (rules, begin) = (system.rule_count(), Instant::now());
    let written = |weight: &S::Weight| element(weight).map_or_else(|| "0".to_string(), &show);
    let mut out = BufWriter::new(io::stdout().lock());
    let written = match command {
        Command::Post(_) => {
            let mut post = PostStar::new(&semiring, system);
            let Ok(()) = post.start_at(&mut semiring, &initial);
            let Ok(_) = post.advance(&mut semiring, usize::MAX);
            let figures = Figures { rules, transitions: post.transition_count(), reading, saturation: begin.elapsed() };
            figures.write(&mut out).and_then(|()| {
                if task.print {
                    for (from, symbol, to, weight) in post.automaton() {
                        names.transition(&mut out, from, symbol, to, &written(weight))?;
                    }
                }
                let Some(wanted) = &task.witness else { return Ok(Ok(())) };
                let found = after(&mut semiring, &post, &names, wanted, &element);
                witness(&mut out, found, post.system(), &names, &show)
            })
        }
        Command::Pre(_) => {
            let mut pre = PreStar::new(&semiring, system);
            let Ok(()) = pre.target_at(&mut semiring, &target);
            let Ok(_) = pre.advance(&mut semiring, usize::MAX);
            let figures = Figures { rules, transitions: pre.transition_count(), reading, saturation: begin.elapsed() };
            figures.write(&mut out).and_then(|()| {
                if task.print {
                    for (from, symbol, to, weight) in pre.automaton() {
                        names.transition(&mut out, from, Some(symbol), to, &written(weight))?;
                    }
                }
                let Some(wanted) = &task.witness else { return Ok(Ok(())) };
                let found = before(&mut semiring, &pre, &names, wanted, &element);
                witness(&mut out, found, pre.system(), &names, &show)
            })
        }
    };
    written.and_then(|result| out.flush().map(|()| result)).unwrap_or_else(|error| match error.kind() {
        // A closed pipe is no error.
        io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(format!("standard output: {error}")),
    })
}

/// An element and a run that has it, if there is one; an error is an unknown name in the arguments.
type Found<E> = Result<Option<(E, Run)>, String>;

/// Returns a run to a control state.
fn after<S: Plain>(
    semiring: &mut S,
    post: &PostStar<S>,
    names: &Names,
    wanted: &[String],
    element: impl Fn(&S::Weight) -> Option<S::Element>,
) -> Found<S::Element> {
    let [control] = wanted else { return Err("post finds runs to a control state with any stack".to_string()) };
    let control = names.control(control)?;
    let saturated = post.saturated().ok_or("the saturation has not finished")?;
    let Ok(summary) = Summary::of(semiring, saturated, &mut || Ok(()));
    let Ok(total) = summary.total(semiring, post, control);
    let Some(element) = element(&total) else { return Ok(None) };
    let Ok(run) = summary.run(semiring, post, control, &element, &mut || Ok(()));
    Ok(run.map(|run| (element, run)))
}

/// Returns a run from a configuration.
fn before<S: Plain>(
    semiring: &mut S,
    pre: &PreStar<S>,
    names: &Names,
    wanted: &[String],
    element: impl Fn(&S::Weight) -> Option<S::Element>,
) -> Found<S::Element> {
    let (control, stack) = wanted.split_first().ok_or("a configuration begins with a control state")?;
    let control = names.control(control)?;
    let stack = stack.iter().map(|symbol| names.symbol(symbol)).collect::<Result<Vec<_>, _>>()?;
    let Ok(weight) = pre.weight_of(semiring, control, &stack);
    let Some(element) = element(&weight) else { return Ok(None) };
    let Ok(run) = pre.run(semiring, control, &stack, &element, &mut || Ok(()));
    Ok(run.map(|run| (element, run)))
}

fn witness<W: Clone, E>(
    out: &mut impl Write,
    found: Found<E>,
    system: &System<W>,
    names: &Names,
    show: impl Fn(E) -> String,
) -> io::Result<Result<(), String>> {
    match found {
        Err(message) => return Ok(Err(message)),
        Ok(None) => writeln!(out, "no run")?,
        Ok(Some((element, run))) => {
            writeln!(out, "a run of {} rules with weight {}:", run.length(), show(element))?;
            for rule in run.rules() {
                names.rule(out, system, rule)?;
            }
        }
    }
    Ok(Ok(()))
}

fn open(file: &Path) -> Result<Box<dyn BufRead>, String> {
    if file == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    match File::open(file) {
        Ok(opened) => Ok(Box::new(BufReader::with_capacity(1 << 16, opened))),
        Err(error) => Err(format!("{}: {error}", file.display())),
    }
}

/// The measurements.
struct Figures {
    rules: usize,
    transitions: usize,
    reading: Duration,
    saturation: Duration,
}

impl Figures {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut line = |name: &str, value: &dyn Display| writeln!(out, "{name:<20} {value}");
        line("rules", &self.rules)?;
        line("transitions", &self.transitions)?;
        line("reading, s", &format!("{:.3}", self.reading.as_secs_f64()))?;
        line("saturation, s", &format!("{:.3}", self.saturation.as_secs_f64()))?;
        peak_kib().map_or(Ok(()), |peak| line("peak memory, MiB", &format!("{:.1}", peak as f64 / 1024.0)))
    }
}

/// The names of control states, symbols and automaton states.
struct Names {
    controls: text::Names,
    symbols: text::Names,
    states: text::Names,
}

impl Names {
    fn control(&self, name: &str) -> Result<Control, String> {
        let number = self.controls.find(name).ok_or_else(|| format!("there is no control state `{name}`"))?;
        Ok(Control::new(number))
    }

    fn symbol(&self, name: &str) -> Result<Symbol, String> {
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

    fn transition(
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
