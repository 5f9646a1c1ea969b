//! Whether a unit reads the location again before it writes.
//!
//! A unit that reads a location, is interrupted, and then writes the location loses no update if it reads again after
//! the interruption, holds a lock from that read to the write, and writes only if the value is as expected, as in
//! double-checked initialization. A model has no values, so it always contains the write.

use crate::violations::section::{is_access, own_accesses};
use crate::violations::witness_locks::WitnessLocks;
use decide::witness::{Action, Step, Witness};

/// The repeated read and the write after it, by their places in a witness. The write is the last access of the unit;
/// the read is the last one of the same location that comes after all accesses of other threads, with one lock held
/// from the read to the write. Linear in the witness.
pub(super) fn repeated_read(witness: &Witness) -> Option<[usize; 2]> {
    let write = *own_accesses(witness).last()?;
    let written = &witness.steps[write];
    if written.action != Action::Write {
        return None;
    }
    let other = |(_, step): &(usize, &Step)| step.thread != 0 && is_access(step);
    let interruption = witness.steps.iter().enumerate().take(write).rfind(other)?.0;
    let mut held = WitnessLocks::default();
    // The read, with the locks that have been held since.
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
