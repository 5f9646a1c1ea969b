//! The methods of a model, with their functions and lines.

use eml::model::{FileId, Model, Operation, ProcedureId};
use isolate::Isolated;
use std::collections::{BTreeMap, BTreeSet};

/// A method that a change may name.
#[derive(Clone, Debug)]
pub(super) struct Method {
    /// Its name in reports.
    pub(super) short: String,
    pub(super) functions: Vec<ProcedureId>,
    /// The file of its lines.
    pub(super) file: FileId,
    /// All lines of its nodes, ascending.
    pub(super) lines: Vec<u32>,
    /// Whether all functions run on the subject's object.
    pub(super) has_subject: bool,
    /// Whether graphs of other methods are copied into its functions.
    pub(super) has_copies: bool,
}

/// The methods of a model by their full names.
#[derive(Clone, Debug, Default)]
pub(super) struct Methods {
    methods: BTreeMap<String, Method>,
    /// The full name of the method of a function, by the function's name.
    of_function: BTreeMap<String, String>,
}

impl Methods {
    /// The methods whose graphs are copied nowhere. Linear in the model but for sorting.
    pub(super) fn of(Isolated { model, meanings, .. }: &Isolated) -> Self {
        let mut found = Self::default();
        for (number, procedure) in model.procedures().iter().enumerate() {
            let Some(meaning) = meanings.functions.get(procedure.name()) else { continue };
            let is_its_own = !procedure.is_process_body() && !meaning.is_inherited;
            if !is_its_own || meanings.copied.contains(&meaning.name) {
                continue;
            }
            found.of_function.insert(procedure.name().to_string(), meaning.name.clone());
            let file = procedure.position().file;
            let method = found.methods.entry(meaning.name.clone()).or_insert_with(|| Method {
                short: meaning.short.clone(),
                functions: Vec::new(),
                file,
                lines: Vec::new(),
                has_subject: true,
                has_copies: false,
            });
            method.functions.push(ProcedureId::new(number));
            method.has_subject &= meaning.has_subject;
            method.has_copies |= meaning.has_copies;
            let own = procedure.nodes().map(|id| model.node(id).position).filter(|position| position.file == file);
            method.lines.extend(own.map(|position| position.line));
        }
        for method in found.methods.values_mut() {
            method.lines.sort_unstable();
            method.lines.dedup();
        }
        found
    }

    /// The method of a function, with its full name.
    pub(super) fn of_function(&self, function: &str) -> Option<(&str, &Method)> {
        let name = self.of_function.get(function)?;
        Some((name, &self.methods[name]))
    }

    /// The method of a full name.
    pub(super) fn named(&self, name: &str) -> Option<&Method> {
        self.methods.get(name)
    }
}

/// The locks that functions may wait on, directly or in a call, by their numbers.
pub(super) fn waits(model: &Model) -> Vec<BTreeSet<usize>> {
    reached(model, |operation| match operation {
        Operation::Wait(lock) => Some(lock.index()),
        _ => None,
    })
}

/// The locations that functions may write, directly or in a call, by their numbers.
pub(super) fn writes(model: &Model) -> Vec<BTreeSet<usize>> {
    reached(model, |operation| match operation {
        Operation::Write(location) => Some(location.index()),
        _ => None,
    })
}

/// The objects of operations that functions reach, directly or in a call.
fn reached(model: &Model, object: impl Fn(Operation) -> Option<usize>) -> Vec<BTreeSet<usize>> {
    let mut own = vec![BTreeSet::new(); model.procedures().len()];
    for (_, node) in model.nodes() {
        own[node.procedure.index()].extend(object(node.operation));
    }
    let join = |all: &mut BTreeSet<usize>, more: &BTreeSet<usize>| {
        all.extend(more);
        Ok::<(), std::convert::Infallible>(())
    };
    let Ok(all) = model.call_graph().bottom_up(own, join);
    all
}
