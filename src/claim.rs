//! From queries to the claims of certificates.

use certify::{Asked, Claim};
use decide::query::Query;
use eml::model::Model;

/// The claim that a query is safe, by names.
///
/// ```
/// use asercheck::certify::Certificates;
/// use asercheck::claim::claim;
/// use asercheck::query::{Property, Selection};
/// use asercheck::{Limits, model, phases::UnitMode, syntax};
/// use limits::Meter;
///
/// let text = "lock l; shared x; process P * 2 { atomic { sync l { read x; write x; } } }";
/// let model = model::from_text("counter.eml", text)?.model;
/// let queries = Selection::default().queries(&model, &Property::all_patterns(UnitMode::Both))?;
/// let program = syntax::parse(text).expect("it was read before");
/// let mut certificates = Certificates::new(&program, UnitMode::Both);
/// for query in &queries {
///     certificates.add(&claim(&model, query), &Meter::start(&Limits::default()))?;
/// }
/// assert_eq!(certificates.len(), queries.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn claim(model: &Model, query: &Query) -> Claim {
    let property = query.property();
    let question = match property.pattern() {
        Some(pattern) => Asked::Pattern(pattern.number()),
        None if property.is_race() => Asked::Race,
        None if property.is_deadlock() => Asked::Deadlock,
        None => Asked::Automaton(property.automaton().clone()),
    };
    Claim {
        question,
        locations: query.locations().iter().map(|id| model.location(*id).name().to_string()).collect(),
        locks: query.locks().iter().map(|id| model.lock(*id).name().to_string()).collect(),
        processes: query.processes().iter().map(|id| model.process(*id).name().to_string()).collect(),
    }
}
