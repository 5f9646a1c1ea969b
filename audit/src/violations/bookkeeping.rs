//! Counters for statistics and caches, whose violations are often accepted, and numbers that are built in place, whose
//! violations are not.

use isolate::{Facts, instance_fields};
use java::{ClassId, FieldId, Instruction, Member, MethodId, Operator, Program, Type};
use std::collections::BTreeSet;

/// The locations of an object of a class, or of its static fields, that are counters or caches, by their names in the
/// model. `benign_reason` depends on no other facts about the program.
///
/// - A *counter for statistics* is a private number, one of several mutable fields, to which constants are added, and
///   which is otherwise only returned.
/// - A *cache* is a field that is written only after it was null, and holds a string, a boxed number, a class, or an
///   object whose fields other than such caches do not change. Two threads that read null may each make a value; the
///   two values are the same, or differ by `==` only.
/// - A number is *built in place* if a method assigns it, reads it again, and assigns it once more: `hash = 17; hash =
///   37 * hash + a;`. Others see values that are no result, so it is no cache even in a method that is said to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bookkeeping {
    counters: BTreeSet<String>,
    caches: BTreeSet<String>,
    built: BTreeSet<String>,
}

impl Bookkeeping {
    /// The counters and caches of a class. Linear in the code of its nest for each mutable private number.
    pub fn of(program: &Program, facts: &Facts, class: ClassId) -> Self {
        let is_static = |field: &FieldId| program.field(*field).flags.is_static();
        let of_class = program.class(class).fields().filter(is_static);
        let fields = instance_fields(program, class).chain(of_class);
        let changing: Vec<FieldId> = fields.filter(|field| facts.changes(*field, program)).collect();
        let mut seen = BTreeSet::new();
        let is_one_of_several = changing.iter().filter(|field| !is_static(field)).count() > 1;
        let name = |field: FieldId| program.text(program.field(field).name);
        // The first of several fields with one name.
        let named: Vec<FieldId> = changing.into_iter().filter(|field| seen.insert(name(*field))).collect();
        let those = |is_one: &dyn Fn(FieldId) -> bool| -> BTreeSet<String> {
            named.iter().filter(|field| is_one(**field)).map(|field| name(*field).to_string()).collect()
        };
        Self {
            counters: those(&|field| is_one_of_several && !is_static(&field) && is_counter(program, facts, field)),
            caches: those(&|field| is_cache(program, facts, field)),
            built: those(&|field| is_number(program, field) && is_built_in_place(program, field)),
        }
    }

    /// Whether a location is a counter for statistics.
    pub(crate) fn is_counter(&self, location: &str) -> bool {
        self.counters.contains(location)
    }

    /// Whether a location is a number that is built in place.
    pub(crate) fn is_built_in_place(&self, location: &str) -> bool {
        self.built.contains(location)
    }

    /// Whether a location is a cache.
    pub(crate) fn is_cache(&self, location: &str) -> bool {
        self.caches.contains(location)
    }
}

/// Whether a field is lazily initialized, and a second initialization has no visible effect.
fn is_cache(program: &Program, facts: &Facts, field: FieldId) -> bool {
    let holds_unchanging = || {
        let held =
            facts.exact_class(field, program).and_then(|name| program.name(name)).and_then(|name| program.named(name));
        let declared = || match program.field_type(program.field(field).descriptor) {
            Some(Type::Class(name)) => program.named(name).filter(|class| !program.class(*class).flags.is_interface()),
            _ => None,
        };
        let all = held.map(|held| vec![held]).or_else(|| Some(program.subtypes(declared()?)));
        all.is_some_and(|all| all.into_iter().all(|class| never_changes(program, facts, class)))
    };
    is_class_literal(program, field)
        || facts.is_lazily_initialized(field) && (holds_value(program, field) || holds_unchanging())
}

/// Whether a static field holds a class literal `Some.class` as compiled before Java 5: it is looked up at its first
/// use.
fn is_class_literal(program: &Program, field: FieldId) -> bool {
    let declared = program.field(field);
    let name = program.text(declared.name);
    declared.flags.is_static()
        && program.text(declared.descriptor) == "Ljava/lang/Class;"
        && (name.starts_with("class$") || name.starts_with("array$"))
}

