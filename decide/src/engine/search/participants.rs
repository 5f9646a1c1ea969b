//! The processes that take part in a query: those bound to its threads, and those that can start such a process.
//!
//! Instances of all other processes only hold locks. If they stay at their beginnings, everything possible stays
//! possible.

use crate::query::Query;
use eml::model::{Model, ProcessId};
use limits::{Meter, StopReason};

/// Returns for each process whether its instances take part.
pub(super) fn participants(model: &Model, query: &Query, meter: &Meter) -> Result<Vec<bool>, StopReason> {
    let processes = model.processes().len();
    let mut takes_part: Vec<_> = (0..processes).map(|index| query.processes.contains(&ProcessId::new(index))).collect();
    let all = model.call_graph().started_by(model.processes(), |reached| meter.work_of(reached))?;
    loop {
        meter.work_of(1 + processes)?;
        let starts_participant = |index: usize| all[index].iter().any(|started| takes_part[started.index()]);
        let next: Vec<_> = (0..processes).map(|index| takes_part[index] || starts_participant(index)).collect();
        if next == takes_part {
            return Ok(takes_part);
        }
        takes_part = next;
    }
}
