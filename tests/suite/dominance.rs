//! Paths that differ only in the locks that they use in between: none of them makes another one redundant.

use crate::suite::support::violations;
use asercheck::query::{Property, Selection};
use asercheck::{Engine, model, phases};
use std::sync::Arc;

/// While one of the keepers holds its lock, the worker can pass by the other lock, which the keeper also uses later.
const MODEL: &str = "lock a, b; shared x;
    process Worker { read x; choose { sync a { skip; } } or { sync b { skip; } } write x; }
    process KeeperA { sync a { atomic { skip; } } sync b { skip; } }
    process KeeperB { sync b { atomic { skip; } } sync a { skip; } }
    process KeeperBoth { sync a { sync b { atomic { skip; } } } }";

const AUTOMATON: &str = "automaton past(W, K; x) {
    q1: on K begin -> q2;
    q2: forbid K end; on W read x -> q3;
    q3: forbid K end; on W write x -> q4;
}";

#[test]
fn a_path_past_each_keeper_is_found() {
    let model = model::from_text("made.eml", MODEL).unwrap_or_else(|error| panic!("{error}")).model;
    let automaton = AUTOMATON.parse::<phases::Automaton>().expect("it is an automaton");
    let properties = [Arc::new(Property::of_automaton(automaton))];
    let queries = Selection::default().queries(&model, &properties).expect("nothing is named");
    for engine in [Engine::Explicit, Engine::Symbolic, Engine::Interleave] {
        let found = violations(&model, &queries, engine);
        assert_eq!(found, ["past x Worker,KeeperA", "past x Worker,KeeperB"], "{engine}");
    }
}
