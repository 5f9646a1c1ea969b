//! `replace(key, old, new)` and `remove(key, value)` of a concurrent map: compare-and-sets of the entry of the key.
//!
//! **Rule** [`FailedAttempts`](crate::Rule::FailedAttempts). If such a call expects what a call of `get` has given, it
//! succeeds only if the entry has not changed in between (or has changed back), as for atomics
//! (`effects::atomic`). So the read happens with the call if that succeeds, and a failed call is no second access.

use crate::exec::cas_locations::outdated;
use crate::exec::execution::{Call, CallExit, Execution, Position};
use crate::exec::interpreter::Interpreter;
use crate::exec::state::State;
use crate::graph::Step;
use crate::value::{Location, Value};
use crate::{Rule, Stuck};

impl Interpreter<'_> {
    /// The content of the concurrent map that a call with one of these names and numbers of arguments is on.
    fn map_of(&mut self, call: &Call<'_>, names: &[(&str, usize)]) -> Option<Location> {
        let Value::Region(region) = *call.values.first()? else { return None };
        let name = self.heap.program.text(call.member.name);
        let is_one = names.contains(&(name, call.values.len()))
            && !self.mode.is_program
            && self.heap.modality.omits(Rule::FailedAttempts)
            && self.heap.are_concurrent_maps(&self.regions.regions[region.index()].objects);
        is_one.then(|| self.content_location(region))
    }

    /// All exits of a call that compares and sets an entry.
    pub(super) fn map_swap_exits(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        (after, state): (Option<usize>, &State),
        call: &Call<'_>,
    ) -> Option<Vec<CallExit>> {
        let location = self.map_of(call, &[("replace", 4), ("remove", 3)])?;
        self.note_cas(location);
        let found = call.variables.and_then(|variables| state.found_in(*variables.get(2)?, location));
        let mut call_exits = vec![(after, state.clone(), None)];
        if found != Some(false) {
            let both = [Step::Read(location), Step::Write(location)];
            let done = self.one_step(execution, at, after, location, &both);
            call_exits.push((done, outdated(state, location), Some(Value::Int(1))));
        }
        if found != Some(true) {
            let read = match found {
                Some(_) => after,
                None => self.one_step(execution, at, after, location, &[Step::Read(location)]),
            };
            call_exits.push((read, state.clone(), Some(Value::Int(0))));
        }
        Some(call_exits)
    }

    /// The content of a map of which some method compares and sets entries, if a call gets an entry.
    pub(super) fn swapped_map(&mut self, call: &Call<'_>) -> Option<Location> {
        let location = self.map_of(call, &[("get", 2)])?;
        call.to?;
        Some(location)
    }

    /// All exits of a call that gets an entry: the read happens here, or it is moved to the call that confirms it.
    pub(super) fn map_read_exits(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        (after, state): (Option<usize>, &State),
        (class, location): (&str, Location),
        call: &Call<'_>,
    ) -> Result<Vec<CallExit>, Stuck> {
        self.cas.accessors.entry(location).or_default().insert(at.caller());
        let mut call_exits = self.plain_row(execution, at, after, state, class, call)?;
        let Some(to) = call.to.filter(|_| self.cas.locations.contains(&location)) else { return Ok(call_exits) };
        let mut moved = Vec::new();
        for (_, state, value) in call_exits.iter_mut().filter(|(.., value)| value.is_some()) {
            let mut later = state.clone();
            later.note_found(to, location, true);
            moved.push((after, later, *value));
            state.note_found(to, location, false);
        }
        call_exits.extend(moved);
        Ok(call_exits)
    }
}
