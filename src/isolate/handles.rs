//! Fields that are accessed by handles: a `VarHandle`, an `AtomicIntegerFieldUpdater` or its like.
//!
//! A handle is kept in a static field that never changes, and made there of constants: `AtomicLongFieldUpdater.newUpdater(Counter.class, "count")`,
//! `lookup.findVarHandle(Counter.class, "count", long.class)`. So it is known which field it accesses, its *target*; a handle of which it is not known is a method of the
//! table or one that is not known. What is done by a handle is what an atomic would do that is the field: one step, which other operations by
//! handles do not interrupt, nor do plain writes of the field. For that, all of these take the lock of the field's operations.

use super::flow::Step;
use super::follow::{Body, Follower, Next, Outcome, Piece, Stuck};
use super::frame::Frame;
use super::straight;
use super::value::{Location, Lock, PlaceId, Value};
use crate::model::Mode;
use java::{Code, Constant, FieldId, Instruction, InvokeKind, Lookup, Member, Name, Program, Type};

/// The class of handles of the platform.
const HANDLE: &str = "java/lang/invoke/VarHandle";

/// What is known of a value while a static initializer makes handles.
#[derive(Clone, Copy)]
enum Known {
    Class(Name),
    Text(Name),
    /// A handle with this target.
    Target(FieldId),
    Nothing,
}

/// Shows the static fields to which handles are written, with their targets; none if that is not known. Linear in the code.
pub(super) fn made(program: &Program, code: &Code, mut visit: impl FnMut(FieldId, Option<FieldId>)) {
    let is_handle = |member: Member| {
        let descriptor = program.text(member.descriptor);
        descriptor == "Ljava/lang/invoke/VarHandle;"
            || descriptor.starts_with("Ljava/util/concurrent/atomic/") && descriptor.ends_with("FieldUpdater;")
    };
    let is_written = |instruction| matches!(instruction, Instruction::PutStatic(member) if is_handle(member));
    if !code.instructions().any(|(_, instruction)| is_written(instruction)) {
        return;
    }
    straight::walk(program, code, |_, instruction, stack, takes, _| {
        let taken = &stack[stack.len().saturating_sub(takes)..];
        match instruction {
            Instruction::Constant(Constant::Class(name)) => Known::Class(name),
            Instruction::Constant(Constant::String(text)) => Known::Text(text),
            Instruction::CheckCast(_) => taken.last().copied().unwrap_or(Known::Nothing),
            Instruction::Invoke(InvokeKind::Static | InvokeKind::Virtual, member) => match program.text(member.name) {
                "newUpdater" | "findVarHandle" | "findStaticVarHandle" => target(program, taken),
                _ => Known::Nothing,
            },
            Instruction::PutStatic(member) if is_handle(member) => {
                let target = match taken {
                    [Known::Target(target)] => Some(*target),
                    _ => None,
                };
                if let Lookup::Found(field) = program.resolve_field(member) {
                    visit(field, target);
                }
                Known::Nothing
            }
            _ => Known::Nothing,
        }
    });
}

/// The field of the first class among the arguments whose name is the text among them.
fn target(program: &Program, arguments: &[Known]) -> Known {
    let class = arguments.iter().find_map(|known| if let Known::Class(name) = known { Some(*name) } else { None });
    let text = arguments.iter().find_map(|known| if let Known::Text(text) = known { Some(*text) } else { None });
    let (Some(class), Some(text)) = (class.and_then(|class| program.named(class)), text) else { return Known::Nothing };
    let mut fields = program.class(class).fields();
    let found = fields.find(|field| program.text(program.field(*field).name) == program.text(text));
    found.map_or(Known::Nothing, Known::Target)
}

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Reads,
    Writes,
    /// Reads and writes.
    Updates,
    /// Compares and sets, and tells whether it did.
    Swaps,
    /// Compares and sets, and gives what was there.
    Exchanges,
}

impl Operation {
    /// What a method of a handle does.
    pub(super) fn of(program: &Program, member: Member) -> Option<Self> {
        let class = program.text(member.class);
        let is_updater = class.starts_with("java/util/concurrent/atomic/") && class.ends_with("FieldUpdater");
        if class != HANDLE && !is_updater {
            return None;
        }
        match program.text(member.name) {
            "get" | "getVolatile" | "getOpaque" | "getAcquire" | "getPlain" => Some(Self::Reads),
            "set" | "setVolatile" | "setOpaque" | "setRelease" | "lazySet" => Some(Self::Writes),
            name if name == "compareAndSet" || name.starts_with("weakCompareAndSet") => Some(Self::Swaps),
            name if name.starts_with("compareAndExchange") => Some(Self::Exchanges),
            name if name.contains("And") => Some(Self::Updates),
            _ => None,
        }
    }
}

