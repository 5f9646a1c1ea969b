//! The enumeration of queries.

use crate::suite::support::pattern_queries;
use asercheck::model::{self, GraphBuilder, LocationId, Model, Multiplicity, Operation, ProcessId};
use asercheck::phases::{self, UnitMode};
use asercheck::query::{Bindings, Property, Query, Selection};
use asercheck::{Bounds, Engine, Options, Outcome, Verdict, check_all};
use generate::random::Shape;
use std::sync::Arc;

fn model(text: &str) -> Model {
    model::from_text("made.eml", text).unwrap_or_else(|error| panic!("{error}")).model
}

/// Returns the location bindings of an automaton, in the order in which they are asked.
fn locations(model: &Model, automaton: &str) -> Vec<String> {
    let automaton = automaton.parse::<phases::Automaton>().expect("it is an automaton");
    let properties = [Arc::new(Property::of_automaton(automaton))];
    let queries = Selection::default().queries(model, &properties).expect("nothing is named");
    let names = |ids: &[model::LocationId]| ids.iter().map(|id| model.location(*id).name()).collect::<Vec<_>>();
    queries.iter().map(|query| names(query.locations()).join("")).collect()
}

const TWO: &str = "automaton two(T; x, y) { p: on T read x -> q; q: on T write y -> r; }";
const THREE: &str = "automaton three(T; x, y, z) { p: on T read x -> q; q: on T read y -> r; r: on T read z -> s; }";

const APART: &str = "automaton apart(T, U; x, y, z) {
    p: on T read x -> q; q: on U write x -> r; r: on U atomic write y -> s; s: on T write z -> t;
}";

/// Belonging together is not transitive: `b` belongs to `a` and to `c`, but no set has all three.
#[test]
fn all_locations_of_a_query_are_of_one_set() {
    let chain = model(
        "shared a, b, c; atomicset First { a, b } atomicset Second { b, c } process P { read a; read b; read c; }",
    );
    assert_eq!(locations(&chain, TWO), ["ab", "ba", "bc", "cb"]);
    assert_eq!(locations(&chain, THREE), [""; 0]);
    // Also not if every two of them are in a common set.
    let triangle = model(
        "shared a, b, c; atomicset First { a, b } atomicset Second { b, c } atomicset Third { c, a } \
         process P { read a; read b; read c; }",
    );
    assert_eq!(locations(&triangle, THREE), [""; 0]);
    let whole = model("shared a, b, c; atomicset All { a, b, c } process P { read a; read b; read c; }");
    assert_eq!(locations(&whole, THREE), ["abc", "acb", "bac", "bca", "cab", "cba"]);
}

/// Returns all bindings by plain enumeration: every choice of locations, then of processes, that is sufficiently
/// different.
fn plainly(model: &Model, property: &Arc<Property>) -> Vec<(Vec<LocationId>, Vec<ProcessId>)> {
    fn choices<T: Copy>(all: &[T], length: usize) -> Vec<Vec<T>> {
        (0..length).fold(vec![Vec::new()], |found, _| {
            found.iter().flat_map(|front| all.iter().map(move |next| [&front[..], &[*next]].concat())).collect()
        })
    }
    let automaton = property.automaton();
    let locations: Vec<_> = (0..model.locations().len()).map(LocationId::new).collect();
    let processes: Vec<_> = (0..model.processes().len()).map(ProcessId::new).collect();
    let mut found = Vec::new();
    for locations in choices(&locations, automaton.locations().len()) {
        let is_different = (1..locations.len()).all(|place| !locations[..place].contains(&locations[place]));
        let in_one_set = |set: &asercheck::model::AtomicSet| locations.iter().all(|own| set.members().contains(own));
        if !is_different || !(locations.is_empty() || model.atomic_sets().iter().any(in_one_set)) {
            continue;
        }
        for processes in choices(&processes, automaton.threads().len()) {
            let bindings =
                Bindings { locations: locations.clone(), processes: processes.clone(), ..Bindings::default() };
            if Query::new(model, property.clone(), bindings).is_ok() {
                found.push((locations.clone(), processes));
            }
        }
    }
    found
}

