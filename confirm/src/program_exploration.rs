//! A whole program that is run until its end shows that threads were not atomic (`--main`).
//!
//! Definition: a *run* of a program is what it does from `main` on, without arguments and without input: how it ends,
//! which exceptions end threads, and which lines it prints, in any order. A *section* of a thread is what it does from
//! the first to the last access that the finding is about. A run is *forced* if a thread is held before an access
//! within its section while the others go on. It is *serial* if sections exclude each other: a thread waits before it
//! begins with one while another is in one and does not wait for something. Threads are stopped there besides, for some
//! time, or as long as a forced run holds one.
//!
//! Invariant: all serial runs are taken for runs of one order (`judge`), so that a part of the outcome counts only if
//! it was the same in all of them, whoever came first. They have the two orders that are next to a forced run: the
//! thread is held as long before that section, and before the next one. A section that is torn in a serial run by
//! chance only makes less count. A forced outcome that differs is looked for again, and serial runs are made again,
//! before it is said.

use crate::controller::{Answer, Controller, Silence};
use crate::outcome::{Deviation, Outcome, Serial};
use audit::{Confirmation, ConfirmationVerdict, Demonstration, Difference, Finding};
use decide::witness::{Action, Step};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// How serial runs are made before others: by which rule threads are stopped, with a number for it.
const SERIAL: [(&str, usize); 6] =
    [("serial", 0), ("serial", 1), ("hold", 1), ("serial", 2), ("hold", 2), ("serial", 3)];

/// Those that have the last word, besides what is next to the forced run; other ones each time.
const SERIAL_AGAIN: [(&str, usize); 4] = [("serial", 4), ("serial", 6), ("serial", 8), ("serial", 10)];

/// So many forced runs are made at most.
const RUNS: usize = 60;

/// How often a place is passed before a thread is held there.
const OCCURRENCES: [usize; 3] = [1, 2, 5];

/// The places of a finding, as the controller takes them.
#[derive(Debug)]
struct Places {
    texts: Vec<String>,
    /// The line before which the witness switches back to the unit.
    switch: BTreeSet<u32>,
}

impl Places {
    /// Those of a witness: the unit's thread is the first.
    fn of(finding: &Finding) -> Self {
        let steps = &finding.witness.steps;
        let mut texts = BTreeSet::new();
        let mut switch = BTreeSet::new();
        let begin_of_unit = steps.iter().position(|step| step.thread == 0 && is_begin(step) && step.event.is_some());
        let begin_of_unit = begin_of_unit.or_else(|| steps.iter().position(|step| step.thread == 0));
        let mut is_switched = false;
        let mut sections: BTreeMap<(usize, Option<usize>), (usize, usize)> = BTreeMap::new();
        for (place, step) in
            steps.iter().enumerate().filter(|(place, _)| begin_of_unit.is_some_and(|begin| *place > begin))
        {
            let is_of_unit = step.thread == 0;
            let is_access = matches!(step.action, Action::Read | Action::Write) && step.event.is_some();
            if is_of_unit && is_stop(step) {
                texts.insert(text("UNIT_ACCESS", step));
                if std::mem::take(&mut is_switched) {
                    switch.insert(step.line);
                }
            }
            if !is_of_unit {
                is_switched = true;
            }
            if is_access {
                let begin = if is_of_unit { begin_of_unit } else { begin_before(steps, place) };
                sections.entry((step.thread, begin)).or_insert((place, place)).1 = place;
                if !is_of_unit {
                    texts.insert(text("BY_ACCESS", step));
                }
            }
        }
        for ((thread, begin), (first, last)) in sections {
            let side = if thread == 0 { "UNIT" } else { "BY" };
            texts.insert(text(&format!("{side}_FIRST"), start_of_section(steps, first, begin)));
            texts.insert(text(&format!("{side}_LAST"), &steps[last]));
        }
        Self { texts: texts.into_iter().collect(), switch }
    }
}

fn is_begin(step: &Step) -> bool {
    step.action == Action::Begin
}

/// Whether a thread can be held before what happens in a step.
fn is_stop(step: &Step) -> bool {
    matches!(step.action, Action::Read | Action::Write | Action::Acquire | Action::Call)
}

