//! What threads of unknown clients can run: client mode.
//!
//! Entries are
//!
//! - the public methods of the object's class, with each combination of arguments of which one at least is the object; so are its public constructors,
//!   which make another object from it (`new C(c)`);
//! - public methods of other classes that reach into it (`touching`): each field of their receiver that never changes and
//!   may be the object is the object or not, for all loads of it;
//! - methods of other objects of its own class that may find it (`peer.count`, where `peer` is a field): with nothing known of their arguments, so
//!   each by itself, whoever calls it with whatever locks; they are no units of work of the object;
//! - public methods of other objects that were made from it and got to where anybody finds them: an iterator that is returned,
//!   a view that is kept.
//!
//! Of static fields, entries are the methods that are not private, constructors among them, by which they are reached (`touching`). Static
//! initializers are assumed to have run.
//!
//! Methods that are not public are followed from those that call them, with the locks that they hold. A call of an entry of the
//! class or a class inside it is a unit of work; of other classes, each call that enters the class is one.

use super::facts::is_expanded;
use super::flow::CloneId;
use super::follow::{Context, Follower, Stuck};
use super::names::{simple, type_name};
use super::subject::instance_fields;
use super::value::{Object, ObjectId, PlaceId, Value};
use java::{ClassId, FieldId, Lookup, MethodId, Program, Type};
use std::collections::{BTreeMap, BTreeSet};

/// So many combinations of arguments that are the object are asked for.
const MOST_FITTING: usize = 4;

/// What a thread can run.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// As reports name it.
    pub(super) name: String,
    /// Whether it is a unit of work as a whole.
    pub(super) is_unit: bool,
}

/// Follows all entries; those that turn up on the way, too.
pub(super) fn follow(
    follower: &mut Follower<'_>,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<BTreeMap<CloneId, Entry>, Stuck> {
    let mut entries = BTreeMap::new();
    let finding = follower.finding_methods();
    follower.leading = match follower.statics {
        Some(_) => follower.leading_to_statics(),
        None => follower.leading_to_object(&finding),
    };
    let first = if follower.statics.is_some() { static_entries(follower) } else { entry_arguments(follower)? };
    for (method, arguments) in first {
        add(follower, &mut entries, method, arguments)?;
    }
    for method in finding {
        let arguments = follower.with_others(method, Vec::new());
        let name = format!("{} on another object", entry_name(follower, method, &arguments));
        let clone = follower.clone_of(method, arguments)?;
        entries.entry(clone).or_insert(Entry { name, is_unit: false });
    }
    let mut known: BTreeSet<ObjectId> = BTreeSet::new();
    loop {
        follower.run(is_cancelled)?;
        for thread in follower.threads.clone() {
            let clone = &follower.clones[thread.index()];
            let name = format!("{} on another thread", entry_name(follower, clone.method, &clone.arguments));
            entries.entry(thread).or_insert(Entry { name, is_unit: true });
        }
        let mut found = follower.escaped.clone();
        for clone in entries.keys() {
            for value in follower.clones[clone.index()].returns.clone() {
                match value {
                    Value::Object(object) => drop(found.insert(object)),
                    value => follower.escapes(value)?,
                }
            }
        }
        let new: Vec<ObjectId> = found.difference(&known).copied().collect();
        if new.is_empty() && follower.is_done() {
            return Ok(entries);
        }
        known.extend(&new);
        for object in new {
            for method in methods_of(follower, follower.objects.object(object).class) {
                let arguments = follower.with_others(method, vec![Value::Object(object)]);
                add(follower, &mut entries, method, arguments)?;
            }
        }
    }
}

fn add(
    follower: &mut Follower<'_>,
    entries: &mut BTreeMap<CloneId, Entry>,
    method: MethodId,
    arguments: Vec<Value>,
) -> Result<(), Stuck> {
    let name = entry_name(follower, method, &arguments);
    let class = follower.context.program.method(method).class;
    let is_unit = follower.classes.contains(&class)
        || follower.is_inside(method)
        || made_from(&arguments)
        || follower
            .statics
            .is_some_and(|it| follower.context.facts.nest(follower.context.program, it).contains(&class));
    let clone = follower.clone_of(method, arguments)?;
    entries.entry(clone).or_insert(Entry { name, is_unit });
    Ok(())
}

/// Whether the receiver is another object, made from the one that is followed.
fn made_from(arguments: &[Value]) -> bool {
    matches!(arguments.first(), Some(Value::Object(_)))
}

/// The public methods of an object of a class that have code.
fn methods_of(follower: &Follower<'_>, class: ClassId) -> Vec<MethodId> {
    let program = follower.context.program;
    let mut found = Vec::new();
    let mut known = BTreeSet::new();
    for class in program.supertypes(class) {
        for method in program.class(class).methods() {
            let declared = program.method(method);
            let is_first = known.insert((declared.name, declared.descriptor));
            if is_first && declared.flags.is_public() && !declared.flags.is_static() && can_be_entry(program, method) {
                found.push(method);
            }
        }
    }
    found
}

