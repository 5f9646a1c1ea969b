//! Conventional names of classes, methods and fields, as a hint to their use.

/// The words of a name in camel case, in lower case: `PoolConfig` has `pool` and `config`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut was_small = false;
    for letter in name.chars() {
        let begins = letter.is_uppercase() && was_small || !letter.is_alphanumeric() || words.is_empty();
        if begins {
            words.push(String::new());
        }
        was_small = letter.is_lowercase() || letter.is_ascii_digit();
        if letter.is_alphanumeric() {
            words.last_mut().expect("one was begun").extend(letter.to_lowercase());
        }
    }
    words
}

fn simple(class: &str) -> &str {
    class.rsplit(['.', '$']).next().unwrap_or(class)
}

fn has_word(name: &str, known: &[&str]) -> bool {
    words(name).iter().any(|word| known.contains(&word.as_str()))
}

/// The last word of a class's name.
fn kind_of(class: &str) -> String {
    words(simple(class)).pop().unwrap_or_default()
}

/// Whether a class carries data: a message, an event, an exception, a configuration.
pub(super) fn is_carrier(class: &str) -> bool {
    const KINDS: [&str; 28] = [
        "exception",
        "error",
        "event",
        "message",
        "request",
        "response",
        "config",
        "configuration",
        "options",
        "settings",
        "properties",
        "info",
        "descriptor",
        "bean",
        "data",
        "dto",
        "record",
        "result",
        "params",
        "attributes",
        "definition",
        "packet",
        "frame",
        "node",
        "element",
        "statistics",
        "stats",
        "metadata",
    ];
    KINDS.contains(&kind_of(class).as_str())
}

/// Whether objects of a class are used by one thread at a time: builders, iterators, streams, parsers.
pub(super) fn has_one_user(class: &str) -> bool {
    const KINDS: [&str; 30] = [
        "builder",
        "iterator",
        "enumeration",
        "cursor",
        "parser",
        "lexer",
        "tokenizer",
        "scanner",
        "visitor",
        "stream",
        "reader",
        "writer",
        "encoder",
        "decoder",
        "serializer",
        "deserializer",
        "transformer",
        "walker",
        "spliterator",
        "inflater",
        "deflater",
        "digest",
        "formatter",
        "generator",
        "matcher",
        "printer",
        "statement",
        "handler",
        "transaction",
        "panel",
    ];
    KINDS.contains(&kind_of(class).as_str())
}

/// Whether a class, or a class around it, is a test by its name.
pub(super) fn is_test(class: &str) -> bool {
    let names = class.rsplit('.').next().unwrap_or(class).split('$');
    names.into_iter().any(|name| {
        let words = words(name);
        [words.first(), words.last()].into_iter().flatten().any(|word| word == "test" || word == "tests")
    })
}

/// Whether the name of a class suggests that threads share its objects.
pub(super) fn is_for_threads(class: &str) -> bool {
    const WORDS: [&str; 24] = [
        "concurrent",
        "synchronized",
        "sync",
        "threadsafe",
        "pool",
        "cache",
        "registry",
        "queue",
        "executor",
        "scheduler",
        "manager",
        "broker",
        "dispatcher",
        "counter",
        "semaphore",
        "latch",
        "lock",
        "limiter",
        "throttle",
        "monitor",
        "buffer",
        "channel",
        "atomic",
        "factory",
    ];
    has_word(simple(class), &WORDS)
}

/// Whether a method configures an object, or begins or ends its life.
pub(super) fn is_lifecycle(method: &str) -> bool {
    const FIRST: [&str; 26] = [
        "set",
        "init",
        "initialize",
        "configure",
        "start",
        "stop",
        "open",
        "close",
        "shutdown",
        "destroy",
        "dispose",
        "activate",
        "reset",
        "setup",
        "register",
        "install",
        "enable",
        "disable",
        "finish",
        "begin",
        "end",
        "main",
        "clear",
        "connect",
        "disconnect",
        "terminate",
    ];
    words(method).first().is_some_and(|word| FIRST.contains(&word.as_str()))
}

/// Whether a field is for statistics, debugging or logging.
pub(super) fn is_statistics(field: &str) -> bool {
    const WORDS: [&str; 22] = [
        "log",
        "logger",
        "debug",
        "trace",
        "stats",
        "statistics",
        "hits",
        "misses",
        "hit",
        "miss",
        "created",
        "destroyed",
        "borrowed",
        "returned",
        "total",
        "last",
        "time",
        "timestamp",
        "elapsed",
        "warned",
        "verbose",
        "name",
    ];
    has_word(field, &WORDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_words() {
        assert_eq!(words("GenericObjectPool"), ["generic", "object", "pool"]);
        assert_eq!(words("hitCount"), ["hit", "count"]);
        assert_eq!(words("MAX_SIZE"), ["max", "size"]);
        assert!(is_carrier("a.b.PoolConfig") && !is_carrier("a.b.ConfigPool"));
        assert!(has_one_user("a.Outer$EntryIterator") && is_for_threads("a.KeyedObjectPool"));
        assert!(is_test("a.Breaker$UnitTest") && is_test("a.TestPool") && !is_test("a.test.Latest"));
        assert!(is_lifecycle("setName") && !is_lifecycle("settle") && is_statistics("hitCount"));
    }
}
