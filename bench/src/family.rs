//! Families of models that grow in one dimension at a time.

use fastrand::Rng;
use std::fmt::Write;

/// The size of a generated model.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Statements of all functions together, about.
    pub statements: usize,
    /// The longest chain of calls.
    pub depth: usize,
    /// Locks, at least 1.
    pub locks: usize,
    /// Locations, at least 1.
    pub locations: usize,
    /// Processes, at least 2.
    pub processes: usize,
}

/// The text of a model of this size: layers of functions that call into the next layer, and processes whose units call into
/// the first. Functions nest up to two locks in the order of their numbers, so that much is safe and something is not.
pub fn model(size: &Size, seed: u64) -> String {
    const BODY: usize = 20;
    let mut rng = Rng::with_seed(seed);
    let functions = (size.statements / BODY).max(1);
    let layers = size.depth.clamp(1, functions);
    let mut text = String::new();
    let names = |prefix: &str, count| (0..count).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>().join(", ");
    let _ = writeln!(text, "lock {};\nshared {};", names("l", size.locks), names("x", size.locations));
    for function in 0..functions {
        let layer = function * layers / functions;
        let _ = writeln!(text, "fn f{function}() {{");
        let mut left = BODY;
        while left > 0 {
            left = left.saturating_sub(statement(&mut text, &mut rng, size, 1));
        }
        // Into the next layer, to every function of it from somewhere.
        let next = (layer + 1) * functions / layers..(layer + 2) * functions / layers;
        if layer + 1 < layers && !next.is_empty() {
            let _ = writeln!(text, "  choose {{ call f{}; }} or {{ }}", rng.usize(next));
        }
        text.push_str("}\n");
    }
    let first_layer = functions.div_ceil(layers).max(1);
    for process in 0..size.processes {
        let _ = writeln!(text, "process P{process} {{ loop {{ choose {{");
        let own = (0..first_layer).filter(|function| function % size.processes == process % first_layer.max(1));
        let calls: Vec<_> = own.map(|function| format!("atomic {{ call f{function}; }}")).collect();
        let calls = if calls.is_empty() { "atomic { call f0; }".to_string() } else { calls.join(" } or { ") };
        let _ = writeln!(text, "{calls} }} }} }}");
    }
    text
}

/// One statement; gives its size.
fn statement(text: &mut String, rng: &mut Rng, size: &Size, held: usize) -> usize {
    let access = |rng: &mut Rng| {
        let verb = if rng.bool() { "read" } else { "write" };
        format!("{verb} x{};", rng.usize(..size.locations))
    };
    match rng.u8(..10) {
        0..=1 => {
            let _ = writeln!(text, "  choose {{ {} }} or {{ {} }}", access(rng), access(rng));
            3
        }
        2 => {
            let _ = writeln!(text, "  loop {{ {} }}", access(rng));
            2
        }
        3..=5 => {
            let lock = rng.usize(..size.locks);
            let inner = lock + 1 + rng.usize(..size.locks);
            if held < 2 && inner < size.locks && rng.bool() {
                let _ = writeln!(
                    text,
                    "  sync l{lock} {{ {} sync l{inner} {{ {} {} }} }}",
                    access(rng),
                    access(rng),
                    access(rng)
                );
                5
            } else {
                let _ = writeln!(text, "  sync l{lock} {{ {} {} }}", access(rng), access(rng));
                3
            }
        }
        _ => {
            let _ = writeln!(text, "  {}", access(rng));
            1
        }
    }
}
