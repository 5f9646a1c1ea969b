//! Methods of one object that run one after the other, by the contract of its type.
//!
//! **Definition.** A *subscriber* is an object of a class that implements an interface for the receivers of a reactive
//! stream ([`RECEIVERS`]). Its *signals* are the calls of `onSubscribe`, `onNext`, `onError`, `onComplete` and
//! `onSuccess`, and of the methods that one of these does nothing but call on the same object, as the default methods
//! of an interface do that gives signals other names.
//!
//! A queue has a *single producer* if the name of its class has the part `Spsc` or `Spmc`, and a *single consumer* if
//! it has `Spsc` or `Mpsc`: so the libraries that have such queues name them, and they are wrong for any other use.
//!
//! A *turn* of an object is a set of its methods that run one after the other: its signals ([`Rule::Signals`]), the
//! methods that insert into a queue with a single producer, and those that remove from one with a single consumer
//! ([`Rule::QueueRoles`]).
//!
//! **Rules.** The signals to one subscriber come one after the other: Reactive Streams 1.0.4, rules 1.3 ("signaled
//! serially") and 1.9; the contract of `Observer` in RxJava says the same. So each entry of a turn, and each call of
//! one by a class of another nest on another object, runs under a lock of this turn, which no other method takes:
//! `request`, `cancel` and the subscriber's tasks interfere as before, and so do the consumers of a queue with its
//! producers. A class whose own signals enter monitors expects them from several threads: the rule says nothing about
//! it. Calls by the nest of the object's class take no lock, as a task of the subscriber may wrongly send it a signal.
//!
//! *Why it suffices.* In each use by the contract, the methods of a turn do not overlap, so it is an execution in which
//! each acquires a lock at its begin and releases it at its end.

use super::client::Entry;
use crate::Rule;
use crate::exec::interpreter::Interpreter;
use crate::graph::{ContextId, MethodContext, Step};
use crate::value::{Lock, RegionId, Turn, Value};
use eml::model::Mode;
use java::ir::{Body, Definition, Operation};
use java::{ClassId, Member, MethodId, Program};
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

/// The turns of the methods of a program.
struct Turns<'i, 'p> {
    interpreter: &'i Interpreter<'p>,
    /// The turn of a method on an object of a class; found once.
    known: BTreeMap<(MethodId, Option<ClassId>), Option<Turn>>,
}

/// Returns the entries; each entry with a turn gets a context of its own that holds the lock of the turn, and so do
/// calls by other nests.
pub(super) fn take_turns(
    interpreter: &Interpreter<'_>,
    entries: BTreeMap<ContextId, Entry>,
    contexts: &mut Vec<MethodContext>,
) -> BTreeMap<ContextId, Entry> {
    if !interpreter.heap.modality.is_firm() {
        return entries;
    }
    let mut turns = Turns { interpreter, known: BTreeMap::new() };
    let made = contexts.len();
    let mut serial: BTreeMap<ContextId, ContextId> = BTreeMap::new();
    for context in entries.keys() {
        turns.serialize(*context, &mut serial, contexts);
    }
    for index in 0..made {
        for callee in turns.foreign_calls(&contexts[index], contexts) {
            turns.serialize(callee, &mut serial, contexts);
        }
    }
    for index in 0..contexts.len() {
        for callee in turns.foreign_calls(&contexts[index], contexts) {
            if let Some(run) = serial.get(&callee) {
                redirect(&mut contexts[index], callee, *run);
            }
        }
    }
    let run = |context: ContextId| serial.get(&context).copied().unwrap_or(context);
    entries.into_iter().map(|(context, entry)| (run(context), entry)).collect()
}

/// Lets a context call another one instead of a callee.
fn redirect(context: &mut MethodContext, callee: ContextId, run: ContextId) {
    for node in &mut context.flow.nodes {
        match node.step {
            Step::Call(called, exit) if called == callee => node.step = Step::Call(run, exit),
            _ => {}
        }
    }
}

impl Turns<'_, '_> {
    /// Adds a copy of a context that holds the lock of its turn, unless it has none or there is a copy.
    fn serialize(
        &mut self,
        context: ContextId,
        serial: &mut BTreeMap<ContextId, ContextId>,
        contexts: &mut Vec<MethodContext>,
    ) {
        if serial.contains_key(&context) || contexts[context.index()].lock_effects.len() > 1 {
            return;
        }
        let Some((object, turn)) = self.turn(&contexts[context.index()]) else { return };
        let run = under(Lock::Turn(object, turn), &contexts[context.index()]);
        let id = ContextId(u32::try_from(contexts.len()).expect("the number of states is bounded"));
        contexts.push(run);
        serial.insert(context, id);
    }

    /// The contexts with a turn that a context of another nest calls on another object.
    fn foreign_calls(&mut self, context: &MethodContext, contexts: &[MethodContext]) -> Vec<ContextId> {
        let mut found = Vec::new();
        for node in &context.flow.nodes {
            let Step::Call(callee, _) = node.step else { continue };
            let Some(called) = contexts.get(callee.index()) else { continue };
            let is_other = called.arguments.first() != context.arguments.first();
            if is_other && !found.contains(&callee) && self.turn(called).is_some() && self.are_apart(context, called) {
                found.push(callee);
            }
        }
        found
    }

    /// Whether the methods of two contexts are of different nests.
    fn are_apart(&self, one: &MethodContext, other: &MethodContext) -> bool {
        let program = self.interpreter.heap.program;
        let outermost = |context: &MethodContext| {
            let name = program.class_name(program.method(context.method).class);
            name.split('$').next().map(str::to_string)
        };
        outermost(one) != outermost(other)
    }

