//! Other objects than the one that is followed, with what they hold.
//!
//! Of an object that code makes from a place, a lambda or such an object, it is remembered what its fields hold that never change
//! (final, or written in constructors only): a wrapper with its mutex, an iterator with its list, a task with what it works on.
//! So two loads of one field agree, and a method of it is followed with what it was made from.
//!
//! The constructor is followed with the value `This` as its receiver; what it stores in such fields is part of its states, and
//! what it returns is the object. Whatever is not remembered (fields that change, objects in objects deeper than
//! [`DEEPEST`]) *escapes*: it is taken to be where anybody finds it. A field that is not remembered holds what its type allows.

use super::exits::Exit;
use super::flow::{CloneId, Step};
use super::follow::{Body, Follower, Next, Outcome, Piece, Stuck, goes_on};
use super::frame::Frame;
use super::value::{Object, ObjectId, Value};
use java::{FieldId, Lookup, Member, MethodId, Program, Targets};
use rustc_hash::FxHashMap;

/// Objects in objects are remembered so deep.
const DEEPEST: u8 = 3;

/// So many objects are remembered for one subject.
const MOST: usize = 10_000;

/// What is remembered of an object besides itself.
#[derive(Debug)]
struct Row {
    object: Object,
    /// Whether something can be done to the followed object through it.
    acts: bool,
    /// How deep objects are in it.
    depth: u8,
}

/// All objects that are remembered.
#[derive(Debug, Default)]
pub(super) struct Objects {
    rows: Vec<Row>,
    ids: FxHashMap<Object, ObjectId>,
}

impl Objects {
    fn row(&self, id: ObjectId) -> &Row {
        &self.rows[id.0 as usize]
    }

    /// What is known of an object.
    pub(super) fn object(&self, id: ObjectId) -> &Object {
        &self.row(id).object
    }

    /// What a field holds, if it is remembered.
    pub(super) fn field(&self, id: ObjectId, field: FieldId) -> Option<Value> {
        find(&self.object(id).fields, field)
    }

    /// The methods that a call on the object can run.
    pub(super) fn targets(&self, program: &Program, id: ObjectId, method: MethodId) -> Targets {
        let object = self.object(id);
        if object.is_exact {
            return program.targets(method, [object.class]);
        }
        let subtypes = program.subtypes(object.class).into_iter();
        let can_be = subtypes.filter(|class| !program.class(*class).flags.is_abstract());
        program.targets(method, can_be)
    }
}

fn find(fields: &[(FieldId, Value)], field: FieldId) -> Option<Value> {
    fields.binary_search_by_key(&field, |field| field.0).ok().map(|index| fields[index].1)
}

fn set(fields: &mut Vec<(FieldId, Value)>, field: FieldId, value: Value) {
    match fields.binary_search_by_key(&field, |field| field.0) {
        Ok(index) => fields[index].1 = value,
        Err(index) => fields.insert(index, (field, value)),
    }
}

/// What a field of the object holds that a constructor makes, if it is remembered.
pub(super) fn remembered(frame: &Frame, field: FieldId) -> Option<Value> {
    find(&frame.fields, field)
}

