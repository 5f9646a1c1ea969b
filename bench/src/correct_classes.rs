//! Random correct Java classes: the whole body of every method runs under one lock, so every method is atomic.
//!
//! The fields are numbers, arrays, lists, maps and strings; methods test, read, write, loop, throw, and call each
//! other. The lock is the object's monitor, a monitor or a lock in a field, or a lock for reading where nothing is
//! written.

use fastrand::Rng;
use std::fmt::Write;

/// A class.
pub struct Generated {
    /// Its name.
    pub name: String,
    /// Its source.
    pub source: String,
    /// The names of its public methods.
    pub methods: Vec<String>,
}

/// Returns classes of consecutive seeds.
pub fn generate(seed: u64, count: usize) -> Vec<Generated> {
    (0..count as u64).map(|number| class(seed + number)).collect()
}

/// The locks of classes: field, beginning and end of a critical section.
const LOCKS: [(&str, &str, &str); 4] = [
    ("", "synchronized (this) {", "}"),
    ("private final Object guard = new Object();", "synchronized (guard) {", "}"),
    (
        "private final java.util.concurrent.locks.ReentrantLock guard = new java.util.concurrent.locks.ReentrantLock();",
        "guard.lock(); try {",
        "} finally { guard.unlock(); }",
    ),
    (
        "private final java.util.concurrent.locks.ReentrantReadWriteLock guard = new java.util.concurrent.locks.ReentrantReadWriteLock();",
        "guard.writeLock().lock(); try {",
        "} finally { guard.writeLock().unlock(); }",
    ),
];

/// Statements of methods; `x` is the argument and `r` the result.
const STATEMENTS: [&str; 18] = [
    "n += x; r = n;",
    "r = n; n = m;",
    "m = n + x;",
    "if (n > m) { n = m; } else { m++; }",
    "list.add(\"i\" + x);",
    "if (!list.isEmpty()) { r = list.size(); list.remove(list.size() - 1); }",
    "for (String one : list) { r += one.length(); }",
    "map.put(x, n);",
    "Integer known = map.get(x); if (known == null) { map.put(x, 1); } else { map.put(x, known + 1); r = known; }",
    "map.remove(x);",
    "r = map.size() + list.size();",
    "array[(x & 3)]++; r = array[(x & 3)];",
    "for (int i = 0; i < array.length; i++) { r += array[i]; array[i] = n; }",
    "text = text + x; r = text.length();",
    "if (x > 2) { throw new IllegalStateException(\"n \" + n); }",
    "if (last == null) { last = new Object(); } r = last == first ? 1 : 0; if (first == null) { first = last; }",
    "r = n * 31 + m; n ^= x; m -= x;",
    "builder.append(x); if (builder.length() > 3) { builder.setLength(1); r = 7; }",
];

fn class(seed: u64) -> Generated {
    let mut random = Rng::with_seed(seed);
    let name = format!("Correct{seed}");
    let (field, open, close) = LOCKS[random.usize(..LOCKS.len())];
    let mut source = format!(
        "public class {name} {{\n    {field}\n    private int n, m = 3;\n    private final int[] array = new int[4];\n    \
         private String text = \"\";\n    private Object first, last;\n    private final StringBuilder builder = new StringBuilder();\n    \
         private final java.util.List<String> list = new java.util.ArrayList<>();\n    \
         private final java.util.Map<Integer, Integer> map = new java.util.HashMap<>();\n"
    );
    let mut methods = Vec::new();
    for number in 0..2 + random.usize(..2) {
        let method = format!("act{number}");
        let body: Vec<&str> =
            (0..1 + random.usize(..4)).map(|_| STATEMENTS[random.usize(..STATEMENTS.len())]).collect();
        let body = body.iter().map(|statement| format!("{{ {statement} }}")).collect::<Vec<_>>().join("\n            ");
        let call = if number > 0 && random.bool() { format!("r += act{}(x);", number - 1) } else { String::new() };
        let _ = write!(
            source,
            "    public int {method}(int x) {{\n        int r = 0;\n        {open}\n            {body}\n            {call}\n        {close}\n        \
             return r;\n    }}\n"
        );
        methods.push(method);
    }
    let _ = write!(
        source,
        "    public String describe() {{\n        {open}\n            return n + \" \" + m + \" \" + java.util.Arrays.toString(array) + text + list + map + builder;\n        \
         {close}\n    }}\n}}\n"
    );
    Generated { name, source, methods }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_makes_one_class() {
        let (one, same) = (class(7), class(7));
        assert_eq!(one.source, same.source);
        assert_ne!(one.source, class(8).source);
        assert!(one.methods.len() >= 2);
    }
}
