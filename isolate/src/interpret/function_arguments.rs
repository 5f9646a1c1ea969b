//! Whether library code or a client passes a followed object to a function, or calls it: the method in which that happens
//! finds it ([`finding`](super::may_touch)), although no statement of it assigns it.
//!
//! A call passes an object to a function if the function is among what the call is given, or in a content from there,
//! and gets the object from code of clients, from a content of what is given, or as an argument of a type that is too
//! general to be told apart.
//!
//! **Invariant.** What is remembered of a set is found of what the set lists, of the regions and of what is confined:
//! none of these changes while a subject is interpreted, and that is all that the questions depend on. A call is no load
//! from a field, so what a foreign caller may find ([`Interpreter::leads`]) depends on the objects only. Functions are
//! many and their sets are few: what a set passes is found once for the set, what a function gets once for the function.

use super::calls::argument_place;
use super::client_callbacks::narrows;
use super::interpreter::Interpreter;
use super::may_touch::SearchedStatement;
use indexmap::IndexSet;
use java::ir::{Operation, Variable};
use java::library::{Action, Row, Source, Thread};
use java::points_to::{ObjectId, ObjectSet, SetKey};
use java::{InvokeKind, Member, MethodId, Type};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What is known of which calls pass followed objects.
#[derive(Debug, Default)]
pub(super) struct FunctionArguments {
    /// The functions of the closures of sets.
    of_sets: FxHashMap<SetKey, Rc<Functions>>,
    /// What objects are as functions.
    of_objects: FxHashMap<ObjectId, Option<Rc<Functions>>>,
    /// Whether contents of the closures of sets lead to followed objects, for a foreign caller or another one.
    followed_contents: FxHashMap<(SetKey, bool), bool>,
    /// Whether a method gets a followed object as one of its last arguments, so many.
    gets_followed: FxHashMap<(MethodId, usize), bool>,
    /// Whether sets have followed objects, once they are of a type.
    of_types: FxHashMap<(SetKey, Type), bool>,
    /// Whether sets have followed objects.
    followed: FxHashMap<SetKey, bool>,
    /// The types of what functions get from others.
    parameters: IndexSet<Box<[Type]>, FxBuildHasher>,
}

/// What functions get from others.
#[derive(Debug, Default)]
struct Functions {
    /// The numbers of the lists of its types; none where there are no functions.
    parameters: BTreeSet<usize>,
    /// Whether one of them may get a followed object.
    get_followed: bool,
}

impl Functions {
    fn add(&mut self, other: &Self) {
        self.parameters.extend(&other.parameters);
        self.get_followed |= other.get_followed;
    }
}

