//! Full names of entries and locations: of the present analysis.

use super::expression::Expression;
pub(super) use super::graph::names::{method_name, simple, source_path, static_name, type_name};
pub use super::graph::{Meanings, printable};
use super::value::{Location, PlaceId, Places, Value};
use java::{ClassId, FieldId, MethodId, Program};

/// The full name of an entry.
pub(super) fn full_name(program: &Program, method: MethodId, arguments: &[Value]) -> String {
    let is_object = |value: &&Value| **value == Value::Place(PlaceId::OBJECT);
    let receiver = usize::from(!program.method(method).flags.is_static());
    let is_argument = arguments.iter().skip(receiver).any(|value| is_object(&value));
    let is_receiver = arguments.iter().take(receiver).any(|value| is_object(&value));
    let role = if is_argument && !is_receiver { " [argument]" } else { "" };
    format!("{}{role}", printable(&program.method_name(method)))
}

/// The full name of a location of an object of this class.
pub(super) fn full_location(program: &Program, class: ClassId, location: Location, places: &Places) -> String {
    let text = |field: FieldId| program.text(program.field(field).name);
    let (place, rest, content) = match location {
        Location::Field(place, field) => (place, Some(field), ""),
        Location::Content(place) => (place, None, "[]"),
        Location::Static(field) => (PlaceId::OBJECT, Some(field), ""),
    };
    let declaring = places.path(place).first().copied().or(rest);
    let declaring = declaring.map_or(class, |field| program.field(field).class);
    let names = place_names(program, places, place).into_iter().chain(rest.map(|field| text(field).to_string()));
    let names: Vec<_> = [program.class_name(declaring)].into_iter().chain(names).collect();
    printable(&format!("{}{content}", names.join("."))).into_owned()
}

/// The fields of a path, one of them perhaps with the index of an element.
pub(super) fn place_names(program: &Program, places: &Places, place: PlaceId) -> Vec<String> {
    let names = places.path(place).iter().map(|field| program.text(program.field(*field).name).to_string());
    let mut names: Vec<String> = names.collect();
    if let (Some(array), Some(index)) = (names.first_mut(), places.element(place)) {
        *array = format!("{array}[{}]", index_text(index));
    }
    names
}

/// An index as a person writes it; of what is longer, that it is computed from `e`.
fn index_text(index: &Expression) -> String {
    match index {
        Expression::Index => "e".to_string(),
        Expression::Computed(by, parts) => match (by.symbol(), &parts[..]) {
            (Some(symbol), [Expression::Index, Expression::Int(number)]) => format!("e {symbol} {number}"),
            _ => "f(e)".to_string(),
        },
        _ => "f(e)".to_string(),
    }
}
