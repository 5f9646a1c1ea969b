//! Library objects that obey the rows of another class as well: a stream made parallel, a map that reorders on access.
//!
//! Each call of the program whose row says `becomes` is visited once. For all objects that its receiver may be, the
//! rows of the other class apply in addition to their own. A constructor whose last argument is a flag that is
//! certainly false does not reclassify its object.

use super::heap::Heap;
use super::objects::ObjectKind;
use super::shared::Reclassified;
use java::ir::{Body, Definition, Operation, Variable};
use java::library::{Action, Library};
use java::points_to::ObjectId;
use java::{ClassId, Constant, Member, MethodId};
use rustc_hash::FxHashSet;

impl Heap<'_> {
    /// The library class whose rows apply to an object in addition to those of its own class.
    pub(crate) fn reclassified_as(&self, object: ObjectId) -> Option<&str> {
        self.reclassifications().objects.get(&object).map(|class| &**class)
    }

    /// The same for objects of exactly a program class that extends a library class.
    pub(crate) fn class_reclassified_as(&self, class: ClassId) -> Option<&str> {
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

/// The names of library methods that reclassify an object.
fn reclassifying_methods(library: &Library) -> FxHashSet<&str> {
    let rows = library.classes().flat_map(|class| library.rows(class));
    let changes = |action: &Action| matches!(action, Action::Becomes(_));
    rows.filter(|(_, row)| row.actions.iter().any(changes)).map(|(name, _)| name).collect()
}