/// Where the unit begins in which a thread is at a place.
fn begin_before(steps: &[Step], place: usize) -> Option<usize> {
    let thread = steps[place].thread;
    steps[..place].iter().rposition(|step| step.thread == thread && is_begin(step))
}

/// Where a section begins that has its first access at a place: if locks are held there that the unit has taken, where
/// it takes the first of them. Who waits for a lock while others are stopped comes in as soon as it is free.
fn start_of_section(steps: &[Step], access: usize, begin: Option<usize>) -> &Step {
    let thread = steps[access].thread;
    let mut held: Vec<usize> = Vec::new();
    let mut before = None;
    for place in (begin.unwrap_or(0)..access).filter(|place| steps[*place].thread == thread) {
        let step = &steps[place];
        match step.action {
            // A method that is synchronized takes the lock before its first instruction.
            Action::Acquire => {
                held.push(before.filter(|call| is_call_of(&steps[*call], &step.function)).unwrap_or(place))
            }
            Action::Release => drop(held.pop()),
            _ => {}
        }
        before = Some(place);
    }
    &steps[held.first().copied().unwrap_or(access)]
}

fn is_call_of(step: &Step, function: &str) -> bool {
    step.action == Action::Call && step.object.as_deref() == Some(function)
}

fn text(kind: &str, step: &Step) -> String {
    let file = step.file.as_deref().unwrap_or_default();
    let file = file.rsplit(['/', '\\']).next().unwrap_or_default();
    format!("{kind} {} {file}", step.line)
}

/// A place at which a thread can be held, as the controller has seen it.
struct Point {
    /// Class, method, descriptor and index.
    place: String,
    visits: usize,
    line: u32,
}

impl Point {
    fn of(field: &str) -> Option<Self> {
        let words: Vec<&str> = field.split(' ').collect();
        let [class, method, descriptor, index, visits, line] = words[..] else { return None };
        let place = [class, method, descriptor, index].join(" ");
        Some(Self { place, visits: visits.parse().ok()?, line: line.parse().ok()? })
    }
}

/// A forced run.
struct Forced {
    how: &'static str,
    point: String,
    line: u32,
    occurrence: usize,
}

/// What came of the runs of a program so far.
pub(crate) struct ProgramExploration {
    main: String,
    labels: [String; 2],
    places: Places,
    record: Confirmation,
    serial: Serial,
    /// Serial runs that were made of those that come first.
    serial_runs: usize,
    /// Forced runs that are left, the next one last; none before the serial runs were made.
    left: Option<Vec<Forced>>,
    /// Runs in which a thread was held and another one interfered.
    in_order: usize,
    /// Why nothing can be tried.
    hopeless: Option<String>,
    seconds: Duration,
}

impl ProgramExploration {
    pub(crate) fn new(main: &str, finding: &Finding, jdk: &str) -> Self {
        let thread = |label: &str| label.split('#').next().unwrap_or_default().to_string();
        let labels = [0, 1].map(|place| finding.witness.threads.get(place).map_or_else(String::new, |it| thread(it)));
        Self {
            main: main.to_string(),
            labels,
            places: Places::of(finding),
            record: Confirmation::open(jdk),
            serial: Serial::new(1),
            serial_runs: 0,
            left: None,
            in_order: 0,
            hopeless: None,
            seconds: Duration::ZERO,
        }
    }

    /// What is asked: the program, its places, and the names that are told.
    pub(crate) fn question(&self) -> impl std::fmt::Debug {
        (&self.main, &self.places, &self.labels)
    }

    /// Whether more time could change the answer.
    pub(crate) fn is_open(&self) -> bool {
        let is_left = self.left.as_ref().is_none_or(|left| !left.is_empty());
        self.record.demonstration.is_none() && self.hopeless.is_none() && is_left
    }

    /// The record, with the verdict as it is now.
    pub(crate) fn finish(mut self) -> Confirmation {
        self.record.seconds = (self.seconds.as_secs_f64() * 1000.0).round() / 1000.0;
        let is_tried = self.record.schedules > 0;
        self.record.verdict = match &self.record.demonstration {
            Some(_) => ConfirmationVerdict::Confirmed,
            None if is_tried => ConfirmationVerdict::NotConfirmed,
            None => ConfirmationVerdict::NotTried,
        };
        let forced = match self.in_order {
            0 => "the order of the finding was not reached".to_string(),
            count => format!("the order was forced {count} times, and no difference was seen"),
        };
        if self.record.demonstration.is_none() {
            self.record.reason = self.hopeless.or_else(|| is_tried.then_some(forced));
        }
        self.record
    }

