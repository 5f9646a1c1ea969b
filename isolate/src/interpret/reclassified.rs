//! Objects of the library for which the rows of another class hold, as they were made or changed so: a stream that is
//! parallel, a map that moves what it finds.
//!
//! Each call of the program whose row says `becomes` is looked at once: for all objects that its receiver may be, the
//! rows of the other class hold beside their own. A constructor that is given a flag, its last argument, which is
//! certainly false, makes no other object than its class says.

use super::heap::Heap;
use super::objects::ObjectKind;
use java::ir::{Body, Definition, Operation, Variable};
use java::library::{Action, Library};
use java::points_to::ObjectId;
use java::{ClassId, Constant, Member, MethodId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Which rows hold for which objects, beside those of their classes.
#[derive(Debug, Default)]
pub(super) struct Reclassified {
    objects: FxHashMap<ObjectId, Box<str>>,
    classes: FxHashMap<ClassId, Box<str>>,
}

impl Heap<'_> {
    /// The class of the library whose rows hold for an object beside those of its own class.
    pub(super) fn reclassified_as(&self, object: ObjectId) -> Option<&str> {
        self.reclassifications().objects.get(&object).map(|class| &**class)
    }

    /// The same of objects of exactly a given class that extends one of the library.
    pub(super) fn class_reclassified_as(&self, class: ClassId) -> Option<&str> {
        self.reclassifications().classes.get(&class).map(|class| &**class)
    }

    fn reclassifications(&self) -> &Reclassified {
        self.shared.reclassified.get_or_init(|| self.find_reclassifications())
    }

    fn find_reclassifications(&self) -> Reclassified {
        let names = reclassifying_methods(self.library);
        let mut found = Reclassified::default();
        for (method, declared) in self.program.methods() {
            if !declared.has_code() || !self.points.is_reached(method) {
                continue;
            }
            let Some(body) = self.body(method) else { continue };
            let statements = body.blocks().flat_map(|(_, block)| &*block.statements);
            for statement in statements {
                if let Operation::Invoke { member, arguments, .. } = &statement.operation
                    && names.contains(self.program.text(member.name))
                    && !self.has_false_flag(&body, *member, arguments)
                {
                    self.note_reclassification(method, (*member, arguments), &mut found);
                }
            }
        }
        found
    }

    fn note_reclassification(
        &self,
        method: MethodId,
        (member, arguments): (Member, &[Variable]),
        found: &mut Reclassified,
    ) {
        let Some(receiver) = arguments.first() else { return };
        for object in self.points.variable(method, *receiver).iter() {
            match self.kind_of(object) {
                ObjectKind::Library(class) => {
                    if let Some(other) = self.becomes(class, member) {
                        found.objects.insert(object, other);
                    }
                }
                ObjectKind::Program(class) => {
                    if let Some(other) = self.becomes(self.program.text(member.class), member) {
                        found.classes.insert(class, other);
                    }
                }
                _ => {}
            }
        }
    }

    fn becomes(&self, class: &str, member: Member) -> Option<Box<str>> {
        let row = self.row(class, member)?;
        row.actions.iter().find_map(|action| match action {
            Action::Becomes(other) => Some(other.clone()),
            _ => None,
        })
    }

    /// Whether the last argument of a constructor is a flag that is false.
    fn has_false_flag(&self, body: &Body, member: Member, arguments: &[Variable]) -> bool {
        let last = arguments.last().map(|last| body.variable(*last).definition);
        let is_zero = |definition| match definition {
            Definition::Statement(id) => matches!(body.statement(id).operation, Operation::Constant(Constant::Int(0))),
            _ => false,
        };
        self.program.text(member.descriptor).ends_with("Z)V") && last.is_some_and(is_zero)
    }
}

/// The names of methods by which other rows come to hold.
fn reclassifying_methods(library: &Library) -> FxHashSet<&str> {
    let rows = library.classes().flat_map(|class| library.rows(class));
    let changes = |action: &Action| matches!(action, Action::Becomes(_));
    rows.filter(|(_, row)| row.actions.iter().any(changes)).map(|(name, _)| name).collect()
}
