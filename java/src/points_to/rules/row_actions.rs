//! The constraints of rows of the library table.
//!
//! A row is run in a [`Frame`]: once for each call, with all its receivers; and once for each call and each row that
//! the library runs within it, as `toString` of a list calls `toString` of its elements. In nested rows, the soup of
//! the call represents all arguments.
//!
//! Each action is translated as documented in [`library`](crate::library). Actions that only access, lock, wait or
//! start threads move no objects and have no constraints; the actions that call functions cover the code that they run.

use crate::class_file::Type;
use crate::library::{
    Action, Argument, Attribute, Call as FunctionCall, MadeClass, Making, Outcome, Part, Row, Run, Source, Subject,
    Target,
};
use crate::points_to::constraints::{CallId, Constraint, Field, HandleAccessId, NodeId};
use crate::points_to::library_calls::{Callback, CallbackMethod, HandleAccess, Operands};
use crate::points_to::objects::{Exactness, Object};
use crate::points_to::state::State;
use crate::points_to::types::{Relation, TypeId};
use rustc_hash::FxHashMap;

/// The arguments of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Arguments {
    /// The arguments of the call.
    Own,
    /// Any objects of this node: a nested row.
    Any(NodeId),
}

/// An activation of a row, for a call.
struct Frame<'p> {
    call: CallId,
    row: Row<'p>,
    this: Option<NodeId>,
    arguments: Arguments,
    result: Option<NodeId>,
    result_type: Option<Type>,
    /// The contents of the receiver and arguments, on demand.
    contents: FxHashMap<Subject, NodeId>,
    /// Any object that the row may have access to.
    soup: Option<NodeId>,
    /// The arguments of functions that the row calls.
    given: Option<NodeId>,
    /// The results of functions that the row calls.
    results: NodeId,
}

impl<'p> State<'p> {
    /// Lets a call return a new immutable value.
    pub(super) fn return_value(&mut self, id: CallId) {
        let call = self.calls.get(id);
        let (Some(to), Some(of)) = (call.result, call.result_type) else { return };
        let frame_site = call.site;
        let Some(of) = self.types.of(of) else { return };
        let object = match frame_site {
            Some(site) if self.types.is_array(of) => Object::Made { site, of, exactness: Exactness::Bound, depth: 0 },
            _ => Object::Value(of),
        };
        let object = self.object(object);
        if let Object::Made { .. } = self.objects.get(object) {
            let element = self.types.element(of).unwrap_or(TypeId::OBJECT);
            let (content, value) = (self.content(object), self.object(Object::Value(element)));
            if let Some(content) = content {
                self.add(value, content);
            }
        }
        self.add(object, to);
    }

    /// Runs a row for a call, on these receivers if it has some.
    pub(super) fn run_frame(&mut self, id: CallId, row: Row<'p>, this: Option<NodeId>) {
        let call = self.calls.get(id);
        let (result, result_type) = (call.result, call.result_type);
        let results = self.node();
        let frame = Frame {
            call: id,
            row,
            this,
            arguments: Arguments::Own,
            result,
            result_type,
            contents: FxHashMap::default(),
            soup: None,
            given: None,
            results,
        };
        self.run_actions(frame);
    }

    /// Runs a row within another one, with these receivers, arguments and results.
    pub(super) fn run_nested_frame(&mut self, id: CallId, row: Row<'p>, nodes: (NodeId, NodeId, NodeId)) {
        let object = self.program.name("java/lang/Object").map(Type::Class);
        let frame = Frame {
            call: id,
            row,
            this: Some(nodes.0),
            arguments: Arguments::Any(nodes.1),
            result: Some(nodes.2),
            result_type: object,
            contents: FxHashMap::default(),
            soup: None,
            given: None,
            results: self.node(),
        };
        self.run_actions(frame);
    }

    fn run_actions(&mut self, mut frame: Frame<'p>) {
        for action in frame.row.actions {
            self.run_action(&mut frame, action);
        }
        self.take_arguments(&mut frame);
        self.take_results(&mut frame);
        self.throw_later(&mut frame);
        self.give_result(&mut frame);
    }

    /// Lets exceptions that the library gets be thrown: by a future that fails with them, as the cause of another one,
    /// or by `orElseThrow`.
    fn throw_later(&mut self, frame: &mut Frame<'p>) {
        if self.program.text(self.calls.get(frame.call).member.name) == "orElseThrow" {
            self.edge(frame.results, self.thrown);
        }
        for argument in self.arguments(frame) {
            if self.is_exception(argument) {
                self.edge(argument, self.thrown);
            }
        }
    }

