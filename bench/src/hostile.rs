//! Models that need more time or memory than there is, at least for some engine: each is one idea in several sizes.

mod threads;

use std::fmt::Write;

/// A model with the name of its idea and its size.
#[derive(Clone, Debug)]
pub struct Hostile {
    /// The idea and the size.
    pub name: String,
    /// The text; queries are about the processes `P` and `Q`.
    pub text: String,
}

/// The ideas by name, each with its sizes.
const IDEAS: [(&str, Idea, [usize; 5]); 10] = [
    ("contexts-recursive", contexts_recursive, [8, 12, 18, 25, 40]),
    ("contexts-chain", contexts_chain, [8, 14, 20, 40, 64]),
    ("contexts-units", contexts_units, [6, 10, 16, 24, 48]),
    ("histories-any-order", histories_any_order, [4, 8, 16, 32, 64]),
    ("histories-nested", histories_nested, [3, 5, 8, 16, 32]),
    ("histories-recursive", histories_recursive, [4, 8, 16, 32, 60]),
    ("handover", handover, [4, 8, 16, 32, 64]),
    ("sections-in-a-row", sections_in_a_row, [100, 1_000, 5_000, 20_000, 60_000]),
    ("functions-deep", functions_deep, [100, 1_000, 10_000, 30_000, 100_000]),
    ("functions-wide", functions_wide, [5, 20, 80, 300, 1_000]),
];

/// The declarations and functions, and the bodies of the units of `P` and `Q`.
type Idea = fn(usize) -> (String, String, String);

/// Returns all models: fifty of two processes, and fifty of many.
pub fn models() -> Vec<Hostile> {
    let all = IDEAS.iter().flat_map(|(name, idea, sizes)| {
        sizes.iter().map(move |size| {
            let (functions, p, q) = idea(*size);
            let text = format!(
                "shared x; shared y;\n{functions}\nprocess P {{ atomic {{ {p} }} }}\nprocess Q {{ atomic {{ {q} }} }}\n"
            );
            Hostile { name: format!("{name}-{size}"), text }
        })
    });
    all.chain(threads::models()).collect()
}

fn locks(count: usize) -> String {
    (0..count).fold(String::new(), |mut text, lock| {
        write!(text, "lock l{lock}; ").expect("strings take everything");
        text
    })
}

fn each(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().join(" ")
}

fn both(functions: String, body: &str) -> (String, String, String) {
    (functions, body.to_string(), body.to_string())
}

/// A function that can be reached with any set of locks held.
fn contexts_recursive(size: usize) -> (String, String, String) {
    let ways = each(size, |lock| format!("or {{ sync l{lock} {{ call f; }} }}"));
    both(format!("{}fn f() {{ choose {{ }} {ways} or {{ read x; }} or {{ write x; }} }}", locks(size)), "call f;")
}

/// The same without recursion: each function holds its lock or not; the last one touches all.
fn contexts_chain(size: usize) -> (String, String, String) {
    let last = each(size, |lock| format!("sync l{lock} {{ read x; write y; }}"));
    let chain = each(size, |at| {
        format!("fn f{at}() {{ choose {{ sync l{at} {{ call f{0}; }} }} or {{ call f{0}; }} }}", at + 1)
    });
    both(format!("{}fn f{size}() {{ {last} }} {chain}", locks(size)), "call f0; write x;")
}

/// Locks, and units that begin anywhere.
fn contexts_units(size: usize) -> (String, String, String) {
    let ways = each(size, |lock| format!("or {{ sync l{lock} {{ atomic {{ call f; write y; }} }} }}"));
    both(
        format!("{}fn f() {{ choose {{ read x; }} {ways} or {{ call f; write x; }} }}", locks(size)),
        "call f; call f;",
    )
}

/// Critical sections in any order, any number of times.
fn histories_any_order(size: usize) -> (String, String, String) {
    let ways = each(size, |lock| format!("or {{ sync l{lock} {{ read x; write y; }} }}"));
    both(locks(size), &format!("loop {{ choose {{ write x; }} {ways} }}"))
}

/// Nested critical sections of any two locks, any number of times.
fn histories_nested(size: usize) -> (String, String, String) {
    let inner = |outer: usize| {
        each(
            size,
            |lock| if lock == outer { String::new() } else { format!("or {{ sync l{lock} {{ read x; write y; }} }}") },
        )
    };
    let ways = each(size, |lock| format!("or {{ sync l{lock} {{ choose {{ read y; }} {} }} }}", inner(lock)));
    both(locks(size), &format!("loop {{ choose {{ write x; }} {ways} }}"))
}

/// A tree of calls that goes through critical sections before and after.
fn histories_recursive(size: usize) -> (String, String, String) {
    let ways = each(size, |lock| {
        format!("or {{ sync l{lock} {{ read x; }} call f; sync l{0} {{ write y; }} }}", (lock + 1) % size)
    });
    both(format!("{}fn f() {{ choose {{ write x; }} {ways} }}", locks(size)), "call f; call f;")
}

/// Each lock is acquired inside the previous one, with all accesses in between.
fn handover(size: usize) -> (String, String, String) {
    let functions = each(size, |at| {
        let next = if at + 1 < size { format!("call f{};", at + 1) } else { "write x;".to_string() };
        format!("fn f{at}() {{ sync l{at} {{ read x; choose {{ {next} }} or {{ write y; }} read y; }} }}")
    });
    let (there, back) = (each(size, |at| format!("call f{at};")), each(size, |at| format!("call f{};", size - 1 - at)));
    (locks(size) + &functions, there, back)
}

/// A long straight line.
fn sections_in_a_row(size: usize) -> (String, String, String) {
    both(
        locks(6),
        &each(size, |at| format!("sync l{} {{ read x; sync l{} {{ write x; }} }}", at % 6, (at + 1 + at / 6 % 5) % 6)),
    )
}

/// A long chain of calls, back through critical sections.
fn functions_deep(size: usize) -> (String, String, String) {
    let functions = each(size, |at| {
        format!("fn f{at}() {{ choose {{ call f{}; }} or {{ read x; }} sync l{} {{ write x; }} }}", at + 1, at % 4)
    });
    both(format!("{}fn f{size}() {{ read y; }} {functions}", locks(4)), "call f0;")
}

/// Many functions that call each other in any way.
fn functions_wide(size: usize) -> (String, String, String) {
    let functions = each(size, |at| {
        let calls = each(6, |next| format!("or {{ call f{}; }}", (at * 7 + next * next + 1) % size));
        format!("fn f{at}() {{ sync l{} {{ choose {{ read x; }} {calls} or {{ write x; }} }} }}", at % 12)
    });
    both(format!("{}{functions}", locks(12)), "call f0; call f1;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_models() {
        let models = models();
        assert_eq!(models.len(), 100);
        for Hostile { name, text } in models.iter().filter(|model| model.text.len() < 20_000) {
            assert!(asercheck::model::from_text(name, text).is_ok(), "{name}");
        }
    }
}
