//! Where the main thread is certainly alone: program mode.
//!
//! **Definition.** For each point of `main` it is computed which threads may run there, of those that access the
//! subject. A *start* is a statement of `main` that starts them; threads that it has started are told apart
//! as *current* (those whose [handle](handles) is what the handle's variable holds now), *stale* (older ones, of a
//! group that can be joined as a whole) and *lost* (nothing waits for them). A join takes the current ones of its
//! variable away, or all of its group. The main thread is alone behind a join after which none are left, until it
//! starts the next one.
//!
//! **Why it is enough.** Statements are executed as the register form says, so a variable holds the thread that was put
//! there last; what the data flow takes away has ended on all paths: only joins without a limit of time count, for the
//! same variable, or for all elements of a group ([loops]). If a thread that accesses the subject starts others that
//! do, nobody is ever taken to be alone.

mod definitions;
mod join_loops;
mod thread_handles;

use super::super::interpret::{FinalJoins, Interpreter, Point};
use java::ir::{Block, BlockId, Body, StatementId, Variable};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use thread_handles::{Joined, Start, ThreadHandles};

/// What is left of the threads that a start has started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum HandleState {
    Current,
    Stale,
    Lost,
}

/// The threads that may run, by the number of their start.
type Running = BTreeSet<(usize, HandleState)>;

/// The joins of `main` behind which no thread is left, if these points of it start threads.
pub(crate) fn completing(interpreter: &Interpreter<'_>, body: &Body, starting: &BTreeSet<Point>) -> FinalJoins {
    let handles = ThreadHandles::new(&interpreter.heap, body);
    let starts: Vec<(Point, Start)> =
        starting.iter().filter_map(|point| Some((*point, handles.start(*point)?))).collect();
    let ends = join_loops::joining(&handles, body);
    let mut flow =
        Dataflow { body, handles: &handles, starts, ends, before: BTreeMap::new(), found: FinalJoins::default() };
    flow.run();
    flow.found
}

/// The data flow over the blocks of `main`.
struct Dataflow<'a> {
    body: &'a Body,
    handles: &'a ThreadHandles<'a>,
    starts: Vec<(Point, Start)>,
    ends: BTreeMap<(BlockId, BlockId), Variable>,
    before: BTreeMap<BlockId, Running>,
    found: FinalJoins,
}

impl Dataflow<'_> {
    /// First the least solution, then what it says of joins.
    fn run(&mut self) {
        self.before.insert(BlockId::ENTRY, Running::new());
        let mut open = VecDeque::from([BlockId::ENTRY]);
        while let Some(block) = open.pop_front() {
            for (target, running) in self.after(block, false) {
                if self.meets(target, running) {
                    open.push_back(target);
                }
            }
        }
        for block in self.before.keys().copied().collect::<Vec<_>>() {
            self.after(block, true);
        }
    }

    /// Whether more may run at the beginning of a block than was known.
    fn meets(&mut self, block: BlockId, running: Running) -> bool {
        match self.before.get_mut(&block) {
            Some(known) => {
                let size = known.len();
                known.extend(running);
                known.len() > size
            }
            None => {
                self.before.insert(block, running);
                true
            }
        }
    }

    /// What may run where a block goes on, by the next block.
    fn after(&mut self, id: BlockId, is_final: bool) -> Vec<(BlockId, Running)> {
        let body = self.body;
        let block: &Block = body.block(id);
        let mut running = self.before[&id].clone();
        for parameter in block.parameters.iter().chain(&block.caught) {
            self.defines(&mut running, *parameter);
        }
        let mut next = Vec::new();
        for (index, statement) in (0..).zip(&*block.statements) {
            let point = Point { block: id, index };
            let before = running.clone();
            self.executes(&mut running, point, statement.to, is_final);
            for handler in &*statement.handlers {
                next.push((handler.edge.target, before.union(&running).copied().collect()));
            }
        }
        for handler in &*block.handlers {
            next.push((handler.edge.target, running.clone()));
        }
        for edge in block.end.edges() {
            let mut running = running.clone();
            if let Some(group) = self.ends.get(&(id, edge.target)).copied() {
                self.joins(&mut running, Joined::Group(group));
                if is_final && running.is_empty() {
                    self.found.edges.insert((id, edge.target));
                }
            }
            next.push((edge.target, running));
        }
        next
    }

    fn executes(&mut self, running: &mut Running, point: Point, to: Option<Variable>, is_final: bool) {
        to.into_iter().for_each(|to| self.defines(running, to));
        let joined = self.handles.joined(StatementId { block: point.block, index: point.index });
        for joined in &joined {
            self.joins(running, *joined);
        }
        if is_final && !joined.is_empty() && running.is_empty() {
            self.found.points.insert(point);
        }
        if let Some(start) = self.starts.iter().position(|(at, _)| *at == point) {
            self.starts(running, start);
        }
    }

    fn starts(&self, running: &mut Running, start: usize) {
        let (_, Start { unique, group }) = self.starts[start];
        let again = running.contains(&(start, HandleState::Current));
        let left = match (unique, group) {
            (Some(_), _) => HandleState::Current,
            (None, Some(_)) => HandleState::Stale,
            (None, None) => HandleState::Lost,
        };
        if again && left == HandleState::Current && group.is_some() {
            running.insert((start, HandleState::Stale));
        }
        running.insert((start, left));
    }

    /// A variable gets another value: threads that were known by it are older ones now.
    fn defines(&self, running: &mut Running, variable: Variable) {
        for (number, (_, Start { unique, group })) in self.starts.iter().enumerate() {
            if *group == Some(variable) {
                let had = [HandleState::Current, HandleState::Stale].map(|left| running.remove(&(number, left)));
                if had.contains(&true) {
                    running.insert((number, HandleState::Lost));
                }
            } else if *unique == Some(variable) && running.remove(&(number, HandleState::Current)) {
                running.insert((number, if group.is_some() { HandleState::Stale } else { HandleState::Lost }));
            }
        }
    }

    fn joins(&self, running: &mut Running, joined: Joined) {
        for (number, (_, Start { unique, group })) in self.starts.iter().enumerate() {
            match joined {
                Joined::One(variable) if *unique == Some(variable) => {
                    running.remove(&(number, HandleState::Current));
                }
                Joined::Group(variable) if *group == Some(variable) => {
                    running.remove(&(number, HandleState::Current));
                    running.remove(&(number, HandleState::Stale));
                }
                Joined::One(_) | Joined::Group(_) => {}
            }
        }
    }
}
