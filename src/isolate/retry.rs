//! Loops that try again: `do { old = n.get(); } while (!n.compareAndSet(old, old + 1))`, `while (!isDone) { }`.
//!
//! **Rounds without effect.** A round of a loop that comes back to the loop's head has no effect if it has written nothing, taken no
//! lock, and assigned no local variable that is read at the head or behind it. Then the method is where it was, and the execution without
//! the round is one, too: all others have done the same, and what the round has read matters to nobody. So such ways back are left
//! out: only the last round counts. A loop is one of these ([`Retries`]) if all its instructions are such, and if its head is on every
//! way into it. A compare-and-set that does not find what it expects writes nothing; a round with one that does ([`Frame::swapped`](super::frame::Frame))
//! is not left out.
//!
//! What a round without effect does before it comes back is left out, too ([`Flow::drop_left_out`](super::flow::Flow)): the nodes from which control can get nowhere else.
//!
//! **Values that are found again.** If a compare-and-set succeeds whose expected value is what its thread read last from the same
//! atomic, then nobody has written the atomic in between, if we may assume that nobody has changed it and changed it back (ABA). So
//! the read may as well have happened just before: no write of another thread is between, all other accesses stay in their order, and the execution
//! that moves it there has the same conflicts in the same order, so is serializable if and only if the first one is. A
//! read of an atomic is followed in two ways: it *counts*, or it is *moved*, and nothing is read there. Where such a compare-and-set
//! succeeds, only the way on which it was moved goes on, and reads and writes in one step; where it fails, only the one on which the read
//! counts. On all other ways both go on, of which the moved one has an access less, and so nothing that the other does not have.

