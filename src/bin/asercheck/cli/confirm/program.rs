//! A whole program that is run until its end shows that threads were not atomic (`--main`).
//!
//! Definition: a *run* of a program is what it does from `main` on, without arguments and without input: how it ends, which exceptions end threads,
//! and which lines it prints, in any order. A run is *serial* if calls of the unit and of what interferes exclude each other, as far as they can: a thread
//! that waits within one lets others in. It is *forced* if a thread is held before an access of its unit while the others go on.
//!
//! Invariant: all serial runs are taken for runs of one order (`judge`), so that a part of the outcome counts only if it was the same in
//! all of them, whoever came first: with several ways to draw who comes first, and with threads that are held as long as
//! a forced run holds one. A forced outcome that differs in such a part is looked for again, and the serial runs are made again, before it is said.

use super::controller::{Answer, Controller, Silence};
use super::judge::{Difference, Outcome, Serial};
use asercheck::records::java::{
    ConfirmationRecord, ConfirmationVerdict, DemonstrationRecord, DifferenceRecord, FindingRecord,
};
use asercheck::witness::{Action, Step};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// How serial runs are made: by which rule the next one is let in, with a number for it.
const SERIAL: [(&str, &str); 6] =
    [("serial", "0"), ("serial", "1"), ("serial", "2"), ("last", "1"), ("last", "2"), ("last", "3")];

