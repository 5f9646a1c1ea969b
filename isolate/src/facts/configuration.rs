//! Configurations: values of unchanging fields that branches test.
//!
//! A final field often selects how an object works: with a lock or without one, bounded or not. All threads see the
//! same value, so two branches that depend on it agree. The model of [`Possible`](crate::Modality::Possible) takes them
//! independently, which only adds interleavings. For findings there is one model for each *configuration*: an
//! assignment of settings to the [tested fields](tested_fields), with at most [`MOST_FIELDS`] of them. A field that is
//! not among these is taken both ways, as in `Possible`.

use super::heap::Heap;
use super::stored::Stored;
use crate::value::Value;
use java::ir::{Body, End, Operation};
use java::{ClassId, Comparison, Condition, FieldId, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximal number of fields with settings; the models are at most two to this power.
const MOST_FIELDS: usize = 2;

/// The setting of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    /// The field is null.
    Null,
    /// The field is not null.
    NotNull,
    /// The field, a `boolean`, has this value.
    Flag(bool),
}

/// Settings of fields, each field once.
pub(crate) type Configuration = Vec<(FieldId, Setting)>;

/// Returns the configurations of an object of these classes: all combinations of settings of its tested fields; one
/// without settings if there are no such fields. Methods of the nest are searched for tests.
pub(crate) fn configurations(
    heap: &Heap<'_>,
    classes: &FxHashSet<ClassId>,
    nest: &FxHashSet<ClassId>,
) -> Vec<Configuration> {
    let mut found: Vec<Configuration> = vec![Vec::new()];
    for field in tested_fields(heap, classes, nest) {
        let is_reference =
            heap.program.field_type(heap.program.field(field).descriptor).is_some_and(Type::is_reference);
        let settings = match is_reference {
            true => [Setting::NotNull, Setting::Null],
            false => [Setting::Flag(false), Setting::Flag(true)],
        };
        let with = |setting| found.iter().map(move |known| known.iter().copied().chain([(field, setting)]).collect());
        found = settings.into_iter().flat_map(with).collect();
    }
    found
}

/// Returns the unchanging instance fields of these classes that most branches test for null, or as a flag, if
/// constructors can give them more than one such value.
fn tested_fields(heap: &Heap<'_>, classes: &FxHashSet<ClassId>, nest: &FxHashSet<ClassId>) -> Vec<FieldId> {
    let mut counts: FxHashMap<FieldId, usize> = FxHashMap::default();
    for (method, declared) in heap.program.methods() {
        if !nest.contains(&declared.class) || heap.program.is_constructor(method) {
            continue;
        }
        let Some(body) = heap.body(method) else { continue };
        for field in tests_of(heap, &body) {
            *counts.entry(field).or_default() += 1;
        }
    }
    let mut found: Vec<(FieldId, usize)> =
        counts.into_iter().filter(|(field, _)| selects(heap, classes, *field)).collect();
    found.sort_unstable_by_key(|(field, count)| (std::cmp::Reverse(*count), *field));
    found.truncate(MOST_FIELDS);
    found.into_iter().map(|(field, _)| field).collect()
}

/// Returns the fields that branches of a method test, once for each branch.
fn tests_of(heap: &Heap<'_>, body: &Body) -> Vec<FieldId> {
    let mut loaded = FxHashMap::default();
    for (_, block) in body.blocks() {
        for statement in &block.statements {
            if let (Operation::GetField { field, .. }, Some(to)) = (&statement.operation, statement.to)
                && let Some(field) = heap.program.resolve_field(*field).found()
            {
                loaded.insert(to, field);
            }
        }
    }
    let tested = body.blocks().filter_map(|(_, block)| match &block.end {
        End::Branch { condition, values, .. } if is_test(*condition) => values.first().copied(),
        _ => None,
    });
    tested.filter_map(|variable| loaded.get(&variable).copied()).collect()
}

/// Whether a condition compares one value with null or 0.
fn is_test(condition: Condition) -> bool {
    matches!(
        condition,
        Condition::Null | Condition::NotNull | Condition::Zero(Comparison::Equal | Comparison::NotEqual)
    )
}

/// Whether constructors can give a field both settings.
fn selects(heap: &Heap<'_>, classes: &FxHashSet<ClassId>, field: FieldId) -> bool {
    let declared = heap.program.field(field);
    let of = heap.program.field_type(declared.descriptor);
    let is_open = match of {
        Some(Type::Boolean) => !matches!(*heap.construction(field), Stored::Int(_)),
        Some(of) => of.is_reference() && !heap.is_never_null(field),
        None => false,
    };
    is_open && classes.contains(&declared.class) && !declared.flags.is_static() && heap.is_unchanging(field)
}

/// Returns the values of a field that agree with its setting, if it has one.
pub(crate) fn restricted(configuration: &Configuration, field: FieldId, mut values: Vec<Value>) -> Vec<Value> {
    match configuration.iter().find(|(known, _)| *known == field) {
        Some((_, Setting::Null)) => vec![Value::Null],
        Some((_, Setting::NotNull)) => {
            values.retain(|value| *value != Value::Null);
            values
        }
        Some((_, Setting::Flag(is_set))) => vec![Value::Int(i32::from(*is_set))],
        None => values,
    }
}
