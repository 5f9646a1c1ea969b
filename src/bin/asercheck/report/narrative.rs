//! A witness in words: for each step its action, and the locks and units that its thread holds open afterwards.

use super::digits::in_threes;
use super::places::offset;
use super::style::{Charset, Style};
use asercheck::witness::{Action, Statement, Step, Witness};

/// A row of a narrative.
#[derive(Clone, Debug)]
pub(crate) enum Row<'a> {
    /// One step.
    Step(NarratedStep<'a>),
    /// A number of steps of one thread that are left out, and the last of them.
    Folded(u64, NarratedStep<'a>),
}

/// A step in words.
#[derive(Clone, Debug)]
pub(crate) struct NarratedStep<'a> {
    /// Its number, from 1.
    pub(crate) number: usize,
    pub(crate) step: &'a Step,
    /// The action, in words.
    pub(crate) words: String,
    /// The number of open calls in which it happens.
    pub(crate) depth: usize,
    /// The locks that its thread holds after it.
    pub(crate) holds: Vec<String>,
    /// The number of units that its thread has open after it.
    pub(crate) units: usize,
}

impl<'a> Row<'a> {
    /// Returns the step, or the last of the steps that are left out.
    pub(crate) fn narrated(&self) -> &NarratedStep<'a> {
        match self {
            Self::Step(narrated) | Self::Folded(_, narrated) => narrated,
        }
    }
}

/// The steps of a witness that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// All steps.
    All,
    /// All steps but those in the middle of long runs of one thread without a transition, which are counted.
    Folded,
    /// The steps that take a transition, the calls in which these happen, and the steps that acquire or release locks
    /// at the same depths. Calls that return without a transition are left out with their content, and so are accesses
    /// without a transition.
    Essential,
    /// The accesses that take a transition, numbered from 1.
    Marked,
}

/// In a run of one thread of at least `FOLDED_FROM` steps, none of which takes a transition, the steps are left out but
/// for the first and the last `KEPT`.
const FOLDED_FROM: usize = 20;
const KEPT: usize = 3;

/// Returns all steps of a witness. Steps of threads that the witness does not have are left out.
pub(crate) fn narrative<'a>(witness: &'a Witness) -> Vec<NarratedStep<'a>> {
    let mut threads = vec![Progress::default(); witness.threads.len()];
    let narrated = |(place, step): (usize, &'a Step)| -> Option<NarratedStep<'a>> {
        let progress = threads.get_mut(step.thread)?;
        let (words, depth) = progress.tell(step);
        Some(NarratedStep { number: place + 1, step, words, depth, holds: progress.holds(), units: progress.units })
    };
    witness.steps.iter().enumerate().filter_map(narrated).collect()
}

/// Returns the rows of a witness.
pub(crate) fn rows(witness: &Witness, steps: Steps) -> Vec<Row<'_>> {
    let mut narrated = narrative(witness);
    match steps {
        Steps::All => return narrated.into_iter().map(Row::Step).collect(),
        Steps::Folded => {}
        Steps::Marked => return marked(narrated).into_iter().map(Row::Step).collect(),
        Steps::Essential => {
            let essential = essential(witness.threads.len(), &narrated);
            let mut place = 0;
            narrated.retain(|_| {
                place += 1;
                essential[place - 1]
            });
        }
    }
    let mut rows = Vec::new();
    for run in narrated.chunk_by(|one, next| one.step.thread == next.step.thread && !ends_run(one) && !ends_run(next)) {
        if run.len() < FOLDED_FROM {
            rows.extend(run.iter().cloned().map(Row::Step));
            continue;
        }
        let (first, rest) = run.split_at(KEPT);
        let (hidden, last) = rest.split_at(rest.len() - KEPT);
        let steps = hidden.iter().fold(0_u64, |sum, narrated| sum.saturating_add(narrated.step.steps.unwrap_or(1)));
        rows.extend(first.iter().cloned().map(Row::Step));
        rows.push(Row::Folded(steps, hidden[hidden.len() - 1].clone()));
        rows.extend(last.iter().cloned().map(Row::Step));
    }
    rows
}

