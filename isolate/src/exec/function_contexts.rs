//! The contexts of functions: of values and abstract objects whose methods of a name library code or clients call.

use super::context::{ContextId, Steps};
use super::execution::{Execution, Position};
use super::interpreter::{Interpreter, MadeKind};
use super::memo::FunctionsKey;
use crate::facts::objects::ObjectKind;
use crate::facts::subject_facts::SubjectFacts;
use crate::facts::target::{Target, lambda_target};
use crate::graph::{Exit, Step};
use crate::value::{RegionId, SetId, Value};
use crate::{Assumption, Rule, Stuck};
use java::library::{Action, Source, Subject, TRAVERSAL, Thread};
use java::points_to::{Object, ObjectId};
use java::{ClassId, MethodId};
use std::collections::BTreeSet;
use std::rc::Rc;

impl Interpreter<'_> {
    /// The contexts of functions: of the value itself, and of abstract objects.
    pub(crate) fn contexts_of(
        &mut self,
        value: Value,
        objects: &[ObjectId],
        method: Option<&str>,
    ) -> Result<Vec<ContextId>, Stuck> {
        let objects = self.sets.id(objects.to_vec());
        self.contexts_of_set(value, objects, method)
    }

    /// The same for the objects of a set.
    pub(crate) fn contexts_of_set(
        &mut self,
        value: Value,
        of: SetId,
        method: Option<&str>,
    ) -> Result<Vec<ContextId>, Stuck> {
        let value = match value {
            Value::Made(_) | Value::Region(_) => value,
            _ => Value::Any,
        };
        let key = FunctionsKey { value, objects: of, method: method.map(Box::from), is_foreign: self.is_in_foreign() };
        if let Some(known) = self.memo.contexts.get(&key) {
            return Ok(known.to_vec());
        }
        let objects = self.sets.objects(of).to_vec();
        let mut found = self.own_contexts(value, &objects, method)?;
        if let (true, Some(name)) = (found.is_empty(), method) {
            found = self.inherited_contexts(value, &objects, name)?;
        }
        self.memo.contexts.insert(key, found.as_slice().into());
        Ok(found)
    }

    /// The same without methods that the objects inherit from the library.
    pub(super) fn own_contexts(
        &mut self,
        value: Value,
        objects: &[ObjectId],
        method: Option<&str>,
    ) -> Result<Vec<ContextId>, Stuck> {
        let mut targets: Vec<(Target, Value)> = Vec::new();
        match value {
            Value::Made(_) | Value::Region(_) => {
                targets.extend(self.named_targets(value, method).into_iter().map(|target| (target, value)));
            }
            _ => {}
        }
        for object in objects {
            let receiver = match self.may_be_followed(*object) {
                true => Value::Open(self.sets.id(vec![*object]), 7000),
                false => Value::Any,
            };
            if let Some(name) = method.filter(|name| self.may_be_client_class(*object, name)) {
                self.assume(Assumption::NotAmongAny(format!("`{name}`")));
            }
            let of = self.named_targets_of(*object, method);
            targets.extend(of.into_iter().map(|target| (target, receiver)));
        }
        let mut contexts = Vec::new();
        for (target, receiver) in targets {
            match target {
                Target::Method(method) => {
                    let is_static = self.heap.program.method(method).flags.is_static();
                    let receiver = (!is_static).then_some(receiver);
                    contexts.extend(self.context_with_unknown(method, receiver.into_iter().collect())?.iter());
                }
                Target::Lambda(lambda) => {
                    for method in self.heap.methods_of_reference(lambda.kind, lambda.member()) {
                        contexts.extend(self.context_with_unknown(method, lambda.captured.clone())?.iter());
                    }
                }
                Target::Library(_) | Target::Unknown | Target::Client => {}
            }
        }
        contexts.sort_unstable();
        contexts.dedup();
        Ok(contexts)
    }

    /// The contexts of a method with known first arguments; the pointer analysis gives the others.
    pub(crate) fn context_with_unknown(
        &mut self,
        method: MethodId,
        values: Vec<Value>,
    ) -> Result<Rc<[ContextId]>, Stuck> {
        let key = (method, values);
        if let Some(known) = self.memo.with_unknown.get(&key) {
            return Ok(known.clone());
        }
        let found: Rc<[ContextId]> = self.find_with_unknown(method, key.1.clone())?.into();
        self.memo.with_unknown.insert(key, found.clone());
        Ok(found)
    }

    pub(super) fn find_with_unknown(
        &mut self,
        method: MethodId,
        mut values: Vec<Value>,
    ) -> Result<Vec<ContextId>, Stuck> {
        let Some(code) = self.method(method) else {
            return Err(Stuck::Damaged { method: self.heap.program.method_name(method) });
        };
        for (number, parameter) in (0_u32..).zip(&*code.body.parameters).skip(values.len()) {
            let objects = self.heap.variable(method, *parameter);
            let is_followed = objects.iter().any(|object| self.may_be_followed(*object));
            values.push(if is_followed { Value::Open(self.sets.id(objects), 2000 + number) } else { Value::Any });
        }
        values.truncate(code.body.parameters.len());
        if self.is_left_out(method) {
            return Ok(Vec::new());
        }
        let mut contexts = Vec::new();
        for values in self.receiver_cases(method, values) {
            if self.must_enter(method, &values) {
                contexts.push(self.context_of(method, values)?);
            }
        }
        Ok(contexts)
    }

    /// The case split of the receiver of an instance method before it is entered: a synchronized method locks it.
    pub(crate) fn receiver_cases(&mut self, method: MethodId, values: Vec<Value>) -> Vec<Vec<Value>> {
        let is_static = self.heap.program.method(method).flags.is_static();
        match values.first() {
            Some(Value::Open(of, number)) if !is_static => {
                let (of, number) = (*of, *number);
                let replaced = |option: Value| {
                    values.iter().map(|value| if *value == Value::Open(of, number) { option } else { *value }).collect()
                };
                self.options(of).iter().copied().map(replaced).collect()
            }
            _ => vec![values],
        }
    }

    /// The targets of a value as a function, or of its methods of this name.
    pub(super) fn named_targets(&mut self, value: Value, method: Option<&str>) -> Vec<Target> {
        let class = match value {
            Value::Made(made) => match self.made(made).kind.clone() {
                MadeKind::Lambda(handle) => {
                    let is_of_all = method.is_some_and(|name| ["equals", "hashCode", "toString"].contains(&name));
                    let captured = self.made(made).fields.iter().map(|(_, value)| *value).collect();
                    return if is_of_all { Vec::new() } else { vec![lambda_target(handle, captured)] };
                }
                MadeKind::Object(class) => Some(class),
                MadeKind::Library(_) => None,
            },
            Value::Region(region) => {
                let info = &self.regions.regions[region.index()];
                if info.class.is_none() {
                    let objects = self.regions.aliases[info.alias.index()].objects.clone();
                    let mut targets: Vec<Target> =
                        objects.into_iter().flat_map(|object| self.named_targets_of(object, method)).collect();
                    targets.sort_unstable();
                    targets.dedup();
                    return targets;
                }
                info.class
            }
            _ => None,
        };
        class.map(|class| self.methods_named(class, method)).unwrap_or_default()
    }

    /// The same for an abstract object.
    pub(super) fn named_targets_of(&mut self, object: ObjectId, method: Option<&str>) -> Vec<Target> {
        match self.heap.kind_of(object) {
            ObjectKind::Lambda => {
                let is_it = method.is_none_or(|name| self.heap.may_run(object, name));
                if is_it { self.lambda_of(object).into_iter().collect() } else { Vec::new() }
            }
            ObjectKind::Program(class) => {
                let find = |this: &SubjectFacts<'_>| this.methods_named(class, method);
                self.named(object, method, find).to_vec()
            }
            ObjectKind::External(of) => {
                let mut back = self.heap.returned_by_clients(self.heap.points.type_name(of)).to_vec();
                if self.heap.modality.omits(Rule::EscapedFunctions) {
                    back.retain(|back| self.is_made_here(*back));
                }
                let back = back.into_iter().filter(|back| matches!(self.heap.kind_of(*back), ObjectKind::Lambda));
                let is_it = |back: &ObjectId| method.is_none_or(|name| self.heap.may_run(*back, name));
                let back: Vec<ObjectId> = back.filter(is_it).collect();
                let lambdas: Vec<Target> = back.into_iter().filter_map(|back| self.lambda_of(back)).collect();
                let is_universal = self.heap.is_universal_text(self.heap.points.type_name(of));
                let Some(class) = self.heap.points.class_of(of).filter(|_| !is_universal) else { return lambdas };
                let find = |this: &SubjectFacts<'_>| {
                    let program = this.heap.program;
                    let mut subtypes = program.subtypes(class);
                    if this.heap.modality.omits(Rule::ClientObjects) {
                        subtypes.retain(|sub| *sub == class || this.mode.nest.contains(sub));
                    }
                    let classes = subtypes.into_iter().filter(|class| !program.class(*class).flags.is_interface());
                    classes.flat_map(|class| this.methods_named(class, method)).collect()
                };
                let mut targets: Vec<Target> = self.named(object, method, find).to_vec();
                targets.extend(lambdas);
                targets.sort_unstable();
                targets.dedup();
                targets
            }
            ObjectKind::Library(_)
            | ObjectKind::Array
            | ObjectKind::View(..)
            | ObjectKind::Class(_)
            | ObjectKind::Literal(_)
            | ObjectKind::Value(_) => Vec::new(),
        }
    }

    /// Whether the method that is executed has made a lambda.
    fn is_made_here(&self, object: ObjectId) -> bool {
        let Object::Lambda { site, .. } = self.heap.points.object(object) else { return false };
        self.current.is_some_and(|id| self.contexts[id.index()].method == site.method)
    }

    /// The contexts that run when library code calls an inherited library method of this name on program objects.
    pub(super) fn inherited_contexts(
        &mut self,
        value: Value,
        objects: &[ObjectId],
        name: &str,
    ) -> Result<Vec<ContextId>, Stuck> {
        let mut names: BTreeSet<Box<str>> = BTreeSet::new();
        for class in self.program_classes(value, objects) {
            for outside in self.library_supertypes(class) {
                let rows = self.heap.library.find_all(outside, name);
                names.extend(rows.flat_map(|row| row.actions).flat_map(called_of_this));
            }
        }
        let mut contexts = Vec::new();
        for called in names.iter().filter(|called| &***called != name) {
            contexts.extend(self.own_contexts(value, objects, Some(called))?);
        }
        Ok(contexts)
    }

    pub(crate) fn program_classes(&self, value: Value, objects: &[ObjectId]) -> BTreeSet<ClassId> {
        let of_value = match value {
            Value::Region(RegionId::SUBJECT) => Some(self.mode.class),
            Value::Region(region) => self.regions.regions[region.index()].class,
            Value::Made(made) => match self.made(made).kind {
                MadeKind::Object(class) => Some(class),
                MadeKind::Library(_) | MadeKind::Lambda(_) => None,
            },
            _ => None,
        };
        let targets_of_object = |object: &ObjectId| match self.heap.kind_of(*object) {
            ObjectKind::Program(class) => Some(class),
            _ => None,
        };
        objects.iter().filter_map(targets_of_object).chain(of_value).collect()
    }

    /// Runs these contexts, any number of times.
    pub(crate) fn run_any_of(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        contexts: Vec<ContextId>,
    ) -> Option<usize> {
        if contexts.is_empty() {
            return after;
        }
        for context in &contexts {
            self.contexts[context.index()].callers.insert(at.caller());
        }
        let steps = contexts.into_iter().map(|context| Step::Call(context, Exit::Any)).collect();
        execution.add_steps(after, Steps::Repeated(steps), at.line())
    }
}

/// The names of the methods that an action calls on the receiver.
fn called_of_this(action: &Action) -> Vec<Box<str>> {
    match action {
        Action::Traverses { whom: Subject::This, method, .. } => {
            TRAVERSAL.into_iter().map(Into::into).chain(method.clone()).collect()
        }
        Action::Calls(call) if call.whom == Source::Itself(Subject::This) && call.thread == Thread::Caller => {
            call.method.clone().into_iter().collect()
        }
        _ => Vec::new(),
    }
}
