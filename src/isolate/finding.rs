//! Which methods may find the object that is followed without getting it: `peer.count`, where `peer` is a field; and which do something to
//! the static fields that are followed, which nobody gets.
//!
//! Of a call of such a method nothing is known of the arguments, and yet it may act on the object. So these calls are followed
//! whatever their arguments are, and so are those of the methods that call them: else a unit of work would lack what
//! happens in them, and so are lambdas that run them. Calls are looked for in the nest of the object's class, of static fields in all classes that use them;
//! for others see "What is assumed" in `docs/java.md`.

use super::follow::Follower;
use super::reach::Signature;
use java::{CallSiteAction, ClassId, Instruction, Lookup, Member, MethodId, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// The methods by which the object may be found.
#[derive(Debug, Default)]
pub(super) struct Leading {
    methods: FxHashSet<MethodId>,
    signatures: FxHashSet<Signature>,
    /// Whether they may be called as methods of interfaces that are not given: `Runnable.run`.
    by_outside: bool,
}

impl Leading {
    /// Whether a call may run one of them.
    pub(super) fn has(&self, program: &Program, member: Member) -> bool {
        let signature = (member.name, member.descriptor);
        self.signatures.contains(&signature)
            && match program.resolve_method(member) {
                Lookup::Found(named) => {
                    self.methods.contains(&named)
                        || program.overriders(named).methods.iter().any(|method| self.methods.contains(method))
                }
                Lookup::Outside(_) | Lookup::Absent => {
                    let implements = |method: &MethodId| {
                        let method = program.method(*method);
                        (method.name, method.descriptor) == signature && program.extends(method.class, member.class)
                    };
                    self.by_outside && self.methods.iter().any(implements)
                }
            }
    }

    /// Whether a method is one of them that is run if a method of its name and types of an interface that is not given is called.
    pub(super) fn takes_place(&self, method: MethodId) -> bool {
        self.by_outside && self.methods.contains(&method)
    }
}

impl Follower<'_> {
    /// The methods of the object's class that may find it by themselves: they load a field, or get a result, of a type that it fits.
    pub(super) fn finding_methods(&mut self) -> Vec<MethodId> {
        let program = self.context.program;
        let mut classes: Vec<_> = self.classes.iter().copied().collect();
        classes.sort_unstable();
        let methods = classes.into_iter().flat_map(|class| program.class(class).methods());
        let finds = |method: &MethodId| {
            let body = self.body(*method);
            body.is_some_and(|body| body.code.instructions().any(|(_, instruction)| self.gives_object(instruction)))
        };
        methods.filter(finds).collect()
    }

    /// These methods and those of the object's nest that lead to them.
    pub(super) fn leading_to_object(&mut self, found: &[MethodId]) -> Leading {
        let program = self.context.program;
        let nests = self.classes.iter().flat_map(|class| self.context.facts.nest(program, *class));
        let nests = nests.copied().collect();
        Leading { by_outside: false, ..self.leading_to(found.to_vec(), nests) }
    }

    /// The methods that do something to the static fields, and those of their classes that lead to them.
    pub(super) fn leading_to_statics(&mut self) -> Leading {
        let program = self.context.program;
        let found: Vec<MethodId> = self.touching.iter().copied().collect();
        let users = found.iter().map(|method| program.method(*method).class).collect();
        Leading { by_outside: true, ..self.leading_to(found, users) }
    }

    /// These methods and those of some classes that lead to them: they call a method of the same name and types, or make a lambda of it. Linear in
    /// the code of the classes.
    fn leading_to(&mut self, mut open: Vec<MethodId>, mut classes: Vec<ClassId>) -> Leading {
        let program = self.context.program;
        classes.sort_unstable();
        classes.dedup();
        let mut callers: FxHashMap<Signature, Vec<MethodId>> = FxHashMap::default();
        for method in classes.into_iter().flat_map(|class| program.class(class).methods()) {
            let Some(body) = self.body(method) else { continue };
            for (_, instruction) in body.code.instructions() {
                let called = match instruction {
                    Instruction::Invoke(_, member) => member,
                    Instruction::InvokeDynamic(site) => match body.code.call_site(site).action {
                        CallSiteAction::Lambda { implementation, .. } => implementation.member,
                        _ => continue,
                    },
                    _ => continue,
                };
                callers.entry((called.name, called.descriptor)).or_default().push(method);
            }
        }
        let mut leading = Leading::default();
        while let Some(method) = open.pop() {
            if leading.methods.insert(method) {
                let signature = (program.method(method).name, program.method(method).descriptor);
                leading.signatures.insert(signature);
                open.extend(callers.remove(&signature).unwrap_or_default());
            }
        }
        leading
    }

    /// Whether an instruction gives a value that may be the object, by its type.
    fn gives_object(&self, instruction: Instruction) -> bool {
        let program = self.context.program;
        let given = match instruction {
            Instruction::GetField(member) => program.field_type(member.descriptor),
            Instruction::Invoke(_, member) => program.result_type(member.descriptor),
            Instruction::CheckCast(to) => Some(to),
            _ => None,
        };
        given.is_some_and(|of| self.may_be(of))
    }
}
