//! What loads and stores of fields do.

use super::flow::Step;
use super::follow::{Body, Context, Follower, Next, Outcome, Piece};
use super::frame::Frame;
use super::held::Held;
use super::object::remembered;
use super::origin::Part;
use super::outer;
use super::value::{Location, Lock, PlaceId, Value};
use java::{FieldId, Lookup, Member, Program, Type};

impl Follower<'_> {
    /// The location that writing a field changes.
    pub(super) fn written(&self, object: Value, field: Lookup<FieldId>) -> Option<Location> {
        let Context { program, facts, .. } = self.context;
        let Value::Place(place) = object else { return None };
        match field {
            // What is in objects that static fields hold is followed with these objects.
            Lookup::Found(_) if self.statics.is_some() => None,
            Lookup::Found(field) if is_of_runtime(program, field) => None,
            Lookup::Found(field) if self.places.path(place).len() < 2 => {
                facts.changes(field, program).then_some(Location::Field(place, field))
            }
            Lookup::Found(_) => None,
            // A field of a class that was not given is part of what its object holds.
            Lookup::Outside(_) | Lookup::Absent => Some(Location::Content(place)),
        }
    }

    /// Whether a value of a type may be something that changes inside: no number, and no class as `String`.
    pub(super) fn may_hold(&self, of: Type) -> bool {
        of.is_reference() && !is_immutable(self.context.program, of)
    }

    pub(super) fn get_field(&mut self, body: &Body, frame: Frame, member: Member, object: Value) -> Vec<Outcome> {
        let program = self.context.program;
        let field = program.resolve_field(member);
        let read = self.written(object, field).map(|location| Piece::One(Step::Read(location)));
        let of = program.field_type(member.descriptor);
        let of = of.filter(|of| of.is_reference() && !is_immutable(program, *of));
        let held = match (object, field, of) {
            (_, _, None) => vec![Value::Any],
            (_, Lookup::Found(field), Some(_)) if is_of_runtime(program, field) => vec![Value::Any],
            (Value::Object(object), Lookup::Found(field), Some(_)) if self.objects.field(object, field).is_some() => {
                self.objects.field(object, field).into_iter().collect()
            }
            (Value::This, Lookup::Found(field), Some(_)) if remembered(&frame, field).is_some() => {
                remembered(&frame, field).into_iter().collect()
            }
            // What the object holds inside knows no other object of its class.
            (Value::Place(_), Lookup::Found(field), Some(of)) if self.may_be(of) && self.is_inside_for_ever(field) => {
                vec![Value::Place(PlaceId::OBJECT)]
            }
            (Value::Place(place), Lookup::Found(field), Some(_))
                if let Some(outside) = outer::outside(program, self.context.facts, &mut self.places, place, field) =>
            {
                vec![Value::Place(outside)]
            }
            (Value::Place(place), Lookup::Found(field), Some(of)) => {
                let own = self.places.field(place, field).map_or(Value::Any, Value::Place);
                let own = self.part_of(Some(place), field).unwrap_or(own);
                // It may be the object itself.
                let may_be = self.may_be(of) && (place != PlaceId::OBJECT || self.context.facts.may_be_own(field));
                if may_be { vec![own, Value::Place(PlaceId::OBJECT)] } else { vec![own] }
            }
            // Only what the object itself holds inside, or gives away, knows it.
            (Value::Foreign, Lookup::Found(field), _) if !self.context.facts.changes(field, program) => {
                vec![Value::Any]
            }
            (Value::Any | Value::Element(_), Lookup::Found(field), Some(of))
                if self.is_inner(of) && self.classes.contains(&program.field(field).class) =>
            {
                vec![Value::Foreign]
            }
            (_, _, Some(of)) if self.may_be(of) => vec![frame.undecided()],
            (_, _, Some(_)) => vec![Value::Any],
        };
        if let Some(place) = self.compared_later(body, self.written(object, field), of) {
            return self.found_in(body, frame, place, read.into_iter().collect());
        }
        let next = held.into_iter().map(|value| {
            let mut frame = frame.clone();
            frame.stack.push(value);
            Next::To(Frame { at: body.code.next(frame.at), ..frame })
        });
        vec![Outcome { pieces: read.into_iter().collect(), next: next.collect() }]
    }

    /// Whether a field of a hidden class inside the object's class never changes: the object outside, for example.
    fn is_inside_for_ever(&self, field: FieldId) -> bool {
        let Context { program, .. } = self.context;
        let declaring = program.class(program.field(field).class).name;
        !self.changes(field) && self.is_inner(Type::Class(declaring))
    }

    /// What a field holds, if that is a part of the lock which another field of the same place holds, or a static field; see `held`. Of a lock that is none of the
    /// model, there is none.
    fn part_of(&mut self, place: Option<PlaceId>, field: FieldId) -> Option<Value> {
        let Context { program, facts, .. } = self.context;
        let Held::Part(part, from) = facts.holds(field) else { return None };
        if self.changes(field) {
            return None;
        }
        // A condition may be one of the side for writing, and this one of the lock.
        let of = if let Held::Part(Part::Write, whole) = facts.holds(from) { whole } else { from };
        // Else it may be a part of what was there before.
        if [from, of].into_iter().any(|field| !facts.is_written_once(field, program)) {
            return Some(Value::Any);
        }
        let is_static = program.field(of).flags.is_static();
        let lock = match place {
            _ if is_static && self.statics != Some(program.field(of).class) => {
                (!self.changes(of)).then_some(Lock::ExplicitStatic(of))
            }
            _ if is_static => self.places.of_static(of).filter(|of| self.is_stable(*of)).map(Lock::Explicit),
            Some(place) => self.places.field(place, of).filter(|of| self.is_stable(*of)).map(Lock::Explicit),
            None => None,
        };
        Some(lock.map_or(Value::Any, |lock| match part {
            Part::Read => Value::Side(lock, true),
            Part::Write => Value::Side(lock, false),
            Part::Condition => Value::Condition(lock),
        }))
    }

    /// The static field of a member, if it is one of those that are followed.
    pub(super) fn followed_static(&self, member: Member) -> Option<FieldId> {
        let program = self.context.program;
        let class = self.statics?;
        program.resolve_field(member).found().filter(|field| program.field(*field).class == class)
    }

    /// The location that a static field is.
    pub(super) fn static_location(&self, member: Member) -> Option<Location> {
        let field = self.followed_static(member)?;
        self.changes(field).then_some(Location::Static(field))
    }

    /// The object that a static final field holds, as loads of the field give it.
    pub(super) fn held_by_static(&mut self, field: FieldId) -> Value {
        let is_followed = self.statics == Some(self.context.program.field(field).class);
        if is_followed { self.places.of_static(field).map_or(Value::Any, Value::Place) } else { Value::Static(field) }
    }

    /// What a static field holds, as far as it is known.
    pub(super) fn static_value(&mut self, frame: &Frame, member: Member) -> Value {
        let program = self.context.program;
        let of = program.field_type(member.descriptor).filter(|of| of.is_reference());
        let Some(of) = of else { return Value::Any };
        if let Some(field) = self.followed_static(member)
            && !is_immutable(program, of)
        {
            let own = self.places.of_static(field).map_or(Value::Any, Value::Place);
            return self.part_of(None, field).unwrap_or(own);
        }
        let field = program.resolve_field(member).found().filter(|field| !self.changes(*field));
        if let (Some(field), Some(mode)) = (field, &self.threads_of)
            && self.may_be(of)
        {
            return if mode.holder == Some(field) { Value::Place(PlaceId::OBJECT) } else { Value::Any };
        }
        match field {
            _ if self.may_be(of) => frame.undecided(),
            Some(field) => self.part_of(None, field).unwrap_or(Value::Static(field)),
            None => Value::Any,
        }
    }
}