    /// Whether all objects of a node are exceptions, by its type.
    pub(super) fn is_exception(&mut self, node: NodeId) -> bool {
        let node = self.graph.find(node);
        let of = self.graph.type_of(node);
        let throwable = self.types.of_text("java/lang/Throwable");
        of != TypeId::OBJECT && self.types.relation(of, throwable) == Relation::Yes
    }

    fn run_action(&mut self, frame: &mut Frame<'p>, action: &'p Action) {
        match action {
            Action::ReadsAll(whom) => {
                let found = self.all_content(frame, *whom);
                let soup = self.soup(frame);
                self.edge(found, soup);
            }
            Action::Traverses { whom, method, .. } => self.traverse(frame, *whom, method.as_deref()),
            Action::Keeps { what, target } => self.keep(frame, *what, *target),
            Action::Holds(class) => {
                let of = self.types.of_text(class);
                if let Some(this) = frame.this {
                    self.constrain(this, Constraint::HoldsView(of));
                }
            }
            Action::Enumerates(subject) => self.enumerate(frame, *subject),
            Action::Calls(call) => self.call_function(frame, call),
            Action::Later { whom, method: _ } => self.keep_function(frame, *whom),
            Action::Runs(run) => self.run_functions(frame, run),
            Action::Sets(_)
            | Action::GetsAndSets(_)
            | Action::ComparesAndSets(_)
            | Action::UpdatesBy(_)
            | Action::Gets => {
                self.access_value(frame, action);
            }
            // These move no objects themselves; `give_result` handles results.
            Action::Reads(_)
            | Action::Writes(_)
            | Action::Replaces(_)
            | Action::ReadsPosition(_)
            | Action::WritesPosition(_)
            | Action::Returns(_)
            | Action::Views(_)
            | Action::Gives(_)
            | Action::Yields
            | Action::Clones(_)
            | Action::ClassOf(_)
            | Action::Finds
            | Action::Makes(_)
            | Action::KeepsNothing
            | Action::Names { .. }
            | Action::ReadLock
            | Action::WriteLock
            | Action::Condition => {}
            // The rows of the other class are run for all objects of this one.
            Action::Becomes(_) => {}
            // Locks and waiting.
            Action::Joins { .. }
            | Action::JoinsStarted
            | Action::Blocks
            | Action::Acquires(_)
            | Action::Tries { .. }
            | Action::Releases(_)
            | Action::Converts(_)
            | Action::Awaits
            | Action::Waits { .. }
            | Action::Optimistic
            | Action::Validates
            | Action::Permit(_)
            | Action::CountsDown
            | Action::AwaitsLatch { .. }
            | Action::AwaitsBarrier { .. } => {}
        }
    }

    /// Returns the node of a receiver or argument; none for numbers.
    fn subject(&self, frame: &Frame<'p>, subject: Subject) -> Option<NodeId> {
        match (subject, frame.arguments) {
            (Subject::This, _) => frame.this,
            (Subject::Argument(_), Arguments::Any(node)) => Some(node),
            (Subject::Argument(argument), Arguments::Own) => self.calls.get(frame.call).argument(argument.index()),
        }
    }

    /// Returns the nodes of all arguments that are objects.
    fn arguments(&self, frame: &Frame<'p>) -> Vec<NodeId> {
        match frame.arguments {
            Arguments::Any(node) => vec![node],
            Arguments::Own => {
                let call = self.calls.get(frame.call);
                call.arguments.iter().skip(usize::from(call.has_receiver)).copied().flatten().collect()
            }
        }
    }

    /// Returns the node of the content of a receiver or argument.
    fn content_of(&mut self, frame: &mut Frame<'p>, subject: Subject) -> Option<NodeId> {
        let base = self.subject(frame, subject)?;
        if let Some(known) = frame.contents.get(&subject) {
            return Some(*known);
        }
        let content = self.node();
        self.load(base, Field::Content, content);
        frame.contents.insert(subject, content);
        Some(content)
    }

    fn source(&mut self, frame: &mut Frame<'p>, source: Source) -> Option<NodeId> {
        match source {
            Source::Itself(subject) => self.subject(frame, subject),
            Source::Content(subject) => self.content_of(frame, subject),
            Source::Any => Some(self.soup(frame)),
            Source::Yielded => Some(frame.results),
            Source::Value => {
                let value = self.object(Object::Value(TypeId::OBJECT));
                let node = self.node();
                self.add(value, node);
                Some(node)
            }
        }
    }

