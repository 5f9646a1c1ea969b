//! A witness in words: what each step does, and what its thread then holds and has open.

use super::digits::in_threes;
use super::places::offset;
use super::style::{Charset, Style};
use asercheck::witness::{Action, Step, Witness};

/// A row of a narrative.
#[derive(Clone, Debug)]
pub(crate) enum Row<'a> {
    /// One step.
    Step(Told<'a>),
    /// So many steps of one thread that are left out; the last of them is told.
    Folded(u64, Told<'a>),
}

/// A step, told.
#[derive(Clone, Debug)]
pub(crate) struct Told<'a> {
    /// Its number, from 1.
    pub(crate) number: usize,
    pub(crate) step: &'a Step,
    /// What it does.
    pub(crate) words: String,
    /// How many calls are open in which it happens.
    pub(crate) depth: usize,
    /// The locks that its thread holds after it.
    pub(crate) holds: Vec<String>,
    /// How many units its thread has open after it.
    pub(crate) units: usize,
}

impl<'a> Row<'a> {
    /// The step, or the last of those that are left out.
    pub(crate) fn told(&self) -> &Told<'a> {
        match self {
            Self::Step(told) | Self::Folded(_, told) => told,
        }
    }
}

/// Which steps of a witness are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// All.
    All,
    /// All but those in the middle of long runs of one thread without a transition, which are counted.
    Folded,
    /// Those that take a transition, the calls in which they happen, and what is done with locks at the same depths.
    /// Left out are calls that return without a transition, with all in them, and accesses that take none.
    Essential,
}

/// Which steps are left out: in a run of one thread of at least so many steps that take no transition and are not the
/// first or last of the run, all but these at its begin and end.
const FOLDED_FROM: usize = 20;
const KEPT: usize = 3;

/// All steps of a witness. Steps of threads that the witness does not have are left out.
pub(crate) fn narrative<'a>(witness: &'a Witness) -> Vec<Told<'a>> {
    let mut threads = vec![Progress::default(); witness.threads.len()];
    let told = |(place, step): (usize, &'a Step)| -> Option<Told<'a>> {
        let progress = threads.get_mut(step.thread)?;
        let (words, depth) = progress.tell(step);
        Some(Told { number: place + 1, step, words, depth, holds: progress.holds(), units: progress.units })
    };
    witness.steps.iter().enumerate().filter_map(told).collect()
}

/// The rows of a witness, as many of them as are wanted.
pub(crate) fn rows(witness: &Witness, steps: Steps) -> Vec<Row<'_>> {
    let mut told = narrative(witness);
    match steps {
        Steps::All => return told.into_iter().map(Row::Step).collect(),
        Steps::Folded => {}
        Steps::Essential => {
            let essential = essential(witness.threads.len(), &told);
            let mut place = 0;
            told.retain(|_| {
                place += 1;
                essential[place - 1]
            });
        }
    }
    let mut rows = Vec::new();
    for run in told.chunk_by(|one, next| one.step.thread == next.step.thread && !ends_run(one) && !ends_run(next)) {
        if run.len() < FOLDED_FROM {
            rows.extend(run.iter().cloned().map(Row::Step));
            continue;
        }
        let (first, rest) = run.split_at(KEPT);
        let (hidden, last) = rest.split_at(rest.len() - KEPT);
        let steps = hidden.iter().fold(0_u64, |sum, told| sum.saturating_add(told.step.steps.unwrap_or(1)));
        rows.extend(first.iter().cloned().map(Row::Step));
        rows.push(Row::Folded(steps, hidden[hidden.len() - 1].clone()));
        rows.extend(last.iter().cloned().map(Row::Step));
    }
    rows
}

/// Which steps are [essential](Steps::Essential). A call is, if a transition is taken in it; whatever else stands in a
/// call that is not is not, either.
fn essential(threads: usize, told: &[Told<'_>]) -> Vec<bool> {
    let mut keeps = vec![true; told.len()];
    // For each thread its open calls: where each begins, and whether a transition was taken in it.
    let mut open: Vec<Vec<(usize, bool)>> = vec![Vec::new(); threads];
    let leave = |keeps: &mut [bool], begin: usize, end: usize, thread: usize| {
        (begin..end).filter(|place| told[*place].step.thread == thread).for_each(|place| keeps[place] = false);
    };
    for (place, Told { step, .. }) in told.iter().enumerate() {
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
            leave(&mut keeps, begin, told.len(), thread);
        }
    }
    keeps
}

/// Whether a step is always told: it takes a transition, or is about more threads than its own.
fn ends_run(told: &Told<'_>) -> bool {
    let is_shared = matches!(told.step.action, Action::Start | Action::Wants | Action::Wait | Action::Resume);
    told.step.event.is_some() || is_shared
}

/// What a thread has open while it is told.
#[derive(Clone, Debug, Default)]
struct Progress {
    calls: usize,
    /// The locks held, in the order of their first acquisition, and how often.
    held: Vec<(String, usize)>,
    /// A lock that was given up to wait, and its place among those held.
    waiting: Option<(usize, (String, usize))>,
    units: usize,
}

impl Progress {
    /// The words for a step and the calls in which it happens; changes what the thread has open.
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

    fn holds(&self) -> Vec<String> {
        self.held.iter().map(|(lock, _)| lock.clone()).collect()
    }
}

/// Where a step's statement stands: in the text of a model, or in a line of a file.
pub(crate) fn place(step: &Step) -> String {
    let Step { function, line, column, .. } = step;
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

/// Words with the characters that the terminal can show.
pub(super) fn shown(words: &str, style: Style) -> String {
    match style.charset {
        Charset::Unicode => words.to_string(),
        Charset::Ascii => words.replace(" … ", " ... "),
    }
}

/// A number with its digits in groups of three. The greatest number stands for all that are greater, too.
pub(crate) fn grouped(number: u64) -> String {
    let least = if number == u64::MAX { "at least " } else { "" };
    format!("{least}{}", in_threes(&number.to_string()))
}