use super::flow::Step;
use super::follow::{Body, Follower, Next, Outcome, Piece};
use super::frame::{Frame, Liveness};
use super::handles::Operation;
use super::subject::LOCKS;
use super::value::{Location, PlaceId, Value};
use java::{Action, Code, Instruction, InstructionIndex, Member, Stacks, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// The text of the assumption.
const ABA: &str =
    "what a compare-and-set finds as it was read was not changed in between and changed back by another thread";

/// Loops of more instructions are not looked at.
const LONGEST: usize = 256;

/// So many ways back of a method are looked at.
const MOST: usize = 64;

/// The loops of a method that try again.
#[derive(Debug, Default)]
pub(super) struct Retries {
    /// From where to which head.
    back: FxHashSet<(InstructionIndex, InstructionIndex)>,
    heads: FxHashSet<InstructionIndex>,
    /// Whether the method has a compare-and-set.
    pub(super) has_swaps: bool,
}

impl Retries {
    /// Whether an instruction is the head of such a loop.
    pub(super) fn begins(&self, at: InstructionIndex) -> bool {
        self.heads.contains(&at)
    }

    /// Whether control comes back to the head of such a loop.
    fn goes_back(&self, from: InstructionIndex, to: InstructionIndex) -> bool {
        self.back.contains(&(from, to))
    }
}

/// What a method of an atomic is.
enum OfAtomic {
    Reads,
    Swaps,
}

impl Follower<'_> {
    /// Looks for such loops. For each way back linear in its loop.
    pub(super) fn retries(&self, code: &Code, stacks: &Stacks, live: &Liveness) -> Retries {
        let swaps = |(_, instruction): (InstructionIndex, Instruction)| match instruction {
            Instruction::Invoke(_, member) => matches!(self.of_atomic(member), Some(OfAtomic::Swaps)),
            _ => false,
        };
        let mut retries = Retries { has_swaps: code.instructions().any(swaps), ..Retries::default() };
        let ways_back = code.instructions().flat_map(|(from, _)| {
            code.successors(from).into_iter().filter(move |to| *to <= from).map(move |to| (from, to))
        });
        let ways_back: Vec<_> = ways_back.take(MOST + 1).collect();
        if ways_back.is_empty() || ways_back.len() > MOST {
            return retries;
        }
        let mut predecessors: FxHashMap<InstructionIndex, Vec<InstructionIndex>> = FxHashMap::default();
        for (at, _) in code.instructions() {
            let handlers = code.handlers_at(at).map(|handler| handler.target);
            for next in code.successors(at).into_iter().chain(handlers) {
                predecessors.entry(next).or_default().push(at);
            }
        }
        for (from, head) in ways_back {
            let is_empty = stacks.before(head).is_some_and(|mut kinds| kinds.next().is_none());
            let Some(body) = loop_of(from, head, &predecessors).filter(|_| is_empty) else { continue };
            if body.iter().all(|at| self.has_no_effect(code.instruction(*at), head, live)) {
                retries.back.insert((from, head));
                retries.heads.insert(head);
            }
        }
        retries
    }

    fn has_no_effect(&self, instruction: Instruction, head: InstructionIndex, live: &Liveness) -> bool {
        match instruction {
            Instruction::Store(_, local) | Instruction::Increment(local, _) => !live.is_live(head, local.index()),
            Instruction::Invoke(_, member) => self.only_reads(member) || self.of_atomic(member).is_some(),
            Instruction::Nop
            | Instruction::Constant(_)
            | Instruction::Load(..)
            | Instruction::ArrayLoad(_)
            | Instruction::ArrayLength
            | Instruction::Stack(_)
            | Instruction::Binary(..)
            | Instruction::Negate(_)
            | Instruction::Convert(..)
            | Instruction::Narrow(_)
            | Instruction::Compare(_)
            | Instruction::Branch(..)
            | Instruction::Goto(_)
            | Instruction::Switch(_)
            | Instruction::GetField(_)
            | Instruction::GetStatic(_)
            | Instruction::CheckCast(_)
            | Instruction::InstanceOf(_) => true,
            Instruction::ArrayStore(_)
            | Instruction::PutField(_)
            | Instruction::PutStatic(_)
            | Instruction::InvokeDynamic(_)
            | Instruction::New(_)
            | Instruction::NewArray(_)
            | Instruction::NewMultiArray(..)
            | Instruction::MonitorEnter
            | Instruction::MonitorExit
            | Instruction::Jsr(_)
            | Instruction::Ret(_)
            | Instruction::Return(_)
            | Instruction::Throw => false,
        }
    }

    /// Whether a method of the library reads at most.
    fn only_reads(&self, member: Member) -> bool {
        const NUMBERS: [&str; 5] =
            ["java/lang/Math", "java/lang/Integer", "java/lang/Long", "java/lang/Boolean", "java/lang/Thread"];
        let program = self.context.program;
        let class = program.text(member.class);
        let is_pure = |action: &Action| matches!(action, Action::Reads(_) | Action::Returns(_) | Action::Blocks);
        let is_known = NUMBERS.contains(&class) && !["sleep", "join"].contains(&program.text(member.name));
        is_known && self.summary(member, None).is_some_and(|(actions, _)| actions.iter().all(is_pure))
    }

    /// Whether a method of the library does not throw: `Thread.onSpinWait` and `Thread.yield`, those that give the parts of a lock, and
    /// `lock`, which throws only if it is held two thousand million times: in `lock.lock(); try { … } finally { lock.unlock(); }` what is closed
    /// is open, also if `lock.lock()` is behind `try`.
    pub(super) fn never_throws(&self, member: Member) -> bool {
        let program = self.context.program;
        let [class, name] = [member.class, member.name].map(|name| program.text(name));
        match class {
            "java/lang/Thread" => ["onSpinWait", "yield"].contains(&name),
            class if class.starts_with(LOCKS) => ["lock", "readLock", "writeLock", "newCondition"].contains(&name),
            _ => false,
        }
    }

    fn of_atomic(&self, member: Member) -> Option<OfAtomic> {
        const ATOMICS: [&str; 4] = ["Integer", "Long", "Boolean", "Reference"];
        let program = self.context.program;
        match Operation::of(program, member) {
            Some(Operation::Reads) => return Some(OfAtomic::Reads),
            Some(Operation::Swaps) => return Some(OfAtomic::Swaps),
            Some(Operation::Writes | Operation::Updates | Operation::Exchanges) => return None,
            None => {}
        }
        let class = program.text(member.class).strip_prefix("java/util/concurrent/atomic/Atomic")?;
        let types = program.method_type(member.descriptor).filter(|_| ATOMICS.contains(&class))?;
        let name = program.text(member.name);
        match types.parameters.len() {
            0 if ["get", "getPlain", "getOpaque", "getAcquire"].contains(&name) => Some(OfAtomic::Reads),
            2 if types.result == Some(Type::Boolean)
                && (name == "compareAndSet" || name.starts_with("weakCompareAndSet")) =>
            {
                Some(OfAtomic::Swaps)
            }
            _ => None,
        }
    }

    /// Where control goes, unless a round without effect comes back to the head of its loop.
    pub(super) fn unless_retried(&self, body: &Body, at: InstructionIndex, next: Next) -> Option<Next> {
        match next {
            Next::To(frame) if body.retries.begins(frame.at) => {
                let is_left_out = !frame.swapped && body.retries.goes_back(at, frame.at);
                (!is_left_out).then_some(Next::To(Frame { swapped: false, ..frame }))
            }
            next => Some(next),
        }
    }

    /// A read or a compare-and-set of an atomic that the object holds, in a method that has a compare-and-set.
    pub(super) fn read_or_swap(
        &mut self,
        body: &Body,
        frame: &Frame,
        member: Member,
        arguments: &[Value],
    ) -> Option<Vec<Outcome>> {
        let Some(Value::Place(place)) = arguments.first().copied() else { return None };
        let is_handle = Operation::of(self.context.program, member).is_some();
        if is_handle || self.threads_of.is_some() || !body.retries.has_swaps || !self.is_stable(place) {
            return None;
        }
        let result = self.context.program.result_type(member.descriptor);
        let location = Location::Content(place);
        match self.of_atomic(member)? {
            OfAtomic::Reads => {
                let mut after = frame.clone();
                after.forget_found(place);
                let ways = [(vec![Piece::One(Step::Read(location))], false), (Vec::new(), true)];
                let outcome = |(pieces, is_moved)| {
                    without_throw(self.returns(body, &after, pieces, result, &[Value::Found(place, is_moved)]))
                };
                Some(ways.into_iter().map(outcome).collect())
            }
            OfAtomic::Swaps => Some(self.swap(body, frame, (place, location), arguments[1], result)),
        }
    }

    /// A compare-and-set of what is kept at a place, with what is expected there.
    pub(super) fn swap(
        &mut self,
        body: &Body,
        frame: &Frame,
        (place, location): (PlaceId, Location),
        expected: Value,
        result: Option<Type>,
    ) -> Vec<Outcome> {
        let mut after = frame.clone();
        after.forget_found(place);
        let mut outcomes = Vec::new();
        if expected == Value::Found(place, false) {
            self.assume(ABA);
        } else {
            let mut pieces = vec![Piece::One(Step::Read(location)), Piece::One(Step::Write(location))];
            self.make_atomic(&mut pieces, Value::Place(place));
            let swapped = Frame { swapped: true, ..after.clone() };
            outcomes.push(without_throw(self.returns(body, &swapped, pieces, result, &[Value::Int(1)])));
        }
        if expected != Value::Found(place, true) {
            let pieces = vec![Piece::One(Step::Read(location))];
            outcomes.push(without_throw(self.returns(body, &after, pieces, result, &[Value::Int(0)])));
        }
        outcomes
    }
}

/// What atomics do does not throw, once there is one.
fn without_throw(mut outcome: Outcome) -> Outcome {
    outcome.next.retain(|next| !matches!(next, Next::Throw(_)));
    outcome
}

impl Frame {
    /// What was read from an atomic is not what was read last any more.
    pub(super) fn forget_found(&mut self, place: PlaceId) {
        [false, true].into_iter().for_each(|is_moved| self.replace(Value::Found(place, is_moved), Value::Any));
    }
}

/// The instructions from which control comes to the way back without passing the head, and the head. None if there are too many, or if
/// control gets to them in another way: the head is not on every way from the first instruction.
fn loop_of(
    from: InstructionIndex,
    head: InstructionIndex,
    predecessors: &FxHashMap<InstructionIndex, Vec<InstructionIndex>>,
) -> Option<FxHashSet<InstructionIndex>> {
    let mut found = FxHashSet::from_iter([head, from]);
    let mut open = if from == head { Vec::new() } else { vec![from] };
    while let Some(at) = open.pop() {
        if at == InstructionIndex::default() || found.len() > LONGEST {
            return None;
        }
        let before = predecessors.get(&at).into_iter().flatten().copied();
        open.extend(before.filter(|before| found.insert(*before)));
    }
    Some(found)
}
