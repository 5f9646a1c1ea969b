//! From an interleaving of nodes to a written witness.

use super::call_effects::{CallEffects, EffectContext};
use super::call_lengths::{CallLengths, Moment, may_forbid_wanting};
use super::interleaving::{InterleavedStep, Interleaving};
use super::interpreter::process_name;
use super::path::LocalStep;
use super::statements::Statements;
use super::step::{Step, Witness};
use crate::query::Query;
use crate::semantics::{Act, OpenBlocks};
use eml::model::{LockId, Model, Operation, ProcedureId, ProcessId};
use fixedbitset::FixedBitSet;
use limits::{Meter, StopReason};
use phases::{LocationParameter, LockParameter, Performed, ThreadParameter};
use std::sync::Arc;

/// Writes down an interleaving whose last step is the last transition of the query's automaton; `None` if the automaton
/// does not accept it. Steps share their statements with other witnesses of the model.
///
/// # Errors
/// If a limit is reached.
pub(crate) fn assemble(
    model: &Model,
    query: &Query,
    interleaving: &Interleaving,
    statements: &mut Statements,
    meter: &Meter,
) -> Result<Option<Witness>, StopReason> {
    let steps = interleaving.steps.iter().filter(|step| !is_silent(model, step)).copied();
    let steps: Vec<_> = steps.collect();
    meter.check()?;
    let assembly = Assembly { model, query, meter };
    let Some(observed) = assembly.observe(interleaving, &steps)? else { return Ok(None) };
    let Some(events) = assembly.events(&observed) else { return Ok(None) };
    let names = Names::new(model, interleaving, &steps);
    let (mut written, mut lengths, mut phase) = (Vec::with_capacity(steps.len()), CallLengths::default(), 0);
    for (place, (step, observed)) in steps.iter().zip(observed).enumerate() {
        meter.work_of(1)?;
        let event = (events.get(phase) == Some(&place)).then_some(phase + 1);
        let whole = match observed {
            Observed::Call { callee, in_unit, taken, .. } => {
                let moment = Moment { phase, thread: step.thread, taken };
                let allows = |act: Act| !assembly.forbids(phase, step.thread, act);
                let may_want = |lock| assembly.may_want(phase, step.thread, lock);
                let length = lengths.of(model, moment, (callee, in_unit), &allows, &may_want);
                let Some(length) = length else { return Ok(None) };
                Some(length)
            }
            Observed::Step(_) => None,
        };
        // After the instant of wanting a lock, the thread acquires it next. If both lie in one phase, the instant is
        // implicit.
        let is_understood = matches!(step.step, LocalStep::Wants(_)) && event.is_none() && {
            let next = steps[place + 1..].iter().position(|other| other.thread == step.thread);
            next.is_none_or(|next| events.get(phase).is_none_or(|event| place + 1 + next <= *event))
        };
        if !is_understood {
            written.push(names.step((model, statements), step, event, whole));
        }
        phase += usize::from(event.is_some());
    }
    Ok(Some(Witness { steps: written, threads: names.threads }))
}

/// Whether a step is not written: a branching point, or the end of a process.
fn is_silent(model: &Model, step: &InterleavedStep) -> bool {
    if let LocalStep::Wants(_) = step.step {
        return false;
    }
    let node = model.node(step.node());
    match node.operation {
        Operation::Skip => true,
        Operation::Return => model.procedure(node.procedure).is_process_body(),
        Operation::Read(_)
        | Operation::Write(_)
        | Operation::Acquire(..)
        | Operation::Release(..)
        | Operation::Wait(_)
        | Operation::Resume(_)
        | Operation::Begin
        | Operation::End
        | Operation::Call(_)
        | Operation::Start(_) => false,
    }
}

/// A step as automata see it.
enum Observed {
    Step(Performed),
    /// A whole call, which takes no transition.
    Call {
        callee: ProcedureId,
        in_unit: bool,
        /// The phases that allow all its actions.
        allowed: FixedBitSet,
        /// The locks that other threads hold during the call, in order.
        taken: Vec<LockId>,
    },
}

struct Assembly<'a> {
    model: &'a Model,
    query: &'a Query,
    meter: &'a Meter,
}

