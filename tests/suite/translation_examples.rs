//! Small classes with features that random ones rarely have: the executions of their objects and static fields must be
//! possible in their models.

use asercheck_bench::jvm::compare::{Effort, compare, load};
use asercheck_bench::jvm::compile::compile;
use asercheck_bench::jvm::schedules::Bounds;
use asercheck_bench::jvm::source::{
    Class, Cond, Expr, Field, FieldRef, Initial, Kind, Method, MethodRef, Source, Stmt, Ty,
};

const MADE: usize = 0;
const X: FieldRef = (MADE, 0);
const Y: FieldRef = (MADE, 1);
const COUNT: FieldRef = (MADE, 2);
const LOCK: FieldRef = (MADE, 3);

const OTHER: usize = 1;
const A: FieldRef = (OTHER, 0);
const B: FieldRef = (OTHER, 1);

/// Returns a class with two ints, an atomic, a lock, and these methods.
fn made(methods: Vec<Method>) -> Source {
    let field = |name: &str, ty: Ty, is_final: bool| {
        let initial = if is_final { Initial::New } else { Initial::Default };
        Field { name: name.to_string(), ty, is_static: false, is_final, is_volatile: false, initial }
    };
    let fields = vec![
        field("x", Ty::Int, false),
        field("y", Ty::Int, false),
        field("count", Ty::Atomic, true),
        field("lock", Ty::Lock, true),
    ];
    Source { classes: vec![Class { name: "Made".to_string(), fields, methods, ..Class::default() }] }
}

/// Returns a class `Made` and a class `Other` with two static ints.
fn shared(of_made: Vec<Method>, of_other: Vec<Method>) -> Source {
    let field = |name: &str| {
        let (ty, initial) = (Ty::Int, Initial::Default);
        Field { name: name.to_string(), ty, is_static: true, is_final: false, is_volatile: false, initial }
    };
    let class = |name: &str, fields: Vec<Field>, methods: Vec<Method>| {
        let methods = methods.into_iter().map(|method| Method { is_static: true, ..method }).collect();
        Class { name: name.to_string(), fields, methods, ..Class::default() }
    };
    Source { classes: vec![class("Made", Vec::new(), of_made), class("Other", vec![field("a"), field("b")], of_other)] }
}

/// Returns a public method with two int variables, without parameters.
fn method(name: &str, body: Vec<Kind>) -> Method {
    Method {
        name: name.to_string(),
        parameters: Vec::new(),
        locals: vec![Ty::Int, Ty::Int],
        result: None,
        is_static: false,
        is_synchronized: false,
        is_public: true,
        body: block(body),
    }
}

fn synchronized(method: Method) -> Method {
    Method { is_synchronized: true, ..method }
}

fn private(method: Method) -> Method {
    Method { is_public: false, ..method }
}

fn block(body: Vec<Kind>) -> Vec<Stmt> {
    body.into_iter().map(|kind| Stmt { line: 0, kind }).collect()
}

fn own(field: FieldRef) -> Box<Expr> {
    Box::new(Expr::Field(Box::new(Expr::This), field))
}

fn set(field: FieldRef, value: i32) -> Kind {
    Kind::SetField(Expr::This, field, Expr::Int(value))
}

fn is(field: FieldRef, value: i32) -> Cond {
    Cond::Compare('=', *own(field), Expr::Int(value))
}

/// Reads the atomic into a variable.
fn get(variable: usize) -> Kind {
    Kind::Set(variable, Expr::OfAtomic(own(COUNT), "get", "()I", Vec::new()))
}

fn set_count(value: i32) -> Kind {
    Kind::Eval(Expr::OfAtomic(own(COUNT), "set", "(I)V", vec![Expr::Int(value)]), None)
}

/// The condition that the atomic was changed from the value of a variable.
fn swap(variable: usize) -> Cond {
    let raised = Expr::Binary('+', Box::new(Expr::Variable(variable)), Box::new(Expr::Int(1)));
    Cond::Test(Expr::OfAtomic(own(COUNT), "compareAndSet", "(II)Z", vec![Expr::Variable(variable), raised]))
}

fn share(field: FieldRef, value: i32) -> Kind {
    Kind::SetStatic(field, Expr::Int(value))
}

fn call_of(method: MethodRef) -> Kind {
    Kind::Eval(Expr::Call(None, method, Vec::new()), None)
}

fn call(method: usize) -> Kind {
    Kind::Eval(Expr::Call(Some(Box::new(Expr::This)), (MADE, method), Vec::new()), None)
}

