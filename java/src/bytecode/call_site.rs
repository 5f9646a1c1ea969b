//! Call sites (`invokedynamic`), with the effects of the bootstrap methods that compilers use.

use crate::class_file::{Bootstrap, Entry, Handle, Name, Names, Pool};

/// A call site: an `invokedynamic` instruction with its bootstrap method resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// Its name; for a lambda, the name of the interface method.
    pub name: Name,
    /// Its descriptor; for a lambda, from the captured values to the interface.
    pub descriptor: Name,
    /// Its effect.
    pub action: CallSiteAction,
}

/// The effect of a call site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallSiteAction {
    /// Creates an object of a functional interface from a lambda or a method reference.
    Lambda {
        /// The method that implements the interface method. The captured values are its first arguments.
        implementation: Handle,
        /// The descriptor of the interface method, as the interface declares it.
        declared: Name,
    },
    /// Concatenates strings. The arguments are the non-constant parts; `toString` is called on objects among them.
    Concatenation,
    /// `equals`, `hashCode` or `toString` of a record, which reads its components.
    RecordMethod,
    /// Selects a case of a pattern `switch`.
    PatternSwitch,
    /// Any other effect, with the bootstrap method.
    Other(Handle),
}

/// The effect of the call sites with a bootstrap method.
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
