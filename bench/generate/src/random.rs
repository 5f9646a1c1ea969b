//! Random small models, every construct of the language among them; equal seeds give equal models.

use fastrand::Rng;
use std::fmt::Write;

/// Size and constructs of models.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Processes, at least 1.
    pub processes: usize,
    /// Functions.
    pub functions: usize,
    /// Locks, at least 1.
    pub locks: usize,
    /// Locations, at least 1.
    pub locations: usize,
    /// Approximate number of statements of each body.
    pub statements: usize,
    /// Whether processes are started by others, sometimes in loops.
    pub starts: bool,
    /// Whether functions may call themselves and each other.
    pub recursion: bool,
    /// Whether processes may have several instances.
    pub instances: bool,
    /// Number of read-write locks, beside the locks.
    pub read_write_locks: usize,
    /// Whether threads wait: mostly for a lock that is held around the statement, sometimes for one that a caller or no
    /// thread holds.
    pub waits: bool,
    /// Whether locks overlap: acquired and released in any order, also across units.
    pub overlap: bool,
    /// Whether many statements are calls, some of them a choice of callees.
    pub calls: bool,
}

impl Shape {
    /// Returns a shape that depends on the seed, mostly without starts and recursion.
    pub fn of_seed(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed ^ 0x5eed);
        Self {
            processes: rng.usize(2..=3),
            functions: rng.usize(0..=3),
            locks: rng.usize(1..=3),
            locations: rng.usize(1..=2),
            statements: rng.usize(3..=7),
            starts: rng.u8(..) < 60,
            recursion: rng.u8(..) < 40,
            instances: rng.u8(..) < 40,
            read_write_locks: 0,
            waits: false,
            overlap: false,
            calls: false,
        }
    }

    /// Returns such a shape with much recursion under several locks, and sometimes with waiting, read-write locks and
    /// overlapping locks.
    pub fn with_recursion(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed ^ 0x5e1f);
        let shape = match seed % 4 {
            0 | 1 => Self::of_seed(seed),
            2 => Self::with_modes(seed),
            _ => Self::with_overlap(seed),
        };
        Self {
            processes: 2 + usize::from(shape.starts),
            functions: rng.usize(1..=3),
            locks: rng.usize(2..=5),
            statements: rng.usize(4..=9),
            recursion: true,
            calls: true,
            ..shape
        }
    }

    /// Returns such a shape with overlapping locks, and sometimes waiting and read-write locks.
    pub fn with_overlap(seed: u64) -> Self {
        let shape = if seed.is_multiple_of(3) { Self::with_modes(seed) } else { Self::of_seed(seed) };
        Self { locks: shape.locks.max(2), overlap: true, ..shape }
    }

    /// Returns such a shape with read-write locks, waiting, or both.
    pub fn with_modes(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed ^ 0x30de5);
        let shape = Self::of_seed(seed);
        let read_write_locks = [0, 1, 1, 2][rng.usize(..4)];
        let locks = if read_write_locks > 0 { shape.locks.min(2) } else { shape.locks };
        Self { locks, read_write_locks, waits: read_write_locks == 0 || rng.bool(), ..shape }
    }
}

/// Returns the text of a random model.
pub fn model(seed: u64, shape: &Shape) -> String {
    let mut writer = Writer { rng: Rng::with_seed(seed), shape, text: String::new(), labels: 0, budget: 0 };
    writer.model();
    writer.text
}

/// Context of a statement: decides which statements are possible.
#[derive(Clone, Copy, Debug)]
struct Place {
    indent: usize,
    /// Whether a `break` is possible: `acquire` and `begin` have opened nothing inside the loop.
    in_loop: bool,
    /// Whether a `return` is possible: nothing is open that `acquire` or `begin` opened.
    may_return: bool,
    /// Functions with a number from here on may be called.
    callable: usize,
    /// Processes with a number from here on may be started.
    startable: usize,
    /// A label to which control may jump from here.
    label: Option<usize>,
    /// The lock of the innermost critical section around the statement in its body.
    open: Option<usize>,
}

