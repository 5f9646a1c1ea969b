//! Who calls the methods of a program, and whether they hold a lock there.
//!
//! A method that nobody outside of the program can call, and that is called only where a lock is held, is not broken by
//! callers without it; the claim of its class is kept by those who call it. That the locks of several callers are one
//! is not shown, so this is evidence for the order of a report, never for a verdict.

use java::{ClassId, Instruction, Member, MethodId, Program};
use std::collections::{BTreeSet, HashMap};

/// A call of a method.
#[derive(Clone, Copy, Debug)]
struct Site {
    caller: MethodId,
    /// Whether the caller is synchronized, or has entered a monitor or taken a lock before in its code.
    is_locked: bool,
}

/// The calls of all methods.
#[derive(Debug, Default)]
pub(super) struct Callers {
    sites: HashMap<MethodId, Vec<Site>>,
}

impl Callers {
    /// Of a program. Linear in its code. Locks are counted in the order of the instructions, so that a call behind an
    /// early exit of a block counts as one without the lock.
    pub(super) fn of(program: &Program) -> Self {
        let mut sites: HashMap<MethodId, Vec<Site>> = HashMap::new();
        for (caller, method) in program.methods() {
            let Ok(Some(code)) = program.code(caller) else { continue };
            let mut depth = 0_usize;
            for (_, instruction) in code.instructions() {
                match instruction {
                    Instruction::MonitorEnter => depth += 1,
                    Instruction::MonitorExit => depth = depth.saturating_sub(1),
                    Instruction::Invoke(_, member) => match explicit(program, member) {
                        Some(true) => depth += 1,
                        Some(false) => depth = depth.saturating_sub(1),
                        None => {
                            let Some(callee) = program.resolve_method(member).found() else { continue };
                            let is_locked = depth > 0 || method.flags.is_synchronized();
                            sites.entry(callee).or_default().push(Site { caller, is_locked });
                        }
                    },
                    _ => {}
                }
            }
        }
        Self { sites }
    }

    /// Whether a method is called only where a lock is held, by constructors, or by other such methods; and at least
    /// once where a lock is held. Linear in the calls that lead to it.
    pub(super) fn hold_a_lock(&self, program: &Program, method: MethodId) -> bool {
        let mut seen = BTreeSet::from([method]);
        let mut open = vec![method];
        let mut is_locked_once = false;
        while let Some(method) = open.pop() {
            let sites = self.sites.get(&method).map_or(&[][..], Vec::as_slice);
            if !is_inside(program, method) || sites.is_empty() {
                return false;
            }
            for site in sites {
                is_locked_once |= site.is_locked;
                if !site.is_locked && !program.is_constructor(site.caller) && seen.insert(site.caller) {
                    open.push(site.caller);
                }
            }
        }
        is_locked_once
    }
}

/// What a class inherits from `Object` and can declare anew; anybody may call it.
const OF_OBJECT: [&str; 5] = ["equals", "hashCode", "toString", "finalize", "clone"];

/// Whether only the program calls a method: it is not public, or its class and those that inherit it are not, and it
/// stands for no method of a superclass or an interface.
pub(super) fn is_inside(program: &Program, method: MethodId) -> bool {
    let declared = program.method(method);
    let class = program.class(declared.class);
    let is_public = |class: ClassId| program.class(class).flags.is_public();
    if declared.flags.is_public() && program.subtypes(declared.class).into_iter().any(is_public) {
        return false;
    }
    // What stands for a method of an interface is public.
    let interfaces = class.interfaces.iter().copied().filter(|_| declared.flags.is_public());
    let mut above = class.superclass.into_iter().chain(interfaces);
    above.all(|name| match program.named(name) {
        Some(class) => program.resolve_in(class, declared.name, declared.descriptor).found().is_none(),
        None if declared.flags.is_private() => true,
        // Of classes that are not given only the methods of this one are known.
        None => program.text(name) == "java/lang/Object" && !OF_OBJECT.contains(&program.text(declared.name)),
    })
}

/// Whether a call takes an explicit lock, or lets it go.
fn explicit(program: &Program, member: Member) -> Option<bool> {
    if !program.text(member.class).starts_with("java/util/concurrent/locks/") {
        return None;
    }
    match program.text(member.name) {
        "lock" | "lockInterruptibly" => Some(true),
        "unlock" => Some(false),
        _ => None,
    }
}
