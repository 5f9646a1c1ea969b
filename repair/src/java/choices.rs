//! The changes that may remove the witness of a violation.

use super::change::{Change, ChangeKind, HeldLock};
use super::methods::{Method, Methods, waits, writes};
use super::read_once::repeated_reads;
use super::region::{Lines, region};
use super::weights::Weights;
use crate::place::BodyName;
use crate::sections::{Section, Tear, tears};
use decide::witness::{Action, Witness};
use eml::model::{Mode, Model, NodeId, Opened, Operation, ProcedureId};
use eml::syntax::Position;
use isolate::Isolated;
use std::collections::BTreeSet;

/// The greatest number of regions of a torn section, and of a section that tears it.
const TORN_REGIONS: usize = 6;
const OTHER_REGIONS: usize = 4;

/// The greatest number of regions of one method besides the whole one, and of those that are looked at for them.
const PARTS: usize = 2;
const LOOKED_AT: usize = 64;

/// The greatest number of choices of regions for a tear and a lock.
const CHOICES: usize = 256;

/// The facts about a model from which changes are chosen.
#[derive(Debug)]
pub(super) struct Choices<'a> {
    isolated: &'a Isolated,
    pub(super) methods: Methods,
    weights: Weights,
    waits: Vec<BTreeSet<usize>>,
    writes: Vec<BTreeSet<usize>>,
    locks: Vec<HeldLock>,
    /// Whether the model is that of static fields.
    is_of_statics: bool,
}

/// Changes to make together.
pub(super) type Choice = Vec<Change>;

impl<'a> Choices<'a> {
    /// `new_lock` is the expression of a monitor that the model may not have.
    pub(super) fn of(isolated: &'a Isolated, new_lock: &str) -> Self {
        let model = &isolated.model;
        Self {
            isolated,
            methods: Methods::of(isolated),
            weights: Weights::new(model),
            waits: waits(model),
            writes: writes(model),
            locks: locks(isolated, new_lock),
            is_of_statics: new_lock != "this",
        }
    }

    /// The changes that may remove a witness, and whether some were left out.
    pub(super) fn against(&self, witness: &Witness) -> (Vec<Choice>, bool) {
        let (mut found, mut is_cut) = (Vec::new(), false);
        for tear in tears(witness) {
            found.extend(self.read_once(witness, &tear).map(|change| vec![change]));
            for lock in &self.locks {
                let Some(options) = self.options(&tear, lock) else { continue };
                is_cut |= options.iter().fold(1_usize, |all, some| all.saturating_mul(some.len())) > CHOICES;
                found.extend(products(&options).into_iter().map(|choice| without_parts(&choice)));
            }
        }
        (found, is_cut)
    }

    /// For each section that does not hold the lock, the changes that let it hold the lock; none if one has none.
    fn options(&self, tear: &Tear, lock: &HeldLock) -> Option<Vec<Vec<Change>>> {
        let holds = |section: &Section| section.held.contains(&lock.name);
        if !self.may_choose(lock) && !tear.torn.iter().chain(&tear.others).any(holds) {
            return None;
        }
        let torn = tear.torn.iter().map(|section| (section, TORN_REGIONS));
        let others = tear.others.iter().filter(|section| !holds(section));
        let sections = torn.chain(others.map(|section| (section, OTHER_REGIONS)));
        sections
            .map(|(section, most)| Some(self.holding(section, lock, most)).filter(|changes| !changes.is_empty()))
            .collect()
    }

    /// Whether a lock may guard sections of which none holds it: a static lock that is held for an object serializes
    /// the calls on all objects.
    fn may_choose(&self, lock: &HeldLock) -> bool {
        lock.needs_subject || self.is_of_statics
    }

    /// The changes after which a section holds a lock: the smallest regions of the innermost method first.
    fn holding(&self, section: &Section, lock: &HeldLock, most: usize) -> Vec<Change> {
        let mut found = Vec::new();
        for (body, positions) in &section.bodies {
            let BodyName::Function(function) = body else { continue };
            let Some((name, method)) = self.methods.of_function(function) else { continue };
            if lock.needs_subject && !method.has_subject {
                continue;
            }
            let lines = self.lines(method, positions).into_iter().filter(|lines| self.may_hold(method, *lines, lock));
            found.extend(lines.map(|lines| self.change(name, method, lines, ChangeKind::Hold(lock.clone()))));
        }
        found.truncate(most);
        found
    }

