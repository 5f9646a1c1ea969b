//! Everything that stands in a body or in bodies that it calls.

use crate::code::Code;
use crate::instructions::{BodyId, Instances, Location, Lock, Operation};
use crate::roles::Action;
use eml::syntax::ast::Mode;
use phases::Access;
use rustc_hash::FxHashSet;

/// The operations in a body and in all bodies that it calls, directly or not.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reached {
    accesses: FxHashSet<(Access, Location)>,
    /// Acquired locks with modes, and locks that are acquired again after waiting.
    acquires: FxHashSet<(Lock, Mode)>,
    waits: FxHashSet<Lock>,
    /// All locks with operations.
    locks: FxHashSet<Lock>,
    starts: FxHashSet<BodyId>,
    begins: bool,
    ends: bool,
}

impl Reached {
    fn add(&mut self, operation: Operation) {
        match operation {
            Operation::Read(location) => {
                self.accesses.insert((Access::Read, location));
            }
            Operation::Write(location) => {
                self.accesses.insert((Access::Write, location));
            }
            Operation::Acquire(lock, mode) => {
                self.acquires.insert((lock, mode));
                self.locks.insert(lock);
            }
            Operation::Release(lock, _) => {
                self.locks.insert(lock);
            }
            Operation::Wait(lock) => {
                self.waits.insert(lock);
                self.locks.insert(lock);
            }
            Operation::Resume(lock) => {
                self.acquires.insert((lock, Mode::Write));
            }
            Operation::Begin => self.begins = true,
            Operation::End => self.ends = true,
            Operation::Start(process) => {
                self.starts.insert(process);
            }
            Operation::Skip | Operation::Want(..) | Operation::WantBack(_) | Operation::Call(_) | Operation::Return => {
            }
        }
    }

    /// Whether an instruction can perform the action, whatever is held and whether or not a unit is open.
    pub(crate) fn performs(&self, action: &Action) -> bool {
        match *action {
            Action::Access { access, location, .. } => self.accesses.contains(&(access, location)),
            Action::Begin => self.begins,
            Action::End => self.ends,
            Action::Wants { lock, mode, .. } => {
                let mut modes =
                    [Mode::Read, Mode::Write].into_iter().filter(|own| mode.is_none_or(|mode| mode == *own));
                modes.any(|mode| self.acquires(lock, mode))
            }
            Action::Start(process) => self.starts(process),
        }
    }

    pub(crate) fn acquires(&self, lock: Lock, mode: Mode) -> bool {
        self.acquires.contains(&(lock, mode))
    }

    pub(crate) fn starts(&self, process: BodyId) -> bool {
        self.starts.contains(&process)
    }

    /// The locks that are acquired, in any order.
    pub(crate) fn acquired_locks(&self) -> impl Iterator<Item = Lock> {
        self.acquires.iter().map(|(lock, _)| *lock)
    }

    pub(crate) fn waits_for(&self, lock: Lock) -> bool {
        self.waits.contains(&lock)
    }

    /// The locks that are waited for, in any order.
    pub(crate) fn waited_locks(&self) -> impl Iterator<Item = Lock> {
        self.waits.iter().copied()
    }

    /// Whether a call of the body is a step without effect (N7), with these locks of the invariant and these actions
    /// of the role.
    pub(crate) fn is_silent<'a>(&self, locks: &[Lock], mut actions: impl Iterator<Item = &'a Action>) -> bool {
        let named = |action: &Action| match *action {
            Action::Access { location, .. } => {
                [Access::Read, Access::Write].iter().any(|access| self.accesses.contains(&(*access, location)))
            }
            Action::Start(process) => self.starts(process),
            Action::Begin | Action::End | Action::Wants { .. } => false,
        };
        !self.begins && !self.ends && !locks.iter().any(|lock| self.locks.contains(lock)) && !actions.any(named)
    }
}

/// The most instructions that are visited for all bodies together.
const MOST_VISITED: usize = 1 << 26;

/// The processes of a model that start each other.
#[derive(Clone, Debug)]
pub(crate) struct Calls {
    reached: Vec<Reached>,
    is_started: Vec<bool>,
    is_rooted: Vec<bool>,
    returns: Vec<bool>,
}

