//! Reads and writes of the locations of followed objects.

use super::context::{Branch, Point, Steps};
use super::execution::{Execution, Position};
use super::interpreter::Interpreter;
use crate::graph::Step;
use crate::value::{Location, Lock, RegionId};
use java::MethodId;
use java::ir::StatementId;
use rustc_hash::FxHashSet;

impl Interpreter<'_> {
    /// Adds a read of a location, unless nobody can observe it.
    pub(crate) fn add_read(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        location: Location,
    ) -> Option<usize> {
        self.add_access(execution, at, after, Step::Read(location))
    }

    /// Adds a write of a location, unless nobody can observe it.
    pub(crate) fn add_write(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        location: Location,
    ) -> Option<usize> {
        self.add_access(execution, at, after, Step::Write(location))
    }

    fn add_access(
        &self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        step: Step,
    ) -> Option<usize> {
        if self.is_unobserved(at) { after } else { execution.add_steps(after, Steps::One(step), at.line()) }
    }

    /// Adds a read of the content of a region.
    pub(super) fn add_content_read(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        region: RegionId,
    ) -> Option<usize> {
        let mut after = after;
        for location in self.content_locations(region) {
            after = self.add_read(execution, at, after, location);
        }
        after
    }

    /// The location of a field of a region.
    pub(crate) fn field_location(&self, region: RegionId, field: java::FieldId) -> Location {
        let alias = self.regions.alias(region);
        if self.regions.is_deep(alias) { Location::Deep } else { Location::Field(alias, field) }
    }

    /// The location of the content of a region.
    pub(crate) fn content_location(&mut self, region: RegionId) -> Location {
        let alias = self.regions.alias(region);
        if self.mode.has_indices {
            self.indices.as_whole.insert(alias);
        }
        if self.regions.is_deep(alias) { Location::Deep } else { Location::Content(alias) }
    }

    /// The statements at which some context accesses a location.
    pub(crate) fn accesses(&self) -> FxHashSet<(MethodId, StatementId)> {
        self.statements_with(|step| matches!(step, Step::Read(_) | Step::Write(_)))
    }

    /// The statements at which some context uses an explicit lock.
    pub(crate) fn uses_of_locks(&self) -> FxHashSet<(MethodId, StatementId)> {
        let is_explicit = |lock| matches!(lock, Lock::Explicit(_) | Lock::ExplicitElement(..));
        self.statements_with(|step| match step {
            Step::Acquire(lock, _) | Step::Release(lock, _) => is_explicit(lock),
            _ => false,
        })
    }

    fn statements_with(&self, is_meant: impl Fn(Step) -> bool) -> FxHashSet<(MethodId, StatementId)> {
        let has = |steps: &Steps| match steps {
            Steps::One(step) => is_meant(*step),
            Steps::Repeated(steps) | Steps::Optional(steps) => steps.iter().any(|step| is_meant(*step)),
        };
        let mut found = FxHashSet::default();
        for context in &self.contexts {
            let branches = context.trees.iter().flatten();
            for Branch { at: Point { block, index }, .. } in branches.filter(|it| it.steps.as_ref().is_some_and(has)) {
                found.insert((context.method, StatementId { block: *block, index: *index }));
            }
        }
        found
    }
}
