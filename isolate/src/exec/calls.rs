//! Calls: the contexts that they enter, their exits, and calls that cannot touch a followed object.
//!
//! A call is not entered if none of its arguments leads to a followed object and no code that runs in it can reach one
//! by itself ([`crate::facts::may_touch`]).

use super::context::{ContextId, Steps};
use super::execution::{Call, CallExit, Execution, Position};
use super::interpreter::{Interpreter, MadeKind, MadeObject};
use super::state::State;
use crate::facts::objects::ObjectKind;
use crate::facts::target::{LambdaTarget, Target};
use crate::graph::{EffectId, Exit, InlinedCall, Step};
use crate::value::{RegionId, Value};
use crate::{Entering, Rule, Stuck};
use java::ir::{Operation, Statement, Variable};
use java::points_to::Field;
use java::{CallSiteAction, HandleKind, InvokeKind, Member, MethodId, Type};

impl Interpreter<'_> {
    /// Executes an `invoke` instruction other than `invokedynamic`.
    pub(crate) fn invoke(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        statement: &Statement,
        state: State,
        (kind, member, arguments): (InvokeKind, Member, &[Variable]),
    ) -> Result<(), Stuck> {
        let values: Vec<Value> = arguments.iter().map(|argument| state.value(*argument)).collect();
        let has_receiver = kind != InvokeKind::Static;
        if has_receiver && values.first() == Some(&Value::Null) {
            return self.raise(execution, at, at.after, &state);
        }
        if has_receiver && values.first().is_some_and(|value| self.is_null(*value).is_none()) {
            self.raise(execution, at, at.after, &state)?;
        }
        let is_constructing = has_receiver && self.heap.program.is_constructor_name(member.name);
        let call = Call { kind, member, values, variables: Some(arguments), to: statement.to };
        let call_exits = match call.values.first() {
            Some(made @ (Value::Fresh(_) | Value::This(_))) if is_constructing => {
                let made = *made;
                self.construct(execution, at, state, &call, (made, arguments[0]))?
            }
            _ => self.call(execution, at, at.after, state, &call)?,
        };
        self.finish_call(execution, at, statement, &call.values, call_exits)
    }

    /// Continues after a call with these argument values, at each of its exits.
    pub(super) fn finish_call(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        statement: &Statement,
        taken: &[Value],
        call_exits: Vec<CallExit>,
    ) -> Result<(), Stuck> {
        let uses_subject = match &statement.operation {
            Operation::Invoke { member, .. } => self.uses_subject(*member, taken),
            _ => false,
        };
        let mut alternatives = Vec::new();
        for (after, mut state, value) in call_exits {
            match value {
                None => {
                    self.note_stored_arguments(at, &mut state, &statement.operation);
                    self.raise(execution, at, after, &state)?;
                }
                Some(value) => {
                    let value = self.derived_result(at, uses_subject, &mut state, value);
                    // The result comes first: an escaped argument is another unresolved value.
                    if let Some(to) = statement.to {
                        state.assign(&at.code.terms, to, value);
                    }
                    if value != Value::Int(0) || !self.stores_if_true(&statement.operation) {
                        self.note_stored_arguments(at, &mut state, &statement.operation);
                    }
                    if !alternatives.contains(&(after, state.clone())) {
                        alternatives.push((after, state));
                    }
                }
            }
        }
        self.fork(execution, at, alternatives)
    }

    /// Whether a call stores its arguments only if it returns true: a compare-and-set, in findings.
    fn stores_if_true(&self, operation: &Operation) -> bool {
        let Operation::Invoke { member, .. } = operation else { return false };
        let compares = |action: &java::library::Action| matches!(action, java::library::Action::ComparesAndSets(_));
        self.heap.modality.omits(crate::Rule::FailedAttempts)
            && self.heap.program.result_type(member.descriptor) == Some(Type::Boolean)
            && self.heap.row_of_member(*member).is_some_and(|row| row.actions.iter().any(compares))
    }

    /// Executes a call with these values; returns all its exits.
    pub(crate) fn call(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        state: State,
        call: &Call<'_>,
    ) -> Result<Vec<CallExit>, Stuck> {
        let receiver = match call.kind {
            InvokeKind::Static => None,
            _ => call.values.first().map(|value| (*value, call.variables.map(|variables| variables[0]))),
        };
        let targets = self.targets(at, (call.kind, call.member), receiver);
        let mut call_exits = Vec::new();
        let (mut skipped, mut entered) = (false, false);
        let makes_result = call.to.is_some() && self.makes_result(&targets);
        for target in targets {
            match target {
                Target::Method(method) if self.must_enter(method, &call.values) => {
                    entered = true;
                    for values in self.receiver_cases(method, call.values.clone()) {
                        call_exits.extend(self.enter_method(
                            execution,
                            at,
                            (after, &state),
                            method,
                            values,
                            call.to,
                        )?);
                    }
                }
                Target::Method(_) => skipped = true,
                Target::Lambda(lambda) => {
                    let arguments = self.lambda_arguments(at, call, &lambda);
                    call_exits.extend(self.call_lambda(execution, at, (after, &state), &lambda, arguments, call.to)?);
                }
                Target::Library(class) => {
                    let row = |it: &mut Self| it.library.call(it, execution, at, (after, &state), &class, call);
                    call_exits.extend(self.within_row(self.contexts[at.id.index()].method, row)?);
                }
                Target::Unknown => {
                    call_exits.extend(self.library.call_unknown(self, execution, at, (after, &state), call)?)
                }
                Target::Client => {
                    let contexts = self.callback_contexts(at, call)?;
                    if contexts.is_empty() {
                        skipped = true;
                        continue;
                    }
                    let after = self.add_unfollowed_change(execution, at, after);
                    let after = self.run_any_of(execution, at, after, contexts);
                    let value = self.skipped_result(at, &state, call.to, makes_result);
                    call_exits.extend([(after, state.clone(), Some(value)), (after, state.clone(), None)]);
                }
            }
        }
        // The exits of an entered method become known when it is executed; perhaps it never returns.
        if skipped || call_exits.is_empty() && !entered {
            let after = self.add_unfollowed_change(execution, at, after);
            let value = self.skipped_result(at, &state, call.to, makes_result);
            call_exits.push((after, state.clone(), Some(value)));
            call_exits.push((after, state, None));
        }
        Ok(call_exits)
    }

    /// Whether a call yields an object that its target has made, by [`NewObjects`](Rule::NewObjects). Methods of
    /// clients do what the methods that they override do.
    fn makes_result(&self, targets: &[Target]) -> bool {
        let mut methods = targets.iter().filter_map(|target| match target {
            Target::Method(method) => Some(*method),
            _ => None,
        });
        let returns_new = |method| self.returns_new(method);
        self.heap.modality.omits(Rule::NewObjects)
            && methods.next().is_some_and(returns_new)
            && methods.all(returns_new)
    }

    /// The result of a call that is not entered.
    fn skipped_result(&mut self, at: Position<'_>, state: &State, to: Option<Variable>, is_made: bool) -> Value {
        match is_made {
            true => Value::Other,
            false => self.assigned_value(at, state, to),
        }
    }

    /// Whether a call of a method with these values may touch a followed object.
    pub(crate) fn must_enter(&mut self, method: MethodId, values: &[Value]) -> bool {
        let is_foreign = self.is_foreign_call(method, values);
        self.heap.entering == Entering::All
            || values.iter().any(|value| self.is_relevant(*value))
            || self.may_touch(method, is_foreign)
    }

    /// Calls a lambda.
    pub(super) fn call_lambda(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        (after, state): (Option<usize>, &State),
        lambda: &LambdaTarget,
        arguments: Vec<Value>,
        to: Option<Variable>,
    ) -> Result<Vec<CallExit>, Stuck> {
        let values: Vec<Value> = lambda.captured.iter().copied().chain(arguments).collect();
        let member = lambda.member();
        let kind = match lambda.kind {
            HandleKind::InvokeStatic => InvokeKind::Static,
            HandleKind::InvokeSpecial | HandleKind::NewInvokeSpecial => InvokeKind::Special,
            HandleKind::InvokeInterface => InvokeKind::Interface,
            HandleKind::InvokeVirtual
            | HandleKind::GetField
            | HandleKind::GetStatic
            | HandleKind::PutField
            | HandleKind::PutStatic => InvokeKind::Virtual,
        };
        if lambda.kind == HandleKind::NewInvokeSpecial {
            return self.construct_by_reference(execution, at, after, state, member, values);
        }
        let values = self.with_receiver_type(member, kind, values);
        if !self.callback_stack.push(kind, member, &values) {
            return Ok(Vec::new());
        }
        let call = Call { kind, member, values, variables: None, to };
        let call_exits = self.call(execution, at, after, state.clone(), &call);
        self.callback_stack.pop();
        call_exits
    }

    /// Narrows the receiver of a method reference to the method's class, as the JVM checks it.
    fn with_receiver_type(&mut self, member: Member, kind: InvokeKind, mut values: Vec<Value>) -> Vec<Value> {
        if let (true, Some(Value::Open(of, number))) = (kind != InvokeKind::Static, values.first().copied()) {
            values[0] = match self.narrowed(of, Type::Class(member.class)) {
                Some(of) => Value::Open(of, number),
                None => Value::Any,
            };
        }
        values
    }

    /// Calls a constructor reference.
    fn construct_by_reference(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        state: &State,
        member: Member,
        arguments: Vec<Value>,
    ) -> Result<Vec<CallExit>, Stuck> {
        let program = self.heap.program;
        let constructor = program.resolve_method(member).found();
        let class = program.named(member.class);
        match (constructor, class) {
            (Some(method), Some(class)) if self.must_enter(method, &arguments) => {
                let values = [Value::This(class)].into_iter().chain(arguments).collect();
                self.enter_method(execution, at, (after, state), method, values, None)
            }
            _ => Ok(vec![(after, state.clone(), Some(Value::Other)), (after, state.clone(), None)]),
        }
    }

    /// Enters a method of the program: it returns a value, throws, or does not return.
    pub(super) fn enter_method(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        (after, state): (Option<usize>, &State),
        method: MethodId,
        values: Vec<Value>,
        to: Option<Variable>,
    ) -> Result<Vec<CallExit>, Stuck> {
        if self.is_left_out(method) {
            let value = self.assigned_value(at, state, to);
            return Ok(vec![(after, state.clone(), Some(value)), (after, state.clone(), None)]);
        }
        let values = if self.is_foreign(at.id) { self.as_foreign(method, values) } else { values };
        let callee = self.context_of(method, values)?;
        let context = &mut self.contexts[callee.index()];
        context.callers.insert(at.caller());
        let (exits, effects) = (context.exits.clone(), context.effects.clone());
        let mut call_exits = Vec::new();
        let has_effects = effects.len() > 1;
        if !has_effects && (!self.is_unobserved(at) || self.mode.is_program) {
            self.dead_end(execution, after, Step::Call(callee, Exit::Never), at);
        }
        for (effect, value) in exits {
            let mut state = state.clone();
            let exit = Exit::of(value);
            let step = if has_effects {
                let inlined = InlinedCall {
                    callee,
                    effect: EffectId(u8::try_from(effect).expect("there are few")),
                    exit,
                    open: state.releasable(self.mode.overlaps),
                    closed: u8::try_from(state.released.len()).expect("there are few"),
                };
                Step::Inline(inlined)
            } else {
                Step::Call(callee, exit)
            };
            let overlaps = self.mode.overlaps;
            let nests = effects[effect].released.iter().all(|lock| state.release(*lock, overlaps).is_some())
                && effects[effect].held.iter().all(|lock| state.acquire(*lock));
            let has_own = self.contexts[at.id.index()].own_lock.is_some();
            if !nests || (effect > 0 && !state.released.is_empty() && has_own) {
                return Err(self.not_nested(at));
            }
            // While no other thread has the object, accesses to it are not observable.
            let is_silent = self.is_unobserved(at) && !self.mode.is_program && !has_effects;
            let after = if is_silent { after } else { execution.add_steps(after, Steps::One(step), at.line()) };
            // A value read from a location is distinguished from others only in the method that reads it.
            let value = value.map(|value| self.returned_value(at, &state, value, to));
            call_exits.push((after, state, value));
        }
        Ok(call_exits)
    }

    /// Adds a step without a successor.
    fn dead_end(&mut self, execution: &mut Execution, after: Option<usize>, step: Step, at: Position<'_>) {
        execution.add_steps(after, Steps::One(step), at.line());
    }

    /// The result of a callee in the caller's state: an unresolved value gets an unused number.
    fn returned_value(&mut self, at: Position<'_>, state: &State, value: Value, to: Option<Variable>) -> Value {
        match value {
            Value::Open(of, _) => state.unresolved(of),
            Value::Any if to.is_some_and(|to| at.code.body.variable(to).of.is_some_and(Type::is_reference)) => {
                Value::Any
            }
            value => value,
        }
    }

    /// Calls the constructor of a new object, or that of its superclass.
    fn construct(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        state: State,
        call: &Call<'_>,
        (made, variable): (Value, Variable),
    ) -> Result<Vec<CallExit>, Stuck> {
        let program = self.heap.program;
        let class = match made {
            Value::This(class) => Some(class),
            _ => program.named(call.member.class),
        };
        let constructor =
            program.resolve_method(call.member).found().filter(|method| program.method(*method).has_code());
        let (Some(class), Some(method)) = (class, constructor) else {
            return self.library.construct(self, execution, at, state, call, (made, variable));
        };
        if !self.must_enter(method, &call.values[1..]) {
            let mut after = state.clone();
            if made != Value::This(class) {
                after.replace(made, Value::Other);
            }
            return Ok(vec![(at.after, after, Some(Value::Any)), (at.after, state, None)]);
        }
        let mut values = call.values.clone();
        values[0] = Value::This(class);
        let call_exits = self.enter_method(execution, at, (at.after, &state), method, values, None)?;
        let mut constructed = Vec::new();
        for (after, mut state, value) in call_exits {
            let Some(value) = value else {
                constructed.push((after, state, None));
                continue;
            };
            match (made, value) {
                (Value::This(_), Value::Made(id)) => {
                    for (field, value) in self.made(id).fields.clone() {
                        if let Field::Declared(field) = field {
                            state.fields.retain(|(known, _)| *known != field);
                            state.fields.push((field, value));
                        }
                    }
                    state.fields.sort_unstable();
                }
                (Value::This(_), _) => {}
                (made, value @ Value::Made(_)) => state.replace(made, value),
                (made, _) => state.replace(made, Value::Other),
            }
            constructed.push((after, state, Some(Value::Any)));
        }
        Ok(constructed)
    }

    /// The result of a constructor: the object with the values of its unchanging fields.
    pub(crate) fn constructed(&mut self, id: ContextId, state: &State) -> Value {
        match self.contexts[id.index()].arguments.first() {
            Some(Value::This(class)) => {
                let class = *class;
                let fields: Vec<(Field, Value)> =
                    state.fields.iter().map(|(field, value)| (Field::Declared(*field), settled(*value))).collect();
                if fields.iter().any(|(_, value)| self.is_relevant(*value)) {
                    self.make(MadeObject { kind: MadeKind::Object(class), fields })
                } else {
                    Value::Any
                }
            }
            _ => Value::Any,
        }
    }

    /// The result of a method as its callers distinguish it.
    pub(crate) fn result(&self, id: ContextId, value: Value) -> Value {
        let program = self.heap.program;
        let method = program.method(self.contexts[id.index()].method);
        let result = program.result_type(method.descriptor);
        match value {
            Value::Int(_) if result != Some(Type::Boolean) => Value::Any,
            Value::Fresh(_) | Value::This(_) => Value::Other,
            Value::Found(..) => value,
            value => value,
        }
    }

    /// Executes an `invokedynamic`: a lambda, a string concatenation, a record method, a pattern switch, or another
    /// call site.
    pub(super) fn invoke_dynamic(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        statement: &Statement,
        state: State,
        (site, arguments): (u32, &[Variable]),
    ) -> Result<(), Stuck> {
        let call_site = at.code.body.call_site(site);
        let mut state = state;
        if let CallSiteAction::Lambda { .. } | CallSiteAction::Other(_) = call_site.action {
            for argument in arguments {
                self.note_escape(at, &mut state, *argument);
            }
        }
        let values: Vec<Value> = arguments.iter().map(|argument| state.value(*argument)).collect();
        match call_site.action {
            CallSiteAction::Lambda { implementation, .. } => {
                let fields: Vec<(Field, Value)> =
                    (0..).map(Field::Captured).zip(values.into_iter().map(settled)).collect();
                let value = self.make(MadeObject { kind: MadeKind::Lambda(implementation), fields });
                self.assign_value(execution, at, statement, state, value)
            }
            CallSiteAction::Concatenation => {
                let mut after = at.after;
                for (value, variable) in values.iter().zip(arguments) {
                    after =
                        self.library.call_named(self, execution, at, after, (*value, Some(*variable)), "toString")?;
                }
                self.raise(execution, at, after, &state)?;
                self.assign_value_after(execution, at, statement, state, Value::Any, after)
            }
            CallSiteAction::RecordMethod => {
                let mut after = at.after;
                for (value, variable) in values.iter().zip(arguments) {
                    after = self.record_method(execution, at, after, &state, (*value, *variable), call_site.name)?;
                }
                self.assign_value_after(execution, at, statement, state, Value::Any, after)
            }
            CallSiteAction::PatternSwitch => self.assign_value(execution, at, statement, state, Value::Any),
            CallSiteAction::Other(_) => {
                if values.iter().any(|value| self.is_relevant(*value)) {
                    let method = self.heap.program.method_name(self.contexts[at.id.index()].method);
                    return Err(Stuck::Dynamic { method, line: at.line() });
                }
                self.raise(execution, at, at.after, &state)?;
                let value = self.assigned_value(at, &state, statement.to);
                self.assign_value(execution, at, statement, state, value)
            }
        }
    }

    /// Executes `equals`, `hashCode` or `toString` of a record, which call the method on the components.
    fn record_method(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        mut after: Option<usize>,
        state: &State,
        (value, variable): (Value, Variable),
        name: java::Name,
    ) -> Result<Option<usize>, Stuck> {
        let program = self.heap.program;
        let name = program.text(name);
        let components = |class: java::ClassId| {
            let fields = program.class(class).fields();
            fields.filter(|field| !program.field(*field).flags.is_static()).collect::<Vec<_>>()
        };
        if let Value::Region(region) = value
            && let Some(class) = self.regions.regions[region.index()].class
        {
            for field in components(class) {
                let held = self.unchanging_field_value(state, region, field);
                after = self.library.call_named(self, execution, at, after, (held, None), name)?;
            }
            return Ok(after);
        }
        // For a record that is not followed, the pointer analysis yields the components.
        let mut held = Vec::new();
        for object in self.heap.variable(self.contexts[at.id.index()].method, variable) {
            let class = match self.heap.kind_of(object) {
                ObjectKind::Program(class) => Some(class),
                ObjectKind::External(of) => self.heap.points.class_of(of),
                _ => None,
            };
            for field in class.into_iter().flat_map(components) {
                held.extend(self.heap.field(object, Field::Declared(field)));
            }
        }
        held.sort_unstable();
        held.dedup();
        let contexts = self.contexts_of(Value::Any, &held, Some(name))?;
        Ok(self.run_any_of(execution, at, after, contexts))
    }

    /// Whether a value is the subject's object.
    pub(crate) fn is_subject(value: Value) -> bool {
        value == Value::Region(RegionId::SUBJECT)
    }
}

/// A value as it is stored. Unconstructed objects and read values are forgotten; a later load resolves them anew.
pub(crate) fn settled(value: Value) -> Value {
    match value {
        Value::Fresh(_) | Value::This(_) => Value::Other,
        Value::Found(..) => Value::Any,
        value => value,
    }
}