/// Those that have the last word, besides the ones before.
const SERIAL_AGAIN: [(&str, &str); 4] = [("serial", "0"), ("serial", "3"), ("serial", "4"), ("serial", "5")];

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
    fn of(finding: &FindingRecord) -> Self {
        let steps = &finding.witness.steps;
        let mut texts = BTreeSet::new();
        let mut switch = BTreeSet::new();
        let begin_of_unit = steps.iter().position(|step| step.thread == 0 && is_begin(step) && step.event.is_some());
        let begin_of_unit = begin_of_unit.or_else(|| steps.iter().position(|step| step.thread == 0));
        let mut is_switched = false;
        for (place, step) in steps.iter().enumerate() {
            let of_unit = step.thread == 0;
            is_switched = if of_unit { is_switched } else { begin_of_unit.is_some_and(|begin| place > begin) };
            if of_unit && begin_of_unit.is_some_and(|begin| place < begin) {
                continue;
            }
            if of_unit && is_stop(step) {
                texts.insert(text("UNIT_ACCESS", "-", step));
                if std::mem::take(&mut is_switched) {
                    switch.insert(step.line);
                }
            } else if !of_unit && matches!(step.action, Action::Read | Action::Write) && step.event.is_some() {
                texts.insert(text("BY_ACCESS", "-", step));
                texts.extend(begin_before(steps, place).into_iter().flat_map(|begin| entry(steps, begin, "BY")));
            }
        }
        texts.extend(begin_of_unit.into_iter().flat_map(|begin| entry(steps, begin, "UNIT")));
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

/// How a unit that begins at a place is entered: from where it is called, if that is in the code, and in its method.
fn entry(steps: &[Step], begin: usize, side: &str) -> Vec<String> {
    let step = &steps[begin];
    let name = method(&step.function);
    let calls = steps[..begin].iter().rev().take_while(|other| other.thread == step.thread || !is_begin(other));
    let call = calls.filter(|other| other.thread == step.thread).find(|other| other.action == Action::Call);
    let is_called = |call: &&Step| call.object.as_deref().is_some_and(|callee| method(callee) == name);
    let call = call.filter(is_called).map(|call| text(&format!("{side}_CALL"), name, call));
    call.into_iter().chain([text(&format!("{side}_BEGIN"), name, step)]).collect()
}

/// The name of a method in a label like `Account.deposit(int) (2)`, as it is in class files.
fn method(label: &str) -> &str {
    let name = label.split('(').next().unwrap_or_default();
    let name = name.rsplit('.').next().unwrap_or_default().trim();
    if name.starts_with("new ") { "<init>" } else { name }
}

fn text(kind: &str, name: &str, step: &Step) -> String {
    let file = step.file.as_deref().unwrap_or_default();
    let file = file.rsplit(['/', '\\']).next().unwrap_or_default();
    format!("{kind} {name} {} {file}", step.line)
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
        let [class, method, descriptor, index, visits, _kind, line] = words[..] else { return None };
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
pub(super) struct ProgramExploration {
    main: String,
    labels: [String; 2],
    places: Places,
    record: ConfirmationRecord,
    serial: Serial,
    /// Serial runs that were made of those that come first.
    serial_runs: usize,
    points: Vec<Point>,
    /// Forced runs that are left, the next one last; none before the serial runs were made.
    left: Option<Vec<Forced>>,
    /// Runs in which a thread was held and another one interfered.
    in_order: usize,
    /// Why nothing can be tried.
    hopeless: Option<String>,
    seconds: Duration,
}

impl ProgramExploration {
    pub(super) fn new(main: &str, finding: &FindingRecord, jdk: &str) -> Self {
        let thread = |label: &str| label.split('#').next().unwrap_or_default().to_string();
        let labels = [0, 1].map(|place| finding.witness.threads.get(place).map_or_else(String::new, |it| thread(it)));
        Self {
            main: main.to_string(),
            labels,
            places: Places::of(finding),
            record: ConfirmationRecord::open(jdk),
            serial: Serial::new(1),
            serial_runs: 0,
            points: Vec::new(),
            left: None,
            in_order: 0,
            hopeless: None,
            seconds: Duration::ZERO,
        }
    }

    /// What is asked: the program, its places, and the names that are told.
    pub(super) fn question(&self) -> impl std::fmt::Debug {
        (&self.main, &self.places, &self.labels)
    }

    /// Whether more time could change the answer.
    pub(super) fn is_open(&self) -> bool {
        let is_left = self.left.as_ref().is_none_or(|left| !left.is_empty());
        self.record.demonstration.is_none() && self.hopeless.is_none() && is_left
    }

    /// The record, with the verdict as it is now.
    pub(super) fn finish(mut self) -> ConfirmationRecord {
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
    pub(super) fn explore(&mut self, controller: &mut Controller, time: Duration) -> Result<(), Silence> {
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
            return self.serially(controller, *rule);
        }
        if self.left.is_none() {
            self.record.clients = 1;
            self.left = Some(self.forced());
            if self.left.as_ref().is_some_and(Vec::is_empty) {
                self.hopeless = Some("no thread comes to the accesses of the unit".into());
            }
        }
        let Some(forced) = self.left.as_mut().and_then(Vec::pop) else { return Ok(()) };
        match self.force(controller, &forced)? {
            Some(outcome) if self.serial.is_none(&outcome) => self.verify(controller, &forced),
            _ => Ok(()),
        }
    }

    /// The forced runs, the most promising one last.
    fn forced(&self) -> Vec<Forced> {
        let mut points: Vec<&Point> = self.points.iter().collect();
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

    fn run(&self, controller: &mut Controller, how: &str, number: &str, point: &str) -> Result<Answer, Silence> {
        let first = ["program", &self.main, how, number, point];
        let fields: Vec<&str> = first.into_iter().chain(self.places.texts.iter().map(String::as_str)).collect();
        controller.ask(&fields)
    }

    /// A serial run, of which the outcome is remembered.
    fn serially(&mut self, controller: &mut Controller, (how, number): (&str, &str)) -> Result<(), Silence> {
        let answer = self.run(controller, how, number, "")?;
        match Run::of(&answer) {
            Some(run) => {
                self.serial.add(0, &run.outcome);
                for point in run.points {
                    match self.points.iter_mut().find(|known| known.place == point.place) {
                        Some(known) => known.visits = known.visits.max(point.visits),
                        None => self.points.push(point),
                    }
                }
            }
            None => self.hopeless = Some(why(&answer)),
        }
        Ok(())
    }

    /// A forced run; its outcome, if threads came where they should, and nothing depended on the time.
    fn force(&mut self, controller: &mut Controller, forced: &Forced) -> Result<Option<Outcome>, Silence> {
        let point = format!("{} {}", forced.point, forced.occurrence);
        let answer = self.run(controller, forced.how, "0", &point)?;
        self.record.schedules += 1;
        let Some(run) = Run::of(&answer) else { return Ok(None) };
        self.in_order += usize::from(answer.kind == "kept");
        Ok((answer.kind == "kept").then_some(run.outcome))
    }

    /// The finding is confirmed if what was seen once comes again, and in no serial run, of which many more are made.
    fn verify(&mut self, controller: &mut Controller, forced: &Forced) -> Result<(), Silence> {
        let occurrence = forced.occurrence.to_string();
        let mut last = None;
        for _ in 0..2 {
            for rule in SERIAL_AGAIN.iter().chain(&[("last", occurrence.as_str()), ("last", "1")]) {
                self.serially(controller, *rule)?;
            }
            let Some(outcome) = self.force(controller, forced)? else { return Ok(()) };
            if self.hopeless.is_some() || !self.serial.is_none(&outcome) {
                return Ok(());
            }
            last = Some(outcome);
        }
        self.record.demonstration = last.map(|outcome| self.demonstration(&outcome, forced));
        Ok(())
    }

    fn demonstration(&self, outcome: &Outcome, forced: &Forced) -> DemonstrationRecord {
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
        DemonstrationRecord {
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
fn told(difference: Difference) -> DifferenceRecord {
    let Difference { what, seen, serial } = difference;
    if what != "output" {
        return DifferenceRecord { what, seen, serial };
    }
    let other = serial.first().cloned().unwrap_or_default();
    DifferenceRecord { what, seen: only_in(&seen, &other), serial: vec![only_in(&other, &seen)] }
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
    points: Vec<Point>,
    outcome: Outcome,
}

impl Run {
    /// None if it did not come to its end.
    fn of(answer: &Answer) -> Option<Self> {
        if matches!(answer.kind.as_str(), "guarded" | "gone") {
            return None;
        }
        let count: usize = answer.fields.first()?.parse().ok()?;
        let (points, outcome) = answer.fields.get(1..)?.split_at_checked(count)?;
        Some(Self {
            points: points.iter().filter_map(|field| Point::of(field)).collect(),
            outcome: Outcome::of(outcome),
        })
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
    fn methods_are_named_as_in_class_files() {
        assert_eq!(method("Account.deposit(int) (2)"), "deposit");
        assert_eq!(method("Census.lambda$main$0(Census$Total)"), "lambda$main$0");
        assert_eq!(method("new Account(int)"), "<init>");
    }

    #[test]
    fn of_the_output_only_what_differs_is_told() {
        assert_eq!(only_in("a\nb\nb", "b\nc"), "\"a\", \"b\"");
        assert_eq!(only_in("a", "a"), "nothing more");
    }

    #[test]
    fn a_run_has_its_points_and_its_outcome() {
        let fields = ["1", "C m ()V 3 2 write 7", "the program", "hangs"].map(String::from).to_vec();
        let run = Run::of(&Answer { kind: "serial".into(), fields }).expect("a run");
        assert_eq!((run.points[0].visits, run.points[0].line), (2, 7));
        assert!(run.outcome.hangs());
        let gone = Answer { kind: "gone".into(), fields: vec!["it does not end".into()] };
        assert!(Run::of(&gone).is_none());
    }
}