    /// The followed object and the turn of a context.
    fn turn(&mut self, context: &MethodContext) -> Option<(RegionId, Turn)> {
        let Some(Value::Region(object)) = context.arguments.first() else { return None };
        let class = Some(self.interpreter.mode.class).filter(|_| *object == RegionId::SUBJECT);
        let turn = match self.known.get(&(context.method, class)) {
            Some(known) => *known,
            None => {
                let found = turn_of(self.interpreter, context.method, class);
                self.known.insert((context.method, class), found);
                found
            }
        };
        turn.map(|turn| (*object, turn))
    }
}

/// Returns a copy of a context that holds a lock from its begin to its end.
fn under(lock: Lock, context: &MethodContext) -> MethodContext {
    let mut run = context.clone();
    let first = run.flow.nodes[0].clone();
    let begin = run.flow.add(first.step, first.line);
    run.flow.nodes[begin].next.clone_from(&first.next);
    for next in run.flow.nodes.iter_mut().flat_map(|node| &mut node.next).filter(|next| **next == 0) {
        *next = begin;
    }
    run.flow.nodes[0].step = Step::Acquire(lock, Mode::Write);
    run.flow.nodes[0].next = vec![begin];
    for node in 0..run.flow.nodes.len() {
        if matches!(run.flow.nodes[node].step, Step::Return(_)) {
            let end = run.flow.add(run.flow.nodes[node].step, run.flow.nodes[node].line);
            run.flow.nodes[node].step = Step::Release(lock, Mode::Write);
            run.flow.nodes[node].next = vec![end];
        }
    }
    run
}

/// The turn of a method on an object, whose class is given if it is known.
fn turn_of(interpreter: &Interpreter<'_>, method: MethodId, class: Option<ClassId>) -> Option<Turn> {
    let program = interpreter.heap.program;
    let declared = program.method(method);
    if declared.flags.is_static() || program.is_constructor(method) {
        return None;
    }
    let class = class.unwrap_or(declared.class);
    let omits = |rule: Rule| interpreter.heap.modality.omits(rule);
    if omits(Rule::QueueRoles)
        && let Some(turn) = turn_in_queue(&program.class_name(class), program.text(declared.name))
    {
        return Some(turn);
    }
    let is_one = omits(Rule::Signals)
        && is_receiver(program, declared.class)
        && is_signal(interpreter, method)
        && !program.class(declared.class).methods().any(|method| is_locking_signal(interpreter, method));
    is_one.then_some(Turn::Signals)
}

/// The turn of a method of a queue, by the names of the class and the method.
fn turn_in_queue(class: &str, method: &str) -> Option<Turn> {
    const INSERTING: [&str; 7] = ["add", "addAll", "failFastOffer", "fill", "offer", "put", "relaxedOffer"];
    const REMOVING: [&str; 9] =
        ["clear", "drain", "element", "peek", "poll", "relaxedPeek", "relaxedPoll", "remove", "take"];
    let simple = class.rsplit(['.', '/', '$']).next()?;
    let has = |part: &str| simple.contains(part) || simple.contains(&part.to_uppercase());
    if INSERTING.binary_search(&method).is_ok() && (has("Spsc") || has("Spmc")) {
        return Some(Turn::Producers);
    }
    (REMOVING.binary_search(&method).is_ok() && (has("Spsc") || has("Mpsc"))).then_some(Turn::Consumers)
}

fn is_named_like_signal(program: &Program, method: MethodId) -> bool {
    let declared = program.method(method);
    SIGNALS.binary_search(&program.text(declared.name)).is_ok() && !declared.flags.is_static()
}

/// Whether a method is a signal, by its name or since a signal does nothing but call it.
fn is_signal(interpreter: &Interpreter<'_>, method: MethodId) -> bool {
    let program = interpreter.heap.program;
    let declared = program.method(method);
    let calls_it = |signal: MethodId| {
        let called = interpreter.heap.body(signal).and_then(|body| only_call_on_itself(&body));
        called.is_some_and(|called| (called.name, called.descriptor) == (declared.name, declared.descriptor))
    };
    let mut above = program.supertypes(declared.class).into_iter().flat_map(|class| program.class(class).methods());
    is_named_like_signal(program, method)
        || above.any(|signal| is_named_like_signal(program, signal) && calls_it(signal))
}

/// The method that a body calls on its own object, if it does nothing else.
fn only_call_on_itself(body: &Body) -> Option<Member> {
    let mut found = None;
    for statement in body.blocks().flat_map(|(_, block)| &*block.statements) {
        let Operation::Invoke { member, arguments, .. } = &statement.operation else { return None };
        let is_own = arguments.first().is_some_and(|it| body.variable(*it).definition == Definition::Parameter(0));
        if found.replace(*member).is_some() || !is_own {
            return None;
        }
    }
    found
}

/// Whether a method is a signal that enters a monitor.
fn is_locking_signal(interpreter: &Interpreter<'_>, method: MethodId) -> bool {
    let program = interpreter.heap.program;
    let enters = |body: &Body| {
        let mut statements = body.blocks().flat_map(|(_, block)| &*block.statements);
        statements.any(|statement| matches!(statement.operation, Operation::MonitorEnter(_)))
    };
    (program.method(method).flags.is_synchronized() || interpreter.heap.body(method).is_some_and(|body| enters(&body)))
        && is_signal(interpreter, method)
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
