//! Hand-written traces, and the accesses that a model must have.

use super::{Key, Root, Sharing};
use crate::inclusion::graph::Graph;
use crate::inclusion::trace::{Done, Effect, Event, ObjectId, Run, Unit};
use std::collections::BTreeSet;
use std::rc::Rc;

const ROOT: ObjectId = 0;
const CELL: ObjectId = 1;
const FREE: ObjectId = 2;

fn unit(events: Vec<Event>) -> Unit {
    let mut graph = Graph::default();
    graph.add(ROOT, "cell", CELL);
    Unit {
        method: "C.f()V".into(),
        receiver: Some(ROOT),
        arguments: Vec::new(),
        graph: Rc::new(graph),
        known: 9,
        events,
        is_given_up: false,
    }
}

fn sharing(units: &[Unit]) -> Sharing {
    let run = Run { units: units.to_vec(), ..Run::default() };
    Sharing::of(&run, &Root::Object(ROOT), &BTreeSet::new())
}

fn get(object: ObjectId) -> Event {
    Event::Get(object, "C.v".into())
}

fn put(object: ObjectId) -> Event {
    Event::Put(object, "C.v".into(), None)
}

fn key(object: ObjectId) -> Key {
    Key::Field(object, "v".into())
}

#[test]
fn two_units_and_a_write_make_something_shared() {
    assert!(sharing(&[unit(vec![get(CELL)]), unit(vec![put(CELL)])]).is_shared(&key(CELL)));
    assert!(!sharing(&[unit(vec![get(CELL)]), unit(vec![get(CELL)])]).is_shared(&key(CELL)));
    assert!(!sharing(&[unit(vec![get(CELL), put(CELL)])]).is_shared(&key(CELL)));
}

#[test]
fn what_cannot_be_reached_from_the_subject_is_not_shared() {
    let units = [unit(vec![put(FREE)]), unit(vec![put(FREE)])];
    assert!(!sharing(&units).is_shared(&key(FREE)));
    let store = Event::Put(ROOT, "C.cell".into(), Some(FREE));
    let stored = [unit(vec![put(FREE), store.clone(), put(FREE)]), unit(vec![store, get(FREE)])];
    let found = sharing(&stored);
    assert!(found.is_shared(&key(FREE)));
    // Before the object is stored, no other unit can reach it.
    let touched: Vec<usize> =
        found.touches[0].iter().filter(|touch| touch.key == key(FREE)).map(|touch| touch.event).collect();
    assert_eq!(touched, [2]);
}

#[test]
fn constructors_do_not_count_for_their_object() {
    let made = Unit { method: "C.<init>()V".into(), receiver: Some(CELL), ..unit(vec![put(CELL)]) };
    assert!(!sharing(&[made.clone(), unit(vec![get(CELL)]), unit(vec![get(CELL)])]).is_shared(&key(CELL)));
    assert!(sharing(&[made, unit(vec![put(CELL)]), unit(vec![get(CELL)])]).is_shared(&key(CELL)));
    let new = Unit { known: CELL, ..unit(vec![put(CELL)]) };
    assert!(!sharing(&[new, unit(vec![get(CELL)])]).is_shared(&key(CELL)));
}

fn call(method: &str, effect: Effect) -> [Event; 2] {
    let done = Done { object: CELL, effect, field: None };
    [Event::Begin(method.into(), vec![CELL]), Event::End(method.into(), vec![done])]
}

#[test]
fn library_calls_write_what_they_change() {
    let of = |method: &str, effect| {
        let found = sharing(&[unit(call(method, effect).to_vec())]);
        found.touches[0].iter().map(|touch| touch.allowed).collect::<Vec<_>>()
    };
    assert_eq!(of("add", Effect::Write), [[false, true]]);
    assert_eq!(of("add", Effect::Read), [[true, true]]);
    assert_eq!(of("size", Effect::Read), [[true, false]]);
    assert_eq!(of("getAndIncrement", Effect::Write), [[true, false], [false, true]]);
    assert!(of("iterator", Effect::Read).is_empty());
    assert!(of("addAll", Effect::Nothing).is_empty());
}

#[test]
fn reads_of_what_is_compared_and_set_are_a_part_of_that() {
    let events = [&call("get", Effect::Read)[..], &call("compareAndSet", Effect::Write), &call("get", Effect::Read)];
    let found = sharing(&[unit(events.concat())]);
    let optional: Vec<bool> = found.touches[0].iter().map(|touch| touch.is_optional).collect();
    assert_eq!(optional, [true, false, false]);
}

#[test]
fn what_another_object_of_the_class_holds_is_its_own() {
    const PEER: ObjectId = 3;
    let store = |from, to| Event::Put(from, "C.cell".into(), Some(to));
    let through_peer = unit(vec![store(ROOT, PEER), store(PEER, FREE), put(FREE), put(CELL)]);
    let units = [through_peer.clone(), through_peer, unit(vec![])];
    let run = |units: &[Unit]| Run { units: units.to_vec(), ..Run::default() };
    let found = Sharing::of(&run(&units), &Root::Object(ROOT), &BTreeSet::from([PEER]));
    assert!(found.is_shared(&key(FREE)) && found.is_shared(&key(CELL)));
    assert_eq!([PEER, FREE, CELL].map(|object| found.is_own(object)), [false, false, true]);
    // An object that is reachable through another field as well is a part of both.
    let both = [units[0].clone(), unit(vec![store(ROOT, FREE)])];
    assert!(Sharing::of(&run(&both), &Root::Object(ROOT), &BTreeSet::from([PEER])).is_own(FREE));
}

#[test]
fn fields_of_the_library_are_content_unless_they_never_change() {
    let read = |field: &str| unit(vec![Event::Get(ROOT, field.into())]);
    let write = |field: &str| unit(vec![Event::Put(ROOT, field.into(), None)]);
    let (count, out) = ("java.io.ByteArrayOutputStream.count", "java.io.FilterOutputStream.out");
    assert!(sharing(&[read(count), write(count)]).is_shared(&Key::Content(ROOT)));
    assert!(!sharing(&[read(out), write(count)]).is_shared(&Key::Content(ROOT)));
    assert!(sharing(&[read(out), write(out)]).is_shared(&Key::Content(ROOT)));
}

#[test]
fn elements_are_shared_by_themselves() {
    let found = sharing(&[unit(vec![Event::Store(CELL, 0)]), unit(vec![Event::Load(CELL, 1)])]);
    assert!(found.is_shared(&Key::Content(CELL)));
    assert!(!found.is_shared(&Key::Element(CELL, 0)));
}

#[test]
fn static_fields_are_those_of_the_class() {
    let event = |field: &str| Event::PutStatic(field.into());
    let run = Run { units: vec![unit(vec![event("C.s"), event("D.s")]); 2], ..Run::default() };
    let found = Sharing::of(&run, &Root::Statics("C".into(), None), &BTreeSet::new());
    assert_eq!(found.touches[0].len(), 1);
    assert!(found.is_shared(&Key::Static("s".into())));
}
