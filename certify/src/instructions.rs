//! The program of instructions of a model, as the page on certificates defines it.
//!
//! The numbers of instructions stand in certificates, so they are part of the format. Bodies are in the order of the
//! text: functions and processes together.

use crate::lowering::lower;
use eml::syntax::ast::{Block, ItemKind, Mode, Multiplicity, Name, Program};
use rustc_hash::FxHashMap;

/// A lock of the model, by its position in the order of the declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Lock(pub(crate) u32);

/// A shared location of the model, by its position in the order of the declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Location(pub(crate) u32);

/// A body of a function or process, by its position in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct BodyId(pub(crate) u32);

/// The operation of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Skip,
    Read(Location),
    Write(Location),
    Acquire(Lock, Mode),
    Release(Lock),
    Wait(Lock),
    Resume(Lock),
    Begin,
    End,
    Call(BodyId),
    /// The process that it starts.
    Start(BodyId),
    Return,
}

/// An entry of the open list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opened {
    Lock(Lock, Mode),
    Unit,
}

#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    pub(crate) operation: Operation,
    /// The numbers of its successors in the body.
    pub(crate) next: Vec<usize>,
    /// The locks and units that the body has opened and not closed before it. Empty if it is not reachable.
    pub(crate) open: Vec<Opened>,
}

/// The number of instances of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instances {
    /// The body is a function.
    None,
    AtMost(u32),
    Any,
}

#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) name: String,
    pub(crate) instances: Instances,
    pub(crate) instructions: Vec<Instruction>,
}

impl Body {
    pub(crate) fn is_process(&self) -> bool {
        self.instances != Instances::None
    }
}

/// All bodies of a model, and the names of its locks and locations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) bodies: Vec<Body>,
    pub(crate) locks: Vec<String>,
    pub(crate) locations: Vec<String>,
    processes: FxHashMap<String, BodyId>,
    lock_numbers: FxHashMap<String, Lock>,
    location_numbers: FxHashMap<String, Location>,
    is_read_write: Vec<bool>,
}

impl Code {
    /// Lowers a program that has passed all checks of the language. Linear in the text, times the depth of blocks for
    /// jumps that leave them.
    ///
    /// Returns `None` if a name is not declared, which a checked program never has.
    pub(crate) fn new(program: &Program) -> Option<Self> {
        let mut code = Self::default();
        let mut functions = FxHashMap::default();
        let mut blocks: Vec<&Block> = Vec::new();
        for item in &program.items {
            match &item.kind {
                ItemKind::Locks(names) => names.iter().for_each(|name| code.add_lock(name, false)),
                ItemKind::RwLocks(names) => names.iter().for_each(|name| code.add_lock(name, true)),
                ItemKind::Overlap(_) | ItemKind::AtomicSet { .. } => {}
                ItemKind::Shared(names) => {
                    for name in names {
                        let number = Location(u32::try_from(code.locations.len()).ok()?);
                        code.location_numbers.insert(name.text.clone(), number);
                        code.locations.push(name.text.clone());
                    }
                }
                ItemKind::Function { name, body } => {
                    functions.insert(name.text.clone(), code.add_body(name, Instances::None));
                    blocks.push(body);
                }
                ItemKind::Process { name, multiplicity, body } => {
                    let instances = match multiplicity {
                        Multiplicity::Single => Instances::AtMost(1),
                        Multiplicity::Times(number) => Instances::AtMost(*number),
                        Multiplicity::Many => Instances::Any,
                    };
                    let id = code.add_body(name, instances);
                    code.processes.insert(name.text.clone(), id);
                    blocks.push(body);
                }
            }
        }
        for (number, block) in blocks.into_iter().enumerate() {
            let mut instructions = lower(&code, &functions, block)?;
            find_open(&mut instructions);
            code.bodies[number].instructions = instructions;
        }
        Some(code)
    }

    fn add_lock(&mut self, name: &Name, is_read_write: bool) {
        let number = Lock(u32::try_from(self.locks.len()).expect("a text has fewer than 2^32 names"));
        self.lock_numbers.insert(name.text.clone(), number);
        self.locks.push(name.text.clone());
        self.is_read_write.push(is_read_write);
    }

    fn add_body(&mut self, name: &Name, instances: Instances) -> BodyId {
        let id = BodyId(u32::try_from(self.bodies.len()).expect("a text has fewer than 2^32 bodies"));
        self.bodies.push(Body { name: name.text.clone(), instances, instructions: Vec::new() });
        id
    }

    pub(crate) fn body(&self, id: BodyId) -> &Body {
        &self.bodies[id.0 as usize]
    }

    pub(crate) fn process_named(&self, name: &str) -> Option<BodyId> {
        self.processes.get(name).copied()
    }

    pub(crate) fn lock_named(&self, name: &str) -> Option<Lock> {
        self.lock_numbers.get(name).copied()
    }

    pub(crate) fn location_named(&self, name: &str) -> Option<Location> {
        self.location_numbers.get(name).copied()
    }

    pub(crate) fn is_read_write(&self, lock: Lock) -> bool {
        self.is_read_write[lock.0 as usize]
    }
}

/// Computes the open lists: those of all paths to an instruction are equal, so the first path decides.
fn find_open(instructions: &mut [Instruction]) {
    let mut is_seen = vec![false; instructions.len()];
    let mut found = vec![0];
    is_seen[0] = true;
    while let Some(number) = found.pop() {
        let after = open_after(&instructions[number]);
        for next in instructions[number].next.clone() {
            if !std::mem::replace(&mut is_seen[next], true) {
                instructions[next].open.clone_from(&after);
                found.push(next);
            }
        }
    }
}

/// The open list after an instruction.
pub(crate) fn open_after(instruction: &Instruction) -> Vec<Opened> {
    let mut open = instruction.open.clone();
    let is_of = |entry: &Opened, lock: Lock| matches!(entry, Opened::Lock(own, _) if *own == lock);
    let closed = match instruction.operation {
        Operation::Acquire(lock, mode) => {
            open.push(Opened::Lock(lock, mode));
            None
        }
        Operation::Begin => {
            open.push(Opened::Unit);
            None
        }
        Operation::Release(lock) => open.iter().rposition(|entry| is_of(entry, lock)),
        Operation::End => open.iter().rposition(|entry| *entry == Opened::Unit),
        _ => None,
    };
    if let Some(place) = closed {
        open.remove(place);
    }
    open
}
