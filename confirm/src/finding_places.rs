//! The lines of a program that a finding names: where its sections begin and end, and where its threads may be held.

use audit::Finding;
use decide::witness::{Action, Step};
use std::collections::{BTreeMap, BTreeSet};

/// The places of a finding.
#[derive(Debug)]
pub(crate) struct FindingPlaces {
    /// The places for the controller: the role, the line and the file. Roles are the first and last access of a section
    /// (`UNIT_FIRST`, `UNIT_LAST`, `BY_FIRST`, `BY_LAST`), and all accesses (`UNIT_ACCESS`, `BY_ACCESS`).
    pub(crate) texts: Vec<String>,
    /// The lines before which the witness switches back to the unit.
    pub(crate) switches: BTreeSet<u32>,
}

impl FindingPlaces {
    /// Returns the places of the witness, whose first thread executes the unit.
    pub(crate) fn of(finding: &Finding) -> Self {
        let steps = &finding.witness.steps;
        let mut texts = BTreeSet::new();
        let mut switches = BTreeSet::new();
        let begin_of_unit = steps.iter().position(|step| step.thread == 0 && is_begin(step) && step.event.is_some());
        let begin_of_unit = begin_of_unit.or_else(|| steps.iter().position(|step| step.thread == 0));
        let mut is_switched = false;
        let mut sections: BTreeMap<(usize, Option<usize>), (usize, usize)> = BTreeMap::new();
        for (place, step) in
            steps.iter().enumerate().filter(|(place, _)| begin_of_unit.is_some_and(|begin| *place > begin))
        {
            let is_of_unit = step.thread == 0;
            let is_access = matches!(step.action, Action::Read | Action::Write) && step.event.is_some();
            if is_of_unit && is_stop(step) {
                texts.insert(text("UNIT_ACCESS", step));
                if std::mem::take(&mut is_switched) {
                    switches.insert(step.line);
                }
            }
            if !is_of_unit {
                is_switched = true;
            }
            if is_access {
                let begin = if is_of_unit { begin_of_unit } else { begin_before(steps, place) };
                sections.entry((step.thread, begin)).or_insert((place, place)).1 = place;
                if !is_of_unit {
                    texts.insert(text("BY_ACCESS", step));
                }
            }
        }
        for ((thread, begin), (first, last)) in sections {
            let side = if thread == 0 { "UNIT" } else { "BY" };
            texts.insert(text(&format!("{side}_FIRST"), start_of_section(steps, first, begin)));
            texts.insert(text(&format!("{side}_LAST"), &steps[last]));
        }
        Self { texts: texts.into_iter().collect(), switches }
    }
}

/// Whether a unit begins in a step.
fn is_begin(step: &Step) -> bool {
    step.action == Action::Begin
}

/// Whether a thread can be held before a step.
fn is_stop(step: &Step) -> bool {
    matches!(step.action, Action::Read | Action::Write | Action::Acquire | Action::Call)
}

/// Returns the beginning of the unit that contains a step.
fn begin_before(steps: &[Step], place: usize) -> Option<usize> {
    let thread = steps[place].thread;
    steps[..place].iter().rposition(|step| step.thread == thread && is_begin(step))
}

/// Returns the step in which a section begins. If the unit holds locks at the first access, this is the step in which
/// it acquires the first of them: a thread that waits for a lock while others are stopped enters as soon as the lock is
/// free.
fn start_of_section(steps: &[Step], access: usize, begin: Option<usize>) -> &Step {
    let thread = steps[access].thread;
    let mut held: Vec<usize> = Vec::new();
    let mut before = None;
    for place in (begin.unwrap_or(0)..access).filter(|place| steps[*place].thread == thread) {
        let step = &steps[place];
        match step.action {
            // A synchronized method acquires its lock before its first instruction.
            Action::Acquire => {
                held.push(before.filter(|call| is_call_of(&steps[*call], &step.function)).unwrap_or(place))
            }
            Action::Release => drop(held.pop()),
            _ => {}
        }
        before = Some(place);
    }
    &steps[held.first().copied().unwrap_or(access)]
}

/// Whether a step calls a function.
fn is_call_of(step: &Step, function: &str) -> bool {
    step.action == Action::Call && step.object.as_deref() == Some(function)
}

/// Returns a place as the controller reads it.
fn text(role: &str, step: &Step) -> String {
    let file = step.file.as_deref().unwrap_or_default();
    let file = file.rsplit(['/', '\\']).next().unwrap_or_default();
    format!("{role} {} {file}", step.line)
}
