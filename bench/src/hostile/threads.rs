//! Hostile models with more than two processes, with starts, waiting and read-write locks.

use super::{Hostile, each, locks};

/// The text of a whole model of some size.
type Idea = fn(usize) -> String;

/// The ideas by name, each with its sizes.
const IDEAS: [(&str, Idea, [usize; 5]); 10] = [
    ("starts-chains", starts_chains, [15, 50, 200, 1_000, 5_000]),
    ("starts-wide", starts_wide, [5, 20, 80, 300, 1_000]),
    ("starts-circle", starts_circle, [2, 6, 20, 100, 500]),
    ("starts-locked", starts_locked, [3, 6, 12, 24, 60]),
    ("starts-choices", starts_choices, [4, 8, 16, 32, 200]),
    ("waits-nested", waits_nested, [3, 8, 16, 32, 60]),
    ("waits-recursive", waits_recursive, [2, 4, 8, 16, 32]),
    ("readers-any-order", readers_any_order, [3, 6, 12, 24, 60]),
    ("readers-recursive", readers_recursive, [3, 6, 12, 20, 60]),
    ("calls-doubling", calls_doubling, [10, 20, 40, 80, 2_000]),
];

/// Returns all fifty models.
pub(super) fn models() -> Vec<Hostile> {
    let all = IDEAS.iter().flat_map(|(name, idea, sizes)| {
        let named = move |size: &usize| Hostile { name: format!("{name}-{size}"), text: idea(*size) };
        sizes.iter().map(named)
    });
    all.collect()
}

const USES: &str = "atomic { read x; write x; }";

/// Two chains of processes, each of which starts the next.
fn starts_chains(size: usize) -> String {
    let chain = |name: &str, last: &str| {
        let start = |at: usize| if at == 0 { last.to_string() } else { format!("{name}{}", at - 1) };
        each(size, |at| format!("process {name}{at} {{ start {}; }}\n", start(at)))
    };
    format!("shared x;\n{}{}process P {{ {USES} }}\nprocess Q {{ {USES} }}\n", chain("A", "P"), chain("B", "Q"))
}

/// Many processes that start each both, in any order, some under locks.
fn starts_wide(size: usize) -> String {
    let starters = each(size, |at| {
        format!(
            "process A{at} {{ sync l{0} {{ choose {{ start P; }} or {{ start Q; }} }} sync l{1} {{ write x; }} }}\n",
            at % 8,
            at % 5
        )
    });
    let starts = each(size, |at| format!("or {{ start A{at}; }}"));
    format!(
        "{}shared x;\nprocess Main {{ loop {{ choose {{ skip; }} {starts} }} }}\n{starters}
         process P {{ sync l0 {{ {USES} }} }}\nprocess Q {{ sync l1 {{ {USES} }} start A0; }}\n",
        locks(8)
    )
}

/// A circle of processes in which each starts the next two, again and again; every third starts the processes of the
/// queries.
fn starts_circle(size: usize) -> String {
    let circle = each(size, |at| {
        let (next, second) = ((at + 1) % size, (at + 2) % size);
        let asked = if at % 3 == 0 { "or { start P; } or { start Q; }" } else { "" };
        format!(
            "process A{at} {{ loop {{ sync l {{ choose {{ start A{next}; }} or {{ start A{second}; }} {asked} }} }} }}\n"
        )
    });
    format!(
        "lock l; shared x;\nprocess Main {{ start A0; }}\n{circle}
         process P {{ atomic {{ read x; start Q; sync l {{ write x; }} }} }}\nprocess Q {{ sync l {{ {USES} }} start P; }}\n"
    )
}

/// Chains in which each process starts the next one under locks that it keeps, so that all have to take part.
fn starts_locked(size: usize) -> String {
    let chain = |name: &str, last: &str, turn: usize| {
        each(size, |at| {
            let next = if at + 1 < size { format!("{name}{}", at + 1) } else { last.to_string() };
            let (first, second) = ((at + turn) % size, (at * 3 + 1) % size);
            format!("process {name}{at} {{ sync l{first} {{ start {next}; sync l{second} {{ read x; }} }} }}\n")
        })
    };
    format!(
        "{}shared x;\n{}{}process P {{ sync l0 {{ {USES} }} }}\nprocess Q {{ sync l1 {{ {USES} }} }}\n",
        locks(size.max(2)),
        chain("A", "P", 0),
        chain("B", "Q", 1)
    )
}

