//! What a process can do alone: which others it can start, with nobody else acting.
//!
//! A run of one process alone is a run of a pushdown system. Its stack symbols are the nodes of the model, each with
//! what the callers have open: whether a lock, and whether a unit. Its control states are the sets of starts that are
//! done. A process that is alone never waits for a lock, so locks need not be counted; what matters is whether one is
//! held at the end, and whether certain locks are left alone.
//!
//! At two kinds of statements even a process that is alone might stay for ever: where it waits for a lock that it may
//! not hold, and where it acquires in write mode what it may hold in read mode. Whether it does is not found out. Where
//! it must be sure that there is a run, no run has such a statement; where it must be sure that there is none, every
//! run may pass it.

use crate::semantics::ModelAction;
use crate::witness::{CallId, Calls, LocalStep};
use eml::model::{LockId, LockKind, Mode, Model, NodeId, Opened, Operation, ProcessId};
use limits::{Meter, StopReason};
use phases::{Access, ActionKind, ForbiddenAction};
use rustc_hash::FxHashMap;
use wpds::{Boolean, Control, PostStar, Progress, RuleSink, Rules, Run, RunStep, SubrunId, Summary, Symbol, System};

/// How many steps of a saturation are made between two looks at the limits.
const STEPS: usize = 256;

/// What a process that runs alone must not do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Restraint {
    /// Actions that the automaton forbids.
    pub(crate) forbidden: Vec<ForbiddenAction<ModelAction>>,
    /// Locks that it must not acquire; sorted.
    pub(crate) avoided: Vec<LockId>,
    /// Whether it has to hold no lock in the end.
    pub(crate) ends_free: bool,
    /// Whether it must not execute statements at which it might stay for ever.
    pub(crate) never_stays: bool,
}

impl Restraint {
    /// No restraint: what a process cannot do under this, it cannot do at all.
    pub(crate) fn nothing() -> Self {
        Self { forbidden: Vec::new(), avoided: Vec::new(), ends_free: false, never_stays: false }
    }
}

/// The processes any of which may be started; sorted.
pub(crate) type OneOf = Vec<ProcessId>;

/// One of the starts that are asked for, by its number, and the process that is started.
pub(crate) type AskedStart = (usize, ProcessId);

/// A run of one process alone.
#[derive(Clone, Debug)]
pub(crate) struct SoloRun {
    /// What it executes and, where that is one of the starts that are asked for, which one and the process.
    pub(crate) steps: Vec<(LocalStep, Option<AskedStart>)>,
    /// What the calls in it execute that make none of these starts.
    pub(crate) calls: Calls,
}

/// Whether a process, alone, can make these starts in some order. Linear in the size of what it can reach times 3 to
/// the number of starts.
pub(crate) fn can_start(
    model: &Model,
    process: ProcessId,
    starts: &[OneOf],
    restraint: &Restraint,
    meter: &Meter,
) -> Result<bool, StopReason> {
    let until_reached = |source: &Alone<'_>| source.is_reached;
    Ok(saturate(model, process, starts, restraint, until_reached, meter)?.system().source().is_reached)
}

/// A run in which a process, alone, makes these starts; `None` if there is none.
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

/// Writes down once what calls execute.
struct Reader<'a> {
    run: &'a Run,
    source: &'a Alone<'a>,
    calls: Calls,
    known: FxHashMap<SubrunId, CallId>,
}

impl Reader<'_> {
    /// What a subrun that is a callee executes. The calls in it are written down first.
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

/// Saturates, or stops where this is enough.
fn saturate<'a>(
    model: &'a Model,
    process: ProcessId,
    starts: &'a [OneOf],
    restraint: &'a Restraint,
    is_enough: impl Fn(&Alone<'a>) -> bool,
    meter: &Meter,
) -> Result<PostStar<Boolean, Alone<'a>>, StopReason> {
    let alone = Alone { model, starts, restraint, steps: Vec::new(), is_reached: false };
    let mut post = PostStar::new(&Boolean, System::lazy(alone));
    let entry = model.procedure(model.process(process).body()).entry();
    let Ok(()) = post.start(&mut Boolean, Control::new(0), symbol(entry, Open::default()));
    while !is_enough(post.system().source()) {
        let Ok(progress) = post.advance(&mut Boolean, STEPS);
        if progress == Progress::Saturated {
            break;
        }
        meter.check()?;
    }
    Ok(post)
}

/// What is open, as far as it matters.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    lock: bool,
    unit: bool,
}

fn symbol(node: NodeId, callers: Open) -> Symbol {
    let index = u32::try_from(node.index()).expect("ids of nodes have 32 bits");
    Symbol::new(index * 4 + u32::from(callers.lock) * 2 + u32::from(callers.unit))
}

fn meaning(symbol: Symbol) -> (NodeId, Open) {
    let index = symbol.index();
    (NodeId::new(index / 4), Open { lock: index & 2 != 0, unit: index & 1 != 0 })
}

/// The rules of one process alone.
#[derive(Debug)]
struct Alone<'a> {
    model: &'a Model,
    starts: &'a [OneOf],
    restraint: &'a Restraint,
    /// Per rule, in the order in which they are made; none for the rule that only says that all is done.
    steps: Vec<Option<(NodeId, Option<AskedStart>)>>,
    /// Whether all starts can be made and the run can end there.
    is_reached: bool,
}

impl Alone<'_> {
    /// All starts are made.
    fn all(&self) -> u32 {
        (1 << self.starts.len()) - 1
    }

    /// The control state of a run that is complete.
    fn goal(&self) -> Control {
        Control::new(self.all() + 1)
    }

    /// What is open right before a node, and whether a unit stays open when the innermost is closed.
    fn open(&self, node: NodeId, callers: Open) -> (Open, bool) {
        let (mut lock, mut units) = (callers.lock, usize::from(callers.unit));
        let mut opened = self.model.opened(node);
        while let (Some(innermost), Some(outer)) = (opened.innermost(), opened.outer()) {
            match innermost {
                Opened::Lock(..) => lock = true,
                Opened::Unit => units += 1,
            }
            opened = outer;
        }
        (Open { lock, unit: units > 0 }, units > 1)
    }

    /// Whether a node may be executed.
    fn allows(&self, operation: Operation, open: Open, is_inner: bool) -> bool {
        let access = |access, location| Some(ActionKind::Access { access, location, in_unit: open.unit });
        let action = match operation {
            Operation::Wait(_) if self.restraint.never_stays => return false,
            Operation::Wait(_) | Operation::Resume(_) => None,
            Operation::Acquire(lock, mode) => {
                let may_stay = mode == Mode::Write && self.model.lock(lock).kind() == LockKind::ReadWrite;
                if may_stay && self.restraint.never_stays || self.restraint.avoided.binary_search(&lock).is_ok() {
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
            // Whatever is held when it is wanted, and in whichever mode.
            ForbiddenAction::One(ActionKind::Wants { wanted, .. }) => {
                !matches!(operation, Operation::Acquire(lock, _) if lock == wanted.lock)
            }
            ForbiddenAction::One(forbidden) => action.is_none_or(|performed| !forbidden.means(&performed)),
        })
    }
}

impl Rules<bool> for Alone<'_> {
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
