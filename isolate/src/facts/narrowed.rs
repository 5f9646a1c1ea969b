//! Objects of the program in containers that clients give, by the types to which code narrows them.
//!
//! The content of a container of clients (`ConcurrentMap<String, Cell>`) has a universal type in class files: its
//! elements are external objects of any type, which are not followed. The code shows their class where it uses them: it
//! casts the result of `map.get(k)` to `Cell`, or gives the map a function with a parameter of type `Cell`. The
//! external objects of these types are *narrowed* objects. Regions treat each universal content as if it also held
//! them.
//!
//! **Invariant.** If a method of the subject's nest accesses a field of an object that was in the content of a
//! container of clients, and the access is on the result of a cast, or on a parameter of a function passed to a library
//! method of a value from this container, then the object is followed. *Why it suffices.* A field of a program class
//! can only be accessed by a reference of this class; a value from a universal content has none before a cast (JVMS
//! 4.10), and the parameters of functions are cast by the bridge of the lambda. Casts in other classes, and casts of
//! parameters, are not covered: for these an assumption is printed (`Assumption::OfAnyType`).

use super::heap::Heap;
use java::ir::{Body, Definition, Operation, StatementId, Variable};
use java::points_to::{Field, Object, ObjectId};
use java::{ClassId, MethodId, Program};
use rustc_hash::FxHashSet;

/// The objects to which code of a nest narrows universal contents, in order.
pub(crate) fn narrowed(heap: &Heap<'_>, nest: &FxHashSet<ClassId>) -> Vec<ObjectId> {
    let methods = nest.iter().flat_map(|class| heap.program.class(*class).methods());
    let methods: FxHashSet<MethodId> = methods.filter(|method| heap.points.is_reached(*method)).collect();
    let mut found: Vec<ObjectId> = methods.iter().flat_map(|method| by_casts(heap, *method)).collect();
    found.extend(by_functions(heap, &methods));
    found.sort_unstable();
    found.dedup();
    found
}

/// The classes that share private members with some classes, and these classes.
pub(crate) fn nest(program: &Program, classes: &FxHashSet<ClassId>) -> FxHashSet<ClassId> {
    let outermost = |class: ClassId| {
        let name = program.text(program.class(class).name);
        let end = name.rfind('/').map_or(0, |at| at + 1);
        let outer = name[end..].find('$').filter(|length| *length > 0);
        outer.map_or(name, |length| &name[..end + length])
    };
    let hosts: FxHashSet<&str> = classes.iter().map(|class| outermost(*class)).collect();
    program.classes().map(|(id, _)| id).filter(|id| hosts.contains(outermost(*id))).collect()
}

/// The objects to which a method casts universal values that are no parameters.
fn by_casts(heap: &Heap<'_>, method: MethodId) -> Vec<ObjectId> {
    let Some(body) = heap.body(method) else { return Vec::new() };
    let mut found = Vec::new();
    for (_, block) in body.blocks() {
        for statement in &*block.statements {
            if let (Operation::CheckCast(_, from), Some(to)) = (&statement.operation, statement.to)
                && is_from_content(heap, &body, *from)
            {
                found.extend(externals(heap, heap.points.variable(method, to).iter()));
            }
        }
    }
    found
}

/// Whether a variable may be a universal value that a call returned or an array held.
fn is_from_content(heap: &Heap<'_>, body: &Body, variable: Variable) -> bool {
    let is_universal = || heap.points.variable(body.method, variable).iter().any(|object| heap.is_universal(object));
    match body.variable(variable).definition {
        Definition::Parameter(_) | Definition::Caught(_) => false,
        Definition::Joined(..) => is_universal(),
        Definition::Statement(id) => match &body.statement(id).operation {
            Operation::Invoke { .. } | Operation::LoadElement { .. } => is_universal(),
            _ => false,
        },
    }
}

/// The objects in parameters of functions that some methods make and pass to methods of values with universal contents.
fn by_functions(heap: &Heap<'_>, methods: &FxHashSet<MethodId>) -> Vec<ObjectId> {
    let mut found = Vec::new();
    for (_, object) in heap.points.objects() {
        let Object::Lambda { site, implementation, .. } = object else { continue };
        if !methods.contains(&site.method) || !is_passed_to_content(heap, site.method, site.statement) {
            continue;
        }
        for run in heap.methods_of_reference(implementation.kind, implementation.member) {
            let values = (0..PARAMETERS).flat_map(|place| heap.points.parameter(run, place).iter());
            found.extend(externals(heap, values));
        }
    }
    found
}

/// Maximal number of parameters of a method, with the receiver (JVMS 4.3.3).
const PARAMETERS: usize = 256;

/// Whether the function that a statement makes is an argument of a method of a value with a universal content.
fn is_passed_to_content(heap: &Heap<'_>, method: MethodId, made: StatementId) -> bool {
    let Some(body) = heap.body(method) else { return false };
    let Some(function) = body.statement(made).to else { return false };
    let has_content = |object: ObjectId| {
        let held = heap.points.field(object, Field::Content);
        held.iter().any(|held| heap.is_universal(held))
    };
    let mut statements = body.blocks().flat_map(|(_, block)| &*block.statements);
    statements.any(|statement| match &statement.operation {
        Operation::Invoke { arguments, .. } if arguments.iter().skip(1).any(|it| *it == function) => {
            heap.points.variable(method, arguments[0]).iter().any(has_content)
        }
        _ => false,
    })
}

/// The external objects of program classes.
fn externals(heap: &Heap<'_>, objects: impl Iterator<Item = ObjectId>) -> Vec<ObjectId> {
    let is_one = |object: &ObjectId| match heap.points.object(*object) {
        Object::External(of) => heap.points.class_of(*of).is_some(),
        _ => false,
    };
    objects.filter(is_one).collect()
}