    /// Returns the soup: arguments, results of functions, and the contents of arguments and receiver.
    fn soup(&mut self, frame: &mut Frame<'p>) -> NodeId {
        if let Some(known) = frame.soup {
            return known;
        }
        let soup = self.node();
        frame.soup = Some(soup);
        self.edge(frame.results, soup);
        for argument in self.arguments(frame) {
            self.edge(argument, soup);
            self.load(argument, Field::Content, soup);
        }
        if let Some(this) = frame.this {
            self.load(this, Field::Content, soup);
        }
        soup
    }

    /// Returns the node of the objects that are reached from a receiver or argument through contents alone.
    fn all_content(&mut self, frame: &mut Frame<'p>, whom: Subject) -> NodeId {
        let found = self.node();
        if let Some(base) = self.subject(frame, whom) {
            self.constrain(base, Constraint::LoadAll(found));
        }
        found
    }

    /// Lets the elements that a program object shows by its methods flow into its content, and to functions. It may
    /// show them in a container, such as the entries of a map.
    fn traverse(&mut self, frame: &mut Frame<'p>, whom: Subject, method: Option<&'p str>) {
        let (Some(base), Some(content)) = (self.subject(frame, whom), self.content_of(frame, whom)) else { return };
        let traversed = self.node();
        self.edge(base, traversed);
        let results = self.traverse_all(frame.call, traversed);
        self.edge(results, content);
        self.constrain(results, Constraint::LoadAll(content));
        let soup = self.soup(frame);
        self.edge(content, soup);
        if let Some(method) = method {
            let soup = self.given(frame);
            let name = CallbackMethod::Named(method.into());
            self.add_callback(traversed, Callback { call: frame.call, method: name, soup, results: frame.results });
        }
    }

    /// Adds to a node the elements that its program objects show by their methods, transitively.
    pub(super) fn traverse_all(&mut self, call: CallId, traversed: NodeId) -> NodeId {
        let results = self.node();
        let soup = self.consumer(call, results);
        self.edge(results, traversed);
        self.add_callback(traversed, Callback { call, method: CallbackMethod::Traversal, soup, results });
        results
    }

    /// Returns a consumer of the library, which a method that it calls gets as an argument. What the method passes to
    /// the consumer counts as its result.
    fn consumer(&mut self, call: CallId, results: NodeId) -> NodeId {
        let consumer = self.node();
        let of = self.types.of_text("java/util/stream/Collectors$Pushed");
        if let (Some(site), None) = (self.calls.get(call).site, self.types.class(of)) {
            let object = self.object(Object::Made { site, of, exactness: Exactness::Exact, depth: 0 });
            self.add(object, consumer);
            if let Some(content) = self.content(object) {
                self.edge(content, results);
            }
        }
        consumer
    }

    fn keep(&mut self, frame: &mut Frame<'p>, what: Source, target: Target) {
        let what = self.source(frame, what);
        let base = match target {
            Target::Of(subject) => self.subject(frame, subject),
            Target::Yielded => Some(frame.results),
        };
        if let (Some(base), Some(from)) = (base, what) {
            self.store(base, Field::Content, from);
        }
    }

    fn enumerate(&mut self, frame: &mut Frame<'p>, subject: Subject) {
        let [itself, content] = [Source::Itself(subject), Source::Content(subject)].map(|it| self.source(frame, it));
        for node in [itself, content].into_iter().flatten() {
            self.constrain(node, Constraint::Enumerates(frame.results));
        }
    }

    fn call_function(&mut self, frame: &mut Frame<'p>, call: &FunctionCall) {
        let soup = match frame.row.traits.values_of_key {
            Some(_) => self.given_for_key(frame, call.whom),
            None => self.given(frame),
        };
        let Some(whom) = self.source(frame, call.whom) else { return };
        let name = match &call.method {
            Some(name) => CallbackMethod::Named(name.clone()),
            None => CallbackMethod::Any,
        };
        self.add_callback(whom, Callback { call: frame.call, method: name, soup, results: frame.results });
    }

    /// Returns the arguments of functions: the soup, and a library object whose content is the soup.
    fn given(&mut self, frame: &mut Frame<'p>) -> NodeId {
        if let Some(known) = frame.given {
            return known;
        }
        let (soup, given) = (self.soup(frame), self.node());
        frame.given = Some(given);
        self.edge(soup, given);
        let making = Making { class: MadeClass::Any, holds: [Source::Any].into() };
        self.make(frame, &making, TypeId::OBJECT, given);
        given
    }

