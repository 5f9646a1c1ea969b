//! Clients: any thread calls any method that the language lets it call, any number of times.
//!
//! The *entries* of a subject are the methods that clients can run with its object:
//!
//! - the public and protected methods of its class, inherited and default ones included: on the object, and on another
//!   receiver with the object as an argument; and constructors with the object as an argument. An argument is resolved
//!   at its use, by a case split, so one entry stands for all combinations;
//! - methods of classes of the same nest that receive such an object;
//! - methods of objects that escape from it to clients: inner objects and function objects;
//! - tasks that other threads run for it;
//! - constructors that publish the object before they end, from that point on;
//! - methods of the other followed objects that clients have, and methods of other classes that access a followed field
//!   directly, if clients can reach them. These only interfere; they are not queried themselves, since their own class
//!   is a subject, too.

use super::nest_methods::knowing_methods;
use crate::exec::interpreter::Interpreter;
use crate::facts::objects::is_visible;
use crate::facts::scala::is_private_method;
use crate::graph::ContextId;
use crate::value::{RegionId, Value};
use crate::{Assumption, Rule, Stuck};
use java::{ClassId, Lookup, MethodId, Program, Type};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// A context that a client or another thread can run.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The name for reports.
    pub(crate) name: String,
    /// Whether it is a unit of work as a whole.
    pub(crate) is_unit: bool,
    /// Whether it is queried as the violated unit; otherwise it only interferes.
    pub(crate) is_queried: bool,
    /// Whether only other threads run it, as a task.
    pub(crate) is_task: bool,
}

/// Interprets all entries, including those found on the way.
///
/// # Errors
/// If the subject cannot be analysed.
pub(crate) fn interpret(interpreter: &mut Interpreter<'_>) -> Result<BTreeMap<ContextId, Entry>, Stuck> {
    let mut entries = Entries { knowing: None, interpreter, found: BTreeMap::new() };
    entries.find_knowing_methods();
    match entries.interpreter.mode.is_static {
        true => entries.add_static_methods()?,
        false => entries.add_object_methods()?,
    }
    entries.add_nest_methods()?;
    entries.add_escaped_methods()?;
    entries.add_region_methods()?;
    entries.add_direct_accessors()?;
    loop {
        entries.interpreter.run()?;
        let is_new = entries.add_tasks();
        if !is_new && entries.interpreter.is_done() {
            return Ok(entries.found);
        }
    }
}

/// The entries found so far.
struct Entries<'i, 'p> {
    interpreter: &'i mut Interpreter<'p>,
    found: BTreeMap<ContextId, Entry>,
    /// The methods of the nest that know the subject, if others are no entries.
    knowing: Option<FxHashSet<MethodId>>,
}

impl Entries<'_, '_> {
    fn program(&self) -> &Program {
        self.interpreter.heap.program
    }

    /// Finds the methods of the nest that know the subject, for [`UnrelatedMethods`](Rule::UnrelatedMethods).
    fn find_knowing_methods(&mut self) {
        let mode = &self.interpreter.mode;
        if self.interpreter.heap.modality.omits(Rule::UnrelatedMethods) {
            self.knowing = Some(knowing_methods(self.program(), &mode.classes, &mode.nest));
        }
    }

    /// Whether a method of the nest does not know the subject, so that it is no entry.
    fn is_unrelated(&self, method: MethodId) -> bool {
        let is_of_nest = self.interpreter.mode.nest.contains(&self.program().method(method).class);
        is_of_nest && self.knowing.as_ref().is_some_and(|knowing| !knowing.contains(&method))
    }

    /// Whether no method that a class declares knows the subject.
    fn is_unrelated_class(&self, class: ClassId) -> bool {
        self.program().class(class).methods().all(|method| self.is_unrelated(method))
    }

    /// Adds an entry. In a partial analysis, interfering entries are omitted like calls, since no proof depends on such
    /// a model.
    fn add(&mut self, method: MethodId, values: Vec<Value>, is_queried: bool) -> Result<(), Stuck> {
        if !is_queried && self.interpreter.is_left_out(method) {
            return Ok(());
        }
        if (self.interpreter.is_cancelled)() {
            return Err(Stuck::Cancelled);
        }
        let mut arguments = self.interpreter.with_unknown(method, values)?;
        self.pass_others(method, &mut arguments);
        for arguments in self.interpreter.receiver_cases(method, arguments) {
            if !self.interpreter.must_enter(method, &arguments) || self.is_on_another_object(method, &arguments) {
                continue;
            }
            let name = self.name(method, &arguments);
            let context = self.interpreter.context_of(method, arguments)?;
            let entry = self.found.entry(context).or_insert(Entry { name, is_unit: true, is_queried, is_task: false });
            entry.is_queried |= is_queried;
            entry.is_task = false;
        }
        Ok(())
    }

