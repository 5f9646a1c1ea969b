//! The nodes of a flow graph that a process can reach, considering which calls return.
//!
//! The return site of a call is reached once the callee can return. Locks and other processes are ignored, so every
//! node that some run executes is among them.

use crate::encode::flow::{Exits, FlowNode, Label};
use fixedbitset::FixedBitSet;
use limits::{Meter, StopReason};
use rustc_hash::FxHashMap;

/// The nodes that a run from a node reaches; the return site of a call only if the callee returns. `entries` has the
/// entry of the clone of each node.
pub(super) fn reachable(
    exits: &[Exits],
    from: FlowNode,
    entries: &[FlowNode],
    meter: &Meter,
) -> Result<FixedBitSet, StopReason> {
    let mut reached = FixedBitSet::with_capacity(exits.len());
    let mut open = vec![from];
    let mut returning = FixedBitSet::with_capacity(exits.len());
    // The return sites of calls of clones that have not returned so far.
    let mut return_sites: FxHashMap<FlowNode, Vec<FlowNode>> = FxHashMap::default();
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
                        return_sites.entry(callee).or_default().push(edge.target);
                    }
                }
                _ => open.push(edge.target),
            }
        }
        if *returns {
            let entry = entries[node.index()];
            returning.insert(entry.index());
            open.extend(return_sites.remove(&entry).into_iter().flatten());
        }
    }
    Ok(reached)
}
