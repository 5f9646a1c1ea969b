//! The schedules of a client, as the target describes them: the places where a thread is stopped, and the order in
//! which the threads continue. The target finds them (`Search`).

use crate::torn_section::Interruption;

/// An access before which a thread is stopped.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TracedAccess {
    /// Class, method, descriptor, byte-code index and occurrence (from 1), separated by blanks.
    pub(crate) point: String,
    pub(crate) line: u32,
    pub(crate) file: String,
}

impl TracedAccess {
    /// Reads a text of the target: the point, the kind, the target, the line and the file.
    fn of(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.splitn(9, ' ').collect();
        let [class, method, descriptor, index, occurrence, _, _, line, file] = words[..] else { return None };
        Some(Self {
            point: [class, method, descriptor, index, occurrence].join(" "),
            line: line.parse().unwrap_or(0),
            file: file.to_string(),
        })
    }

    /// Returns the place for a reader: the line or, in a class without line numbers, the instruction.
    pub(crate) fn place(&self) -> String {
        let words: Vec<&str> = self.point.split(' ').collect();
        match words[..] {
            [class, method, _, index, _] if self.line == 0 => format!("instruction {index} of {class}.{method}"),
            _ => format!("{}:{}", self.file, self.line),
        }
    }
}

/// A schedule.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Schedule {
    /// The commands for the target.
    pub(crate) steps: Vec<String>,
    /// The stops: the side (1 or 2) and the access before which it stops.
    pub(crate) stops: Vec<(usize, TracedAccess)>,
    /// The interruptions at these stops, in their order.
    pub(crate) interruptions: Vec<Interruption>,
}

impl Schedule {
    /// Reads a schedule of the target: the number of interruptions, the four fields of each, and the steps: `1 at` and
    /// the text of an access, or `1 end`.
    pub(crate) fn parse(fields: &[String]) -> Option<Self> {
        let (count, mut texts) = fields.split_first()?;
        let (mut steps, mut stops, mut interruptions) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..count.parse().ok()? {
            let (interruption, rest) = texts.split_first_chunk::<4>()?;
            interruptions.push(Interruption::parse(interruption.each_ref())?);
            texts = rest;
        }
        for text in texts {
            match text.split_once(" at ") {
                Some((side, access)) => {
                    let access = TracedAccess::of(access)?;
                    steps.push(format!("{side} at {}", access.point));
                    stops.push((side.parse().ok()?, access));
                }
                None => steps.push(text.clone()),
            }
        }
        Some(Self { steps, stops, interruptions })
    }
}

/// Returns the serial orders of one call of the first side and `calls` calls of the second, as commands for the
/// target.
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

    #[test]
    fn steps_have_their_stops() {
        let interruption = ["1", "2", "C.java:6", "C.java:7", "C.java:7"];
        let steps = ["2 at C m ()V 3 2 write a:I 7 C.java", "1 end", "2 end"];
        let texts: Vec<String> = interruption.into_iter().chain(steps).map(String::from).collect();
        let schedule = Schedule::parse(&texts).expect("a schedule");
        assert_eq!(schedule.steps, ["2 at C m ()V 3 2", "1 end", "2 end"]);
        assert_eq!((schedule.stops[0].0, schedule.stops[0].1.place()), (2, "C.java:7".to_string()));
        let without_line = TracedAccess::of("C m ()V 3 2 write a:I 0 ?").expect("an access");
        assert_eq!(without_line.place(), "instruction 3 of C.m");
        assert_eq!((schedule.interruptions.len(), schedule.interruptions[0].side), (1, 2));
        assert_eq!(Schedule::parse(&["0".to_string(), "1 at C".to_string()]), None);
    }

    #[test]
    fn the_unit_has_every_place_in_the_serial_orders() {
        assert_eq!(serial_orders(1), [["1 end", "2 end"], ["2 end", "1 end"]]);
        assert_eq!(serial_orders(2)[1], ["2 call 1", "1 end", "2 end"]);
    }

    #[test]
    fn pauses_are_at_the_stops_of_the_schedule() {
        let stops = vec![(1, TracedAccess::of("C m ()V 3 1 write a:I 7 C.java").unwrap())];
        let steps = with_pauses(&serial_orders(1)[0], &stops, 20);
        assert_eq!(steps, ["1 at C m ()V 3 1", "pause 20", "1 end", "pause 10", "2 end", "pause 10"]);
    }
}
