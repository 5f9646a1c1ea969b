//! Violations by another thread in random graphs with and without effect-free iterations, by enumeration of
//! interleavings.

use super::super::flow::{Exit, Flow, Step};
use super::super::ids::ContextId;
use super::super::test_support::{OwnUnits, RandomFlow, acquire, marked, read, release, walks, write};
use super::tests::{alone, dropped, iteration};
use crate::value::Location;
use std::collections::BTreeSet;

/// Maximal number of nodes that the thread executes.
const LONGEST: usize = 10;

/// An event: of the thread at a node, or of the other thread with the step of this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Own(usize),
    Other(usize),
}

/// Two accesses of the thread and one of the other thread between them, in conflict with both.
type Violation = (usize, usize, usize);

/// A state of an interleaving.
#[derive(Clone)]
struct Moment {
    /// The node of the thread, and whether it waits there; `None` after its end.
    at: Option<(usize, bool)>,
    /// The number of steps that the other thread has executed.
    others: usize,
    past: Vec<Event>,
}

struct Interleavings<'a> {
    example: &'a RandomFlow,
    /// The graph, perhaps without effect-free iterations.
    flow: &'a Flow,
    script: &'a [Step],
}

impl Interleavings<'_> {
    /// Returns the node of the example of which a node is a copy.
    fn original(&self, node: usize) -> usize {
        self.flow.nodes[node].line as usize - 1
    }

    fn held(&self, moment: &Moment) -> Vec<u16> {
        let Some((node, waits)) = moment.at else { return Vec::new() };
        let mut held = self.example.held[self.original(node)].clone();
        if waits {
            held.pop();
        }
        held
    }

    fn held_by_other(&self, moment: &Moment) -> Vec<Step> {
        let mut held = Vec::new();
        for step in &self.script[..moment.others] {
            match step {
                Step::Acquire(..) => held.push(*step),
                Step::Release(..) => drop(held.pop()),
                _ => {}
            }
        }
        held
    }

    /// Returns the next states after a step of the thread.
    fn own(&self, moment: &Moment) -> Vec<Moment> {
        let Some((node, waits)) = moment.at else { return Vec::new() };
        let flow = &self.flow.nodes[node];
        let needed = match flow.step {
            Step::Acquire(..) => Some(flow.step),
            Step::Wait(_) if waits => self.example.held[self.original(node)].last().map(|lock| acquire(*lock)),
            _ => None,
        };
        if needed.is_some_and(|lock| self.held_by_other(moment).contains(&lock)) {
            return Vec::new();
        }
        if matches!(flow.step, Step::Wait(_)) && !waits {
            return vec![Moment { at: Some((node, true)), ..moment.clone() }];
        }
        let mut past = moment.past.clone();
        past.push(Event::Own(self.original(node)));
        if flow.step.exit().is_some() {
            return vec![Moment { at: None, past, ..moment.clone() }];
        }
        flow.next.iter().map(|next| Moment { at: Some((*next, false)), past: past.clone(), ..moment.clone() }).collect()
    }

    fn other(&self, moment: &Moment) -> Option<Moment> {
        let step = self.script.get(moment.others)?;
        let is_held = self.held(moment).into_iter().any(|lock| acquire(lock) == *step);
        let mut next = moment.clone();
        next.others += 1;
        next.past.push(Event::Other(moment.others));
        (!is_held).then_some(next)
    }

    /// Returns all violations in complete executions of the thread; only its accesses selected by `keeps` count.
    fn violations(&self, keeps: impl Fn(&[usize]) -> Vec<usize>) -> BTreeSet<Violation> {
        let mut found = BTreeSet::new();
        let mut open = vec![Moment { at: Some((0, false)), others: 0, past: Vec::new() }];
        while let Some(moment) = open.pop() {
            if moment.at.is_none() {
                self.add(&moment.past, &keeps, &mut found);
            } else if moment.past.len() < LONGEST + self.script.len() {
                open.extend(self.own(&moment));
                open.extend(self.other(&moment));
            }
        }
        found
    }

    fn add(&self, past: &[Event], keeps: &impl Fn(&[usize]) -> Vec<usize>, found: &mut BTreeSet<Violation>) {
        let own: Vec<(usize, usize)> = (past.iter().enumerate())
            .filter_map(|(time, event)| if let Event::Own(node) = event { Some((time, *node)) } else { None })
            .collect();
        let walk: Vec<usize> = own.iter().map(|(_, node)| *node).collect();
        let kept: Vec<(usize, usize)> = keeps(&walk).into_iter().map(|place| own[place]).collect();
        let step = |node: usize| self.example.flow.nodes[node].step;
        for (time, event) in past.iter().enumerate() {
            let Event::Other(other) = event else { continue };
            let conflicting: Vec<_> =
                kept.iter().filter(|(_, node)| conflict(step(*node), self.script[*other])).collect();
            for (_, before) in conflicting.iter().filter(|(at, _)| *at < time) {
                found.extend(
                    conflicting.iter().filter(|(at, _)| *at > time).map(|(_, after)| (*before, *other, *after)),
                );
            }
        }
    }
}

