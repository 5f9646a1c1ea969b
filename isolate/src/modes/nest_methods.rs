//! The methods of a nest that know the subject.
//!
//! Classes of one nest share private members. A method of one that acts on an object of another is a unit of the latter
//! as its own methods are. But a nest may also be a drawer of classes that know each other by interfaces only, such as
//! `java.util.Collections`.
//!
//! **Definition.** A method *knows* the subject if
//!
//! - it belongs to one of the subject's classes, or to a class that code of these names, such as their iterators;
//! - it names one of the subject's classes: as the class of a member, in the type of a field or in its descriptor;
//! - it calls, or makes a function of, a method of the nest that does, as the class file resolves it.
//!
//! Rule [`UnrelatedMethods`](crate::Rule::UnrelatedMethods): a method of the nest that does not know the subject is no
//! entry. *Why nothing is lost.* Such a method reaches the object by the type of an interface, of a library class or of
//! a parameter, and calls there what every client can call. Other entries make the same calls, so no interfering step
//! is missing. That several such calls are no unit is as with clients: nothing in the class promises it.

use java::{CallSiteAction, ClassId, Instruction, Lookup, Member, MethodId, Name, Program, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// The methods of a nest that know a subject of these classes. Linear in the code of the nest.
pub(crate) fn knowing_methods(
    program: &Program,
    classes: &FxHashSet<ClassId>,
    nest: &FxHashSet<ClassId>,
) -> FxHashSet<MethodId> {
    let names: FxHashSet<Name> = classes.iter().map(|class| program.class(*class).name).collect();
    let mut named: FxHashSet<Name> = FxHashSet::default();
    let mut callers: FxHashMap<MethodId, Vec<MethodId>> = FxHashMap::default();
    let mut open: Vec<MethodId> = Vec::new();
    let methods: Vec<MethodId> = nest.iter().flat_map(|class| program.class(*class).methods()).collect();
    for method in &methods {
        let uses = Uses::of(program, *method);
        let is_own = classes.contains(&program.method(*method).class);
        if is_own || uses.names.iter().any(|name| names.contains(name)) {
            open.push(*method);
        }
        if is_own {
            named.extend(uses.names);
        }
        for called in uses.methods {
            callers.entry(called).or_default().push(*method);
        }
    }
    open.extend(methods.iter().filter(|method| named.contains(&program.class(program.method(**method).class).name)));
    let mut knowing = FxHashSet::default();
    while let Some(method) = open.pop() {
        if knowing.insert(method) {
            open.extend(callers.get(&method).into_iter().flatten());
        }
    }
    knowing
}

/// The classes that a method names, and the methods that it calls or makes functions of, as the class file resolves
/// them.
#[derive(Default)]
struct Uses {
    names: Vec<Name>,
    methods: Vec<MethodId>,
}

impl Uses {
    fn of(program: &Program, method: MethodId) -> Self {
        let mut uses = Self::default();
        uses.add_descriptor(program, program.method(method).descriptor);
        let Ok(Some(code)) = program.code(method) else { return uses };
        for (_, instruction) in code.instructions() {
            match instruction {
                Instruction::GetField(field)
                | Instruction::PutField(field)
                | Instruction::GetStatic(field)
                | Instruction::PutStatic(field) => {
                    uses.names.push(field.class);
                    uses.add_type(program.field_type(field.descriptor));
                }
                Instruction::Invoke(_, member) => uses.add_method(program, member),
                Instruction::InvokeDynamic(site) => {
                    if let CallSiteAction::Lambda { implementation, .. } = code.call_site(site).action {
                        uses.add_method(program, implementation.member);
                    }
                }
                Instruction::New(class) => uses.names.push(class),
                Instruction::CheckCast(of) | Instruction::InstanceOf(of) => uses.add_type(Some(of)),
                _ => {}
            }
        }
        uses
    }

    fn add_method(&mut self, program: &Program, member: Member) {
        self.names.push(member.class);
        self.add_descriptor(program, member.descriptor);
        if let Lookup::Found(method) = program.resolve_method(member) {
            self.names.push(program.class(program.method(method).class).name);
            self.methods.push(method);
        }
    }

    fn add_descriptor(&mut self, program: &Program, descriptor: Name) {
        if let Some(types) = program.method_type(descriptor) {
            types.parameters.iter().for_each(|of| self.add_type(Some(*of)));
            self.add_type(program.result_type(descriptor));
        }
    }

    fn add_type(&mut self, of: Option<Type>) {
        if let Some(Type::Class(name)) = of {
            self.names.push(name);
        }
    }
}
