//! What the whole program does with its fields, and who calls what is not public.

use java::{CallSiteAction, ClassId, FieldId, Instruction, Member, MethodId, Name, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// Facts about a program that all its subjects need.
#[derive(Debug)]
pub struct Facts {
    /// For each field, whether it is written outside of constructors.
    changes: Vec<bool>,
    /// The classes that call a method that is neither public nor private, by its name and descriptor, and the class of the receiver
    /// as the call names it.
    callers: FxHashMap<(Name, Name), FxHashSet<(ClassId, Name)>>,
    /// The classes of each nest, by its outermost class.
    nests: FxHashMap<String, Vec<ClassId>>,
}

impl Facts {
    /// Looks at all code once; linear in the program. Code that is damaged does nothing.
    pub fn new(program: &Program) -> Self {
        let fields = program.classes().map(|(_, class)| class.fields().len()).sum();
        let mut facts =
            Self { changes: vec![false; fields], callers: FxHashMap::default(), nests: FxHashMap::default() };
        for (id, class) in program.classes() {
            facts.nests.entry(outermost(program.text(class.name)).to_string()).or_default().push(id);
        }
        for (id, _) in program.methods() {
            facts.add(program, id);
        }
        facts
    }

    fn add(&mut self, program: &Program, id: MethodId) {
        let Ok(Some(code)) = program.code(id) else { return };
        let method = program.method(id);
        let name = program.text(method.name);
        for (_, instruction) in code.instructions() {
            match instruction {
                Instruction::PutField(member) | Instruction::PutStatic(member) => {
                    let is_static = matches!(instruction, Instruction::PutStatic(_));
                    let Some(field) = program.resolve_field(member).found() else { continue };
                    // A subclass's constructor writes it before anybody else has the object.
                    let is_initial = name == if is_static { "<clinit>" } else { "<init>" }
                        && program.is_subtype(method.class, program.field(field).class);
                    self.changes[field.index()] |= !is_initial;
                }
                Instruction::Invoke(_, member) => self.called(program, method.class, member),
                Instruction::InvokeDynamic(site) => {
                    if let CallSiteAction::Lambda { implementation, .. } = code.call_site(site).action {
                        self.called(program, method.class, implementation.member);
                    }
                }
                _ => {}
            }
        }
    }

    fn called(&mut self, program: &Program, caller: ClassId, member: Member) {
        let Some(called) = program.resolve_method(member).found() else { return };
        let flags = program.method(called).flags;
        if !flags.is_public() && !flags.is_private() {
            self.callers.entry((member.name, member.descriptor)).or_default().insert((caller, member.class));
        }
    }

    /// Whether a field holds different values in the course of time. A field that does not is the same whenever it is read, as
    /// far as constructors do not publish their object.
    pub fn changes(&self, field: FieldId, program: &Program) -> bool {
        !program.field(field).flags.is_final() && self.changes[field.index()]
    }

    /// Whether others than these classes, of which a method is declared in one, can call it: all can if it is public, those of
    /// its package that do if it is not.
    pub(super) fn is_called_by_others(
        &self,
        program: &Program,
        method: MethodId,
        classes: &FxHashSet<ClassId>,
    ) -> bool {
        let declared = program.method(method);
        if declared.flags.is_public() {
            return true;
        }
        let callers = self.callers.get(&(declared.name, declared.descriptor));
        callers.is_some_and(|callers| {
            let is_one = |receiver: Name| program.named(receiver).is_some_and(|class| classes.contains(&class));
            callers.iter().any(|(caller, receiver)| !classes.contains(caller) && is_one(*receiver))
        })
    }

    /// The classes that can use the private members of a class.
    pub(super) fn nest(&self, program: &Program, class: ClassId) -> &[ClassId] {
        self.nests.get(outermost(program.text(program.class(class).name))).map_or(&[], Vec::as_slice)
    }
}

/// The outermost class of a name: what stands before the first `$`, but for one at the start of a simple name.
fn outermost(name: &str) -> &str {
    let simple = name.rfind('/').map_or(0, |slash| slash + 1);
    let dollar = name[simple..].char_indices().skip(1).find(|(_, one)| *one == '$');
    dollar.map_or(name, |(at, _)| &name[..simple + at])
}
