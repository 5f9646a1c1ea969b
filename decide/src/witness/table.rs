//! A witness as text: a row for each step.

use super::step::{Action, Statement, Step, Witness};
use phases::Mode;
use std::fmt;

/// The headings of the columns.
const HEADINGS: [&str; 4] = ["step", "thread", "action", "at"];

/// Writes the interleaving as a table: the number of each step, its thread, its action and the position of the
/// statement. The number of a transition stands in front of the action that takes it. There is no line feed after the
/// last row.
///
/// ```
/// # use decide::query::{Property, Selection};
/// # use decide::{Options, Verdict, check};
/// # use eml::model;
/// # use phases::UnitMode;
/// let model = model::from_text("m.eml", "shared x; process P * 2 { atomic { read x; write x; } }")?.model;
/// let queries = Selection::default().queries(&model, &Property::all_patterns(UnitMode::Both))?;
/// let Verdict::Violation(witness) = check(&model, &queries[0], &Options::default())?.verdict else { panic!() };
/// let table = witness.to_string();
/// assert_eq!(table.lines().next(), Some("step  thread  action         at"));
/// assert_eq!(table.lines().nth(2), Some("   2  P#1     2> read x      P:1:36"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<[String; 4]> = self.steps.iter().enumerate().map(|(place, step)| self.row(place, step)).collect();
        let width = |column: usize| {
            let cells = rows.iter().map(|row| row[column].chars().count());
            cells.chain([HEADINGS[column].len()]).max().unwrap_or(0)
        };
        let [step, thread, action] = [0, 1, 2].map(width);
        let line = |f: &mut fmt::Formatter<'_>, [number, name, words, at]: [&str; 4]| {
            write!(f, "{number:>step$}  {name:<thread$}  {words:<action$}  {at}")
        };
        line(f, HEADINGS)?;
        for row in &rows {
            writeln!(f)?;
            line(f, row.each_ref().map(String::as_str))?;
        }
        Ok(())
    }
}

impl Witness {
    /// Returns the cells of a step.
    fn row(&self, place: usize, step: &Step) -> [String; 4] {
        let name = self.threads.get(step.thread).cloned().unwrap_or_else(|| format!("thread {}", step.thread));
        let transition = step.event.map_or_else(String::new, |event| format!("{event}> "));
        let file = step.file.as_ref().map_or_else(String::new, |file| format!("{file}:"));
        let Statement { function, line, column, .. } = &*step.statement;
        let at = match step.file {
            Some(_) => format!("{file}{line}"),
            None => format!("{function}:{line}:{column}"),
        };
        [(place + 1).to_string(), name, transition + &words(step), at]
    }
}

/// Describes a step without what its thread did before: `acquire read l`, `begin unit`, `call f (12 steps)`.
fn words(step: &Step) -> String {
    let mut words = step.action.name().to_string();
    let object = match step.action {
        Action::Begin | Action::End => Some("unit"),
        _ => step.object.as_deref(),
    };
    for word in step.mode.map(Mode::name).into_iter().chain(object) {
        words += &format!(" {word}");
    }
    if step.returns {
        words += &format!(", with its return ({} steps)", step.steps.unwrap_or_default());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_for_each_step() {
        let step = |thread, action, object: Option<&str>, event| {
            let (function, object) = ("put".into(), object.map(String::from));
            let statement = Statement { function, file: None, line: 3, column: 5, action, object, mode: None };
            Step { event, ..Step::new(thread, statement) }
        };
        let mut steps = vec![
            step(0, Action::Begin, None, None),
            step(0, Action::Acquire, Some("lock"), None),
            step(0, Action::Read, Some("x"), Some(1)),
            Step { returns: true, steps: Some(12), ..step(1, Action::Call, Some("f"), None) },
            step(1, Action::Write, Some("x"), Some(2)),
        ];
        steps[1].mode = Some(Mode::Read);
        steps[4].file = Some("a/Pool.java".into());
        let witness = Witness { threads: vec!["First".into(), "B".into()], steps };
        let expected = "\
step  thread  action                              at
   1  First   begin unit                          put:3:5
   2  First   acquire read lock                   put:3:5
   3  First   1> read x                           put:3:5
   4  B       call f, with its return (12 steps)  put:3:5
   5  B       2> write x                          a/Pool.java:3";
        assert_eq!(witness.to_string(), expected);
    }
}
