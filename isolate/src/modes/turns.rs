//! Signals of reactive streams.
//!
//! **Definition.** A *subscriber* is an object of a class that implements an interface for the receivers of a reactive
//! stream ([`RECEIVERS`]). Its *signals* are the calls of `onSubscribe`, `onNext`, `onError`, `onComplete` and
//! `onSuccess`.
//!
//! **Rule** [`Signals`](crate::Rule::Signals). The signals to one subscriber come one after the other: Reactive Streams
//! 1.0.4, rules 1.3 ("signaled serially") and 1.9; the contract of `Observer` in RxJava says the same. So each entry
//! that is a signal runs under a lock of the subscriber, which no other method takes: `request`, `cancel` and the
//! subscriber's tasks interfere as before. A class whose own signals enter monitors expects them from several threads:
//! the rule says nothing about it.

use super::client::Entry;
use super::entry_contexts::run_under;
use crate::Rule;
use crate::exec::interpreter::Interpreter;
use crate::graph::{ContextId, MethodContext};
use crate::value::{Lock, RegionId, Value};
use java::ir::{Body, Operation};
use java::{ClassId, MethodId, Program};
use std::collections::BTreeMap;

/// Interfaces of receivers, in order.
const RECEIVERS: [&str; 17] = [
    "io/reactivex/CompletableObserver",
    "io/reactivex/FlowableSubscriber",
    "io/reactivex/MaybeObserver",
    "io/reactivex/Observer",
    "io/reactivex/SingleObserver",
    "io/reactivex/rxjava3/core/CompletableObserver",
    "io/reactivex/rxjava3/core/FlowableSubscriber",
    "io/reactivex/rxjava3/core/MaybeObserver",
    "io/reactivex/rxjava3/core/Observer",
    "io/reactivex/rxjava3/core/SingleObserver",
    "java/util/concurrent/Flow$Processor",
    "java/util/concurrent/Flow$Subscriber",
    "org/reactivestreams/Processor",
    "org/reactivestreams/Subscriber",
    "reactor/core/CoreSubscriber",
    "rx/Observer",
    "rx/Subscriber",
];

/// Names of signals, in order.
const SIGNALS: [&str; 6] = ["onComplete", "onCompleted", "onError", "onNext", "onSubscribe", "onSuccess"];

/// Returns the entries; each signal gets a context of its own that runs it under the lock of its subscriber.
pub(super) fn serialize_signals(
    interpreter: &Interpreter<'_>,
    entries: BTreeMap<ContextId, Entry>,
    contexts: &mut Vec<MethodContext>,
) -> BTreeMap<ContextId, Entry> {
    if !interpreter.heap.modality.omits(Rule::Signals) {
        return entries;
    }
    let mut found = BTreeMap::new();
    for (context, entry) in entries {
        let signaled = signaled(interpreter, &contexts[context.index()]);
        let run = match signaled.filter(|_| contexts[context.index()].lock_effects.len() <= 1) {
            Some(subscriber) => {
                let title = format!("signal {}", entry.name);
                run_under(Lock::Signals(subscriber), context, &title, contexts)
            }
            None => context,
        };
        found.insert(run, entry);
    }
    found
}

/// The subscriber that gets a signal by a call of a method.
fn signaled(interpreter: &Interpreter<'_>, context: &MethodContext) -> Option<RegionId> {
    let program = interpreter.heap.program;
    let class = program.method(context.method).class;
    match context.arguments.first() {
        Some(Value::Region(region))
            if is_signal(program, context.method)
                && is_receiver(program, class)
                && !program.class(class).methods().any(|method| is_locking_signal(interpreter, method)) =>
        {
            Some(*region)
        }
        _ => None,
    }
}

fn is_signal(program: &Program, method: MethodId) -> bool {
    let declared = program.method(method);
    SIGNALS.binary_search(&program.text(declared.name)).is_ok() && !declared.flags.is_static()
}

/// Whether a method is a signal that enters a monitor.
fn is_locking_signal(interpreter: &Interpreter<'_>, method: MethodId) -> bool {
    let program = interpreter.heap.program;
    let enters = |body: &Body| {
        let mut statements = body.blocks().flat_map(|(_, block)| &*block.statements);
        statements.any(|statement| matches!(statement.operation, Operation::MonitorEnter(_)))
    };
    is_signal(program, method)
        && (program.method(method).flags.is_synchronized()
            || interpreter.heap.body(method).is_some_and(|body| enters(&body)))
}

/// Whether a class implements the interface of a receiver.
fn is_receiver(program: &Program, class: ClassId) -> bool {
    let is_one = |class: ClassId| {
        let declared = program.class(class);
        let names = declared.superclass.iter().chain(&declared.interfaces);
        names.map(|name| program.text(*name)).any(|name| RECEIVERS.binary_search(&name).is_ok())
    };
    program.supertypes(class).into_iter().any(is_one)
}