fn conflict(one: Step, other: Step) -> bool {
    let access = |step: Step| -> Option<(Location, bool)> {
        match step {
            Step::Read(location) => Some((location, false)),
            Step::Write(location) => Some((location, true)),
            _ => None,
        }
    };
    match (access(one), access(other)) {
        (Some((one, writes)), Some((other, also_writes))) => one == other && (writes || also_writes),
        _ => false,
    }
}

/// Returns the places of a walk outside of all effect-free iterations, by the definitions.
fn kept(example: &RandomFlow, walk: &[usize]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..walk.len()).collect();
    let only_acquires = |node: usize| matches!(example.flow.nodes[node].step, Step::Skip | Step::Acquire(..));
    loop {
        let left: Vec<usize> = places.iter().map(|place| walk[*place]).collect();
        let waiting =
            || iteration(example, &left, true).filter(|(from, _)| left[..*from].iter().all(|it| only_acquires(*it)));
        match iteration(example, &left, false).or_else(waiting) {
            Some((from, to)) => drop(places.drain(from..to)),
            None => return places,
        }
    }
}

/// Returns random steps of a thread with nested locks.
fn script(random: &mut fastrand::Rng) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut held = 0;
    for _ in 0..3 {
        match random.u8(0..5) {
            0 if held < 2 => {
                steps.push(acquire(held));
                held += 1;
            }
            1 => steps.push(read(0)),
            2 if held > 0 => {
                held -= 1;
                steps.push(release(held));
            }
            _ => steps.push(write(0)),
        }
    }
    steps.extend((0..held).rev().map(release));
    steps
}

/// Removes iterations, but no waiting ones: the caller is a unit that has read a location before.
fn without_waiting_iterations(flow: &Flow) -> Flow {
    let call = Step::Call(ContextId(0), Exit::Any);
    let caller = marked(&[(read(0), &[1]), (call, &[2]), (Step::Return(Exit::Any), &[])], &[]);
    dropped(&[flow.clone(), caller], &OwnUnits::new(2, &[1]))
}

#[test]
fn violations_outside_of_iterations_are_kept() {
    let mut random = fastrand::Rng::with_seed(2);
    let (mut tried, mut with_waiting, mut violated) = (0, 0, 0);
    while tried < 250 {
        let size = random.usize(3..6);
        let example = RandomFlow::synchronized(&mut random, size);
        let flow = alone(example.flow.clone());
        let all = walks(&flow, LONGEST);
        let has_waiting = all != walks(&without_waiting_iterations(&example.flow), LONGEST);
        if all == walks(&example.flow, LONGEST) || !(has_waiting || random.u8(0..50) == 0) {
            continue;
        }
        tried += 1;
        with_waiting += usize::from(has_waiting);
        let script = script(&mut random);
        let of = |flow| Interleavings { example: &example, flow, script: &script };
        let before = of(&example.flow).violations(|walk| kept(&example, walk));
        let after = of(&flow).violations(|walk| (0..walk.len()).collect());
        assert!(before.is_subset(&after), "{:?} {script:?}", example.flow);
        violated += usize::from(!before.is_empty());
    }
    assert!(with_waiting > 100 && violated > 60, "{with_waiting} {violated}");
}
