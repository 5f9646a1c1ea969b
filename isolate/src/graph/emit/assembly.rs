//! The finished model with the meanings of its names.

use super::super::exits::Variant;
use super::super::identity::{identities, method_identity};
use super::super::ids::ContextId;
use super::super::isolated::{Isolated, NotIsolated};
use super::super::names::{Meanings, MethodMeaning, full_name, method_name, printable};
use super::emitter::Emitter;
use crate::value::{RegionId, Value};
use eml::model::{Model, ProcessId};
use java::MethodId;
use std::collections::BTreeSet;

/// The queries of a model.
pub(super) struct Queries {
    pub(super) pairs: Vec<[ProcessId; 2]>,
    pub(super) equivalent: Vec<(ProcessId, ProcessId)>,
    /// The processes with the contexts that they run.
    pub(super) runs: Vec<(ContextId, ProcessId)>,
    pub(super) others: ProcessId,
}

impl Emitter<'_> {
    /// Builds the model; `interfering` are contexts that only interfere, with their names.
    ///
    /// # Errors
    /// If the graphs are no valid model.
    pub(super) fn finish(
        mut self,
        queries: Queries,
        interfering: Vec<(ContextId, String)>,
    ) -> Result<Isolated, NotIsolated> {
        let builder = std::mem::take(&mut self.builder);
        let (model, _) = builder.build().map_err(NotIsolated::Fault)?;
        let meanings = self.meanings(&model, &queries, &interfering);
        let assumptions = self.input.assumptions.iter().map(|one| printable(one).into_owned()).collect();
        let Queries { pairs, equivalent, runs, others } = queries;
        let entries = runs.iter().map(|(_, process)| *process).collect();
        let coarse = self.input.coarse.clone();
        Ok(Isolated {
            model,
            pairs,
            equivalent,
            entries,
            others,
            assumptions,
            partial: self.omitted,
            coarse,
            meanings,
            covered: None,
        })
    }

    fn meanings(&self, model: &Model, queries: &Queries, interfering: &[(ContextId, String)]) -> Meanings {
        let mut meanings = Meanings::default();
        let process_name = |process: &ProcessId| model.process(*process).name().to_string();
        let runs = queries.runs.iter().map(|(context, process)| (*context, process_name(process)));
        for (context, name) in runs.chain(interfering.iter().cloned()) {
            if let Some(function) = self.functions.get(&Variant::whole(context)) {
                meanings.processes.insert(model.procedure(*function).name().to_string(), name);
            }
        }
        let program = self.input.program;
        let units = queries.runs.iter().map(|(id, _)| &self.input.contexts[id.index()]);
        let units: Vec<_> = units.map(|context| (context.method, &context.arguments[..])).collect();
        let identities = identities(program, &units);
        for (((_, process), (method, arguments)), identity) in queries.runs.iter().zip(units).zip(identities) {
            meanings.units.insert(process_name(process), full_name(program, method, arguments));
            meanings.identities.insert(process_name(process), identity);
        }
        // Contexts that only interfere have full names, too.
        for (context, name) in interfering {
            let context = &self.input.contexts[context.index()];
            let full = || full_name(program, context.method, &context.arguments);
            meanings.units.entry(name.clone()).or_insert_with(full);
        }
        self.add_functions(model, &mut meanings);
        let locks = self.named_locks().map(|(id, meaning)| (model.lock(id).name().to_string(), meaning));
        meanings.locks = locks.collect();
        for (location, id) in &self.locations {
            let name = model.location(*id).name().to_string();
            if self.input.naming.is_guessed(*location) {
                meanings.guessed.insert(name.clone());
            }
            if self.input.naming.is_synchronized(*location) {
                meanings.synchronized.insert(name.clone());
            }
            meanings.locations.insert(name, printable(&self.input.naming.full_location(*location)).into_owned());
        }
        meanings
    }

    /// Adds the methods of the functions.
    fn add_functions(&self, model: &Model, meanings: &mut Meanings) {
        let program = self.input.program;
        let full = |method: MethodId| printable(&program.method_name(method)).into_owned();
        let with_copies: BTreeSet<_> = self.copies.iter().map(|(function, _)| *function).collect();
        meanings.copied = self.copies.iter().map(|(_, method)| full(*method)).collect();
        for (variant, function) in &self.functions {
            let context = &self.input.contexts[variant.context.index()];
            let method = context.method;
            let is_static = program.method(method).flags.is_static();
            let meaning = MethodMeaning {
                name: full(method),
                identity: method_identity(program, method),
                short: printable(&method_name(program, method)).into_owned(),
                has_subject: !is_static && context.arguments.first() == Some(&Value::Region(RegionId::SUBJECT)),
                has_copies: with_copies.contains(function),
                is_inherited: context.title.is_some(),
            };
            meanings.functions.insert(model.procedure(*function).name().to_string(), meaning);
        }
    }
}
