//! The steps of a run of a product; calls that have returned are shared.

use crate::encode::flow::{EdgeId, Label};
use crate::encode::reduce::ReducedProcess;
use limits::{Meter, StopReason};
use lockhist::Operation;
use rustc_hash::FxHashMap;
use wpds::{Callee, RuleId, Run, RunStep, SubrunId};

/// The number of a callee in a [`Trace`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CalleeId(u32);

impl CalleeId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The step of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Executed {
    /// Nothing.
    Nothing,
    /// An edge of the flow graph.
    Edge(EdgeId),
    /// The return of a procedure.
    Return,
    /// A call and everything up to and including its return.
    Call(EdgeId, CalleeId),
}

/// A rule in a run: its step and its phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TracedRule {
    pub(crate) phase: usize,
    pub(crate) executed: Executed,
}

/// The steps of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    pub(crate) steps: Vec<TracedRule>,
    /// The steps of the calls that are one step, each from after the call to the return.
    pub(crate) callees: Vec<Vec<Executed>>,
}

impl Trace {
    /// Reads the steps of a run, each with its rule; `traced` returns the step for a rule and the tag of its element.
    /// The calls whose callees `folds` accepts become one step, and their callees are added to the trace; inside of
    /// them all calls become one step. `None` if a rule has no step.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn read(
        &mut self,
        run: &Run,
        folds: impl Fn(&Callee) -> bool,
        traced: impl Fn(RuleId, u64) -> Option<TracedRule>,
        meter: &Meter,
    ) -> Result<Option<Vec<(RuleId, TracedRule)>>, StopReason> {
        let mut reader = Reader { traced: &traced, numbers: FxHashMap::default(), waiting: Vec::new() };
        let first = self.callees.len();
        let Some(steps) = reader.steps(first, run.steps(folds)) else { return Ok(None) };
        let mut next = 0;
        while let Some(subrun) = reader.waiting.get(next).copied() {
            let inner = run.steps_of(subrun, |_| true);
            meter.work_of(1 + inner.len())?;
            let Some(inner) = reader.steps(first, inner) else { return Ok(None) };
            self.callees.push(inner.into_iter().map(|(_, traced)| traced.executed).collect());
            next += 1;
        }
        Ok(Some(steps))
    }
}

/// Numbers the subruns of callees, in the order in which they occur.
struct Reader<'a> {
    traced: &'a dyn Fn(RuleId, u64) -> Option<TracedRule>,
    numbers: FxHashMap<SubrunId, CalleeId>,
    waiting: Vec<SubrunId>,
}

impl Reader<'_> {
    fn steps(&mut self, first: usize, steps: Vec<RunStep>) -> Option<Vec<(RuleId, TracedRule)>> {
        let mut all = Vec::with_capacity(steps.len());
        for step in steps {
            match step {
                RunStep::Rule(rule, tag) => all.push((rule, (self.traced)(rule, tag)?)),
                RunStep::Call(push, tag, callee) => {
                    let TracedRule { phase, executed: Executed::Edge(edge) } = (self.traced)(push, tag)? else {
                        return None;
                    };
                    let executed = Executed::Call(edge, self.number(first, callee.subrun));
                    all.push((push, TracedRule { phase, executed }));
                }
            }
        }
        Some(all)
    }

    fn number(&mut self, first: usize, subrun: SubrunId) -> CalleeId {
        let waiting = &mut self.waiting;
        *self.numbers.entry(subrun).or_insert_with(|| {
            waiting.push(subrun);
            CalleeId(u32::try_from(first + waiting.len() - 1).expect("fewer than 2^32 calls"))
        })
    }
}

/// For each subrun, whether a step in it may release a lock of a caller. `executed` is the step of a rule.
pub(crate) fn subruns_giving_up(
    process: &ReducedProcess,
    run: &Run,
    executed: &dyn Fn(RuleId) -> Option<Executed>,
) -> impl Fn(SubrunId) -> bool + use<> {
    let given_up = process.original().given_up();
    let gives_up = |executed: Executed| match executed {
        Executed::Edge(edge) => {
            matches!(process.graph().edge(edge).label, Label::Lock(Operation::Release(lock)) if given_up.contains(lock))
        }
        Executed::Nothing | Executed::Return | Executed::Call(..) => false,
    };
    let some = !given_up.is_empty();
    let subruns = if some { run.subruns_with(|rule| executed(rule).is_some_and(gives_up)) } else { Vec::new() };
    move |subrun| some && subruns[subrun.index()]
}
