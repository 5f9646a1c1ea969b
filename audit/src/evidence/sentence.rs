//! The sentence that describes a violation to a caller.

use super::code::Flows;
use super::{Case, only_reads};
use decide::findings::Group;

/// The sentence. It speaks of a lost update only if the written value depends on the value that was read.
pub(super) fn sentence(case: &Case<'_>, flows: Flows) -> String {
    let (unit, by) = (plain(case.unit_label), plain(case.by_label));
    let what = joined(case.locations);
    let only_reads = only_reads(case.witness);
    let is_tested = flows.is_known && flows.to_condition;
    match case.group {
        Group::Deadlock => format!("{unit} and {by} can wait for each other for ever"),
        Group::Race => format!("{unit} and {by} access {what} at the same time without a common lock"),
        Group::Automaton => format!("{unit} and {by} can do on {what} what the automaton forbids"),
        Group::LostUpdate if flows.is_known && flows.to_later && !only_reads => {
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
            format!("{unit} tests {what} and reads it again to use it: if {by} changes it in between, the use can fail")
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

/// A unit without the parameters: `this.take()`, or `take()`.
fn plain(label: &str) -> String {
    let name = label.split('(').next().unwrap_or(label);
    let name = name.strip_prefix("this.").unwrap_or(name);
    if label.contains('(') { format!("{name}()") } else { name.to_string() }
}

/// `a`, `a and b`.
fn joined(names: &[String]) -> String {
    let mut names = names.to_vec();
    names.dedup();
    names.join(" and ")
}
