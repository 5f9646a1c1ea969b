//! Runs of one process alone: which other processes it can start while nobody else acts.
//!
//! A run of one process alone is a run of a pushdown system. Its stack symbols are the nodes of the model, each with
//! two flags: whether the callers hold a lock, and whether they have a unit open. Its control states are the sets of
//! starts made so far. A process that runs alone never waits for a lock, so locks need not be counted; only two things
//! matter: whether it holds a lock at the end, and whether it avoids certain locks.
//!
//! Even alone, a process might block forever at two kinds of statements: a wait for a lock that it may not hold, and an
//! acquisition in write mode of a lock that it may hold in read mode. This module does not decide whether it blocks. A
//! query that must find only possible runs forbids such statements ([`Restraint::never_blocks`]); a query that must
//! find all possible runs allows them.

use crate::semantics::ModelAction;
use crate::witness::{CallId, Calls, LocalStep};
use eml::model::{LockId, LockKind, Mode, Model, NodeId, Opened, Operation, ProcessId};
use limits::{Meter, StopReason};
use phases::{Access, ActionKind, ForbiddenAction};
use rustc_hash::FxHashMap;
use wpds::{Boolean, Control, PostStar, Progress, RuleSink, Rules, Run, RunStep, SubrunId, Summary, Symbol, System};

/// The number of saturation steps between two checks of the limits.
const STEPS: usize = 256;

/// The actions that are forbidden to a process that runs alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Restraint {
    /// Actions that the automaton forbids.
    pub(crate) forbidden: Vec<ForbiddenAction<ModelAction>>,
    /// Locks that the process must not acquire; sorted.
    pub(crate) avoided: Vec<LockId>,
    /// Whether the process must hold no lock at the end.
    pub(crate) ends_free: bool,
    /// Whether the process must not execute statements at which it might block forever.
    pub(crate) never_blocks: bool,
}

impl Restraint {
    /// The empty restraint. Starts that are impossible under it are impossible in every run.
    pub(crate) fn nothing() -> Self {
        Self { forbidden: Vec::new(), avoided: Vec::new(), ends_free: false, never_blocks: false }
    }
}

/// The processes of which one has to be started; sorted.
pub(crate) type OneOf = Vec<ProcessId>;

/// A requested start, by its number, and the started process.
pub(crate) type RequestedStart = (usize, ProcessId);

/// A run of one process alone.
#[derive(Clone, Debug)]
pub(crate) struct SoloRun {
    /// The steps of the run. A step that makes a requested start has its number and process.
    pub(crate) steps: Vec<(LocalStep, Option<RequestedStart>)>,
    /// The calls in it that make none of the requested starts.
    pub(crate) calls: Calls,
}

/// Whether a process, alone, can make these `n` starts in some order. Takes time linear in the size of its reachable
/// part times `3^n`.
pub(crate) fn can_start(
    model: &Model,
    process: ProcessId,
    starts: &[OneOf],
    restraint: &Restraint,
    meter: &Meter,
) -> Result<bool, StopReason> {
    let until_reached = |source: &SoloRules<'_>| source.is_reached;
    Ok(saturate(model, process, starts, restraint, until_reached, meter)?.system().source().is_reached)
}

/// Returns a run in which a process, alone, makes these starts; `None` if there is none.
pub(crate) fn run(
    model: &Model,
    process: ProcessId,
    starts: &[OneOf],
    restraint: &Restraint,
    meter: &Meter,
) -> Result<Option<SoloRun>, StopReason> {
    let post = saturate(model, process, starts, restraint, |_| false, meter)?;
    let source = post.system().source();
    if !source.is_reached {
        return Ok(None);
    }
    let Some(saturated) = post.saturated() else { return Ok(None) };
    let Ok(summary) = Summary::of(&mut Boolean, saturated, &mut || Ok(()));
    let Ok(found) = summary.run(&mut Boolean, &post, source.goal(), &(), &mut || Ok(()));
    let Some(found) = found else { return Ok(None) };
    let starting = found.subruns_with(|rule| source.steps[rule.index()].is_some_and(|(_, starts)| starts.is_some()));
    let mut reader = Reader { run: &found, source, calls: Calls::default(), known: FxHashMap::default() };
    let mut steps = Vec::new();
    for step in found.steps(|callee| !starting[callee.subrun.index()]) {
        meter.work_of(1)?;
        match step {
            RunStep::Rule(rule, _) => {
                steps.extend(source.steps[rule.index()].map(|(node, starts)| (LocalStep::Node(node), starts)));
            }
            RunStep::Call(rule, _, callee) => {
                let call = reader.call(callee.subrun, meter)?;
                steps.extend(source.steps[rule.index()].map(|(node, _)| (LocalStep::Call(node, call), None)));
            }
        }
    }
    Ok(Some(SoloRun { steps, calls: reader.calls }))
}