impl Calls {
    /// Quadratic in the number of bodies at worst; `None` if there are too many.
    pub(crate) fn new(code: &Code) -> Option<Self> {
        let mut left = MOST_VISITED;
        let all = (0..code.bodies.len()).map(|from| Self::reached_from(code, from, &mut left));
        let reached: Vec<_> = all.collect::<Option<_>>()?;
        let bodies = || code.ids();
        // Starts in bodies that no process calls count as well, as they do in the language.
        let all = || code.bodies.iter().flat_map(|body| &body.instructions).map(|one| one.operation);
        let started: FxHashSet<_> = all()
            .filter_map(|operation| if let Operation::Start(process) = operation { Some(process) } else { None })
            .collect();
        let is_started: Vec<_> = bodies().map(|id| started.contains(&id)).collect();
        let is_process = |id: &BodyId| code.body(*id).instances != Instances::None;
        let mut is_rooted = vec![false; code.bodies.len()];
        let mut found: Vec<_> = bodies().filter(|id| is_process(id) && !is_started[id.0 as usize]).collect();
        found.iter().for_each(|id| is_rooted[id.0 as usize] = true);
        while let Some(from) = found.pop() {
            for next in &reached[from.0 as usize].starts {
                if !std::mem::replace(&mut is_rooted[next.0 as usize], true) {
                    found.push(*next);
                }
            }
        }
        Some(Self { reached, is_started, is_rooted, returns: returning(code) })
    }

    fn reached_from(code: &Code, from: usize, left: &mut usize) -> Option<Reached> {
        let mut reached = Reached::default();
        let mut is_seen = vec![false; code.bodies.len()];
        is_seen[from] = true;
        let mut found = vec![from];
        while let Some(body) = found.pop() {
            *left = left.checked_sub(code.bodies[body].instructions.len())?;
            for instruction in &code.bodies[body].instructions {
                reached.add(instruction.operation);
                if let Operation::Call(callee) = instruction.operation {
                    let callee = callee.0 as usize;
                    if !std::mem::replace(&mut is_seen[callee], true) {
                        found.push(callee);
                    }
                }
            }
        }
        Some(reached)
    }

    pub(crate) fn of(&self, body: BodyId) -> &Reached {
        &self.reached[body.0 as usize]
    }

    /// Whether some instruction starts the process.
    pub(crate) fn is_started(&self, process: BodyId) -> bool {
        self.is_started[process.0 as usize]
    }

    pub(crate) fn is_rooted(&self, process: BodyId) -> bool {
        self.is_rooted[process.0 as usize]
    }

    /// Whether some path through the body ends at a return, whatever happens to locks.
    pub(crate) fn returns(&self, body: BodyId) -> bool {
        self.returns[body.0 as usize]
    }
}

/// The bodies that can return. A call leads on only once its callee is known to return; each instruction is visited
/// once.
fn returning(code: &Code) -> Vec<bool> {
    let mut returns = vec![false; code.bodies.len()];
    let mut waiting: Vec<Vec<(BodyId, usize)>> = vec![Vec::new(); code.bodies.len()];
    let mut is_seen: Vec<_> = code.bodies.iter().map(|body| vec![false; body.instructions.len()]).collect();
    let mut found: Vec<_> = code.ids().map(|body| (body, 0)).collect();
    while let Some((body, place)) = found.pop() {
        if std::mem::replace(&mut is_seen[body.0 as usize][place], true) {
            continue;
        }
        let next = |(body, place): (BodyId, usize)| {
            code.body(body).instructions[place].next.iter().map(move |next| (body, *next))
        };
        match code.body(body).instructions[place].operation {
            Operation::Return => {
                returns[body.0 as usize] = true;
                found.extend(std::mem::take(&mut waiting[body.0 as usize]).into_iter().flat_map(next));
            }
            Operation::Call(callee) if !returns[callee.0 as usize] => {
                waiting[callee.0 as usize].push((body, place));
            }
            _ => found.extend(next((body, place))),
        }
    }
    returns
}
