//! Which processes take part in a query: those that are bound to its threads, and those that can start such a process.
//!
//! Instances of all others only hold locks. Where they stay at their beginnings everything is possible that is possible
//! anyhow.

use crate::limits::{Meter, StopReason};
use crate::model::{Model, ProcessId};
use crate::query::Query;

/// For each process whether its instances take part.
pub(super) fn useful(model: &Model, query: &Query, meter: &Meter) -> Result<Vec<bool>, StopReason> {
    let processes = model.processes().len();
    let mut useful: Vec<_> = (0..processes).map(|index| query.processes.contains(&ProcessId::new(index))).collect();
    let all = model.call_graph().started_by(model.processes(), |reached| meter.work_of(reached))?;
    loop {
        meter.work_of(1 + processes)?;
        let starts_useful = |index: usize| all[index].iter().any(|started| useful[started.index()]);
        let next: Vec<_> = (0..processes).map(|index| useful[index] || starts_useful(index)).collect();
        if next == useful {
            return Ok(useful);
        }
        useful = next;
    }
}
