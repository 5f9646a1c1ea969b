//! The torn section of a violation: the code that has to be atomic to repair it.
//!
//! **Definition.** The *accesses* of a thread are the steps of a witness that read or write and take a transition of
//! the automaton. The *frames* of a step are the calls in progress at the step, the outermost first, each with its
//! current line; that of the innermost frame is the line of the step. The section of some accesses is in their
//! innermost common frame: it reaches from the lowest to the highest line of this frame at the accesses.
//!
//! So two accesses in one method have their section in that method, whoever calls it; and two calls, each with one
//! access, have their section in the method that makes both calls.
//!
//! **Fault.** If the unit holds one lock from its first access to its last, the interfering thread, which lacks this
//! lock, is at fault, and the section is that of its accesses in between. Otherwise it is that of the unit's accesses.

use decide::witness::{Action, Step, Witness};

/// A section of code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Section {
    /// The function of the model.
    pub function: String,
    /// The file.
    pub file: Option<String>,
    /// The first line.
    pub first: u32,
    /// The last line.
    pub last: u32,
}

/// A frame at a step: one of the thread's calls, with its current line.
#[derive(Clone)]
pub(crate) struct Frame {
    pub(crate) activation: usize,
    pub(crate) function: String,
    file: Option<String>,
    pub(crate) line: u32,
}

/// Whether a step is an access that takes a transition.
pub(crate) fn is_access(step: &Step) -> bool {
    step.event.is_some() && matches!(step.action, Action::Read | Action::Write)
}

/// The accesses that meet a condition, by their places in the witness.
fn places(witness: &Witness, is_one: impl Fn(usize, &Step) -> bool) -> Vec<usize> {
    let accesses = witness.steps.iter().enumerate().filter(|(_, step)| is_access(step));
    accesses.filter(|(place, step)| is_one(*place, step)).map(|(place, _)| place).collect()
}

/// The accesses of the unit, by their places in the witness.
pub(crate) fn own_accesses(witness: &Witness) -> Vec<usize> {
    accesses_of(witness, 0)
}

/// The accesses of a thread, by their places in the witness.
pub(crate) fn accesses_of(witness: &Witness, thread: usize) -> Vec<usize> {
    places(witness, |_, step| step.thread == thread)
}

/// The accesses of the side at fault, by their places in the witness: if the unit is a victim, the accesses of other
/// threads between the unit's first and last one; otherwise those of the unit. The accesses of all threads if there are
/// none.
pub fn faulty_accesses(witness: &Witness, is_victim: bool) -> Vec<usize> {
    let own = own_accesses(witness);
    let faulty = match (is_victim, own.first(), own.last()) {
        (true, Some(first), Some(last)) => {
            places(witness, |place, step| step.thread != 0 && place > *first && place < *last)
        }
        _ => own,
    };
    if faulty.is_empty() { places(witness, |_, _| true) } else { faulty }
}

/// A line of a section, with the accesses that it makes or leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionLine {
    /// The file.
    pub file: Option<String>,
    /// The line.
    pub line: u32,
    /// Each access: whether it reads or writes, and the location.
    pub accesses: Vec<(Action, String)>,
}

/// The lines of the section of accesses of one thread, by their places in a witness, in the order of the code.
pub fn section_lines(witness: &Witness, accesses: &[usize]) -> Vec<SectionLine> {
    let at = frames(witness, accesses);
    let Some(depth) = common_depth(&at) else { return Vec::new() };
    let thread = witness.steps[accesses[0]].thread;
    let own = accesses.iter().filter(|place| witness.steps[**place].thread == thread);
    let mut lines: Vec<SectionLine> = Vec::new();
    for (frames, place) in at.iter().zip(own) {
        let (frame, step) = (&frames[depth], &witness.steps[*place]);
        let access = (step.action, step.object.clone().unwrap_or_default());
        match lines.iter_mut().find(|known| known.line == frame.line) {
            Some(known) if known.accesses.contains(&access) => {}
            Some(known) => known.accesses.push(access),
            None => lines.push(SectionLine { file: frame.file.clone(), line: frame.line, accesses: vec![access] }),
        }
    }
    lines.sort_by_key(|line| line.line);
    lines
}

/// Lines of accesses in their innermost common frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AccessLines {
    /// The function.
    pub(crate) function: String,
    /// The line of each access, and the function that is called there if a call leads to the access.
    pub(crate) lines: Vec<(u32, Option<String>)>,
}

/// The section of accesses of one thread, by their places in a witness; if they belong to several threads, that of the
/// first one. None if there are no accesses. Linear in the witness.
pub fn section(witness: &Witness, accesses: &[usize]) -> Option<Section> {
    let at = frames(witness, accesses);
    let depth = common_depth(&at)?;
    let lines = || at.iter().map(|frames| frames[depth].line);
    let Frame { function, file, .. } = at[0][depth].clone();
    Some(Section { function, file, first: lines().min()?, last: lines().max()? })
}

