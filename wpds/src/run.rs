//! Runs as straight-line programs: a part that occurs many times is stored once.
//!
//! A function that calls itself or others twice has runs that are exponentially longer than the saturation that finds
//! them. So a run is a sequence of rules and of *subruns*, which are such sequences again. There is one subrun for each
//! transition and each element of its weight that occurs, so the number of subruns is at most the number of elements of
//! all weights.
//!
//! Invariant: a subrun consists of subruns with older changes (see `witness`), so expansion ends. A subrun that is a
//! *callee* is the run from the configuration after a push to the one in which the pushed symbol has been popped.
//!
//! No function in here is recursive, since subruns can nest as deep as the run is long.

use crate::index::{Control, RuleId, TransitionId};
use crate::log::ChangeId;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// The number of a subrun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubrunId(u32);

impl SubrunId {
    /// Its number, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The run of a call that has returned: from after the push to the pop that undoes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Callee {
    /// The control state after the push.
    pub from: Control,
    /// The control state after the pop.
    pub to: Control,
    /// The [tag](crate::Traceable::tag) of its element.
    pub tag: u64,
    /// The run in between.
    pub subrun: SubrunId,
}

/// A part of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// A rule, with the tag of its element.
    Rule(RuleId, u64),
    Subrun(SubrunId),
    Callee(Callee),
}

/// A step of a run in which some calls are folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunStep {
    /// A rule, with the [tag](crate::Traceable::tag) of its element.
    Rule(RuleId, u64),
    /// A push rule, likewise, with the run of its callee up to the return.
    Call(RuleId, u64, Callee),
}

/// A run, as a straight-line program.
#[derive(Clone, Debug)]
pub struct Run {
    /// The parts of all subruns, one after the other.
    parts: Vec<Part>,
    /// Per subrun, the end of its parts.
    ends: Vec<usize>,
    /// Per subrun, the number of its rules; saturating.
    lengths: Vec<u64>,
    /// The subruns, each after those that it contains.
    order: Vec<SubrunId>,
    whole: Vec<Part>,
}

impl Run {
    /// The number of rules; saturating.
    pub fn length(&self) -> u64 {
        self.length_of_parts(&self.whole)
    }

    /// The number of rules of a subrun; saturating.
    pub fn length_of(&self, subrun: SubrunId) -> u64 {
        self.lengths[subrun.index()]
    }

    /// The rules in order. Their number, [`length`](Self::length), can be exponential in the size of the saturation.
    pub fn rules(&self) -> impl Iterator<Item = RuleId> {
        let mut waiting: Vec<Part> = self.whole.iter().rev().copied().collect();
        std::iter::from_fn(move || {
            loop {
                match waiting.pop()? {
                    Part::Rule(rule, _) => return Some(rule),
                    Part::Subrun(subrun) | Part::Callee(Callee { subrun, .. }) => {
                        waiting.extend(self.parts_of(subrun).iter().rev());
                    }
                }
            }
        })
    }

    /// The steps of the run; the callees that `folds` selects stay folded. Linear in the steps.
    pub fn steps(&self, folds: impl FnMut(&Callee) -> bool) -> Vec<RunStep> {
        self.steps_of_parts(&self.whole, folds)
    }

    /// The steps of a subrun, likewise.
    pub fn steps_of(&self, subrun: SubrunId, folds: impl FnMut(&Callee) -> bool) -> Vec<RunStep> {
        self.steps_of_parts(self.parts_of(subrun), folds)
    }

    /// Per subrun, whether it has a rule that passes the test. Linear in the parts of the subruns.
    pub fn subruns_with(&self, mut test: impl FnMut(RuleId) -> bool) -> Vec<bool> {
        let mut passes = vec![false; self.order.len()];
        for subrun in &self.order {
            passes[subrun.index()] = self.parts_of(*subrun).iter().any(|part| match part {
                Part::Rule(rule, _) => test(*rule),
                Part::Subrun(inner) | Part::Callee(Callee { subrun: inner, .. }) => passes[inner.index()],
            });
        }
        passes
    }