/// The methods that reach the static fields, whatever their arguments are; those of a class with one object are called on this.
fn static_entries(follower: &mut Follower<'_>) -> Vec<(MethodId, Vec<Value>)> {
    let Context { program, facts, .. } = follower.context;
    let mut methods: Vec<MethodId> = follower.touching.iter().copied().collect();
    methods.sort_unstable();
    let is_entry = |method: &MethodId| {
        can_be_entry(program, *method)
            || (is_constructor(program, *method) && !program.method(*method).flags.is_private())
    };
    let entries = methods.into_iter().filter(is_entry).map(|method| {
        let declared = program.method(method);
        let is_called_on_it = !declared.flags.is_static() && !is_constructor(program, method);
        let single = facts.single(program, declared.class).filter(|_| is_called_on_it);
        let receiver = single.map(|field| follower.held_by_static(field));
        (method, follower.with_others(method, receiver.into_iter().collect()))
    });
    entries.collect()
}

fn entry_arguments(follower: &mut Follower<'_>) -> Result<Vec<(MethodId, Vec<Value>)>, Stuck> {
    let Context { program, .. } = follower.context;
    let mut found = Vec::new();
    let mut known: BTreeSet<(&str, &str)> = BTreeSet::new();
    // Superclasses first: their methods hold before those of interfaces.
    let interfaces =
        program.supertypes(follower.class).into_iter().filter(|class| program.class(*class).flags.is_interface());
    let classes = program.superclasses(follower.class).filter(|class| follower.classes.contains(class));
    for class in classes.chain(interfaces) {
        let methods = program.class(class).methods();
        for method in methods.filter(|method| can_be_entry(program, *method) || is_constructor(program, *method)) {
            let declared = program.method(method);
            let is_first = known.insert((program.text(declared.name), program.text(declared.descriptor)));
            let resolved = program.resolve_in(follower.class, declared.name, declared.descriptor);
            let is_public = declared.flags.is_public() && !is_private_in_source(follower, method);
            if is_first && resolved == Lookup::Found(method) && is_public {
                let all = combinations(follower, method);
                found.extend(
                    all.into_iter()
                        .filter(|arguments| arguments.iter().any(|value| follower.can_act(*value)))
                        .map(|it| (method, it)),
                );
            }
        }
    }
    let mut touching: Vec<MethodId> = follower.touching.iter().copied().collect();
    touching.sort_unstable();
    for method in touching.into_iter().filter(|method| can_be_entry(program, *method)) {
        let declared = program.method(method);
        if !declared.flags.is_public() || (!declared.flags.is_static() && is_made_inside(follower, declared.class)) {
            continue;
        }
        for arguments in combinations(follower, method) {
            for receiver in receivers(follower, method)? {
                let mut arguments = arguments.clone();
                if let (Some(receiver), Some(first)) = (receiver, arguments.first_mut())
                    && *first == Value::Any
                {
                    *first = receiver;
                }
                found.push((method, arguments));
            }
        }
    }
    Ok(found)
}

/// Whether all objects of a class that know the followed one are made by code that is followed, which tells where they get.
fn is_made_inside(follower: &Follower<'_>, class: ClassId) -> bool {
    let Context { program, facts, .. } = follower.context;
    let is_followed = |method: MethodId| {
        follower.classes.contains(&program.method(method).class) || follower.touching.contains(&method)
    };
    let may_change = |class: ClassId| {
        instance_fields(program, class).any(|field| {
            let of = program.field_type(program.field(field).descriptor);
            facts.changes(field, program) && of.is_some_and(|of| follower.may_be(of))
        })
    };
    let classes = program.subtypes(class);
    let is_hidden = |class: &ClassId| {
        let is_known = facts.makers(program, *class).all(is_followed);
        let declared = program.class(*class);
        // Closures of Scala are public; but their class has no name by which others could make them.
        is_known && (!declared.flags.is_public() || declared.is_anonymous) && !may_change(*class)
    };
    // A class that the compiler has added, and of which it makes nothing in the end: a reference to a property that is only asked for its initialization.
    let is_left_over = program.class(class).flags.is_synthetic();
    let is_made = is_left_over || classes.iter().any(|class| facts.makers(program, *class).next().is_some());
    is_made && classes.iter().all(is_hidden)
}

