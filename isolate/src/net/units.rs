//! Units that a model lacks.
//!
//! Clients call the public and protected methods of a class. If one of them leads to a statement that touches the
//! subject, it has to be queried. Clients also call the methods that the class has from the library. If one of them
//! calls own methods of the class at least twice ([`own_calls`]; for other classes, by its row), and these lead to
//! touching statements, one queried unit has to call all of them.

use super::Code;
use super::reachable::library_supertypes;
use crate::graph::Covered;
use java::library::{Action, Row, Source, Subject, TRAVERSAL, Thread, own_calls};
use java::{ClassId, Lookup, MethodId};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The units of an object of a class with these methods that a model lacks, each with a method that it runs.
pub(super) fn missed(
    code: Code<'_>,
    (class, callable): (ClassId, &[MethodId]),
    covered: &Covered,
    touching: FxHashSet<MethodId>,
) -> Vec<(MethodId, String)> {
    let leading = callers(code, touching);
    let own: Vec<MethodId> = callable.iter().copied().filter(|method| leading.contains(method)).collect();
    let not_queried = own.iter().filter(|method| !covered.queried.contains(method));
    let mut found: Vec<(MethodId, String)> = not_queried.map(|method| (*method, "a call by clients".into())).collect();
    for (name, called) in inherited(code, class, callable, &own) {
        let is_known = covered.inherited.iter().any(|unit| unit.is_superset(&called));
        if let (false, Some(first)) = (is_known, called.first()) {
            found.push((*first, format!("the calls by `{name}`")));
        }
    }
    found
}

/// The methods of the library that clients call on an object of a class, with those of these own methods that they
/// call if they make two calls.
fn inherited(
    code: Code<'_>,
    class: ClassId,
    callable: &[MethodId],
    own: &[MethodId],
) -> Vec<(String, BTreeSet<MethodId>)> {
    let declared = |method: &MethodId| {
        let declared = code.program.method(*method);
        (code.program.text(declared.name), code.program.text(declared.descriptor))
    };
    let is_of = |method: &MethodId, signature: &str| {
        let (name, descriptor) = declared(method);
        let parameters = descriptor.split_inclusive(')').next();
        signature.strip_prefix(name).is_some_and(|rest| Some(rest) == parameters)
    };
    let mut found = Vec::new();
    let mut known: FxHashSet<&str> = FxHashSet::default();
    for above in library_supertypes(code, class) {
        let shown = |name: &str| format!("{}.{name}", above.rsplit(['/', '$']).next().unwrap_or(above));
        match own_calls(above) {
            Some(methods) => {
                for method in methods.iter().filter(|method| known.insert(&method.signature) && method.is_public) {
                    if callable.iter().any(|own| is_of(own, &method.signature)) {
                        continue;
                    }
                    let (mut called, mut count) = (BTreeSet::new(), 0);
                    for call in &method.calls {
                        let first = call.path.first();
                        for own in own.iter().filter(|own| first.is_some_and(|signature| is_of(own, signature))) {
                            called.insert(*own);
                            count += if call.is_repeated { 2 } else { 1 };
                        }
                    }
                    found.extend((count > 1).then(|| (shown(&method.signature), called)));
                }
            }
            None => {
                let overrides = |name: &str, is_meant: &dyn Fn(&str) -> bool| {
                    callable.iter().map(declared).any(|(own, descriptor)| own == name && is_meant(descriptor))
                };
                let rows = code.library.rows_of_class(above, overrides);
                for (name, row) in rows.into_iter().filter(|(name, _)| *name != "*") {
                    let names = called_of_this(&row);
                    let is_called = |method: &&MethodId| names.iter().any(|name| **name == *declared(method).0);
                    let called: BTreeSet<MethodId> = own.iter().filter(is_called).copied().collect();
                    found.extend((!called.is_empty()).then(|| (shown(name), called)));
                }
            }
        }
    }
    found
}

/// Some methods, and those that may run them.
fn callers(code: Code<'_>, mut found: FxHashSet<MethodId>) -> FxHashSet<MethodId> {
    let mut open: Vec<MethodId> = found.iter().copied().collect();
    while let Some(method) = open.pop() {
        let callers = code.points.callers(method).iter().map(|site| site.method);
        open.extend(callers.filter(|caller| found.insert(*caller)));
    }
    found
}

/// The methods with code that clients can call on an object of exactly this class, without constructors.
pub(super) fn callable(code: Code<'_>, class: ClassId) -> Vec<MethodId> {
    let program = code.program;
    let is_callable = |method: &MethodId| {
        let declared = program.method(*method);
        let is_open = declared.flags.is_public() || declared.flags.is_protected();
        let is_plain = !declared.flags.is_synthetic() && !program.text(declared.name).starts_with('<');
        let is_selected = || program.resolve_in(class, declared.name, declared.descriptor) == Lookup::Found(*method);
        is_open && is_plain && declared.has_code() && is_selected()
    };
    let mut found: Vec<MethodId> =
        program.supertypes(class).into_iter().flat_map(|of| program.class(of).methods()).filter(is_callable).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The names of the methods that a row calls on the receiver.
fn called_of_this(row: &Row<'_>) -> Vec<Box<str>> {
    let of_action = |action: &Action| match action {
        Action::Traverses { whom: Subject::This, method, .. } => {
            TRAVERSAL.into_iter().map(Into::into).chain(method.clone()).collect()
        }
        // A thread that runs a method is an entry as well.
        Action::Calls(call) if call.whom == Source::Itself(Subject::This) && call.thread == Thread::Caller => {
            call.method.clone().into_iter().collect()
        }
        _ => Vec::new(),
    };
    row.actions.iter().flat_map(of_action).collect()
}
