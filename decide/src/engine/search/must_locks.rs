//! Must-hold locks: the locks that a thread certainly holds at a node, on every path.
//!
//! These are the locks opened by its procedure, which are the same on all paths, and those held at every call of the
//! procedure. The analysis intersects the locks of all calls, so it may miss locks, but never claims one that is not
//! held. A node that takes a lock back after waiting does not hold it yet; there is no node between the two nodes of a
//! `wait`.

use eml::model::{LockId, Mode, Model, NodeId, Opened, Operation, ProcedureId, ProcessId};
use limits::{Meter, StopReason};

/// Locks with their modes, ascending.
pub(super) type HeldLocks = Vec<(LockId, Mode)>;

/// The locks that are held at every call of each procedure; `None` for a procedure that is never called.
#[derive(Clone, Debug)]
pub(super) struct MustLocks {
    entries: Vec<Option<HeldLocks>>,
}

impl MustLocks {
    /// Computes the locks for the processes that take part.
    pub(super) fn new(model: &Model, takes_part: &[bool], meter: &Meter) -> Result<Self, StopReason> {
        let mut must = Self { entries: vec![None; model.procedures().len()] };
        let bodies = model.processes().iter().enumerate().filter(|(index, _)| takes_part[*index]);
        let mut waiting: Vec<ProcedureId> = bodies.map(|(_, process)| process.body()).collect();
        for body in &waiting {
            must.entries[body.index()] = Some(HeldLocks::new());
        }
        let mut calls: Vec<Vec<NodeId>> = vec![Vec::new(); model.procedures().len()];
        for (id, node) in model.nodes() {
            if let Operation::Call(_) = node.operation {
                calls[node.procedure.index()].push(id);
            }
        }
        while let Some(procedure) = waiting.pop() {
            for call in &calls[procedure.index()] {
                meter.work_of(1)?;
                let Operation::Call(callee) = model.node(*call).operation else { continue };
                let held = must.at(model, *call);
                let entry = &mut must.entries[callee.index()];
                let both = entry.as_ref().map_or_else(|| held.clone(), |known| common(known, &held));
                if entry.as_ref() != Some(&both) {
                    *entry = Some(both);
                    waiting.push(callee);
                }
            }
        }
        Ok(must)
    }

    /// Returns the locks that are certainly held right before a node executes.
    pub(super) fn at(&self, model: &Model, node: NodeId) -> HeldLocks {
        let mut held = self.entries[model.node(node).procedure.index()].clone().unwrap_or_default();
        for opened in model.opened(node).iter() {
            if let Opened::Lock(lock, mode) = opened {
                match held.iter_mut().find(|(own, _)| *own == lock) {
                    Some((_, own)) if mode == Mode::Write => *own = mode,
                    Some(_) => {}
                    None => held.push((lock, mode)),
                }
            }
        }
        if let Operation::Resume(lock) = model.node(node).operation {
            held.retain(|(own, _)| *own != lock);
        }
        held.sort_unstable();
        held
    }
}

/// Returns the locks held in both cases, in the weaker mode.
fn common(first: &HeldLocks, second: &HeldLocks) -> HeldLocks {
    let both = first.iter().filter_map(|(lock, mode)| {
        let (_, other) = second.iter().find(|(other, _)| other == lock)?;
        Some((*lock, (*mode).min(*other)))
    });
    both.collect()
}

/// Returns the ids of the processes that take part.
pub(super) fn taking_part(takes_part: &[bool]) -> impl Iterator<Item = ProcessId> {
    takes_part.iter().enumerate().filter(|(_, takes_part)| **takes_part).map(|(index, _)| ProcessId::new(index))
}