    /// The arguments of a call on the object, by [`OtherObjects`](Rule::OtherObjects): clients do not pass the object
    /// to itself.
    fn pass_others(&mut self, method: MethodId, arguments: &mut [Value]) {
        let subject = Value::Region(RegionId::SUBJECT);
        let is_static = self.program().method(method).flags.is_static();
        if !self.interpreter.heap.modality.omits(Rule::OtherObjects)
            || is_static
            || self.interpreter.mode.is_static
            || arguments.first() != Some(&subject)
        {
            return;
        }
        for argument in &mut arguments[1..] {
            if let Value::Open(of, _) = *argument
                && self.interpreter.options(of).iter().all(|option| [Value::Other, subject].contains(option))
            {
                *argument = Value::Other;
            }
        }
    }

    /// Adds the methods of the subject's class that clients can call.
    fn add_object_methods(&mut self) -> Result<(), Stuck> {
        let class = self.interpreter.mode.class;
        for method in callable(self.program(), class) {
            if self.is_called_by_class_only(method) || self.interpreter.is_run_by_program_only(method) {
                continue;
            }
            let declared = self.program().method(method);
            let (is_static, is_constructor) = (declared.flags.is_static(), self.program().is_constructor(method));
            match (is_static, is_constructor) {
                // A static method may find the object itself.
                (true, _) => self.add(method, Vec::new(), true)?,
                // The construction of another object may change objects that both reach by static fields.
                (false, true) => self.add_on_another_object(method)?,
                (false, false) => {
                    self.add(method, vec![Value::Region(RegionId::SUBJECT)], true)?;
                    self.add_on_another_object(method)?;
                }
            }
            self.add_with_object_as_argument(method, is_static, is_constructor)?;
        }
        self.add_superclass_methods()?;
        self.add_constructors()
    }

    /// Whether a call on another object of the class cannot reach the subject, by
    /// [`OtherObjects`](Rule::OtherObjects).
    fn is_on_another_object(&self, method: MethodId, values: &[Value]) -> bool {
        let declared = self.program().method(method);
        self.interpreter.heap.modality.omits(Rule::OtherObjects)
            && !self.interpreter.mode.is_static
            && !declared.flags.is_static()
            && !self.program().is_constructor(method)
            && self.interpreter.mode.classes.contains(&declared.class)
            && matches!(values.first(), Some(Value::Other | Value::Any))
            && !values.contains(&Value::Region(RegionId::SUBJECT))
    }

    /// Whether only the class itself calls a method, by [`ProtectedMethods`](Rule::ProtectedMethods).
    fn is_called_by_class_only(&self, method: MethodId) -> bool {
        let program = self.program();
        let class = self.interpreter.mode.class;
        let flags = program.class(class).flags;
        self.interpreter.heap.modality.omits(Rule::ProtectedMethods)
            && program.method(method).flags.is_protected()
            && !self.interpreter.heap.is_made_to_be_extended(class)
            && (flags.is_final() || !self.interpreter.heap.points.callers(method).is_empty())
    }

    /// Adds the constructors that publish their object before they end.
    fn add_constructors(&mut self) -> Result<(), Stuck> {
        if self.interpreter.heap.modality.omits(Rule::Constructors) {
            return Ok(());
        }
        let class = self.interpreter.mode.class;
        let methods: Vec<MethodId> = self.program().class(class).methods().collect();
        for method in methods {
            let is_one = self.program().is_constructor(method) && self.program().method(method).has_code();
            if !is_one || !self.interpreter.may_publish(method) {
                continue;
            }
            match self.is_initializers_own(method) {
                true => self.interpreter.assume(Assumption::Initialized),
                false => self.add(method, vec![Value::Region(RegionId::SUBJECT)], true)?,
            }
        }
        Ok(())
    }

    /// Whether only static initializers run a constructor, such as the private one of a singleton.
    fn is_initializers_own(&self, constructor: MethodId) -> bool {
        let program = self.program();
        let mut callers = self.interpreter.heap.points.callers(constructor).iter();
        program.method(constructor).flags.is_private()
            && callers.all(|site| program.text(program.method(site.method).name) == "<clinit>")
    }

