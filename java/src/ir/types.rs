//! Type inference for variables.
//!
//! The type of a variable is the declared type of its source in the class file. The type of a parameter of a block is
//! the least common supertype of its arguments as far as the classes are loaded, otherwise `java/lang/Object`. It is
//! computed as a least fixed point, starting from no type. `null` has every type.

use super::body::{Body, Definition, Operation};
use super::graph::{Graph, number};
use crate::bytecode::{Constant, Element};
use crate::class_file::{Kind, Name, Type};
use crate::program::Program;
use rustc_hash::FxHashMap;

/// The number of changes of the type of a variable after which it is widened to `java/lang/Object`.
const MAX_CHANGES: u8 = 16;

/// The maximum number of examined supertypes of a class.
const MAX_SUPERTYPES: usize = 256;

/// Infers the types of all variables, from the types of the parameters of the method. Nearly linear.
pub(super) fn find_types(program: &Program, body: &mut Body, parameters: &[Type]) {
    let name = |text| program.name(text).expect("the loader interns this name");
    let mut finder = Finder {
        program,
        object: Type::Class(name("java/lang/Object")),
        joined: FxHashMap::default(),
        types: vec![None; body.variables()],
    };
    for (variable, of) in body.parameters.iter().zip(parameters) {
        finder.types[variable.index()] = Some(*of);
    }
    finder.caught(body, Type::Class(name("java/lang/Throwable")));
    finder.statements(body);
    finder.spread(body);
    for (variable, of) in body.variables.iter_mut().zip(finder.types) {
        variable.of = of.filter(|of| variable.kind == Kind::Reference && of.is_reference());
    }
}

struct Finder<'p> {
    program: &'p Program,
    /// The type `java/lang/Object`.
    object: Type,
    joined: FxHashMap<(Name, Name), Type>,
    types: Vec<Option<Type>>,
}

impl Finder<'_> {
    /// Sets the types of caught exceptions: the join over all handlers that begin at the block.
    fn caught(&mut self, body: &Body, throwable: Type) {
        for (_, block) in body.blocks() {
            let thrown = block.statements.iter().flat_map(|statement| &statement.handlers).chain(&block.handlers);
            for edge in thrown {
                let Some(caught) = body.block(edge.edge.target).caught else { continue };
                let of = edge.catches.map_or(throwable, Type::Class);
                let joined = self.types[caught.index()].map_or(of, |other| self.join(other, of));
                self.types[caught.index()] = Some(if joined == self.object { throwable } else { joined });
            }
        }
    }

    /// Sets the declared types of the results of statements.
    fn statements(&mut self, body: &Body) {
        for (_, block) in body.blocks() {
            for statement in &block.statements {
                if let Some(to) = statement.to {
                    self.types[to.index()] = self.declared(body, &statement.operation);
                }
            }
        }
    }

    fn declared(&self, body: &Body, operation: &Operation) -> Option<Type> {
        let class = |text| Some(Type::Class(self.program.name(text).expect("the loader interns this name")));
        match operation {
            Operation::Constant(constant) => match constant {
                Constant::String(_) => class("java/lang/String"),
                Constant::Class(_) => class("java/lang/Class"),
                Constant::MethodType(_) => class("java/lang/invoke/MethodType"),
                Constant::Handle(_) => class("java/lang/invoke/MethodHandle"),
                Constant::Dynamic(of) => Some(*of),
                Constant::Null
                | Constant::Int(_)
                | Constant::Long(_)
                | Constant::Float(_)
                | Constant::Double(_) => None,
            },
            Operation::GetField { field, .. } | Operation::GetStatic(field) => {
                self.program.field_type(field.descriptor)
            }
            Operation::New(class) => Some(Type::Class(*class)),
            Operation::NewArray(of, _) | Operation::CheckCast(of, _) => Some(*of),
            Operation::Invoke { member, .. } => self.program.result_type(member.descriptor),
            Operation::InvokeDynamic { site, .. } => self.program.result_type(body.call_site(*site).descriptor),
            Operation::Binary(..)
            | Operation::Negate(..)
            | Operation::Convert(..)
            | Operation::Narrow(..)
            | Operation::Compare(..)
            | Operation::PutField { .. }
            | Operation::PutStatic(..)
            // The element type is propagated from the array type.
            | Operation::LoadElement { .. }
            | Operation::StoreElement { .. }
            | Operation::ArrayLength(_)
            | Operation::InstanceOf(..)
            | Operation::MonitorEnter(_)
            | Operation::MonitorExit(_) => None,
        }
    }

    /// Propagates types to parameters of blocks and to loaded elements of arrays, up to a fixed point.
    fn spread(&mut self, body: &Body) {
        let dependents = dependents(body);
        let mut changes = vec![0_u8; body.variables()];
        let mut open: Vec<usize> = (0..body.variables()).rev().filter(|one| self.types[*one].is_some()).collect();
        while let Some(variable) = open.pop() {
            for dependent in dependents.successors(variable) {
                let dependent = *dependent as usize;
                let Some(of) = self.types[variable] else { continue };
                let of = match body.variables[dependent].definition {
                    Definition::Statement(_) => self.element(of),
                    Definition::Joined(..) | Definition::Parameter(_) | Definition::Caught(_) => of,
                };
                let known = self.types[dependent];
                let joined = known.map_or(of, |known| self.join(known, of));
                if known == Some(joined) {
                    continue;
                }
                changes[dependent] += 1;
                let is_last = changes[dependent] > MAX_CHANGES;
                self.types[dependent] = Some(if is_last { self.object } else { joined });
                open.push(dependent);
            }
        }
    }

    /// The element type of an array type.
    fn element(&self, array: Type) -> Type {
        let Type::Array(descriptor) = array else { return self.object };
        let element = self.program.text(descriptor).get(1..).unwrap_or_default();
        let class = element.strip_prefix('L').and_then(|text| text.strip_suffix(';'));
        let found = match class {
            Some(class) => self.program.name(class).map(Type::Class),
            None => self.program.name(element).filter(|_| element.starts_with('[')).map(Type::Array),
        };
        found.unwrap_or(self.object)
    }

    /// The least known common supertype of two types.
    fn join(&mut self, one: Type, other: Type) -> Type {
        match (one, other) {
            _ if one == other => one,
            (Type::Class(one), Type::Class(other)) => match self.joined.get(&(one, other)) {
                Some(joined) => *joined,
                None => {
                    let joined = join_classes(self.program, one, other).map_or(self.object, Type::Class);
                    self.joined.insert((one, other), joined);
                    joined
                }
            },
            _ => self.object,
        }
    }
}