/// Generates models with overlapping sets, several instances and starts.
fn random_model(seed: u64) -> Model {
    let mut rng = fastrand::Rng::with_seed(seed);
    let shape = Shape { locations: rng.usize(1..=4), starts: rng.bool(), instances: true, ..Shape::of_seed(seed) };
    let mut text = generate::random::model(seed, &shape);
    let declared = text.find("shared").and_then(|at| text[at..].find(';').map(|end| at + end + 1)).expect("locations");
    if rng.bool() {
        let mut sets = String::new();
        for set in 0..rng.usize(1..=3) {
            let members: Vec<_> = (0..shape.locations).filter(|_| rng.bool()).map(|x| format!("x{x}")).collect();
            if !members.is_empty() {
                sets += &format!("\natomicset T{set} {{ {} }}", members.join(", "));
            }
        }
        text.insert_str(declared, &sets);
    }
    model(&text)
}

#[test]
fn queries_are_listed_and_counted_as_plainly() {
    let automata = [THREE, TWO, APART, "automaton none(T) { p: on T begin -> q; }"];
    let own = automata.map(|text| Arc::new(Property::of_automaton(text.parse().expect("an automaton"))));
    let properties = [&Property::all_patterns(UnitMode::Both)[..], &own].concat();
    let (mut trivial, mut possible) = (0, 0);
    for seed in 0..150 {
        let model = random_model(seed);
        let asked = Selection::default().ask(&model, &properties).expect("nothing is named");
        let all: Vec<_> = asked.all().collect();
        let plain: Vec<_> = properties
            .iter()
            .flat_map(|property| plainly(&model, property).into_iter().map(|found| (property.clone(), found)))
            .collect();
        assert_eq!(all.len(), plain.len(), "seed {seed}");
        for (query, (property, (locations, processes))) in all.iter().zip(&plain) {
            let same = (query.property(), query.locations(), query.processes());
            assert_eq!(same, (property, &locations[..], &processes[..]), "seed {seed}");
        }
        assert_eq!(asked.count(), all.len(), "seed {seed}");
        for property in &properties {
            let own = all.iter().filter(|query| query.property() == property).count();
            assert_eq!(asked.count_of(property), own, "seed {seed}, {}", property.label());
        }
        let worth: Vec<_> = all.iter().filter(|query| !asked.is_trivial(query)).cloned().collect();
        assert!(asked.possible().eq(worth.iter().cloned()), "seed {seed}");
        possible += worth.len();
        trivial += all.len() - worth.len();
    }
    assert!(trivial > 1000 && possible > 1000, "{trivial} trivial, {possible} possible");
}

/// Also for locks, which are bound after the locations.
#[test]
fn possible_locks_are_those_that_are_not_trivial() {
    let automata = [
        "automaton nested(T, U; x; k, l) { p: on T wants k holding l -> q; q: on U read x -> r; r: on U wants k -> s; }",
        "automaton apart(T, U; ; k, l) { p: on T wants k -> q; q: on U wants l -> r; r: on U begin -> s; }",
    ];
    let own = automata.map(|text| Arc::new(Property::of_automaton(text.parse().expect("an automaton"))));
    let (mut trivial, mut possible) = (0, 0);
    for seed in 0..150 {
        let model = random_model(seed);
        let asked = Selection::default().ask(&model, &own).expect("nothing is named");
        let all: Vec<_> = asked.all().collect();
        assert_eq!(asked.count(), all.len(), "seed {seed}");
        let worth: Vec<_> = all.iter().filter(|query| !asked.is_trivial(query)).cloned().collect();
        assert!(asked.possible().eq(worth.iter().cloned()), "seed {seed}");
        possible += worth.len();
        trivial += all.len() - worth.len();
    }
    assert!(trivial > 300 && possible > 300, "{trivial} trivial, {possible} possible");
}