    /// Adds the methods of superclasses that the class does not inherit: constructors, static methods, and overridden
    /// methods. They receive the object as an argument, or find it; clients call them on objects of the superclasses.
    fn add_superclass_methods(&mut self) -> Result<(), Stuck> {
        let class = self.interpreter.mode.class;
        let own: BTreeSet<MethodId> = callable(self.program(), class).into_iter().collect();
        let is_above = |above: &ClassId| *above != class && self.interpreter.mode.classes.contains(above);
        let above: Vec<ClassId> = self.program().superclasses(class).filter(is_above).collect();
        for above in above {
            for method in callable(self.program(), above) {
                let declared = self.program().method(method);
                if declared.class != above || own.contains(&method) {
                    continue;
                }
                let (is_static, is_constructor) = (declared.flags.is_static(), self.program().is_constructor(method));
                match (is_static, is_constructor) {
                    (true, _) => self.add(method, Vec::new(), false)?,
                    (false, true) => {}
                    (false, false) => self.add_on_another_object(method)?,
                }
                self.add_with_object_as_argument(method, is_static, is_constructor)?;
            }
        }
        Ok(())
    }

    /// Adds a method on another object of the class: it may reach objects that the subject's object reaches. It only
    /// interferes; its own violations are found with that object as the subject.
    fn add_on_another_object(&mut self, method: MethodId) -> Result<(), Stuck> {
        if self.interpreter.heap.modality.omits(Rule::OtherObjects) {
            return Ok(());
        }
        let Some(types) = self.program().method_type(self.program().method(method).descriptor) else { return Ok(()) };
        let mut values = vec![Value::Other];
        let parameters = types.parameters.to_vec();
        for (number, of) in (3000..).zip(parameters) {
            values.push(self.interpreter.client_argument_of_another(of, number));
        }
        self.add(method, values, false)
    }

    /// Adds a method with the object as an argument and another object as the receiver.
    fn add_with_object_as_argument(
        &mut self,
        method: MethodId,
        is_static: bool,
        is_constructor: bool,
    ) -> Result<(), Stuck> {
        let program = self.program();
        let class = self.interpreter.mode.class;
        // Clients do not pass an object that they do not get.
        if self.interpreter.roots_of_callers().is_some() && !self.interpreter.heap.gives_to_clients(class) {
            return Ok(());
        }
        let descriptor = program.method(method).descriptor;
        let Some(types) = program.method_type(descriptor) else { return Ok(()) };
        let parameters = types.parameters.clone();
        let receiver = match (is_static, is_constructor) {
            (true, _) => Vec::new(),
            (false, true) => vec![Value::This(program.method(method).class)],
            (false, false) => vec![Value::Other],
        };
        let mut is_any = false;
        for (place, of) in parameters.iter().enumerate() {
            if !self.interpreter.heap.is_argument_type(class, *of) {
                continue;
            }
            let mut values = receiver.clone();
            for before in &parameters[..place] {
                values.push(self.interpreter.unknown_of(*before));
            }
            values.push(Value::Region(RegionId::SUBJECT));
            is_any = true;
            self.add(method, values, true)?;
        }
        let holds_some = |of: &Type| self.interpreter.heap.may_hold_arguments(*of);
        if !is_any && parameters.iter().any(holds_some) {
            self.add(method, receiver, true)?;
        }
        Ok(())
    }

    /// Adds the methods that reach the static fields.
    fn add_static_methods(&mut self) -> Result<(), Stuck> {
        let class = self.interpreter.mode.class;
        let methods: Vec<MethodId> = self.program().class(class).methods().collect();
        for method in methods {
            let is_hidden = self.program().method(method).flags.is_private() || self.is_called_by_class_only(method);
            if is_entry(self.program(), method) && !is_hidden {
                let receiver = self.any_receiver(method, class);
                self.add(method, receiver, true)?;
            }
        }
        self.add_inherited_methods(class)
    }

    /// Adds the inherited methods that clients call on objects of a class, or by its name: a default method may call
    /// the static ones.
    fn add_inherited_methods(&mut self, class: ClassId) -> Result<(), Stuck> {
        for method in inherited_static_methods(self.program(), class) {
            self.add(method, Vec::new(), true)?;
        }
        let callable = callable(self.program(), class);
        for method in
            callable.into_iter().filter(|method| self.program().method(*method).class != class).collect::<Vec<_>>()
        {
            if self.is_called_by_class_only(method) {
                continue;
            }
            let receiver = self.any_receiver(method, class);
            self.add(method, receiver, true)?;
        }
        Ok(())
    }

