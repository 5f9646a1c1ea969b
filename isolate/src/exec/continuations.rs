//! Where control goes after a statement: alternatives, edges, handlers, and exits.

use super::context::{Point, Steps, Successor};
use super::execution::{Execution, Position};
use super::interpreter::Interpreter;
use super::lock_effects::{LockEffect, MOST_EFFECTS};
use super::state::{HeldLock, State};
use crate::Stuck;
use crate::graph::{Exit, Step};
use crate::value::Value;
use eml::model::Mode as LockMode;
use java::ir::Edge;

impl Interpreter<'_> {
    /// Continues in several alternatives: each becomes a state, unless there is only one.
    pub(super) fn fork(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        alternatives: Vec<(Option<usize>, State)>,
    ) -> Result<(), Stuck> {
        let next = at.next();
        if let [_] = &alternatives[..] {
            for (after, state) in alternatives {
                execution.continue_at(after, next, state);
            }
            return Ok(());
        }
        for (after, state) in alternatives {
            let to = self.state(at.id, next, state)?;
            execution.add_successor(after, Successor::State(to), at.line());
        }
        Ok(())
    }

    /// Executes the same statement again in the states of a case split.
    pub(super) fn split_into(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        states: Vec<State>,
    ) -> Result<(), Stuck> {
        for state in states {
            let to = self.state(at.id, at.point, state)?;
            execution.add_successor(at.after, Successor::State(to), at.line());
        }
        Ok(())
    }

    /// Follows a control-flow edge.
    pub(super) fn take_edge(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        edge: &Edge,
        mut state: State,
    ) -> Result<(), Stuck> {
        let head = at.code.body.block(edge.target);
        let values: Vec<Value> = edge.arguments.iter().map(|argument| state.value(*argument)).collect();
        for (parameter, (value, argument)) in head.parameters.iter().zip(values.iter().zip(&*edge.arguments)) {
            if parameter != argument {
                // A joined index is split again.
                let value = self.join_number(*value);
                state.assign(&at.code.terms, *parameter, value);
                state.copy_found(*argument, *parameter);
            }
        }
        let target = Point { block: edge.target, index: 0 };
        let (from, to) = (at.point.block, edge.target);
        let is_unchanged = at.code.closes_loop(from, to) && at.code.is_unchanged_round(from, to);
        let to = self.state_after_round(at.id, target, state, is_unchanged)?;
        execution.add_successor(after, Successor::State(to), at.line());
        Ok(())
    }

    /// Throws an exception, which may be any that the pointer analysis finds at the handlers.
    pub(super) fn raise(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        state: &State,
    ) -> Result<(), Stuck> {
        self.raise_value(execution, at, after, state, None)
    }

    /// Throws an exception, with its value if that is known: control goes to each handler that may catch it, or leaves
    /// the method.
    pub(super) fn raise_value(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        state: &State,
        thrown: Option<Value>,
    ) -> Result<(), Stuck> {
        let handlers = at.handlers();
        for handler in handlers {
            let mut state = state.clone();
            if let Some(caught) = at.code.body.block(handler.edge.target).caught {
                let value = thrown.unwrap_or_else(|| self.caught_value(at, &state, caught));
                state.assign(&at.code.terms, caught, value);
            }
            self.take_edge(execution, at, after, &handler.edge, state)?;
        }
        if handlers.last().is_none_or(|last| last.catches.is_some()) {
            self.exit_method(execution, at, after, state, None)?;
        }
        Ok(())
    }

    fn returns_nothing(&self, at: Position<'_>) -> bool {
        let method = self.contexts[at.id.index()].method;
        let program = self.heap.program;
        program.result_type(program.method(method).descriptor).is_none()
    }

    /// Leaves the method with a value, or with an exception.
    pub(super) fn exit_method(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        state: &State,
        value: Option<Value>,
    ) -> Result<(), Stuck> {
        let ends_work = self.returns_nothing(at) && state.holds_only_counters();
        let effect = LockEffect::of(state, value.is_none() || ends_work);
        let Some(effect) = effect else { return Err(self.not_nested(at)) };
        let has_own = self.contexts[at.id.index()].own_lock.is_some();
        let context = &mut self.contexts[at.id.index()];
        let known = context.effects.iter().position(|known| *known == effect);
        let number = known.unwrap_or_else(|| {
            context.effects.push(effect);
            context.effects.len() - 1
        });
        // The lock of a synchronized method is outside of all locks that it acquires.
        if number > 0 && (number >= MOST_EFFECTS || has_own) {
            return Err(self.not_nested(at));
        }
        let exit = Exit::of(value);
        // A method that throws releases its explicit locks here; in the program they may be held for longer.
        let mut after = after;
        if self.contexts[at.id.index()].effects[number].held.is_empty() {
            for lock in state.held.iter().rev() {
                let release = match lock {
                    HeldLock::Monitor(lock) => Some(Step::Release(*lock, LockMode::Write)),
                    HeldLock::Explicit(lock, mode) => Some(Step::Release(*lock, *mode)),
                    HeldLock::Unmodelled(_) => None,
                };
                if let Some(release) = release {
                    after = execution.add_steps(after, Steps::One(release), at.line());
                }
            }
        }
        execution.add_successor(after, Successor::Exit(number, exit), at.line());
        if self.contexts[at.id.index()].exits.insert((number, value)) {
            self.requeue_callers(at.id);
        }
        Ok(())
    }

    /// The error that locks do not nest at a position.
    pub(crate) fn not_nested(&self, at: Position<'_>) -> Stuck {
        let method = self.heap.program.method_name(self.contexts[at.id.index()].method);
        Stuck::NotNested { method, line: at.line() }
    }
}
