//! The five name spaces: declarations and look-ups of names.

use std::collections::{HashMap, HashSet};

use super::declarations::LockKind;
use super::error::{ModelError, NameSpace};
use super::ids::{LocationId, LockId, ProcedureId, ProcessId};
use crate::syntax::ast::{Item, ItemKind, LockUse, Mode, Name, Program};
use crate::syntax::{Span, closest, is_name};

/// Maximal number of misspelt names that are compared with all declared ones, which takes long.
const MAX_SUGGESTIONS: usize = 50;

/// The declared names of one name space.
#[derive(Debug)]
struct Table<'p> {
    space: NameSpace,
    by_name: HashMap<&'p str, Entry>,
    in_order: Vec<&'p Name>,
}

/// One declared name.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Index in its name space.
    index: usize,
    span: Span,
    /// Index of the item that declares it.
    item: usize,
}

/// All name spaces of a program, and the errors found while names are declared and looked up.
#[derive(Debug)]
pub(super) struct Names<'p> {
    tables: [Table<'p>; 5],
    /// For each function, in the order of their name space, its procedure; likewise for each process.
    functions: Vec<ProcedureId>,
    bodies: Vec<ProcedureId>,
    /// The kinds of locks, in the order of their name space.
    lock_kinds: Vec<LockKind>,
    /// For each lock whether it need not nest with others.
    overlap: Vec<bool>,
    errors: Vec<ModelError>,
    reported: HashSet<(NameSpace, &'p str)>,
    suggestions: usize,
}

impl<'p> Names<'p> {
    /// Declares everything in a program.
    pub(super) fn collect(program: &'p Program) -> Self {
        let mut names = Self {
            tables: NameSpace::ALL.map(|space| Table { space, by_name: HashMap::new(), in_order: Vec::new() }),
            lock_kinds: Vec::new(),
            overlap: Vec::new(),
            functions: Vec::new(),
            bodies: Vec::new(),
            errors: Vec::new(),
            reported: HashSet::new(),
            suggestions: 0,
        };
        for (index, item) in program.items.iter().enumerate() {
            names.declare_item(index, item);
        }
        names
    }

    fn declare_item(&mut self, index: usize, item: &'p Item) {
        let procedure = ProcedureId::new(self.functions.len() + self.bodies.len());
        match &item.kind {
            ItemKind::Locks(names) => self.declare_locks(LockKind::Plain, names, index),
            ItemKind::RwLocks(names) => self.declare_locks(LockKind::ReadWrite, names, index),
            // These locks are declared by other items.
            ItemKind::Overlap(_) => {}
            ItemKind::Shared(names) => {
                for name in names {
                    self.declare(NameSpace::Location, name, index);
                }
            }
            ItemKind::AtomicSet { name, .. } => self.declare(NameSpace::AtomicSet, name, index),
            ItemKind::Function { name, .. } => {
                self.functions.push(procedure);
                self.declare(NameSpace::Function, name, index);
            }
            ItemKind::Process { name, .. } => {
                self.bodies.push(procedure);
                self.declare(NameSpace::Process, name, index);
            }
        }
    }

    fn declare_locks(&mut self, kind: LockKind, names: &'p [Name], item: usize) {
        for name in names {
            self.lock_kinds.push(kind);
            self.overlap.push(false);
            self.declare(NameSpace::Lock, name, item);
        }
    }

    /// Declares a name. A duplicate keeps its index, but is not found by name.
    fn declare(&mut self, space: NameSpace, name: &'p Name, item: usize) {
        self.check_form(name);
        let table = &mut self.tables[space as usize];
        let entry = Entry { index: table.in_order.len(), span: name.span, item };
        table.in_order.push(name);
        let first = *table.by_name.entry(&name.text).or_insert(entry);
        if first.index != entry.index {
            self.errors.push(ModelError::Duplicate { space, name: name.clone(), first: first.span });
        }
    }

    /// Reports a name that cannot be written in a text.
    pub(super) fn check_form(&mut self, name: &Name) {
        if !is_name(&name.text) {
            self.error(ModelError::InvalidName { name: name.clone() });
        }
    }

    /// Returns the lock that a statement of an item acquires, and the mode.
    pub(super) fn lock(&mut self, LockUse { mode, name }: &'p LockUse, item: usize) -> Option<(LockId, Mode)> {
        let index = self.declared_before(NameSpace::Lock, name, item)?;
        let declared = self.declared(NameSpace::Lock)[index].span;
        let mode = match (self.lock_kinds[index], *mode) {
            (LockKind::Plain, None) => Mode::Write,
            (LockKind::ReadWrite, Some(mode)) => mode,
            (LockKind::Plain, Some(mode)) => {
                self.error(ModelError::ModeOfPlainLock { name: name.clone(), mode, declared });
                return None;
            }
            (LockKind::ReadWrite, None) => {
                self.error(ModelError::MissingMode { name: name.clone(), declared });
                return None;
            }
        };
        Some((LockId::new(index), mode))
    }

    /// Returns the lock that a statement of an item releases.
    pub(super) fn released_lock(&mut self, name: &'p Name, item: usize) -> Option<LockId> {
        self.declared_before(NameSpace::Lock, name, item).map(LockId::new)
    }

    /// Returns the lock that a statement of an item waits on.
    pub(super) fn waited_lock(&mut self, name: &'p Name, item: usize) -> Option<LockId> {
        let index = self.declared_before(NameSpace::Lock, name, item)?;
        if self.lock_kinds[index] == LockKind::ReadWrite {
            let declared = self.declared(NameSpace::Lock)[index].span;
            self.error(ModelError::WaitOnReadWriteLock { name: name.clone(), declared });
            return None;
        }
        Some(LockId::new(index))
    }

    /// Lets the locks overlap that an item names.
    pub(super) fn let_overlap(&mut self, names: &'p [Name], item: usize) {
        for name in names {
            if let Some(index) = self.declared_before(NameSpace::Lock, name, item) {
                self.overlap[index] = true;
            }
        }
    }

    /// Returns for each lock, in the order of declarations, whether it need not nest with others.
    pub(super) fn overlap(&self) -> &[bool] {
        &self.overlap
    }

    /// Returns the kinds of the locks in the order of their declarations.
    pub(super) fn lock_kinds(&self) -> &[LockKind] {
        &self.lock_kinds
    }

    /// Returns the location with a name that is used in an item.
    pub(super) fn location(&mut self, name: &'p Name, item: usize) -> Option<LocationId> {
        self.declared_before(NameSpace::Location, name, item).map(LocationId::new)
    }

    /// Returns the function with a name.
    pub(super) fn function(&mut self, name: &'p Name) -> Option<ProcedureId> {
        let entry = self.find(NameSpace::Function, name)?;
        Some(self.functions[entry.index])
    }

    /// Returns the process with a name.
    pub(super) fn process(&mut self, name: &'p Name) -> Option<ProcessId> {
        let entry = self.find(NameSpace::Process, name)?;
        Some(ProcessId::new(entry.index))
    }

    /// Returns the body of a process.
    pub(super) fn body(&self, process: ProcessId) -> ProcedureId {
        self.bodies[process.index()]
    }

    /// Returns the names of a name space in the order of their declarations.
    pub(super) fn declared(&self, space: NameSpace) -> &[&'p Name] {
        &self.tables[space as usize].in_order
    }

    /// Looks up a name that has to be declared before its first use.
    fn declared_before(&mut self, space: NameSpace, name: &'p Name, item: usize) -> Option<usize> {
        let entry = self.find(space, name)?;
        if entry.item >= item && self.reported.insert((space, &name.text)) {
            self.error(ModelError::UsedBeforeDeclaration { space, name: name.clone(), declared: entry.span });
        }
        Some(entry.index)
    }

    /// Looks up a name; an undeclared name is reported at its first use.
    fn find(&mut self, space: NameSpace, name: &'p Name) -> Option<Entry> {
        let found = self.tables[space as usize].by_name.get(name.text.as_str());
        if let Some(entry) = found {
            return Some(*entry);
        }
        if self.reported.insert((space, &name.text)) {
            let error = self.undeclared(space, name);
            self.error(error);
        }
        None
    }

    fn undeclared(&mut self, space: NameSpace, name: &Name) -> ModelError {
        let may_suggest = self.may_suggest();
        let candidates = self.declared(space).iter().map(|name| name.text.as_str());
        let suggested = if may_suggest { closest(&name.text, candidates) } else { None };
        let declaring = self.tables.iter().find(|table| table.by_name.contains_key(name.text.as_str()));
        ModelError::Undeclared {
            space,
            name: name.clone(),
            closest: suggested.map(str::to_string),
            elsewhere: declaring.map(|table| table.space),
        }
    }

    /// Returns the candidate that is probably meant by a misspelt name.
    pub(super) fn suggest(&mut self, name: &str, candidates: &[&str]) -> Option<String> {
        if !self.may_suggest() {
            return None;
        }
        closest(name, candidates.iter().copied()).map(str::to_string)
    }

    /// Whether one more name may be compared with all others.
    fn may_suggest(&mut self) -> bool {
        self.suggestions += 1;
        self.suggestions <= MAX_SUGGESTIONS
    }

    /// Reports an error.
    pub(super) fn error(&mut self, error: ModelError) {
        self.errors.push(error);
    }

    /// Returns the number of errors so far.
    pub(super) fn error_count(&self) -> usize {
        self.errors.len()
    }

    /// Returns all errors in the order of their places.
    pub(super) fn into_errors(mut self) -> Vec<ModelError> {
        self.errors.sort_by_key(|error| {
            let span = error.span();
            (span.offset, span.start)
        });
        self.errors
    }
}
