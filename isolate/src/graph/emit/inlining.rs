//! Calls of contexts that leave other locks held than they find: they are copied into their callers.
//!
//! Such a context has several lock effects. A call comes out of it with one of them, and control goes on after the
//! copy's nodes for that effect and exit only. What leaves in another way ends there: the copies of the calls that come
//! out so have it. A lock of a caller that the context releases is released in a copy if the copy stands where that
//! lock is held, and else not at all: then a client or a thread calls the context, which has no lock to release.
//!
//! *Why it is enough.* Copying a call changes no execution.

use super::super::exits::Variant;
use super::super::flow::InlinedCall;
use super::super::ids::{ContextId, EffectId};
use super::super::isolated::NotIsolated;
use super::emitter::Emitter;
use super::functions::Place;
use eml::model::{GraphNode, Operation};
use eml::syntax::Position;

/// Copies of calls stand in each other so deep.
const DEEPEST: usize = 32;

/// So many nodes are copied.
const MOST_NODES: usize = 200_000;

impl Emitter<'_> {
    /// Whether calls that stand in each other are too many, or too deep: then contexts call themselves.
    pub(super) fn is_inlined_too_much(&self, depth: usize) -> bool {
        depth > DEEPEST || self.inlined > MOST_NODES
    }

    /// A call that is copied: the nodes before and after it.
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
