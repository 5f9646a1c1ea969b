//! Inlining: calls of contexts with lock effects are copied into their callers.
//!
//! Such a context has several lock effects. A call returns with one of them, so control continues only after the copy's
//! nodes for that effect and exit. Other exits of the copy are dead ends, since the copies of other calls have them. A
//! copy releases a lock of a caller only where that lock is held; otherwise a client or a thread calls the context,
//! which has no such lock.
//!
//! *Correctness.* Inlining a call changes no execution.

use super::super::exits::Variant;
use super::super::flow::InlinedCall;
use super::super::ids::{ContextId, EffectId};
use super::super::isolated::NotIsolated;
use super::emitter::Emitter;
use super::functions::Place;
use eml::model::{GraphNode, Operation};
use eml::syntax::Position;

/// Maximal depth of nested copies.
const MAX_DEPTH: usize = 32;

/// Maximal number of copied nodes in a model for a proof.
pub(crate) const MOST_COPIED: usize = 200_000;

impl Emitter<'_> {
    /// Whether the nested copies are too many or too deep: then contexts call themselves.
    pub(super) fn is_inlined_too_much(&self, depth: usize) -> bool {
        depth > MAX_DEPTH || self.inlined > self.input.most_copied
    }

    /// Inlines a call; returns the nodes before and after it.
    pub(super) fn inline(
        &mut self,
        caller: ContextId,
        call: InlinedCall,
        place: Place,
        position: Position,
    ) -> Result<[GraphNode; 2], NotIsolated> {
        let InlinedCall { callee, effect, exit, open, closed } = call;
        let is_unit = effect == EffectId::NONE && self.enters(caller, callee);
        let operations = if is_unit { [Operation::Begin, Operation::End] } else { [Operation::Skip; 2] };
        let [first, last] = operations.map(|operation| self.builder.node(place.function, operation, position));
        let releasable = usize::from(open) + place.releasable.saturating_sub(usize::from(closed));
        let inner = Place { is_inlined: true, releasable, depth: place.depth + 1, ..place };
        let copy = self.place(Variant::whole(callee), inner)?;
        self.builder.edge(first, copy.first);
        for (exit_of_copy, nodes) in copy.exits {
            for node in nodes {
                self.builder.edge(node, if exit_of_copy == (effect, exit) { last } else { node });
            }
        }
        Ok([first, last])
    }
}
