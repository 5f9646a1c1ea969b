//! The explicit engine: weights are sets of segment sequences in hash-consed decision diagrams.
//!
//! The local words of all queries that are asked are solved together: one post* for each process and set of contended locks,
//! over the tree of the words. A query is then one walk over the diagrams of its participants. Where the whole tree takes
//! longer than a single query may, each query solves the tree of its own words instead.

use super::violation::interleaving;
use super::{Failure, Finding};
use crate::encode::{
    Chooser, ClonedProcess, Contention, DiagramId, Diagrams, LocalWord, LockNumbers, Plan, Position, Solved, WordTree,
    plans,
};
use crate::limits::{Meter, StopReason};
use crate::model::{LockId, Model, ProcessId};
use crate::query::Query;
use phases::Automaton;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The local words of one process.
#[derive(Debug, Default)]
struct Problem {
    tree: Arc<WordTree>,
    paths: FxHashMap<LocalWord, Vec<Position>>,
    solution: Option<Solution>,
}

#[derive(Debug)]
struct Solution {
    process: Arc<ClonedProcess>,
    solved: Solved<Diagrams>,
    totals: FxHashMap<LocalWord, DiagramId>,
}

/// The processes of the plans in which the same locks are contended.
#[derive(Debug)]
struct Group {
    numbers: Option<LockNumbers>,
    diagrams: Diagrams,
    chooser: Chooser,
    problems: FxHashMap<ProcessId, Problem>,
    /// Whether the trees of all words took too long.
    is_too_big: bool,
}

/// The engine with what it has solved so far.
#[derive(Debug)]
pub(crate) struct Explicit<'m> {
    model: &'m Model,
    contention: Contention,
    groups: FxHashMap<Vec<LockId>, Group>,
}

impl<'m> Explicit<'m> {
    /// An engine that will be asked these queries.
    pub(crate) fn new(model: &'m Model, queries: &[Query], meter: &Meter) -> Self {
        let mut engine = Self { model, contention: Contention::new(model), groups: FxHashMap::default() };
        for query in queries {
            for plan in plans(model, query, &automaton_of(query)) {
                let locks = engine.locks(&plan);
                let group = engine.groups.entry(locks).or_insert_with_key(|locks| Group::new(model, locks, meter));
                group.add(&plan);
            }
        }
        engine
    }

    /// Forgets what was solved, to give back memory.
    pub(crate) fn forget(&mut self) {
        for group in self.groups.values_mut() {
            group.forget();
        }
    }

    /// Decides a query.
    ///
    /// # Errors
    /// If a limit is reached, or the engine contradicts itself.
    pub(crate) fn decide(&mut self, query: &Query, meter: &Meter) -> Result<Finding, Failure> {
        let mut finding = Finding::Safe;
        for plan in plans(self.model, query, &automaton_of(query)) {
            let locks = self.locks(&plan);
            let model = self.model;
            let group = self.groups.entry(locks).or_insert_with_key(|locks| Group::new(model, locks, meter));
            group.add(&plan);
            match group.carry_out(model, &plan, meter)? {
                Finding::Safe => {}
                Finding::Unsupported => finding = Finding::Unsupported,
                other => return Ok(other),
            }
        }
        Ok(finding)
    }

    fn locks(&self, plan: &Plan) -> Vec<LockId> {
        let instances: Vec<_> = plan.cast.iter().map(|participant| participant.process).collect();
        self.contention.locks(&instances)
    }
}

fn automaton_of(query: &Query) -> Automaton {
    let automaton = query.property.automaton();
    automaton.fuse_begin().unwrap_or_else(|| automaton.clone())
}

impl Group {
    fn new(model: &Model, locks: &[LockId], meter: &Meter) -> Self {
        Self {
            numbers: LockNumbers::new(model, locks),
            diagrams: Diagrams::new(meter.clone()),
            chooser: Chooser::default(),
            problems: FxHashMap::default(),
            is_too_big: false,
        }
    }