    /// The regions of a method with these positions, the smallest first; the whole method is the last one.
    fn lines(&self, method: &Method, positions: &[Position]) -> Vec<Lines> {
        let (Some(first), Some(last)) = (method.lines.first(), method.lines.last()) else { return Vec::new() };
        let whole = Lines { first: *first, last: *last, is_whole: true };
        let own = || positions.iter().map(|position| position.line);
        let (Some(from), Some(to)) = (own().min(), own().max()) else { return vec![whole] };
        if method.has_copies {
            return vec![whole];
        }
        let index = |line: u32| method.lines.partition_point(|own| *own < line);
        let (from, to) = (index(from), index(to));
        let before = (0..=from).rev();
        let mut pairs: Vec<(usize, usize)> = before
            .take(LOOKED_AT)
            .flat_map(|begin| (to..method.lines.len()).take(LOOKED_AT).map(move |end| (begin, end)))
            .filter(|(begin, end)| method.lines.get(*end).is_some() && (*begin, *end) != (0, method.lines.len() - 1))
            .collect();
        pairs.sort_by_key(|(begin, end)| (end - begin, *end));
        let lines = pairs.into_iter().take(LOOKED_AT);
        let lines =
            lines.map(|(begin, end)| Lines { first: method.lines[begin], last: method.lines[end], is_whole: false });
        let is_region = |lines: &Lines| self.regions(method, *lines).is_some();
        lines.filter(is_region).take(PARTS).chain([whole]).collect()
    }

    /// The nodes of a region in each function of a method.
    fn regions(&self, method: &Method, lines: Lines) -> Option<Vec<(ProcedureId, Vec<bool>)>> {
        let model = &self.isolated.model;
        let of = |function: &ProcedureId| Some((*function, region(model, *function, method.file, lines)?));
        method.functions.iter().map(of).collect()
    }

    /// Whether no node of a region waits on another lock, directly or in a call.
    fn may_hold(&self, method: &Method, lines: Lines, lock: &HeldLock) -> bool {
        let model = &self.isolated.model;
        let own = model.lock_named(&lock.name).map(|id| id.index());
        let waits = |node: NodeId| match model.node(node).operation {
            Operation::Wait(on) => Some(on.index()) != own,
            Operation::Call(callee) => self.waits[callee.index()].iter().any(|on| Some(*on) != own),
            _ => false,
        };
        let Some(regions) = self.regions(method, lines) else { return false };
        let waits_for_itself = lock.is_read_write && self.may_hold_for_reading(&regions, lock);
        !waits_for_itself && !nodes(model, &regions).any(waits)
    }

    /// Whether a thread in a region may hold a read-write lock in read mode. Then it could not acquire it for writing:
    /// it would wait for itself, and nothing that it does not do can be violated.
    fn may_hold_for_reading(&self, regions: &[(ProcedureId, Vec<bool>)], lock: &HeldLock) -> bool {
        let model = &self.isolated.model;
        let Some(id) = model.lock_named(&lock.name) else { return false };
        let reads = |node: NodeId| model.opened(node).iter().any(|open| open == Opened::Lock(id, Mode::Read));
        let called = model.nodes().filter_map(|(node, own)| match own.operation {
            Operation::Call(callee) if reads(node) => Some(callee),
            _ => None,
        });
        let within: BTreeSet<ProcedureId> = model.call_graph().reachable(called).into_iter().collect();
        nodes(model, regions).any(reads) || regions.iter().any(|(function, _)| within.contains(function))
    }

    fn change(&self, name: &str, method: &Method, lines: Lines, kind: ChangeKind) -> Change {
        Change {
            kind,
            method: name.to_string(),
            short: method.short.clone(),
            file: self.isolated.model.file(method.file).unwrap_or_default().to_string(),
            lines: [lines.first, lines.last],
            is_whole: lines.is_whole,
        }
    }