    /// Returns the receiver of a call on any object, perhaps on a followed one.
    fn any_receiver(&mut self, method: MethodId, class: ClassId) -> Vec<Value> {
        let receiver = self.other_receiver(method);
        match receiver[..] {
            [Value::Other] => match self.interpreter.receiver_of(class) {
                Value::Any => receiver,
                any => vec![any],
            },
            _ => receiver,
        }
    }

    /// Returns the receiver of a call on an object that is not followed.
    fn other_receiver(&self, method: MethodId) -> Vec<Value> {
        let program = self.program();
        match (program.method(method).flags.is_static(), program.is_constructor(method)) {
            (true, _) => Vec::new(),
            (false, true) => vec![Value::This(program.method(method).class)],
            (false, false) => vec![Value::Other],
        }
    }

    /// Adds the methods of the other classes of the nest that clients can call.
    fn add_nest_methods(&mut self) -> Result<(), Stuck> {
        let mut classes: Vec<ClassId> = self.interpreter.mode.nest.iter().copied().collect();
        classes.retain(|class| !self.interpreter.mode.classes.contains(class));
        classes.sort_unstable();
        for class in classes {
            let is_visible = is_visible(self.program(), class);
            for method in callable(self.program(), class) {
                let flags = self.program().method(method).flags;
                let is_constructor = self.program().is_constructor(method);
                let is_declared = self.program().method(method).class == class;
                if !is_visible || !is_declared || self.is_unrelated(method) {
                    continue;
                }
                if flags.is_static() || is_constructor {
                    let receiver = self.other_receiver(method);
                    self.add(method, receiver, true)?;
                } else {
                    let receiver = self.interpreter.receiver_of(class);
                    self.add(method, vec![receiver], true)?;
                }
            }
        }
        Ok(())
    }

    /// Adds the methods of inner objects of the nest, and the functions, that escape from the subject to clients.
    fn add_escaped_methods(&mut self) -> Result<(), Stuck> {
        for (object, class) in self.interpreter.escaping_objects() {
            for method in self.interpreter.heap.callable_on(class) {
                if self.is_unrelated(method) || self.is_unrelated_class(class) {
                    continue;
                }
                let receiver = self.interpreter.unknown_of_object(object);
                self.add(method, vec![receiver], true)?;
            }
        }
        for (method, captured) in self.interpreter.escaping_lambdas() {
            if self.is_unrelated(method) {
                continue;
            }
            let mut values = captured;
            let declared = self.program().method(method);
            if self.program().is_constructor(method) {
                values.insert(0, Value::This(declared.class));
            }
            self.add(method, values, true)?;
        }
        Ok(())
    }

    /// Adds the methods of the other followed objects that clients have.
    fn add_region_methods(&mut self) -> Result<(), Stuck> {
        for (region, class) in self.interpreter.regions_of_clients() {
            if self.interpreter.mode.nest.contains(&class) {
                continue;
            }
            for method in callable(self.program(), class) {
                let declared = self.program().method(method);
                // A subclass of clients calls protected methods on its own objects.
                let is_protected =
                    self.interpreter.heap.modality.omits(Rule::ProtectedMethods) && declared.flags.is_protected();
                if !declared.flags.is_static() && !is_protected && !self.program().is_constructor(method) {
                    self.add(method, vec![Value::Region(region)], false)?;
                }
            }
        }
        Ok(())
    }

    /// Adds the methods of other classes that access followed fields directly, or the methods that clients can call to
    /// reach them.
    fn add_direct_accessors(&mut self) -> Result<(), Stuck> {
        let roots = self.interpreter.roots_of_callers().cloned().unwrap_or_default();
        let accessors: BTreeSet<MethodId> =
            self.interpreter.direct_accessors().iter().copied().chain(roots.clone()).collect();
        for method in accessors {
            let receiver = match self.program().method(method).flags.is_static() {
                true => Vec::new(),
                false if self.program().is_constructor(method) => {
                    vec![Value::This(self.program().method(method).class)]
                }
                false => {
                    let class = self.program().method(method).class;
                    vec![self.interpreter.receiver_of(class)]
                }
            };
            self.add(method, receiver, roots.contains(&method))?;
            if !self.interpreter.mode.is_static {
                let (is_static, is_constructor) =
                    (self.program().method(method).flags.is_static(), self.program().is_constructor(method));
                self.add_with_object_as_argument(method, is_static, is_constructor)?;
            }
        }
        Ok(())
    }

