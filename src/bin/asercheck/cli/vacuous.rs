//! Vacuous models, in which no query can be violated whatever they do.

use super::arguments::QuestionArguments;
use asercheck::model::{Loaded, Model, Warning};
use asercheck::query::QuerySet;

/// Returns the reason if there are fewer than the two locks that a deadlock needs.
fn few_locks(model: &Model) -> Option<String> {
    (model.locks().len() < 2).then(|| "the model has fewer than two locks".to_string())
}

/// Returns the reasons why no interleaving of the model can violate any query, if there is a simple reason for each
/// kind of question.
pub(crate) fn vacuous(loaded: &Loaded, question: &QuestionArguments) -> Option<String> {
    let first = |excludes: fn(&Warning) -> bool| {
        let warning = loaded.warnings.iter().find(|warning| excludes(warning));
        warning.map(|warning| warning.diagnostic().message().to_string())
    };
    let kinds = [
        (!question.pattern_numbers().is_empty(), first(Warning::is_about_patterns)),
        (question.of.races, first(Warning::excludes_races)),
        (question.deadlocks, first(Warning::excludes_deadlocks).or_else(|| few_locks(&loaded.model))),
        (!question.of.automaton.is_empty(), first(|warning| *warning == Warning::NoProcess)),
    ];
    let mut reasons: Vec<_> = kinds.into_iter().filter(|(is_asked, _)| *is_asked).map(|(_, reason)| reason).collect();
    reasons.dedup();
    let reasons: Option<Vec<String>> = reasons.into_iter().collect();
    reasons.map(|reasons| reasons.join("; "))
}

/// Returns the reason why no interleaving can violate any query about the selected names, if no query is left that
/// accesses could violate, and no cycle of locks. The needs of the user's automata are unknown.
pub(crate) fn nothing_named(
    asked: &QuerySet<'_>,
    question: &QuestionArguments,
    has_cycles: impl FnOnce() -> bool,
) -> Option<String> {
    let is_known = question.names_parts() && question.of.automaton.is_empty();
    let is_empty = is_known && asked.possible().next().is_none() && !(question.deadlocks && has_cycles());
    is_empty.then(|| match question.deadlocks {
        true => "what is named is in no cycle of locks".into(),
        false => "no accesses and units of work of what is named can make a violation".into(),
    })
}
