//! Locks of the objects that hold a hidden object.
//!
//! **Definition.** The *holders* of a [hidden](super::hidden_classes) subject are the classes of one nest if each
//! statement that makes an object of the subject's class is in a method on an object of that nest, if clients get no
//! such object, and if no static field holds one, directly or in a container.
//!
//! **Rule** [`HolderLocks`](crate::Rule::HolderLocks). A method on an object of a holder that is not followed runs on
//! *the* holder of the subject: the monitor of this object, and the lock in an unchanging field of it, are locks of the
//! model, one for each class and each field.
//!
//! *Why it suffices.* The holder makes the object, and keeps it: so a method that reaches the subject by fields of an
//! object of the nest runs on the holder that has made the subject, unless the program moves the object to another
//! holder. Two locks of the model that are named by one class or field are then one lock. A program that moves objects
//! between two holders loses findings, not proofs.

use super::hidden_classes::is_for_clients;
use super::objects::ObjectKind;
use super::stored::Stored;
use super::subject_facts::SubjectFacts;
use crate::Rule;
use crate::value::{Lock, Value};
use java::points_to::{Field, Object, ObjectId};
use java::{ClassId, FieldId, MethodId, Type};
use rustc_hash::FxHashSet;

/// More objects than this are not visited in the search through static fields.
const MOST_OBJECTS: usize = 2_000;

impl SubjectFacts<'_> {
    /// The topmost class of a holder's class; none if it holds no subject.
    fn holder(&self, class: ClassId) -> Option<ClassId> {
        let root = self.heap.root(class);
        self.answers.holders.get_or_init(|| self.find_holders()).contains(&root).then_some(root)
    }

    /// The receiver of a method: the holder, if the method's class is one and the receiver is not followed.
    pub(crate) fn as_holder(&self, method: MethodId, receiver: Value) -> Value {
        let declared = self.heap.program.method(method);
        let is_unknown = matches!(receiver, Value::Any | Value::Other | Value::Foreign);
        if !is_unknown || declared.flags.is_static() || self.heap.program.is_constructor(method) {
            return receiver;
        }
        self.holder(declared.class).map_or(receiver, Value::Holder)
    }

    /// The value of an unchanging field of a holder, or of a part of one, if it is no followed object.
    pub(crate) fn held_by(&self, base: Value, field: FieldId) -> Option<Value> {
        let program = self.heap.program;
        let of = program.field_type(program.field(field).descriptor)?;
        if !matches!(base, Value::Holder(_) | Value::Held(_)) || !of.is_reference() || !self.heap.is_unchanging(field) {
            return None;
        }
        if let Type::Class(name) = of
            && let Some(holder) = program.named(name).and_then(|class| self.holder(class))
        {
            return Some(Value::Holder(holder));
        }
        Some(match &*self.heap.construction(field) {
            Stored::This => base,
            Stored::Field(other) => Value::Held(*other),
            Stored::Static(other) => Value::Static(*other),
            Stored::Class(class) => Value::Class(*class),
            Stored::Literal(text) => Value::Literal(*text),
            Stored::Side(of, is_write) => match **of {
                Stored::Field(lock) | Stored::LockOfSide(lock) => Value::Side(Lock::ExplicitHeld(lock), *is_write),
                _ => return None,
            },
            Stored::Condition(of) => match **of {
                Stored::Field(lock) => Value::Condition(Lock::ExplicitHeld(lock)),
                _ => return None,
            },
            Stored::Fresh | Stored::Shared | Stored::Parameter(_) | Stored::Unknown => Value::Held(field),
            Stored::Lambda(..) | Stored::Handle(..) | Stored::LockOfSide(_) | Stored::Null | Stored::Int(_) => {
                return None;
            }
        })
    }

    fn find_holders(&self) -> FxHashSet<ClassId> {
        let program = self.heap.program;
        let class = self.mode.class;
        let is_asked = self.heap.modality.omits(Rule::HolderLocks) && !self.mode.is_static && !self.mode.is_program;
        if !is_asked || is_for_clients(program, class) {
            return FxHashSet::default();
        }
        let mut outermost = None;
        for object in self.heap.objects_of(class) {
            let Object::Made { site, .. } = self.heap.points.object(object) else { continue };
            let maker = program.method(site.method);
            let is_on_object = !maker.flags.is_static() || program.text(maker.name).starts_with("lambda$");
            let host = outermost_of(self, maker.class);
            let is_same = outermost.is_none_or(|known| known == host);
            if !is_on_object || !is_same || self.heap.is_returned_by_any(object) {
                return FxHashSet::default();
            }
            outermost = Some(host);
        }
        let Some(host) = outermost.filter(|_| !self.is_held_statically()) else { return FxHashSet::default() };
        let own = self.heap.root(class);
        let of_nest = program.classes().map(|(of, _)| of).filter(|of| outermost_of(self, *of) == host);
        of_nest.map(|of| self.heap.root(of)).filter(|root| *root != own).collect()
    }

    /// Whether a static field holds an object of the subject's class, directly or in a container.
    fn is_held_statically(&self) -> bool {
        let program = self.heap.program;
        let fields = program.classes().flat_map(|(_, class)| class.fields());
        let fields = fields.filter(|field| program.field(*field).flags.is_static());
        let mut open: Vec<ObjectId> = fields.flat_map(|field| self.heap.static_field(field)).collect();
        let mut known: FxHashSet<ObjectId> = open.iter().copied().collect();
        while let Some(object) = open.pop() {
            match self.heap.kind_of(object) {
                ObjectKind::Program(class) if class == self.mode.class => return true,
                ObjectKind::Library(_) | ObjectKind::Array | ObjectKind::View(..) => {
                    let held = self.heap.field(object, Field::Content);
                    open.extend(held.into_iter().filter(|object| known.insert(*object)));
                }
                _ => {}
            }
            if known.len() > MOST_OBJECTS {
                return true;
            }
        }
        false
    }
}

/// The outermost class around a class.
fn outermost_of(facts: &SubjectFacts<'_>, class: ClassId) -> ClassId {
    let program = facts.heap.program;
    let outer = |class: ClassId| program.class(class).outer.and_then(|outer| program.named(outer));
    std::iter::successors(Some(class), |class| outer(*class)).take(16).last().unwrap_or(class)
}
