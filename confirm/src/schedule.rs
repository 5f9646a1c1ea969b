//! The schedules of a client: the places where a thread is stopped, and the order in which the threads continue.
//!
//! Threads switch only where that can matter: before an access to a field that both threads access and one of them
//! writes, and before and after operations on locks. This suffices: a thread that stops anywhere else may as well
//! continue to the next such place, because the other thread neither observes nor changes its steps until then.

use std::collections::{BTreeMap, BTreeSet};

/// An access in the trace of a thread that ran alone.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TracedAccess {
    /// Class, method, descriptor, byte-code index and occurrence (from 1), separated by blanks.
    pub(crate) point: String,
    /// `read`, `write`, `whole` or `lock`.
    kind: String,
    /// The field with its type, the kind of the array, or the called method.
    target: String,
    pub(crate) line: u32,
    pub(crate) file: String,
}

impl TracedAccess {
    /// Reads a field of a trace.
    pub(crate) fn of(field: &str) -> Option<Self> {
        let words: Vec<&str> = field.splitn(9, ' ').collect();
        let [class, method, descriptor, index, occurrence, kind, target, line, file] = words[..] else { return None };
        Some(Self {
            point: [class, method, descriptor, index, occurrence].join(" "),
            kind: kind.to_string(),
            target: target.to_string(),
            line: line.parse().unwrap_or(0),
            file: file.to_string(),
        })
    }

    pub(crate) fn class(&self) -> &str {
        self.point.split(' ').next().unwrap_or_default()
    }

    fn occurrence(&self) -> usize {
        self.point.rsplit(' ').next().and_then(|word| word.parse().ok()).unwrap_or(1)
    }
}

/// A schedule.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Schedule {
    /// The commands for the controller.
    pub(crate) steps: Vec<String>,
    /// The stops: the side (1 or 2) and the access before which it stops.
    pub(crate) stops: Vec<(usize, TracedAccess)>,
    /// Whether the unit stops at a switch of the witness.
    pub(crate) is_of_witness: bool,
}

/// The number of occurrences of an instruction at which a thread is stopped.
const MAX_OCCURRENCES: usize = 4;

/// The number of schedules with one stop for each client.
const MAX_SINGLE_STOPS: usize = 120;

/// The number of schedules with two stops for each client.
const MAX_DOUBLE_STOPS: usize = 150;

/// Returns the schedules for the traces of both sides, the most promising ones first. `lines` are the files and lines
/// before which the witness switches.
pub(crate) fn schedules(traces: &[Vec<TracedAccess>; 2], lines: &BTreeSet<(String, u32)>) -> Vec<Schedule> {
    let shared = shared_targets(traces);
    let of = |side: usize, with_locks: bool| -> Vec<TracedAccess> {
        let counts = |access: &&TracedAccess| {
            let is_lock = access.kind == "lock" || access.target.contains("/locks/");
            (shared.contains(&access.target) || (with_locks && is_lock)) && access.occurrence() <= MAX_OCCURRENCES
        };
        traces[side - 1].iter().filter(counts).cloned().collect()
    };
    let is_of_witness =
        |access: &TracedAccess| lines.iter().any(|(file, line)| *line == access.line && file.ends_with(&access.file));
    let mut one = Vec::new();
    for (side, other) in [(1, 2), (2, 1)] {
        for access in of(side, true) {
            let is_of_witness = side == 1 && is_of_witness(&access);
            let steps = vec![format!("{side} at {}", access.point), format!("{other} end"), format!("{side} end")];
            one.push(Schedule { steps, stops: vec![(side, access)], is_of_witness });
        }
    }
    // A switch in the code of the program is easier to understand than one in the class library.
    one.sort_by_key(|schedule| (!schedule.is_of_witness, schedule.stops[0].1.class().starts_with("java.")));
    one.truncate(MAX_SINGLE_STOPS);
    one.extend(double_stops(&of(1, false), &of(2, false)));
    one
}