impl Assembly<'_> {
    /// Returns each step as automata see it.
    fn observe(
        &self,
        interleaving: &Interleaving,
        steps: &[InterleavedStep],
    ) -> Result<Option<Vec<Observed>>, StopReason> {
        let mut effects: Vec<Option<CallEffects>> = vec![None; interleaving.processes.len()];
        let mut opens = vec![OpenBlocks::default(); interleaving.processes.len()];
        let mut all = Vec::with_capacity(steps.len());
        for InterleavedStep { thread, step, .. } in steps {
            self.meter.work_of(1)?;
            let in_unit = opens[*thread].in_unit();
            all.push(match step {
                LocalStep::Node(node) => {
                    let operation = self.model.node(*node).operation;
                    let act = opens[*thread].act(operation);
                    opens[*thread].execute(operation);
                    Observed::Step(self.performed(*thread, act))
                }
                LocalStep::Wants(node) => {
                    let Some(act) = opens[*thread].wants(self.model.node(*node).operation) else { return Ok(None) };
                    Observed::Step(self.performed(*thread, act))
                }
                LocalStep::Call(node, call) => {
                    let Operation::Call(callee) = self.model.node(*node).operation else { return Ok(None) };
                    let others = opens.iter().enumerate().filter(|(other, _)| other != thread);
                    let mut taken: Vec<_> = others.flat_map(|(_, open)| open.locks().map(|(lock, _)| lock)).collect();
                    taken.sort_unstable();
                    let effect = match &mut effects[*thread] {
                        Some(effect) => effect,
                        effect => effect.insert(self.call_effects(interleaving, *thread)?),
                    };
                    let allowed = effect.of(*call, in_unit).allowed.clone();
                    Observed::Call { callee, in_unit, allowed, taken }
                }
            });
        }
        Ok(Some(all))
    }

    /// The effects of the calls on the path of a thread.
    fn call_effects(&self, interleaving: &Interleaving, thread: usize) -> Result<CallEffects, StopReason> {
        let context = EffectContext {
            model: self.model,
            locks: 0,
            number: &|_| None,
            phases: self.query.property.automaton().phases().len(),
            allows: &|phase, act| !self.forbids(phase, thread, act.clone()),
            meter: self.meter,
        };
        CallEffects::new(&interleaving.calls[thread], &context)
    }

    /// Whether the automaton forbids a thread a step in a phase.
    fn forbids(&self, phase: usize, thread: usize, act: Act) -> bool {
        self.query.property.automaton().phases()[phase].forbids(&self.performed(thread, act))
    }

    /// Whether the automaton allows a thread to want a lock in a phase, whatever it holds then.
    fn may_want(&self, phase: usize, thread: usize, lock: LockId) -> bool {
        let parameter = (thread < self.query.processes.len()).then(|| ThreadParameter::new(thread));
        let lock = self.query.locks.iter().position(|own| *own == lock).map(LockParameter::new);
        !may_forbid_wanting(&self.query.property.automaton().phases()[phase], parameter, lock)
    }

    /// A step in terms of the parameters of the automaton.
    fn performed(&self, thread: usize, act: Act) -> Performed {
        let location = |at| self.query.locations.iter().position(|own| *own == at).map(LocationParameter::new);
        let lock = |at| self.query.locks.iter().position(|own| *own == at).map(LockParameter::new);
        let parameter = (thread < self.query.processes.len()).then(|| ThreadParameter::new(thread));
        (parameter, act.map(location, lock))
    }

    /// The steps that take the transitions of the automaton.
    fn events(&self, observed: &[Observed]) -> Option<Vec<usize>> {
        let automaton = self.query.property.automaton();
        // If no phase forbids all steps, steps that are no actions can be left out.
        let counts =
            |step: &Observed| automaton.stops_threads() || !matches!(step, Observed::Step((_, phases::Step::Other)));
        let word: Vec<_> = observed.iter().enumerate().filter(|(_, step)| counts(step)).collect();
        let takes = |place: usize, phase: usize| match word[place].1 {
            Observed::Step(performed) => automaton.phases()[phase].event.matches(performed),
            Observed::Call { .. } => false,
        };
        let stays = |place: usize, phase: usize| match word[place].1 {
            Observed::Step(performed) => !automaton.phases()[phase].forbids(performed),
            Observed::Call { allowed, .. } => allowed.contains(phase),
        };
        let run = automaton.run_by(word.len(), takes, stays)?;
        Some(run.into_iter().map(|event| word[event].0).collect())
    }
}

/// The names of instances: that of their process if it occurs once, otherwise with a number.
struct Names {
    threads: Vec<String>,
    /// For each process, the number of its instances that occur: participants and other started ones.
    occurring: Vec<usize>,
}

impl Names {
    fn new(model: &Model, interleaving: &Interleaving, steps: &[InterleavedStep]) -> Self {
        let mut occurring = vec![0; model.processes().len()];
        for process in &interleaving.processes {
            occurring[process.index()] += 1;
        }
        let started = |step: &InterleavedStep| match model.node(step.node()).operation {
            Operation::Start(process) => Some(process),
            _ => None,
        };
        let others = steps.iter().filter(|step| step.starts.is_none()).filter_map(started);
        // One number serves for all started instances that take no part.
        let participants = occurring.clone();
        for process in others {
            occurring[process.index()] = participants[process.index()] + 1;
        }
        let mut numbers = vec![0; occurring.len()];
        let threads = interleaving.processes.iter().map(|process| {
            numbers[process.index()] += 1;
            name(model, *process, numbers[process.index()], occurring[process.index()])
        });
        Self { threads: threads.collect(), occurring }
    }

    /// A step in its written form. `event` is the number of the transition that it takes, and `whole` the number of
    /// steps that it stands for if it is a whole call.
    fn step(
        &self,
        (model, statements): (&Model, &mut Statements),
        step: &InterleavedStep,
        event: Option<usize>,
        whole: Option<u64>,
    ) -> Step {
        let is_wanted = matches!(step.step, LocalStep::Wants(_));
        let mut statement = statements.of(model, step.node(), is_wanted);
        if let Operation::Start(process) = model.node(step.node()).operation {
            Arc::make_mut(&mut statement).object = Some(self.started(model, step.starts, process));
        }
        Step { thread: step.thread, statement, event, returns: whole.is_some(), steps: whole }
    }

    fn started(&self, model: &Model, participant: Option<usize>, process: ProcessId) -> String {
        let occurring = self.occurring[process.index()];
        participant.map_or_else(|| name(model, process, occurring, occurring), |place| self.threads[place].clone())
    }
}

fn name(model: &Model, process: ProcessId, number: usize, occurring: usize) -> String {
    let name = model.process(process).name();
    // A process whose own name looks like that of an instance always gets a number.
    let is_ambiguous = process_name(name) != name;
    if occurring > 1 || is_ambiguous { format!("{name}#{number}") } else { name.to_string() }
}
