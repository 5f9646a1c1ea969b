//! A finding as text, to be read in half a minute: the effect, the two calls, the lines of both, and the order in which
//! their accesses happen.

use super::super::narrative::{Steps, place};
use super::super::style::Role;
use super::super::table::clipped;
use super::super::witness::{View, witness_table};
use super::torn_section::torn_place;
use asercheck::audit::{Fault, Finding, SectionLine};
use asercheck::witness::{Action, Statement, Step, Witness};
use std::fmt::Write;

/// Largest number of lines of one side that are shown; the first and the last ones say most.
const LINES: usize = 8;

/// Least room for the text of a source line.
const LEAST_SOURCE: usize = 20;

/// Writes both calls with their lines, and the interleaving.
pub(super) fn finding_text(finding: &Finding, view: &View<'_>) -> String {
    let labels = &finding.labels;
    let mut text = String::new();
    let [unit, by] = finding.lines();
    let is_victim = finding.at_fault == Fault::By;
    if finding.is_deadlock() {
        text += &waits(finding);
        let _ = writeln!(text, "\n{}", interleaving(finding, view));
        return text;
    }
    let words = match (&labels.held, is_victim) {
        (Some(lock), _) => [format!("holds {lock} all the time"), "takes no such lock".to_string()],
        (None, true) => ["is violated".to_string(), "takes no lock".to_string()],
        (None, false) => ["is torn apart".to_string(), "comes in between".to_string()],
    };
    // Of calls that were seen, no accesses are known.
    let sides = if unit.is_empty() && by.is_empty() { 0 } else { 2 };
    for (call, lines, words) in [(&labels.unit, &unit, &words[0]), (&labels.by, &by, &words[1])].into_iter().take(sides)
    {
        let _ = writeln!(text, "  {} {words}", view.style.paint(Role::Heading, call));
        text += &side(lines, view);
    }
    let _ = writeln!(text, "{}{}", if sides > 0 { "\n" } else { "" }, interleaving(finding, view));
    text
}

/// Writes a line for each call of a deadlock: its locks, and the place where it waits.
fn waits(finding: &Finding) -> String {
    let mut text = String::new();
    for (call, wait) in calls(finding).zip(&finding.waits) {
        let at = torn_place(&wait.method, wait.file.as_deref(), [wait.line; 2]);
        let _ = writeln!(text, "  {call} holds {} and waits for {} in {at}", wait.holds, wait.wants);
    }
    text
}

/// Writes the lines of one side, each with its place and its source, or with its accesses if there is no source.
fn side(lines: &[SectionLine], view: &View<'_>) -> String {
    let mut text = String::new();
    let left_out = lines.len().saturating_sub(LINES);
    let shown: Vec<&SectionLine> = match left_out {
        0 => lines.iter().collect(),
        _ => lines[..LINES / 2].iter().chain(&lines[lines.len() - LINES / 2..]).collect(),
    };
    let places: Vec<String> = shown.iter().map(|line| place(&step_of(line))).collect();
    let width = places.iter().map(|place| place.chars().count()).max().unwrap_or(0);
    for (number, (line, place)) in shown.iter().zip(&places).enumerate() {
        if left_out > 0 && number == LINES / 2 {
            let _ = writeln!(text, "    {} {left_out} more lines", view.style.pick("…", "..."));
        }
        let room = view.style.width.map_or(usize::MAX, |limit| limit.saturating_sub(width + 6).max(LEAST_SOURCE));
        let source = view.sources.line(&step_of(line)).map(|source| source.trim().to_string());
        let words = clipped(&source.unwrap_or_else(|| accesses(line)), room, view.style);
        let place = view.style.paint(Role::Faint, format!("{place:<width$}"));
        let _ = writeln!(text, "    {place}  {words}");
    }
    text
}

/// Says which accesses a line makes: `reads used, writes used`.
pub(super) fn accesses(line: &SectionLine) -> String {
    let words = line.accesses.iter().map(|(action, object)| match action {
        Action::Write => format!("writes {object}"),
        Action::Acquire => format!("acquires {object}"),
        Action::Wants => format!("waits for {object}"),
        _ => format!("reads {object}"),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// Returns a step on a line, which names the place of the line.
pub(super) fn step_of(line: &SectionLine) -> Step {
    let (function, file) = (String::new(), line.file.clone());
    let (action, object) = (Action::Read, None);
    Step::new(0, Statement { function, file, line: line.line, column: 1, action, object, mode: None })
}

/// Returns the calls of the threads of a finding.
fn calls(finding: &Finding) -> impl Iterator<Item = &String> {
    let labels = &finding.labels;
    let others = if finding.is_deadlock() { labels.other_by.as_slice() } else { &[] };
    [&labels.unit, &labels.by].into_iter().chain(others)
}

/// Returns the table of the accesses of both calls, in their order; in more detail if the view wants it.
pub(super) fn interleaving(finding: &Finding, view: &View<'_>) -> String {
    let mut witness = shown(finding, view.steps);
    for (name, label) in witness.threads.iter_mut().zip(calls(finding)) {
        name.clone_from(label);
    }
    if view.steps == Steps::Marked { witness_table(&witness, view) } else { detailed(&witness, view) }
}

/// Returns the table of a witness, with its length.
fn detailed(witness: &Witness, view: &View<'_>) -> String {
    format!("{}\n  {}\n", witness_table(witness, view), super::super::listing::length(witness))
}

/// Returns the witness for a table. Where steps are left out, a call is the unit of work: its boundaries are omitted,
/// the accesses are numbered from 1, and calls have no parameters, which the lines show.
fn shown(finding: &Finding, steps: Steps) -> Witness {
    let witness = &finding.witness;
    let is_boundary = |step: &Step| matches!(step.action, Action::Begin | Action::End);
    let has_accesses = witness.steps.iter().any(|step| step.event.is_some() && !is_boundary(step));
    if !matches!(steps, Steps::Essential | Steps::Marked) || !has_accesses {
        return witness.clone();
    }
    let mut events = 0;
    let plain = |step: &Step| {
        let is_call = matches!(step.action, Action::Call | Action::Return);
        let mut plain = step.clone();
        if is_call && let Some((name, _)) = step.object.as_deref().and_then(|object| object.split_once('(')) {
            plain.object = Some(format!("{name}()"));
        }
        let is_lock = finding.is_deadlock() && finding.is_of_deadlock(step);
        let is_event = is_lock || step.event.is_some() && !is_boundary(step);
        events += usize::from(is_event);
        Step { event: is_event.then_some(events), ..plain }
    };
    Witness { threads: witness.threads.clone(), steps: witness.steps.iter().map(plain).collect() }
}

/// Returns the other places of a finding, each once: `Pool.take, lines 12-14 of Pool.java`.
pub(super) fn other_places(finding: &Finding) -> Vec<String> {
    let mut places: Vec<String> = Vec::new();
    for place in &finding.cause.places {
        let words = torn_place(&place.method, place.file.as_deref(), place.lines);
        if !places.contains(&words) {
            places.push(words);
        }
    }
    places.split_off(places.len().min(1))
}
