//! Who assigns a field, and which fields never change once their object is made.

use crate::class::{ClassId, FieldId, MethodId};
use crate::instruction::Constant;
use crate::ir::{Bodies, Body, Definition, Operation, StatementId, Variable};
use crate::library::{Action, Library, Named};
use crate::program::Program;
use rustc_hash::{FxHashMap, FxHashSet};

/// An assignment: the method and the statement.
pub type Store = (MethodId, StatementId);

/// All assignments of fields in the program.
#[derive(Clone, Debug, Default)]
pub(super) struct Stores {
    of: FxHashMap<FieldId, Vec<Store>>,
    /// Fields that are assigned outside of constructors, or of another object than the one that is made.
    changing: FxHashSet<FieldId>,
    /// Fields that handles and updaters name.
    pub(super) handled: Vec<FieldId>,
}

impl Stores {
    /// Looks at all code once; code that is damaged assigns nothing.
    pub(super) fn new(
        program: &Program,
        library: &Library,
        bodies: &Bodies<'_>,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let mut stores = Self::default();
        for (method, declared) in program.methods() {
            if is_cancelled() {
                return None;
            }
            if !declared.has_code() {
                continue;
            }
            let Ok(Some(body)) = &bodies.get(method, is_cancelled) else { continue };
            for (block, content) in body.blocks() {
                for (index, statement) in (0_u32..).zip(&*content.statements) {
                    stores.look(program, library, (method, body), StatementId { block, index }, &statement.operation);
                }
            }
        }
        stores.handled.sort_unstable();
        stores.handled.dedup();
        Some(stores)
    }

    fn look(
        &mut self,
        program: &Program,
        library: &Library,
        (method, body): (MethodId, &Body),
        id: StatementId,
        operation: &Operation,
    ) {
        let (field, is_initializing) = match operation {
            Operation::PutField { object, field, .. } => {
                let is_this = body.variable(*object).definition == Definition::Parameter(0);
                (program.resolve_field(*field).found(), is_this && program.is_constructor(method))
            }
            Operation::PutStatic(field, _) => {
                (program.resolve_field(*field).found(), program.text(program.method(method).name) == "<clinit>")
            }
            Operation::Invoke { member, arguments, .. } => {
                let [class, name, descriptor] =
                    [member.class, member.name, member.descriptor].map(|name| program.text(name));
                if let Some(row) = library.find(class, name, descriptor) {
                    for action in row.actions {
                        self.names(program, body, action, arguments, member);
                    }
                }
                return;
            }
            _ => return,
        };
        let Some(field) = field else { return };
        self.of.entry(field).or_default().push((method, id));
        let is_own = program.method(method).class == program.field(field).class;
        if !is_initializing || !is_own {
            self.changing.insert(field);
        }
    }

    /// A handle of a field: the class and the name are constants, else all fields may be meant.
    fn names(
        &mut self,
        program: &Program,
        body: &Body,
        action: &Action,
        arguments: &[Variable],
        member: &crate::Member,
    ) {
        let Action::Names { what: Named::Field, class, name } = action else { return };
        let is_static =
            program.method_type(member.descriptor).is_some_and(|types| types.parameters.len() == arguments.len());
        let shift = usize::from(!is_static);
        let constant = |place: usize| {
            let variable = arguments.get(place + shift)?;
            match body.variable(*variable).definition {
                Definition::Statement(id) => match &body.statement(id).operation {
                    Operation::Constant(constant) => Some(*constant),
                    _ => None,
                },
                _ => None,
            }
        };
        let class = match constant(class.index()) {
            Some(Constant::Class(class)) => program.named(class),
            _ => None,
        };
        let name = match name.and_then(|name| constant(name.index())) {
            Some(Constant::String(name)) => Some(program.text(name)),
            _ => None,
        };
        let of_class =
            |class: ClassId| program.superclasses(class).flat_map(|class| program.class(class).fields()).collect();
        let candidates: Vec<FieldId> = match class {
            Some(class) => of_class(class),
            None => program.classes().flat_map(|(_, class)| class.fields()).collect(),
        };
        let fits = |field: &FieldId| name.is_none_or(|name| program.text(program.field(*field).name) == name);
        for field in candidates.into_iter().filter(fits) {
            self.handled.push(field);
            self.changing.insert(field);
        }
    }

    /// Who assigns a field.
    pub(super) fn of(&self, field: FieldId) -> &[Store] {
        self.of.get(&field).map_or(&[], Vec::as_slice)
    }

    /// Whether a field is assigned otherwise than by constructors of its class for the object that they make.
    pub(super) fn changes(&self, field: FieldId) -> bool {
        self.changing.contains(&field)
    }
}
