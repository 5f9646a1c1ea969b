//! The sentence of a confirmed finding: what a caller got, and what it gets in serial orders.

use crate::outcome::{EQUAL_RESULTS, SAME_OBJECT};
use audit::Difference;

/// The largest number of characters of a value in a sentence.
const VALUE: usize = 120;

/// The number of characters before a difference that a sentence shows.
const CONTEXT: usize = 40;

/// The largest number of serial values in a sentence.
const VALUES: usize = 3;

/// Returns the sentence about the clearest difference. `threads` are the calls of both sides, of which one was
/// interrupted.
pub(crate) fn sentence(threads: &[Vec<String>; 2], interrupted: usize, differences: &[Difference]) -> String {
    let names = |side: usize| threads[side - 1].iter().map(|call| call_name(call)).collect::<Vec<_>>().join(" and ");
    let (unit, by) = (names(interrupted), names(3 - interrupted));
    let when = format!("when {by} ran in the middle of {unit}");
    let Some(first) = differences.iter().min_by_key(|one| unclearness(one)) else {
        return format!("no serial order has the outcome {when}");
    };
    if let Some((names, seen, serial)) = relation(threads, first) {
        return format!("{names} {seen} {when}; in serial orders they {serial}");
    }
    let what = match call_of(threads, &first.what) {
        Some(call) => call_name(call),
        None => first.what.clone(),
    };
    let begin = first_shown(first);
    let serial: Vec<String> = first.serial.iter().take(VALUES).map(|value| clipped(value, begin)).collect();
    let more = if first.serial.len() > VALUES { " or others" } else { "" };
    let serial = match first.serial.contains(&first.seen) {
        true => "no serial order has this together with the other results".to_string(),
        false => format!("in serial orders it {}{more}", gives(&serial.join(" or "))),
    };
    format!("{what} {} {when}; {serial}", gave(&clipped(&first.seen, begin)))
}

/// Returns, for a difference in which values are equal or one object, the first group that only serial orders have, or
/// only the outcome: its names, and in words what they are in the outcome and in serial orders.
fn relation(threads: &[Vec<String>; 2], one: &Difference) -> Option<(String, &'static str, &'static str)> {
    let (alike, different) = match one.what.as_str() {
        EQUAL_RESULTS => ("are equal", "differ"),
        SAME_OBJECT => ("are the same object", "are different objects"),
        _ => return None,
    };
    let seen = groups(&one.seen)?;
    let serial = one.serial.iter().map(|texts| groups(texts)).collect::<Option<Vec<_>>>()?;
    let named = |group: &[&str]| {
        let names = group.iter().map(|name| call_of(threads, name).map_or(name.to_string(), |call| call_name(call)));
        names.collect::<Vec<_>>().join(" and ")
    };
    let shares = |all: &[Vec<&str>], group: &[&str]| {
        all.iter().any(|other| other.iter().filter(|name| group.contains(name)).count() > 1)
    };
    let in_all = |group: &Vec<&str>| serial.iter().all(|all| all.contains(group));
    let lost = serial.first()?.iter().find(|group| in_all(group) && !shares(&seen, group));
    let new = seen.iter().find(|group| !serial.iter().any(|all| shares(all, group)));
    match (lost, new) {
        (Some(group), _) => Some((named(group), different, alike)),
        (None, Some(group)) => Some((named(group), alike, different)),
        (None, None) => None,
    }
}

/// Reads groups: `[a == b, c == d == e]`. Returns none if a name has commas.
fn groups(text: &str) -> Option<Vec<Vec<&str>>> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    let all = inner.split(", ").filter(|group| !group.is_empty());
    all.map(|group| Some(group.split(" == ").collect::<Vec<_>>()).filter(|names| names.len() > 1)).collect()
}

/// Orders differences: first come those that no serial order has by themselves; then results of the calls, results of
/// observers, and whole objects.
fn unclearness(one: &Difference) -> (bool, usize) {
    let kind = match one.what.as_str() {
        what if what.starts_with("thread ") => 0,
        what if what.contains('(') => 1,
        _ => 2,
    };
    (one.serial.contains(&one.seen), kind)
}

/// Returns the call of a name `thread SIDE.NUMBER`.
fn call_of<'t>(threads: &'t [Vec<String>; 2], what: &str) -> Option<&'t String> {
    let (side, number) = what.strip_prefix("thread ")?.split_once('.')?;
    threads.get(side.parse::<usize>().ok()?.checked_sub(1)?)?.get(number.parse::<usize>().ok()?)
}

/// Returns a call without receiver and arguments: `take()`, `new Pool()`.
fn call_name(call: &str) -> String {
    let head = call.split('(').next().unwrap_or(call);
    let name = head.rsplit('.').next().unwrap_or(head);
    format!("{name}()")
}

