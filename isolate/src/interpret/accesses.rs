//! Reads and writes of the locations of followed objects.

use super::context::Steps;
use super::execution::{Execution, Position};
use super::interpreter::Interpreter;
use crate::graph::Step;
use crate::value::{Location, RegionId};

impl Interpreter<'_> {
    /// Adds a read of a location, unless nobody can observe it.
    pub(super) fn add_read(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        location: Location,
    ) -> Option<usize> {
        self.add_access(execution, at, after, Step::Read(location))
    }

    /// Adds a write of a location, unless nobody can observe it.
    pub(super) fn add_write(
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

    /// The location of a field of a region.
    pub(super) fn field_location(&self, region: RegionId, field: java::FieldId) -> Location {
        let alias = self.regions.alias(region);
        if self.regions.is_deep(alias) { Location::Deep } else { Location::Field(alias, field) }
    }

    /// The location of the content of a region.
    pub(super) fn content_location(&mut self, region: RegionId) -> Location {
        let alias = self.regions.alias(region);
        if self.mode.has_indices {
            self.indices.as_whole.insert(alias);
        }
        if self.regions.is_deep(alias) { Location::Deep } else { Location::Content(alias) }
    }
}
