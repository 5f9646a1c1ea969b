//! Calls in which library code or a client passes a followed object to a function, or calls a method on one: the
//! calling method touches it ([`may_touch`](super::may_touch)), although no statement of it assigns it.
//!
//! A call passes an object to a function if the function is among its arguments or in their contents, and gets the
//! object from clients' code, from a content of the arguments, or as an argument of a too general type.
//!
//! **Invariant.** A cached answer for a set depends on the listed objects, the regions and the confined objects: none
//! of these changes while a subject is interpreted. A call is no load from a field, so the objects alone determine what
//! a foreign caller may touch ([`SubjectFacts::any_followed`]). There are many functions but few sets of them: answers
//! are computed once for each set, and once for each function.

use super::answers::Functions;
use super::argument_flows::argument_place;
use super::functions::narrows;
use super::may_touch::SearchedStatement;
use super::subject_facts::SubjectFacts;
use java::ir::{Operation, Variable};
use java::library::{Action, Row, Source, Thread};
use java::points_to::{ObjectId, ObjectSet};
use java::{InvokeKind, Member, MethodId, Type};
use std::collections::BTreeSet;
use std::rc::Rc;

impl SubjectFacts<'_> {
    /// Whether a call may run a function that gets a followed object from code outside of the program: from the content
    /// of an argument, from clients' code, or as an argument of a too general type.
    pub(super) fn passes_to_functions(&self, at: SearchedStatement<'_>, has_clients: bool) -> bool {
        let Operation::Invoke { kind, member, arguments } = at.operation else { return false };
        let mut functions = Functions::default();
        for argument in arguments {
            functions.add(&self.functions_in(at, *argument));
        }
        if functions.parameters.is_empty() {
            return false;
        }
        let is_of_clients = has_clients && self.heap.row_of_member(*member).is_none();
        if is_of_clients || arguments.iter().any(|argument| self.contents_followed(at, *argument)) {
            return functions.get_followed;
        }
        let given = arguments.get(1..).unwrap_or_default();
        *kind != InvokeKind::Static
            && functions.parameters.into_iter().any(|number| self.becomes_followed(at, number, given))
    }

    /// The functions in the closure of a variable's points-to set. Linear in the closure, once for each set.
    fn functions_in(&self, at: SearchedStatement<'_>, variable: Variable) -> Rc<Functions> {
        let key = self.heap.points.variable(at.method, variable).key();
        if let Some(known) = self.answers.function_arguments.borrow().of_sets.get(&key) {
            return known.clone();
        }
        let mut found = Functions::default();
        for object in self.heap.closure_of_variable(at.method, variable).iter() {
            if let Some(functions) = self.functions_of_object(*object) {
                found.add(&functions);
            }
        }
        let found = Rc::new(found);
        self.answers.function_arguments.borrow_mut().of_sets.insert(key, found.clone());
        found
    }

    fn functions_of_object(&self, object: ObjectId) -> Option<Rc<Functions>> {
        if let Some(known) = self.answers.function_arguments.borrow().of_objects.get(&object) {
            return known.clone();
        }
        let mut found = Functions::default();
        for function in self.functions_of(object) {
            let types: Box<[Type]> = function.parameters.iter().skip(function.captured).copied().collect();
            found.get_followed |= function.methods.iter().any(|method| self.gets_followed(*method, types.len()));
            found.parameters.insert(self.answers.function_arguments.borrow_mut().parameters.insert_full(types).0);
        }
        let found = (!found.parameters.is_empty()).then(|| Rc::new(found));
        self.answers.function_arguments.borrow_mut().of_objects.insert(object, found.clone());
        found
    }

    /// Whether a method may get a followed object as one of its last arguments. The first arguments are not passed by
    /// the call: captured values, the function itself, a new object.
    fn gets_followed(&self, method: MethodId, passed: usize) -> bool {
        if let Some(known) = self.answers.function_arguments.borrow().gets_followed.get(&(method, passed)) {
            return *known;
        }
        let found = self.heap.body(method).is_none_or(|body| {
            let skipped = body.parameters.len().saturating_sub(passed);
            body.parameters.iter().skip(skipped).any(|parameter| {
                let is_reference = body.variable(*parameter).of.is_some_and(Type::is_reference);
                is_reference && self.has_followed(self.heap.points.variable(method, *parameter))
            })
        });
        self.answers.function_arguments.borrow_mut().gets_followed.insert((method, passed), found);
        found
    }

    /// Whether followed objects are among the listed objects of a set.
    pub(super) fn has_followed(&self, set: ObjectSet<'_>) -> bool {
        if let Some(known) = self.answers.function_arguments.borrow().followed.get(&set.key()) {
            return *known;
        }
        let found = self.heap.listed(set).iter().any(|object| self.may_be_followed(*object));
        self.answers.function_arguments.borrow_mut().followed.insert(set.key(), found);
        found
    }

    /// Whether an argument may be followed once it is of the type of a parameter, by the list of types with this
    /// number.
    fn becomes_followed(&self, at: SearchedStatement<'_>, number: usize, given: &[Variable]) -> bool {
        let parameters = self.answers.function_arguments.borrow().parameters[number].clone();
        parameters.iter().zip(given).any(|(parameter, given)| self.is_followed_as(at, *given, *parameter))
    }

    fn is_followed_as(&self, at: SearchedStatement<'_>, variable: Variable, to: Type) -> bool {
        if !narrows(at.body, variable, to) {
            return false;
        }
        let set = self.heap.points.variable(at.method, variable);
        if let Some(known) = self.answers.function_arguments.borrow().of_types.get(&(set.key(), to)) {
            return *known;
        }
        let of_type = self.heap.narrowed(&self.heap.listed(set), to);
        let found = of_type.into_iter().any(|object| self.may_be_followed(object));
        self.answers.function_arguments.borrow_mut().of_types.insert((set.key(), to), found);
        found
    }

    /// Whether a container reachable from the variable may hold a followed or unknown object.
    fn contents_followed(&self, at: SearchedStatement<'_>, variable: Variable) -> bool {
        let key = (self.heap.points.variable(at.method, variable).key(), at.is_foreign);
        if let Some(known) = self.answers.function_arguments.borrow().followed_contents.get(&key) {
            return *known;
        }
        let held = self.contents_through(at, variable);
        let found = held.iter().any(|object| self.heap.is_universal(*object)) || self.any_followed(at, held);
        self.answers.function_arguments.borrow_mut().followed_contents.insert(key, found);
        found
    }

    /// The objects in containers reachable from a variable.
    fn contents_through(&self, at: SearchedStatement<'_>, variable: Variable) -> Vec<ObjectId> {
        let closure = self.heap.closure_of_variable(at.method, variable);
        self.heap.contents_of_all(closure.iter().copied().filter(|object| self.heap.is_of_library(*object)))
    }

    /// Whether a row calls methods on elements of a content that may be followed, or searches contents and may read
    /// that of a followed object.
    pub(super) fn calls_elements(&self, at: SearchedStatement<'_>) -> bool {
        let Operation::Invoke { kind, member, arguments } = at.operation else { return false };
        let rows = self.rows_of_call(at.method, (*kind, *member), arguments);
        let searched: BTreeSet<usize> =
            rows.iter().flat_map(|row| row.actions).filter_map(|action| place_searched(action, *kind)).collect();
        let mut searched = searched.into_iter().filter_map(|place| arguments.get(place));
        if searched.any(|of| self.any_followed(at, self.heap.closure_of_variable(at.method, *of).to_vec())) {
            return true;
        }
        let called: BTreeSet<(usize, &str)> =
            rows.iter().flat_map(|row| row.actions).filter_map(|action| called_in_content(action, *kind)).collect();
        called.into_iter().any(|(place, name)| {
            let Some(variable) = arguments.get(place) else { return false };
            let held = self.contents_through(at, *variable);
            held.iter().any(|object| self.may_be_client_class(*object, name)) || self.any_followed(at, held)
        })
    }

    /// The rows that a call may run. A method of `Object` is named by that class, whatever the receiver is.
    pub(super) fn rows_of_call(
        &self,
        method: MethodId,
        (kind, member): (InvokeKind, Member),
        arguments: &[Variable],
    ) -> Vec<Row<'_>> {
        let receiver = arguments.first().filter(|_| kind != InvokeKind::Static);
        let objects = receiver.map(|receiver| self.heap.points.variable(method, *receiver));
        let classes: BTreeSet<&str> = objects
            .iter()
            .flat_map(|objects| objects.iter())
            .filter_map(|object| self.heap.library_class(object))
            .chain([self.heap.program.text(member.class)])
            .collect();
        classes.into_iter().filter_map(|class| self.heap.row(class, member)).collect()
    }
}

/// The position of the argument whose contents an action searches recursively.
fn place_searched(action: &Action, kind: InvokeKind) -> Option<usize> {
    match action {
        Action::ReadsAll(subject) => argument_place(*subject, kind),
        Action::Runs(run) if run.thread == Thread::Caller => argument_place(run.whom, kind),
        _ => None,
    }
}

/// The method that an action calls on elements of a content: the argument position of the container, and the method's
/// name.
fn called_in_content(action: &Action, kind: InvokeKind) -> Option<(usize, &str)> {
    let (subject, name) = match action {
        Action::Calls(call) => match (&call.whom, &call.method) {
            (Source::Content(subject), Some(name)) => (*subject, name),
            _ => return None,
        },
        _ => return None,
    };
    Some((argument_place(subject, kind)?, name))
}
