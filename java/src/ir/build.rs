//! The translation from bytecode to register form.
//!
//! 1. [`flow`](super::flow) explores all paths through the code, with a copy of each subroutine for each call.
//! 2. [`segments`](super::segments) divides the code into segments, which become blocks.
//! 3. [`phi_placement`](super::phi_placement) determines the parameters of blocks by dominance frontiers.
//! 4. [`rename`](super::rename) translates instructions to statements and assigns a variable to each value.
//! 5. [`simplify`](super::simplify) and [`exceptions`](super::exceptions) remove unnecessary parameters and exception
//!    edges.
//! 6. [`finish`](super::finish) numbers blocks and variables, and [`types`](super::types) infers types.

use super::body::Body;
use super::budget::Budget;
use super::dominators::Tree;
use super::draft::Draft;
use super::error::{BodyError, Stop};
use super::exceptions::remove_impossible_edges;
use super::finish::finish;
use super::flow::Flow;
use super::phi_placement::{PhiPlacement, parameter_places};
use super::rename::{Source, rename};
use super::segments::Segments;
use super::simplify::simplify;
use super::types::find_types;
use crate::bytecode::Code;
use crate::class_file::{MethodId, Type};
use crate::program::Program;

impl Program {
    /// Translates a method to register form; returns none if it is abstract or native. Nearly linear in the code with
    /// all copies of its subroutines.
    ///
    /// # Errors
    /// If the code is damaged, if a virtual machine would reject it, if its register form would be too large, or if the
    /// translation was cancelled.
    pub fn body(&self, method: MethodId, is_cancelled: &dyn Fn() -> bool) -> Result<Option<Body>, BodyError> {
        let Some(code) = self.code(method).map_err(BodyError::Code)? else { return Ok(None) };
        let budget = Budget::new(is_cancelled);
        let body = build(self, method, &code, &budget);
        body.map(Some).map_err(|stop| stop.of(self.method_name(method)))
    }

    /// The types of the receiver, unless the method is static, and of the parameters.
    fn all_parameters(&self, method: MethodId) -> Vec<Type> {
        let declared = self.method(method);
        let receiver = (!declared.flags.is_static()).then(|| Type::Class(self.class(declared.class).name));
        let parameters = self.method_type(declared.descriptor).map_or(&[][..], |found| &found.parameters);
        receiver.into_iter().chain(parameters.iter().copied()).collect()
    }
}

fn build(program: &Program, method: MethodId, code: &Code, budget: &Budget<'_>) -> Result<Body, Stop> {
    let flow = Flow::new(code, &program.types, budget)?;
    let segments = Segments::new(&flow);
    let tree = Tree::new(&segments.graph);
    let types = program.all_parameters(method);
    let parameters = parameter_places(types.iter().map(|of| of.kind()));
    let slots = types.iter().map(|of| of.kind().slots()).sum();
    let phis = PhiPlacement::new(code, slots, (&flow, &segments), &tree, budget)?;
    let source = Source { program, code, flow: &flow, segments: &segments, phis: &phis, budget };
    let has_receiver = !program.method(method).flags.is_static();
    let mut draft = rename(source, &tree, &parameters, has_receiver)?;
    draft.check_kinds()?;
    improve(&mut draft, budget)?;
    let mut body = finish(draft, method, code.call_sites.clone());
    find_types(program, &mut body, &types);
    Ok(body)
}

/// Removes unnecessary parameters and exception edges in rounds, because each removal can enable further ones.
fn improve(draft: &mut Draft, budget: &Budget<'_>) -> Result<(), Stop> {
    const MAX_ROUNDS: usize = 8;
    for _ in 0..MAX_ROUNDS {
        let order = draft.order();
        simplify(draft, &order, budget)?;
        if !remove_impossible_edges(draft, &order) {
            return Ok(());
        }
    }
    let order = draft.order();
    simplify(draft, &order, budget)
}