    /// If the torn section only reads one volatile field of the object: the change that reads it once.
    fn read_once(&self, witness: &Witness, tear: &Tear) -> Option<Change> {
        let Isolated { model, meanings, .. } = self.isolated;
        let events = witness.steps.iter().filter(|step| step.event.is_some() && Some(step.thread) == tear.thread);
        let mut accesses = events.filter(|step| matches!(step.action, Action::Read | Action::Write)).peekable();
        let field = accesses.peek()?.object.clone()?;
        let all_read = accesses.all(|step| step.action == Action::Read && step.object.as_ref() == Some(&field));
        // Fields of other objects have longer names.
        let is_own = !field.contains(['.', '[', ' ']);
        if !all_read || !is_own || !meanings.synchronized.contains(&field) {
            return None;
        }
        let (BodyName::Function(function), positions) = tear.torn.first()?.bodies.first()? else { return None };
        let (name, method) = self.methods.of_function(function)?;
        let lines = repeated_reads(model, method, model.location_named(&field)?, &self.writes);
        let is_removed = positions.iter().any(|position| lines.contains(&position.line));
        let changed = Lines { first: *lines.first()?, last: *lines.last()?, is_whole: false };
        let can_be_changed = method.has_subject && !method.has_copies && is_removed;
        can_be_changed.then(|| self.change(name, method, changed, ChangeKind::ReadOnce { field, lines }))
    }

    /// The weight of a change: that of its regions in all functions; removed reads have none.
    pub(super) fn weight(&self, change: &Change) -> u64 {
        let [first, last] = change.lines;
        let lines = Lines { first, last, is_whole: change.is_whole };
        let (ChangeKind::Hold(_), Some(method)) = (&change.kind, self.methods.named(&change.method)) else { return 0 };
        let model = &self.isolated.model;
        let Some(regions) = self.regions(method, lines) else { return u64::MAX };
        nodes(model, &regions).fold(0, |sum: u64, node| sum.saturating_add(self.weights.of(model, node)))
    }
}

/// The nodes of regions.
fn nodes<'m>(model: &'m Model, regions: &'m [(ProcedureId, Vec<bool>)]) -> impl Iterator<Item = NodeId> + 'm {
    let own = |(function, inside): &'m (ProcedureId, Vec<bool>)| model.procedure(*function).nodes().zip(inside);
    regions.iter().flat_map(own).filter(|(_, is_inside)| **is_inside).map(|(node, _)| node)
}

/// The locks of a model that code can name, and the monitor of an expression that the model may not have.
fn locks(Isolated { model, meanings, .. }: &Isolated, new_lock: &str) -> Vec<HeldLock> {
    let known = meanings.locks.iter().map(|(name, meaning)| HeldLock {
        expression: meaning.expression.clone(),
        is_explicit: meaning.is_explicit,
        is_read_write: HeldLock::is_read_write(model, name),
        name: name.clone(),
        needs_subject: meaning.needs_subject,
    });
    let mut locks: Vec<_> = known.collect();
    if locks.iter().all(|lock| lock.is_explicit || lock.expression != new_lock) {
        let is_free = |name: &String| model.lock_named(name).is_none();
        let names = [new_lock.to_string()].into_iter().chain((2..).map(|number| format!("{new_lock} ({number})")));
        locks.extend(names.into_iter().find(is_free).map(|name| HeldLock {
            expression: new_lock.to_string(),
            is_explicit: false,
            is_read_write: false,
            name,
            needs_subject: new_lock == "this",
        }));
    }
    locks
}

/// All choices of one change of each section, the first [`CHOICES`].
fn products(options: &[Vec<Change>]) -> Vec<Choice> {
    let mut choices = vec![Vec::new()];
    for changes in options {
        let longer = choices.iter().flat_map(|choice: &Choice| {
            changes.iter().map(move |change| [&choice[..], std::slice::from_ref(change)].concat())
        });
        choices = longer.take(CHOICES).collect();
    }
    choices
}

/// The changes without those that another one of them makes, too: of the same lines, or of more lines of the method.
pub(super) fn without_parts(changes: &[Change]) -> Choice {
    let mut kept: Choice = Vec::new();
    for change in changes {
        if kept.iter().any(|known| known.has(change)) {
            continue;
        }
        kept.retain(|known| !change.has(known));
        kept.push(change.clone());
    }
    kept.sort();
    kept
}
