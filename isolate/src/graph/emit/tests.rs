//! Models of handmade contexts, and their answers.

use super::super::context::{LockEffect, MethodContext};
use super::super::flow::{Exit, Flow, InlinedCall, Step};
use super::super::ids::{ContextId, EffectId};
use super::super::isolated::{Isolated, NotIsolated};
use super::super::purpose::Purpose;
use super::super::reduce::reduce;
use super::super::stuck::Stuck;
use super::super::test_support::{
    acquire, context, flow, location, lock, marked, method, program, read, release, write,
};
use super::super::units::{Role, Units, UnitsOf};
use super::{EntryRun, Input, MOST_COPIED, Naming, ProgramRun, RunsOnce, emit_client, emit_program};
use crate::value::{AliasId, Location, Lock, RegionId, Value};
use decide::query::{Property, Selection};
use decide::{Options, Verdict, check};
use eml::model::Mode;
use phases::UnitMode;
use std::collections::{BTreeMap, BTreeSet};

const RETURN: Step = Step::Return(Exit::Any);

struct Names;

impl Naming for Names {
    fn region(&self, region: RegionId) -> String {
        if region == RegionId::SUBJECT { "this".into() } else { format!("this.r{}", region.0) }
    }

    fn alias(&self, alias: AliasId) -> String {
        if alias.0 == 0 { "this".into() } else { format!("this.a{}", alias.0) }
    }

    fn full_location(&self, location: Location) -> String {
        format!("full {location:?}")
    }

    fn is_reentrant(&self, _: RegionId) -> bool {
        true
    }

    fn is_guessed(&self, of: Location) -> bool {
        of == location(1)
    }

    fn is_synchronized(&self, of: Location) -> bool {
        of == location(1)
    }
}

/// Contexts of the subject's class.
struct Subject {
    contexts: Vec<MethodContext>,
    roles: Vec<Role>,
    units: Units,
}

impl Subject {
    fn new(flows: &[Flow], units: Units) -> Self {
        let own = Role { is_own: true, gets_object: true, ..Role::default() };
        Self { contexts: flows.iter().cloned().map(context).collect(), roles: vec![own; flows.len()], units }
    }

    fn input(&self) -> Input<'_> {
        Input {
            program: program(),
            class: program().method(method()).class,
            contexts: &self.contexts,
            roles: &self.roles,
            naming: &Names,
            assumptions: BTreeSet::from(["one".to_string()]),
            coarse: BTreeMap::new(),
            units: self.units,
            overlaps: false,
            purpose: Purpose::Violations,
            most_copied: MOST_COPIED,
            is_cut_short: false,
            is_cancelled: &|| false,
        }
    }

    fn client(&mut self, entries: Vec<EntryRun>) -> Result<Isolated, NotIsolated> {
        let roots = entries.iter().filter(|entry| entry.is_unit).map(|entry| entry.context).collect();
        let units = UnitsOf { roles: &self.roles, units: &[self.units], roots: &roots };
        reduce(&mut self.contexts, units, Purpose::Violations, &|| false).expect("nothing is cancelled");
        emit_client(self.input(), entries)
    }

    fn program(&self, single: &[u32], alone: &[(u32, usize)]) -> Result<Isolated, NotIsolated> {
        let run = ProgramRun {
            main: ContextId(0),
            single: single.iter().copied().map(ContextId).collect(),
            alone: alone.iter().map(|(id, node)| (ContextId(*id), *node)).collect(),
        };
        emit_program(self.input(), run)
    }
}

fn entry(id: u32) -> EntryRun {
    let name = format!("entry {id}");
    EntryRun { context: ContextId(id), name, is_unit: true, is_queried: true, runs_once: RunsOnce::No }
}

/// Returns the model in which clients run all contexts as units.
fn client(flows: &[Flow]) -> Isolated {
    let entries = (0..).take(flows.len()).map(entry).collect();
    Subject::new(flows, Units::Entering).client(entries).expect("there is a model")
}