/// Whether a field is one that the compiler adds for its own use, and no part of the object's state:
///
/// - where Groovy keeps the object's `MetaClass`: whoever comes first looks it up, and all find the same;
/// - the bits by which Scala remembers which lazy values are there: tested without the lock, tested again under it, and set once the value is, which is followed.
fn is_of_runtime(program: &Program, field: FieldId) -> bool {
    let field = program.field(field);
    let [name, descriptor] = [field.name, field.descriptor].map(|name| program.text(name));
    if name.starts_with("bitmap$") && !descriptor.starts_with(['L', '[']) {
        let makes_lazily = |method| program.text(program.method(method).name).ends_with("$lzycompute");
        return program.class(field.class).methods().any(makes_lazily);
    }
    field.flags.is_synthetic() && name == "metaClass" && descriptor == "Lgroovy/lang/MetaClass;"
}

/// Types whose objects never change and are no locks.
fn is_immutable(program: &Program, of: Type) -> bool {
    const NAMES: [&str; 11] =
        ["String", "Integer", "Long", "Boolean", "Character", "Short", "Byte", "Float", "Double", "Class", "Enum"];
    let Type::Class(name) = of else { return false };
    program.text(name).strip_prefix("java/lang/").is_some_and(|name| NAMES.contains(&name))
}
