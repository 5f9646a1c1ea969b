//! The arguments that a region gave to the constructors of its parts.
//!
//! **Definition.** A field holds *parameter N* if the constructor that assigns it stores its parameter N there. A new
//! object runs a chain of constructors: the one that is called, then the one that this one calls on the same object by
//! `this(...)` or `super(...)`, and so on. The value of the field is the argument of the call from outside that reaches
//! parameter N of the assigning constructor along the chain.
//!
//! *Why it suffices.* The value is followed only if exactly one constructor of the chain assigns the field, if each
//! constructor calls the next one at one place, and if the passed argument is itself a parameter. Parameters do not
//! change in the register form. So the found argument is the assigned value.

use super::heap::Heap;
use super::regions::Regions;
use super::stored::Stored;
use crate::value::RegionId;
use java::ir::{Body, Definition, Operation, Variable};
use java::{FieldId, InvokeKind, Member, MethodId, Program};

/// Longer chains of constructors are not followed.
const LONGEST: usize = 16;

impl Heap<'_> {
    /// The argument of this number that the constructor of a region's object got, by the constructors of the region
    /// that holds it.
    pub(crate) fn argument_of_parent(&self, regions: &Regions, region: RegionId, number: u32) -> Option<Stored> {
        let (_, field) = regions.regions[region.index()].anchor?;
        self.agreed_argument(field, &|body, made| {
            let (_, arguments) = constructor_call(self.program, body, made)?;
            arguments.get(number as usize).copied()
        })
    }

    /// The value of a field of a region that holds a parameter of this number: the region that holds it by a field, and
    /// the value in the constructors that assign that field.
    pub(crate) fn parameter_of_parent(
        &self,
        regions: &Regions,
        region: RegionId,
        (field, number): (FieldId, u32),
    ) -> Option<(RegionId, FieldId, Stored)> {
        let (parent, by) = regions.regions[region.index()].anchor?;
        let stored = self.agreed_argument(by, &|body, made| self.passed(body, made, field, number))?;
        Some((parent, by, stored))
    }

    /// The value of an argument of the objects that are stored in a field, if all constructors agree.
    fn agreed_argument(
        &self,
        field: FieldId,
        argument: &dyn Fn(&Body, Variable) -> Option<Variable>,
    ) -> Option<Stored> {
        let mut agreed = None;
        for (method, variable) in self.assignments(field) {
            let body = self.body(method)?;
            let stored = self.evaluate(&body, method, argument(&body, variable)?, None, 3);
            if agreed.as_ref().is_some_and(|known| *known != stored) {
                return None;
            }
            agreed = Some(stored);
        }
        agreed
    }

    /// The argument in the creation of an object that reaches a parameter of the constructor that assigns a field.
    fn passed(&self, body: &Body, made: Variable, field: FieldId, number: u32) -> Option<Variable> {
        let (member, outermost) = constructor_call(self.program, body, made)?;
        let assigning: Vec<MethodId> = self.assignments(field).into_iter().map(|(method, _)| method).collect();
        // For each parameter of the current constructor, the argument from outside that it holds.
        let mut held: Vec<Option<Variable>> = outermost.iter().copied().map(Some).collect();
        let mut next = self.program.resolve_method(member).found();
        let mut found = None;
        for _ in 0..LONGEST {
            let Some(constructor) = next else { return found? };
            let body = self.body(constructor)?;
            if assigning.contains(&constructor) && found.replace(*held.get(number as usize)?).is_some() {
                return None;
            }
            let (member, arguments) = constructor_call(self.program, &body, *body.parameters.first()?)?;
            let of_parameter = |argument: &Variable| match body.variable(*argument).definition {
                Definition::Parameter(number) => held.get(number as usize).copied().flatten(),
                _ => None,
            };
            held = arguments.iter().map(of_parameter).collect();
            next = self.program.resolve_method(member).found();
        }
        None
    }
}

/// The only constructor call on an object.
fn constructor_call<'b>(program: &Program, body: &'b Body, made: Variable) -> Option<(Member, &'b [Variable])> {
    let statements = body.blocks().flat_map(|(_, block)| &*block.statements);
    let mut calls = statements.filter_map(|statement| match &statement.operation {
        Operation::Invoke { kind: InvokeKind::Special, member, arguments }
            if program.is_constructor_name(member.name) && arguments.first() == Some(&made) =>
        {
            Some((*member, &**arguments))
        }
        _ => None,
    });
    calls.next().filter(|_| calls.next().is_none())
}