/// Returns the units that can be violated, by the names of their processes, in the order of the queried pairs.
fn violated(isolated: &Isolated) -> Vec<String> {
    let (model, options) = (&isolated.model, Options::default());
    let properties = Property::all_patterns(UnitMode::Both);
    let asked = Selection::default().ask(model, &properties).expect("the selection fits");
    let is_violated = |pair: &[eml::model::ProcessId; 2]| {
        asked.possible_of(pair).any(|query| match check(model, &query, &options).expect("the model is right").verdict {
            Verdict::Safe => false,
            Verdict::Violation(_) => true,
            Verdict::Unknown(reason) => panic!("a query is not decided: {reason}"),
        })
    };
    let mut units = Vec::new();
    for pair in isolated.pairs.iter().filter(|pair| is_violated(pair)) {
        let same = isolated.equivalent.iter().filter(|(_, first)| *first == pair[0]).map(|(process, _)| *process);
        units.extend([pair[0]].into_iter().chain(same).map(|process| name(isolated, process).to_string()));
    }
    units
}

fn name(isolated: &Isolated, process: eml::model::ProcessId) -> &str {
    isolated.model.process(process).name()
}

/// Returns a graph of these steps one after the other, then a return.
fn straight(steps: &[Step]) -> Flow {
    let nodes: Vec<(Step, Vec<usize>)> = (1..).zip(steps).map(|(next, step)| (*step, vec![next])).collect();
    let nodes: Vec<(Step, &[usize])> = nodes.iter().map(|(step, next)| (*step, &next[..])).collect();
    flow(&[&nodes[..], &[(RETURN, &[])]].concat())
}

fn locked(steps: &[Step]) -> Flow {
    straight(&[&[acquire(0)], steps, &[release(0)]].concat())
}

fn call(callee: u32) -> Step {
    Step::Call(ContextId(callee), Exit::Any)
}

#[test]
fn units_that_do_not_lock_are_violated() {
    assert_eq!(violated(&client(&[straight(&[read(0), write(0)])])), ["entry 0"]);
    assert!(violated(&client(&[locked(&[read(0), write(0)])])).is_empty());
}

#[test]
fn entries_that_are_not_queried_only_interfere() {
    let flows = [straight(&[read(0), read(0)]), straight(&[write(0), write(0)])];
    let entries = vec![entry(0), EntryRun { is_queried: false, ..entry(1) }];
    let isolated = Subject::new(&flows, Units::Entering).client(entries).expect("there is a model");
    assert_eq!(isolated.pairs.len(), 1);
    assert_eq!(name(&isolated, isolated.others), "another thread");
    assert_eq!(violated(&isolated), ["entry 0"]);
    let nothing = vec![EntryRun { is_queried: false, ..entry(1) }];
    let found = Subject::new(&flows, Units::Entering).client(nothing);
    assert!(matches!(found, Err(NotIsolated::NothingToViolate(..))));
}

#[test]
fn one_of_several_equivalent_entries_is_queried() {
    let isolated = client(&[straight(&[read(0), write(0)]), straight(&[read(0), write(0)]), straight(&[read(0)])]);
    assert_eq!(isolated.pairs.len(), 2);
    assert_eq!(isolated.equivalent.len(), 1);
    assert_eq!(
        [isolated.equivalent[0].0, isolated.equivalent[0].1].map(|one| name(&isolated, one)),
        ["entry 1", "entry 0"]
    );
    assert_eq!(violated(&isolated), ["entry 0", "entry 1"]);
}

#[test]
fn entries_of_one_thread_do_not_interfere_with_themselves() {
    let run = |runs_once| {
        let flows = [straight(&[read(0), write(0)]), locked(&[read(0)])];
        let entries = vec![EntryRun { runs_once, ..entry(0) }, entry(1)];
        Subject::new(&flows, Units::Entering).client(entries).expect("there is a model")
    };
    assert_eq!(violated(&run(RunsOnce::No)), ["entry 0"]);
    let once = run(RunsOnce::Yes);
    assert!(violated(&once).is_empty());
    assert_eq!(once.assumptions.len(), 2);
    assert_eq!(name(&once, once.pairs[0][1]), "another thread (2)");
}

#[test]
fn nothing_to_violate() {
    let found = Subject::new(&[locked(&[])], Units::Entering).client(vec![entry(0)]);
    assert!(matches!(found, Err(NotIsolated::NothingToViolate(..))));
    let only_waits = Subject::new(&[locked(&[Step::Wait(lock(0))])], Units::Entering).client(vec![entry(0)]);
    assert!(matches!(only_waits, Err(NotIsolated::NothingToViolate(..))));
}

