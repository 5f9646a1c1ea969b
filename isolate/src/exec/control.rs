//! Ends of blocks: jumps, branches, switches, returns and throws.

use super::execution::{Execution, Position};
use super::interpreter::Interpreter;
use super::state::State;
use crate::Stuck;
use crate::facts::method::Method;
use crate::value::Value;
use java::Condition;
use java::ir::{End, Variable};

impl Interpreter<'_> {
    /// Executes the end of a block.
    pub(crate) fn end(&mut self, execution: &mut Execution, at: Position<'_>, state: State) -> Result<(), Stuck> {
        let end = &at.code.block(at.point).end;
        if let Some(states) = self.end_cases(end, &state) {
            // A new state would forget the read before the branch.
            if self.has_retest(execution, at, end) {
                return states.into_iter().try_for_each(|state| self.end(execution, at, state));
            }
            return self.split_into(execution, at, states);
        }
        match end {
            End::Goto(edge) => self.take_edge(execution, at, at.after, edge, state),
            End::Branch { condition, values, holds, fails } => {
                for (is_taken, edge) in [(false, fails), (true, holds)] {
                    if let Some(mut state) = self.branches(at, &state, (*condition, values), is_taken) {
                        let after = self.before_retest(execution, at, edge);
                        self.settle_tested(at, &mut state, (*condition, values), is_taken);
                        self.settle_in_callee(execution, at, edge, &mut state);
                        let after = self.mark_found(execution, at, (after, &mut state), (*condition, values), is_taken);
                        self.take_edge(execution, at, after, edge, state)?;
                    }
                }
                Ok(())
            }
            End::Switch { value, cases, .. } => {
                let known = match state.value(*value) {
                    Value::Int(number) => Some(number),
                    _ => None,
                };
                let only = known.map(|number| cases.iter().find(|(case, _)| *case == number).map(|(_, edge)| edge));
                for edge in Method::edges(end) {
                    let is_possible = match (only, end) {
                        (None, _) => true,
                        (Some(Some(only)), _) => edge == only,
                        (Some(None), End::Switch { default, .. }) => edge == default,
                        (Some(None), _) => true,
                    };
                    if is_possible {
                        self.take_edge(execution, at, at.after, edge, state.clone())?;
                    }
                }
                Ok(())
            }
            End::Return(value) => {
                let value = match value {
                    Some(value) => self.result(at.id, state.value(*value)),
                    None => self.constructed(at.id, &state),
                };
                self.exit_method(execution, at, at.after, &state, Some(value))
            }
            End::Throw(thrown) => {
                let mut state = state;
                self.note_escape(at, &mut state, *thrown);
                let value = state.value(*thrown);
                self.raise_value(execution, at, at.after, &state, Some(value).filter(|value| *value != Value::Null))
            }
        }
    }

    /// The state after a branch, if control can go this way.
    fn branches(
        &mut self,
        at: Position<'_>,
        state: &State,
        (condition, values): (Condition, &[Variable]),
        is_taken: bool,
    ) -> Option<State> {
        let known: Vec<Value> = values.iter().map(|value| state.value(*value)).collect();
        if let Some(holds) = super::conditions::known(condition, &known, &|value| self.is_null(value))
            && holds != is_taken
        {
            return None;
        }
        let mut after = state.clone();
        if let Some(test) = at.code.terms.test(condition, values) {
            let relation = state.relation(&at.code.terms, test.pair).and(test.after(is_taken));
            if relation.is_impossible() {
                return None;
            }
            if at.code.terms.is_repeated(test.pair) {
                after.relate(test.pair, relation);
            }
        }
        let is_null = matches!((condition, is_taken), (Condition::Null, true) | (Condition::NotNull, false));
        if is_null && matches!(known[0], Value::Any | Value::Open(..)) {
            match known[0] {
                Value::Open(..) => after.replace(known[0], Value::Null),
                _ => after.set(values[0], Value::Null),
            }
        }
        after.has_tested_derived |= known.contains(&Value::Derived);
        Some(after)
    }
}