    /// Adds the tasks of other threads; returns whether there are new ones.
    fn add_tasks(&mut self) -> bool {
        let started: BTreeSet<ContextId> = self.interpreter.threads.started.clone();
        let mut is_new = false;
        for context in started {
            if !self.found.contains_key(&context) {
                let (method, values) = self.interpreter.method_of(context);
                let name = format!("{} on another thread", self.name(method, &values));
                self.found.insert(context, Entry { name, is_unit: true, is_queried: true, is_task: true });
                is_new = true;
            }
        }
        is_new
    }

    /// Returns the name of an entry for reports: `this.append(CharSequence)`, `other.append(this)`.
    fn name(&self, method: MethodId, values: &[Value]) -> String {
        entry_name(self.program(), method, values)
    }
}

/// Returns the methods with code that clients can call on objects of a class, inherited ones included, and its
/// constructors.
pub(crate) fn callable(program: &Program, class: ClassId) -> Vec<MethodId> {
    let mut found = Vec::new();
    let mut known = BTreeSet::new();
    let is_root = |class: &ClassId| program.text(program.class(*class).name) == "java/lang/Object";
    let interfaces = program.supertypes(class).into_iter().filter(|class| program.class(*class).flags.is_interface());
    for of in program.superclasses(class).filter(|class| !is_root(class)).chain(interfaces) {
        for method in program.class(of).methods() {
            let declared = program.method(method);
            let is_first = known.insert((declared.name, declared.descriptor));
            let is_constructor = program.is_constructor(method);
            let is_own = of == class || (!declared.flags.is_static() && !is_constructor);
            let is_visible =
                declared.flags.is_public() || declared.flags.is_protected() || program.is_called_to_serialize(method);
            let is_selected = is_constructor
                || declared.flags.is_static()
                || program.resolve_in(class, declared.name, declared.descriptor) == Lookup::Found(method);
            if is_first && is_own && is_visible && is_selected && (is_entry(program, method) || is_constructor) {
                found.push(method);
            }
        }
    }
    found
}

/// The static methods that a class inherits from superclasses.
pub(crate) fn inherited_static_methods(program: &Program, class: ClassId) -> Vec<MethodId> {
    let above = program.superclasses(class).skip(1).flat_map(|class| program.class(class).methods());
    let is_one = |method: &MethodId| {
        let declared = program.method(*method);
        let is_hidden = declared.flags.is_private() || declared.flags.is_synthetic();
        declared.flags.is_static() && declared.has_code() && !is_hidden
    };
    above.filter(|method| is_one(method) && program.text(program.method(*method).name) != "<clinit>").collect()
}

/// Whether a method has code and is no initializer. Compiler-generated methods are no entries, apart from bridges,
/// which clients call by their name. A method that is private in Scala source is no entry; its calls are analysed.
fn is_entry(program: &Program, method: MethodId) -> bool {
    let declared = program.method(method);
    let is_hidden = declared.flags.is_synthetic() && !declared.flags.is_bridge();
    !is_hidden
        && !is_private_method(program, method)
        && program.text(declared.name) != "<clinit>"
        && declared.has_code()
}

/// Returns the name of an entry for reports: `this.append(CharSequence)`, `other.append(this)`.
fn entry_name(program: &Program, method: MethodId, values: &[Value]) -> String {
    let declared = program.method(method);
    let is_object = |value: &Value| *value == Value::Region(RegionId::SUBJECT);
    let class = program.class_name(declared.class);
    let simple = class.rsplit(['.', '/']).next().unwrap_or(&class);
    let types = program.method_type(declared.descriptor);
    let parameters: Vec<Type> = types.iter().flat_map(|types| types.parameters.iter().copied()).collect();
    let first = usize::from(!declared.flags.is_static());
    let arguments = values.get(first..).unwrap_or_default();
    let receiver = match (declared.flags.is_static(), values.first()) {
        (false, Some(receiver)) if is_object(receiver) => "this",
        (false, Some(_)) if arguments.iter().any(is_object) => "other",
        _ => simple,
    };
    let name_of = |(place, of): (usize, &Type)| match arguments.get(place) {
        Some(value) if is_object(value) => "this".to_string(),
        _ => crate::graph::names::type_name(program, *of),
    };
    let names: Vec<String> = parameters.iter().enumerate().map(name_of).collect();
    let names = names.join(", ");
    if program.is_constructor(method) {
        return format!("new {simple}({names})");
    }
    format!("{receiver}.{}({names})", program.text(declared.name))
}
