//! What is followed of a class that cannot be followed as a whole, as there are too many states, or locks that do not nest.
//!
//! Calls of methods of other classes are left out then if much can be reached from what they run: such a call does what the table of
//! summaries says, else what any method does of which nothing is known. Calls of smaller methods are followed as ever, as they may be
//! what locks the object. If that is still too much, only methods are followed that reach nothing but themselves.
//!
//! A model without them does not have all interleavings, so nothing is safe in it: what is not violated is not decided. What is
//! violated in it is violated if the calls that are left out return, just as with methods of classes that are not given.

use super::follow::{Context, Follower};
use java::{CallSiteAction, Code, Instruction, Lookup, Member, MethodId, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// From a method of another class that is followed, so many methods are reached at most, itself counted: first, and if that is too much.
pub(super) const FAR: [usize; 2] = [20, 1];

/// What is told of a model in which calls are left out.
const LEFT_OUT: &str =
    "calls of other classes are left out if much can be reached from them: what is not violated is not decided";

/// Which methods are left out, as far as it was asked.
#[derive(Debug)]
pub(super) struct Partial {
    /// From those that are followed, so many are reached.
    most: usize,
    is_far: FxHashMap<MethodId, bool>,
    callees: FxHashMap<MethodId, Vec<MethodId>>,
}

impl Follower<'_> {
    /// Whether calls of a method are followed.
    pub(super) fn follows(&mut self, method: MethodId) -> bool {
        let declared = self.context.program.method(method);
        if !declared.has_code() {
            return false;
        }
        let is_own =
            self.classes.contains(&declared.class) || self.is_inside(method) || self.touching.contains(&method);
        let context = self.context;
        let is_left_out = !is_own && self.partial.as_mut().is_some_and(|partial| partial.is_far(context, method));
        if is_left_out {
            self.assume(LEFT_OUT);
        }
        !is_left_out
    }
}

impl Partial {
    /// Methods are followed from which so many are reached.
    pub(super) fn new(most: usize) -> Self {
        Self { most, is_far: FxHashMap::default(), callees: FxHashMap::default() }
    }

    /// Whether more methods can be reached from one. Linear in the code of as many.
    fn is_far(&mut self, context: Context<'_>, method: MethodId) -> bool {
        if let Some(known) = self.is_far.get(&method) {
            return *known;
        }
        let mut reached: FxHashSet<MethodId> = [method].into_iter().collect();
        let mut open = vec![method];
        while let Some(one) = open.pop() {
            let callees = self.callees.entry(one).or_insert_with(|| callees(context, one, self.most));
            open.extend(callees.iter().copied().filter(|callee| reached.insert(*callee)));
            if reached.len() > self.most {
                break;
            }
        }
        let is_far = reached.len() > self.most;
        self.is_far.insert(method, is_far);
        is_far
    }
}

/// What the calls and lambdas of a method can run, of the classes that are given and that the table does not have.
fn callees(context: Context<'_>, method: MethodId, most: usize) -> Vec<MethodId> {
    let Context { program, summaries, .. } = context;
    let Ok(Some(code)) = program.code(method) else { return Vec::new() };
    let mut found = Vec::new();
    for (_, instruction) in code.instructions() {
        let Some((member, is_exact)) = called(&code, instruction) else { continue };
        if summaries.has_class(program.text(member.class)) {
            continue;
        }
        let Lookup::Found(resolved) = program.resolve_method(member) else { continue };
        found.extend(if is_exact { vec![resolved] } else { targets(program, resolved, most) });
        if found.len() > most + 1 {
            break;
        }
    }
    found
}

/// What an instruction calls, and whether it is just that method.
fn called(code: &Code, instruction: Instruction) -> Option<(Member, bool)> {
    match instruction {
        Instruction::Invoke(kind, member) => {
            Some((member, matches!(kind, java::InvokeKind::Static | java::InvokeKind::Special)))
        }
        Instruction::InvokeDynamic(site) => match &code.call_site(site).action {
            CallSiteAction::Lambda { implementation, .. } => Some((implementation.member, false)),
            _ => None,
        },
        _ => None,
    }
}

fn targets(program: &Program, method: MethodId, most: usize) -> Vec<MethodId> {
    let all = &program.overriders(method).methods;
    all.iter().copied().filter(|method| program.method(*method).has_code()).take(most + 1).collect()
}