    /// Adds the words of a plan, unless they are there.
    fn add(&mut self, plan: &Plan) {
        for (participant, word) in plan.cast.iter().zip(&plan.words) {
            let problem = self.problems.entry(participant.process).or_default();
            if !problem.paths.contains_key(word) {
                let path = Arc::make_mut(&mut problem.tree).insert(word);
                problem.paths.insert(word.clone(), path);
                problem.solution = None;
            }
        }
    }

    fn forget(&mut self) {
        self.diagrams = Diagrams::new(self.diagrams.meter().clone());
        self.chooser = Chooser::default();
        for problem in self.problems.values_mut() {
            problem.solution = None;
        }
    }

    fn carry_out(&mut self, model: &Model, plan: &Plan, meter: &Meter) -> Result<Finding, Failure> {
        if self.is_too_big {
            return self.alone(model, plan, meter);
        }
        let result = self.together(model, plan, meter);
        if result.as_ref().is_err_and(|failure| *failure == Failure::Stopped(StopReason::Timeout)) {
            self.is_too_big = true;
            self.forget();
        }
        result
    }

    /// Solves the words of this plan only, apart from all others.
    fn alone(&self, model: &Model, plan: &Plan, meter: &Meter) -> Result<Finding, Failure> {
        let mut own = Self {
            numbers: self.numbers.clone(),
            diagrams: Diagrams::new(meter.clone()),
            chooser: Chooser::default(),
            problems: FxHashMap::default(),
            is_too_big: false,
        };
        own.add(plan);
        own.together(model, plan, meter)
    }

    /// Solves all words of the group, then checks the plan.
    fn together(&mut self, model: &Model, plan: &Plan, meter: &Meter) -> Result<Finding, Failure> {
        let Some(numbers) = &self.numbers else { return Ok(Finding::Unsupported) };
        self.diagrams.set_meter(meter.clone());
        let mut totals = Vec::new();
        for (participant, word) in plan.cast.iter().zip(&plan.words) {
            let problem = self.problems.get_mut(&participant.process).expect("the plan was added");
            let total = problem.total(model, participant.process, word, numbers, &mut self.diagrams, meter)?;
            if total == DiagramId::EMPTY {
                return Ok(Finding::Safe);
            }
            totals.push(total);
        }
        match self.chooser.choose(&self.diagrams, &totals)? {
            None => Ok(Finding::Safe),
            Some(sequences) => {
                let mut found = Vec::new();
                for ((participant, word), sequence) in plan.cast.iter().zip(&plan.words).zip(&sequences) {
                    let problem = &self.problems[&participant.process];
                    let solution = problem.solution.as_ref().expect("every word of the plan is solved");
                    let path = &problem.paths[word];
                    let operations = solution.solved.operations(&mut self.diagrams, word, path, sequence);
                    let operations = operations.ok_or(Failure::Internal("an element of a weight has no run"))?;
                    found.push((solution.process.clone(), operations));
                }
                interleaving(model, plan, &found, meter).map(Finding::Violation)
            }
        }
    }
}

impl Problem {
    /// The sequences of the paths that do their part of a word.
    fn total(
        &mut self,
        model: &Model,
        process: ProcessId,
        word: &LocalWord,
        numbers: &LockNumbers,
        diagrams: &mut Diagrams,
        meter: &Meter,
    ) -> Result<DiagramId, Failure> {
        if self.solution.is_none() {
            let process = Arc::new(ClonedProcess::new(model, process, numbers));
            let solved = Solved::new(diagrams, process.graph().clone(), self.tree.clone(), numbers.len(), meter)?;
            self.solution = Some(Solution { process, solved, totals: FxHashMap::default() });
        }
        let solution = self.solution.as_mut().expect("solved just now");
        if let Some(total) = solution.totals.get(word) {
            return Ok(*total);
        }
        let total = solution.solved.total(diagrams, word, &self.paths[word])?;
        solution.totals.insert(word.clone(), total);
        Ok(total)
    }
}
