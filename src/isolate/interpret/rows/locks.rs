//! What rows do to locks: they acquire, release, convert them, wait for them and join threads; and copies.

use super::super::context::Piece;
use super::super::execution::{Execution, Here};
use super::super::interpreter::Interpreter;
use super::super::locks::Closed;
use super::super::state::Open;
use super::{Access, Doing};
use crate::isolate::Stuck;
use crate::isolate::graph::Step;
use crate::isolate::value::{Location, Lock, RegionId, Value};
use crate::model::Mode;
use java::library::{Side, Source, Subject};

impl Interpreter<'_> {
    /// A lock is acquired, perhaps.
    pub(super) fn acquires(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        doing: &mut Doing<'_, '_>,
        side: Side,
        _is_try: bool,
    ) -> Result<(), Stuck> {
        // It may throw before it has the lock, if it may throw at all.
        if doing.row.traits.throws {
            doing.thrown.push((doing.after, doing.state.clone()));
        }
        let Some((lock, mode)) = self.side(Self::value_of(doing.call, Subject::This), side) else { return Ok(()) };
        doing.after = execution.does(doing.after, Piece::One(Step::Acquire(lock, mode)), at.line());
        if !doing.state.opens(Open::Explicit(lock, mode)) {
            return Err(self.not_nested(at));
        }
        Ok(())
    }

    /// A side of a lock.
    pub(in crate::isolate::interpret) fn side(&self, value: Value, side: Side) -> Option<(Lock, Mode)> {
        let (lock, mode) = self.explicit(value)?;
        Some(match side {
            Side::Own => (lock, mode),
            Side::Read => (lock, Mode::Read),
            Side::Write | Side::Either => (lock, Mode::Write),
        })
    }

    /// A lock is released.
    pub(super) fn releases(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        doing: &mut Doing<'_, '_>,
        side: Side,
    ) -> Result<(), Stuck> {
        let Some((lock, mut mode)) = self.side(Self::value_of(doing.call, Subject::This), side) else {
            self.renamed.by(Self::value_of(doing.call, Subject::This));
            doing.thrown.push((doing.after, doing.state.clone()));
            return Ok(());
        };
        if side == Side::Either {
            let held = doing.state.open.iter().rev().find_map(|open| match open {
                Open::Explicit(held, mode) if *held == lock => Some(*mode),
                _ => None,
            });
            mode = held.unwrap_or(mode);
        }
        let has_own = self.contexts[at.id.index()].own_lock.is_some();
        let step = match doing.state.closes(Open::Explicit(lock, mode), self.mode.overlaps) {
            Some(Closed::Own) => Step::Release(lock, mode),
            Some(Closed::OfCaller(number)) if !has_own => {
                self.notes_release(lock);
                Step::ReleaseForCaller(lock, mode, number)
            }
            Some(Closed::OfCaller(_)) | None => return Err(self.not_nested(at)),
        };
        doing.after = execution.does(doing.after, Piece::One(step), at.line());
        Ok(())
    }

    /// A stamped lock's other side is held from now on, or what was held.
    pub(super) fn converts(&mut self, _: &mut Execution, at: Here<'_>, doing: &mut Doing<'_, '_>) -> Result<(), Stuck> {
        match self.explicit(Self::value_of(doing.call, Subject::This)) {
            Some(_) => Err(self.not_nested(at)),
            None => Ok(()),
        }
    }

    /// A condition gives its lock up; one that is not known may give up any that is held.
    pub(super) fn awaits(&mut self, execution: &mut Execution, at: Here<'_>, doing: &mut Doing<'_, '_>) {
        match Self::value_of(doing.call, Subject::This) {
            Value::Condition(lock) => {
                doing.after = execution.does(doing.after, Piece::One(Step::Wait(lock)), at.line());
            }
            _ => {
                let held: Vec<Step> = doing
                    .state
                    .open
                    .iter()
                    .filter_map(|open| match open {
                        Open::Explicit(lock, Mode::Write) => Some(Step::Wait(*lock)),
                        Open::Explicit(_, Mode::Read) | Open::Monitor(_) | Open::Silent(_) => None,
                    })
                    .collect();
                if !held.is_empty() {
                    doing.after = execution.does(doing.after, Piece::Perhaps(held), at.line());
                }
            }
        }
    }

    /// A copy reads all fields and the content of what it is a copy of; it is another object.
    pub(super) fn clones(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        doing: &mut Doing<'_, '_>,
        subject: Subject,
    ) {
        match Self::value_of(doing.call, subject) {
            Value::Region(region) => {
                for field in self.changing_fields(region) {
                    let location = self.field_location(region, field);
                    doing.after = self.reads(execution, at, doing.after, location);
                }
                if !self.is_given(region) {
                    self.accesses(execution, at, doing, &[region], &[Access::Read]);
                }
                doing.results.push(Value::Other);
            }
            Value::View(region) => {
                self.accesses(execution, at, doing, &[region], &[Access::Read]);
                doing.results.push(Value::Other);
            }
            _ => {
                let value = self.loaded(at, &doing.state, doing.call.to);
                doing.results.push(if matches!(value, Value::Open(..)) { Value::Other } else { value });
            }
        }
    }

    /// The changing fields of a region of a given class.
    pub(super) fn changing_fields(&self, region: RegionId) -> Vec<java::FieldId> {
        let program = self.heap.program;
        let Some(class) = self.regions.regions[region.index()].class else { return Vec::new() };
        let fields = program.superclasses(class).flat_map(|class| program.class(class).fields());
        fields.filter(|field| !program.field(*field).flags.is_static() && !self.heap.is_unchanging(*field)).collect()
    }

    /// The thread waits until others have ended.
    pub(super) fn joins(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        doing: &mut Doing<'_, '_>,
        whom: Source,
        certain: bool,
    ) {
        let _ = whom;
        if self.mode.is_program && certain {
            doing.after = execution.does(doing.after, Piece::One(Step::Join), at.line());
        }
    }

    /// A location that is accessed as nothing is known of a method.
    pub(super) fn notes_guess(&mut self, location: Location) {
        self.guessed.insert(location);
    }
}