/// Returns the schedules in which both sides stop. The side that stops first ends first.
fn double_stops(first: &[TracedAccess], second: &[TracedAccess]) -> Vec<Schedule> {
    let mut all = Vec::new();
    // Evenly spread over the trace.
    let spread = |count: usize, most: usize| (0..count).step_by(count.div_ceil(most).max(1)).collect::<Vec<_>>();
    for i in spread(first.len(), 10) {
        for j in spread(second.len(), 8) {
            for (side, other, at, then) in [(1, 2, &first[i], &second[j]), (2, 1, &second[j], &first[i])] {
                let steps = vec![
                    format!("{side} at {}", at.point),
                    format!("{other} at {}", then.point),
                    format!("{side} end"),
                    format!("{other} end"),
                ];
                let stops = vec![(side, at.clone()), (other, then.clone())];
                all.push(Schedule { steps, stops, is_of_witness: false });
            }
        }
    }
    all.truncate(MAX_DOUBLE_STOPS);
    all
}

/// Returns the fields that both sides access and one of them writes.
fn shared_targets(traces: &[Vec<TracedAccess>; 2]) -> BTreeSet<String> {
    let mut of: BTreeMap<&str, [(bool, bool); 2]> = BTreeMap::new();
    for (side, trace) in traces.iter().enumerate() {
        for access in trace.iter().filter(|access| access.kind != "lock") {
            let entry = &mut of.entry(&access.target).or_default()[side];
            entry.0 = true;
            entry.1 |= access.kind != "read";
        }
    }
    let is_shared = |(target, [one, two]): (&str, [(bool, bool); 2])| {
        (one.0 && two.0 && (one.1 || two.1)).then(|| target.to_string())
    };
    of.into_iter().filter_map(is_shared).collect()
}

/// Returns the serial orders of one call of the first side and `calls` calls of the second, as commands for the
/// controller.
pub(crate) fn serial_orders(calls: usize) -> Vec<Vec<String>> {
    let order = |before: usize| match before {
        0 => vec!["1 end".to_string(), "2 end".to_string()],
        all if all == calls => vec!["2 end".to_string(), "1 end".to_string()],
        some => vec![format!("2 call {some}"), "1 end".to_string(), "2 end".to_string()],
    };
    (0..=calls).map(order).collect()
}

/// Returns a serial order in which the threads pause where a schedule stops them. So the time that passes is similar to
/// that of the forced run.
pub(crate) fn with_pauses(order: &[String], stops: &[(usize, TracedAccess)], milliseconds: u64) -> Vec<String> {
    let mut steps = Vec::new();
    for step in order {
        let side = if step.starts_with('1') { 1 } else { 2 };
        for (_, access) in stops.iter().filter(|(stopped, _)| *stopped == side && step.ends_with("end")) {
            steps.push(format!("{side} at {}", access.point));
            steps.push(format!("pause {milliseconds}"));
        }
        steps.push(step.clone());
        steps.push(format!("pause {}", milliseconds / 2));
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(point: usize, kind: &str, target: &str) -> TracedAccess {
        TracedAccess::of(&format!("C m ()V {point} 1 {kind} {target} {point} C.java")).unwrap()
    }

    #[test]
    fn threads_stop_at_shared_fields_and_locks() {
        let first = vec![access(1, "read", "a:I"), access(2, "read", "b:I"), access(3, "write", "a:I")];
        let second = vec![access(4, "write", "a:I"), access(5, "read", "b:I"), access(6, "lock", "monitor")];
        let lines = BTreeSet::from([("C.java".to_string(), 3)]);
        let all = schedules(&[first, second], &lines);
        assert!(all[0].is_of_witness && all[0].stops[0].1.line == 3);
        assert!(all.iter().all(|schedule| schedule.stops.iter().all(|(_, access)| !access.target.starts_with('b'))));
        // With one stop: two accesses of the first side, one access and one lock of the second. With two stops: two
        // pairs of accesses in both orders.
        assert_eq!(all.len(), 4 + 4);
    }

    #[test]
    fn the_unit_has_every_place_in_the_serial_orders() {
        assert_eq!(serial_orders(1), [["1 end", "2 end"], ["2 end", "1 end"]]);
        assert_eq!(serial_orders(2)[1], ["2 call 1", "1 end", "2 end"]);
    }

    #[test]
    fn pauses_are_at_the_stops_of_the_schedule() {
        let stops = vec![(1, access(3, "write", "a:I"))];
        let steps = with_pauses(&serial_orders(1)[0], &stops, 20);
        assert_eq!(steps, ["1 at C m ()V 3 1", "pause 20", "1 end", "pause 10", "2 end", "pause 10"]);
    }
}