#[test]
fn names_have_meanings() {
    let mut subject =
        Subject::new(&[straight(&[read(0), write(1), read(2), Step::Read(Location::Deep)])], Units::Entering);
    subject.contexts[0].arguments = vec![Value::Any, Value::Region(RegionId::SUBJECT)];
    subject.contexts[0].title = Some("a title".to_string());
    let isolated = subject.client(vec![entry(0)]).expect("there is a model");
    let names: BTreeSet<&str> = isolated.model.locations().iter().map(|location| location.name()).collect();
    assert_eq!(names, BTreeSet::from(["this[]", "a1[]", "a2[]", "objects deeper inside"]));
    assert_eq!(isolated.meanings.guessed, BTreeSet::from(["a1[]".to_string()]));
    assert_eq!(isolated.meanings.location("a2[]"), format!("full {:?}", location(2)));
    assert!(isolated.meanings.unit("entry 0").ends_with(" [argument]"), "{:?}", isolated.meanings.units);
    assert_eq!(isolated.meanings.processes["a title"], "entry 0");
}

#[test]
fn locks_have_names_and_modes() {
    let reader = [
        Step::Acquire(Lock::Explicit(RegionId(0)), Mode::Read),
        read(0),
        read(0),
        Step::Release(Lock::Explicit(RegionId(0)), Mode::Read),
    ];
    let writer = |lock| straight(&[Step::Acquire(lock, Mode::Write), write(0), Step::Release(lock, Mode::Write)]);
    let isolated = client(&[straight(&reader), writer(Lock::Explicit(RegionId(0)))]);
    assert!(isolated.model.lock_named("lock this").is_some());
    assert!(violated(&isolated).is_empty());
    let other = client(&[straight(&reader), writer(Lock::Operations(AliasId(1)))]);
    assert!(other.model.lock_named("operations of this.a1").is_some());
    assert_eq!(violated(&other), ["entry 0"]);
}

/// Returns `take` and `put` of a buffer with one place.
fn buffer(before_the_loop: Step) -> [Flow; 2] {
    let nodes: [(Step, &[usize]); 9] = [
        (acquire(0), &[1]),
        (before_the_loop, &[2]),
        (Step::Skip, &[3]),
        (read(0), &[4, 5]),
        (Step::Wait(lock(0)), &[2]),
        (write(0), &[6]),
        (write(1), &[7]),
        (release(0), &[8]),
        (RETURN, &[]),
    ];
    let method = marked(&nodes, &[(4, 2)]);
    [method.clone(), method]
}

#[test]
fn waiting_for_a_condition_is_no_violation() {
    assert!(violated(&client(&buffer(Step::Skip))).is_empty());
    assert!(!violated(&client(&buffer(read(1)))).is_empty());
    // A caller has only locked before.
    let [take, put] = buffer(Step::Skip);
    let outer = |step| locked(&[step, call(0)]);
    assert!(violated(&client(&[take.clone(), put.clone(), outer(Step::Skip)])).is_empty());
    assert!(violated(&client(&[take, put, outer(read(1))])).contains(&"entry 2".to_string()));
}

/// Returns contexts that lock and unlock for their callers.
fn handing_over() -> [MethodContext; 2] {
    let explicit = (Lock::Explicit(RegionId(1)), Mode::Write);
    let leave = Step::ReturnWith(EffectId(1), Exit::Any);
    let mut locking = context(flow(&[(Step::Acquire(explicit.0, explicit.1), &[1]), (leave, &[])]));
    let mut unlocking = context(flow(&[(Step::ReleaseForCaller(explicit.0, explicit.1, 0), &[1]), (leave, &[])]));
    locking.lock_effects = vec![LockEffect::default(), LockEffect { closed: Vec::new(), open: vec![explicit] }];
    unlocking.lock_effects = vec![LockEffect::default(), LockEffect { closed: vec![explicit], open: Vec::new() }];
    [locking, unlocking]
}

fn inline(callee: u32, open: u8) -> Step {
    let callee = ContextId(callee);
    Step::Inline(InlinedCall { callee, effect: EffectId(1), exit: Exit::Any, open, closed: 0 })
}

#[test]
fn locks_of_callees_guard_accesses_of_callers() {
    let of = |steps: &[Step]| {
        let mut subject = Subject::new(&[straight(steps), Flow::default(), Flow::default()], Units::Entering);
        let [locking, unlocking] = handing_over();
        subject.contexts[1] = locking;
        subject.contexts[2] = unlocking;
        subject
    };
    let guarded = [inline(1, 0), read(0), write(0), inline(2, 1)];
    assert!(violated(&of(&guarded).client(vec![entry(0)]).expect("there is a model")).is_empty());
    let before = [read(0), inline(1, 0), write(0), inline(2, 1)];
    assert_eq!(violated(&of(&before).client(vec![entry(0)]).expect("there is a model")), ["entry 0"]);
    // A context called by clients releases the locks that it still holds, and cannot release locks that it does not
    // hold.
    let mut left = of(&guarded);
    left.contexts[1].flow = flow(&[
        (Step::Acquire(Lock::Explicit(RegionId(1)), Mode::Write), &[1]),
        (write(0), &[2]),
        (Step::ReturnWith(EffectId(1), Exit::Any), &[]),
    ]);
    let isolated = left.client(vec![entry(0), entry(1), entry(2)]).expect("locks nest");
    assert!(violated(&isolated).is_empty());
}

