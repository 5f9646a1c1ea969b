//! From byte code to register form.
//!
//! 1. [`flow`](super::flow) follows all paths through the code, with a copy of each subroutine for each call.
//! 2. [`pieces`](super::pieces) cuts it into what becomes blocks.
//! 3. [`joins`](super::joins) finds where blocks need parameters, by dominance frontiers.
//! 4. [`rename`](super::rename) makes statements of instructions, and gives each value a variable.
//! 5. [`simplify`](super::simplify) and [`exceptions`](super::exceptions) take away parameters and edges that are not
//!    needed.
//! 6. [`finish`](super::finish) numbers what is left, and [`types`](super::types) finds types.

use super::body::Body;
use super::dominators::Tree;
use super::draft::Draft;
use super::effort::Effort;
use super::error::{BodyError, Stop};
use super::exceptions::take_away;
use super::finish::finish;
use super::flow::Flow;
use super::joins::{Joins, parameter_places};
use super::pieces::Pieces;
use super::rename::{Source, rename};
use super::simplify::simplify;
use super::types::find_types;
use crate::bytecode::Code;
use crate::class_file::{MethodId, Type};
use crate::program::Program;

impl Program {
    /// A method in register form; none if it is abstract or native. Nearly linear in the code, its subroutines copied.
    ///
    /// # Errors
    /// If the code is damaged or no virtual machine would accept it, if its register form would be too large, or if the
    /// work was cancelled.
    pub fn body(&self, method: MethodId, is_cancelled: &dyn Fn() -> bool) -> Result<Option<Body>, BodyError> {
        let Some(code) = self.code(method).map_err(BodyError::Code)? else { return Ok(None) };
        let effort = Effort::new(is_cancelled);
        let body = build(self, method, &code, &effort);
        body.map(Some).map_err(|stop| stop.of(self.method_name(method)))
    }

    /// The types of the receiver unless a method is static, and of its parameters.
    fn all_parameters(&self, method: MethodId) -> Vec<Type> {
        let declared = self.method(method);
        let receiver = (!declared.flags.is_static()).then(|| Type::Class(self.class(declared.class).name));
        let parameters = self.method_type(declared.descriptor).map_or(&[][..], |found| &found.parameters);
        receiver.into_iter().chain(parameters.iter().copied()).collect()
    }
}

fn build(program: &Program, method: MethodId, code: &Code, effort: &Effort<'_>) -> Result<Body, Stop> {
    let flow = Flow::new(code, &program.types, effort)?;
    let pieces = Pieces::new(&flow);
    let tree = Tree::new(&pieces.graph);
    let types = program.all_parameters(method);
    let parameters = parameter_places(types.iter().map(|of| of.kind()));
    let slots = types.iter().map(|of| of.kind().slots()).sum();
    let joins = Joins::new(code, slots, (&flow, &pieces), &tree, effort)?;
    let source = Source { program, code, flow: &flow, pieces: &pieces, joins: &joins, effort };
    let has_receiver = !program.method(method).flags.is_static();
    let mut draft = rename(source, &tree, &parameters, has_receiver)?;
    draft.check_kinds()?;
    improve(&mut draft, effort)?;
    let mut body = finish(draft, method, code.call_sites.clone());
    find_types(program, &mut body, &types);
    Ok(body)
}

/// Takes away what is not needed; what one step takes away can show that more is not.
fn improve(draft: &mut Draft, effort: &Effort<'_>) -> Result<(), Stop> {
    const MOST_ROUNDS: usize = 8;
    for _ in 0..MOST_ROUNDS {
        let order = draft.order();
        simplify(draft, &order, effort)?;
        if !take_away(draft, &order) {
            return Ok(());
        }
    }
    let order = draft.order();
    simplify(draft, &order, effort)
}
