//! Whether a unit looks again before it writes.
//!
//! A unit that reads a location, is interrupted, and then writes it loses nothing if it reads the location again after
//! the interruption, holds a lock from there to the write, and writes only if the value is still what it wants: as in
//! double-checked initialization. A model has no values, so it has the write all the same.

use crate::violations::section::{is_access, own_accesses};
use crate::violations::witness_locks::WitnessLocks;
use decide::witness::{Action, Step, Witness};

/// The read that is repeated and the write that follows it, by their places in a witness: the last access of the unit
/// is the write; the read is of the same location, comes after every access of others, and one lock is held from the
/// read to the write. Of several such reads the last one. Linear in the witness.
pub(super) fn repeated_read(witness: &Witness) -> Option<[usize; 2]> {
    let write = *own_accesses(witness).last()?;
    let written = &witness.steps[write];
    if written.action != Action::Write {
        return None;
    }
    let other = |(_, step): &(usize, &Step)| step.thread != 0 && is_access(step);
    let interruption = witness.steps.iter().enumerate().take(write).rfind(other)?.0;
    let mut held = WitnessLocks::default();
    // The read, with the locks that were held there and not let go since.
    let mut read: Option<(usize, Vec<&str>)> = None;
    for (place, step) in witness.steps.iter().enumerate().take(write).filter(|(_, step)| step.thread == 0) {
        if let Some(free) = held.step(step)
            && let Some((_, locks)) = &mut read
        {
            locks.retain(|lock| *lock != free);
        }
        let is_again = place > interruption && step.action == Action::Read && step.object == written.object;
        if is_again {
            read = Some((place, held.locks().collect()));
        }
    }
    let (read, locks) = read?;
    (!locks.is_empty()).then_some([read, write])
}
