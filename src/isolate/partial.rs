//! What is followed of a class that cannot be followed as a whole, as there are too many states.
//!
//! Calls of methods of other classes are left out then if more than [`FAR`] methods can be reached from what they run: such a call does what the table of
//! summaries says, else what any method does of which nothing is known. Calls of smaller ones are followed as ever, as they may be
//! what locks the object.
//!
//! A model without them does not have all interleavings, so nothing is safe in it: what is not violated is not decided. What is
//! violated in it is violated if the calls that are left out return, just as with methods of classes that are not given.

use super::follow::{Context, Follower};
use java::{CallSiteAction, Code, Instruction, Lookup, Member, MethodId, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// From a method that is followed, so many others are reached at most.
const FAR: usize = 20;

/// What is told of a model in which calls are left out.
const LEFT_OUT: &str = "calls of other classes are left out if much can be reached from them: what is not violated is not decided";

/// Which methods are left out, as far as it was asked.
#[derive(Debug, Default)]
pub(super) struct Partial {
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
        let is_own = self.classes.contains(&declared.class) || self.is_inside(method) || self.touching.contains(&method);
        let context = self.context;
        let is_left_out = !is_own && self.partial.as_mut().is_some_and(|partial| partial.is_far(context, method));
        if is_left_out {
            self.assume(LEFT_OUT);
        }
        !is_left_out
    }
}

impl Partial {
    /// Whether much can be reached from a method. Linear in the code of [`FAR`] methods.
    fn is_far(&mut self, context: Context<'_>, method: MethodId) -> bool {
        if let Some(known) = self.is_far.get(&method) {
            return *known;
        }
        let mut reached: FxHashSet<MethodId> = [method].into_iter().collect();
        let mut open = vec![method];
        while let Some(one) = open.pop() {
            let callees = self.callees.entry(one).or_insert_with(|| callees(context, one));
            open.extend(callees.iter().copied().filter(|callee| reached.insert(*callee)));
            if reached.len() > FAR {
                break;
            }
        }
        let is_far = reached.len() > FAR;
        self.is_far.insert(method, is_far);
        is_far
    }
}

/// What the calls and lambdas of a method can run, of the classes that are given and that the table does not have.
fn callees(context: Context<'_>, method: MethodId) -> Vec<MethodId> {
    let Context { program, summaries, .. } = context;
    let Ok(Some(code)) = program.code(method) else { return Vec::new() };
    let mut found = Vec::new();
    for (_, instruction) in code.instructions() {
        let Some((member, is_exact)) = called(&code, instruction) else { continue };
        if summaries.has_class(program.text(member.class)) {
            continue;
        }
        let Lookup::Found(resolved) = program.resolve_method(member) else { continue };
        found.extend(if is_exact { vec![resolved] } else { targets(program, resolved) });
        if found.len() > FAR {
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

fn targets(program: &Program, method: MethodId) -> Vec<MethodId> {
    let all = program.overriders(method).methods;
    all.into_iter().filter(|method| program.method(*method).has_code()).take(FAR + 1).collect()
}
