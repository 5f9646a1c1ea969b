//! Client mode: any thread runs any entry, any number of times.
//!
//! Each queried entry has a process of any number of instances, which runs it once. The interfering process runs any
//! entry again and again. One of several equivalent entries is among these, and is queried.

use super::super::equivalence::equivalence_classes;
use super::super::exits::Variant;
use super::super::flow::{InlinedCall, Step};
use super::super::ids::ContextId;
use super::super::isolated::{Isolated, NotIsolated};
use super::assembly::Queries;
use super::emitter::Emitter;
use super::input::{EntryRun, Input, RunsOnce};
use eml::model::{Multiplicity, Operation, ProcessId};
use eml::syntax::Position;
use std::collections::BTreeMap;

/// The assumption about objects that are threads.
const ONCE: &str = "the method `run` of a `Thread` or a `TimerTask` is run by one thread only";

/// Builds the model of client mode.
///
/// # Errors
/// If there is no model.
pub(crate) fn emit_client(input: Input<'_>, entries: Vec<EntryRun>) -> Result<Isolated, NotIsolated> {
    let mut emitter = Emitter::new(input);
    let entries: Vec<EntryRun> =
        entries.into_iter().filter(|entry| emitter.accesses_subject[entry.context.index()]).collect();
    if !entries.iter().any(|entry| entry.is_queried) {
        return Err(NotIsolated::NothingToViolate(emitter.input.assumptions, None));
    }
    let contexts: Vec<ContextId> = entries.iter().map(|entry| entry.context).collect();
    emitter.declare(&contexts);
    emitter.add_graphs()?;
    emitter.add_atomic_set()?;
    emitter.emit_client(&entries)
}

impl Emitter<'_> {
    fn emit_client(mut self, entries: &[EntryRun]) -> Result<Isolated, NotIsolated> {
        let contexts = self.input.contexts;
        let is_special = |id, node| self.is_special(id, node);
        let class = equivalence_classes(contexts, is_special, self.input.is_cancelled)?;
        let runs = self.entry_processes(entries);
        let chosen = chosen(entries, &class);
        let any: Vec<&EntryRun> = chosen.values().copied().collect();
        let others = self.interfering_process(&any);
        let mut rests: BTreeMap<RunsOnce, ProcessId> = BTreeMap::new();
        for once in [RunsOnce::Yes, RunsOnce::Constructor] {
            if any.iter().any(|entry| entry.runs_once == once) {
                let rest: Vec<&EntryRun> = any.iter().copied().filter(|entry| entry.runs_once != once).collect();
                rests.insert(once, self.interfering_process(&rest));
            }
        }
        if rests.contains_key(&RunsOnce::Yes) {
            self.input.assumptions.insert(ONCE.to_string());
        }
        let mut queries = Queries { pairs: Vec::new(), equivalent: Vec::new(), runs: Vec::new(), others };
        let mut first: BTreeMap<Key, ProcessId> = BTreeMap::new();
        for (entry, process) in runs {
            queries.runs.push((entry.context, process));
            let known = *first.entry(key(entry, &class)).or_insert(process);
            if known == process {
                let rest = rests.get(&entry.runs_once).copied();
                queries.pairs.push([process, rest.unwrap_or(others)]);
            } else {
                queries.equivalent.push((process, known));
            }
        }
        let unasked = entries.iter().filter(|entry| !entry.is_queried).map(|entry| (entry.context, entry.name.clone()));
        self.finish(queries, unasked.collect())
    }

    /// Declares the processes of the queried entries.
    fn entry_processes<'e>(&mut self, entries: &'e [EntryRun]) -> Vec<(&'e EntryRun, ProcessId)> {
        let asked = entries.iter().filter(|entry| entry.is_queried);
        let process = |entry: &'e EntryRun| {
            let position = self.position(entry.context, 0);
            let name = self.distinct_process(&entry.name);
            let (process, body) = self.builder.process(name, Multiplicity::Many, position);
            let run = self.add_call(body, Variant::whole(entry.context), entry.is_unit, position);
            let back = self.builder.node(body, Operation::Return, position);
            self.builder.edge(run[1], back);
            (entry, process)
        };
        asked.map(process).collect()
    }

    /// Declares a process that runs any of these entries again and again.
    fn interfering_process(&mut self, entries: &[&EntryRun]) -> ProcessId {
        let start: Position = self.start();
        let name = self.distinct_process("another thread");
        let (others, body) = self.builder.process(name, Multiplicity::Many, start);
        let choice = self.builder.node(body, Operation::Skip, start);
        let back = self.builder.node(body, Operation::Return, start);
        self.builder.edge(choice, back);
        for entry in entries {
            let position = self.position(entry.context, 0);
            let run = self.add_call(body, Variant::whole(entry.context), entry.is_unit, position);
            self.builder.edge(choice, run[0]);
            self.builder.edge(run[1], choice);
        }
        others
    }

    /// Whether a node or a context (without a node) has a property beyond its steps: a call that is a unit of work, a
    /// context that accesses the subject, so that it is not omitted.
    fn is_special(&self, id: ContextId, node: Option<usize>) -> bool {
        let Some(node) = node else { return self.accesses_subject[id.index()] };
        match self.input.contexts[id.index()].flow.nodes[node].step {
            Step::Call(callee, _) | Step::Inline(InlinedCall { callee, .. }) => self.enters(id, callee),
            Step::Skip | Step::Local | Step::Read(_) | Step::Write(_) | Step::Acquire(..) | Step::Release(..) => false,
            Step::ReleaseForCaller(..) | Step::Wait(_) | Step::Start(_) | Step::Join | Step::Cut => false,
            Step::Return(_) | Step::ReturnWith(..) => false,
        }
    }
}

/// The properties that distinguish entries.
type Key = (ContextId, bool, RunsOnce);

fn key(entry: &EntryRun, class: &[ContextId]) -> Key {
    (class[entry.context.index()], entry.is_unit, entry.runs_once)
}

/// Returns the first one of each set of equivalent entries.
fn chosen<'e>(entries: &'e [EntryRun], class: &[ContextId]) -> BTreeMap<Key, &'e EntryRun> {
    let mut chosen = BTreeMap::new();
    for entry in entries {
        chosen.entry(key(entry, class)).or_insert(entry);
    }
    chosen
}
