//! Which methods of other classes reach into the object's class, and which reach static fields.

use super::follow::Context;
use java::{ClassId, Instruction, MethodId, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// The methods of other classes that use what is not for everybody: fields, or methods that are not public; of classes inside the
/// class, all methods. And those that call such methods: of these classes, or because they are not public.
///
/// A method that is not public is called by those that are found here only: so it is no entry itself, but followed from them,
/// with the locks that they hold.
pub(super) fn touching(context: Context<'_>, classes: &FxHashSet<ClassId>) -> FxHashSet<MethodId> {
    let Context { program, facts, .. } = context;
    let nest = classes.iter().flat_map(|class| facts.nest(program, *class));
    let others = nest.filter(|other| is_inside(program, **other, classes));
    let mut found = FxHashSet::default();
    let mut callers: FxHashMap<MethodId, Vec<MethodId>> = FxHashMap::default();
    let mut open: Vec<MethodId> = facts.users(program, classes).collect();
    for method in others.flat_map(|other| program.class(*other).methods()) {
        let Ok(Some(code)) = program.code(method) else { continue };
        for (_, instruction) in code.instructions() {
            let member = match instruction {
                Instruction::GetField(member) | Instruction::PutField(member) | Instruction::Invoke(_, member) => {
                    member
                }
                _ => continue,
            };
            if program.named(member.class).is_some_and(|class| classes.contains(&class)) {
                open.push(method);
            } else if let (Instruction::Invoke(..), Some(called)) =
                (instruction, program.resolve_method(member).found())
            {
                callers.entry(called).or_default().push(method);
            }
        }
    }
    while let Some(method) = open.pop() {
        if found.insert(method) {
            open.extend(callers.remove(&method).unwrap_or_default());
            if !program.method(method).flags.is_public() {
                let callers = facts.callers(program, method);
                open.extend(callers.filter(|caller| !classes.contains(&program.method(*caller).class)));
            }
        }
    }
    found
}

/// The methods by which static fields of a class are reached: those of the classes of its nest, and those of other classes that use them, or
/// call such a method that is private.
pub(super) fn reaching_statics(context: Context<'_>, class: ClassId) -> FxHashSet<MethodId> {
    let Context { program, facts, .. } = context;
    let mut found: FxHashSet<MethodId> =
        facts.nest(program, class).iter().flat_map(|class| program.class(*class).methods()).collect();
    let mut open: Vec<MethodId> = facts.static_users(program, class).collect();
    while let Some(method) = open.pop() {
        if found.insert(method) && program.method(method).flags.is_private() {
            open.extend(facts.callers(program, method));
        }
    }
    found
}

/// Whether a class is declared inside one of these: their names begin its own.
pub(super) fn is_inside(program: &Program, class: ClassId, classes: &FxHashSet<ClassId>) -> bool {
    let name = program.text(program.class(class).name);
    let begins = |outer: &ClassId| {
        let rest = name.strip_prefix(program.text(program.class(*outer).name));
        rest.is_some_and(|rest| rest.starts_with('$'))
    };
    !classes.contains(&class) && classes.iter().any(begins)
}
