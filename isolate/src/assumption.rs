//! Assumptions of proofs, and counters of lost precision.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// An assumption of a proof beyond the rules of the language.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assumption {
    /// A native method of the program does nothing to the subject.
    Native(String),
    /// A reflective call with this method, or an access by a handle with unknown target, does not concern the subject.
    Reflected(String),
    /// A method without a row in the library table reads and writes its arguments.
    WithoutRow(String),
    /// Violations between two different objects of a region are not searched for.
    OneRepresentative(String),
    /// Clients that hold this container or array neither access it themselves nor pass it to other methods.
    HeldOutside(String),
    /// A location at which a compare-and-set finds the expected value has not changed in between (no ABA).
    Aba,
    /// This method reads all of a concurrent container as it is at one time.
    AtOneTime(String),
    /// The state of a lock that this method returns is not compared.
    LockState(String),
    /// Clients do not themselves access this field.
    OpenField(String),
    /// Work that a call hands to other threads is not part of the call, even if the call waits for it.
    Started,
    /// The virtual machine throws no error that code catches: no stack overflow, no lack of memory.
    NoErrors,
    /// Class initializers have run.
    Initialized,
    /// Whoever gets an object before its constructor has finished finds the references that the constructor assigns.
    MadeFirst,
    /// Objects of other subjects that static fields lead to are asked about as these subjects.
    OtherSubjects,
    /// Clients pass an object that the subject's object holds to no other object of its class.
    GivenOnce,
    /// Where the class calls this method on objects of a universal type, such as `hashCode` of a key, clients pass no
    /// object of the class or held by it that implements the method itself.
    NotAmongAny(String),
    /// Objects that clients pass by a universal type and that this path holds are not followed.
    OfAnyType(String),
    /// Calls from which many methods can be reached are left out.
    LeftOut,
    /// Executions end where locks do not nest, and where there are too many states.
    CutShort,
}

/// Makes an assumption of one kind from a name, or from a list of names.
type Constructor = fn(String) -> Assumption;

impl Assumption {
    /// The kind and the name, if assumptions of this kind have a name.
    fn named(&self) -> Option<(Constructor, &str)> {
        match self {
            Self::Native(name) => Some((Self::Native, name)),
            Self::Reflected(name) => Some((Self::Reflected, name)),
            Self::WithoutRow(name) => Some((Self::WithoutRow, name)),
            Self::OneRepresentative(name) => Some((Self::OneRepresentative, name)),
            Self::HeldOutside(name) => Some((Self::HeldOutside, name)),
            Self::NotAmongAny(name) => Some((Self::NotAmongAny, name)),
            Self::OfAnyType(name) => Some((Self::OfAnyType, name)),
            Self::AtOneTime(name) => Some((Self::AtOneTime, name)),
            Self::LockState(name) => Some((Self::LockState, name)),
            Self::OpenField(name) => Some((Self::OpenField, name)),
            Self::Aba
            | Self::Started
            | Self::NoErrors
            | Self::Initialized
            | Self::MadeFirst
            | Self::GivenOnce
            | Self::OtherSubjects
            | Self::LeftOut
            | Self::CutShort => None,
        }
    }
}

