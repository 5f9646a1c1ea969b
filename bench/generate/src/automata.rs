//! Random phase automata of two and three threads; equal seeds give equal automata.
//!
//! Half of the automata keep threads inside their units, as hand-written ones do, so that they concern atomicity; the
//! others are uniformly random. In both halves a `begin` may occur anywhere, also where a unit is open already and
//! where it cannot be fused with the next access, so the boundaries of units are tested.

use fastrand::Rng;
use phases::{self, Automaton};
use std::fmt::Write;

/// Returns some automata of a seed, of two threads and, among them, of three.
pub fn automata(seed: u64) -> Vec<Automaton> {
    drawn(seed, Rng::with_seed(seed ^ 0xa070), false)
}

/// Returns some automata of a seed with lock events and with threads that must not move.
pub fn lock_automata(seed: u64) -> Vec<Automaton> {
    drawn(seed, Rng::with_seed(seed ^ 0x10c5), true)
}

fn drawn(seed: u64, mut rng: Rng, with_locks: bool) -> Vec<Automaton> {
    let mut text = String::new();
    for (number, threads) in [2, 2, 3].into_iter().enumerate() {
        let parameters = if with_locks {
            Parameters { threads, locations: rng.usize(0..=1), locks: rng.usize(0..=2), stays: true }
        } else {
            Parameters { threads, locations: rng.usize(0..=2), locks: 0, stays: false }
        };
        write(&mut rng, number, parameters, &mut text);
    }
    phases::parse(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"))
}

/// Number of parameters of each kind of an automaton, and whether it may forbid threads to move.
#[derive(Clone, Copy)]
struct Parameters {
    threads: usize,
    locations: usize,
    locks: usize,
    stays: bool,
}

/// Writes an automaton with this number and these parameters.
fn write(rng: &mut Rng, number: usize, parameters: Parameters, text: &mut String) {
    let Parameters { threads, locations, locks, stays } = parameters;
    let names = |prefix: &str, count| (0..count).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>().join(", ");
    let of_locks = if locks > 0 { format!("; {}", names("l", locks)) } else { String::new() };
    let (of_threads, of_locations) = (names("T", threads), names("a", locations));
    let _ = writeln!(text, "automaton random{number}({of_threads}; {of_locations}{of_locks}) {{");
    let keeps_units = rng.bool();
    let turns = turns(rng, threads);
    let last = |thread| turns.iter().rposition(|turn| *turn == thread);
    for (place, thread) in turns.iter().enumerate() {
        let mut forbidden = forbidden(rng, parameters);
        if stays {
            // A thread that has taken a transition often must not move until its next one.
            let mut others: Vec<_> = (0..threads).filter(|own| own != thread && turns[..place].contains(own)).collect();
            others.retain(|_| rng.u8(..) < 110);
            forbidden.extend(others.iter().map(|own| format!("T{own} step")));
        }
        if keeps_units {
            // From the thread's first transition to its last.
            let open = (0..threads).filter(|own| turns[..place].contains(own) && last(*own) >= Some(place));
            forbidden.extend(open.map(|own| format!("T{own} end")));
        }
        let forbidden = if forbidden.is_empty() { String::new() } else { format!("forbid {}; ", forbidden.join(", ")) };
        let begins = keeps_units && !turns[..place].contains(thread) && rng.u8(..) < 150;
        let event = if begins { "begin".to_string() } else { action(rng, locations, locks) };
        let _ = writeln!(text, "    q{place}: {forbidden}on T{thread} {event} -> q{};", place + 1);
    }
    text.push_str("}\n");
}

/// Chooses the thread of each transition; every thread has one.
fn turns(rng: &mut Rng, threads: usize) -> Vec<usize> {
    let mut turns: Vec<_> = (0..threads).collect();
    turns.extend((0..rng.usize(0..=3)).map(|_| rng.usize(..threads)));
    rng.shuffle(&mut turns);
    turns
}

fn action(rng: &mut Rng, locations: usize, locks: usize) -> String {
    if locks > 0 && rng.u8(..) < 140 {
        return wanting(rng, locks);
    }
    match rng.u8(..100) {
        0..=64 if locations > 0 => {
            let unit = ["", "", "atomic "][rng.usize(..3)];
            format!("{unit}{} a{}", ["read", "write"][rng.usize(..2)], rng.usize(..locations))
        }
        65..=84 | 0..=31 => "begin".to_string(),
        _ => "end".to_string(),
    }
}

/// Writes the event that a lock is requested, mostly while another one, or the same in another mode, is held.
fn wanting(rng: &mut Rng, locks: usize) -> String {
    let of_mode = |rng: &mut Rng| {
        let mode = ["", "", "", "", "read ", "write "][rng.usize(..6)];
        format!("{mode}l{}", rng.usize(..locks))
    };
    let wanted = of_mode(rng);
    if rng.u8(..) < 140 { format!("wants {wanted} holding {}", of_mode(rng)) } else { format!("wants {wanted}") }
}

/// Writes the forbidden actions of a phase: mostly none, so that most automata can be passed.
fn forbidden(rng: &mut Rng, parameters: Parameters) -> Vec<String> {
    let Parameters { threads, locations, locks, .. } = parameters;
    let mut all = Vec::new();
    while rng.u8(..) < 60 {
        let whose = if rng.u8(..) < 60 { "*".to_string() } else { format!("T{}", rng.usize(..threads)) };
        let what = if rng.u8(..) < 25 { "*".to_string() } else { action(rng, locations, locks) };
        all.push(format!("{whose} {what}"));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use phases::Action;

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
    fn events_of_locks_and_standstill_occur() {
        let all: Vec<_> = (0..200).flat_map(lock_automata).collect();
        let count = |holds: fn(&Automaton) -> bool| all.iter().filter(|automaton| holds(automaton)).count();
        let (wanting, standing) = (count(Automaton::speaks_of_wanting), count(Automaton::stops_threads));
        let both = count(|automaton| automaton.speaks_of_wanting() && automaton.stops_threads());
        assert!(wanting > 200 && standing > 200 && both > 100, "{wanting}, {standing}, {both}");
        assert!(wanting < 550 && standing < 550, "{wanting}, {standing}");
        let texts: Vec<_> = all.iter().map(ToString::to_string).collect();
        for part in
            ["wants read", "holding write", "holding l", "wants l0 ->", "forbid * wants", "T0 wants l1 holding l0"]
        {
            assert!(texts.iter().any(|text| text.contains(part)), "{part}");
        }
    }

    #[test]
    fn equal_seeds_give_equal_automata() {
        assert_eq!(automata(7), automata(7));
        assert_ne!(automata(7), automata(8));
    }
}
