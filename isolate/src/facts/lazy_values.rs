//! Objects that are made on first use.
//!
//! **Definition.** A private field is *lazily made* if the methods that assign it, apart from constructors, store
//! objects that they allocate themselves, if each method of the nest that reads it also assigns it, and if it is
//! [assigned once](super::set_once), or the objects have no state of their own: their fields never change and hold
//! numbers or what the constructor was given. The content of an atomic is lazily made in the same way.
//!
//! **Rule** [`SettersOnce`](crate::Rule::SettersOnce). Accesses to what is lazily made are no accesses.
//!
//! *Why it suffices.* Each unit that looks for the object makes it if it is not there, so all find an equal one: no
//! result depends on who has made it.

use super::heap::Heap;
use super::narrowed::nest;
use super::stored::Stored;
use crate::Rule;
use java::ir::{Body, Definition, Operation, Variable};
use java::{ClassId, FieldId, MethodId};
use rustc_hash::FxHashSet;

impl Heap<'_> {
    /// Whether a field is lazily made, by [`SettersOnce`](Rule::SettersOnce); found once for each field.
    pub(crate) fn is_lazily_made(&self, field: FieldId) -> bool {
        if !self.modality.omits(Rule::SettersOnce) {
            return false;
        }
        let found = self
            .shared
            .lazily_made
            .get_or_find(field, || if self.find_lazily_made(field) { vec![()] } else { Vec::new() });
        !found.is_empty()
    }

    fn find_lazily_made(&self, field: FieldId) -> bool {
        let declared = self.program.field(field);
        if !declared.flags.is_private() || declared.flags.is_static() {
            return false;
        }
        let mut assigning: FxHashSet<MethodId> = FxHashSet::default();
        let mut is_stateless = true;
        for store in self.points.stores(field).iter().filter(|store| !store.initializes) {
            let Some(body) = self.body(store.method) else { return false };
            let Operation::PutField { value, .. } = &body.statement(store.statement).operation else { return false };
            if self.evaluate(&body, store.method, *value, None, 3) != Stored::Fresh {
                return false;
            }
            is_stateless &= self.makes_stateless(&body, *value);
            assigning.insert(store.method);
        }
        if assigning.is_empty() || !(is_stateless || self.is_assigned_once(field)) {
            return false;
        }
        let classes = nest(self.program, &FxHashSet::from_iter([declared.class]));
        let mut methods = classes.into_iter().flat_map(|class| self.program.class(class).methods());
        methods.all(|method| assigning.contains(&method) || !self.reads_field(method, field))
    }

    fn reads_field(&self, method: MethodId, field: FieldId) -> bool {
        let Some(body) = self.body(method) else { return false };
        let mut statements = body.blocks().flat_map(|(_, block)| &*block.statements);
        statements.any(|statement| match &statement.operation {
            Operation::GetField { field: member, .. } => self.program.resolve_field(*member).found() == Some(field),
            _ => false,
        })
    }

    /// Whether an allocated object has no state of its own.
    fn makes_stateless(&self, body: &Body, value: Variable) -> bool {
        let Definition::Statement(id) = body.variable(value).definition else { return false };
        let Operation::New(name) = &body.statement(id).operation else { return false };
        let Some(class) = self.program.named(*name) else { return false };
        let mut statements = body.blocks().flat_map(|(_, block)| &*block.statements);
        let is_given = |variable: &Variable| match body.variable(*variable).definition {
            Definition::Statement(id) => {
                !matches!(body.statement(id).operation, Operation::New(_) | Operation::NewArray(..))
            }
            _ => true,
        };
        let gets_old = statements.all(|statement| match &statement.operation {
            Operation::Invoke { member, arguments, .. } if self.program.is_constructor_name(member.name) => {
                arguments.first() != Some(&value) || arguments[1..].iter().all(is_given)
            }
            _ => true,
        });
        gets_old && self.is_stateless_class(class)
    }

    fn is_stateless_class(&self, class: ClassId) -> bool {
        let is_plain = self.library_superclass(class).is_none();
        let mut fields = self.program.superclasses(class).flat_map(|class| self.program.class(class).fields());
        is_plain
            && fields.all(|field| {
                let declared = self.program.field(field);
                let is_number = self.program.field_type(declared.descriptor).is_some_and(|of| !of.is_reference());
                declared.flags.is_static()
                    || self.is_unchanging(field)
                        && (is_number
                            || matches!(
                                *self.construction(field),
                                Stored::Parameter(_) | Stored::Null | Stored::Static(_) | Stored::Field(_)
                            ))
            })
    }
}
