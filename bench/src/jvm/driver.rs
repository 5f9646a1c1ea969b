//! Clients of a class: objects, calls that come before, and two threads that call methods with one object, or methods
//! that reach the class's static fields.

use super::machine::{Call, Machine, ObjectId, Sort, Unsupported, Value, World};
use super::schedules::{Bounds, explore};
use super::statics::Statics;
use super::watch::{Matches, Subject, Watch, inner_classes};
use asercheck::java::{ClassId, MethodId, Type};
use fastrand::Rng;

/// Objects that calls are made with.
struct Objects {
    of_classes: Vec<(ObjectId, ClassId)>,
    object: ObjectId,
    lock: ObjectId,
}

/// What came of some clients.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// Clients.
    pub clients: usize,
    /// Those that did something which the machine does not know.
    pub unsupported: usize,
    /// States that were visited.
    pub states: usize,
}

/// Lets two threads call methods of a class with one of its objects, so many times with different objects, arguments
/// and calls before, and adds what is found. Objects of all `classes` are there.
pub fn clients(
    machine: &Machine<'_>,
    class: ClassId,
    classes: &[ClassId],
    times: usize,
    bounds: Bounds,
    rng: &mut Rng,
    matches: &mut Matches,
) -> Seen {
    let mut seen = Seen::default();
    let entries = entries(machine, class);
    if entries.is_empty() {
        return seen;
    }
    for number in 0..times {
        seen.clients += 1;
        let first = entries[number % entries.len()];
        match client(machine, class, classes, (first, &entries), bounds, rng, matches) {
            Ok(states) => seen.states += states,
            Err(_) => seen.unsupported += 1,
        }
    }
    seen
}

/// Lets two threads call methods that reach the static fields of a class, as often, and adds what is found.
pub fn static_clients(
    machine: &Machine<'_>,
    class: ClassId,
    classes: &[ClassId],
    times: usize,
    bounds: Bounds,
    rng: &mut Rng,
    matches: &mut Matches,
) -> Seen {
    let mut seen = Seen::default();
    let (units, others) = Statics::new(machine, class).methods();
    for number in 0..if units.is_empty() { 0 } else { times } {
        seen.clients += 1;
        let first = units[number % units.len()];
        match static_client(machine, class, classes, (first, &units, &others), bounds, rng, matches) {
            Ok(states) => seen.states += states,
            Err(_) => seen.unsupported += 1,
        }
    }
    seen
}

fn static_client(
    machine: &Machine<'_>,
    class: ClassId,
    classes: &[ClassId],
    (first, units, others): (MethodId, &[MethodId], &[MethodId]),
    bounds: Bounds,
    rng: &mut Rng,
    matches: &mut Matches,
) -> Result<usize, Unsupported> {
    let mut world = machine.world(2);
    let objects = objects(machine, &mut world, classes, None, rng)?;
    let any = |rng: &mut Rng| {
        let from = if others.is_empty() || rng.u8(..3) > 0 { units } else { others };
        from[rng.usize(..from.len())]
    };
    for _ in 0..rng.usize(..3) {
        let method = any(rng);
        if let Some(call) = call(machine, &mut world, method, None, &objects, rng)?
            && !machine.run(&mut world, call)?
        {
            return Ok(0);
        }
    }
    let second = 1 + usize::from(rng.u8(..4) == 0);
    for (thread, calls) in [1, second].into_iter().enumerate() {
        for _ in 0..calls {
            let method = if thread == 0 { first } else { any(rng) };
            if let Some(call) = call(machine, &mut world, method, None, &objects, rng)? {
                world.give(thread, call);
            }
        }
    }
    let watch = Watch::new(Subject::of_statics(machine, Statics::new(machine, class)));
    explore(machine, world, watch, bounds, matches)
}

