//! Pushdown systems of program shape, for benchmarks.

use fastrand::Rng;
use wpds::{Builder, Control, Symbol, System};

/// A system with about this many rules that looks like a program with one control state: procedures of some twenty nodes,
/// mostly steps, some branches, one call in ten, every procedure returning. Procedure 0 begins at symbol 0.
pub fn program<W: Clone>(rules: usize, seed: u64, mut weight: impl FnMut(&mut Rng) -> W) -> System<W> {
    const NODES: u32 = 20;
    let procedures = (rules as u32 / (NODES + 2)).max(1);
    let mut rng = Rng::with_seed(seed);
    let mut system: Builder<W> = System::builder();
    let control = Control::new(0);
    let node = |procedure: u32, place: u32| Symbol::new(procedure * NODES + place);
    for procedure in 0..procedures {
        for place in 0..NODES - 1 {
            let (here, next) = (node(procedure, place), node(procedure, place + 1));
            // Mostly calls downwards, so that everything is reached and there is some recursion.
            if rng.u32(..10) == 0 || place == 0 {
                let near = 2 * procedure + 1 + rng.u32(..2);
                let callee = if near < procedures { near } else { rng.u32(..procedures) };
                system.push(control, here, control, node(callee, 0), next, weight(&mut rng));
            } else {
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