struct Writer<'a> {
    rng: Rng,
    shape: &'a Shape,
    text: String,
    labels: usize,
    budget: usize,
}

impl Writer<'_> {
    fn model(&mut self) {
        let names = |prefix: &str, count| (0..count).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>().join(", ");
        let _ = writeln!(self.text, "lock {};", names("l", self.shape.locks));
        if self.shape.read_write_locks > 0 {
            let _ = writeln!(self.text, "rwlock {};", names("r", self.shape.read_write_locks));
        }
        if self.shape.overlap {
            let _ = writeln!(self.text, "overlap {};", names("l", self.shape.locks));
            if self.shape.read_write_locks > 0 {
                let _ = writeln!(self.text, "overlap {};", names("r", self.shape.read_write_locks));
            }
        }
        let _ = writeln!(self.text, "shared {};", names("x", self.shape.locations));
        if self.shape.locations > 1 && self.rng.u8(..) < 30 {
            let _ = writeln!(self.text, "atomicset S {{ x0 }}");
        }
        for function in 0..self.shape.functions {
            let _ = write!(self.text, "fn f{function}() ");
            let callable = if self.shape.recursion { 0 } else { function + 1 };
            self.body(callable, self.shape.processes);
        }
        for process in 0..self.shape.processes {
            let _ = write!(self.text, "process P{process} ");
            let may_have_more = self.shape.instances && !(self.shape.starts && process > 0);
            if may_have_more && self.rng.bool() {
                let count = ["* 2 ", "* 3 ", "* many "][self.rng.usize(..3)];
                self.text.push_str(count);
            }
            let startable = if self.shape.starts { process + 1 } else { self.shape.processes };
            self.body(0, startable);
        }
    }

    fn body(&mut self, callable: usize, startable: usize) {
        self.budget = self.rng.usize(1..=2 * self.shape.statements);
        let place = Place { indent: 1, in_loop: false, may_return: true, callable, startable, label: None, open: None };
        // Most violations need a unit with two accesses, which few bodies have by chance.
        if self.rng.u8(..) < 150 {
            self.text.push_str("{\n");
            self.statements(place);
            self.budget += self.shape.statements;
            self.nested(place, "atomic");
            self.statements(place);
            self.text.push_str("}\n");
        } else {
            self.block(place);
        }
    }

    fn line(&mut self, indent: usize, text: &str) {
        let _ = writeln!(self.text, "{:1$}{text}", "", 2 * indent);
    }

    /// Writes a block with its braces.
    fn block(&mut self, place: Place) {
        self.text.push_str("{\n");
        let mut inner = place;
        let labelled = self.rng.u8(..) < 12;
        if labelled {
            inner.label = Some(self.labels);
            self.labels += 1;
        }
        let first = labelled && self.rng.bool();
        if let (true, Some(label)) = (first, inner.label) {
            self.line(inner.indent, &format!("L{label}:"));
        }
        self.statements(inner);
        if let (true, Some(label)) = (labelled && !first, inner.label) {
            self.line(inner.indent, &format!("L{label}:"));
        }
        self.line(place.indent - 1, "}");
    }

    fn statements(&mut self, place: Place) {
        for _ in 0..self.rng.usize(0..=4) {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            self.statement(place);
        }
    }

    fn nested(&mut self, place: Place, head: &str) {
        let _ = write!(self.text, "{:1$}{head} ", "", 2 * place.indent);
        self.block(Place { indent: place.indent + 1, ..place });
    }

    /// Writes statements between two others, which open and close a lock or unit without a block.
    fn unstructured(&mut self, place: Place, open: &str, close: &str) {
        self.line(place.indent, open);
        self.statements(Place { in_loop: false, may_return: false, label: None, ..place });
        self.line(place.indent, close);
    }

    fn statement(&mut self, place: Place) {
        let lock = self.rng.usize(..self.shape.locks);
        let location = self.rng.usize(..self.shape.locations);
        if self.shape.waits && self.rng.u8(..) < if place.open.is_some() { 40 } else { 12 } {
            return self.wait(place, lock);
        }
        if self.shape.overlap && self.rng.u8(..) < 50 {
            return match self.moded() {
                Some((mode, lock)) => self.overlapping_modes(place, mode, lock),
                None => self.overlapping(place, lock),
            };
        }
        if self.shape.calls && place.callable < self.shape.functions && self.rng.u8(..) < 45 {
            return self.call(place);
        }
        match self.rng.u8(..100) {
            0..=18 => self.line(place.indent, &format!("read x{location};")),
            19..=40 => self.line(place.indent, &format!("write x{location};")),
            41..=57 => self.section(place, lock),
            58..=61 => self.unblocked_section(place, lock),
            62..=71 => self.nested(place, "atomic"),
            72..=73 => self.unstructured(place, "begin;", "end;"),
            74..=78 => self.choice(place),
            79..=82 => {
                let inner = Place { in_loop: true, ..place };
                self.nested(inner, "loop");
            }
            83..=89 if place.callable < self.shape.functions => {
                let callee = self.rng.usize(place.callable..self.shape.functions);
                self.line(place.indent, &format!("call f{callee};"));
            }
            90..=93 if place.startable < self.shape.processes => {
                let started = self.rng.usize(place.startable..self.shape.processes);
                self.line(place.indent, &format!("start P{started};"));
            }
            94 if place.in_loop => self.line(place.indent, "break;"),
            95 if place.in_loop => self.line(place.indent, "continue;"),
            96 if place.may_return => self.line(place.indent, "return;"),
            97..=98 => match place.label {
                Some(label) => self.line(place.indent, &format!("goto L{label};")),
                None => self.line(place.indent, "skip;"),
            },
            _ => self.line(place.indent, "skip;"),
        }
    }

    /// Writes a call, or a choice of callees.
    fn call(&mut self, place: Place) {
        let mut callee = || self.rng.usize(place.callable..self.shape.functions);
        let (first, second) = (callee(), callee());
        let text = match self.rng.u8(..3) {
            0 => format!("choose {{ call f{first}; }} or {{ call f{second}; }}"),
            1 => format!("choose {{ call f{first}; }} or {{ }}"),
            _ => format!("call f{first};"),
        };
        self.line(place.indent, &text);
    }

    /// Writes a critical section of this lock or of a read-write lock.
    fn section(&mut self, place: Place, lock: usize) {
        match self.moded() {
            Some((mode, lock)) => self.nested(place, &format!("sync {mode} r{lock}")),
            None => self.nested(Place { open: Some(lock), ..place }, &format!("sync l{lock}")),
        }
    }

    fn unblocked_section(&mut self, place: Place, lock: usize) {
        match self.moded() {
            Some((mode, lock)) => {
                self.unstructured(place, &format!("acquire {mode} r{lock};"), &format!("release r{lock};"));
            }
            None => {
                let place = Place { open: Some(lock), ..place };
                self.unstructured(place, &format!("acquire l{lock};"), &format!("release l{lock};"));
            }
        }
    }

    /// Writes two overlapping locks, or a lock and a unit; sometimes acquired in either order.
    fn overlapping(&mut self, place: Place, lock: usize) {
        let other = (lock + self.rng.usize(1..self.shape.locks)) % self.shape.locks;
        let inner = Place { in_loop: false, may_return: false, label: None, open: Some(lock), ..place };
        let (open, close) = match self.rng.u8(..4) {
            0 => ("begin;".to_string(), "end;".to_string()),
            _ => (format!("acquire l{other};"), format!("release l{other};")),
        };
        let indent = place.indent;
        if self.rng.u8(..4) == 0 {
            self.line(
                indent,
                &format!("choose {{ acquire l{lock}; acquire l{other}; }} or {{ acquire l{other}; acquire l{lock}; }}"),
            );
            self.statements(inner);
            self.line(indent, &format!("release l{lock};"));
            self.statements(inner);
            return self.line(indent, &format!("release l{other};"));
        }
        self.line(indent, &format!("acquire l{lock};"));
        self.statements(inner);
        self.line(indent, &open);
        self.statements(inner);
        self.line(indent, &format!("release l{lock};"));
        self.statements(inner);
        self.line(indent, &close);
    }

    /// Writes a read-write lock that overlaps with a plain one, or whose read mode outlasts its write mode.
    fn overlapping_modes(&mut self, place: Place, mode: &str, lock: usize) {
        let inner = Place { in_loop: false, may_return: false, label: None, ..place };
        let (indent, other) = (place.indent, self.rng.usize(..self.shape.locks));
        match self.rng.u8(..3) {
            0 => {
                self.line(indent, &format!("acquire {mode} r{lock};"));
                self.statements(inner);
                self.line(indent, &format!("acquire l{other};"));
                self.statements(inner);
                self.line(indent, &format!("release r{lock};"));
                self.statements(inner);
                self.line(indent, &format!("release l{other};"));
            }
            1 => {
                self.line(indent, &format!("sync write r{lock} {{"));
                self.statements(Place { indent: indent + 1, ..inner });
                self.line(indent + 1, &format!("acquire read r{lock};"));
                self.statements(Place { indent: indent + 1, ..inner });
                self.line(indent, "}");
                self.statements(inner);
                self.line(indent, &format!("release r{lock};"));
            }
            _ => {
                self.line(indent, &format!("sync read r{lock} {{"));
                self.statements(Place { indent: indent + 1, ..inner });
                self.line(indent + 1, &format!("acquire {mode} r{lock};"));
                self.line(indent, "}");
                self.statements(inner);
                self.line(indent, &format!("release r{lock};"));
            }
        }
    }

    /// Chooses a mode and a read-write lock in half of the cases, if there are any.
    fn moded(&mut self) -> Option<(&'static str, usize)> {
        if self.shape.read_write_locks == 0 || self.rng.bool() {
            return None;
        }
        let mode = ["read", "write"][self.rng.usize(..2)];
        Some((mode, self.rng.usize(..self.shape.read_write_locks)))
    }

    fn wait(&mut self, place: Place, lock: usize) {
        let lock = place.open.filter(|_| self.rng.u8(..) < 200).unwrap_or(lock);
        self.line(place.indent, &format!("wait l{lock};"));
    }

    fn choice(&mut self, place: Place) {
        let _ = write!(self.text, "{:1$}choose ", "", 2 * place.indent);
        let inner = Place { indent: place.indent + 1, ..place };
        self.block(inner);
        for _ in 0..self.rng.usize(0..=2) {
            // The line continues after the closing brace.
            self.text.truncate(self.text.trim_end().len());
            self.text.push_str(" or ");
            self.block(inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eml::model::{Model, Operation, from_text};

    fn with_modes(seed: u64) -> Model {
        let text = model(seed, &Shape::with_modes(seed));
        from_text("random.eml", &text).unwrap_or_else(|rejected| panic!("seed {seed}: {rejected}\n{text}")).model
    }

    #[test]
    fn modes_and_waits_stand_everywhere() {
        let models: Vec<_> = (0..300).map(with_modes).collect();
        let count = |holds: &dyn Fn(&Model) -> bool| models.iter().filter(|model| holds(model)).count();
        let waits = |model: &Model| model.nodes().any(|(_, node)| matches!(node.operation, Operation::Wait(_)));
        let is_moded = |model: &Model| model.locks().iter().any(|lock| lock.kind() == eml::model::LockKind::ReadWrite);
        assert!(
            count(&waits) > 100 && count(&is_moded) > 150,
            "{} wait, {} have modes",
            count(&waits),
            count(&is_moded)
        );
        assert!(count(&|model| waits(model) && is_moded(model)) > 40);
    }

    #[test]
    fn equal_seeds_give_equal_models() {
        let text = |seed| model(seed, &Shape::with_modes(seed));
        assert_eq!(text(3), text(3));
        assert_ne!(text(3), text(4));
    }
}
