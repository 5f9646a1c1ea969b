//! Handmade and random graphs for tests.

use super::context::MethodContext;
use super::flow::{Flow, FlowNode, Step};
use super::ids::ContextId;
use super::units::{Role, Units, UnitsOf};
use crate::value::{AliasId, Location, Lock, RegionId};
use eml::model::Mode;
use java::{Limits, MethodId, Program};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::OnceLock;

/// Returns a program with some classes.
pub(super) fn program() -> &'static Program {
    static PROGRAM: OnceLock<Program> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/java/order");
        Program::load(&[path], &[], &Limits::default()).0
    })
}

/// Returns a method of the program.
pub(super) fn method() -> MethodId {
    program().methods().next().expect("the classes have methods").0
}

/// Returns a context with a graph and nothing else.
pub(super) fn context(flow: Flow) -> MethodContext {
    MethodContext {
        method: method(),
        arguments: Vec::new(),
        flow,
        lock_effects: Vec::new(),
        own_lock: None,
        is_unit_body: false,
        title: None,
    }
}

/// Builds a graph of steps with successors. Lines are the numbers of nodes, from 1.
pub(super) fn flow(nodes: &[(Step, &[usize])]) -> Flow {
    let node = |(line, (step, next)): (u32, &(Step, &[usize]))| FlowNode { step: *step, line, next: next.to_vec() };
    Flow { nodes: (1..).zip(nodes).map(node).collect(), ..Flow::default() }
}

/// Builds a graph like [`flow`], with marked edges from nodes to heads.
pub(super) fn marked(nodes: &[(Step, &[usize])], marks: &[(usize, usize)]) -> Flow {
    let mut flow = flow(nodes);
    for (from, head) in marks {
        flow.marked_edges.entry(*head).or_default().insert(*from);
    }
    flow
}

pub(super) fn location(number: u16) -> Location {
    Location::Content(AliasId(number))
}

pub(super) fn lock(number: u16) -> Lock {
    Lock::Monitor(RegionId(number))
}

pub(super) fn read(number: u16) -> Step {
    Step::Read(location(number))
}

pub(super) fn write(number: u16) -> Step {
    Step::Write(location(number))
}

pub(super) fn acquire(number: u16) -> Step {
    Step::Acquire(lock(number), Mode::Write)
}

pub(super) fn release(number: u16) -> Step {
    Step::Release(lock(number), Mode::Write)
}

/// Contexts of the subject's class; clients run some of them as units.
pub(super) struct OwnUnits {
    roles: Vec<Role>,
    roots: BTreeSet<ContextId>,
}

impl OwnUnits {
    pub(super) fn new(contexts: usize, roots: &[u32]) -> Self {
        let own = Role { is_own: true, gets_object: true, ..Role::default() };
        Self { roles: vec![own; contexts], roots: roots.iter().copied().map(ContextId).collect() }
    }

    /// Makes some of the contexts methods of another class.
    pub(super) fn with_foreign(mut self, foreign: &[u32]) -> Self {
        foreign.iter().for_each(|id| self.roles[*id as usize].is_own = false);
        self
    }

    pub(super) fn units(&self) -> UnitsOf<'_> {
        UnitsOf { roles: &self.roles, units: &[Units::Entering], roots: &self.roots }
    }
}

/// Returns all walks of at most `longest` nodes from the first one, as lines.
pub(super) fn walks(flow: &Flow, longest: usize) -> BTreeSet<Vec<u32>> {
    let mut found = BTreeSet::new();
    let mut open = vec![(0, vec![flow.nodes[0].line])];
    while let Some((node, walk)) = open.pop() {
        if walk.len() < longest {
            for next in &flow.nodes[node].next {
                let mut longer = walk.clone();
                longer.push(flow.nodes[*next].line);
                open.push((*next, longer));
            }
        }
        found.insert(walk);
    }
    found
}