/// The receivers of a method of another class: each field that never changes and may be the object is it, or is not. None for a
/// static method.
fn receivers(follower: &mut Follower<'_>, method: MethodId) -> Result<Vec<Option<Value>>, Stuck> {
    let Context { program, facts, .. } = follower.context;
    let declared = program.method(method);
    if declared.flags.is_static() || follower.classes.contains(&declared.class) {
        return Ok(vec![None]);
    }
    let is_candidate = |field: &FieldId| {
        let of = program.field_type(program.field(*field).descriptor);
        !facts.changes(*field, program) && of.is_some_and(|of| follower.may_be(of))
    };
    let mut fields: Vec<FieldId> = instance_fields(program, declared.class).filter(is_candidate).collect();
    fields.sort_unstable();
    fields.truncate(MOST_FITTING);
    let mut found = Vec::new();
    for combination in 0_usize..1 << fields.len() {
        let value = |(bit, field): (usize, &FieldId)| {
            let is_object = combination >> bit & 1 == 1;
            (*field, if is_object { Value::Place(PlaceId::OBJECT) } else { Value::Any })
        };
        let fields = fields.iter().enumerate().map(value).collect();
        found.push(Some(follower.object(Object { class: declared.class, is_exact: false, fields })?));
    }
    Ok(found)
}

/// Whether a method is public in the class file only, as closures, companions or a trait's own methods have to reach it: Scala.
///
/// Its name says so ([`is_expanded`]), and no other code of the program calls it than what is followed anyway: the methods of the class, those of others
/// that reach into it, and those of the trait whose member it is, which the class calls with the object.
fn is_private_in_source(follower: &Follower<'_>, method: MethodId) -> bool {
    let Context { program, facts, .. } = follower.context;
    let declared = program.method(method);
    let name = program.text(declared.name);
    let supertypes =
        program.supertypes(declared.class).into_iter().map(|class| program.text(program.class(class).name));
    let Some(owner) = { supertypes }.find(|class| is_expanded(name, class)) else { return false };
    facts.expanded_callers((declared.name, declared.descriptor)).all(|caller| {
        let class = program.method(caller).class;
        follower.classes.contains(&class)
            || follower.touching.contains(&caller)
            || program.text(program.class(class).name).strip_prefix(owner) == Some("$class")
    })
}

fn can_be_entry(program: &Program, method: MethodId) -> bool {
    let declared = program.method(method);
    let is_hidden = declared.flags.is_private() || declared.flags.is_synthetic();
    !is_hidden && !program.text(declared.name).starts_with('<') && declared.has_code()
}

fn is_constructor(program: &Program, method: MethodId) -> bool {
    let declared = program.method(method);
    program.is_constructor(method) && !declared.flags.is_synthetic() && declared.has_code()
}

/// Arguments of a method, the receiver first: each that fits is the object or another one.
fn combinations(follower: &Follower<'_>, method: MethodId) -> Vec<Vec<Value>> {
    let program = follower.context.program;
    let declared = program.method(method);
    let Some(types) = program.method_type(declared.descriptor) else { return Vec::new() };
    // What is only taken as some object is mostly a key or an element.
    let fitting = types.parameters.iter().map(|of| follower.may_be(*of));
    // What a constructor makes is another object.
    let receiver_fits = program.is_subtype(follower.class, declared.class) && !is_constructor(program, method);
    let receiver = (!declared.flags.is_static()).then_some(receiver_fits);
    let fitting: Vec<bool> = receiver.into_iter().chain(fitting).collect();
    let places: Vec<usize> = (0..fitting.len()).filter(|place| fitting[*place]).take(MOST_FITTING).collect();
    let chosen = (0_usize..1 << places.len()).map(|combination| {
        let mut arguments = vec![Value::Any; fitting.len()];
        for (bit, place) in places.iter().enumerate() {
            if combination >> bit & 1 == 1 {
                arguments[*place] = Value::Place(PlaceId::OBJECT);
            }
        }
        arguments
    });
    chosen.collect()
}

/// `this.append(CharSequence)`, `other.append(this)`.
fn entry_name(follower: &Follower<'_>, method: MethodId, arguments: &[Value]) -> String {
    let program = follower.context.program;
    let declared = program.method(method);
    let is_object = |value: &Value| *value == Value::Place(PlaceId::OBJECT);
    let class = match arguments.first() {
        Some(Value::Object(object)) if !declared.flags.is_static() => follower.objects.object(*object).class,
        _ => declared.class,
    };
    let class = program.class_name(class);
    let (receiver, rest) = match (declared.flags.is_static(), arguments.split_first()) {
        (false, Some((receiver, rest))) if is_object(receiver) => ("this".to_string(), rest),
        (false, Some((_, rest))) if rest.iter().any(is_object) => ("other".to_string(), rest),
        (false, Some((_, rest))) => (simple(&class).to_string(), rest),
        _ => (simple(&class).to_string(), arguments),
    };
    let types = program.method_type(declared.descriptor);
    let types = types.iter().flat_map(|types| types.parameters.iter());
    let parameters = types.zip(rest).map(
        |(of, value): (&Type, _)| {
            if is_object(value) { "this".into() } else { type_name(program, *of) }
        },
    );
    let parameters = parameters.collect::<Vec<_>>().join(", ");
    if program.is_constructor(method) {
        return format!("new {}({parameters})", simple(&class));
    }
    format!("{receiver}.{}({parameters})", program.text(declared.name))
}
