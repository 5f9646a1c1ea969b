//! What a row of the library table does with objects.
//!
//! The *soup* of a call is all that the row may move: the arguments, their contents, the receiver's content, results of functions. Actions say more exactly where it goes.

use super::build::Builder;
use super::calls::CallSite;
use super::objects::{Field, Object, Site};
use super::solver::{Node, Watcher};
use crate::descriptor::Type;
use crate::instruction::InvokeKind;
use crate::library::{Action, Attribute, MadeClass, Outcome, Part, Row, Source, Subject, Target};
use crate::names::Name;

/// The nodes of a row while its constraints are made.
struct Mixing<'l> {
    number: u32,
    row: Row<'l>,
    soup: Node,
    /// What functions return.
    yielded: Node,
}

impl Builder<'_> {
    /// A call on an object of this class does what its row says.
    pub(super) fn row(&mut self, number: u32, class: Name) {
        let class = self.program.text(class).to_string();
        self.row_named(number, &class);
    }

    /// The class that the table says that an object has.
    pub(super) fn made_as(&self, object: super::objects::ObjectId) -> Option<String> {
        match self.objects.get(object) {
            Object::Site(Site { made_as: Some(class), .. }) => Some(self.objects.class_name(*class).to_string()),
            _ => None,
        }
    }

    /// The same, by the name of a class that need not stand in the program.
    pub(super) fn row_named(&mut self, number: u32, class: &str) {
        let CallSite { member, .. } = self.calls[number as usize];
        let [name, descriptor] = [member.name, member.descriptor].map(|name| self.program.text(name));
        let library = self.library;
        let found = library.find(class, name, descriptor);
        let found = found.or_else(|| library.find(self.program.text(member.class), name, descriptor));
        let Some(row) = found else {
            if self.rows.insert((number, usize::MAX)) {
                self.unknown(number);
            }
            return;
        };
        // One row of one call has the same constraints whatever the object is.
        if !self.rows.insert((number, row.actions.as_ptr() as usize)) {
            return;
        }
        let (soup, yielded) = (self.graph.node(), self.graph.node());
        let mixing = Mixing { number, row, soup, yielded };
        self.copy(yielded, soup);
        self.mix(&mixing);
        for action in row.actions {
            self.action(&mixing, action);
        }
        self.results(&mixing);
    }

    /// The soup: all arguments, and all contents.
    fn mix(&mut self, mixing: &Mixing<'_>) {
        if mixing.row.is_nothing() {
            return;
        }
        let CallSite { arguments, kind, .. } = self.calls[mixing.number as usize].clone();
        let is_constructor = self.is_constructor(mixing.number);
        for (place, argument) in arguments.iter().enumerate() {
            let Some(argument) = argument else { continue };
            let is_receiver = place == 0 && kind != InvokeKind::Static;
            if !is_receiver {
                self.copy(*argument, mixing.soup);
            }
            self.watch(*argument, Watcher::Load(Field::Content, mixing.soup));
            if !is_receiver && mixing.row.takes_all(is_constructor) && kind != InvokeKind::Static {
                self.store_in(mixing, Subject::This, *argument);
            }
        }
    }

    fn is_constructor(&self, number: u32) -> bool {
        self.program.is_constructor_name(self.calls[number as usize].member.name)
    }

    /// The node of a subject.
    fn subject(&self, mixing: &Mixing<'_>, subject: Subject) -> Option<Node> {
        let CallSite { arguments, kind, .. } = &self.calls[mixing.number as usize];
        let has_receiver = usize::from(*kind != InvokeKind::Static);
        match subject {
            Subject::This => (has_receiver == 1).then(|| arguments.first().copied().flatten()).flatten(),
            Subject::Argument(argument) => arguments.get(argument.index() + has_receiver).copied().flatten(),
        }
    }

    /// The content of a subject.
    fn content(&mut self, mixing: &Mixing<'_>, subject: Subject) -> Node {
        let content = self.graph.node();
        if let Some(of) = self.subject(mixing, subject) {
            self.watch(of, Watcher::Load(Field::Content, content));
        }
        content
    }

    fn source(&mut self, mixing: &Mixing<'_>, source: Source) -> Option<Node> {
        match source {
            Source::Itself(subject) => self.subject(mixing, subject),
            Source::Content(subject) => Some(self.content(mixing, subject)),
            Source::Any => Some(mixing.soup),
            Source::Yielded => Some(mixing.yielded),
            Source::Value => None,
        }
    }

    fn store_in(&mut self, mixing: &Mixing<'_>, target: Subject, what: Node) {
        if let Some(target) = self.subject(mixing, target) {
            self.watch(target, Watcher::Store(Field::Content, what));
        }
    }

    fn action(&mut self, mixing: &Mixing<'_>, action: &Action) {
        let caller = self.calls[mixing.number as usize].method;
        if mixing.row.attributes.has(Attribute::Handle) && self.by_handle(mixing, action) {
            return;
        }
        if let Some((what, target)) = action.flow()
            && let Some(what) = self.source(mixing, what)
        {
            match target {
                Target::Of(target) => self.store_in(mixing, target, what),
                Target::Yielded => self.watch(mixing.yielded, Watcher::Store(Field::Content, what)),
            }
        }
        match action {
            Action::Holds(class) => {
                if let Some(this) = self.subject(mixing, Subject::This) {
                    let views = self.graph.node();
                    let class = self.objects.library_class(class);
                    self.watch(this, Watcher::View(class, views));
                    self.store_in(mixing, Subject::This, views);
                }
            }
            Action::Enumerates(subject) => {
                if let Some(of) = self.program.name("java/lang/Enum") {
                    self.put_external(mixing.yielded, Type::Class(of));
                }
                let _ = subject;
            }
            Action::ComparesAndSets(pairs) => {
                for (_, new) in pairs {
                    if let Some(new) = self.subject(mixing, Subject::Argument(*new)) {
                        self.store_in(mixing, Subject::This, new);
                    }
                }
            }
            Action::Calls(call) => {
                if let Some(of) = self.source(mixing, call.whom) {
                    self.function_call(caller, of, call.method.clone(), Some(mixing.soup), mixing.yielded);
                }
            }
            Action::UpdatesBy(function) => {
                if let Some(of) = self.subject(mixing, Subject::Argument(*function)) {
                    self.function_call(caller, of, None, Some(mixing.soup), mixing.yielded);
                }
                self.store_in(mixing, Subject::This, mixing.yielded);
            }
            Action::Runs(run) => {
                let content = self.content(mixing, run.whom);
                self.watch(content, Watcher::Contents(content));
                self.copy(content, mixing.soup);
                self.function_call(caller, content, None, Some(mixing.soup), mixing.yielded);
                self.function_call(caller, content, Some("run".into()), Some(mixing.soup), mixing.yielded);
            }
            Action::Later { whom, .. } => {
                if let Some(whom) = self.source(mixing, *whom) {
                    // Who keeps it is the result, else the receiver.
                    self.copy(whom, mixing.soup);
                    self.store_in(mixing, Subject::This, whom);
                }
            }
            Action::Traverses { whom, method } => {
                if let Some(of) = self.subject(mixing, *whom) {
                    let shown = self.graph.node();
                    self.traversal(caller, of, shown);
                    self.traversal(caller, shown, shown);
                    self.copy(shown, mixing.soup);
                    if let Some(method) = method {
                        self.function_call(caller, of, Some(method.clone()), None, shown);
                    }
                }
            }
            _ => {}
        }
        for target in [Subject::This] {
            if mixing.row.takes_results(target) {
                self.store_in(mixing, target, mixing.yielded);
            }
        }
    }

    /// An action of a handle is one on the field that it names: of the objects among the arguments. What is not known gets to clients.
    fn by_handle(&mut self, mixing: &Mixing<'_>, action: &Action) -> bool {
        let is_access = action.read() == Some(Subject::This) || action.written() == Some(Subject::This);
        if !is_access {
            return false;
        }
        let CallSite { arguments, to, member, .. } = self.calls[mixing.number as usize].clone();
        let nodes: Vec<Node> = arguments.iter().skip(1).flatten().copied().collect();
        let fields = self.stores.handled.clone();
        for object in &nodes {
            for field in &fields {
                if let Some(to) = to {
                    self.watch(*object, Watcher::Load(Field::Real(*field), to));
                }
                for value in nodes.iter().filter(|value| *value != object) {
                    self.watch(*object, Watcher::Store(Field::Real(*field), *value));
                }
            }
            if let Some(to) = to {
                self.watch(*object, Watcher::Load(Field::Content, to));
            }
            for value in nodes.iter().filter(|value| *value != object) {
                self.watch(*object, Watcher::Store(Field::Content, *value));
            }
        }
        for field in &fields {
            if self.program.field(*field).flags.is_static() {
                let node = self.static_field(*field);
                nodes.iter().for_each(|value| self.copy(*value, node));
                if let Some(to) = to {
                    self.copy(node, to);
                }
            }
        }
        if let Action::UpdatesBy(_) = action {
            for of in &nodes {
                let caller = self.calls[mixing.number as usize].method;
                self.function_call(caller, *of, None, to, to.unwrap_or(mixing.yielded));
            }
        }
        let _ = member;
        true
    }

    /// What the result may be.
    fn results(&mut self, mixing: &Mixing<'_>) {
        let CallSite { to, member, method, statement, .. } = self.calls[mixing.number as usize].clone();
        let Some(to) = to else { return };
        let Some(of) = self.program.result_type(member.descriptor) else { return };
        let site = |class: Type| Site { method, statement, class, lambda: None, made_as: None };
        match mixing.row.outcome() {
            Outcome::Value => self.made(Some(to), site(of)),
            Outcome::Soup => {
                self.filter(mixing.soup, of, to);
                if self.is_of_library_type(of) {
                    self.makes(to, site(of), &[mixing.soup]);
                }
            }
            Outcome::OneOf(parts) => {
                for part in parts {
                    self.part(mixing, part, to, of, site(of));
                }
            }
        }
    }

    fn part(&mut self, mixing: &Mixing<'_>, part: Part<'_>, to: Node, of: Type, site: Site) {
        match part {
            Part::Is(subject) => {
                if let Some(from) = self.subject(mixing, subject) {
                    self.filter(from, of, to);
                }
            }
            Part::View(view) => {
                if let Some(from) = self.subject(mixing, view.of) {
                    let class = view.class.as_deref().and_then(|name| self.objects.library_class(name));
                    self.watch(from, Watcher::View(class, to));
                }
            }
            Part::From(subject) => {
                let content = self.content(mixing, subject);
                self.filter(content, of, to);
            }
            Part::Yielded => self.filter(mixing.yielded, of, to),
            Part::New(making) => {
                let (class, made_as) = match &making.class {
                    MadeClass::Exact(name) => {
                        let class = self.program.name(name).map_or(site.class, |name| self.class_type(name));
                        (class, self.objects.library_class(name))
                    }
                    MadeClass::Declared | MadeClass::Any => (site.class, None),
                };
                let mut held = vec![mixing.yielded];
                for source in &making.holds {
                    held.extend(self.source(mixing, *source));
                }
                if making.class == MadeClass::Any {
                    held.push(to);
                }
                self.makes(to, Site { class, made_as, ..site }, &held);
            }
            Part::OfLock | Part::Handle => self.made(Some(to), site),
            Part::Anything => self.put_external(to, of),
            Part::CloneOf(subject) => {
                // A copy is told from what it is a copy of by nothing but its identity.
                if let Some(from) = self.subject(mixing, subject) {
                    self.filter(from, of, to);
                }
            }
            Part::ClassOf(_) => {}
        }
    }

    /// A new object whose content holds what these nodes hold.
    fn makes(&mut self, to: Node, site: Site, held: &[Node]) {
        let object = self.objects.id(Object::Site(site));
        self.graph.put(to, object);
        if let Some(content) = self.field(object, Field::Content) {
            for from in held {
                self.copy(*from, content);
            }
        }
    }

    fn class_type(&self, name: Name) -> Type {
        if self.program.text(name).starts_with('[') { Type::Array(name) } else { Type::Class(name) }
    }

    fn is_of_library_type(&self, of: Type) -> bool {
        match of {
            Type::Class(name) => self.program.named(name).is_none() && self.program.text(name) != "java/lang/Object",
            Type::Array(_) => true,
            _ => false,
        }
    }
}
