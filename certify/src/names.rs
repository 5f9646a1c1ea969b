//! The names that a model declares.

use crate::instructions::{BodyId, Location, Lock};
use rustc_hash::FxHashMap;

/// The names of locks, locations, functions and processes. Each kind has a name space of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    locks: Vec<String>,
    is_read_write: Vec<bool>,
    lock_numbers: FxHashMap<String, Lock>,
    locations: FxHashMap<String, Location>,
    functions: FxHashMap<String, BodyId>,
    processes: FxHashMap<String, BodyId>,
}

impl Names {
    pub(crate) fn add_lock(&mut self, name: &str, is_read_write: bool) {
        self.lock_numbers.insert(name.to_string(), Lock(number(self.locks.len())));
        self.locks.push(name.to_string());
        self.is_read_write.push(is_read_write);
    }

    pub(crate) fn add_location(&mut self, name: &str) {
        self.locations.insert(name.to_string(), Location(number(self.locations.len())));
    }

    pub(crate) fn add_function(&mut self, name: &str, body: BodyId) {
        self.functions.insert(name.to_string(), body);
    }

    pub(crate) fn add_process(&mut self, name: &str, body: BodyId) {
        self.processes.insert(name.to_string(), body);
    }

    pub(crate) fn lock(&self, name: &str) -> Option<Lock> {
        self.lock_numbers.get(name).copied()
    }

    pub(crate) fn lock_name(&self, lock: Lock) -> &str {
        &self.locks[lock.0 as usize]
    }

    pub(crate) fn is_read_write(&self, lock: Lock) -> bool {
        self.is_read_write[lock.0 as usize]
    }

    pub(crate) fn location(&self, name: &str) -> Option<Location> {
        self.locations.get(name).copied()
    }

    pub(crate) fn function(&self, name: &str) -> Option<BodyId> {
        self.functions.get(name).copied()
    }

    pub(crate) fn process(&self, name: &str) -> Option<BodyId> {
        self.processes.get(name).copied()
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("a text has fewer than 2^32 names")
}
