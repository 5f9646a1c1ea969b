//! The sentence that describes a violation to a caller: the result that no serial order of the two calls gives.

use super::code::Flows;
use super::effect::Failure;
use super::{Case, only_reads};
use crate::violations::section::own_accesses;
use decide::findings::Group;
use isolate::Meanings;

/// The facts of the code on which the sentence depends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown {
    pub(super) flows: Flows,
    /// The exception that the unit throws, if it is known.
    pub(super) failure: Option<Failure>,
    /// Whether the unit replaces an element that the interfering call has put in.
    pub(super) replaces: bool,
    /// Whether the last write of the unit keeps the changes of others.
    pub(super) keeps: bool,
}

/// The sentence. It speaks of a lost update only if the written value depends on the value that was read, and of an
/// exception only if the code shows which one.
pub(super) fn sentence(case: &Case<'_>, shown: Shown) -> String {
    let Shown { flows, failure, replaces, keeps } = shown;
    let (unit, by) = (plain(case.unit_label), plain(case.by_label));
    let what = joined(case.locations);
    let only_reads = only_reads(case.witness);
    let is_tested = flows.is_known && flows.to_condition;
    if let Some(failure) = failure {
        // The exception comes from the last access.
        let used = own_accesses(case.witness).last().and_then(|place| case.witness.steps[*place].object.as_deref());
        let what = readable(used.unwrap_or(&what));
        return format!("{unit} can throw {}: {}", failure.exception(), because(failure, [&unit, &by], what));
    }
    match case.group {
        Group::LostUpdate if replaces => {
            format!(
                "an element that {by} puts into {what} is lost: {unit} finds none before, and replaces it afterwards"
            )
        }
        Group::Deadlock => format!("{unit} and {by} can wait for each other for ever"),
        Group::Observed => format!("{unit} and {by} are not atomic"),
        Group::Race => format!("{unit} and {by} access {what} at the same time without a common lock"),
        Group::Automaton => format!("{unit} and {by} can do on {what} what the automaton forbids"),
        Group::LostUpdate if keeps && !is_tested => {
            format!("{unit} changes {what} again after {by} has changed it, and both changes stay")
        }
        Group::LostUpdate if flows.is_known && flows.to_later && !only_reads && !keeps => {
            format!("{unit} writes {what} from a value that {by} has changed meanwhile: one of the two changes is lost")
        }
        Group::LostUpdate if is_tested => {
            format!("{unit} tests {what} and then writes, but {by} can change it in between: the test no longer holds")
        }
        Group::LostUpdate => format!("{unit} can overwrite what {by} has just written to {what}"),
        Group::InconsistentValues => {
            format!("{unit} and {by} both write {what}: a mixture of both can be left behind")
        }
        Group::UnrepeatableRead if only_reads && is_tested && flows.later_is_dereferenced => {
            format!("{unit} tests {what} and then uses another value: {by} changes it in between")
        }
        Group::UnrepeatableRead if only_reads => {
            format!("{unit} reads {what} twice and can see two different values, as {by} changes it in between")
        }
        Group::UnrepeatableRead if is_tested => {
            format!("{unit} decides by {what} and then writes, but {by} can change it in between")
        }
        Group::UnrepeatableRead => {
            format!("{unit} does not read from {what} what it has written: {by} comes in between")
        }
        Group::IntermediateRead => {
            format!("{by} can see a value of {what} that {unit} is about to replace")
        }
        Group::InconsistentReads if only_reads => {
            format!("{unit} can see {what} in different states: {by} changes them in between")
        }
        Group::InconsistentReads => {
            format!("{by} can see {what} in different states, as {unit} has changed only some of them")
        }
    }
}

/// The reason of an exception.
fn because(failure: Failure, [unit, by]: [&str; 2], what: &str) -> String {
    match failure {
        Failure::Division => format!("{by} sets {what} to 0 after {unit} has tested it, and {unit} divides by it"),
        Failure::Null => format!("{by} sets {what} to null after {unit} has tested it"),
        Failure::NullElement => format!("{by} removes from {what} the element that {unit} has found"),
        Failure::Missing(_) => format!("{by} removes an element from {what} after {unit} has looked"),
        Failure::Iteration => format!("{by} changes {what} while {unit} iterates over it"),
        Failure::Index => format!("{by} lowers {what} after {unit} has tested it, and {unit} uses it as an index"),
    }
}

/// A unit without the parameters: `this.take()`, or `take()`.
fn plain(label: &str) -> String {
    let name = label.split('(').next().unwrap_or(label);
    let name = name.strip_prefix("this.").unwrap_or(name);
    if label.contains('(') { format!("{name}()") } else { name.to_string() }
}

/// `a`, `a and b`. The content of an object is named by the object, and objects without a name by a word.
fn joined(names: &[String]) -> String {
    let mut names: Vec<&str> = names.iter().map(|name| readable(name)).collect();
    names.dedup();
    names.join(" and ")
}

/// The name of a location in a sentence.
fn readable(name: &str) -> &str {
    if name.ends_with(Meanings::DEEP) { "an object inside" } else { name.trim_end_matches("[]") }
}