fn holds_value(program: &Program, field: FieldId) -> bool {
    program.field_type(program.field(field).descriptor).is_some_and(|of| is_value(program, of))
}

/// Whether objects of a type are immutable values: strings, boxed numbers, classes.
fn is_value(program: &Program, of: Type) -> bool {
    const NAMES: [&str; 10] =
        ["String", "Integer", "Long", "Boolean", "Character", "Short", "Byte", "Float", "Double", "Class"];
    let Type::Class(name) = of else { return false };
    program.text(name).strip_prefix("java/lang/").is_some_and(|name| NAMES.contains(&name))
}

/// Whether no field of an object of a class changes, except caches of values. False if a superclass is unknown and may
/// have fields.
fn never_changes(program: &Program, facts: &Facts, class: ClassId) -> bool {
    const WITHOUT_FIELDS: [&str; 3] = ["java/lang/Object", "java/util/AbstractCollection", "java/util/AbstractSet"];
    let is_known = program.superclasses(class).all(|class| {
        let superclass = program.class(class).superclass;
        superclass.is_none_or(|name| program.named(name).is_some() || WITHOUT_FIELDS.contains(&program.text(name)))
    });
    let is_cache = |field| facts.is_lazily_initialized(field) && holds_value(program, field);
    is_known && instance_fields(program, class).all(|field| !facts.changes(field, program) || is_cache(field))
}

fn is_number(program: &Program, field: FieldId) -> bool {
    matches!(program.field_type(program.field(field).descriptor), Some(Type::Int | Type::Long))
}

/// Whether a method of the field's class assigns it, reads it again and assigns it once more. Linear in the code of the
/// class.
fn is_built_in_place(program: &Program, field: FieldId) -> bool {
    let is_it = |member: Member| program.resolve_field(member).found() == Some(field);
    let builds = |method: MethodId| {
        let Ok(Some(code)) = program.code(method) else { return false };
        let accesses = code.instructions().filter_map(|(_, instruction)| match instruction {
            Instruction::GetField(member) | Instruction::GetStatic(member) => is_it(member).then_some(false),
            Instruction::PutField(member) | Instruction::PutStatic(member) => is_it(member).then_some(true),
            _ => None,
        });
        // Write, read, write, with anything between them.
        let mut due = [true, false, true].into_iter().peekable();
        for is_write in accesses {
            due.next_if_eq(&is_write);
        }
        due.peek().is_none()
    };
    let mut methods = program.class(program.field(field).class).methods();
    methods.any(|method| !program.is_constructor(method) && builds(method))
}

/// Whether a field is a private number that is only counted.
fn is_counter(program: &Program, facts: &Facts, field: FieldId) -> bool {
    let declared = program.field(field);
    // Only the classes of its nest have access.
    declared.flags.is_private()
        && is_number(program, field)
        && facts.nest(program, declared.class).iter().all(|class| only_counts(program, *class, field))
}

/// Whether the methods of a class only add constants to a field, or return it.
fn only_counts(program: &Program, class: ClassId, field: FieldId) -> bool {
    let is_it = |member: &Member| program.resolve_field(*member).found() == Some(field);
    program.class(class).methods().all(|method| {
        let Ok(Some(code)) = program.code(method) else { return true };
        let is_constructor = program.is_constructor(method);
        let all: Vec<Instruction> = code.instructions().map(|(_, instruction)| instruction).collect();
        let adds = |place: usize| match all.get(place..place + 4) {
            Some(
                [
                    Instruction::GetField(from),
                    Instruction::Constant(_),
                    Instruction::Binary(operator, _),
                    Instruction::PutField(to),
                ],
            ) => matches!(operator, Operator::Add | Operator::Subtract) && is_it(from) && is_it(to),
            _ => false,
        };
        all.iter().enumerate().all(|(place, instruction)| match instruction {
            Instruction::GetField(member) if is_it(member) => {
                adds(place) || matches!(all.get(place + 1), Some(Instruction::Return(_)))
            }
            Instruction::PutField(member) if is_it(member) => is_constructor || place >= 3 && adds(place - 3),
            _ => true,
        })
    })
}