fn gave(value: &str) -> String {
    match value {
        "hangs" => "never returned".to_string(),
        _ if value.starts_with("threw ") => value.to_string(),
        _ => format!("gave {value}"),
    }
}

fn gives(value: &str) -> String {
    if value.starts_with("threw ") { value.to_string() } else { format!("gives {value}") }
}

/// Returns the number of the first character that the sentence shows of each value: 0, unless the beginning that all
/// have in common would take the place of what differs.
fn first_shown(Difference { seen, serial, .. }: &Difference) -> usize {
    let common = |other: &String| seen.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let is_long = |value: &String| value.chars().count() > VALUE;
    match serial.iter().map(common).min() {
        Some(common) if serial.iter().chain([seen]).any(is_long) => common.saturating_sub(CONTEXT),
        _ => 0,
    }
}

/// Returns a value from a character on, without line breaks, and not longer than a sentence can have it.
fn clipped(value: &str, begin: usize) -> String {
    let mut characters = value.chars().skip(begin).map(|c| if c.is_control() { ' ' } else { c });
    let shown: String = characters.by_ref().take(VALUE).collect();
    let dots = |is_cut| if is_cut { "..." } else { "" };
    format!("{}{shown}{}", dots(begin > 0), dots(characters.next().is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threads() -> [Vec<String>; 2] {
        [vec!["pool1.take(\"a.b\")".to_string()], vec!["pool1.put(1)".to_string(), "pool1.clear()".to_string()]]
    }

    #[test]
    fn equal_results_are_words() {
        let [one] = difference(EQUAL_RESULTS, "[]", &["[thread 1.0 == thread 2.0]"]);
        let all = [vec!["range1.hashCode()".to_string()], vec!["range1.hashCode()".to_string()]];
        assert_eq!(
            sentence(&all, 1, &[one]),
            "hashCode() and hashCode() differ when hashCode() ran in the middle of hashCode(); in serial orders they \
             are equal"
        );
        let [one] = difference(SAME_OBJECT, "[a == b, c == d]", &["[a == b]", "[a == b, c == e]"]);
        let said = sentence(&all, 1, &[one]);
        assert!(said.starts_with("c and d are the same object when"), "{said}");
        let [one] = difference(SAME_OBJECT, "[get(1, 2) == b]", &["[]"]);
        assert!(sentence(&all, 1, &[one]).starts_with("the same object gave [get(1, 2) == b]"));
    }

    fn difference(what: &str, seen: &str, serial: &[&str]) -> [Difference; 1] {
        let serial = serial.iter().map(ToString::to_string).collect();
        [Difference { what: what.to_string(), seen: seen.to_string(), serial }]
    }

    #[test]
    fn the_sentence_names_the_calls_that_ran() {
        let says = |side, what, seen, serial: &[&str]| sentence(&threads(), side, &difference(what, seen, serial));
        assert_eq!(
            says(1, "thread 1.0", "threw java.lang.Error", &["1", "2"]),
            "take() threw java.lang.Error when put() and clear() ran in the middle of take(); \
             in serial orders it gives 1 or 2"
        );
        assert_eq!(
            says(2, "size()", "3", &["2"]),
            "size() gave 3 when take() ran in the middle of put() and clear(); in serial orders it gives 2"
        );
        assert!(says(1, "thread 2.1", "hangs", &["null"]).starts_with("clear() never returned when "));
        assert!(says(1, "thread 1.0", "1", &["1", "2"]).ends_with("together with the other results"));
    }

    #[test]
    fn long_values_are_shown_where_they_differ() {
        let value = |number: usize| format!("{}{number}{}", "a".repeat(100), "b".repeat(100));
        let says = sentence(&threads(), 1, &difference("size()", &value(1), &[&value(2), &value(3)]));
        let shown = |number: usize| format!("...{}{number}{}...", "a".repeat(40), "b".repeat(79));
        assert!(says.starts_with(&format!("size() gave {} when ", shown(1))), "{says}");
        assert!(says.ends_with(&format!("it gives {} or {}", shown(2), shown(3))), "{says}");
    }

    #[test]
    fn the_clearest_difference_is_told() {
        let [call] = difference("thread 2.0", "1", &["1", "2"]);
        let [object] = difference("pool1", "Pool#1 [size()=3]", &["Pool#1 [size()=2]"]);
        let [observer] = difference("pool1.size()", "3", &["2"]);
        let says = sentence(&threads(), 1, &[call, object, observer]);
        assert!(says.starts_with("pool1.size() gave 3 when "), "{says}");
    }
}
