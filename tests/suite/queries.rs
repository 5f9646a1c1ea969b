//! Which queries are asked.

use asercheck::model::{self, Model};
use asercheck::phases;
use asercheck::query::{Property, Selection};
use std::sync::Arc;

fn model(text: &str) -> Model {
    model::from_text("made.eml", text).unwrap_or_else(|error| panic!("{error}")).model
}

/// The location bindings of an automaton, in the order in which they are asked.
fn locations(model: &Model, automaton: &str) -> Vec<String> {
    let automaton = automaton.parse::<phases::Automaton>().expect("it is an automaton");
    let properties = [Arc::new(Property::of_automaton(automaton))];
    let queries = Selection::default().queries(model, &properties).expect("nothing is named");
    let names = |ids: &[model::LocationId]| ids.iter().map(|id| model.location(*id).name()).collect::<Vec<_>>();
    queries.iter().map(|query| names(query.locations()).join("")).collect()
}

const TWO: &str = "automaton two(T; x, y) { p: on T read x -> q; q: on T write y -> r; }";
const THREE: &str = "automaton three(T; x, y, z) { p: on T read x -> q; q: on T read y -> r; r: on T read z -> s; }";

/// Belonging together is no equivalence: `b` is with `a` and with `c`, but no set has all three.
#[test]
fn all_locations_of_a_query_are_of_one_set() {
    let chain = model(
        "shared a, b, c; atomicset First { a, b } atomicset Second { b, c } process P { read a; read b; read c; }",
    );
    assert_eq!(locations(&chain, TWO), ["ab", "ba", "bc", "cb"]);
    assert_eq!(locations(&chain, THREE), [""; 0]);
    // Also not if every two of them are together.
    let triangle = model(
        "shared a, b, c; atomicset First { a, b } atomicset Second { b, c } atomicset Third { c, a } \
         process P { read a; read b; read c; }",
    );
    assert_eq!(locations(&triangle, THREE), [""; 0]);
    let whole = model("shared a, b, c; atomicset All { a, b, c } process P { read a; read b; read c; }");
    assert_eq!(locations(&whole, THREE), ["abc", "acb", "bac", "bca", "cab", "cba"]);
}