#[test]
fn inlined_calls_that_call_themselves_are_refused() {
    let mut subject = Subject::new(&[straight(&[inline(1, 0), read(0)]), Flow::default()], Units::Entering);
    subject.contexts[1] = handing_over()[0].clone();
    subject.contexts[1].flow = straight(&[read(0), inline(1, 0)]);
    let found = subject.client(vec![entry(0)]);
    assert!(matches!(found, Err(NotIsolated::Stuck(Stuck::NotNested { .. }))));
}

#[test]
fn calls_that_enter_the_class_are_units() {
    let of = |units| {
        let flows = [straight(&[read(0), write(0)]), straight(&[call(0), call(0)])];
        let mut subject = Subject::new(&flows, units);
        subject.roles[1] = Role::default();
        let entries = vec![EntryRun { is_unit: false, ..entry(1) }];
        violated(&subject.client(entries).expect("there is a model"))
    };
    assert_eq!(of(Units::Entering), ["entry 1"]);
    assert!(of(Units::Bodies).is_empty());
}

#[test]
fn emission_is_cancelled() {
    let subject = Subject::new(&[straight(&[read(0), write(0)])], Units::Entering);
    let input = Input { is_cancelled: &|| true, ..subject.input() };
    assert!(matches!(emit_client(input, vec![entry(0)]), Err(NotIsolated::Stuck(Stuck::Cancelled))));
}

/// Returns a main method that starts a thread and executes further steps; the thread calls a method of the subject.
fn starting(main: &[Step], steps: &[Step]) -> Subject {
    let main = [&[Step::Start(ContextId(1))], main].concat();
    let flows = [straight(&main), straight(&[call(2)]), straight(steps)];
    let mut subject = Subject::new(&flows, Units::Calls);
    subject.roles[0] = Role::default();
    subject.roles[1] = Role::default();
    subject
}

#[test]
fn threads_of_a_program_are_its_processes() {
    let subject = starting(&[call(2)], &[read(0), write(0)]);
    let isolated = subject.program(&[1], &[]).expect("there is a model");
    assert_eq!(isolated.entries.len(), 2);
    assert_eq!(name(&isolated, isolated.others), "main thread");
    // One thread of each kind: no pair of a process with itself.
    assert_eq!(isolated.pairs.len(), 2);
    assert_eq!(violated(&isolated).len(), 2);
    let twice = subject.program(&[], &[]).expect("there is a model");
    assert_eq!(twice.pairs.len(), 3);
    let locked = starting(&[call(2)], &[acquire(0), read(0), write(0), release(0)]);
    assert!(violated(&locked.program(&[], &[]).expect("there is a model")).is_empty());
}

#[test]
fn accesses_of_the_main_thread_alone_are_omitted() {
    let subject = starting(&[Step::Join, call(2)], &[read(0), write(0)]);
    assert_eq!(violated(&subject.program(&[1], &[]).expect("there is a model")).len(), 2);
    assert!(violated(&subject.program(&[1], &[(0, 2)]).expect("there is a model")).is_empty());
}

#[test]
fn programs_without_threads_have_nothing_to_violate() {
    let subject = Subject::new(&[straight(&[read(0), write(0)])], Units::Calls);
    assert!(matches!(subject.program(&[], &[]), Err(NotIsolated::NothingToViolate(..))));
}

#[test]
fn bodies_are_units_until_the_next_iteration() {
    let of = |between: Step| {
        let mut subject = starting(&[write(0)], &[]);
        subject.contexts[1].flow = straight(&[read(0), between, write(0)]);
        subject.contexts[1].is_unit_body = true;
        subject.units = Units::Bodies;
        violated(&subject.program(&[1], &[]).expect("there is a model"))
    };
    assert_eq!(of(Step::Skip).len(), 1);
    assert!(of(Step::Cut).is_empty());
}