/// Records the steps of calls, each call once.
struct Reader<'a> {
    run: &'a Run,
    source: &'a SoloRules<'a>,
    calls: Calls,
    known: FxHashMap<SubrunId, CallId>,
}

impl Reader<'_> {
    /// Records the steps of a callee. The calls in it are recorded first.
    fn call(&mut self, subrun: SubrunId, meter: &Meter) -> Result<CallId, StopReason> {
        let mut open = vec![subrun];
        while let Some(subrun) = open.pop() {
            if self.known.contains_key(&subrun) {
                continue;
            }
            let inner = self.run.steps_of(subrun, |_| true);
            meter.work_of(1 + inner.len())?;
            let callees = inner.iter().filter_map(|step| match step {
                RunStep::Rule(..) => None,
                RunStep::Call(_, _, callee) => Some(callee.subrun),
            });
            let missing: Vec<_> = callees.filter(|callee| !self.known.contains_key(callee)).collect();
            if !missing.is_empty() {
                open.push(subrun);
                open.extend(missing);
                continue;
            }
            let steps = inner.iter().filter_map(|step| match step {
                RunStep::Rule(rule, _) => self.source.steps[rule.index()].map(|(node, _)| LocalStep::Node(node)),
                RunStep::Call(rule, _, callee) => {
                    let call = self.known[&callee.subrun];
                    self.source.steps[rule.index()].map(|(node, _)| LocalStep::Call(node, call))
                }
            });
            let call = self.calls.push(steps.collect());
            self.known.insert(subrun, call);
        }
        Ok(self.known[&subrun])
    }
}

/// Saturates, or stops as soon as the result suffices.
fn saturate<'a>(
    model: &'a Model,
    process: ProcessId,
    starts: &'a [OneOf],
    restraint: &'a Restraint,
    is_enough: impl Fn(&SoloRules<'a>) -> bool,
    meter: &Meter,
) -> Result<PostStar<Boolean, SoloRules<'a>>, StopReason> {
    let alone = SoloRules { model, starts, restraint, steps: Vec::new(), is_reached: false };
    let mut post = PostStar::new(&Boolean, System::lazy(alone));
    let entry = model.procedure(model.process(process).body()).entry();
    let Ok(()) = post.start(&mut Boolean, Control::new(0), symbol(entry, OpenState::default()));
    while !is_enough(post.system().source()) {
        let Ok(progress) = post.advance(&mut Boolean, STEPS);
        if progress == Progress::Saturated {
            break;
        }
        meter.check()?;
    }
    Ok(post)
}

/// Whether a lock is held, and whether a unit is open.
#[derive(Clone, Copy, Debug, Default)]
struct OpenState {
    lock: bool,
    unit: bool,
}

fn symbol(node: NodeId, callers: OpenState) -> Symbol {
    let index = u32::try_from(node.index()).expect("ids of nodes have 32 bits");
    Symbol::new(index * 4 + u32::from(callers.lock) * 2 + u32::from(callers.unit))
}

fn meaning(symbol: Symbol) -> (NodeId, OpenState) {
    let index = symbol.index();
    (NodeId::new(index / 4), OpenState { lock: index & 2 != 0, unit: index & 1 != 0 })
}

/// The rules of one process alone.
#[derive(Debug)]
struct SoloRules<'a> {
    model: &'a Model,
    starts: &'a [OneOf],
    restraint: &'a Restraint,
    /// For each rule, in the order of their creation, its step; none for the rule to the goal.
    steps: Vec<Option<(NodeId, Option<RequestedStart>)>>,
    /// Whether the goal is reachable: all starts are made, and the run can end.
    is_reached: bool,
}