/// The lines of accesses of one thread in their innermost common frame.
pub(crate) fn access_lines(witness: &Witness, accesses: &[usize]) -> Option<AccessLines> {
    let at = frames(witness, accesses);
    let depth = common_depth(&at)?;
    let called = |frames: &Vec<Frame>| frames.get(depth + 1).map(|frame| frame.function.clone());
    let lines = at.iter().map(|frames| (frames[depth].line, called(frames))).collect();
    Some(AccessLines { function: at[0][depth].function.clone(), lines })
}

/// The frames at the accesses, by their places, that belong to the thread of the first one.
pub(crate) fn frames(witness: &Witness, accesses: &[usize]) -> Vec<Vec<Frame>> {
    let Some(thread) = accesses.first().and_then(|first| witness.steps.get(*first)).map(|step| step.thread) else {
        return Vec::new();
    };
    let mut open: Vec<Frame> = Vec::new();
    let mut at: Vec<Vec<Frame>> = Vec::new();
    let mut activations = 0;
    for (place, step) in witness.steps.iter().enumerate().filter(|(_, step)| step.thread == thread) {
        if step.action == Action::Return {
            open.pop();
            continue;
        }
        if open.is_empty() {
            activations += 1;
            open.push(Frame::of(activations, step));
        } else if let Some(top) = open.last_mut() {
            (top.file, top.line) = (step.file.clone(), step.line);
        }
        if accesses.contains(&place) {
            at.push(open.clone());
        }
        if step.action == Action::Call && !step.returns {
            activations += 1;
            let function = step.object.clone().unwrap_or_default();
            open.push(Frame { function, ..Frame::of(activations, step) });
        }
    }
    at
}

/// The depth of the innermost common frame.
fn common_depth(at: &[Vec<Frame>]) -> Option<usize> {
    let shortest = at.iter().map(Vec::len).min()?;
    let is_common = |depth: &usize| at.iter().all(|frames| frames[*depth].activation == at[0][*depth].activation);
    (0..shortest).take_while(is_common).last()
}

impl Frame {
    fn of(activation: usize, step: &Step) -> Self {
        Self { activation, function: step.function.clone(), file: step.file.clone(), line: step.line }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use decide::witness::Statement;

    fn step(thread: usize, action: Action, function: &str, line: u32, object: &str, is_event: bool) -> Step {
        let (function, object) = (function.into(), Some(object.into()));
        let statement = Statement { function, file: None, line, column: 1, action, object, mode: None };
        Step { event: is_event.then_some(1), ..Step::new(thread, statement) }
    }

    fn witness(steps: Vec<Step>) -> Witness {
        Witness { threads: vec!["P".into(), "Q".into()], steps }
    }

    fn found(witness: &Witness, is_victim: bool) -> (String, u32, u32) {
        let section = section(witness, &faulty_accesses(witness, is_victim)).expect("a section");
        (section.function, section.first, section.last)
    }

    #[test]
    fn two_accesses_of_a_called_method_are_its_own() {
        use Action::{Call, Read, Write};
        let steps = vec![
            step(0, Call, "P", 1, "add", false),
            step(0, Call, "add", 10, "bump", false),
            step(0, Read, "bump", 20, "n", true),
            step(1, Write, "Q", 7, "n", true),
            step(0, Write, "bump", 21, "n", true),
        ];
        assert_eq!(found(&witness(steps.clone()), false), ("bump".into(), 20, 21));
        assert_eq!(found(&witness(steps), true), ("Q".into(), 7, 7));
    }

    #[test]
    fn two_calls_are_a_section_of_the_caller() {
        use Action::{Call, Read, Return, Write};
        let steps = vec![
            step(0, Call, "P", 1, "last", false),
            step(0, Call, "last", 10, "get", false),
            step(0, Read, "get", 20, "n", true),
            step(0, Return, "get", 21, "get", false),
            step(1, Write, "Q", 7, "n", true),
            step(0, Call, "last", 12, "get", false),
            step(0, Read, "get", 20, "n", true),
        ];
        assert_eq!(found(&witness(steps), false), ("last".into(), 10, 12));
    }

    #[test]
    fn only_accesses_in_between_are_at_fault() {
        use Action::{Read, Write};
        let steps = vec![
            step(1, Write, "Q", 3, "n", true),
            step(0, Read, "P", 5, "n", true),
            step(1, Write, "Q", 7, "n", true),
            step(0, Read, "P", 6, "n", true),
        ];
        assert_eq!(found(&witness(steps), true), ("Q".into(), 7, 7));
    }
}
