//! Changes of library objects that commute or go one way: a submitted task, a count, the end of an executor.
//!
//! **Definition.** A row *commutes* if the changes that such rows make to one object have the same effect in every
//! order, or only go one way, so that nobody notices an order of them except by asking for the state: `isShutdown`,
//! `getCount`. A *question* is a call of the subject's nest of a method that only reads, does not commute, and returns
//! a number, a truth value or a thread's state.
//!
//! The accesses of such rows are in each model for proofs. Rule [`CommutingChanges`](Rule::CommutingChanges) omits
//! them for findings if the nest asks no object of the class: then no code depends on the state, and a unit that
//! submits two tasks, or ends an executor twice, is not violated.

use super::subject_facts::SubjectFacts;
use crate::Rule;
use java::ir::Operation;
use java::library::{Row, Subject};
use java::{InvokeKind, Member};
use std::collections::BTreeSet;

impl SubjectFacts<'_> {
    /// Whether the accesses of a row to an object of a library class are omitted.
    pub(crate) fn omits_row(&self, row: &Row<'_>, of: &str) -> bool {
        row.traits.commutes && self.heap.modality.omits(Rule::CommutingChanges) && !self.is_asked(of)
    }

    /// The library class by which a member is called, if it is inherited by the class that the call names.
    pub(crate) fn named_library_class(&self, member: Member) -> Option<&str> {
        match self.heap.program.named(member.class) {
            Some(class) => self.heap.library_superclass(class),
            None => Some(self.heap.program.text(member.class)),
        }
    }

    /// Whether the nest asks an object of a library class for its state.
    pub(crate) fn is_asked(&self, of: &str) -> bool {
        let library = self.heap.library;
        let asked = self.answers.asked_classes.get_or_init(|| self.asked_classes());
        asked.iter().any(|class| library.is_subtype(class, of) || library.is_subtype(of, class))
    }

    /// The library classes that the nest asks for the state of an object. Linear in the code of the nest.
    fn asked_classes(&self) -> BTreeSet<Box<str>> {
        let program = self.heap.program;
        let methods = self.mode.nest.iter().flat_map(|class| program.class(*class).methods());
        let mut found = BTreeSet::new();
        for body in methods.filter_map(|method| self.heap.body(method)) {
            for statement in body.blocks().flat_map(|(_, block)| &*block.statements) {
                match &statement.operation {
                    Operation::Invoke { kind, member, .. } if *kind != InvokeKind::Static => {
                        found.extend(self.asked_class(*member).map(Box::from));
                    }
                    _ => {}
                }
            }
        }
        found
    }

    /// The library class whose state a call asks for.
    fn asked_class(&self, member: Member) -> Option<&str> {
        let program = self.heap.program;
        let class = self.named_library_class(member)?;
        let row = self.heap.row(class, member)?;
        let result = program.text(member.descriptor).rsplit(')').next().unwrap_or_default();
        let is_state = !result.starts_with(['L', '[', 'V']) || result == "Ljava/lang/Thread$State;";
        let only_reads = row.reads(Subject::This) && !row.writes(Subject::This) && !row.traits.commutes;
        (is_state && only_reads).then_some(class)
    }
}