    /// Returns the arguments of a function that runs for a key: the content of the map, and the other arguments.
    fn given_for_key(&mut self, frame: &Frame<'p>, function: Source) -> NodeId {
        let given = self.node();
        let itself = function.subject().and_then(|subject| self.subject(frame, subject));
        for argument in self.arguments(frame).into_iter().filter(|argument| Some(*argument) != itself) {
            self.edge(argument, given);
        }
        if let Some(this) = frame.this {
            self.load(this, Field::Content, given);
        }
        given
    }

    /// Calls all functions that are reached through contents, and those that are reached from their results, and so on.
    fn run_functions(&mut self, frame: &mut Frame<'p>, run: &Run) {
        let (given, soup) = (self.given(frame), self.consumer(frame.call, frame.results));
        self.edge(given, soup);
        let found = self.all_content(frame, run.whom);
        self.edge(found, frame.results);
        self.edge(frame.results, found);
        self.constrain(frame.results, Constraint::LoadAll(found));
        self.traverse_all(frame.call, found);
        let name = CallbackMethod::Any;
        self.add_callback(found, Callback { call: frame.call, method: name, soup, results: frame.results });
    }

    /// Stores a function in the result, and in the receiver if there is no result or the result may be the receiver.
    fn keep_function(&mut self, frame: &mut Frame<'p>, whom: Source) {
        let Some(function) = self.source(frame, whom) else { return };
        let parts = frame.row.actions.iter().filter_map(Action::part).collect::<Vec<_>>();
        let has_result = frame.result_type.is_some_and(Type::is_reference);
        if (!has_result || parts.contains(&Part::Is(Subject::This)))
            && let Some(this) = frame.this
        {
            self.store(this, Field::Content, function);
        }
        if has_result && (parts.is_empty() || parts.iter().any(|part| *part != Part::Is(Subject::This))) {
            let made = self.own_result(frame);
            self.store(made, Field::Content, function);
        }
    }

    /// Returns a node for the result of this call alone.
    fn own_result(&mut self, frame: &mut Frame<'p>) -> NodeId {
        let own = match frame.result_type.and_then(|of| self.node_of(of)) {
            Some(node) => node,
            None => self.node(),
        };
        if let Some(result) = frame.result.replace(own) {
            self.edge(own, result);
        }
        own
    }

    /// Accesses the value of the receiver, or the field that a handle names.
    fn access_value(&mut self, frame: &mut Frame<'p>, action: &Action) {
        let Some(this) = frame.this else { return };
        if frame.row.attributes.has(Attribute::Handle) {
            return self.access_by_row(frame, action, this);
        }
        match action {
            Action::Sets(argument) | Action::GetsAndSets(argument) => self.set_value(frame, *argument, this),
            Action::ComparesAndSets(pairs) => {
                pairs.iter().for_each(|(_, new)| self.set_value(frame, *new, this));
            }
            Action::UpdatesBy(function) => {
                let soup = self.given(frame);
                if let Some(whom) = self.subject(frame, Subject::Argument(*function)) {
                    let name = CallbackMethod::Any;
                    self.add_callback(whom, Callback { call: frame.call, method: name, soup, results: frame.results });
                }
                self.store(this, Field::Content, frame.results);
            }
            _ => {}
        }
    }

    fn set_value(&mut self, frame: &Frame<'p>, argument: Argument, this: NodeId) {
        if let Some(value) = self.subject(frame, Subject::Argument(argument)) {
            self.store(this, Field::Content, value);
        }
    }

    fn access_by_row(&mut self, frame: &mut Frame<'p>, action: &Action, this: NodeId) {
        let operands = match action {
            Action::Sets(value) | Action::GetsAndSets(value) => Operands::Values(vec![value.index()]),
            Action::ComparesAndSets(pairs) => Operands::Values(pairs.iter().map(|(_, new)| new.index()).collect()),
            Action::UpdatesBy(function) => Operands::Function(function.index()),
            _ => Operands::Values(Vec::new()),
        };
        let arguments = match frame.arguments {
            Arguments::Any(node) => vec![Some(node); 8],
            Arguments::Own => {
                let call = self.calls.get(frame.call);
                call.arguments.iter().skip(usize::from(call.has_receiver)).copied().collect()
            }
        };
        let result = frame.result;
        let id = HandleAccessId(
            u32::try_from(self.library_calls.handle_accesses.len()).expect("there are fewer calls than instructions"),
        );
        self.library_calls.handle_accesses.push(HandleAccess {
            call: frame.call,
            arguments: arguments.into(),
            operands,
            result,
        });
        self.constrain(this, Constraint::HandleAccess(id));
    }

