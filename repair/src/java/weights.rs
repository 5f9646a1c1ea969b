//! The weight of a region: an estimate of how much a lock that is held over it serializes.
//!
//! The weight of a node is 1, that of a call the weight of the function; calls within a cycle of calls have weight 1.

use eml::model::{Model, NodeId, Operation, ProcedureId};

/// The weights of the functions of a model.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    functions: Vec<u64>,
}

impl Weights {
    /// Linear in the model.
    pub(super) fn new(model: &Model) -> Self {
        let mut weights = Self { functions: vec![1; model.procedures().len()] };
        for component in model.call_graph().components() {
            let own = |id: &ProcedureId| model.procedure(*id).nodes();
            let of_all: Vec<u64> = component
                .iter()
                .map(|id| own(id).fold(0, |sum: u64, node| sum.saturating_add(weights.of(model, node))))
                .collect();
            for (id, weight) in component.iter().zip(of_all) {
                weights.functions[id.index()] = weight.clamp(1, 1 << 40);
            }
        }
        weights
    }

    /// The weight of a node.
    pub(super) fn of(&self, model: &Model, node: NodeId) -> u64 {
        match model.node(node).operation {
            Operation::Call(callee) => self.functions[callee.index()],
            _ => 1,
        }
    }
}
