//! Random models with many starts of processes: small bodies, and `start` anywhere; equal seeds give equal models.
//!
//! Starts occur in functions, loops, critical sections, units and choices, between accesses, and before a point that a
//! process never passes. Most start processes with greater numbers, which makes chains of any length; some start
//! earlier processes or the process itself. Some processes are initial, sometimes in several instances.

use fastrand::Rng;
use std::fmt::Write;

/// Returns the text of a random model.
pub fn model(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed ^ 0x57a7_7ed0);
    let processes = rng.usize(3..=7);
    let shape = Shape {
        processes,
        // Workers come last, so that chains lead to them.
        workers: rng.usize(2..=3.min(processes - 1)),
        roots: if rng.u8(..) < 50 { 2 } else { 1 },
        functions: rng.usize(0..=2),
        locks: rng.usize(1..=2),
        locations: if rng.u8(..) < 40 { 2 } else { 1 },
        leads_back: rng.u8(..) < 70,
        loops: rng.u8(..) < 40,
    };
    let mut writer = Writer { rng, shape, text: String::new(), labels: 0 };
    writer.model();
    writer.text
}

struct Shape {
    processes: usize,
    workers: usize,
    /// Number of processes that no process starts.
    roots: usize,
    functions: usize,
    locks: usize,
    locations: usize,
    /// Whether starts may lead to any process but the roots.
    leads_back: bool,
    loops: bool,
}

struct Writer {
    rng: Rng,
    shape: Shape,
    text: String,
    labels: usize,
}

impl Writer {
    fn model(&mut self) {
        let names = |prefix: &str, count| (0..count).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>().join(", ");
        let _ = writeln!(self.text, "lock {};", names("l", self.shape.locks));
        let _ = writeln!(self.text, "shared {};", names("x", self.shape.locations));
        for function in 0..self.shape.functions {
            let first = self.rng.usize(self.shape.roots..self.shape.processes);
            let start = self.start(first);
            let body = if function > 0 && self.rng.bool() { format!("call f{};", function - 1) } else { start };
            let _ = writeln!(self.text, "fn f{function}() {{ {} }}", body);
        }
        for process in 0..self.shape.processes {
            let is_root = process < self.shape.roots;
            let count = if is_root && self.rng.u8(..) < 40 { ["* 2 ", "* many "][self.rng.usize(..2)] } else { "" };
            let is_worker = process >= self.shape.processes - self.shape.workers;
            let body = if is_worker { self.worker(process) } else { self.creator(process) };
            let _ = writeln!(self.text, "process P{process} {count}{{ {body} }}");
        }
    }

    fn chance(&mut self, of_256: u8) -> bool {
        self.rng.u8(..) < of_256
    }

    fn access(&mut self) -> String {
        let action = if self.rng.bool() { "read" } else { "write" };
        format!("{action} x{};", self.rng.usize(..self.shape.locations))
    }

    /// Writes accesses, in a unit or without one, sometimes with a start between them.
    fn worker(&mut self, process: usize) -> String {
        let mut body = self.access();
        if self.chance(40) {
            body = format!("{body} {}", self.start(process + 1));
        }
        if self.chance(190) {
            body = format!("{body} {}", self.access());
        }
        if self.chance(60) {
            body = self.locked(&body);
        }
        if self.chance(180) {
            body = format!("atomic {{ {body} }}");
        }
        if self.chance(50) {
            body = self.locked(&body);
        }
        if self.chance(40) {
            body = format!("{} {body}", self.start(process + 1));
        }
        body
    }

    /// Writes one or two statements, mostly starts.
    fn creator(&mut self, process: usize) -> String {
        let first = self.item(process + 1);
        if self.chance(110) { format!("{first} {}", self.item(process + 1)) } else { first }
    }

    fn item(&mut self, first: usize) -> String {
        match self.rng.u8(..100) {
            0..=7 => self.access(),
            8..=14 => {
                let access = self.access();
                self.locked(&access)
            }
            _ => self.start(first),
        }
    }

    fn locked(&mut self, body: &str) -> String {
        format!("sync l{} {{ {body} }}", self.rng.usize(..self.shape.locks))
    }

    /// Writes a start, mostly of a process with at least this number, in some context.
    fn start(&mut self, first: usize) -> String {
        let lowest = if self.shape.leads_back && self.chance(60) { 0 } else { first };
        let lowest = lowest.clamp(self.shape.roots, self.shape.processes - 1);
        // The next process is likely, for long chains.
        let started = if self.chance(90) { lowest } else { self.rng.usize(lowest..self.shape.processes) };
        let start = format!("start P{started};");
        match self.rng.u8(..100) {
            0..=44 => start,
            45..=59 => {
                let other = if self.chance(128) { self.start(first) } else { String::new() };
                format!("choose {{ {start} }} or {{ {other} }}")
            }
            60..=71 => self.locked(&start),
            72..=77 => {
                let label = self.labels;
                self.labels += 1;
                self.locked(&format!("{start} L{label}: goto L{label};"))
            }
            78..=83 => {
                let access = self.access();
                format!("atomic {{ {start} {access} }}")
            }
            84..=88 if self.shape.loops => format!("loop {{ {start} }}"),
            89..=94 if self.shape.functions > 0 => format!("call f{};", self.rng.usize(..self.shape.functions)),
            95..=97 => {
                let access = self.access();
                format!("{access} {start}")
            }
            _ => {
                let second = format!("start P{};", self.rng.usize(lowest..self.shape.processes));
                format!("{start} {second}")
            }
        }
    }
}
