//! From an interleaving of nodes to a written witness.

use super::step::{Action, Step, Witness};
use crate::model::{Model, NodeId, Operation, ProcessId};
use crate::query::Query;
use phases::{Access, ActionKind, LocationParameter, Performed, ThreadParameter};

/// One step of an interleaving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    /// The participant that acts.
    pub(crate) thread: usize,
    /// The node that it executes.
    pub(crate) node: NodeId,
    /// The participant that is started, if one is.
    pub(crate) starts: Option<usize>,
}

/// Participants, those bound to the threads of the automaton first, and what they do in which order.
#[derive(Clone, Debug)]
pub(crate) struct Interleaving {
    pub(crate) processes: Vec<ProcessId>,
    pub(crate) moves: Vec<Move>,
}

/// Writes down an interleaving whose last step is the last transition of the query's automaton; `None` if the automaton
/// does not accept it.
pub(crate) fn assemble(model: &Model, query: &Query, interleaving: &Interleaving) -> Option<Witness> {
    let moves: Vec<_> = interleaving.moves.iter().filter(|one| !is_silent(model, one.node)).copied().collect();
    let names = Names::new(model, interleaving, &moves);
    let events = events(model, query, &moves)?;
    let steps = moves.iter().enumerate().map(|(place, one)| {
        let node = model.node(one.node);
        let (action, object) = describe(model, one, &names);
        Step {
            thread: one.thread,
            action,
            object,
            function: model.procedure(node.procedure).name().to_string(),
            file: model.file(node.position.file).map(str::to_string),
            line: node.position.line,
            column: node.position.column,
            event: events.iter().position(|event| *event == place).map(|event| event + 1),
        }
    });
    Some(Witness { steps: steps.collect(), threads: names.threads })
}

/// Branching leaves no step, nor does the end of a process.
fn is_silent(model: &Model, node: NodeId) -> bool {
    let node = model.node(node);
    match node.operation {
        Operation::Skip => true,
        Operation::Return => model.procedure(node.procedure).is_process_body(),
        _ => false,
    }
}

fn describe(model: &Model, one: &Move, names: &Names) -> (Action, Option<String>) {
    let node = model.node(one.node);
    let procedure = |id| Some(model.procedure(id).name().to_string());
    let lock = |id| Some(model.lock(id).name().to_string());
    let location = |id| Some(model.location(id).name().to_string());
    match node.operation {
        Operation::Acquire(id) => (Action::Acquire, lock(id)),
        Operation::Release(id) => (Action::Release, lock(id)),
        Operation::Read(id) => (Action::Read, location(id)),
        Operation::Write(id) => (Action::Write, location(id)),
        Operation::Begin => (Action::Begin, None),
        Operation::End => (Action::End, None),
        Operation::Call(callee) => (Action::Call, procedure(callee)),
        Operation::Skip | Operation::Return => (Action::Return, procedure(node.procedure)),
        Operation::Start(process) => (Action::Start, Some(names.started(model, one.starts, process))),
    }
}

/// The steps that take the transitions of the automaton.
fn events(model: &Model, query: &Query, moves: &[Move]) -> Option<Vec<usize>> {
    let threads = query.processes.len();
    let mut depths = vec![0_usize; moves.iter().map(|one| one.thread + 1).max().unwrap_or(0)];
    let mut places = Vec::new();
    let mut word: Vec<Performed> = Vec::new();
    for (place, one) in moves.iter().enumerate() {
        let depth = &mut depths[one.thread];
        let access = |access, at| {
            let location = query.locations.iter().position(|own| *own == at).map(LocationParameter::new);
            Some(ActionKind::Access { access, location, in_unit: *depth > 0 })
        };
        let action = match model.node(one.node).operation {
            Operation::Read(at) => access(Access::Read, at),
            Operation::Write(at) => access(Access::Write, at),
            Operation::Begin => {
                *depth += 1;
                (*depth == 1).then_some(ActionKind::Begin)
            }
            Operation::End => {
                *depth -= 1;
                (*depth == 0).then_some(ActionKind::End)
            }
            _ => None,
        };
        if let Some(action) = action {
            places.push(place);
            word.push(((one.thread < threads).then(|| ThreadParameter::new(one.thread)), action));
        }
    }
    let run = query.property.automaton().run(&word)?;
    Some(run.into_iter().map(|event| places[event]).collect())
}

/// What instances are called: by their process alone where one of it occurs, otherwise with a number.
struct Names {
    threads: Vec<String>,
    /// Per process how many of its instances occur: participants and others that are started.
    occurring: Vec<usize>,
}

impl Names {
    fn new(model: &Model, interleaving: &Interleaving, moves: &[Move]) -> Self {
        let mut occurring = vec![0; model.processes().len()];
        for process in &interleaving.processes {
            occurring[process.index()] += 1;
        }
        let others =
            moves.iter().filter(|one| one.starts.is_none()).filter_map(|one| match model.node(one.node).operation {
                Operation::Start(process) => Some(process),
                _ => None,
            });
        // One number serves for all instances that are started and take no part.
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

    fn started(&self, model: &Model, participant: Option<usize>, process: ProcessId) -> String {
        let occurring = self.occurring[process.index()];
        participant.map_or_else(|| name(model, process, occurring, occurring), |place| self.threads[place].clone())
    }
}

fn name(model: &Model, process: ProcessId, number: usize, occurring: usize) -> String {
    let name = model.process(process).name();
    if occurring > 1 { format!("{name}#{number}") } else { name.to_string() }
}
