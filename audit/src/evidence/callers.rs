//! The call sites of methods and the access sites of fields, each with whether a lock is held there.
//!
//! A method that only the program can call, and always under a lock, is safe from callers without the lock: its callers
//! guarantee thread safety. The locks of several callers are not shown to be the same. A method that only the program
//! calls is not called by clients: its violations occur in calls of its callers, unless these exclude them. A method
//! that is called on new objects only initializes them. All this is evidence for the order of a report, never for a
//! verdict.

use java::ir::{Bodies, Body, Definition, Operation, Variable};
use java::{ClassId, FieldId, Instruction, InvokeKind, Member, MethodId, Program};
use std::collections::{BTreeSet, HashMap};

/// A call of a method, or an access of a field.
#[derive(Clone, Copy, Debug)]
struct Site {
    /// The method that contains it.
    method: MethodId,
    /// Whether the method is synchronized, or holds a monitor or lock there, counted in the order of its code.
    is_locked: bool,
}

/// The calls of all methods, and the accesses of all fields outside constructors.
#[derive(Debug, Default)]
pub(super) struct Callers {
    sites: HashMap<MethodId, Vec<Site>>,
    accesses: HashMap<FieldId, Vec<Site>>,
}

impl Callers {
    /// Collects the sites of a program. Linear in its code. Locks are counted in the order of the instructions, so a
    /// call after an early exit of a block counts as one without the lock.
    pub(super) fn of(program: &Program) -> Self {
        let mut sites: HashMap<MethodId, Vec<Site>> = HashMap::new();
        let mut accesses: HashMap<FieldId, Vec<Site>> = HashMap::new();
        for (method, declared) in program.methods() {
            let Ok(Some(code)) = program.code(method) else { continue };
            let mut depth = 0_usize;
            for (_, instruction) in code.instructions() {
                let site = Site { method, is_locked: depth > 0 || declared.flags.is_synchronized() };
                match instruction {
                    Instruction::MonitorEnter => depth += 1,
                    Instruction::MonitorExit => depth = depth.saturating_sub(1),
                    Instruction::Invoke(_, member) => match takes_explicit_lock(program, member) {
                        Some(true) => depth += 1,
                        Some(false) => depth = depth.saturating_sub(1),
                        None => {
                            let Some(callee) = program.resolve_method(member).found() else { continue };
                            sites.entry(callee).or_default().push(site);
                        }
                    },
                    Instruction::GetField(field)
                    | Instruction::PutField(field)
                    | Instruction::GetStatic(field)
                    | Instruction::PutStatic(field)
                        if !program.is_constructor(method) =>
                    {
                        let Some(field) = program.resolve_field(field).found() else { continue };
                        accesses.entry(field).or_default().push(site);
                    }
                    _ => {}
                }
            }
        }
        Self { sites, accesses }
    }

    /// Whether at least two thirds of the accesses of a field, at least [`GUARDED_ACCESSES`], but not all, are made
    /// under a lock. Linear in its accesses, and for each in the calls that lead to it.
    pub(super) fn is_guarded_elsewhere(&self, program: &Program, field: FieldId) -> bool {
        let accesses = self.accesses.get(&field).map_or(&[][..], Vec::as_slice);
        let is_guarded = |access: &&Site| {
            access.is_locked || is_internal(program, access.method) && self.is_called_under_lock(program, access.method)
        };
        let guarded = accesses.iter().filter(is_guarded).count();
        guarded >= GUARDED_ACCESSES && 3 * guarded >= 2 * accesses.len() && guarded < accesses.len()
    }

    /// Whether an access of a field is made under a lock. Linear in its accesses, and for each in the calls that lead
    /// to it.
    pub(super) fn is_ever_guarded(&self, program: &Program, field: FieldId) -> bool {
        self.accesses.get(&field).into_iter().flatten().any(|access| {
            access.is_locked || is_internal(program, access.method) && self.is_called_under_lock(program, access.method)
        })
    }

    /// The methods that access a field, without constructors.
    pub(super) fn accessing(&self, field: FieldId) -> BTreeSet<MethodId> {
        self.accesses.get(&field).into_iter().flatten().map(|access| access.method).collect()
    }

    /// The calls of a method, or of a method that it overrides.
    fn sites_of<'a>(&'a self, program: &'a Program, method: MethodId) -> impl Iterator<Item = Site> + 'a {
        declarations(program, method)
            .into_iter()
            .flat_map(|method| self.sites.get(&method).into_iter().flatten())
            .copied()
    }

    /// Whether a method is not public and the program calls it.
    pub(super) fn is_called_internally(&self, program: &Program, method: MethodId) -> bool {
        let is_hidden = |method: MethodId| !program.method(method).flags.is_public();
        !program.is_constructor(method)
            && declarations(program, method).into_iter().all(is_hidden)
            && self.sites_of(program, method).next().is_some()
    }

