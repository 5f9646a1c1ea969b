//! What is a unit of work on the static fields of a class, and what counts, as `docs/java.md` says it.
//!
//! A unit of work is the outermost call of a method of the class, or of a class inside it, that is not private. Any
//! thread may call any method that reaches the static fields and is not private: those of the class's nest, those that
//! use the fields themselves, and those that call such a method that is private. What a method does counts if it is
//! such an entry, or is called by one that counts, and is of a class that uses the static fields: that others do not
//! call back is assumed. So is that what a static field holds is reached through this field only.

use super::machine::{Access, Cell, Machine, Origin};
use super::watch::{Location, inner_classes};
use asercheck::java::{CallSiteAction, ClassId, Instruction, MethodId, Name, Program};
use std::collections::BTreeSet;

/// The static fields of a class.
pub struct Statics {
    class: ClassId,
    units: BTreeSet<MethodId>,
    entries: BTreeSet<MethodId>,
    /// The methods of the classes that use them.
    called: BTreeSet<MethodId>,
}

impl Statics {
    /// Those of a class.
    pub fn new(machine: &Machine<'_>, class: ClassId) -> Self {
        let program = machine.program;
        let nest = nest(program, class);
        let uses = |method: &MethodId| {
            nest.contains(&program.method(*method).class)
                || instructions(program, *method).iter().any(|instruction| match instruction {
                    Instruction::GetStatic(member) | Instruction::PutStatic(member) => {
                        machine.field(*member).is_ok_and(|field| program.field(field).class == class)
                    }
                    _ => false,
                })
        };
        let all: Vec<MethodId> = program.methods().map(|(id, _)| id).collect();
        let direct: BTreeSet<MethodId> = all.iter().copied().filter(uses).collect();
        let users: BTreeSet<ClassId> = direct.iter().map(|method| program.method(*method).class).collect();
        let entries = entries(program, &all, direct);
        let mut inside = inner_classes(program, class);
        inside.push(class);
        let units = entries.iter().copied().filter(|method| inside.contains(&program.method(*method).class)).collect();
        let called = all.into_iter().filter(|method| users.contains(&program.method(*method).class)).collect();
        Self { class, units, entries, called }
    }

    /// What clients may call: units of work, and the rest.
    pub fn methods(&self) -> (Vec<MethodId>, Vec<MethodId>) {
        self.entries.iter().partition(|method| self.units.contains(method))
    }

    /// Whether a call is a unit of work, unless it is in one.
    pub(super) fn is_unit(&self, method: MethodId) -> bool {
        self.units.contains(&method)
    }

    /// Whether any thread may call a method.
    pub(super) fn is_entry(&self, method: MethodId) -> bool {
        self.entries.contains(&method)
    }

    /// Whether a method counts that is called by one that does.
    pub(super) fn is_called(&self, method: MethodId) -> bool {
        self.called.contains(&method)
    }

    /// What is accessed, if it is a static field or what it holds.
    pub(super) fn location(&self, program: &Program, access: Access) -> Option<Location> {
        let is_own = |field| program.field(field).class == self.class;
        match (access.cell, access.origin) {
            (Cell::Static(field), _) if is_own(field) => Some(Location::Own(field)),
            (Cell::Element(of, index), Origin::Static(by)) if is_own(by) => Some(Location::Element(by, of, index)),
            _ => None,
        }
    }
}

/// The methods that are not private and reach the static fields.
fn entries(program: &Program, all: &[MethodId], direct: BTreeSet<MethodId>) -> BTreeSet<MethodId> {
    let mut reaching = direct;
    loop {
        let is_private = |method: &&MethodId| program.method(**method).flags.is_private();
        let hidden: BTreeSet<(Name, Name)> = reaching
            .iter()
            .filter(is_private)
            .map(|method| (program.method(*method).name, program.method(*method).descriptor))
            .collect();
        let calls = |method: &&MethodId| called(program, **method).iter().any(|called| hidden.contains(called));
        let more: Vec<MethodId> =
            all.iter().filter(|method| !reaching.contains(method)).filter(calls).copied().collect();
        if more.is_empty() {
            break;
        }
        reaching.extend(more);
    }
    reaching.retain(|method| {
        let declared = program.method(*method);
        let is_hidden = declared.flags.is_private() || declared.flags.is_synthetic() || !declared.has_code();
        !is_hidden && !program.text(declared.name).starts_with('<')
    });
    reaching
}

/// The classes that can use what is private in a class: names are the same up to the first `$`.
fn nest(program: &Program, class: ClassId) -> BTreeSet<ClassId> {
    let outermost = |class: ClassId| program.text(program.class(class).name).split('$').next();
    program.classes().map(|(id, _)| id).filter(|other| outermost(*other) == outermost(class)).collect()
}

fn instructions(program: &Program, method: MethodId) -> Vec<Instruction> {
    let code = program.code(method).ok().flatten();
    code.iter().flat_map(|code| code.instructions()).map(|(_, instruction)| instruction).collect()
}

/// The names and descriptors of the methods that a method calls or makes a lambda of.
fn called(program: &Program, method: MethodId) -> Vec<(Name, Name)> {
    let Some(code) = program.code(method).ok().flatten() else { return Vec::new() };
    let called = code.instructions().filter_map(|(_, instruction)| match instruction {
        Instruction::Invoke(_, member) => Some((member.name, member.descriptor)),
        Instruction::InvokeDynamic(site) => match code.call_site(site).action {
            CallSiteAction::Lambda { implementation, .. } => {
                Some((implementation.member.name, implementation.member.descriptor))
            }
            _ => None,
        },
        _ => None,
    });
    called.collect()
}
