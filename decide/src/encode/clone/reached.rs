//! Which nodes of a flow graph a process can reach, as far as its calls return.
//!
//! What is behind a call is reached once the callee can return. Locks and other processes are not looked at, so every
//! node that is executed in some run is among them.

use crate::encode::flow::{Exits, FlowNode, Label};
use fixedbitset::FixedBitSet;
use limits::{Meter, StopReason};
use rustc_hash::FxHashMap;

/// The nodes to which a run comes from a node; what is behind a call only if the callee returns. `entries` has for each
/// node the first one of its clone.
pub(super) fn reached(
    exits: &[Exits],
    from: FlowNode,
    entries: &[FlowNode],
    meter: &Meter,
) -> Result<FixedBitSet, StopReason> {
    let mut reached = FixedBitSet::with_capacity(exits.len());
    let mut open = vec![from];
    let mut returning = FixedBitSet::with_capacity(exits.len());
    // What is behind the calls of clones that have not returned so far.
    let mut behind: FxHashMap<FlowNode, Vec<FlowNode>> = FxHashMap::default();
    while let Some(node) = open.pop() {
        if reached.put(node.index()) {
            continue;
        }
        let Exits { edges, returns } = &exits[node.index()];
        meter.work_of(1 + edges.len())?;
        for edge in edges {
            match edge.label {
                Label::Call(callee) => {
                    open.push(callee);
                    if returning.contains(callee.index()) {
                        open.push(edge.target);
                    } else {
                        behind.entry(callee).or_default().push(edge.target);
                    }
                }
                _ => open.push(edge.target),
            }
        }
        if *returns {
            let entry = entries[node.index()];
            returning.insert(entry.index());
            open.extend(behind.remove(&entry).into_iter().flatten());
        }
    }
    Ok(reached)
}
