//! What a proof rests on, and where precision is given up.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What a proof rests on besides the rules of the language.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assumption {
    /// A given native method does nothing to the subject.
    Native(String),
    /// What is called or accessed by reflection with this method, or by a handle of which it is not known what it
    /// accesses, is nothing of the subject.
    Reflected(String),
    /// A method of which the table says nothing reads and writes what it is given.
    WithoutRow(String),
    /// Violations between two different objects of a region are not looked for.
    OneRepresentative(String),
    /// Clients do not themselves access this container or array, which they hold, and do not give it to other methods.
    HeldOutside(String),
    /// What a compare-and-set finds again has not changed in between.
    Aba,
    /// What a call has other threads do is no part of it, also if it waits for them.
    Started,
    /// No error of the virtual machine is thrown that code catches: no stack overflows, memory suffices.
    NoErrors,
    /// Class initializers have run.
    Initialized,
    /// What a constructor assigns to references is there for those to whom it gives the object before it is done.
    MadeFirst,
    /// Clients give what the object holds to no other object of its class.
    GivenOnce,
    /// No object of the class, and none that it holds, is among what clients give as objects of any type, of which the
    /// class calls a method that such an object has itself: `hashCode` of a key.
    NotAmongAny(String),
    /// Objects that clients give by a universal type, and that this holds, are not followed.
    OfAnyType(String),
    /// Calls from which much can be reached are left out.
    LeftOut,
    /// Executions end where locks do not nest, and where there are too many states.
    CutShort,
}

/// Makes an assumption of one kind of a name, or of several.
type Constructor = fn(String) -> Assumption;

impl Assumption {
    /// The kind and the name, if assumptions of this kind have one.
    fn named(&self) -> Option<(Constructor, &str)> {
        match self {
            Self::Native(name) => Some((Self::Native, name)),
            Self::Reflected(name) => Some((Self::Reflected, name)),
            Self::WithoutRow(name) => Some((Self::WithoutRow, name)),
            Self::OneRepresentative(name) => Some((Self::OneRepresentative, name)),
            Self::HeldOutside(name) => Some((Self::HeldOutside, name)),
            Self::NotAmongAny(name) => Some((Self::NotAmongAny, name)),
            Self::OfAnyType(name) => Some((Self::OfAnyType, name)),
            Self::Aba
            | Self::Started
            | Self::NoErrors
            | Self::Initialized
            | Self::MadeFirst
            | Self::GivenOnce
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
            Self::Aba => out.write_str("a value that a compare-and-set finds again has not changed in between"),
            Self::MadeFirst => out.write_str("who gets the object before its constructor is done finds its references there"),
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

/// Assumptions as people read them, each once: what is assumed of several methods, or paths, alike is one, and names
/// all of them, the nearest paths first. Names stand between backticks.
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

/// Names as alternatives: `a`, `a` or `b`, `a`, `b` or `c`.
fn listed(names: &[&str]) -> String {
    match names.split_last() {
        Some((last, [])) => (*last).to_string(),
        Some((last, first)) => format!("{} or {last}", first.join(", ")),
        None => String::new(),
    }
}

/// Where precision is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Coarsening {
    /// A call may run more methods than are told apart.
    Targets,
    /// Objects lie deeper than is told apart.
    Deep,
    /// A method has no row.
    Row,
}

impl Coarsening {
    /// What is counted, as people read it.
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