impl Interpreter<'_> {
    /// Whether a call may run a function that gets a followed object from what is not given: from the content of what
    /// is passed, from code of clients, or as an argument of a type that is too general to be told apart.
    pub(super) fn passes_to_functions(&mut self, at: SearchedStatement<'_>, has_clients: bool) -> bool {
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

    /// The functions in the closure of what a variable holds. Linear in the closure, once for each set.
    fn functions_in(&mut self, at: SearchedStatement<'_>, variable: Variable) -> Rc<Functions> {
        let key = self.heap.points.variable(at.method, variable).key();
        if let Some(known) = self.facts.function_arguments.borrow().of_sets.get(&key) {
            return known.clone();
        }
        let mut found = Functions::default();
        for object in self.heap.closure_of_variable(at.method, variable).iter() {
            if let Some(functions) = self.functions_of_object(*object) {
                found.add(&functions);
            }
        }
        let found = Rc::new(found);
        self.facts.function_arguments.borrow_mut().of_sets.insert(key, found.clone());
        found
    }

    fn functions_of_object(&mut self, object: ObjectId) -> Option<Rc<Functions>> {
        if let Some(known) = self.facts.function_arguments.borrow().of_objects.get(&object) {
            return known.clone();
        }
        let mut found = Functions::default();
        for function in self.functions_of(object) {
            let types: Box<[Type]> = function.parameters.iter().skip(function.captured).copied().collect();
            found.get_followed |= function.methods.iter().any(|method| self.gets_followed(*method, types.len()));
            found.parameters.insert(self.facts.function_arguments.borrow_mut().parameters.insert_full(types).0);
        }
        let found = (!found.parameters.is_empty()).then(|| Rc::new(found));
        self.facts.function_arguments.borrow_mut().of_objects.insert(object, found.clone());
        found
    }

    /// Whether a method may get a followed object as one of its last arguments: what is not passed comes first, as what
    /// was captured, the function itself, a new object.
    fn gets_followed(&mut self, method: MethodId, passed: usize) -> bool {
        if let Some(known) = self.facts.function_arguments.borrow().gets_followed.get(&(method, passed)) {
            return *known;
        }
        let found = self.heap.body(method).is_none_or(|body| {
            let skipped = body.parameters.len().saturating_sub(passed);
            body.parameters.iter().skip(skipped).any(|parameter| {
                let is_reference = body.variable(*parameter).of.is_some_and(Type::is_reference);
                is_reference && self.has_followed(self.heap.points.variable(method, *parameter))
            })
        });
        self.facts.function_arguments.borrow_mut().gets_followed.insert((method, passed), found);
        found
    }

    /// Whether followed objects are among those of a set that are looked at.
    pub(super) fn has_followed(&mut self, set: ObjectSet<'_>) -> bool {
        if let Some(known) = self.facts.function_arguments.borrow().followed.get(&set.key()) {
            return *known;
        }
        let found = self.heap.listed(set).iter().any(|object| self.may_be_followed(*object));
        self.facts.function_arguments.borrow_mut().followed.insert(set.key(), found);
        found
    }

    /// Whether a value may be followed once it is of the type of a parameter, of the types of this number.
    fn becomes_followed(&mut self, at: SearchedStatement<'_>, number: usize, given: &[Variable]) -> bool {
        let parameters = self.facts.function_arguments.borrow().parameters[number].clone();
        parameters.iter().zip(given).any(|(parameter, given)| self.is_followed_as(at, *given, *parameter))
    }

    fn is_followed_as(&mut self, at: SearchedStatement<'_>, variable: Variable, to: Type) -> bool {
        if !narrows(at.body, variable, to) {
            return false;
        }
        let set = self.heap.points.variable(at.method, variable);
        if let Some(known) = self.facts.function_arguments.borrow().of_types.get(&(set.key(), to)) {
            return *known;
        }
        let of_type = self.heap.narrowed(&self.heap.listed(set), to);
        let found = of_type.into_iter().any(|object| self.may_be_followed(object));
        self.facts.function_arguments.borrow_mut().of_types.insert((set.key(), to), found);
        found
    }

    /// Whether what is in the contents of what a variable leads to may be followed, or anything.
    fn contents_followed(&mut self, at: SearchedStatement<'_>, variable: Variable) -> bool {
        let key = (self.heap.points.variable(at.method, variable).key(), at.is_foreign);
        if let Some(known) = self.facts.function_arguments.borrow().followed_contents.get(&key) {
            return *known;
        }
        let held = self.contents_through(at, variable);
        let found = held.iter().any(|object| self.heap.is_universal(*object)) || self.any_followed(at, held);
        self.facts.function_arguments.borrow_mut().followed_contents.insert(key, found);
        found
    }

    /// What is in the contents of what a variable leads to.
    fn contents_through(&self, at: SearchedStatement<'_>, variable: Variable) -> Vec<ObjectId> {
        let closure = self.heap.closure_of_variable(at.method, variable);
        self.heap.contents_of_all(closure.iter().copied().filter(|object| self.heap.is_of_library(*object)))
    }

    /// Whether a row calls methods of what is in a content, where a followed object may be, or searches contents and
    /// may read that of a followed object.
    pub(super) fn calls_of_content(&self, at: SearchedStatement<'_>) -> bool {
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

    /// The rows that a call may run: a method of all objects is named by their class, whatever the receiver is.
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

/// Which value of the call an action searches, content by content.
fn place_searched(action: &Action, kind: InvokeKind) -> Option<usize> {
    match action {
        Action::ReadsAll(subject) => argument_place(*subject, kind),
        Action::Runs(run) if run.thread == Thread::Caller => argument_place(run.whom, kind),
        _ => None,
    }
}

/// The method that an action calls of what is in a content: of which value of the call, and its name.
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
