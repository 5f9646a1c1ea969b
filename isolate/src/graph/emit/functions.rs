//! The functions of the model: variants of contexts.

use super::super::context::MethodContext;
use super::super::exits::Variant;
use super::super::flow::{Exit, Step};
use super::super::ids::{ContextId, EffectId};
use super::super::isolated::NotIsolated;
use super::super::names::method_name;
use super::super::stuck::Stuck;
use super::super::units::Units;
use super::emitter::Emitter;
use crate::Assumption;
use eml::model::{GraphNode, Operation, ProcedureId};
use eml::syntax::Position;
use std::collections::BTreeMap;

/// Maximal number of nodes of contexts in a model, counted once for each variant.
const MAX_NODES: usize = 1_500_000;

/// The place for the nodes of a context.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The function.
    pub(super) function: ProcedureId,
    /// Whether it is the function of another context.
    pub(super) is_inlined: bool,
    /// The number of locks held by callers that the context could release.
    pub(super) releasable: usize,
    /// The number of inlined calls around it.
    pub(super) depth: usize,
}

/// The nodes of a context in a function that connect it with others.
pub(super) struct Placed {
    pub(super) first: GraphNode,
    /// The exit nodes of an inlined context, by lock effect and exit.
    pub(super) exits: BTreeMap<(EffectId, Exit), Vec<GraphNode>>,
}

