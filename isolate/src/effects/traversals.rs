//! Library methods that visit a whole content element by element, and methods that other library code calls by name.
//!
//! Copying an array, filling it, or iterating over a list is a loop over the elements, which other threads may
//! interrupt as they may interrupt the same loop in the program. So on an object without a guard it counts as one
//! access or two: a pattern has at most two accesses of one unit to one location before or after an interruption, so
//! more accesses add nothing.
//!
//! **Objects with a guard.** A method of the object itself holds its guard, so its row applies unchanged, unless the
//! row says `several` or `unguarded`. Code of others that visits the object holds the guard for each element only
//! (`Collections.max(vector)`, a stream, the rest of an iterator), unless it calls one method that visits all (`at
//! once`: `new ArrayList<>(vector)`). If the guard is a monitor, such a visit counts as one access or two. If single
//! operations are atomic, it counts as one: that is the assumption
//! [`AtOneTime`](crate::Assumption::AtOneTime), which is not needed if the iterator shows a copy.
//!
//! **Single accesses.** A method of a plain container is not one step either, even if it concerns one element: a map that
//! grows is empty for a while. So every access of such a row counts as one or two, too; findings leave the second out
//! ([`Rule::PlainSteps`](crate::Rule::PlainSteps)).

use super::access::Access;
use crate::Rule;
use crate::exec::context::Steps;
use crate::exec::execution::{Execution, Position};
use crate::exec::interpreter::{Interpreter, MadeKind};
use crate::facts::row_effects::RegionEffect;
use crate::graph::Step;
use crate::value::{Lock, RegionId, Value};
use eml::model::Mode;
use java::library::{Action, Attribute, Guard, Row, Source, Subject, Target, Thread};
use java::points_to::ObjectId;
use rustc_hash::FxHashSet;

/// Whether an action of a row visits a whole content or changes much of it: the row copies the content, or calls a
/// function for each element after the action began.
pub(super) fn is_traversal(row: &Row<'_>, action: &Action) -> bool {
    match action {
        Action::ReadsAll(_) | Action::Traverses { .. } | Action::Clones(_) | Action::Runs(_) => true,
        Action::Reads(subject) => is_copied(row, *subject) || calls_after(row, action),
        Action::Writes(subject) => {
            let fills = |other: &Action| matches!(other, Action::Keeps { what: Source::Content(_), target: Target::Of(to) } if to == subject);
            row.actions.iter().any(fills)
        }
        _ => false,
    }
}

/// Whether a row makes an object from the whole content of a subject, or keeps the whole content.
fn is_copied(row: &Row<'_>, subject: Subject) -> bool {
    row.actions.iter().any(|action| match action {
        Action::Makes(making) => making.holds.contains(&Source::Content(subject)),
        Action::Keeps { what, .. } => *what == Source::Content(subject),
        _ => false,
    })
}

/// Whether a row calls functions repeatedly after an action.
fn calls_after(row: &Row<'_>, action: &Action) -> bool {
    let after = row.actions.iter().skip_while(|other| *other != action);
    { after }.any(|other| matches!(other, Action::Calls(call) if !call.once && call.thread == Thread::Caller))
}

impl Interpreter<'_> {
    /// Adds the accesses of a method of this name that other library code calls on followed library objects, as the
    /// rows of the name say.
    pub(super) fn library_method(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        mut after: Option<usize>,
        value: Value,
        name: &str,
    ) -> Option<usize> {
        let regions: Vec<(RegionId, bool)> = match value {
            Value::Region(region) | Value::View(region) => vec![(region, false)],
            Value::Locked(region) => vec![(region, true)],
            Value::Made(made) if matches!(self.made(made).kind, MadeKind::Library(_)) => {
                self.contents_of(value).into_iter().map(|region| (region, false)).collect()
            }
            _ => Vec::new(),
        };
        for (region, is_locked) in regions {
            if self.is_program_object(region) {
                continue;
            }
            after = self.library_method_on(execution, at, after, (region, is_locked), name);
        }
        after
    }

    /// Whether a region is an executor whose state the nest does not ask for, by
    /// [`CommutingChanges`](Rule::CommutingChanges).
    fn is_unasked_pool(&self, region: RegionId) -> bool {
        let objects = &self.regions.regions[region.index()].objects;
        let is_pool = |object: &ObjectId| {
            self.heap.library_class(*object).is_some_and(|class| {
                self.heap.library.attributes(class).has(Attribute::Executor) && !self.is_asked(class)
            })
        };
        self.heap.modality.omits(Rule::CommutingChanges) && !objects.is_empty() && objects.iter().all(is_pool)
    }

    fn library_method_on(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        mut after: Option<usize>,
        (region, is_locked): (RegionId, bool),
        name: &str,
    ) -> Option<usize> {
        let region_effect = self.region_effect(region, name);
        let RegionEffect { reads, writes, guard, ref called } = *region_effect;
        let mut inner = Vec::new();
        // The queue that a pool gets is asked for no state.
        let is_omitted = self.is_unasked_pool(region);
        for name in called.iter().filter(|_| !is_omitted) {
            inner.extend(self.inner_steps(at, (Value::Region(region), None), name));
        }
        after = any_of(execution, at, after, inner);
        let lock = match guard {
            Some(Guard::Operations) => Some(Lock::Operations(self.regions.alias(region))),
            _ if is_locked || guard == Some(Guard::Monitor) => self.monitor(Value::Region(region)),
            _ => None,
        };
        let [enter, leave] =
            [lock.map(|it| Step::Acquire(it, Mode::Write)), lock.map(|it| Step::Release(it, Mode::Write))];
        if !(reads || writes) || self.is_unobserved(at) {
            return after;
        }
        let [read, write] = [Access::Read, Access::Write].map(|access| self.steps_of(region, &[access]));
        let mut steps: Vec<Step> = enter.into_iter().collect();
        steps.extend(read.iter().filter(|_| reads));
        steps.extend(write.iter().filter(|_| writes));
        steps.extend(leave);
        for step in steps {
            after = execution.add_steps(after, Steps::One(step), at.line());
        }
        if reads && lock.is_none() {
            after = execution.add_steps(after, Steps::Optional(read), at.line());
        }
        after
    }
}

/// Adds these steps, in any order and number.
pub(super) fn any_of(
    execution: &mut Execution,
    at: Position<'_>,
    after: Option<usize>,
    mut steps: Vec<Step>,
) -> Option<usize> {
    let mut known = FxHashSet::default();
    steps.retain(|step| known.insert(*step));
    if steps.is_empty() { after } else { execution.add_steps(after, Steps::Repeated(steps), at.line()) }
}