impl SoloRules<'_> {
    /// The set of all starts.
    fn all(&self) -> u32 {
        (1 << self.starts.len()) - 1
    }

    /// The control state of complete runs.
    fn goal(&self) -> Control {
        Control::new(self.all() + 1)
    }

    /// The state right before a node, and whether a unit stays open when the innermost one ends.
    fn open(&self, node: NodeId, callers: OpenState) -> (OpenState, bool) {
        let (mut lock, mut units) = (callers.lock, usize::from(callers.unit));
        let mut opened = self.model.opened(node);
        while let (Some(innermost), Some(outer)) = (opened.innermost(), opened.outer()) {
            match innermost {
                Opened::Lock(..) => lock = true,
                Opened::Unit => units += 1,
            }
            opened = outer;
        }
        (OpenState { lock, unit: units > 0 }, units > 1)
    }

    /// Whether a node may be executed.
    fn allows(&self, operation: Operation, open: OpenState, is_inner: bool) -> bool {
        let access = |access, location| Some(ActionKind::Access { access, location, in_unit: open.unit });
        let action = match operation {
            Operation::Wait(_) if self.restraint.never_blocks => return false,
            Operation::Wait(_) | Operation::Resume(_) => None,
            Operation::Acquire(lock, mode) => {
                let may_block = mode == Mode::Write && self.model.lock(lock).kind() == LockKind::ReadWrite;
                if may_block && self.restraint.never_blocks || self.restraint.avoided.binary_search(&lock).is_ok() {
                    return false;
                }
                None
            }
            Operation::Read(location) => access(Access::Read, location),
            Operation::Write(location) => access(Access::Write, location),
            Operation::Begin => (!open.unit).then_some(ActionKind::Begin),
            Operation::End => (!is_inner).then_some(ActionKind::End),
            Operation::Skip | Operation::Release(..) | Operation::Call(_) | Operation::Start(_) | Operation::Return => {
                None
            }
        };
        self.restraint.forbidden.iter().all(|forbidden| match forbidden {
            ForbiddenAction::Step => false,
            ForbiddenAction::Every => action.is_none(),
            // Forbidden for all modes and all sets of held locks.
            ForbiddenAction::One(ActionKind::Wants { wanted, .. }) => {
                !matches!(operation, Operation::Acquire(lock, _) if lock == wanted.lock)
            }
            ForbiddenAction::One(forbidden) => action.is_none_or(|performed| !forbidden.means(&performed)),
        })
    }
}

impl Rules<bool> for SoloRules<'_> {
    fn rules(&mut self, control: Control, top: Symbol, sink: &mut RuleSink<'_, bool>) {
        if control == self.goal() {
            self.is_reached = true;
            return;
        }
        let (node, callers) = meaning(top);
        let (open, is_inner) = self.open(node, callers);
        let done = control.index() as u32;
        if done == self.all() && !(self.restraint.ends_free && open.lock) {
            sink.step(self.goal(), top, true);
            self.steps.push(None);
        }
        let model = self.model;
        let operation = model.node(node).operation;
        if !self.allows(operation, open, is_inner) {
            return;
        }
        let plain = Some((node, None));
        match operation {
            Operation::Return => {
                sink.pop(control, true);
                self.steps.push(plain);
            }
            Operation::Call(callee) => {
                let entry = symbol(model.procedure(callee).entry(), open);
                for next in model.successors(node) {
                    sink.push(control, entry, symbol(*next, callers), true);
                    self.steps.push(plain);
                }
            }
            Operation::Start(process) => {
                for next in model.successors(node) {
                    sink.step(control, symbol(*next, callers), true);
                    self.steps.push(plain);
                    for (number, any) in self.starts.iter().enumerate() {
                        if done & (1 << number) == 0 && any.binary_search(&process).is_ok() {
                            sink.step(Control::new(done | (1 << number)), symbol(*next, callers), true);
                            self.steps.push(Some((node, Some((number, process)))));
                        }
                    }
                }
            }
            Operation::Skip
            | Operation::Read(_)
            | Operation::Write(_)
            | Operation::Acquire(..)
            | Operation::Release(..)
            | Operation::Wait(_)
            | Operation::Resume(_)
            | Operation::Begin
            | Operation::End => {
                for next in model.successors(node) {
                    sink.step(control, symbol(*next, callers), true);
                    self.steps.push(plain);
                }
            }
        }
    }
}