impl Emitter<'_> {
    /// Declares the functions of the contexts that threads run.
    pub(super) fn declare(&mut self, roots: &[ContextId]) {
        let contexts = self.input.contexts;
        let keeps = |_, step| self.input.purpose.keeps(step);
        self.accessing_variants = self.exits.variants_with(contexts, roots.iter().copied(), keeps);
        for context in roots {
            self.function(Variant::whole(*context));
        }
    }

    /// Returns the function of a variant; declares it if necessary.
    pub(super) fn function(&mut self, variant: Variant) -> ProcedureId {
        if let Some(known) = self.functions.get(&variant) {
            return *known;
        }
        let MethodContext { method, title, .. } = &self.input.contexts[variant.context.index()];
        let name = title.clone().unwrap_or_else(|| method_name(self.input.program, *method));
        let name = self.distinct(&name);
        let position = self.position(variant.context, 0);
        let function = self.builder.function(name, position);
        self.functions.insert(variant, function);
        self.open.push_back(variant);
        function
    }

    /// Adds the graphs of all functions that are called.
    ///
    /// # Errors
    /// If there is no model.
    pub(super) fn add_graphs(&mut self) -> Result<(), NotIsolated> {
        while let Some(variant) = self.open.pop_front() {
            self.check_cancelled()?;
            let function = self.functions[&variant];
            let place = Place { function, is_inlined: false, releasable: 0, depth: 0 };
            let placed = self.place(variant, place)?;
            self.builder.enter_at(placed.first);
        }
        Ok(())
    }

    /// Whether a call is a unit of work by itself.
    pub(super) fn enters(&self, caller: ContextId, callee: ContextId) -> bool {
        let [caller, callee] = [caller, callee].map(|id| self.input.roles[id.index()]);
        self.input.units.enters(caller, callee)
    }

    /// Puts the nodes of a variant into a function.
    pub(super) fn place(&mut self, variant: Variant, place: Place) -> Result<Placed, NotIsolated> {
        let id = variant.context;
        let context = &self.input.contexts[id.index()];
        if place.is_inlined {
            self.copies.insert((place.function, context.method));
        }
        // An inlined context has a lock effect, so it is at most a part of a unit.
        let is_unit = self.input.units == Units::Bodies && context.is_unit_body && !place.is_inlined;
        let reached = self.exits.nodes(context, variant);
        match self.count(context, reached.count_ones(..), place) {
            Err(NotIsolated::Stuck(stuck @ (Stuck::NotNested { .. } | Stuck::TooLarge { .. })))
                if self.input.is_cut_short =>
            {
                self.omitted.get_or_insert(stuck);
                return Ok(self.cut_short(id, place));
            }
            counted => counted?,
        }
        let mut exits: BTreeMap<(EffectId, Exit), Vec<GraphNode>> = BTreeMap::new();
        let mut placed: BTreeMap<usize, [GraphNode; 2]> = BTreeMap::new();
        for node in reached.ones() {
            let nodes = self.node((id, node), is_unit, place)?;
            placed.insert(node, nodes);
            if let Some(exit) = exit_of(context.flow.nodes[node].step).filter(|_| place.is_inlined) {
                exits.entry(exit).or_default().push(nodes[1]);
            }
        }
        self.connect(id, &placed);
        let mut first = placed[&0][0];
        if is_unit {
            let position = self.position(id, 0);
            let begin = self.builder.node(place.function, Operation::Begin, position);
            self.builder.edge(begin, first);
            first = begin;
        }
        Ok(Placed { first, exits })
    }

    /// Replaces an omitted context: the thread stays there.
    fn cut_short(&mut self, id: ContextId, place: Place) -> Placed {
        self.input.assumptions.insert(Assumption::CutShort.to_string());
        let position = self.position(id, 0);
        let first = self.builder.node(place.function, Operation::Skip, position);
        self.add_endless_loop(first, position);
        Placed { first, exits: BTreeMap::new() }
    }

    /// Counts the nodes of a context.
    fn count(&mut self, context: &MethodContext, nodes: usize, place: Place) -> Result<(), NotIsolated> {
        let method = || self.input.program.method_name(context.method);
        self.inlined += if place.is_inlined { nodes } else { 0 };
        if place.is_inlined && self.is_inlined_too_much(place.depth) {
            let line = context.flow.nodes.first().map_or(0, |node| node.line);
            return Err(NotIsolated::Stuck(Stuck::NotNested { method: method(), line }));
        }
        self.nodes += nodes;
        match self.nodes > MAX_NODES {
            true => Err(NotIsolated::Stuck(Stuck::TooLarge { method: method() })),
            false => Ok(()),
        }
    }

    /// Adds the edges between nodes of a context.
    fn connect(&mut self, id: ContextId, placed: &BTreeMap<usize, [GraphNode; 2]>) {
        let nodes = &self.input.contexts[id.index()].flow.nodes;
        for (node, [_, last]) in placed {
            if exit_of(nodes[*node].step).is_some() {
                continue;
            }
            let next = self.exits.next(&nodes[*node]).iter().filter_map(|next| placed.get(next));
            let next: Vec<GraphNode> = next.map(|[first, _]| *first).collect();
            if next.is_empty() {
                let position = self.position(id, *node);
                self.add_endless_loop(*last, position);
            }
            next.into_iter().for_each(|next| self.builder.edge(*last, next));
        }
    }

    /// Adds the nodes for one node of a context; returns the first and the last one.
    fn node(
        &mut self,
        (id, node): (ContextId, usize),
        is_unit: bool,
        place: Place,
    ) -> Result<[GraphNode; 2], NotIsolated> {
        let position = self.position(id, node);
        let function = place.function;
        let is_alone = self.alone.contains(&(id, node));
        Ok(match self.input.contexts[id.index()].flow.nodes[node].step {
            Step::Read(_) | Step::Write(_) | Step::Call(..) if is_alone => {
                self.add_chain(function, &[Operation::Skip], position)
            }
            Step::Wait(lock) => {
                let lock = self.lock(lock);
                self.builder.wait(function, lock, position)
            }
            Step::Call(callee, exit) => match self.exits.variant_of(callee, exit) {
                Some(called) if self.accessing_variants.contains(&called) => {
                    self.add_call(function, called, self.enters(id, callee), position)
                }
                // A call without accesses is omitted.
                Some(_) | None => self.add_chain(function, &[Operation::Skip], position),
            },
            Step::Inline(inlined) => self.inline(id, inlined, place, position)?,
            Step::ReleaseForCaller(lock, mode, number) => {
                let is_held = usize::from(number) < place.releasable;
                let operation = self.operation(if is_held { Step::Release(lock, mode) } else { Step::Skip });
                self.add_chain(function, &[operation], position)
            }
            Step::Cut if is_unit => self.add_chain(function, &[Operation::End, Operation::Begin], position),
            Step::Return(_) if place.is_inlined => self.add_chain(function, &[Operation::Skip], position),
            Step::ReturnWith(..) if place.is_inlined => self.add_chain(function, &[Operation::Skip], position),
            Step::Return(_) => self.exit_nodes(id, EffectId::NONE, is_unit, function, position),
            Step::ReturnWith(effect, _) => self.exit_nodes(id, effect, is_unit, function, position),
            step => {
                let operation = self.operation(step);
                self.add_chain(function, &[operation], position)
            }
        })
    }

    /// Adds the nodes of an exit from a function. A function called by threads or clients releases the locks that it
    /// still holds.
    fn exit_nodes(
        &mut self,
        id: ContextId,
        effect: EffectId,
        is_unit: bool,
        function: ProcedureId,
        position: Position,
    ) -> [GraphNode; 2] {
        let contexts = self.input.contexts;
        let held = contexts[id.index()]
            .held_after(effect)
            .iter()
            .rev()
            .map(|(lock, mode)| self.operation(Step::Release(*lock, *mode)));
        let mut operations: Vec<Operation> = held.collect();
        operations.extend(is_unit.then_some(Operation::End));
        operations.push(Operation::Return);
        self.add_chain(function, &operations, position)
    }

    /// Returns the operation of a step that takes one node.
    fn operation(&mut self, step: Step) -> Operation {
        match step {
            Step::Skip | Step::Local | Step::Join | Step::Cut => Operation::Skip,
            Step::Start(context) => {
                self.started.get(&context).map_or(Operation::Skip, |process| Operation::Start(*process))
            }
            Step::Read(location) => Operation::Read(self.location(location)),
            Step::Write(location) => Operation::Write(self.location(location)),
            Step::Acquire(lock, mode) => Operation::Acquire(self.lock(lock), mode),
            Step::Release(lock, mode) => Operation::Release(self.lock(lock), mode),
            Step::Return(_) | Step::ReturnWith(..) => Operation::Return,
            Step::Wait(_) | Step::Call(..) | Step::Inline(_) | Step::ReleaseForCaller(..) => {
                unreachable!("they take several nodes")
            }
        }
    }
}

/// Returns the lock effect and the exit of a step that leaves its context.
fn exit_of(step: Step) -> Option<(EffectId, Exit)> {
    match step {
        Step::Return(exit) => Some((EffectId::NONE, exit)),
        Step::ReturnWith(effect, exit) => Some((effect, exit)),
        Step::Skip | Step::Local | Step::Read(_) | Step::Write(_) | Step::Acquire(..) | Step::Release(..) => None,
        Step::ReleaseForCaller(..) | Step::Wait(_) | Step::Call(..) | Step::Inline(_) => None,
        Step::Start(_) | Step::Join | Step::Cut => None,
    }
}
