//! Calls that library methods make on their own object.
//!
//! A class that inherits `OutputStream.write(byte[])` and overrides `write(int)` runs its own `write(int)` once for
//! each byte. The rows of the table describe effects on contents; this list describes which other methods of the same
//! object a method calls, and which methods it calls on the results of these calls: `iterator()`, `iterator().next()`.
//!
//! **Invariant.** If a class is in the list, the list has every public and protected method of it that calls methods
//! which a subclass can override, with all these calls. A call without `*` happens at most once in each call of the
//! method. The order of the calls is that of the code. A method that overrides a listed one and calls nothing has the
//! line `nothing`. Calls on objects that the method makes itself, such as an iterator of `AbstractList`, are not in the
//! list; nor are calls whose result is only the text of an exception.
//!
//! **Source.** The bytecode of `java.base` of JDK 17, for `List` of JDK 21, and for newer methods of texts, futures and
//! executors of JDK 25: calls on variables that hold the receiver, through private and final methods, static methods
//! and lambdas that get it.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// A method of a library class with the calls on its own object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodWithOwnCalls {
    /// Its name and the types of its parameters, as in a descriptor: `write([BII)`.
    pub signature: Box<str>,
    /// Whether it is public; otherwise it is protected.
    pub is_public: bool,
    /// The calls, in the order of the code.
    pub calls: Box<[OwnCall]>,
}

/// A call on the object, or on the result of such a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnCall {
    /// The signatures of the called methods: each is called on the result of the one before, the first one on the
    /// object. The call is the last one.
    pub path: Box<[Box<str>]>,
    /// Whether it may happen more than once.
    pub is_repeated: bool,
}

static CLASSES: LazyLock<FxHashMap<&'static str, Vec<MethodWithOwnCalls>>> =
    LazyLock::new(|| parse(include_str!("own_calls.txt")));

/// The methods of a library class that call other methods of their object; none if nothing is known of the class.
pub fn own_calls(class: &str) -> Option<&'static [MethodWithOwnCalls]> {
    CLASSES.get(class).map(Vec::as_slice)
}

/// The classes of which the calls are known.
pub fn classes_with_own_calls() -> impl Iterator<Item = &'static str> {
    CLASSES.keys().copied()
}

fn parse(text: &str) -> FxHashMap<&str, Vec<MethodWithOwnCalls>> {
    let mut found: FxHashMap<&str, Vec<MethodWithOwnCalls>> = FxHashMap::default();
    let mut class = "";
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        match line.strip_prefix("    ") {
            Some(line) => found.entry(class).or_default().push(method(line)),
            None => {
                class = line;
                found.entry(class).or_default();
            }
        }
    }
    found
}

fn method(line: &str) -> MethodWithOwnCalls {
    let (signature, calls) = line.split_once(": ").unwrap_or((line, ""));
    let (is_public, signature) = match signature.strip_prefix("protected ") {
        Some(signature) => (false, signature),
        None => (true, signature),
    };
    let calls = calls.split_whitespace().filter(|call| *call != "nothing").map(|call| {
        let path = call.strip_suffix('*').unwrap_or(call);
        OwnCall { path: path.split('.').map(Box::from).collect(), is_repeated: call.ends_with('*') }
    });
    MethodWithOwnCalls { signature: signature.into(), is_public, calls: calls.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_signatures_and_calls() {
        let found = method("remove(Ljava/lang/Object;): iterator() iterator().next()*");
        assert_eq!((&*found.signature, found.is_public), ("remove(Ljava/lang/Object;)", true));
        let calls: Vec<_> = found.calls.iter().map(|call| (call.path.len(), call.is_repeated)).collect();
        assert_eq!(calls, [(1, false), (2, true)]);
        assert!(method("protected removeRange(II): nothing").calls.is_empty());
    }

    #[test]
    fn signatures_are_names_with_types() {
        let is_one = |text: &str| text.contains('(') && text.ends_with(')') && !text.starts_with('(');
        for methods in CLASSES.values() {
            for method in methods {
                assert!(is_one(&method.signature), "{}", method.signature);
                for call in &method.calls {
                    assert!(call.path.iter().all(|one| is_one(one)), "{:?}", call.path);
                }
            }
        }
        assert!(own_calls("java/io/OutputStream").is_some() && own_calls("unknown/Class").is_none());
    }
}