    /// Makes runs for some time, until one confirms the finding.
    pub(crate) fn explore(&mut self, controller: &mut Controller, time: Duration) -> Result<(), Silence> {
        let begin = Instant::now();
        let mut result = Ok(());
        while self.is_open() && result.is_ok() && begin.elapsed() < time {
            result = self.step(controller);
        }
        self.seconds += begin.elapsed();
        result
    }

    /// Makes one run, or all that have the last word about one.
    fn step(&mut self, controller: &mut Controller) -> Result<(), Silence> {
        if let Some(rule) = SERIAL.get(self.serial_runs) {
            self.serial_runs += 1;
            return self.serially(controller, rule.0, rule.1);
        }
        if self.left.is_none() {
            return self.prepare(controller);
        }
        let Some(forced) = self.left.as_mut().and_then(Vec::pop) else { return Ok(()) };
        match self.force(controller, &forced)? {
            Some(run) if self.serial.is_none(&run.outcome) => self.verify(controller, &forced, run.section),
            _ => Ok(()),
        }
    }

    /// The forced runs, the most promising one last.
    fn forced(&self, points: &[Point]) -> Vec<Forced> {
        let mut points: Vec<&Point> = points.iter().collect();
        points.sort_by_key(|point| !self.places.switch.contains(&point.line));
        let mut all = Vec::new();
        for occurrence in OCCURRENCES {
            for point in points.iter().filter(|point| point.visits >= occurrence) {
                for how in ["hold", "meet"] {
                    all.push(Forced { how, point: point.place.clone(), line: point.line, occurrence });
                }
            }
        }
        all.truncate(RUNS);
        all.reverse();
        all
    }

    fn run(&self, controller: &mut Controller, how: &str, number: usize, point: &str) -> Result<Answer, Silence> {
        let number = number.to_string();
        let first = ["program", &self.main, how, &number, point];
        let fields: Vec<&str> = first.into_iter().chain(self.places.texts.iter().map(String::as_str)).collect();
        controller.ask(&fields)
    }

    /// A serial run, of which the outcome is remembered.
    fn serially(&mut self, controller: &mut Controller, how: &str, number: usize) -> Result<(), Silence> {
        let answer = self.run(controller, how, number, "")?;
        match Run::of(&answer) {
            Some(run) => self.serial.add(0, &run.outcome),
            None => self.hopeless = Some(why(&answer)),
        }
        Ok(())
    }

    /// Finds out what can be forced, by a run in which all accesses are counted. It is no serial one: threads stop
    /// within their sections.
    fn prepare(&mut self, controller: &mut Controller) -> Result<(), Silence> {
        let answer = self.run(controller, "count", 0, "")?;
        let Some(run) = Run::of(&answer) else {
            self.hopeless = Some(why(&answer));
            return Ok(());
        };
        self.record.clients = 1;
        if run.points.is_empty() {
            self.hopeless = Some("no thread comes to the accesses of the unit".into());
        }
        self.left = Some(self.forced(&run.points));
        Ok(())
    }

    /// A forced run, if threads came where they should, and nothing depended on the time.
    fn force(&mut self, controller: &mut Controller, forced: &Forced) -> Result<Option<Run>, Silence> {
        let point = format!("{} {}", forced.point, forced.occurrence);
        let answer = self.run(controller, forced.how, 0, &point)?;
        self.record.schedules += 1;
        let is_kept = answer.kind == "kept";
        self.in_order += usize::from(is_kept);
        Ok(Run::of(&answer).filter(|_| is_kept))
    }

