//! The places of a witness at which a lock may be held: torn sections, and the accesses that interfere with them.

use crate::place::BodyName;
use decide::witness::{Action, Step, Witness};
use eml::syntax::{FileId, Position};

/// A call that a thread is in: the body, and the statement in it that leads to the event.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Level {
    body: BodyName,
    /// The step that called the body; none for the process.
    call: Option<usize>,
    at: Position,
}

/// An event of the automaton, with the calls in which it happens, outermost first.
#[derive(Clone, Debug)]
struct EventPlace {
    thread: usize,
    /// The number of the step.
    step: usize,
    levels: Vec<Level>,
    /// The locks that the thread holds.
    held: Vec<String>,
}

/// Statements over which a lock may be held: the smallest choice first, then larger ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Section {
    /// For each body, innermost first, the positions of the statements in it.
    pub(crate) bodies: Vec<(BodyName, Vec<Position>)>,
    /// The locks that are held at all its events.
    pub(crate) held: Vec<String>,
}

/// A section that other threads tear, and the sections that tear it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tear {
    /// The thread of the torn section, if it is one.
    pub(crate) thread: Option<usize>,
    pub(crate) torn: Vec<Section>,
    pub(crate) others: Vec<Section>,
}

/// The tears of a witness: for each thread with two events that are no boundaries of units, from the first to the last;
/// for a deadlock, all threads together, from the first lock of each to the second.
pub(crate) fn tears(witness: &Witness) -> Vec<Tear> {
    let places = event_places(witness);
    let wants: Vec<_> = places.iter().filter(|place| witness.steps[place.step].action == Action::Wants).collect();
    if !wants.is_empty() {
        let torn = wants.iter().filter_map(|place| locking_section(witness, place)).collect();
        return vec![Tear { thread: None, torn, others: Vec::new() }];
    }
    let is_access = |place: &&EventPlace| matches!(witness.steps[place.step].action, Action::Read | Action::Write);
    let accesses: Vec<_> = places.iter().filter(is_access).collect();
    let mut tears = Vec::new();
    for thread in 0..witness.threads.len() {
        let own: Vec<_> = accesses.iter().filter(|place| place.thread == thread).copied().collect();
        let [first, .., last] = own[..] else { continue };
        let between =
            accesses.iter().filter(|place| place.thread != thread && first.step < place.step && place.step < last.step);
        let others: Vec<_> = between.filter_map(|place| section(&[place])).collect();
        if !others.is_empty() {
            tears.extend(section(&own).map(|torn| Tear { thread: Some(thread), torn: vec![torn], others }));
        }
    }
    if tears.is_empty() {
        // A race: each access by itself.
        let torn = accesses.iter().filter_map(|place| section(&[place])).collect();
        tears.push(Tear { thread: None, torn, others: Vec::new() });
    }
    tears
}

/// The section of some events of one thread: in the innermost body that has all of them, and in those around it.
fn section(places: &[&EventPlace]) -> Option<Section> {
    let first = places.first()?;
    let common = (0..first.levels.len()).take_while(|level| {
        places.iter().all(|place| {
            let (own, other) = (place.levels.get(*level), &first.levels[*level]);
            own.is_some_and(|own| own.body == other.body && own.call == other.call)
        })
    });
    let count = common.count();
    let bodies = (0..count).rev().map(|level| {
        let positions = places.iter().map(|place| place.levels[level].at).collect();
        (first.levels[level].body.clone(), positions)
    });
    let mut held = first.held.clone();
    held.retain(|lock| places.iter().all(|place| place.held.contains(lock)));
    Some(Section { bodies: bodies.collect(), held })
}

/// The section from the acquisition of a lock that a thread holds to the statement at which it wants another one.
fn locking_section(witness: &Witness, wanting: &EventPlace) -> Option<Section> {
    let all = all_places(witness);
    let taken = all.iter().rev().find(|place| {
        let step = &witness.steps[place.step];
        place.thread == wanting.thread
            && place.step < wanting.step
            && step.action == Action::Acquire
            && step.object.as_ref().is_some_and(|lock| wanting.held.contains(lock))
    })?;
    section(&[taken, wanting])
}

fn event_places(witness: &Witness) -> Vec<EventPlace> {
    let mut places = all_places(witness);
    places.retain(|place| witness.steps[place.step].event.is_some());
    places
}

/// All steps with the calls in which they happen.
fn all_places(witness: &Witness) -> Vec<EventPlace> {
    let mut calls: Vec<Vec<(BodyName, Option<usize>)>> = witness
        .threads
        .iter()
        .map(|name| vec![(BodyName::Process(name.split('#').next().unwrap_or(name).to_string()), None)])
        .collect();
    let mut called: Vec<Vec<Position>> = vec![Vec::new(); calls.len()];
    let mut held: Vec<Vec<String>> = vec![Vec::new(); calls.len()];
    let mut places = Vec::new();
    for (number, step) in witness.steps.iter().enumerate() {
        let at = position(step);
        let (own_calls, own_called) = (&mut calls[step.thread], &mut called[step.thread]);
        let positions = own_called.iter().copied().chain([at]);
        let levels =
            own_calls.iter().zip(positions).map(|((body, call), at)| Level { body: body.clone(), call: *call, at });
        places.push(EventPlace {
            thread: step.thread,
            step: number,
            levels: levels.collect(),
            held: held[step.thread].clone(),
        });
        match (step.action, &step.object) {
            (Action::Call, Some(callee)) if !step.returns => {
                own_calls.push((BodyName::Function(callee.clone()), Some(number)));
                own_called.push(at);
            }
            (Action::Return, _) if own_calls.len() > 1 => {
                own_calls.pop();
                own_called.pop();
            }
            (Action::Acquire | Action::Resume, Some(lock)) => held[step.thread].push(lock.clone()),
            (Action::Release, Some(lock)) => {
                let locks = &mut held[step.thread];
                if let Some(place) = locks.iter().rposition(|own| own == lock) {
                    locks.remove(place);
                }
            }
            (Action::Wait, Some(lock)) => held[step.thread].retain(|own| own != lock),
            _ => {}
        }
    }
    places
}

fn position(step: &Step) -> Position {
    FileId::UNNAMED.at(step.line, step.column)
}