impl fmt::Display for Assumption {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Native(method) => write!(out, "a call of {method}, which is native, does nothing to the object"),
            Self::Reflected(method) => write!(out, "what {method} finds by its name is nothing of the object"),
            Self::WithoutRow(method) => {
                write!(out, "a call of {method}, which is not in the library table, may read and write what it is given")
            }
            Self::OneRepresentative(of) => write!(out, "violations between two different objects of {of} are not looked for"),
            Self::HeldOutside(of) => {
                write!(
                    out,
                    "clients do not themselves access {of}, which they have got from the object or given to it, nor \
                     give it to other methods"
                )
            }
            Self::AtOneTime(method) => {
                write!(out, "where {method} visits all of a concurrent container, it sees it as it is at one time")
            }
            Self::LockState(method) => write!(out, "the state of a lock that {method} returns is not compared"),
            Self::OpenField(field) => write!(out, "clients do not themselves access {field}"),
            Self::Aba => out.write_str("a value that a compare-and-set finds again has not changed in between"),
            Self::MadeFirst => out.write_str("who gets the object before its constructor is done finds its references there"),
            Self::OtherSubjects => {
                out.write_str("objects that static fields lead to are only looked at on their own if they are of classes that are")
            }
            Self::GivenOnce => out.write_str("clients give what the object holds to no other object of its class"),
            Self::NotAmongAny(method) => {
                write!(
                    out,
                    "where {method} is called of objects of any type, clients give none of the class and none that it \
                     holds"
                )
            }
            Self::OfAnyType(of) => {
                write!(out, "what {of} holds is not looked at where clients give it as an object of any type")
            }
            Self::Started => out.write_str("what a call has other threads do is no part of the call, also if it waits for them"),
            Self::NoErrors => out.write_str("the virtual machine throws no errors, such as StackOverflowError"),
            Self::Initialized => out.write_str("class initializers have run"),
            Self::LeftOut => out.write_str("calls of other classes are left out if much can be reached from them: what is not violated is not decided"),
            Self::CutShort => out.write_str("executions are followed up to where locks do not nest, or too much follows: what is not violated is not decided"),
        }
    }
}

/// Assumptions as text for reports. Assumptions of one kind are merged into one text that names all methods or paths,
/// the shortest paths first. Names stand between backticks.
pub(crate) fn assumption_texts(assumptions: &BTreeSet<Assumption>) -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    let mut alike: BTreeMap<Assumption, (Constructor, Vec<&str>)> = BTreeMap::new();
    for assumption in assumptions {
        match assumption.named() {
            None => drop(texts.insert(assumption.to_string())),
            Some((kind, name)) => alike.entry(kind(String::new())).or_insert((kind, Vec::new())).1.push(name),
        }
    }
    for (kind, mut names) in alike.into_values() {
        names.sort_by_key(|name| name.matches(['.', '[']).count());
        texts.insert(kind(listed(&names)).to_string());
    }
    texts
}

/// Joins names as alternatives: `a`; `a` or `b`; `a`, `b` or `c`.
fn listed(names: &[&str]) -> String {
    match names.split_last() {
        Some((last, [])) => (*last).to_string(),
        Some((last, first)) => format!("{} or {last}", first.join(", ")),
        None => String::new(),
    }
}

/// A place where the analysis loses precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Coarsening {
    /// A call may run more methods than the analysis distinguishes.
    Targets,
    /// Objects lie deeper than the analysis distinguishes.
    Deep,
    /// A method has no row in the library table.
    Row,
}

impl Coarsening {
    /// The name of the counter in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Targets => "calls that may run more methods than are told apart",
            Self::Deep => "objects that lie deeper than is told apart",
            Self::Row => "methods that are not in the library table",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_of_one_kind_are_told_together() {
        let methods = ["`close`", "`equals`", "`run`"].map(|name| Assumption::NotAmongAny(name.to_string()));
        let texts = assumption_texts(&methods.into_iter().chain([Assumption::Aba]).collect());
        let begin = "where `close`, `equals` or `run` is called of objects of any type, ";
        assert_eq!(texts.len(), 2);
        assert!(texts.iter().any(|one| one.starts_with(begin)), "{texts:?}");
        assert!(texts.contains(&Assumption::Aba.to_string()));
        let paths = ["`this.list[]`", "`this.held`"].map(|path| Assumption::OfAnyType(path.to_string()));
        let texts = super::assumption_texts(&paths.into());
        assert!(texts.iter().all(|one| one.starts_with("what `this.held` or `this.list[]` holds ")), "{texts:?}");
        assert_eq!(texts.len(), 1);
        let outside = ["`a`", "`b`", "`c`"].map(|path| Assumption::HeldOutside(path.to_string()));
        let texts =
            super::assumption_texts(&outside.into_iter().chain([Assumption::Native("`x`".to_string())]).collect());
        assert!(texts.iter().any(|one| one.contains("access `a`, `b` or `c`, which")), "{texts:?}");
        assert_eq!(texts.len(), 2);
    }
}