impl Follower<'_> {
    /// Whether something can be done to the object through a value.
    pub(super) fn can_act(&self, value: Value) -> bool {
        match value {
            Value::Place(_) | Value::View(_) | Value::Maybe(_) | Value::Lambda(_) => true,
            Value::Object(object) => self.objects.row(object).acts,
            Value::Any
            | Value::Foreign
            | Value::Element(_)
            | Value::Index(_)
            | Value::Derived
            | Value::Null
            | Value::Int(_)
            | Value::New(_)
            | Value::This
            | Value::Runner
            | Value::Class(_)
            | Value::Static(_)
            | Value::Found(..)
            | Value::Side(..)
            | Value::Condition(_) => false,
        }
    }

    /// The value that is this object. What is too deep in it escapes.
    pub(super) fn object(&mut self, mut object: Object) -> Result<Value, Stuck> {
        let mut depth = 0;
        for index in 0..object.fields.len() {
            let Value::Object(inner) = object.fields[index].1 else { continue };
            let inner_depth = self.objects.row(inner).depth + 1;
            if self.objects.object(inner).class == object.class {
                let class = self.context.program.class_name(object.class);
                self.assume(&format!("objects of {class} that are made from others of it do not call these"));
                object.fields[index].1 = Value::Any;
            } else if inner_depth > DEEPEST {
                self.escapes(Value::Object(inner))?;
                object.fields[index].1 = Value::Any;
            } else {
                depth = depth.max(inner_depth);
            }
        }
        if let Some(known) = self.objects.ids.get(&object) {
            return Ok(Value::Object(*known));
        }
        if self.objects.rows.len() == MOST {
            return Err(Stuck::TooLarge {
                method: format!("constructors of {}", self.context.program.class_name(object.class)),
            });
        }
        let acts = self.threads_of.is_some() || object.fields.iter().any(|(_, value)| self.can_act(*value));
        let id = ObjectId(u32::try_from(self.objects.rows.len()).expect("the number of objects is bounded"));
        self.objects.ids.insert(object.clone(), id);
        self.objects.rows.push(Row { object, acts, depth });
        Ok(Value::Object(id))
    }

    /// A value outside of the constructor that makes it.
    pub(super) fn settled(&mut self, frame: &Frame, clone: CloneId, value: Value) -> Result<Value, Stuck> {
        match value {
            Value::This => {}
            Value::Found(..) => return Ok(Value::Any),
            value => return Ok(value),
        }
        let class = self.context.program.method(self.clones[clone.index()].method).class;
        self.object(Object { class, is_exact: false, fields: frame.fields.clone() })
    }

    /// The arguments of a call, but for the receiver of a constructor.
    pub(super) fn all_settled(
        &mut self,
        frame: &Frame,
        clone: CloneId,
        values: Vec<Value>,
        is_constructor: bool,
    ) -> Result<Vec<Value>, Stuck> {
        let settle = |(index, value)| {
            let is_plain = (index == 0 && is_constructor) || matches!(value, Value::Found(..));
            if is_plain { Ok(value) } else { self.settled(frame, clone, value) }
        };
        values.into_iter().enumerate().map(settle).collect()
    }

    /// What a method without a result gives: a constructor the object that it has made.
    pub(super) fn made(&mut self, frame: &Frame, clone: CloneId) -> Result<Value, Stuck> {
        let is_constructor = self.clones[clone.index()].arguments.first() == Some(&Value::This);
        if is_constructor { self.settled(frame, clone, Value::This) } else { Ok(Value::Any) }
    }

    /// Remembers what a constructor stores in its object, if the field never changes afterwards.
    pub(super) fn remembers(&mut self, frame: &mut Frame, field: Lookup<FieldId>, value: Value) -> Result<bool, Stuck> {
        let super::follow::Context { program, facts, .. } = self.context;
        let Lookup::Found(field) = field else { return Ok(false) };
        let is_reference = program.field_type(program.field(field).descriptor).is_some_and(java::Type::is_reference);
        if facts.changes(field, program) || !is_reference {
            return Ok(false);
        }
        self.shares(value);
        set(&mut frame.fields, field, value);
        Ok(true)
    }

    /// A call of a constructor, for a new object or for the one that another constructor makes.
    pub(super) fn construct(
        &mut self,
        body: &Body,
        mut frame: Frame,
        member: Member,
        receiver: Value,
        mut arguments: Vec<Value>,
        caller: (CloneId, usize),
    ) -> Result<Vec<Outcome>, Stuck> {
        let program = self.context.program;
        let acts = arguments[1..].iter().any(|value| self.can_act(*value));
        if let Some(task) = self.task(&frame, member, &arguments) {
            frame.replace(receiver, task);
            return Ok(goes_on(body, frame));
        }
        let method = program.resolve_method(member).found();
        let method = method.filter(|method| self.follows(*method) && !self.prefers_table(member, None));
        let (Some(method), true) = (method, acts || self.touches(member)) else {
            let plain = self.plain_object(member)?;
            frame.replace(receiver, if receiver == Value::This { Value::This } else { plain });
            if !acts {
                frame.at = body.code.next(frame.at);
                return Ok(vec![Outcome { pieces: Vec::new(), next: vec![Next::To(frame)] }]);
            }
            arguments[0] = Value::Any;
            return self.told(body, &frame, (true, member), &arguments, caller);
        };
        arguments[0] = Value::This;
        let clone = self.clone_of(method, arguments)?;
        let outcome = |exit, next| Outcome { pieces: vec![Piece::One(Step::Call(clone, exit))], next };
        let mut outcomes = vec![outcome(Exit::Never, Vec::new())];
        if self.throws(clone) {
            outcomes.push(outcome(Exit::Throws, vec![Next::Throw(frame.clone())]));
        }
        for value in self.results(clone, caller)? {
            let Value::Object(made) = value else { continue };
            let Object { class, fields, .. } = self.objects.object(made).clone();
            let mut frame = frame.clone();
            if receiver == Value::This {
                fields.into_iter().for_each(|(field, value)| set(&mut frame.fields, field, value));
            } else {
                let object = self.object(Object { class, is_exact: true, fields })?;
                frame.replace(receiver, object);
            }
            let next = goes_on(body, frame).into_iter().flat_map(|outcome| outcome.next).collect();
            outcomes.push(outcome(Exit::Gives(value), next));
        }
        Ok(outcomes)
    }
}
