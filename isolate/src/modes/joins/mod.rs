//! The points at which the main thread is certainly alone: program mode.
//!
//! **Definition.** A data-flow analysis computes for each point of `main` the threads accessing the subject that may
//! run there. A *start* is a statement of `main` that starts such threads. A started thread is *current* if the
//! variable of its [handle](thread_handles) still holds it, *stale* if it is an older one of a group that can be joined
//! as a whole, and *lost* if nothing waits for it. A join removes the current thread of its variable, or all threads of
//! its group. After a join that leaves no thread, the main thread is alone until the next start.
//!
//! **Correctness.** By the semantics of the register form, a variable holds the thread that was assigned last. The
//! threads that the analysis removes have ended on all paths: only joins without a timeout count, of the same variable,
//! or of all elements of a group ([join_loops]). If a thread that accesses the subject starts another one that does,
//! the main thread is never considered alone.

mod definitions;
mod join_loops;
mod thread_handles;

use crate::exec::context::Point;
use crate::exec::interpreter::Interpreter;
use crate::translation::flows::FinalJoins;
use java::ir::{Block, BlockId, Body, StatementId, Variable};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use thread_handles::{Joined, Start, ThreadHandles};

/// The state of a thread that may still run, by the handle through which it can be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum HandleState {
    Current,
    Stale,
    Lost,
}

/// The threads that may run, by the number of their start.
type Running = BTreeSet<(usize, HandleState)>;

/// Returns the joins of `main` after which no thread is left; `starting` are the points that start threads.
pub(crate) fn final_joins(interpreter: &Interpreter<'_>, body: &Body, starting: &BTreeSet<Point>) -> FinalJoins {
    let handles = ThreadHandles::new(&interpreter.heap, body);
    let starts: Vec<(Point, Start)> =
        starting.iter().filter_map(|point| Some((*point, handles.start(*point)?))).collect();
    let ends = join_loops::joining(&handles, starting);
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
    /// Computes the least solution, then the final joins.
    fn run(&mut self) {
        self.before.insert(BlockId::ENTRY, Running::new());
        let mut open = VecDeque::from([BlockId::ENTRY]);
        while let Some(block) = open.pop_front() {
            for (target, running) in self.after(block, false) {
                if self.join_into(target, running) {
                    open.push_back(target);
                }
            }
        }
        for block in self.before.keys().copied().collect::<Vec<_>>() {
            self.after(block, true);
        }
    }

    /// Joins the threads at the start of a block; returns whether there are new ones.
    fn join_into(&mut self, block: BlockId, running: Running) -> bool {
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

    /// Returns the threads that may run at the end of a block, for each successor.
    fn after(&mut self, id: BlockId, is_final: bool) -> Vec<(BlockId, Running)> {
        let body = self.body;
        let block: &Block = body.block(id);
        let mut running = self.before[&id].clone();
        for parameter in block.parameters.iter().chain(&block.caught) {
            self.assign(&mut running, *parameter);
        }
        let mut next = Vec::new();
        for (index, statement) in (0..).zip(&*block.statements) {
            let point = Point { block: id, index };
            let before = running.clone();
            self.execute(&mut running, point, statement.to, is_final);
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
                self.join(&mut running, Joined::Group(group));
                if is_final && running.is_empty() {
                    self.found.edges.insert((id, edge.target));
                }
            }
            next.push((edge.target, running));
        }
        next
    }

    /// Executes a statement; in the final pass, notes a join that leaves no thread.
    fn execute(&mut self, running: &mut Running, point: Point, to: Option<Variable>, is_final: bool) {
        to.into_iter().for_each(|to| self.assign(running, to));
        let joined = self.handles.joined(StatementId { block: point.block, index: point.index });
        for joined in &joined {
            self.join(running, *joined);
        }
        if is_final && !joined.is_empty() && running.is_empty() {
            self.found.points.insert(point);
        }
        if let Some(start) = self.starts.iter().position(|(at, _)| *at == point) {
            self.start(running, start);
        }
    }

    /// Starts a thread.
    fn start(&self, running: &mut Running, start: usize) {
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

    /// Assigns a variable: the threads known by it become stale or lost.
    fn assign(&self, running: &mut Running, variable: Variable) {
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

    /// Joins threads.
    fn join(&self, running: &mut Running, joined: Joined) {
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
