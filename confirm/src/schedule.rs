//! Which schedules are tried: where a thread is stopped, and what the other one does meanwhile.
//!
//! Only where a switch can matter is one made: before an access to a field that both threads access and one of them
//! writes, and before and behind operations on locks. A thread that is stopped anywhere else could as well go on to the
//! next such place: what it does until then the other one neither sees nor changes.

use std::collections::{BTreeMap, BTreeSet};

/// An access that a thread was seen to make.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seen {
    /// Class, method, descriptor, byte-code index and occurrence, as the controller takes them.
    pub(crate) point: String,
    /// `read`, `write`, `whole` or `lock`.
    kind: String,
    /// The field with its type, the kind of the array, or what is called.
    what: String,
    pub(crate) line: u32,
    pub(crate) file: String,
}

impl Seen {
    /// From a field of a trace.
    pub(crate) fn of(field: &str) -> Option<Self> {
        let words: Vec<&str> = field.splitn(9, ' ').collect();
        let [class, method, descriptor, index, occurrence, kind, what, line, file] = words[..] else { return None };
        Some(Self {
            point: [class, method, descriptor, index, occurrence].join(" "),
            kind: kind.to_string(),
            what: what.to_string(),
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

/// A schedule, as the controller takes it, and the points at which a side is stopped.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Schedule {
    pub(crate) steps: Vec<String>,
    /// The sides that are stopped, each with where.
    pub(crate) stops: Vec<(usize, Seen)>,
    /// Whether it is that of the witness: the unit is stopped where the witness has its switch.
    pub(crate) is_of_witness: bool,
}

/// Of an instruction in a loop so many rounds are tried.
const ROUNDS: usize = 4;

/// So many schedules with one stop, and so many with two, are tried of a client.
const ONE: usize = 120;
const TWO: usize = 150;

/// The schedules for the traces of both sides, the most promising ones first. `lines` are those before which the
/// witness switches.
pub(crate) fn schedules(traces: &[Vec<Seen>; 2], lines: &BTreeSet<(String, u32)>) -> Vec<Schedule> {
    let shared = shared(traces);
    let of = |side: usize, with_locks: bool| -> Vec<Seen> {
        let counts = |seen: &&Seen| {
            let is_lock = seen.kind == "lock" || seen.what.contains("/locks/");
            (shared.contains(&seen.what) || (with_locks && is_lock)) && seen.occurrence() <= ROUNDS
        };
        traces[side - 1].iter().filter(counts).cloned().collect()
    };
    let is_of_witness = |seen: &Seen| lines.iter().any(|(file, line)| *line == seen.line && file.ends_with(&seen.file));
    let mut one = Vec::new();
    for (side, other) in [(1, 2), (2, 1)] {
        for seen in of(side, true) {
            let is_of_witness = side == 1 && is_of_witness(&seen);
            let steps = vec![format!("{side} at {}", seen.point), format!("{other} end"), format!("{side} end")];
            one.push(Schedule { steps, stops: vec![(side, seen)], is_of_witness });
        }
    }
    // A switch in the program's own code is the plainest.
    one.sort_by_key(|schedule| (!schedule.is_of_witness, schedule.stops[0].1.class().starts_with("java.")));
    one.truncate(ONE);
    one.extend(two(&of(1, false), &of(2, false)));
    one
}

/// Both are stopped; the one that was stopped first goes on to its end first.
fn two(first: &[Seen], second: &[Seen]) -> Vec<Schedule> {
    let mut all = Vec::new();
    // Those in the middle come as early as those at the ends.
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
    all.truncate(TWO);
    all
}

/// The fields that both sides access and one of them writes.
fn shared(traces: &[Vec<Seen>; 2]) -> BTreeSet<String> {
    let mut of: BTreeMap<&str, [(bool, bool); 2]> = BTreeMap::new();
    for (side, trace) in traces.iter().enumerate() {
        for seen in trace.iter().filter(|seen| seen.kind != "lock") {
            let entry = &mut of.entry(&seen.what).or_default()[side];
            entry.0 = true;
            entry.1 |= seen.kind != "read";
        }
    }
    let is_shared =
        |(what, [one, two]): (&str, [(bool, bool); 2])| (one.0 && two.0 && (one.1 || two.1)).then(|| what.to_string());
    of.into_iter().filter_map(is_shared).collect()
}

/// The serial orders of one call of the first side and so many of the second: as steps of the controller.
pub(crate) fn orders(calls: usize) -> Vec<Vec<String>> {
    let order = |before: usize| match before {
        0 => vec!["1 end".to_string(), "2 end".to_string()],
        all if all == calls => vec!["2 end".to_string(), "1 end".to_string()],
        some => vec![format!("2 call {some}"), "1 end".to_string(), "2 end".to_string()],
    };
    (0..=calls).map(order).collect()
}

/// A serial order in which the threads are stopped for a while where a schedule stops them, so that what takes time
/// takes as long.
pub(crate) fn paused(order: &[String], stops: &[(usize, Seen)], milliseconds: u64) -> Vec<String> {
    let mut steps = Vec::new();
    for step in order {
        let side = if step.starts_with('1') { 1 } else { 2 };
        for (_, seen) in stops.iter().filter(|(stopped, _)| *stopped == side && step.ends_with("end")) {
            steps.push(format!("{side} at {}", seen.point));
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

    fn seen(point: usize, kind: &str, what: &str) -> Seen {
        Seen::of(&format!("C m ()V {point} 1 {kind} {what} {point} C.java")).unwrap()
    }

    #[test]
    fn threads_are_stopped_where_it_matters() {
        let first = vec![seen(1, "read", "a:I"), seen(2, "read", "b:I"), seen(3, "write", "a:I")];
        let second = vec![seen(4, "write", "a:I"), seen(5, "read", "b:I"), seen(6, "lock", "monitor")];
        let lines = BTreeSet::from([("C.java".to_string(), 3)]);
        let all = schedules(&[first, second], &lines);
        assert!(all[0].is_of_witness && all[0].stops[0].1.line == 3);
        assert!(all.iter().all(|schedule| schedule.stops.iter().all(|(_, seen)| !seen.what.starts_with('b'))));
        // Both stops of the first side, the access and the lock of the second, and each pair of accesses in both
        // orders.
        assert_eq!(all.len(), 4 + 4);
    }

    #[test]
    fn the_unit_is_at_every_place_of_the_serial_orders() {
        assert_eq!(orders(1), [["1 end", "2 end"], ["2 end", "1 end"]]);
        assert_eq!(orders(2)[1], ["2 call 1", "1 end", "2 end"]);
    }

    #[test]
    fn pauses_are_where_the_schedule_stops() {
        let stops = vec![(1, seen(3, "write", "a:I"))];
        let steps = paused(&orders(1)[0], &stops, 20);
        assert_eq!(steps, ["1 at C m ()V 3 1", "pause 20", "1 end", "pause 10", "2 end", "pause 10"]);
    }
}
