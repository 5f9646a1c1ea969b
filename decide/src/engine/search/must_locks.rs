//! Locks that a thread certainly holds at a node, whichever way it came there.
//!
//! Those that its procedure has opened, which are the same on all paths, and those that are held at every call of the
//! procedure. The locks of all calls are intersected, so what a thread holds in addition is not known here, and nothing
//! is claimed that is not so. A node that gets a lock back after waiting does not hold it yet; between the two nodes of
//! a `wait` there is no other.

use eml::model::{LockId, Mode, Model, NodeId, Opened, Operation, ProcedureId, ProcessId};
use limits::{Meter, StopReason};

/// Locks with their modes, ascending.
pub(super) type HeldLocks = Vec<(LockId, Mode)>;

/// For each procedure the locks that are held at every call of it; none for one that is never called.
#[derive(Clone, Debug)]
pub(super) struct MustLocks {
    entries: Vec<Option<HeldLocks>>,
}

impl MustLocks {
    /// The locks held in the processes of which this says that they take part.
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

    /// The locks that are certainly held right before a node executes.
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

/// What is held in both cases, in the weaker mode.
fn common(first: &HeldLocks, second: &HeldLocks) -> HeldLocks {
    let both = first.iter().filter_map(|(lock, mode)| {
        let (_, other) = second.iter().find(|(other, _)| other == lock)?;
        Some((*lock, (*mode).min(*other)))
    });
    both.collect()
}

/// The processes that take part, as ids.
pub(super) fn taking_part(takes_part: &[bool]) -> impl Iterator<Item = ProcessId> {
    takes_part.iter().enumerate().filter(|(_, takes_part)| **takes_part).map(|(index, _)| ProcessId::new(index))
}
