//! Data races and deadlocks: their queries, and the statuses of locations, against the interleaving search.

use asercheck::answers::{Entries, Ledger, LocationStatus, VerdictKind};
use asercheck::model::{LockId, LockKind, Model, ProcessId, from_text};
use asercheck::phases::Exclusion;
use asercheck::query::{Bindings, Property, Query, Selection};
use asercheck::{Bounds, Engine, Limits, Options, Verdict, check_all, check_each};
use fastrand::Rng;
use generate::random::{self, Shape};
use generate::seeds;
use std::collections::BTreeSet;
use std::sync::Arc;

fn model(text: &str) -> Model {
    from_text("test.eml", text).unwrap_or_else(|rejected| panic!("{text}: {rejected}")).model
}

fn options() -> Options {
    let bounds = Bounds { states: 20_000, instances: 4, stack: 4, ..Bounds::default() };
    Options::default().with_engine(Engine::Interleave).with_bounds(bounds)
}

/// Returns all results about races and deadlocks of a model, by the interleaving search.
fn entries(model: &Model, options: &Options) -> Entries {
    let properties = [Arc::new(Property::race())];
    let asked = Selection::default().ask_with_deadlocks(model, &properties).expect("nothing is named");
    let mut ledger = Ledger::new(&asked, true);
    let mut deadlocks = asked.deadlocks(&Limits::default()).expect("they are asked");
    let queries = asked.possible().chain(deadlocks.by_ref());
    check_each(model, queries, options, |number, query, outcome| {
        ledger.enter(number, query, outcome, None);
    })
    .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(deadlocks.ended(), None);
    ledger.close(None, None, &Limits::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// After the end of a run no further work is done, however much would be left.
#[test]
fn no_work_is_done_after_the_end() {
    let locks: Vec<_> = (0..3000).map(|number| format!("l{number}")).collect();
    let blocks: String = locks.iter().map(|lock| format!("sync {lock} {{ ")).collect();
    let model = model(&format!(
        "lock {}; shared x; process P * 2 {{ {blocks} write x; {} }}",
        locks.join(", "),
        "} ".repeat(locks.len())
    ));
    let asked = Selection::default().ask(&model, &[Arc::new(Property::race())]).expect("nothing is named");
    let status = |limits: &Limits| {
        let entries = Ledger::new(&asked, false).close(None, None, limits).expect("no fault");
        entries.locations.expect("races are asked").remove(0).status
    };
    let limits = Limits::default();
    assert_eq!(status(&limits), LocationStatus::Protected);
    limits.cancellation.cancel();
    assert_eq!(status(&limits), LocationStatus::Unknown);
}

/// Returns the cycles of two and three locks with all processes, in every combination of modes, by plain enumeration;
/// each cycle in all its rotations.
fn all_deadlocks(model: &Model, count: usize) -> Vec<Query> {
    fn choices<T: Clone>(all: &[T], length: usize) -> Vec<Vec<T>> {
        (0..length).fold(vec![Vec::new()], |found, _| {
            found
                .iter()
                .flat_map(|front| all.iter().map(move |next| [&front[..], std::slice::from_ref(next)].concat()))
                .collect()
        })
    }
    let locks: Vec<_> = (0..model.locks().len()).map(LockId::new).collect();
    let processes: Vec<_> = (0..model.processes().len()).map(ProcessId::new).collect();
    let mut found = Vec::new();
    for locks in choices(&locks, count) {
        // All modes of the read-write locks.
        let modes = choices(&[Exclusion::HeldInWrite, Exclusion::WantedInWrite], count);
        let own = |exclusions: Vec<Exclusion>| {
            let each = exclusions.into_iter().zip(&locks).map(|(exclusion, lock)| match model.lock(*lock).kind() {
                LockKind::Plain => Exclusion::Plain,
                LockKind::ReadWrite => exclusion,
            });
            each.collect::<Vec<_>>()
        };
        let combinations: BTreeSet<Vec<Exclusion>> = modes.into_iter().map(own).collect();
        let property = Arc::new(Property::deadlock(&combinations.into_iter().collect::<Vec<_>>()));
        for processes in choices(&processes, count) {
            let bindings = Bindings { locks: locks.clone(), processes, ..Bindings::default() };
            found.extend(Query::new(model, property.clone(), bindings));
        }
    }
    found
}

/// Returns a cycle with its processes, from its first lock on.
fn canonical(query: &Query) -> Vec<(usize, usize)> {
    let pairs = query.locks().iter().zip(query.processes()).map(|(lock, process)| (lock.index(), process.index()));
    let pairs: Vec<_> = pairs.collect();
    let first = (0..pairs.len()).min_by_key(|place| pairs[*place]).unwrap_or(0);
    [&pairs[first..], &pairs[..first]].concat()
}

/// Generates a model whose processes take nested locks, in calls and without, sometimes after a gate or a start.
fn nested_locks(seed: u64) -> String {
    fn blocks(rng: &mut Rng, depth: usize) -> String {
        let inner = |rng: &mut Rng| match rng.usize(..8) {
            0..=4 if depth > 1 => blocks(rng, depth - 1),
            5 if depth > 1 => "call f; ".to_string(),
            6 => "wait a; ".to_string(),
            _ => String::new(),
        };
        let head = ["a", "a", "b", "b", "read r", "write r"][rng.usize(..6)];
        format!("sync {head} {{ {}{}}} ", inner(rng), if rng.u8(..) < 60 { inner(rng) } else { String::new() })
    }
    let mut rng = Rng::with_seed(seed);
    let function = blocks(&mut rng, 1);
    let has_gate = seed.is_multiple_of(3);
    let gate = if has_gate { "lock gate; " } else { "" };
    let mut text = format!("{gate}lock a, b; rwlock r; fn f() {{ {function}}} ");
    let processes = rng.usize(2..=3);
    for process in 0..processes {
        let many = if process == 0 && rng.bool() { "* 2 " } else { "" };
        let body = blocks(&mut rng, 2) + &if rng.bool() { blocks(&mut rng, 2) } else { String::new() };
        let body = if has_gate { format!("sync gate {{ {body}}} ") } else { body };
        let start = if process == 0 && seed.is_multiple_of(4) { "start Q; " } else { "" };
        text += &format!("process P{process} {many}{{ {body}{start}}} ");
    }
    if seed.is_multiple_of(4) {
        text += &format!("process Q {{ {}}}", blocks(&mut rng, 2));
    }
    text
}

/// Each deadlock is asked once, and the answer is the same for every rotation.
#[test]
fn all_deadlocks_are_asked() {
    let (mut violated, mut safe, mut open, mut left_out) = (0, 0, 0, 0);
    for seed in 0..60 {
        let text = nested_locks(seed);
        let model = model(&text);
        let asked = Selection::default().ask_with_deadlocks(&model, &[]).expect("nothing is named");
        let asked: Vec<_> = asked.deadlocks(&Limits::default()).into_iter().flatten().collect();
        let names: BTreeSet<_> = asked.iter().map(canonical).collect();
        assert_eq!(names.len(), asked.len(), "seed {seed}: each cycle once\n{text}");
        let decide = |queries: &[Query]| {
            let outcomes = check_all(&model, queries, &options(), |_, _| {});
            outcomes.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"))
        };
        let mut found = BTreeSet::new();
        for (query, outcome) in asked.iter().zip(decide(&asked)) {
            match outcome.verdict {
                Verdict::Violation(_) => drop(found.insert(canonical(query))),
                Verdict::Safe => safe += 1,
                Verdict::Unknown(_) => open += 1,
            }
        }
        violated += found.len();
        let sizes = if model.processes().len() <= 2 { 2..=3 } else { 2..=2 };
        for plain in sizes.flat_map(|count| all_deadlocks(&model, count)).collect::<Vec<_>>().chunks(200) {
            for (query, outcome) in plain.iter().zip(decide(plain)) {
                let is_asked = names.contains(&canonical(query));
                left_out += usize::from(!is_asked);
                match outcome.verdict {
                    Verdict::Violation(_) => {
                        assert!(found.contains(&canonical(query)), "seed {seed}: {query:?}\n{text}")
                    }
                    Verdict::Safe => assert!(!found.contains(&canonical(query)), "seed {seed}: {query:?}\n{text}"),
                    Verdict::Unknown(_) => {}
                }
            }
        }
    }
    println!("{violated} deadlocks, {safe} safe, {open} open, {left_out} not asked");
    assert!(violated > 3 && safe > 0 && left_out > 500, "{violated}, {safe}, {open}, {left_out}");
}

/// A location protected by a lock has no race; `close` checks that. The statuses of locations agree with the verdicts.
#[test]
fn protected_locations_have_no_race() {
    let mut seen = std::collections::BTreeMap::<LocationStatus, usize>::new();
    for seed in seeds::taken(0..250) {
        let shape = if seed % 2 == 0 { Shape::of_seed(seed) } else { Shape::with_modes(seed) };
        let model = model(&random::model(seed, &Shape { locations: 3, ..shape }));
        let entries = entries(&model, &options());
        for record in entries.locations.expect("races are asked") {
            *seen.entry(record.status).or_default() += 1;
            let of = |verdict| {
                let own = entries.records.iter().filter(|query| query.locations.contains(&record.location));
                own.filter(|query| query.verdict == verdict).count()
            };
            let races = of(VerdictKind::Violation);
            assert_eq!(record.status == LocationStatus::Race, races > 0, "seed {seed}: {record:?}");
            assert_eq!(record.status == LocationStatus::Protected, !record.locks.is_empty(), "seed {seed}: {record:?}");
            assert!(record.status != LocationStatus::Apart || of(VerdictKind::Unknown) == 0, "seed {seed}: {record:?}");
        }
    }
    println!("{seen:?}");
    let least = [
        (LocationStatus::Race, 50),
        (LocationStatus::Protected, 3),
        (LocationStatus::Unshared, 5),
        (LocationStatus::ReadOnly, 2),
        (LocationStatus::Apart, 1),
    ];
    for (status, count) in least {
        assert!(seen.get(&status).is_some_and(|seen| *seen >= count), "{status:?}: {seen:?}");
    }
}

#[test]
fn locations_have_statuses() {
    let status = |text: &str| {
        let found = entries(&model(text), &options()).locations.expect("races are asked");
        found.into_iter().map(|record| (record.status, record.locks.join(" "))).collect::<Vec<_>>()
    };
    let one = |text: &str| status(text).remove(0);
    let none = |status| (status, String::new());
    assert_eq!(one("shared x; process P { write x; } process Q { }"), none(LocationStatus::Unshared));
    assert_eq!(one("shared x; process P { } process Q { }"), none(LocationStatus::Unshared));
    assert_eq!(one("shared x; process P * 2 { read x; }"), none(LocationStatus::ReadOnly));
    assert_eq!(one("shared x; process P * 2 { write x; }"), none(LocationStatus::Race));
    assert_eq!(one("shared x; process P { write x; start Q; } process Q { read x; }"), none(LocationStatus::Apart));
    let protected =
        |text: &str, locks: &str| assert_eq!(one(text), (LocationStatus::Protected, locks.to_string()), "{text}");
    protected("lock l, m; shared x; process P * 2 { sync l { sync m { write x; } read x; } }", "l");
    protected(
        "lock l; shared x; fn f() { write x; } process P * 2 { sync l { call f; } sync l { wait l; read x; } }",
        "l",
    );
    protected(
        "rwlock r; shared x; process P { sync write r { write x; } } process Q * 2 { sync read r { read x; } }",
        "r",
    );
    let shared = "rwlock r; shared x; process P * 2 { sync read r { write x; } }";
    assert_eq!(one(shared), none(LocationStatus::Race));
    let outside = "lock l; shared x; fn f() { write x; } process P * 2 { sync l { call f; } call f; }";
    assert_eq!(one(outside), none(LocationStatus::Race));
}

/// Philosophers, and guards that exclude a cycle.
#[test]
fn cycles_that_cannot_close_are_safe() {
    let philosophers = |count: usize| {
        let forks: Vec<_> = (0..count).map(|fork| format!("f{fork}")).collect();
        let each =
            (0..count).map(|own| format!("process P{own} {{ sync f{own} {{ sync f{} {{ }} }} }}", (own + 1) % count));
        format!("lock {}; {}", forks.join(", "), each.collect::<String>())
    };
    for count in 2..=5 {
        let cycles = entries(&model(&philosophers(count)), &Options::default().with_engine(Engine::Interleave));
        let cycles = cycles.cycles.expect("deadlocks are asked").cycles;
        assert_eq!((cycles.len(), cycles[0].locks.len(), cycles[0].status), (1, count, VerdictKind::Violation));
    }
    let status = |text: &str| {
        let cycles = entries(&model(text), &options()).cycles.expect("deadlocks are asked").cycles;
        cycles.into_iter().map(|cycle| cycle.status).collect::<Vec<_>>()
    };
    let gate =
        "lock g, a, b; process P { sync g { sync a { sync b { } } } } process Q { sync g { sync b { sync a { } } } }";
    assert_eq!(status(gate), [VerdictKind::Safe]);
    let started = "lock a, b; process P { sync a { sync b { } } start Q; } process Q { sync b { sync a { } } }";
    assert_eq!(status(started), [VerdictKind::Safe]);
    let alone = "lock a, b; process P { sync a { sync b { } } sync b { sync a { } } } process Q { sync a { } }";
    assert_eq!(status(alone), []);
    // Threads exclude each other if one of them holds the lock, or wants it, in write mode: one of the two is guarded,
    // and the other one closes the cycle.
    let held = "process P { choose { sync g { sync write r { sync m { } } } } or { sync read r { sync m { } } } }
                process Q { sync g { sync m { choose { sync write r { } } or { sync read r { } } } } }";
    let wanted = "process P { sync g { choose { sync write r { sync m { } } } or { sync read r { sync m { } } } } }
                  process Q { choose { sync m { sync read r { } } } or { sync g { sync m { sync write r { } } } } }";
    for processes in [held, wanted] {
        let modes = format!("rwlock r; lock g, m; {processes}");
        assert!(status(&modes).contains(&VerdictKind::Violation), "{modes}");
    }
}