/// Four of 100 locations can be chosen in 94 million ways. The conditions that make all of them impossible are checked
/// first: no process can be a thread, or only one instance can be both threads.
#[test]
fn impossible_choices_of_locations_are_not_made() {
    let names: Vec<_> = (0..100).map(|number| format!("x{number}")).collect();
    let reads: String = names.iter().map(|name| format!("read {name}; ")).collect();
    let text = format!("shared {}; process P {{ {reads} write x0; }} process Q {{ read x0; }}", names.join(","));
    let overlapping = text.replace("process P", "atomicset A { x0, x1 } atomicset B { x1, x2, x3, x4 } process P");
    let reads = "p: on T read a -> q; q: on T read b -> r; r: on T read c -> s;";
    for last in ["U begin", "U write d", "U atomic read d", "T write d -> u; u: on U read b"] {
        let automaton = format!("automaton four(T, U; a, b, c, d) {{ {reads} s: on {last} -> t; }}");
        let property = [Arc::new(Property::of_automaton(automaton.parse().expect("an automaton")))];
        for (text, count) in [(&text, 2 * 100 * 99 * 98 * 97), (&overlapping, 2 * 24)] {
            let model = model(text);
            let asked = Selection::default().ask(&model, &property).expect("nothing is named");
            assert_eq!((asked.count(), asked.possible().next()), (count, None), "{last}");
        }
    }
}

/// With one thread, location or lock too few for the parameters, no choice is begun.
#[test]
fn choices_without_completions_are_not_begun() {
    let each = |count: usize, part: &dyn Fn(usize) -> String| (0..count).map(part).collect::<Vec<_>>();
    let processes = each(15, &|i| format!("process P{i} {{ atomic {{ read x{i}; }} sync l{i} {{ }} }}")).join(" ");
    let [locations, locks] = ["x", "l"].map(|name| each(15, &|i| format!("{name}{i}")).join(", "));
    let model = model(&format!("shared {locations}; lock {locks}; {processes}"));
    let names = |name: &str| each(16, &|i| format!("{name}{i}")).join(", ");
    let automata = [
        (names("T"), each(16, &|i| format!("q{i}: on T{i} begin -> q{};", i + 1))),
        (format!("T; {}", names("a")), each(16, &|i| format!("q{i}: on T read a{i} -> q{};", i + 1))),
        (format!("T; ; {}", names("k")), each(16, &|i| format!("q{i}: on T wants k{i} -> q{};", i + 1))),
    ];
    for (parameters, phases) in automata {
        let text = format!("automaton many({parameters}) {{ {} }}", phases.join(" "));
        let property = [Arc::new(Property::of_automaton(text.parse().expect("an automaton")))];
        let asked = Selection::default().ask(&model, &property).expect("nothing is named");
        assert_eq!((asked.count(), asked.all().next(), asked.possible().next()), (0, None, None), "{parameters}");
    }
}

/// 700 million queries are possible.
#[test]
fn looking_for_possible_queries_can_be_cancelled() {
    let names: Vec<_> = (0..60).map(|number| format!("x{number}")).collect();
    let reads: String = names.iter().map(|name| format!("read {name}; ")).collect();
    let processes: String = (0..60).map(|own| format!("process P{own} {{ {reads} }} ")).collect();
    let model = model(&format!("shared {}; {processes}", names.join(",")));
    let text = "automaton four(T; a, b, c, d) {
        p: on T read a -> q; q: on T read b -> r; r: on T read c -> s; s: on T read d -> t;
    }";
    let property = [Arc::new(Property::of_automaton(text.parse().expect("an automaton")))];
    let asked = Selection::default().ask(&model, &property).expect("nothing is named");
    let cancellation = asercheck::Cancellation::default();
    let mut possible = asked.possible_until(&cancellation);
    assert!(possible.next().is_some());
    cancellation.cancel();
    assert!(possible.count() < 60 * 60, "what is left of the first three locations");
}

