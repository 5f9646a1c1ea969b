//! Which methods may find the object that is followed without getting it: `peer.count`, where `peer` is a field.
//!
//! Of a call of such a method nothing is known of the arguments, and yet it may act on the object. So these calls are followed
//! whatever their arguments are, and so are those of the methods that call them: else a unit of work would lack what
//! happens in them. Calls are looked for in the nest of the object's class; for others see "What is assumed" in `docs/java.md`.

use super::follow::Follower;
use super::reach::Signature;
use java::{ClassId, Instruction, Member, MethodId, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// The methods by which the object may be found.
#[derive(Debug, Default)]
pub(super) struct Leading {
    methods: FxHashSet<MethodId>,
    signatures: FxHashSet<Signature>,
}

impl Leading {
    /// Whether a call may run one of them.
    pub(super) fn has(&self, program: &Program, member: Member) -> bool {
        self.signatures.contains(&(member.name, member.descriptor))
            && program.resolve_method(member).found().is_some_and(|named| {
                self.methods.contains(&named)
                    || program.overriders(named).methods.iter().any(|method| self.methods.contains(method))
            })
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

    /// These methods and those of the nest that lead to them: they call a method of the same name and types. Linear in the nest's code.
    pub(super) fn leading_to(&mut self, found: &[MethodId]) -> Leading {
        let program = self.context.program;
        let mut nest: Vec<ClassId> =
            self.classes.iter().flat_map(|class| self.context.facts.nest(program, *class)).copied().collect();
        nest.sort_unstable();
        nest.dedup();
        let mut callers: FxHashMap<Signature, Vec<MethodId>> = FxHashMap::default();
        for method in nest.into_iter().flat_map(|class| program.class(class).methods()) {
            let Some(body) = self.body(method) else { continue };
            for (_, instruction) in body.code.instructions() {
                if let Instruction::Invoke(_, member) = instruction {
                    callers.entry((member.name, member.descriptor)).or_default().push(method);
                }
            }
        }
        let mut open = found.to_vec();
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