/// Checks that at least this number of patterns happens, and that the models allow all of them.
fn happens(mut source: Source, at_least: usize) {
    source.number();
    let effort = Effort { clients: 24, bounds: Bounds { states: 600, ..Bounds::default() }, decides: false };
    let found = compare(&load(&compile(&source)), 1, effort);
    let misses: Vec<String> = found.misses.iter().map(ToString::to_string).collect();
    assert!(found.faults.is_empty() && misses.is_empty(), "{source}\n{:?}\n{}", found.faults, misses.join("\n"));
    assert!(found.happened >= at_least && found.unsupported == 0 && found.stuck == 0, "{source}\n{found:?}");
}

#[test]
fn rounds_that_have_swapped_count() {
    let body = vec![get(0), Kind::If(Cond::Not(Box::new(swap(0))), block(vec![Kind::Break]), Vec::new())];
    let raise = method("raise", vec![Kind::While(Cond::Test(Expr::Int(1)), block(body))]);
    happens(made(vec![raise, method("reset", vec![set_count(0)])]), 3);
}

#[test]
fn reads_count_if_the_swap_fails() {
    let try_once = method("tryOnce", vec![get(0), Kind::If(swap(0), Vec::new(), Vec::new())]);
    happens(made(vec![try_once, method("reset", vec![set_count(2)])]), 1);
}

#[test]
fn reads_count_if_they_are_not_the_last() {
    let last = vec![get(1), Kind::If(swap(1), Vec::new(), Vec::new())];
    let twice = method("twice", vec![get(0), Kind::Synchronized(Expr::This, block(last))]);
    happens(made(vec![twice, synchronized(method("reset", vec![set_count(0)]))]), 2);
}

#[test]
fn rounds_that_have_written_count() {
    let body = vec![set(X, 1), Kind::If(is(Y, 0), block(vec![Kind::Break]), Vec::new())];
    let until = method("until", vec![Kind::While(Cond::Test(Expr::Int(1)), block(body))]);
    happens(made(vec![until, method("close", vec![set(Y, 1)]), method("open", vec![set(X, 3), set(Y, 0)])]), 3);
}

#[test]
fn accesses_before_an_endless_loop_count() {
    let forever = Kind::While(Cond::Test(Expr::Int(1)), block(vec![Kind::Eval(*own(Y), Some(Ty::Int))]));
    let spin = method("spin", vec![set(X, 1), set(X, 2), forever]);
    happens(made(vec![spin, method("write", vec![set(X, 3)])]), 1);
}

#[test]
fn entries_that_call_different_methods_are_not_alike() {
    let write_twice = synchronized(method("writeTwice", vec![set(X, 1), set(X, 2)]));
    let read = private(synchronized(method("read", vec![Kind::Eval(*own(X), Some(Ty::Int))])));
    let write = private(method("write", vec![set(X, 3)]));
    let methods = vec![write_twice, method("reads", vec![call(3)]), method("writes", vec![call(4)]), read, write];
    happens(made(methods), 1);
}

#[test]
fn a_lock_that_was_perhaps_closed_by_a_callee_may_be_open() {
    let close = private(method("close", vec![Kind::If(is(Y, 0), block(vec![Kind::Unlock(*own(LOCK))]), Vec::new())]));
    let twice = method("twice", vec![Kind::Lock(*own(LOCK)), set(X, 1), call(2), set(X, 2)]);
    let write = method("write", vec![Kind::Locked(*own(LOCK), block(vec![set(X, 3)]))]);
    happens(made(vec![twice, write, close]), 1);
}

/// The method of the other class is private, but may have any callers.
#[test]
fn callers_of_private_methods_of_other_classes_reach_static_fields() {
    let of_made = vec![method("reset", vec![call_of((MADE, 1))]), private(method("hidden", vec![share(A, 3)]))];
    let write_twice = synchronized(method("writeTwice", vec![share(A, 1), share(A, 2)]));
    happens(shared(of_made, vec![write_twice]), 1);
}

/// `Made.help` uses no static field itself, but its class does.
#[test]
fn methods_that_lead_to_static_fields_are_parts_of_units() {
    let of_made = vec![method("help", vec![call_of((OTHER, 1))]), method("reset", vec![share(A, 3)])];
    let by_help = method("byHelp", vec![share(A, 1), call_of((MADE, 0))]);
    happens(shared(of_made, vec![by_help, method("write", vec![share(A, 2)])]), 1);
}

/// The same accesses of another class are not in one unit of work.
#[test]
fn units_differ_from_accesses_outside_of_units() {
    let both = |name: &str| method(name, vec![share(A, 1), share(B, 1)]);
    let read = |field: FieldRef| Kind::Set(0, Expr::Static(field));
    let read_both = method("readBoth", vec![read(A), read(B)]);
    happens(shared(vec![both("outside")], vec![both("inside"), read_both]), 1);
}