    /// Lets all arguments flow into the receiver's content, unless the row says which ones do.
    fn take_arguments(&mut self, frame: &mut Frame<'p>) {
        let is_constructor = self.program.is_constructor_name(self.calls.get(frame.call).member.name);
        let is_nested = frame.arguments != Arguments::Own;
        if let Some(this) = frame.this
            && frame.row.takes_all(is_constructor && !is_nested)
        {
            for argument in self.arguments(frame) {
                self.store(this, Field::Content, argument);
            }
        }
    }

    /// Lets the results of functions flow into each content that the row writes.
    fn take_results(&mut self, frame: &mut Frame<'p>) {
        let mut written: Vec<Subject> = frame.row.actions.iter().filter_map(Action::written).collect();
        written.dedup();
        for subject in written {
            if let Some(base) = self.subject(frame, subject) {
                self.store(base, Field::Content, frame.results);
            }
        }
    }

    fn give_result(&mut self, frame: &mut Frame<'p>) {
        let (Some(to), Some(of)) = (frame.result, frame.result_type) else { return };
        let Some(of) = self.types.of(of) else { return };
        match frame.row.outcome() {
            Outcome::Value => self.return_value(frame.call),
            Outcome::Soup => {
                let soup = self.soup(frame);
                self.edge(soup, to);
                if self.types.is_library(of) {
                    let making = Making { class: MadeClass::Declared, holds: [Source::Any].into() };
                    self.make(frame, &making, of, to);
                }
            }
            Outcome::OneOf(parts) => {
                for part in parts {
                    self.give_part(frame, part, of, to);
                }
            }
        }
    }

    fn give_part(&mut self, frame: &mut Frame<'p>, part: Part<'p>, of: TypeId, to: NodeId) {
        let from = match part {
            Part::Is(subject) => self.subject(frame, subject),
            Part::From(subject) => self.content_of(frame, subject),
            Part::Yielded => Some(frame.results),
            Part::View(view) => {
                let of = view.class.as_ref().map_or(of, |class| self.types.of_text(class));
                if let Some(base) = self.subject(frame, view.of) {
                    self.constrain(base, Constraint::View { of, to });
                }
                None
            }
            Part::New(making) => {
                self.make(frame, making, of, to);
                None
            }
            Part::OfLock => {
                if let Some(this) = frame.this {
                    self.constrain(this, Constraint::View { of, to });
                }
                None
            }
            Part::Anything => {
                self.flow_instances(of, to);
                None
            }
            Part::CloneOf(subject) => {
                if let (Some(base), Some(site)) = (self.subject(frame, subject), self.calls.get(frame.call).site) {
                    let site = self.copy_sites.add(site);
                    self.constrain(base, Constraint::Clone { site, to });
                }
                None
            }
            Part::ClassOf(subject) => {
                if let Some(base) = self.subject(frame, subject) {
                    self.constrain(base, Constraint::ClassOf(to));
                }
                None
            }
            Part::Handle => {
                self.name_handle(frame.call, frame.row.actions, of, to);
                None
            }
        };
        if let Some(from) = from {
            self.edge(from, to);
        }
    }

    /// Allocates an object whose content has the sources that the row names, and the results of functions.
    fn make(&mut self, frame: &mut Frame<'p>, making: &Making, declared: TypeId, to: NodeId) {
        let (of, exactness) = match &making.class {
            MadeClass::Exact(class) => (self.types.of_text(class), Exactness::Exact),
            MadeClass::Declared => (declared, Exactness::Bound),
            MadeClass::Any => (TypeId::OBJECT, Exactness::Bound),
        };
        let site = self.calls.get(frame.call).site;
        let Some(site) = site.filter(|_| !self.is_value_class(of)) else {
            let external = self.external(of);
            return self.add(external, to);
        };
        let object = self.object(Object::Made { site, of, exactness, depth: 0 });
        self.add(object, to);
        let Some(content) = self.content(object) else { return };
        if making.class == MadeClass::Any {
            self.add(object, content);
        }
        self.edge(frame.results, content);
        for source in &making.holds {
            if let Some(from) = self.source(frame, *source) {
                self.edge(from, content);
            }
        }
    }
}