/// A random graph with nested locks: the same locks are held on all paths to a node.
pub(super) struct RandomFlow {
    pub(super) flow: Flow,
    /// The locks held before each node, the innermost last.
    pub(super) held: Vec<Vec<u16>>,
}

impl RandomFlow {
    /// Creates a graph with steps of these kinds: 0 to 5 are skips, reads, writes, acquisitions, releases, waits.
    pub(super) fn new(random: &mut fastrand::Rng, nodes: usize, kinds: &[u8]) -> Self {
        let mut steps = vec![Step::Skip];
        let mut held: Vec<Vec<u16>> = vec![Vec::new()];
        while steps.len() < nodes {
            let stack: Vec<u16> = (0..random.u16(0..3)).collect();
            let kind = kinds[random.usize(..kinds.len())];
            let inner = stack.last().copied();
            let depth = u16::try_from(stack.len()).expect("there are few");
            steps.push(match (kind, inner) {
                (1, _) => read(random.u16(0..2)),
                (2, _) => write(random.u16(0..2)),
                (3, _) if depth < 2 => acquire(depth),
                (4, Some(inner)) => release(inner),
                (5, Some(inner)) => Step::Wait(lock(inner)),
                _ if depth == 0 && random.u8(0..3) == 0 => Step::Return(super::flow::Exit::Any),
                _ => Step::Skip,
            });
            held.push(stack);
        }
        let mut flow = flow(&steps.iter().map(|step| (*step, &[][..])).collect::<Vec<_>>());
        for from in 0..nodes {
            let after = after(steps[from], &held[from]);
            let fitting: Vec<usize> = (1..nodes).filter(|to| held[*to] == after).collect();
            if steps[from].exit().is_none() && !fitting.is_empty() {
                (0..random.u8(1..3)).for_each(|_| flow.connect(from, fitting[random.usize(..fitting.len())]));
            }
        }
        for from in 1..nodes {
            for to in flow.nodes[from].next.clone() {
                if random.bool() {
                    flow.marked_edges.entry(to).or_default().insert(from);
                }
            }
        }
        Self { flow, held }
    }

    /// Creates a synchronized method that may wait: a sequence of steps with some additional edges.
    pub(super) fn synchronized(random: &mut fastrand::Rng, steps: usize) -> Self {
        let mut nodes = vec![(acquire(0), Vec::new())];
        while nodes.len() <= steps {
            match random.u8(0..8) {
                0 => nodes.push((write(0), vec![0])),
                1 | 2 => nodes.push((read(0), vec![0])),
                3 | 4 => nodes.push((Step::Wait(lock(0)), vec![0])),
                5 => nodes.extend([(acquire(1), vec![0]), (read(0), vec![0, 1]), (release(1), vec![0, 1])]),
                _ => nodes.push((Step::Skip, vec![0])),
            }
        }
        nodes.extend([(release(0), vec![0]), (Step::Return(super::flow::Exit::Any), Vec::new())]);
        let (steps, held): (Vec<Step>, Vec<Vec<u16>>) = nodes.into_iter().unzip();
        let mut flow = flow(&steps.iter().map(|step| (*step, &[][..])).collect::<Vec<_>>());
        let last = steps.len() - 1;
        (0..last).for_each(|node| flow.connect(node, node + 1));
        for node in 1..last - 1 {
            let fitting: Vec<usize> = (1..last).filter(|to| held[*to] == after(steps[node], &held[node])).collect();
            let to = fitting[random.usize(..fitting.len())];
            if random.u8(0..5) < 3 {
                flow.connect(node, to);
                if random.u8(0..4) > 0 {
                    flow.marked_edges.entry(to).or_default().insert(node);
                }
            }
        }
        Self { flow, held }
    }
}

/// Returns the locks held after a step.
fn after(step: Step, held: &[u16]) -> Vec<u16> {
    let mut held = held.to_vec();
    match step {
        Step::Acquire(..) => held.push(u16::try_from(held.len()).expect("there are few")),
        Step::Release(..) => drop(held.pop()),
        _ => {}
    }
    held
}
