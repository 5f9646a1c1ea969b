//! Library objects that rows and constructors create, with the values that they keep.

use super::rows::RowCall;
use crate::exec::calls::settled;
use crate::exec::execution::{Call, CallExit, Execution, Position};
use crate::exec::interpreter::{Interpreter, MadeKind, MadeObject};
use crate::exec::state::State;
use crate::facts::objects::ObjectKind;
use crate::value::Value;
use crate::{Rule, Stuck};
use java::ir::Variable;
use java::library::{Action, Source, Subject};
use java::points_to::{Field, ObjectId};

impl Interpreter<'_> {
    /// A new library object that keeps the values of these sources.
    pub(super) fn new_library_object(
        &mut self,
        at: Position<'_>,
        row_call: &RowCall<'_, '_>,
        sources: &[Source],
        class: Option<Box<str>>,
    ) -> Value {
        let mut fields = Vec::new();
        let mut is_known = true;
        for (number, source) in (0_u16..).zip(sources) {
            if let Source::Itself(subject) = source {
                let value = settled(Self::value_of(row_call.call, *subject));
                if self.is_kept_exactly(value) {
                    fields.push((Field::Captured(number), value));
                } else {
                    is_known &= !self.may_run_something(at, Self::variable_of(row_call.call, *subject));
                }
            }
        }
        if fields.is_empty() || !is_known || self.is_too_deep(&fields) {
            return match self.heap.modality.omits(Rule::NewObjects) {
                true => Value::Other,
                false => self.assigned_value(at, &row_call.state, row_call.call.to),
            };
        }
        let program = self.heap.program;
        let declared = match program.result_type(row_call.call.member.descriptor) {
            Some(java::Type::Class(name)) => program.text(name),
            _ => program.text(row_call.call.member.class),
        };
        let class = class.unwrap_or_else(|| declared.into());
        self.make(MadeObject { kind: MadeKind::Library(class), fields })
    }

    /// Whether a value that a library object keeps is known exactly by the value alone.
    pub(super) fn is_kept_exactly(&self, value: Value) -> bool {
        self.is_relevant(value) || matches!(value, Value::Made(_))
    }

    /// Whether an object of the variable runs program methods when it is used as a function. A library object that
    /// keeps such an object among others is known by the pointer analysis only; otherwise this object's methods would
    /// be forgotten.
    pub(super) fn may_run_something(&self, at: Position<'_>, variable: Option<Variable>) -> bool {
        let Some(variable) = variable else { return false };
        let objects = self.heap.variable(self.contexts[at.id.index()].method, variable);
        let runs = |object: &ObjectId| match self.heap.kind_of(*object) {
            ObjectKind::Lambda => true,
            ObjectKind::Program(class) => !self.heap.named_methods(class, None).is_empty(),
            ObjectKind::External(of) => {
                let of_given = self.heap.points.class_of(of).is_some();
                of_given || !self.heap.returned_by_clients(self.heap.points.type_name(of)).is_empty()
            }
            ObjectKind::Library(_)
            | ObjectKind::Array
            | ObjectKind::View(..)
            | ObjectKind::Class(_)
            | ObjectKind::Literal(_)
            | ObjectKind::Value(_) => false,
        };
        self.heap.library_closure(objects).iter().any(runs)
    }

    /// Calls the constructor of a library class.
    pub(super) fn construct_of_library(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        state: State,
        call: &Call<'_>,
        (made, _): (Value, Variable),
    ) -> Result<Vec<CallExit>, Stuck> {
        let class = self.heap.program.text(call.member.class).to_string();
        let call_exits = self.row(execution, at, at.after, &state, &class, call)?;
        let mut fields = Vec::new();
        let mut is_known = true;
        for (number, value) in (0_u8..).zip(call.values.iter().skip(1)) {
            let value = settled(*value);
            if !self.is_kept_by_constructor(&class, call, number) {
                continue;
            }
            if self.is_kept_exactly(value) {
                fields.push((Field::Captured(number.into()), value));
            } else {
                let variable = call.variables.and_then(|variables| variables.get(usize::from(number) + 1).copied());
                is_known &= !self.may_run_something(at, variable);
            }
        }
        let kept = match fields.is_empty() || !is_known || self.is_too_deep(&fields) {
            true => Value::Other,
            false => self.make(MadeObject { kind: MadeKind::Library(class.into()), fields }),
        };
        let mut constructed = Vec::new();
        for (after, mut state, value) in call_exits {
            if value.is_some() && !matches!(made, Value::This(_)) {
                state.replace(made, kept);
            }
            constructed.push((after, state, value.map(|_| Value::Any)));
        }
        Ok(constructed)
    }

    /// Whether a constructor keeps an argument itself, not only its content.
    pub(super) fn is_kept_by_constructor(&self, class: &str, call: &Call<'_>, number: u8) -> bool {
        let Some(row) = self.heap.row(class, call.member) else { return true };
        let is_it = |subject: &Subject| matches!(subject, Subject::Argument(it) if it.index() == usize::from(number));
        let keeps = row.actions.iter().any(|action| match action {
            Action::Keeps { what: Source::Itself(subject), .. }
            | Action::Later { whom: Source::Itself(subject), .. } => is_it(subject),
            Action::Views(view) => is_it(&view.of),
            _ => false,
        });
        keeps || row.takes_all(true)
    }

    /// Whether made objects are nested deeper than the analysis distinguishes.
    pub(super) fn is_too_deep(&self, fields: &[(Field, Value)]) -> bool {
        let mut level: Vec<Value> = fields.iter().map(|(_, value)| *value).collect();
        for _ in 0..4 {
            level = level
                .into_iter()
                .filter_map(|value| match value {
                    Value::Made(made) => Some(self.made(made).fields.iter().map(|(_, value)| *value)),
                    _ => None,
                })
                .flatten()
                .collect();
            if level.is_empty() {
                return false;
            }
        }
        true
    }
}
