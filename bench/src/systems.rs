//! Pushdown systems for benchmarks: of program shape, random ones, and a fan.

use fastrand::Rng;
use wpds::{Builder, Control, Symbol, System};

/// Nodes of a procedure.
const NODES: u32 = 20;

/// The symbol at which procedure 0 returns.
pub fn last_node() -> u32 {
    NODES - 1
}

/// Returns a system with about this number of rules in the shape of a program with one control state: procedures of
/// twenty nodes, mostly steps, some branches, about one call in seven. The first two calls of a procedure form a tree,
/// so all procedures are reached. The others call any procedure, perhaps recursively, and can be skipped, so every
/// procedure returns. Procedure 0 begins at symbol 0.
pub fn program<W: Clone>(rules: usize, seed: u64, mut weight: impl FnMut(&mut Rng) -> W) -> System<W> {
    let procedures = (rules as u32 / (NODES + 3)).max(1);
    let mut rng = Rng::with_seed(seed);
    let mut system: Builder<W> = System::builder();
    let control = Control::new(0);
    let node = |procedure: u32, place: u32| Symbol::new(procedure * NODES + place);
    for procedure in 0..procedures {
        for place in 0..NODES - 1 {
            let (here, next) = (node(procedure, place), node(procedure, place + 1));
            let child = Some(2 * procedure + 1 + place).filter(|child| place < 2 && *child < procedures);
            let other = (rng.u32(..20) == 0).then(|| rng.u32(..procedures));
            if let Some(callee) = child.or(other) {
                system.push(control, here, control, node(callee, 0), next, weight(&mut rng));
            }
            if child.is_none() {
                system.step(control, here, control, next, weight(&mut rng));
            }
            if rng.u32(..10) == 0 {
                let target = node(procedure, rng.u32(..NODES));
                system.step(control, here, control, target, weight(&mut rng));
            }
        }
        system.pop(control, node(procedure, NODES - 1), control, weight(&mut rng));
    }
    system.build()
}

/// Returns a system with this number of random rules over this number of control states: a quarter pops, a half steps,
/// a quarter pushes. There are as many heads as rules.
pub fn random<W: Clone>(rules: usize, controls: u32, seed: u64, mut weight: impl FnMut(&mut Rng) -> W) -> System<W> {
    let controls = controls.max(1);
    let symbols = (rules as u32 / controls).max(2);
    let mut rng = Rng::with_seed(seed);
    let mut system: Builder<W> = System::builder();
    for number in 0..rules as u32 {
        let (from, read) = (Control::new(rng.u32(..controls)), Symbol::new(rng.u32(..symbols)));
        let (to, by, below) = (Control::new(rng.u32(..controls)), rng.u32(..symbols), rng.u32(..symbols));
        let (by, below) = (Symbol::new(by), Symbol::new(below));
        match number % 4 {
            0 => system.pop(from, read, to, weight(&mut rng)),
            1 => system.push(from, read, to, by, below, weight(&mut rng)),
            _ => system.step(from, read, to, by, weight(&mut rng)),
        }
    }
    system.build()
}

/// Returns a symbol with a step to each place of a chain, the farther the costlier, and the worst first: processed
/// first in, first out, each weight changes as often as there are places before it.
pub fn fan(count: u32) -> System<u64> {
    let (control, symbol) = (Control::new(0), Symbol::new);
    let mut system = System::builder();
    for place in (1..count).rev() {
        system.step(control, symbol(0), control, symbol(place), 3 * u64::from(place));
    }
    for place in 1..count.saturating_sub(1) {
        system.step(control, symbol(place), control, symbol(place + 1), 1);
    }
    system.build()
}
