//! Calls of library methods, by the part that they have in a failure.
//!
//! A method is known by its name: names of collections, atomics and strings are the same in all classes of the library,
//! and in classes that imitate these.

use super::code;
use java::ir::{Body, Operation};
use java::{Constant, Program};

/// A call of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Call<'p> {
    /// The class, as the call names it.
    pub(super) owner: &'p str,
    /// The method.
    pub(super) name: &'p str,
    /// Whether it stores the number 0 in an atomic.
    pub(super) stores_zero: bool,
}

impl<'p> Call<'p> {
    /// The call that an operation makes, if it makes one.
    pub(super) fn of(program: &'p Program, body: &Body, operation: &Operation) -> Option<Self> {
        let Operation::Invoke { member, arguments, .. } = operation else { return None };
        let (owner, name) = (program.text(member.class), program.text(member.name));
        const STORES: [&str; 6] = ["set", "lazySet", "setPlain", "setRelease", "setOpaque", "getAndSet"];
        let is_zero = || {
            let stored = arguments.get(1).and_then(|stored| code::constant(body, *stored));
            matches!(stored, Some(Constant::Int(0) | Constant::Long(0)))
        };
        let is_atomic = owner.starts_with("java/util/concurrent/atomic/");
        let stores_zero =
            is_atomic && (STORES.contains(&name) && is_zero() || ["reset", "sumThenReset"].contains(&name));
        Some(Self { owner, name, stores_zero })
    }

    /// Whether it asks for the size of a collection, or whether or where an element is there.
    pub(super) fn looks_up(&self) -> bool {
        const NAMES: [&str; 15] = [
            "size",
            "isEmpty",
            "length",
            "contains",
            "containsKey",
            "containsValue",
            "indexOf",
            "lastIndexOf",
            "hasNext",
            "hasMoreElements",
            "peek",
            "peekFirst",
            "peekLast",
            "get",
            "empty",
        ];
        NAMES.contains(&self.name)
    }

    /// The exception that the call throws if the element is not there.
    pub(super) fn exception_if_missing(&self) -> Option<&'static str> {
        let is_any = |parts: &[&str]| parts.iter().any(|part| self.owner.contains(part));
        let is_list = is_any(&["List", "Vector", "Stack"]) && !is_any(&["LinkedBlocking"]);
        let is_ordered = is_any(&["Deque", "LinkedList", "Queue", "Sorted", "Tree", "Navigable"]);
        match self.name {
            "pop" | "peek" if self.owner == "java/util/Stack" => Some("EmptyStackException"),
            "firstElement" | "lastElement" => Some("NoSuchElementException"),
            "get" | "remove" | "elementAt" | "set" | "removeElementAt" | "setElementAt" | "subList" if is_list => {
                Some("IndexOutOfBoundsException")
            }
            "charAt" | "setCharAt" | "deleteCharAt" | "substring" if self.owner.contains("String") => {
                Some("StringIndexOutOfBoundsException")
            }
            "first" | "last" | "firstKey" | "lastKey" | "element" | "getFirst" | "getLast" | "removeFirst"
            | "removeLast" | "pop"
                if is_ordered =>
            {
                Some("NoSuchElementException")
            }
            "remove" if self.owner.contains("Queue") => Some("NoSuchElementException"),
            "next" | "nextElement" if is_any(&["Iterator", "Enumeration"]) => Some("NoSuchElementException"),
            _ => None,
        }
    }

    /// Whether the result of the call is null if the element is not there.
    pub(super) fn is_null_if_missing(&self) -> bool {
        const NAMES: [&str; 11] = [
            "get",
            "remove",
            "poll",
            "pollFirst",
            "pollLast",
            "peek",
            "peekFirst",
            "peekLast",
            "firstEntry",
            "lastEntry",
            "getProperty",
        ];
        NAMES.contains(&self.name) && !self.owner.contains("List")
    }
}

/// Whether a method removes elements.
pub(super) fn shrinks(name: &str) -> bool {
    const BEGINNINGS: [&str; 5] = ["remove", "clear", "poll", "delete", "drain"];
    const NAMES: [&str; 6] = ["pop", "take", "retainAll", "setSize", "setLength", "getAndClear"];
    BEGINNINGS.iter().any(|begin| name.starts_with(begin)) || NAMES.contains(&name)
}

/// Whether a method adds or removes elements, so that iterations fail.
pub(super) fn structural(name: &str) -> bool {
    const BEGINNINGS: [&str; 5] = ["add", "put", "push", "offer", "insert"];
    BEGINNINGS.iter().any(|begin| name.starts_with(begin)) || shrinks(name)
}

/// Whether one of some calls removes elements.
pub(super) fn removes(calls: &[Call<'_>]) -> bool {
    calls.iter().any(|call| shrinks(call.name))
}

#[cfg(test)]
mod tests {
    use super::{Call, shrinks, structural};

    #[test]
    fn a_missing_element_is_an_exception_or_null() {
        let call = |owner: &'static str, name: &'static str| Call { owner, name, stores_zero: false };
        let exception = |owner, name| call(owner, name).exception_if_missing();
        assert_eq!(exception("java/util/List", "get"), Some("IndexOutOfBoundsException"));
        assert_eq!(exception("java/util/Deque", "removeFirst"), Some("NoSuchElementException"));
        assert_eq!(exception("java/util/Map", "get"), None);
        assert!(
            call("java/util/Map", "get").is_null_if_missing() && !call("java/util/List", "get").is_null_if_missing()
        );
        assert!(shrinks("pollFirst") && structural("putIfAbsent") && !structural("get") && !shrinks("add"));
    }
}