/// Objects of all classes, two of each. One has to be there.
fn objects(
    machine: &Machine<'_>,
    world: &mut World,
    classes: &[ClassId],
    needed: Option<ClassId>,
    rng: &mut Rng,
) -> Result<Objects, Unsupported> {
    let [object, lock] =
        ["java/lang/Object", "java/util/concurrent/locks/ReentrantLock"].map(|class| world.library_object(class));
    let mut objects = Objects { of_classes: Vec::new(), object, lock };
    for other in classes.iter().chain(classes) {
        match construct(machine, world, *other, &objects, rng, 3) {
            Ok(made) => objects.of_classes.extend(made.map(|made| (made, *other))),
            Err(unsupported) if Some(*other) == needed => return Err(unsupported),
            Err(_) => world.stop(),
        }
    }
    Ok(objects)
}

fn client(
    machine: &Machine<'_>,
    class: ClassId,
    classes: &[ClassId],
    (first, entries): (MethodId, &[MethodId]),
    bounds: Bounds,
    rng: &mut Rng,
    matches: &mut Matches,
) -> Result<usize, Unsupported> {
    let mut world = machine.world(2);
    let objects = objects(machine, &mut world, classes, Some(class), rng)?;
    let own: Vec<ObjectId> = objects.of_classes.iter().filter(|made| made.1 == class).map(|made| made.0).collect();
    if own.is_empty() {
        return Ok(0);
    }
    let watched = own[rng.usize(..own.len())];
    let any = |rng: &mut Rng| entries[rng.usize(..entries.len())];
    // What takes arguments is more likely to make objects know each other.
    let takes = |method: &MethodId| {
        let types = machine.program.method_type(machine.program.method(*method).descriptor);
        types.is_some_and(|types| types.parameters.iter().any(|of| matches!(of, Type::Class(_))))
    };
    let taking: Vec<MethodId> = entries.iter().copied().filter(takes).collect();
    for _ in 0..[0, 1, 2, 3][rng.usize(..4)] {
        let method = if taking.is_empty() || rng.bool() { any(rng) } else { taking[rng.usize(..taking.len())] };
        let call = call(machine, &mut world, method, None, &objects, rng)?;
        if let Some(call) = call
            && !machine.run(&mut world, call)?
        {
            return Ok(0);
        }
    }
    let second = 1 + usize::from(rng.u8(..4) == 0);
    for (thread, calls) in [1, second].into_iter().enumerate() {
        for _ in 0..calls {
            let method = if thread == 0 { first } else { any(rng) };
            let with = (rng.u8(..8) >= [1, 3][thread]).then_some(watched);
            if let Some(call) = call(machine, &mut world, method, with, &objects, rng)? {
                world.give(thread, call);
            }
        }
    }
    let watch = Watch::new(Subject::of_object(machine, &world, watched, class));
    explore(machine, world, watch, bounds, matches)
}

/// The methods that clients can call with an object of a class, those of classes that are declared inside it included.
fn entries(machine: &Machine<'_>, class: ClassId) -> Vec<MethodId> {
    let program = machine.program;
    let mut found: Vec<MethodId> = Vec::new();
    let classes = program.superclasses(class).chain(inner_classes(program, class));
    for method in classes.flat_map(|class| program.class(class).methods()) {
        let declared = program.method(method);
        let is_hidden = !declared.flags.is_public() || declared.flags.is_synthetic();
        let is_new = !found.iter().any(|known| {
            let known = program.method(*known);
            known.name == declared.name && known.descriptor == declared.descriptor
        });
        if !is_hidden && is_new && declared.has_code() && !program.text(declared.name).starts_with('<') {
            found.push(method);
        }
    }
    found
}

/// An object, after its constructor.
fn construct(
    machine: &Machine<'_>,
    world: &mut World,
    class: ClassId,
    objects: &Objects,
    rng: &mut Rng,
    depth: usize,
) -> Result<Option<ObjectId>, Unsupported> {
    let program = machine.program;
    let constructors: Vec<MethodId> =
        program.class(class).methods().filter(|id| program.text(program.method(*id).name) == "<init>").collect();
    if constructors.is_empty() || program.class(class).flags.is_abstract() {
        return Ok(None);
    }
    let method = constructors[rng.usize(..constructors.len())];
    let types = program.method_type(program.method(method).descriptor).expect("a method has types");
    let mut arguments = Vec::new();
    for of in &types.parameters {
        arguments.push(argument(machine, world, *of, objects, rng, depth)?);
    }
    let made = machine.allocate(world, class);
    arguments.insert(0, Value::Object(made, super::machine::Origin::Elsewhere));
    let is_done = machine.run(world, Call { method, arguments })?;
    Ok(is_done.then_some(made))
}