    fn steps_of_parts(&self, parts: &[Part], mut folds: impl FnMut(&Callee) -> bool) -> Vec<RunStep> {
        let mut waiting: Vec<Part> = parts.iter().rev().copied().collect();
        let mut steps = Vec::new();
        while let Some(part) = waiting.pop() {
            match part {
                Part::Rule(rule, tag) => steps.push(RunStep::Rule(rule, tag)),
                Part::Subrun(subrun) => waiting.extend(self.parts_of(subrun).iter().rev()),
                Part::Callee(callee) => match steps.last_mut() {
                    // The step before a callee is the push.
                    Some(last @ RunStep::Rule(..)) if folds(&callee) => {
                        let RunStep::Rule(push, tag) = *last else { unreachable!("it was matched") };
                        *last = RunStep::Call(push, tag, callee);
                    }
                    _ => waiting.extend(self.parts_of(callee.subrun).iter().rev()),
                },
            }
        }
        steps
    }

    fn parts_of(&self, subrun: SubrunId) -> &[Part] {
        let first = subrun.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.parts[first..self.ends[subrun.index()]]
    }

    fn length_of_parts(&self, parts: &[Part]) -> u64 {
        parts.iter().fold(0_u64, |sum, part| {
            sum.saturating_add(match part {
                Part::Rule(..) => 1,
                Part::Subrun(subrun) | Part::Callee(Callee { subrun, .. }) => self.lengths[subrun.index()],
            })
        })
    }
}

/// A builder of a run: it collects one subrun for each transition and element, and expands them in the order of
/// discovery.
#[derive(Debug)]
pub(crate) struct Subruns<E> {
    numbers: FxHashMap<(TransitionId, E), SubrunId>,
    keys: Vec<(TransitionId, E)>,
    parts: Vec<Part>,
    ends: Vec<usize>,
    /// Per subrun, the change from which it was read.
    ages: Vec<ChangeId>,
}

impl<E: Clone + Eq + Hash> Subruns<E> {
    pub(crate) fn new() -> Self {
        Self { numbers: FxHashMap::default(), keys: Vec::new(), parts: Vec::new(), ends: Vec::new(), ages: Vec::new() }
    }

    /// Returns the subrun for this element of a transition; adds it if it is new.
    pub(crate) fn of(&mut self, transition: TransitionId, element: E) -> SubrunId {
        let key = (transition, element);
        if let Some(subrun) = self.numbers.get(&key) {
            return *subrun;
        }
        let subrun = SubrunId(u32::try_from(self.keys.len()).expect("fewer than 2^32 subruns"));
        self.keys.push(key.clone());
        self.numbers.insert(key, subrun);
        subrun
    }

    /// The next subrun to expand.
    pub(crate) fn next(&self) -> Option<(TransitionId, E)> {
        self.keys.get(self.ends.len()).cloned()
    }

    /// Expands the next subrun into these parts, which were read from this change.
    pub(crate) fn expand(&mut self, parts: impl IntoIterator<Item = Part>, change: ChangeId) {
        self.parts.extend(parts);
        self.ends.push(self.parts.len());
        self.ages.push(change);
    }

    /// Returns the run that consists of these parts, once all subruns are expanded.
    pub(crate) fn finish(self, whole: Vec<Part>) -> Run {
        let mut order: Vec<_> = (0..self.ages.len() as u32).map(SubrunId).collect();
        order.sort_unstable_by_key(|subrun| self.ages[subrun.index()]);
        let mut run = Run { parts: self.parts, lengths: vec![0; self.ends.len()], ends: self.ends, order, whole };
        for place in 0..run.order.len() {
            let subrun = run.order[place];
            run.lengths[subrun.index()] = run.length_of_parts(run.parts_of(subrun));
        }
        run
    }
}
