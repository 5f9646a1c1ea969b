//! A witness as a table: a column for each thread, time downwards.

use super::style::{Role, Style};
use super::table::{Align, Cell, Table};
use crate::witness::{Action, Step, Witness};

/// What a thread has open while the table is written.
#[derive(Clone, Debug, Default)]
struct Progress {
    calls: usize,
    /// The locks held, in the order of their first acquisition, and how often.
    held: Vec<(String, usize)>,
    /// A lock that was given up to wait, and its place among those held.
    waiting: Option<(usize, (String, usize))>,
    units: usize,
}

/// The steps of a witness, numbered; those that take a transition of the automaton are marked with its number. Calls are
/// indented, and behind each step stands what its thread then holds and where the statement is.
pub fn witness_table(witness: &Witness, style: Style) -> String {
    let mut columns = vec![("step".to_string(), Align::Right)];
    columns.extend(witness.threads.iter().map(|thread| (thread.clone(), Align::Left)));
    columns.push(("holds".into(), Align::Left));
    columns.push(("at".into(), Align::Left));
    let mut table = Table::new(columns);
    let mut threads = vec![Progress::default(); witness.threads.len()];
    for (number, step) in witness.steps.iter().enumerate() {
        let Some(progress) = threads.get_mut(step.thread) else { continue };
        let text = progress.describe(step, style);
        let mut row = vec![Cell::painted(Role::Faint, (number + 1).to_string())];
        row.extend((0..witness.threads.len()).map(|thread| match step.event {
            _ if thread != step.thread => Cell::new(""),
            Some(_) => Cell::painted(Role::Marked, text.clone()),
            None => Cell::new(text.clone()),
        }));
        row.push(Cell::new(progress.holds()));
        row.push(Cell::painted(Role::Faint, place(step)));
        table.row(row);
    }
    table.render(style)
}

/// Where a step's statement stands.
fn place(step: &Step) -> String {
    let Step { function, line, column, .. } = step;
    match &step.file {
        None => format!("{function}:{line}:{column}"),
        Some(file) => format!("{function} {file}:{line}:{column}"),
    }
}

impl Progress {
    /// The text of a step, which changes what the thread has open.
    fn describe(&mut self, step: &Step, style: Style) -> String {
        let object = step.object.as_deref().unwrap_or_default();
        let lock = step.mode.map_or_else(|| object.to_string(), |mode| format!("{} {object}", mode.name()));
        if step.action == Action::Return {
            self.calls = self.calls.saturating_sub(1);
        }
        let mark = step.event.map_or_else(|| "    ".into(), |event| format!("{:>2}{} ", event, style.pick("▶", ">")));
        let words = match step.action {
            Action::Acquire => self.acquire(&lock),
            Action::Release => self.release(&lock),
            Action::Wants => format!("wants {lock}"),
            Action::Wait => self.wait(object),
            Action::Resume => self.resume(object),
            Action::Read => format!("read {object}"),
            Action::Write => format!("write {object}"),
            Action::Begin => self.begin(),
            Action::End => self.end(),
            Action::Call if step.returns => whole_call(object, step.steps.unwrap_or_default(), style),
            Action::Call => format!("call {object}"),
            Action::Return => format!("return from {object}"),
            Action::Start => format!("start {object}"),
        };
        let indent = style.pick("│ ", "| ").repeat(self.calls);
        if step.action == Action::Call && !step.returns {
            self.calls += 1;
        }
        format!("{mark}{indent}{words}")
    }

    fn acquire(&mut self, lock: &str) -> String {
        match self.held.iter_mut().find(|(own, _)| own == lock) {
            Some((_, count)) => {
                *count += 1;
                format!("acquire {lock} (again)")
            }
            None => {
                self.held.push((lock.to_string(), 1));
                format!("acquire {lock}")
            }
        }
    }

    /// Gives a lock up that it gets back by `resume`.
    fn wait(&mut self, lock: &str) -> String {
        if let Some(place) = self.held.iter().position(|(own, _)| own == lock) {
            self.waiting = Some((place, self.held.remove(place)));
        }
        format!("wait for {lock}, release it")
    }

    fn resume(&mut self, lock: &str) -> String {
        if let Some((place, held)) = self.waiting.take() {
            self.held.insert(place.min(self.held.len()), held);
        }
        format!("acquire {lock} again after waiting")
    }

    fn release(&mut self, lock: &str) -> String {
        let Some(place) = self.held.iter().position(|(own, _)| own == lock) else { return format!("release {lock}") };
        self.held[place].1 -= 1;
        if self.held[place].1 > 0 {
            return format!("release {lock} (still held)");
        }
        self.held.remove(place);
        format!("release {lock}")
    }

    fn begin(&mut self) -> String {
        self.units += 1;
        if self.units == 1 { "begin unit".into() } else { "begin inner unit".into() }
    }

    fn end(&mut self) -> String {
        self.units = self.units.saturating_sub(1);
        if self.units == 0 { "end unit".into() } else { "end inner unit".into() }
    }

    fn holds(&self) -> String {
        self.held.iter().map(|(lock, _)| lock.as_str()).collect::<Vec<_>>().join(" ")
    }
}

/// A call with all that follows up to its return, in one row.
fn whole_call(function: &str, steps: u64, style: Style) -> String {
    let rest = style.pick("…", "...");
    format!("call {function} {rest} return from {function} ({} steps)", grouped(steps))
}

/// A number with its digits in groups of three. The greatest number stands for all that are greater, too.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::from(if number == u64::MAX { "at least " } else { "" });
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