/// The edges from each variable to the variables whose types depend on its type.
fn dependents(body: &Body) -> Graph {
    let mut pairs = Vec::new();
    let is_reference = |variable: u32| body.variables[variable as usize].kind == Kind::Reference;
    for (_, block) in body.blocks() {
        for edge in block.edges() {
            let parameters = &body.block(edge.target).parameters;
            pairs.extend(edge.arguments.iter().zip(parameters).map(|(from, to)| (from.0, to.0)));
        }
        for statement in &block.statements {
            if let (Operation::LoadElement { element: Element::Reference, array, .. }, Some(to)) =
                (&statement.operation, statement.to)
            {
                pairs.push((array.0, to.0));
            }
        }
    }
    pairs.retain(|(from, to)| from != to && is_reference(*to));
    Graph::new(number(body.variables()) as usize, &pairs)
}

/// One of two classes if the other is a subtype of it, otherwise their first common superclass.
fn join_classes(program: &Program, one: Name, other: Name) -> Option<Name> {
    if supertypes(program, one).contains(&other) {
        return Some(other);
    }
    if supertypes(program, other).contains(&one) {
        return Some(one);
    }
    let superclasses = superclasses(program, other);
    self::superclasses(program, one).into_iter().find(|class| superclasses.contains(class))
}

/// A class and its superclasses. The last one need not be loaded.
fn superclasses(program: &Program, class: Name) -> Vec<Name> {
    let next = |name: &Name| program.class(program.named(*name)?).superclass;
    std::iter::successors(Some(class), next).take(MAX_SUPERTYPES).collect()
}

/// A class and its supertypes, including those that are not loaded.
fn supertypes(program: &Program, class: Name) -> Vec<Name> {
    let mut found = vec![class];
    let mut done = 0;
    while let Some(name) = found.get(done).copied() {
        done += 1;
        let Some(class) = program.named(name).map(|id| program.class(id)) else { continue };
        for name in class.superclass.iter().chain(&class.interfaces) {
            if found.len() < MAX_SUPERTYPES && !found.contains(name) {
                found.push(*name);
            }
        }
    }
    found
}