/// Levels of two processes, each of which starts one or both of the next level.
fn starts_choices(size: usize) -> String {
    let levels = each(size, |at| {
        let next = |name: &str, last: &str| if at + 1 < size { format!("{name}{}", at + 1) } else { last.to_string() };
        let (a, b) = (next("A", "P"), next("B", "Q"));
        let body = format!("choose {{ start {a}; }} or {{ start {b}; }} or {{ sync l {{ start {b}; start {a}; }} }}");
        format!("process A{at} {{ {body} }}\nprocess B{at} {{ sync l {{ {body} }} }}\n")
    });
    format!(
        "lock l; shared x;\n{levels}process P {{ sync l {{ {USES} }} }}\nprocess Q {{ {USES} sync l {{ skip; }} }}\n"
    )
}

/// Locks inside of each other, each of which is waited for while others are held.
fn waits_nested(size: usize) -> String {
    let nested = |order: &dyn Fn(usize) -> usize, inner: &str| {
        (0..size).rev().fold(inner.to_string(), |body, at| {
            let lock = order(at);
            format!("sync l{lock} {{ read y; choose {{ wait l{lock}; }} or {{ skip; }} {body} wait l{lock}; }}")
        })
    };
    let (p, q) = (nested(&|at| at, "read x; write x;"), nested(&|at| (at * 7 + 1) % size.max(1), "write x;"));
    format!("{}shared x, y;\nprocess P {{ atomic {{ {p} }} }}\nprocess Q {{ atomic {{ {q} read x; }} }}\n", locks(size))
}

/// A function that is reached with any locks held and waits for any of them.
fn waits_recursive(size: usize) -> String {
    let ways =
        each(size, |lock| format!("or {{ sync l{lock} {{ call f; wait l{lock}; write x; }} }} or {{ wait l{lock}; }}"));
    format!(
        "{}shared x;\nfn f() {{ choose {{ read x; }} {ways} }}\nprocess P {{ atomic {{ call f; call f; }} }}\nprocess Q {{ atomic {{ call f; }} }}\n",
        locks(size)
    )
}

fn read_write_locks(count: usize) -> String {
    each(count, |lock| format!("rwlock r{lock};"))
}

/// Read-write locks in any order and mode, any number of times, in each other too.
fn readers_any_order(size: usize) -> String {
    let ways = each(size, |lock| {
        let next = (lock + 1) % size;
        format!(
            "or {{ sync read r{lock} {{ read x; sync write r{next} {{ write x; }} }} }} or {{ sync write r{lock} {{ sync read r{next} {{ read x; }} write x; }} }}"
        )
    });
    let body = format!("loop {{ choose {{ read x; }} {ways} }}");
    format!(
        "{}\nshared x;\nprocess P {{ atomic {{ {body} }} }}\nprocess Q {{ atomic {{ {body} }} }}\n",
        read_write_locks(size)
    )
}

/// A function that is reached with any read-write locks held in any modes.
fn readers_recursive(size: usize) -> String {
    let ways = each(size, |lock| {
        format!("or {{ sync read r{lock} {{ call f; write x; }} }} or {{ sync write r{lock} {{ call f; }} }}")
    });
    format!(
        "{}\nshared x;\nfn f() {{ choose {{ read x; }} {ways} }}\nprocess P {{ atomic {{ call f; }} }}\nprocess Q {{ atomic {{ call f; call f; }} }}\n",
        read_write_locks(size)
    )
}

/// Functions that call the one below twice, down to one that waits and takes a read-write lock.
fn calls_doubling(size: usize) -> String {
    let functions = each(size, |at| {
        format!("fn f{0}() {{ call f{at}; choose {{ sync m {{ skip; }} }} or {{ skip; }} call f{at}; }}\n", at + 1)
    });
    format!(
        "lock l, m; rwlock r; shared x, y;\nfn f0() {{ sync l {{ wait l; }} sync read r {{ read y; }} }}\n{functions}
         process P {{ atomic {{ read x; call f{size}; read x; }} }}\nprocess Q {{ sync write r {{ sync l {{ write x; }} }} call f{size}; }}\n"
    )
}
