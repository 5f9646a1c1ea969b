//! Families of models that grow in one dimension at a time.

use fastrand::Rng;
use std::fmt::Write;

/// Shape of a generated model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Layers of functions that call into the next layer.
    Layers,
    /// Two processes with a sequence of critical sections, in a unit under a lock of their own.
    Sections,
    /// Two processes that choose between two critical sections again and again, in a unit.
    Branching,
    /// A chain of processes, each of which starts the next again and again.
    Starts,
    /// Dining philosophers: each takes the left fork first.
    Ring,
    /// Processes that take any two locks in any order.
    Orders,
    /// Two processes that go through a chain of calls, under one lock more in each.
    Calls,
    /// Two processes that call a function which takes any lock and may call itself.
    Recursion,
}

impl Shape {
    /// Returns all shapes.
    pub const ALL: [Self; 8] = [
        Self::Layers,
        Self::Sections,
        Self::Branching,
        Self::Starts,
        Self::Ring,
        Self::Orders,
        Self::Calls,
        Self::Recursion,
    ];

    /// Returns the name of the shape.
    pub fn name(self) -> &'static str {
        match self {
            Self::Layers => "layers",
            Self::Sections => "sections",
            Self::Branching => "branching",
            Self::Starts => "starts",
            Self::Ring => "ring",
            Self::Orders => "orders",
            Self::Calls => "calls",
            Self::Recursion => "recursion",
        }
    }

    /// Whether the queries about such models are those of deadlocks instead of the patterns.
    pub fn is_about_deadlocks(self) -> bool {
        matches!(self, Self::Ring | Self::Orders)
    }
}

/// The size of a generated model.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// The shape.
    pub shape: Shape,
    /// Approximate number of statements of all functions; or number of critical sections of each process.
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

/// Returns the text of a model of this size.
pub fn model(size: &Size, seed: u64) -> String {
    match size.shape {
        Shape::Layers => layers(size, seed),
        Shape::Sections => sections(size),
        Shape::Branching => branching(size),
        Shape::Starts => starts(size),
        Shape::Ring => ring(size),
        Shape::Orders => orders(size),
        Shape::Calls => calls(size),
        Shape::Recursion => recursion(size),
    }
}

/// Each process has a unit with accesses under a lock and without it, and then starts the next.
fn starts(size: &Size) -> String {
    let process = |number: usize| {
        let next = if number + 1 < size.processes { format!(" start P{};", number + 1) } else { String::new() };
        let unit = "atomic { sync l { read x; write y; } write x; read y; }";
        format!("process P{number} {{ loop {{ {unit}{next} }} }}\n")
    };
    format!("lock l;\nshared x, y;\n{}", (0..size.processes).map(process).collect::<String>())
}

fn ring(size: &Size) -> String {
    let process = |number: usize| {
        let next = (number + 1) % size.processes;
        format!("process P{number} {{ loop {{ atomic {{ sync l{number} {{ sync l{next} {{ call eat; }} }} }} }} }}\n")
    };
    let processes = (0..size.processes).map(process).collect::<String>();
    let locks = names("l", size.processes);
    format!("lock {locks};\nshared meals;\nfn eat() {{ read meals; write meals; }}\n{processes}")
}

fn orders(size: &Size) -> String {
    let pairs = (0..size.locks).flat_map(|one| (0..size.locks).map(move |other| (one, other)));
    let pairs = pairs.filter(|(one, other)| one != other);
    let sections = pairs.map(|(one, other)| format!("{{ sync l{one} {{ sync l{other} {{ read x; }} }} }}"));
    let choice = sections.collect::<Vec<_>>().join(" or ");
    let process = |number| format!("process P{number} {{ loop {{ choose {choice} }} }}\n");
    format!("lock {};\nshared x;\n{}", names("l", size.locks), (0..size.processes).map(process).collect::<String>())
}

fn calls(size: &Size) -> String {
    let function = |number: usize| {
        let next = if number + 1 < size.locks { format!("call f{};", number + 1) } else { "read x; write x;".into() };
        format!("fn f{number}() {{ sync l{number} {{ {next} }} }}\n")
    };
    let functions = (0..size.locks).map(function).collect::<String>();
    let process = |name| format!("process {name} {{ atomic {{ call f0; }} }}\n");
    format!("lock {};\nshared x;\n{functions}{}{}", names("l", size.locks), process("P"), process("Q"))
}

fn recursion(size: &Size) -> String {
    let section = |lock| format!("{{ sync l{lock} {{ read x; write x; choose {{ call f; }} or {{ }} }} }}");
    let choice = (0..size.locks).map(section).collect::<Vec<_>>().join(" or ");
    let processes = "process P { atomic { call f; call f; } }\nprocess Q { call f; }\n";
    format!("lock {};\nshared x;\nfn f() {{ choose {choice} }}\n{processes}", names("l", size.locks))
}

/// `sync l { read x; write x; }` again and again, with one lock after the other, in a unit under a lock of its own.
fn sections(size: &Size) -> String {
    let locks = size.locks;
    let body = (0..size.statements).map(|section| format!("sync l{} {{ read x; write x; }}\n", section % locks));
    let body = body.collect::<String>();
    let process = |name| format!("process {name} {{ sync m {{ atomic {{\n{body}}} }} }}\n");
    format!("lock m, {};\nshared x;\n{}{}", names("l", locks), process("P"), process("Q"))
}

/// `choose { sync l { read x; } } or { sync m { write x; } }` again and again, with one pair of locks after the other,
/// in a unit.
fn branching(size: &Size) -> String {
    let locks = size.locks;
    let body = (0..size.statements).map(|section| {
        let (first, second) = (section * 3 % locks, (section * 5 + 1) % locks);
        format!("choose {{ sync l{first} {{ read x; }} }} or {{ sync l{second} {{ write x; }} }}\n")
    });
    let body = body.collect::<String>();
    let process = |name| format!("process {name} {{ atomic {{\n{body}}} }}\n");
    format!("lock {};\nshared x;\n{}{}", names("l", locks), process("P"), process("Q"))
}

fn names(prefix: &str, count: usize) -> String {
    (0..count).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>().join(", ")
}

/// Layers of functions that call into the next layer, and processes whose units call into the first. Functions nest up
/// to two locks in the order of their numbers, so that most queries are safe and some are violated.
fn layers(size: &Size, seed: u64) -> String {
    const BODY: usize = 20;
    let mut rng = Rng::with_seed(seed);
    let functions = (size.statements / BODY).max(1);
    let layers = size.depth.clamp(1, functions);
    let mut text = String::new();
    let _ = writeln!(text, "lock {};\nshared {};", names("l", size.locks), names("x", size.locations));
    for function in 0..functions {
        let layer = function * layers / functions;
        let _ = writeln!(text, "fn f{function}() {{");
        let mut left = BODY;
        while left > 0 {
            left = left.saturating_sub(statement(&mut text, &mut rng, size, 1));
        }
        // Calls into the next layer; every function of it is called somewhere.
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

/// Writes one statement and returns its size.
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