fn argument(
    machine: &Machine<'_>,
    world: &mut World,
    of: Type,
    objects: &Objects,
    rng: &mut Rng,
    depth: usize,
) -> Result<Value, Unsupported> {
    let program = machine.program;
    let object = |id| Value::Object(id, super::machine::Origin::Elsewhere);
    Ok(match of {
        Type::Boolean => Value::Int(rng.i32(0..2)),
        Type::Byte | Type::Char | Type::Short | Type::Int => Value::Int(rng.i32(0..3)),
        Type::Long => Value::Long(rng.i64(0..3)),
        Type::Float | Type::Double => return Err(Unsupported("a floating-point number".into())),
        Type::Array(descriptor) if program.text(descriptor) == "[I" => object(world.array(2)),
        Type::Array(_) => Value::Null,
        Type::Class(name) => match (program.text(name), program.named(name)) {
            ("java/lang/Object", _) if rng.bool() => object(objects.object),
            ("java/util/concurrent/locks/ReentrantLock", _) => object(objects.lock),
            (text @ ("java/lang/Object" | "java/lang/String"), _) => object(world.library_object(text)),
            (_, Some(class)) => {
                let fits = |made: &&(ObjectId, ClassId)| program.is_subtype(made.1, class);
                let fitting: Vec<_> = objects.of_classes.iter().filter(fits).collect();
                if fitting.is_empty() && depth > 0 {
                    let made = construct(machine, world, class, objects, rng, depth - 1)?;
                    made.map_or(Value::Null, object)
                } else if fitting.is_empty() || rng.u8(..10) == 0 {
                    Value::Null
                } else {
                    object(fitting[rng.usize(..fitting.len())].0)
                }
            }
            _ => Value::Null,
        },
    })
}

/// A call of a method, with one object among the receiver and the arguments if it fits.
fn call(
    machine: &Machine<'_>,
    world: &mut World,
    method: MethodId,
    with: Option<ObjectId>,
    objects: &Objects,
    rng: &mut Rng,
) -> Result<Option<Call>, Unsupported> {
    let program = machine.program;
    let declared = program.method(method);
    let types = program.method_type(declared.descriptor).expect("a method has types");
    let receiver = program.class(declared.class).name;
    let receiver = (!declared.flags.is_static()).then_some(Type::Class(receiver));
    let types: Vec<Type> = receiver.into_iter().chain(types.parameters.iter().copied()).collect();
    let mut arguments = Vec::new();
    for of in &types {
        arguments.push(argument(machine, world, *of, objects, rng, 2)?);
    }
    if let Some(with) = with {
        let Sort::Given(class) = *world.sort(with) else { return Ok(None) };
        let fits = |of: &Type| matches!(of, Type::Class(name) if program.named(*name).is_some_and(|of| program.is_subtype(class, of)));
        let places: Vec<usize> = (0..types.len()).filter(|place| fits(&types[*place])).collect();
        if let Some(place) = rng.choice(&places) {
            let place = if rng.bool() { places[0] } else { *place };
            arguments[place] = Value::Object(with, super::machine::Origin::Elsewhere);
        }
    }
    let method = match (receiver.is_some(), arguments.first()) {
        (false, _) => method,
        (true, Some(Value::Object(receiver, _))) => {
            // What an object's class overrides is what is called.
            let Sort::Given(class) = *world.sort(*receiver) else { return Ok(None) };
            machine.method(class, declared.name, declared.descriptor).unwrap_or(method)
        }
        _ => return Ok(None),
    };
    Ok(Some(Call { method, arguments }))
}