    /// Whether the program calls a method, and only on new objects: in constructors, on objects that the caller has
    /// allocated, or in other such methods. Linear in the code of its callers.
    pub(super) fn is_set_up_only(&self, program: &Program, bodies: &Bodies<'_>, method: MethodId) -> bool {
        let mut seen = BTreeSet::from([method]);
        let mut open = vec![method];
        while let Some(method) = open.pop() {
            let mut is_called = false;
            for site in self.sites_of(program, method) {
                is_called = true;
                let is_new = program.is_constructor(site.method)
                    || bodies
                        .get(site.method, &|| false)
                        .ok()
                        .flatten()
                        .is_some_and(|body| calls_of_new_only(program, &body, method));
                if !is_new && seen.insert(site.method) {
                    if program.method(site.method).flags.is_public() {
                        return false;
                    }
                    open.push(site.method);
                }
            }
            if !is_called {
                return false;
            }
        }
        true
    }

    /// Whether a method is called only under a lock, by constructors, or by other such methods, and at least once under
    /// a lock. Linear in the calls that lead to it.
    pub(super) fn is_called_under_lock(&self, program: &Program, method: MethodId) -> bool {
        let mut seen = BTreeSet::from([method]);
        let mut open = vec![method];
        let mut is_locked_once = false;
        while let Some(method) = open.pop() {
            let sites = self.sites.get(&method).map_or(&[][..], Vec::as_slice);
            if !is_internal(program, method) || sites.is_empty() {
                return false;
            }
            for site in sites {
                is_locked_once |= site.is_locked;
                if !site.is_locked && !program.is_constructor(site.method) && seen.insert(site.method) {
                    open.push(site.method);
                }
            }
        }
        is_locked_once
    }
}

/// From this number of accesses under a lock on, a field counts as guarded by it.
const GUARDED_ACCESSES: usize = 3;

/// A method, and the methods of given classes and interfaces that it overrides.
fn declarations(program: &Program, method: MethodId) -> Vec<MethodId> {
    let declared = program.method(method);
    let above = program.supertypes(declared.class).into_iter();
    let same = above.filter_map(|class| program.declared_method(class, declared.name, declared.descriptor));
    let mut all: Vec<MethodId> = same.filter(|other| !program.method(*other).flags.is_static()).collect();
    all.push(method);
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether a body calls a method, and only on objects that it has allocated.
fn calls_of_new_only(program: &Program, body: &Body, method: MethodId) -> bool {
    let called = program.method(method);
    let calls =
        body.blocks().flat_map(|(_, block)| &block.statements).filter_map(|statement| match &statement.operation {
            Operation::Invoke { kind, member, arguments }
                if *kind != InvokeKind::Static
                    && member.name == called.name
                    && member.descriptor == called.descriptor =>
            {
                arguments.first().copied()
            }
            _ => None,
        });
    let receivers: Vec<Variable> = calls.collect();
    !receivers.is_empty() && receivers.into_iter().all(|receiver| is_new(body, receiver))
}

fn is_new(body: &Body, of: Variable) -> bool {
    match body.variable(of).definition {
        Definition::Statement(id) => matches!(body.statement(id).operation, Operation::New(_)),
        _ => false,
    }
}

/// Whether a body starts its receiver, or passes it to a new thread or to an executor.
pub(super) fn starts_itself(program: &Program, body: &Body) -> bool {
    const RUNNERS: [&str; 3] = ["execute", "submit", "schedule"];
    let receiver = body.parameters.first();
    body.blocks().flat_map(|(_, block)| &block.statements).any(|statement| match &statement.operation {
        Operation::Invoke { member, arguments, .. } if arguments.iter().any(|it| Some(it) == receiver) => {
            let (owner, name) = (program.text(member.class), program.text(member.name));
            let is_made = owner == "java/lang/Thread" && name == "<init>" && arguments.first() != receiver;
            let is_given = owner.starts_with("java/util/concurrent/") && RUNNERS.contains(&name);
            is_made || is_given || name == "start"
        }
        _ => false,
    })
}

/// Methods of `Object` that a class can override; any code may call them.
const OBJECT_METHODS: [&str; 5] = ["equals", "hashCode", "toString", "finalize", "clone"];

/// Whether only the program can call a method: the method, or its class with all subclasses, is not public, and it
/// overrides no method of a superclass or an interface.
pub(super) fn is_internal(program: &Program, method: MethodId) -> bool {
    let declared = program.method(method);
    let class = program.class(declared.class);
    let is_public = |class: ClassId| program.class(class).flags.is_public();
    if declared.flags.is_public() && program.subtypes(declared.class).into_iter().any(is_public) {
        return false;
    }
    // A method that implements one of an interface is public.
    let interfaces = class.interfaces.iter().copied().filter(|_| declared.flags.is_public());
    let mut above = class.superclass.into_iter().chain(interfaces);
    above.all(|name| match program.named(name) {
        Some(class) => program.resolve_in(class, declared.name, declared.descriptor).found().is_none(),
        None if declared.flags.is_private() => true,
        // Methods of other classes that are not given are unknown.
        None => program.text(name) == "java/lang/Object" && !OBJECT_METHODS.contains(&program.text(declared.name)),
    })
}

/// Whether a call acquires an explicit lock (true) or releases it (false).
fn takes_explicit_lock(program: &Program, member: Member) -> Option<bool> {
    if !program.text(member.class).starts_with("java/util/concurrent/locks/") {
        return None;
    }
    match program.text(member.name) {
        "lock" | "lockInterruptibly" => Some(true),
        "unlock" => Some(false),
        _ => None,
    }
}
