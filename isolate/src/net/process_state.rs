//! State of the process: state of the Java library that no object of the program holds, and that static methods reach.
//!
//! Examples are system properties, the default locale, `System.out`, and the default handler of uncaught exceptions. No
//! location of a model stands for such state, so a model says nothing about it.
//!
//! **Definition.** A statement *changes the process* if it may run a row with the word `global`, or if it calls a
//! static method of the Java library whose code is not given and for which the table has no row. A class changes the
//! process if such a statement is in a method that belongs to the class, or that runs for one, over the call graph.
//!
//! **Rule.** A class that changes the process is not proved. *Why it suffices.* An interleaving of units of a class in
//! which one sees state of the process that another one has changed has a statement that changes it, in a unit of the
//! class. A class that only reads such state sees changes of other code, which belong to the units of that code.
//!
//! A class that accesses members by name ([`reflects`](java::library::Traits::reflects)) in its own code is not proved
//! either: it may access its own. Deeper code is assumed to do so with other objects.
//!
//! A class with a finalizer in a class that clients cannot name is not proved, as the virtual machine runs it at any
//! time.
//!
//! **Limits.** Static methods of other libraries that are not given are assumed to have no state. So are files.

use super::accesses::rows;
use super::{Code, Uncovered, reached, statements, uncovered_at};
use java::ir::{Body, Operation, StatementId};
use java::{ClassId, InvokeKind, Member, MethodId};
use std::collections::BTreeSet;

/// The packages of the Java library.
const LIBRARY: [&str; 5] = ["java/", "javax/", "jdk/", "sun/", "com/sun/"];

/// Returns the statements that change the process in these methods and those that they run.
pub(crate) fn changes_of_process(code: Code<'_>, class: ClassId, methods: &BTreeSet<MethodId>) -> Vec<Uncovered> {
    let hidden = methods.iter().filter(|method| is_finalizer(code, **method, class));
    let mut found: Vec<Uncovered> =
        hidden.map(|method| uncovered_at(code, *method, None, "the run of a finalizer".into())).collect();
    for method in reached(code, methods.iter().copied()) {
        let Some(body) = code.body(method) else { continue };
        for at in statements(&body) {
            let global = changes_process(code, &body, at);
            let by_name = || reflects(code, &body, at).filter(|_| methods.contains(&method));
            let what = match global {
                Some(called) => Some(format!("state of the process, which {called} changes")),
                None => by_name().map(|called| format!("members that {called} finds by name")),
            };
            found.extend(what.map(|what| uncovered_at(code, method, Some(at), what)));
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Whether a method is the finalizer of another class than this one.
fn is_finalizer(code: Code<'_>, method: MethodId, class: ClassId) -> bool {
    let declared = code.program.method(method);
    let [name, descriptor] = [declared.name, declared.descriptor].map(|it| code.program.text(it));
    [name, descriptor] == ["finalize", "()V"] && declared.has_code() && declared.class != class
}

/// The library method by which a statement changes the process, if it does.
fn changes_process(code: Code<'_>, body: &Body, at: StatementId) -> Option<String> {
    let Operation::Invoke { kind, member, arguments } = &body.statement(at).operation else { return None };
    let callees = code.points.callees(body.method, at)?;
    let is_global = || rows(code, body, *kind, *member, arguments).iter().any(|row| row.traits.global);
    let is_change = callees.rows && is_global() || callees.unknown && is_static_of_library(code, *kind, *member);
    is_change.then(|| called_name(code, *member))
}

/// The library method by which a statement accesses members by name, if it does.
fn reflects(code: Code<'_>, body: &Body, at: StatementId) -> Option<String> {
    let Operation::Invoke { kind, member, arguments } = &body.statement(at).operation else { return None };
    let mut rows = rows(code, body, *kind, *member, arguments).into_iter();
    rows.any(|row| row.traits.reflects).then(|| called_name(code, *member))
}

fn called_name(code: Code<'_>, member: Member) -> String {
    let [class, name] = [member.class, member.name].map(|name| code.program.text(name));
    format!("`{}.{name}`", class.rsplit(['/', '$']).next().unwrap_or(class))
}

fn is_static_of_library(code: Code<'_>, kind: InvokeKind, member: Member) -> bool {
    let class = code.program.text(member.class);
    kind == InvokeKind::Static && LIBRARY.iter().any(|package| class.starts_with(package))
}