    /// The finding is confirmed if what was seen once comes again, and in no serial run, of which many more are made.
    fn verify(&mut self, controller: &mut Controller, forced: &Forced, section: usize) -> Result<(), Silence> {
        let mut last = None;
        let mut section = section;
        for round in 0..2 {
            let nearby = [(forced.how, section.max(1)), (forced.how, section + 1)];
            for (how, number) in nearby.into_iter().chain(SERIAL_AGAIN.map(|(how, number)| (how, number + round))) {
                self.serially(controller, how, number)?;
            }
            let Some(run) = self.force(controller, forced)? else { return Ok(()) };
            if self.hopeless.is_some() || !self.serial.is_none(&run.outcome) {
                return Ok(());
            }
            section = run.section;
            last = Some(run.outcome);
        }
        self.record.demonstration = last.map(|outcome| self.demonstration(&outcome, forced));
        Ok(())
    }

    fn demonstration(&self, outcome: &Outcome, forced: &Forced) -> Demonstration {
        let (kind, differences) = self.serial.differences(outcome);
        let class = forced.point.split(' ').next().unwrap_or_default();
        let simple = class.rsplit('.').next().unwrap_or_default();
        let time = match forced.occurrence {
            1 => "the first thread that comes there".to_string(),
            count => format!("the thread that comes there as number {count}"),
        };
        let then = match forced.how {
            "meet" => "another thread interferes and stops behind that, then the first one leaves its method",
            _ => "the others run until they end or wait, then it goes on",
        };
        Demonstration {
            kind: kind.name().into(),
            seed: 0,
            before: format!("java {}", self.main),
            threads: self.labels.iter().map(|label| vec![label.clone()]).collect(),
            forced: format!("{time} stops in {simple} before line {}, {then}", forced.line),
            steps: vec![format!("{} {} {}", forced.how, forced.point, forced.occurrence)],
            differences: differences.into_iter().map(told).collect(),
            program: None,
        }
    }
}

/// A difference as people are told it: of the output only the lines that are not the same.
fn told(deviation: Deviation) -> Difference {
    let Deviation { what, seen, serial } = deviation;
    if what != "output" {
        return Difference { what, seen, serial };
    }
    let other = serial.first().cloned().unwrap_or_default();
    Difference { what, seen: only_in(&seen, &other), serial: vec![only_in(&other, &seen)] }
}

/// The lines of a text that another one does not have, as often as it has them more often.
fn only_in(text: &str, other: &str) -> String {
    let mut known: Vec<&str> = other.lines().collect();
    let mut lines = Vec::new();
    for line in text.lines() {
        match known.iter().position(|one| *one == line) {
            Some(place) => drop(known.swap_remove(place)),
            None => lines.push(format!("\"{line}\"")),
        }
    }
    match lines.len() {
        0 => "nothing more".to_string(),
        1..=5 => lines.join(", "),
        more => format!("{}, and {} lines more", lines[..5].join(", "), more - 5),
    }
}

/// What a run was, as the controller says.
struct Run {
    /// If a thread was held: so many sections had begun.
    section: usize,
    points: Vec<Point>,
    outcome: Outcome,
}

impl Run {
    /// None if it did not come to its end.
    fn of(answer: &Answer) -> Option<Self> {
        if matches!(answer.kind.as_str(), "guarded" | "gone") {
            return None;
        }
        let [section, count] = [0, 1].map(|place| answer.fields.get(place).and_then(|field| field.parse().ok()));
        let (points, outcome) = answer.fields.get(2..)?.split_at_checked(count?)?;
        let points = points.iter().filter_map(|field| Point::of(field)).collect();
        Some(Self { section: section?, points, outcome: Outcome::of(outcome) })
    }
}

/// Why there is no run.
fn why(answer: &Answer) -> String {
    match answer.kind.as_str() {
        "guarded" => format!("it would {}", answer.first()),
        _ => answer.first().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_output_only_what_differs_is_told() {
        assert_eq!(only_in("a\nb\nb", "b\nc"), "\"a\", \"b\"");
        assert_eq!(only_in("a", "a"), "nothing more");
    }

    #[test]
    fn a_run_has_its_points_and_its_outcome() {
        let fields = ["3", "1", "C m ()V 3 2 7", "the program", "hangs"].map(String::from).to_vec();
        let run = Run::of(&Answer { kind: "open".into(), fields }).expect("a run");
        assert_eq!((run.section, run.points[0].visits, run.points[0].line), (3, 2, 7));
        assert!(run.outcome.hangs());
        let gone = Answer { kind: "gone".into(), fields: vec!["it does not end".into()] };
        assert!(Run::of(&gone).is_none());
    }
}
