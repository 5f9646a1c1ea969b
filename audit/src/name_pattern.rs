//! Name patterns, in which `*` stands for any text.

/// Whether a name matches one of the patterns.
pub fn any_matches(globs: &[String], name: &str) -> bool {
    globs.iter().any(|glob| matches(glob, name))
}

/// Whether a name matches a pattern. Linear in the length of the name for each `*`.
pub fn matches(glob: &str, name: &str) -> bool {
    let mut parts = glob.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let mut parts: Vec<_> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_of_names() {
        for (glob, name, expected) in [
            ("a.B", "a.B", true),
            ("a.B", "a.Bc", false),
            ("a.B*", "a.Bc", true),
            ("*.Pool", "a.b.Pool", true),
            ("a*b*c", "a.b.c", true),
            ("a*b*c", "a.c.b", false),
            ("*", "", true),
            ("a*a", "a", false),
        ] {
            assert_eq!(matches(glob, name), expected, "{glob} {name}");
        }
    }
}
