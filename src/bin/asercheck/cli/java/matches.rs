//! Patterns of names, in which `*` stands for any text.

/// Whether a name is what one of the patterns says.
pub(super) fn any_matches(globs: &[String], name: &str) -> bool {
    globs.iter().any(|glob| matches(glob, name))
}

/// Whether a name is what a pattern says. Linear in the name for each `*`.
pub(super) fn matches(glob: &str, name: &str) -> bool {
    let mut pieces = glob.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let mut pieces: Vec<_> = pieces.collect();
    let Some(last) = pieces.pop() else { return rest.is_empty() };
    for piece in pieces {
        let Some((_, behind)) = rest.split_once(piece) else { return false };
        rest = behind;
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