/// Returns the accesses that take a transition, without their calls. If there are none, returns all steps that take
/// one.
fn marked(mut narrated: Vec<NarratedStep<'_>>) -> Vec<NarratedStep<'_>> {
    let is_access = |step: &Step| matches!(step.action, Action::Read | Action::Write);
    narrated.retain(|one| one.step.event.is_some());
    if narrated.iter().any(|one| is_access(one.step)) {
        narrated.retain(|one| is_access(one.step));
    }
    for (place, one) in narrated.iter_mut().enumerate() {
        (one.number, one.depth) = (place + 1, 0);
    }
    narrated
}

/// Returns for each step whether it is [essential](Steps::Essential). A call is essential if a transition is taken in
/// it; no step within another call is.
fn essential(threads: usize, narrated: &[NarratedStep<'_>]) -> Vec<bool> {
    let mut keeps = vec![true; narrated.len()];
    // For each thread its open calls: the place of the call, and whether a transition was taken in it.
    let mut open: Vec<Vec<(usize, bool)>> = vec![Vec::new(); threads];
    let leave = |keeps: &mut [bool], begin: usize, end: usize, thread: usize| {
        (begin..end).filter(|place| narrated[*place].step.thread == thread).for_each(|place| keeps[place] = false);
    };
    for (place, NarratedStep { step, .. }) in narrated.iter().enumerate() {
        let calls = &mut open[step.thread];
        if step.event.is_some() {
            calls.iter_mut().for_each(|(_, takes)| *takes = true);
        }
        match step.action {
            Action::Call if step.returns => keeps[place] = step.event.is_some(),
            Action::Call => calls.push((place, step.event.is_some())),
            Action::Return => {
                keeps[place] = step.event.is_some();
                if let Some((begin, false)) = calls.pop() {
                    leave(&mut keeps, begin, place, step.thread);
                }
            }
            Action::Read | Action::Write | Action::Begin | Action::End => keeps[place] = step.event.is_some(),
            Action::Acquire | Action::Release | Action::Start | Action::Wants | Action::Wait | Action::Resume => {}
        }
    }
    for (thread, calls) in open.into_iter().enumerate() {
        if let Some((begin, _)) = calls.into_iter().find(|(_, takes)| !takes) {
            leave(&mut keeps, begin, narrated.len(), thread);
        }
    }
    keeps
}

/// Whether a step is always shown: it takes a transition, or concerns other threads than its own.
fn ends_run(narrated: &NarratedStep<'_>) -> bool {
    let is_shared = matches!(narrated.step.action, Action::Start | Action::Wants | Action::Wait | Action::Resume);
    narrated.step.event.is_some() || is_shared
}

/// The locks, calls and units that a thread has open.
#[derive(Clone, Debug, Default)]
struct Progress {
    calls: usize,
    /// The locks that are held, in the order of their first acquisition, with their numbers of acquisitions.
    held: Vec<(String, usize)>,
    /// A lock that the thread released to wait, and its place among the held locks.
    waiting: Option<(usize, (String, usize))>,
    units: usize,
}

impl Progress {
    /// Returns the words for a step and the number of calls in which it happens; updates the open locks, calls and
    /// units.
    fn tell(&mut self, step: &Step) -> (String, usize) {
        let object = step.object.as_deref().unwrap_or_default();
        let lock = step.mode.map_or_else(|| object.to_string(), |mode| format!("{} {object}", mode.name()));
        if step.action == Action::Return {
            self.calls = self.calls.saturating_sub(1);
        }
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
            Action::Call if step.returns => {
                format!("call {object} … return from {object} ({} steps)", grouped(step.steps.unwrap_or_default()))
            }
            Action::Call => format!("call {object}"),
            Action::Return => format!("return from {object}"),
            Action::Start => format!("start {object}"),
        };
        let depth = self.calls;
        if step.action == Action::Call && !step.returns {
            self.calls += 1;
        }
        (words, depth)
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

    /// Releases a lock that `resume` acquires again.
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

    fn holds(&self) -> Vec<String> {
        self.held.iter().map(|(lock, _)| lock.clone()).collect()
    }
}

/// Returns the place of a step's statement: in the text of a model, or a line of a file.
pub(crate) fn place(step: &Step) -> String {
    let Statement { function, line, column, .. } = &*step.statement;
    match &step.file {
        None => format!("{function}:{line}:{column}"),
        Some(file) => {
            let name = file.rsplit('/').next().unwrap_or(file);
            match offset(step) {
                Some(byte) => format!("{}, byte {byte}", name.strip_suffix(".java").unwrap_or(name)),
                None => format!("{name}:{line}"),
            }
        }
    }
}

/// Replaces characters that the terminal cannot show.
pub(super) fn shown(words: &str, style: Style) -> String {
    match style.charset {
        Charset::Unicode => words.to_string(),
        Charset::Ascii => words.replace(" … ", " ... "),
    }
}

/// Writes a number with its digits in groups of three. The greatest number also stands for all greater ones.
pub(crate) fn grouped(number: u64) -> String {
    let least = if number == u64::MAX { "at least " } else { "" };
    format!("{least}{}", in_threes(&number.to_string()))
}
