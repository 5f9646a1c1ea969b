//! Random systems with a start, a target, and sets of both.

use crate::support::{Configuration, Given};
use wpds::{Automaton, Control, Goal, Inner, Origin, Symbol};

/// A random system. Equal seeds give equal systems.
#[derive(Clone, Debug)]
pub struct Case {
    pub controls: u32,
    pub symbols: u32,
    pub rules: Vec<Given<u64>>,
    /// One start and one target.
    pub start: Configuration,
    pub target: Configuration,
    /// A set of starts or targets.
    pub set: Automaton,
}

impl Case {
    pub fn random(seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let (controls, symbols) = (random.u32(1..4), random.u32(1..4));
        let most = [1, 3, 30][random.usize(..3)];
        // More pops and pushes, or more steps.
        let lengths = [&[0, 1, 2][..], &[0, 1, 1, 1, 2], &[0, 0, 2, 2, 1]][random.usize(..3)];
        let rules = (0..random.usize(..16)).map(|_| Given {
            left: (random.u32(..controls), random.u32(..symbols)),
            to: random.u32(..controls),
            word: (0..*random.choice(lengths).expect("a length")).map(|_| random.u32(..symbols)).collect(),
            weight: random.u64(..=most),
        });
        let rules = rules.collect();
        let mut configuration =
            || (random.u32(..controls), (0..random.usize(..4)).map(|_| random.u32(..symbols)).collect());
        let (start, target) = (configuration(), configuration());
        let set = automaton(&mut random, controls, symbols);
        Self { controls, symbols, rules, start, target, set }
    }
}

fn automaton(random: &mut fastrand::Rng, controls: u32, symbols: u32) -> Automaton {
    let mut automaton = Automaton::new();
    for _ in 0..random.usize(..6) {
        let from = match random.u32(..3) {
            0 => Origin::Inner(Inner::new(random.u32(..2))),
            _ => Origin::Control(Control::new(random.u32(..controls))),
        };
        let to = if random.bool() { Goal::Final } else { Goal::Inner(Inner::new(random.u32(..2))) };
        automaton.edge(from, Symbol::new(random.u32(..symbols)), to);
    }
    if random.u32(..4) == 0 {
        automaton.accept_empty(Control::new(random.u32(..controls)));
    }
    automaton
}
