//! What an `invokedynamic` does, where its bootstrap method is one of those that compilers use.

use crate::class_file::{Bootstrap, Entry, Handle, Name, Names, Pool};

/// An `invokedynamic`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// Its name: for a lambda, the interface's method.
    pub name: Name,
    /// What it takes and gives: for a lambda, what is captured and the interface.
    pub descriptor: Name,
    /// What it does.
    pub action: CallSiteAction,
}

/// What a call site does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallSiteAction {
    /// Makes an object of an interface from a lambda or a method reference.
    Lambda {
        /// What the interface's method runs: the values captured are its first arguments.
        implementation: Handle,
        /// The descriptor of the interface's method, as the interface declares it.
        declared: Name,
    },
    /// Joins strings; the parts that are no constants are its arguments, of which objects are asked with `toString`.
    Concatenation,
    /// `equals`, `hashCode` or `toString` of a record: reads its components.
    RecordMethod,
    /// Chooses a case of a `switch` over patterns.
    PatternSwitch,
    /// Something else, computed by this method.
    Other(Handle),
}

/// What a bootstrap method makes of a call site.
pub(crate) fn action(names: &Names, pool: &Pool, bootstrap: &Bootstrap) -> CallSiteAction {
    let member = bootstrap.method.member;
    let class = names.text(member.class);
    let argument = |index: usize| bootstrap.arguments.get(index).map_or(Entry::None, |entry| pool.get(*entry));
    match (class, names.text(member.name)) {
        ("java/lang/invoke/LambdaMetafactory", "metafactory" | "altMetafactory") => match (argument(0), argument(1)) {
            (Entry::MethodType(declared), Entry::Handle(implementation)) => {
                CallSiteAction::Lambda { implementation, declared }
            }
            _ => CallSiteAction::Other(bootstrap.method),
        },
        ("java/lang/invoke/StringConcatFactory", "makeConcatWithConstants" | "makeConcat") => {
            CallSiteAction::Concatenation
        }
        ("java/lang/runtime/ObjectMethods", "bootstrap") => CallSiteAction::RecordMethod,
        ("java/lang/runtime/SwitchBootstraps", "typeSwitch" | "enumSwitch") => CallSiteAction::PatternSwitch,
        _ => CallSiteAction::Other(bootstrap.method),
    }
}