impl Follower<'_> {
    /// An operation of a handle whose target is known; none if it is no such operation.
    pub(super) fn by_handle(
        &mut self,
        body: &Body,
        frame: &Frame,
        member: Member,
        arguments: &[Value],
    ) -> Result<Option<Vec<Outcome>>, Stuck> {
        let program = self.context.program;
        let Some(operation) = Operation::of(program, member) else { return Ok(None) };
        let target = arguments.first().and_then(|handle| self.target_of(*handle));
        let Some(target) = target else { return Ok(None) };
        let is_static = program.field(target).flags.is_static();
        let operands = arguments.get(if is_static { 1 } else { 2 }..).unwrap_or_default();
        for operand in operands {
            self.escapes(operand.unless_found())?;
        }
        let result = program.result_type(member.descriptor);
        let location = match arguments.get(1) {
            _ if is_static => (self.statics == Some(program.field(target).class)).then_some(Location::Static(target)),
            Some(object) => self.written(*object, Lookup::Found(target)),
            None => None,
        };
        let values = self.held_by_target(frame, arguments.get(1).copied(), target);
        let place = location.and_then(|location| self.place_of(location));
        let (Some(location), Some(place)) = (location, place) else {
            let pieces = location.map(|location| vec![Step::Read(location), Step::Write(location)]).unwrap_or_default();
            let pieces = pieces.into_iter().map(Piece::One).collect();
            return Ok(Some(vec![self.returns(body, frame, pieces, result, &values)]));
        };
        let [read, write] = [Step::Read(location), Step::Write(location)];
        let does = |steps: &[Step]| {
            let mut pieces: Vec<Piece> = steps.iter().copied().map(Piece::One).collect();
            self.make_atomic(&mut pieces, Value::Place(place));
            let mut after = frame.clone();
            after.forget_found(place);
            after.swapped |= steps.contains(&write);
            self.returns(body, &after, pieces, result, &values)
        };
        Ok(Some(match operation {
            Operation::Reads => vec![does(&[read])],
            Operation::Writes => vec![does(&[write])],
            Operation::Updates => vec![does(&[read, write])],
            Operation::Exchanges => vec![does(&[read, write]), does(&[read])],
            Operation::Swaps => {
                let expected = operands.first().copied().unwrap_or(Value::Any);
                self.swap(body, frame, (place, location), expected, result)
            }
        }))
    }

    /// The field that a handle accesses.
    fn target_of(&self, handle: Value) -> Option<FieldId> {
        let field = match handle {
            Value::Static(field) => field,
            Value::Place(place) => match self.places.path(place) {
                [field] => *field,
                _ => return None,
            },
            _ => return None,
        };
        (!self.changes(field)).then(|| self.context.facts.target(field)).flatten()
    }

    /// What the target may hold of an object.
    fn held_by_target(&mut self, frame: &Frame, object: Option<Value>, target: FieldId) -> Vec<Value> {
        let program = self.context.program;
        let of = program.field_type(program.field(target).descriptor).filter(|of| of.is_reference());
        match (of, object) {
            (None, _) => vec![Value::Any],
            (Some(of), Some(Value::Place(place))) => {
                let own = self.places.field(place, target).map_or(Value::Any, Value::Place);
                if self.may_be(of) { vec![own, Value::Place(PlaceId::OBJECT)] } else { vec![own] }
            }
            (Some(of), _) if self.may_be(of) => vec![frame.undecided()],
            (Some(_), _) => vec![Value::Any],
        }
    }

    /// The place of what a field holds that is a location.
    fn place_of(&mut self, location: Location) -> Option<PlaceId> {
        match location {
            Location::Field(place, field) => self.places.field(place, field),
            Location::Static(field) => self.places.of_static(field),
            Location::Content(_) => None,
        }
    }

    /// What a plain write does: of a field that handles access, it does not interrupt them, and what was found there is old.
    pub(super) fn plain_write(&mut self, frame: &mut Frame, location: Location) -> Vec<Step> {
        let field = match location {
            Location::Field(_, field) | Location::Static(field) => Some(field),
            Location::Content(_) => None,
        };
        let is_target = field.is_some_and(|field| self.context.facts.is_target(field));
        match self.place_of(location).filter(|_| is_target) {
            Some(place) => {
                frame.forget_found(place);
                let lock = Lock::Content(place);
                vec![Step::Acquire(lock, Mode::Write), Step::Write(location), Step::Release(lock, Mode::Write)]
            }
            None => vec![Step::Write(location)],
        }
    }

    /// A load of what is compared later: it counts, or it is moved; see `retry`.
    pub(super) fn found_in(&self, body: &Body, mut frame: Frame, place: PlaceId, read: Vec<Piece>) -> Vec<Outcome> {
        frame.forget_found(place);
        frame.at = body.code.next(frame.at);
        let way = |(pieces, is_moved)| {
            let mut frame = frame.clone();
            frame.stack.push(Value::Found(place, is_moved));
            Outcome { pieces, next: vec![Next::To(frame)] }
        };
        [(read, false), (Vec::new(), true)].into_iter().map(way).collect()
    }

    /// Whether a number that is loaded is one that a handle may compare with; where in a method that does, and of which atomic.
    pub(super) fn compared_later(
        &mut self,
        body: &Body,
        location: Option<Location>,
        of: Option<Type>,
    ) -> Option<PlaceId> {
        let Some(location @ (Location::Field(_, field) | Location::Static(field))) = location else { return None };
        let is_one = of.is_none() && body.retries.has_swaps && self.threads_of.is_none();
        if !is_one || !self.context.facts.is_target(field) {
            return None;
        }
        let Location::Field(object, _) = location else { return self.place_of(location) };
        self.is_stable(object).then(|| self.place_of(location)).flatten()
    }
}