/// Trivial queries are never violated.
#[test]
fn trivial_queries_are_safe() {
    let bounds = Bounds { states: 3000, instances: 4, stack: 4, ..Bounds::default() };
    let options = Options::default().with_engine(Engine::Interleave).with_bounds(bounds);
    let (mut safe, mut open) = (0, 0);
    for seed in 1000..1080 {
        let model = random_model(seed);
        let automata = generate::automata::automata(seed);
        let properties: Vec<_> = Property::all_patterns(UnitMode::First)
            .into_iter()
            .chain([Arc::new(Property::race())])
            .chain(automata.into_iter().map(Property::of_automaton).map(Arc::new))
            .collect();
        let asked = Selection::default().ask(&model, &properties).expect("nothing is named");
        let trivial: Vec<_> = asked.all().filter(|query| asked.is_trivial(query)).take(60).collect();
        let outcomes =
            check_all(&model, &trivial, &options, |_, _| {}).unwrap_or_else(|error| panic!("{seed}: {error}"));
        for (query, outcome) in trivial.iter().zip(outcomes) {
            match outcome.verdict {
                Verdict::Safe => safe += 1,
                Verdict::Unknown(_) => open += 1,
                Verdict::Violation(_) => panic!("seed {seed}: {}", crate::suite::support::describe(&model, query)),
            }
        }
    }
    assert!(safe > 500, "{safe} safe, {open} open");
}

/// Queries that no access can violate are not constructed: 10,000 locations have 1.8 thousand million of them.
#[test]
fn queries_that_no_access_can_violate_cost_nothing() {
    let names: Vec<_> = (0..10_000).map(|number| format!("x{number}")).collect();
    let text = format!(
        "shared {}; process P * 2 {{ atomic {{ read x7000; write x7000; }} }} process Q {{ write x7000; }}",
        names.join(",")
    );
    let model = model(&text);
    let properties = Property::all_patterns(UnitMode::Both);
    let asked = Selection::default().ask(&model, &properties).expect("nothing is named");
    assert_eq!(asked.count(), (5 * 10_000 + 9 * 10_000 * 9_999) * 3);
    let mut decided = Vec::new();
    let done = |number, query: &Query, outcome: asercheck::Outcome| {
        assert_eq!(query.locations(), [LocationId::new(7000)]);
        decided.push((number, outcome.verdict == Verdict::Safe));
    };
    asercheck::check_each(&model, asked.possible(), &Options::default(), done).expect("no fault");
    assert!(decided.len() == 9 && decided.iter().any(|(_, is_safe)| !is_safe), "{decided:?}");
}

/// Also if every location is a set of its own, or in a set with few others.
#[test]
fn many_small_sets_cost_no_pairs() {
    let names: Vec<_> = (0..6_000).map(|number| format!("x{number}")).collect();
    let accesses: String = names.iter().map(|name| format!("read {name}; ")).collect();
    let sets: String =
        (0..3_000).map(|pair| format!("atomicset S{pair} {{ x{}, x{} }} ", 2 * pair, 2 * pair + 1)).collect();
    let text = format!("shared {}; {sets} process P {{ {accesses} }}", names.join(","));
    let model = model(&text);
    let property = [Arc::new(Property::of_automaton(TWO.replace("write", "read").parse().expect("an automaton")))];
    let asked = Selection::default().ask(&model, &property).expect("nothing is named");
    assert_eq!((asked.count(), asked.possible().count()), (6_000, 6_000));
}

/// Front ends may create processes with any names, also with names of instances.
#[test]
fn processes_may_be_named_like_instances() {
    for (names, multiplicity) in
        [(["P", "P#2"], Multiplicity::Single), (["P#1", "P"], Multiplicity::Many), (["a#b", "#2"], Multiplicity::Many)]
    {
        let mut builder = GraphBuilder::new();
        let at = builder.file("Made.java").at(1, 1);
        let x = builder.location("x", at);
        for name in names {
            let (_, process) = builder.process(name, multiplicity, at);
            let steps = [Operation::Begin, Operation::Read(x), Operation::Write(x), Operation::End, Operation::Return];
            let nodes = steps.map(|step| builder.node(process, step, at));
            nodes.windows(2).for_each(|pair| builder.edge(pair[0], pair[1]));
        }
        let (model, _) = builder.build().expect("it is a model");
        let queries = pattern_queries(&model, UnitMode::Both);
        let outcomes = check_all(&model, &queries, &Options::default(), |_, _| {}).expect("witnesses replay");
        let is_violation = |outcome: &Outcome| matches!(outcome.verdict, Verdict::Violation(_));
        assert!(outcomes.iter().filter(|outcome| is_violation(outcome)).count() >= 2, "{names:?}");
    }
}
