//! Random phase automata of two and three threads; equal seeds give equal automata.
//!
//! Half of the automata keep threads inside their units, as those that people write do, so that they say something about
//! atomicity; in the others everything is drawn alike. Either way a `begin` may stand anywhere, also where a unit is open
//! already and where it cannot be fused with the access that follows, so the boundaries of units have to be right.

use asercheck::phases::{self, Automaton};
use fastrand::Rng;
use std::fmt::Write;

/// Some automata of a seed, of two threads and, among them, of three.
pub fn automata(seed: u64) -> Vec<Automaton> {
    let mut rng = Rng::with_seed(seed ^ 0xa070);
    let mut text = String::new();
    for (number, threads) in [2, 2, 3].into_iter().enumerate() {
        write(&mut rng, number, threads, &mut text);
    }
    phases::parse(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"))
}

/// Writes an automaton with this number and so many threads.
fn write(rng: &mut Rng, number: usize, threads: usize, text: &mut String) {
    let locations = rng.usize(0..=2);
    let names = |prefix: &str, count| (0..count).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>().join(", ");
    let _ = writeln!(text, "automaton random{number}({}; {}) {{", names("T", threads), names("a", locations));
    let keeps_units = rng.bool();
    let turns = turns(rng, threads);
    let last = |thread| turns.iter().rposition(|turn| *turn == thread);
    for (place, thread) in turns.iter().enumerate() {
        let mut forbidden = forbidden(rng, threads, locations);
        if keeps_units {
            // From the thread's first transition to its last.
            let open = (0..threads).filter(|own| turns[..place].contains(own) && last(*own) >= Some(place));
            forbidden.extend(open.map(|own| format!("T{own} end")));
        }
        let forbidden = if forbidden.is_empty() { String::new() } else { format!("forbid {}; ", forbidden.join(", ")) };
        let begins = keeps_units && !turns[..place].contains(thread) && rng.u8(..) < 150;
        let event = if begins { "begin".to_string() } else { action(rng, locations) };
        let _ = writeln!(text, "    q{place}: {forbidden}on T{thread} {event} -> q{};", place + 1);
    }
    text.push_str("}\n");
}

/// Who takes which transition; every thread takes one.
fn turns(rng: &mut Rng, threads: usize) -> Vec<usize> {
    let mut turns: Vec<_> = (0..threads).collect();
    turns.extend((0..rng.usize(0..=3)).map(|_| rng.usize(..threads)));
    rng.shuffle(&mut turns);
    turns
}

fn action(rng: &mut Rng, locations: usize) -> String {
    match rng.u8(..100) {
        0..=64 if locations > 0 => {
            let unit = ["", "", "atomic "][rng.usize(..3)];
            format!("{unit}{} a{}", ["read", "write"][rng.usize(..2)], rng.usize(..locations))
        }
        65..=84 | 0..=31 => "begin".to_string(),
        _ => "end".to_string(),
    }
}

/// What a phase forbids: mostly nothing, so that most automata can be passed through.
fn forbidden(rng: &mut Rng, threads: usize, locations: usize) -> Vec<String> {
    let mut all = Vec::new();
    while rng.u8(..) < 60 {
        let whose = if rng.u8(..) < 60 { "*".to_string() } else { format!("T{}", rng.usize(..threads)) };
        let what = if rng.u8(..) < 25 { "*".to_string() } else { action(rng, locations) };
        all.push(format!("{whose} {what}"));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use asercheck::phases::Action;

    #[test]
    fn all_kinds_occur() {
        let all: Vec<_> = (0..200).flat_map(automata).collect();
        assert_eq!(all.iter().filter(|automaton| automaton.threads().len() == 3).count(), 200);
        let is_begin =
            |automaton: &&Automaton| automaton.phases().iter().any(|phase| phase.event.action == Action::Begin);
        let with_begin: Vec<_> = all.iter().filter(is_begin).collect();
        let fused = with_begin.iter().filter(|automaton| automaton.fuse_begin().is_some()).count();
        assert!(fused > 5 && with_begin.len() > fused + 200, "{fused} of {}", with_begin.len());
        assert!(all.iter().any(|automaton| automaton.phases().iter().any(|phase| phase.forbidden.len() > 2)));
    }

    #[test]
    fn equal_seeds_give_equal_automata() {
        assert_eq!(automata(7), automata(7));
        assert_ne!(automata(7), automata(8));
    }
}
