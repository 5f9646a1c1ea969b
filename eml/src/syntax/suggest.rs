//! "Did you mean": the known name that is closest to a misspelt one.

/// Maximal length of a word that is compared: the distance takes time in proportion to the product of the lengths.
const LONGEST: usize = 64;

/// Returns the candidate that is probably meant by a misspelt word: the closest one by edit distance, the first among
/// equals, at most one edit away for every three characters.
///
/// ```
/// use eml::syntax::closest;
///
/// assert_eq!(closest("storge", ["item", "storage"]), Some("storage"));
/// assert_eq!(closest("queue", ["item", "storage"]), None);
/// ```
pub fn closest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let length = length_within(word, LONGEST)?;
    let allowed = (length / 3).max(1);
    candidates
        .into_iter()
        .filter_map(|candidate| Some((distance(word, length, allowed, candidate)?, candidate)))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Returns the edit distance if it is small; it is 0 for words that differ in case only.
fn distance(word: &str, length: usize, allowed: usize, candidate: &str) -> Option<usize> {
    let other = length_within(candidate, length + allowed)?;
    if other + allowed < length || word == candidate {
        return None;
    }
    if word.to_lowercase() == candidate.to_lowercase() {
        return Some(0);
    }
    // Between words of one or two letters every edit makes another word.
    let distance = strsim::osa_distance(word, candidate);
    (distance <= allowed && distance < length.min(other)).then_some(distance)
}

/// Returns the number of characters if it is at most `most`.
fn length_within(word: &str, most: usize) -> Option<usize> {
    let length = word.chars().take(most + 1).count();
    (length <= most).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_closest_word() {
        assert_eq!(closest("raed", ["write", "read"]), Some("read"));
        assert_eq!(closest("LOCK", ["lock", "shared"]), Some("lock"));
        assert_eq!(closest("l3", ["l1", "l2"]), Some("l1"));
        assert_eq!(closest("x", ["y"]), None);
        assert_eq!(closest("stack", []), None);
    }

    #[test]
    fn huge_words_are_not_compared() {
        let huge = "x".repeat(1_000_000);
        assert_eq!(closest(&huge, [huge.as_str(), "x"]), None);
        assert_eq!(closest("xx", [huge.as_str(), "xxy"]), Some("xxy"));
    }
}
