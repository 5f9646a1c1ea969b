//! All schedules of some threads up to a bound: how often a thread is interrupted that could go on, and how many states
//! there are.

use super::machine::{Machine, Position, Progress, Unsupported, World};
use super::watch::{Matches, Watch};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

/// How far schedules are followed.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How often a thread is interrupted that could go on.
    pub interruptions: u8,
    /// How many states are visited.
    pub states: usize,
    /// How many steps that others can see a schedule has.
    pub steps: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { interruptions: 2, states: 2000, steps: 120 }
    }
}

/// The steps of a schedule that others can see, the last one first.
struct Path {
    thread: usize,
    position: Position,
    before: Option<Rc<Self>>,
}

#[derive(Clone)]
struct Node<'m> {
    world: World,
    watch: Watch<'m>,
    current: Option<usize>,
    interruptions: u8,
    steps: usize,
    path: Option<Rc<Path>>,
}

/// Runs the threads of a world in all orders and adds what is found. Gives how many states were visited.
///
/// # Errors
/// If a thread does something that the machine does not know.
pub fn explore<'m>(
    machine: &Machine<'_>,
    world: World,
    watch: Watch<'m>,
    bounds: Bounds,
    matches: &mut Matches,
) -> Result<usize, Unsupported> {
    let mut known = HashSet::new();
    let first =
        Node { world, watch, current: None, interruptions: bounds.interruptions, steps: bounds.steps, path: None };
    let mut open = vec![first];
    while let Some(node) = open.pop() {
        if known.len() >= bounds.states {
            break;
        }
        if node.steps == 0 || !known.insert(number(&node)) {
            continue;
        }
        let goes_on = match node.current {
            Some(thread) => go(machine, &node, thread, matches)?,
            None => None,
        };
        let can_go_on = goes_on.is_some();
        if !can_go_on || node.interruptions > 0 {
            for thread in (0..node.world.threads()).filter(|thread| Some(*thread) != node.current) {
                let next = go(machine, &node, thread, matches)?;
                open.extend(next.map(|next| Node { interruptions: node.interruptions - u8::from(can_go_on), ..next }));
            }
        }
        open.extend(goes_on);
    }
    Ok(known.len())
}

fn number(node: &Node<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&node.world, &node.watch, node.current, node.interruptions).hash(&mut hasher);
    hasher.finish()
}

/// One step of a thread that others can see, and all steps after it that nobody can see.
fn go<'m>(
    machine: &Machine<'_>,
    node: &Node<'m>,
    thread: usize,
    matches: &mut Matches,
) -> Result<Option<Node<'m>>, Unsupported> {
    let mut next = Node { current: Some(thread), steps: node.steps - 1, ..node.clone() };
    for steps in 0.. {
        if steps > 0 && machine.is_visible(&next.world, thread) {
            break;
        }
        match machine.step(&mut next.world, thread, &mut next.watch)? {
            Progress::Moved if steps < 500 => {}
            Progress::Finished if steps > 0 => break,
            Progress::Moved | Progress::TooDeep | Progress::Blocked | Progress::Finished => return Ok(None),
        }
    }
    let position = machine.position(&node.world, thread);
    next.path = Some(Rc::new(Path { thread, position, before: node.path.clone() }));
    for found in std::mem::take(&mut next.watch.found) {
        matches.entry(found).or_insert_with(|| written(machine, next.path.as_deref()));
    }
    Ok(Some(next))
}

fn written(machine: &Machine<'_>, path: Option<&Path>) -> Vec<String> {
    let steps = std::iter::successors(path, |path| path.before.as_deref());
    let mut steps: Vec<_> =
        steps.map(|step| format!("thread {}: {}", step.thread + 1, machine.place(step.position))).collect();
    steps.reverse();
    steps
}
