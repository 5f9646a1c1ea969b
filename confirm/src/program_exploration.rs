//! The search for a confirmation by runs of a whole program, from its method `main`.
//!
//! - A *run* of a program has no arguments and no input. Its outcome is the way it ends, the exceptions that end
//!   threads, and the printed lines in any order.
//! - A *section* is the part of a thread from the first to the last access of the finding.
//! - In a *forced* run, a thread is held before an access within its section, while the other threads continue.
//! - In a *serial* run, sections exclude each other: a thread waits before its section while another thread is in a
//!   section and can continue. Threads also pause before sections, for some time, or as long as in a forced run.
//!
//! Invariant: all serial runs count as runs of one order (`outcome`). So an entry of the outcome counts only if it was
//! equal in all of them, in whichever order the sections ran. They contain the two neighbours of a forced run: the
//! thread is held as long before that section, and before the next one. If a section is interrupted in a serial run by
//! accident, fewer entries count, which is safe. A forced outcome that differs must come again, and new serial runs
//! must differ from it, too.

use crate::controller::{Answer, Controller, NoAnswer};
use crate::finding_places::FindingPlaces;
use crate::outcome::{Deviation, Outcome, SerialOutcomes};
use crate::search_end::{self, SearchEnd};
use audit::{Confirmation, ConfirmationEffort, Demonstration, Difference, Finding};
use std::time::{Duration, Instant};

/// The serial runs before all others: the rule by which threads are stopped, and its number.
const SERIAL_RUNS: [(&str, usize); 6] =
    [("serial", 0), ("serial", 1), ("hold", 1), ("serial", 2), ("hold", 2), ("serial", 3)];

/// The serial runs that verify a candidate, in addition to its neighbours. The second round adds 1 to the numbers.
const VERIFYING_RUNS: [(&str, usize); 4] = [("serial", 4), ("serial", 6), ("serial", 8), ("serial", 10)];

/// The largest number of forced runs.
const MAX_FORCED_RUNS: usize = 60;

/// The occurrences of a place at which a thread is held.
const OCCURRENCES: [usize; 3] = [1, 2, 5];

/// A place at which a thread can be held, as the controller describes it.
struct HoldPoint {
    /// Class, method, descriptor and index.
    place: String,
    /// The number of times that threads came there.
    visits: usize,
    line: u32,
}

impl HoldPoint {
    /// Reads a field of an answer.
    fn parse(field: &str) -> Option<Self> {
        let words: Vec<&str> = field.split(' ').collect();
        let [class, method, descriptor, index, visits, line] = words[..] else { return None };
        let place = [class, method, descriptor, index].join(" ");
        Some(Self { place, visits: visits.parse().ok()?, line: line.parse().ok()? })
    }
}

/// A forced run.
struct ForcedRun {
    /// `hold`: the others continue until they end or wait; `meet`: until another thread has interfered.
    rule: &'static str,
    /// The place before which a thread is held.
    point: String,
    line: u32,
    occurrence: usize,
}

/// The state of the search.
pub(crate) struct ProgramExploration {
    main: String,
    /// The names of the two threads in the demonstration.
    labels: [String; 2],
    places: FindingPlaces,
    effort: ConfirmationEffort,
    demonstration: Option<Demonstration>,
    serial: SerialOutcomes,
    /// The number of [`SERIAL_RUNS`] that were made.
    serial_runs: usize,
    /// The remaining forced runs, the next one last; none before they are known.
    remaining: Option<Vec<ForcedRun>>,
    /// The number of runs in which a thread was held and another one interfered.
    in_order: usize,
    /// The reason why the program cannot be run.
    obstacle: Option<String>,
}

impl ProgramExploration {
    /// Returns a search without runs.
    pub(crate) fn new(main: &str, finding: &Finding) -> Self {
        let thread = |label: &str| label.split('#').next().unwrap_or_default().to_string();
        let labels = [0, 1].map(|place| finding.witness.threads.get(place).map_or_else(String::new, |it| thread(it)));
        Self {
            main: main.to_string(),
            labels,
            places: FindingPlaces::of(finding),
            effort: ConfirmationEffort::default(),
            demonstration: None,
            serial: SerialOutcomes::new(1),
            serial_runs: 0,
            remaining: None,
            in_order: 0,
            obstacle: None,
        }
    }

    /// The parts of the finding on which the result depends: the program, its places, and the names of threads.
    pub(crate) fn question(&self) -> impl std::fmt::Debug {
        (&self.main, &self.places, &self.labels)
    }

    /// Whether more time could change the result.
    pub(crate) fn is_open(&self) -> bool {
        let has_runs = self.remaining.as_ref().is_none_or(|remaining| !remaining.is_empty());
        self.demonstration.is_none() && self.obstacle.is_none() && has_runs
    }

    /// Returns the number of forced runs so far.
    pub(crate) fn schedules(&self) -> usize {
        self.effort.schedules
    }

    /// Returns the result of the search so far. `jdk` is the name of the virtual machine.
    pub(crate) fn finish(self, jdk: &str, end: SearchEnd) -> Confirmation {
        let unreached = (self.effort.schedules > 0 && self.in_order == 0)
            .then(|| "the order of the finding was not reached".to_string());
        let obstacle = self.obstacle.or(unreached);
        search_end::answer(jdk, &self.effort, self.demonstration, end, obstacle.as_deref())
    }

    /// Makes runs for some time, until one confirms the finding.
    pub(crate) fn explore(&mut self, controller: &mut Controller, time: Duration) -> Result<(), NoAnswer> {
        let begin = Instant::now();
        let mut result = Ok(());
        while self.is_open() && result.is_ok() && begin.elapsed() < time {
            result = self.step(controller);
        }
        self.effort.time += begin.elapsed();
        result
    }

    /// Makes one run. If its outcome is a candidate, also makes the runs that verify it.
    fn step(&mut self, controller: &mut Controller) -> Result<(), NoAnswer> {
        if let Some(rule) = SERIAL_RUNS.get(self.serial_runs) {
            self.serial_runs += 1;
            return self.run_serial(controller, rule.0, rule.1);
        }
        if self.remaining.is_none() {
            return self.prepare(controller);
        }
        let Some(forced) = self.remaining.as_mut().and_then(Vec::pop) else { return Ok(()) };
        match self.run_forced(controller, &forced)? {
            Some(run) if self.serial.excludes(&run.outcome) => self.verify(controller, &forced, run.section),
            _ => Ok(()),
        }
    }

    /// Returns the forced runs, the most promising one last.
    fn forced_runs(&self, points: &[HoldPoint]) -> Vec<ForcedRun> {
        let mut points: Vec<&HoldPoint> = points.iter().collect();
        points.sort_by_key(|point| !self.places.switches.contains(&point.line));
        let mut all = Vec::new();
        for occurrence in OCCURRENCES {
            for point in points.iter().filter(|point| point.visits >= occurrence) {
                for rule in ["hold", "meet"] {
                    all.push(ForcedRun { rule, point: point.place.clone(), line: point.line, occurrence });
                }
            }
        }
        all.truncate(MAX_FORCED_RUNS);
        all.reverse();
        all
    }

    /// Runs the program by a rule.
    fn run(&self, controller: &mut Controller, rule: &str, number: usize, point: &str) -> Result<Answer, NoAnswer> {
        let number = number.to_string();
        let first = ["program", &self.main, rule, &number, point];
        let fields: Vec<&str> = first.into_iter().chain(self.places.texts.iter().map(String::as_str)).collect();
        controller.ask_about_program(&fields)
    }

    /// Makes a serial run, and adds its outcome.
    fn run_serial(&mut self, controller: &mut Controller, rule: &str, number: usize) -> Result<(), NoAnswer> {
        let answer = self.run(controller, rule, number, "")?;
        match ProgramRun::of(&answer) {
            Some(run) => self.serial.add(0, &run.outcome),
            None => self.obstacle = Some(failure(&answer)),
        }
        Ok(())
    }

    /// Finds the places at which threads can be held, by a run that counts all accesses. It is no serial run, because
    /// threads stop within their sections.
    fn prepare(&mut self, controller: &mut Controller) -> Result<(), NoAnswer> {
        let answer = self.run(controller, "count", 0, "")?;
        let Some(run) = ProgramRun::of(&answer) else {
            self.obstacle = Some(failure(&answer));
            return Ok(());
        };
        self.effort.clients = 1;
        if run.points.is_empty() {
            self.obstacle = Some("no thread comes to the accesses of the unit".into());
        }
        self.remaining = Some(self.forced_runs(&run.points));
        Ok(())
    }

    /// Makes a forced run. Returns it if the order was reached and no outcome depends on time.
    fn run_forced(&mut self, controller: &mut Controller, forced: &ForcedRun) -> Result<Option<ProgramRun>, NoAnswer> {
        let point = format!("{} {}", forced.point, forced.occurrence);
        let answer = self.run(controller, forced.rule, 0, &point)?;
        self.effort.schedules += 1;
        let is_kept = answer.kind == "kept";
        self.in_order += usize::from(is_kept);
        Ok(ProgramRun::of(&answer).filter(|_| is_kept))
    }

    /// Confirms the finding if a forced run differs from all serial runs twice more. Before each time, new serial runs
    /// are made.
    fn verify(&mut self, controller: &mut Controller, forced: &ForcedRun, section: usize) -> Result<(), NoAnswer> {
        let mut last = None;
        let mut section = section;
        for round in 0..2 {
            let neighbours = [(forced.rule, section.max(1)), (forced.rule, section + 1)];
            for (rule, number) in
                neighbours.into_iter().chain(VERIFYING_RUNS.map(|(rule, number)| (rule, number + round)))
            {
                self.run_serial(controller, rule, number)?;
            }
            let Some(run) = self.run_forced(controller, forced)? else { return Ok(()) };
            if self.obstacle.is_some() || !self.serial.excludes(&run.outcome) {
                return Ok(());
            }
            section = run.section;
            last = Some(run.outcome);
        }
        self.demonstration = last.map(|outcome| self.demonstration(&outcome, forced));
        Ok(())
    }

    /// Returns the sentence about the first difference.
    fn sentence(&self, differences: &[Difference]) -> String {
        let when = format!("when a thread of {} was interrupted", self.labels[0]);
        match differences.first() {
            Some(Difference { what, seen, serial }) => {
                format!("{what}: {seen} {when}; in serial runs: {}", serial.join(" or "))
            }
            None => format!("no serial run has the outcome {when}"),
        }
    }

    /// Returns the demonstration by an outcome of a forced run.
    fn demonstration(&self, outcome: &Outcome, forced: &ForcedRun) -> Demonstration {
        let (kind, deviations) = self.serial.deviations(outcome);
        let class = forced.point.split(' ').next().unwrap_or_default();
        let simple = class.rsplit('.').next().unwrap_or_default();
        let time = match forced.occurrence {
            1 => "the first thread that comes there".to_string(),
            count => format!("the thread that comes there as number {count}"),
        };
        let then = match forced.rule {
            "meet" => "another thread interferes and stops behind that, then the first one leaves its method",
            _ => "the others run until they end or wait, then it goes on",
        };
        let differences: Vec<Difference> = deviations.into_iter().map(difference).collect();
        Demonstration {
            kind: kind.name().into(),
            says: self.sentence(&differences),
            seed: 0,
            before: format!("java {}", self.main),
            threads: self.labels.iter().map(|label| vec![label.clone()]).collect(),
            forced: format!("{time} stops in {simple} before line {}, {then}", forced.line),
            steps: vec![format!("{} {} {}", forced.rule, forced.point, forced.occurrence)],
            differences,
            program: None,
        }
    }
}

/// Returns a deviation for the report. Of the output, it shows only the lines that differ.
fn difference(deviation: Deviation) -> Difference {
    let Deviation { name: what, seen, serial } = deviation;
    if what != "output" {
        return Difference { what, seen, serial };
    }
    let other = serial.first().cloned().unwrap_or_default();
    Difference { what, seen: only_in(&seen, &other), serial: vec![only_in(&other, &seen)] }
}

/// Returns the lines of a text that another text does not have, as multisets.
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

/// A complete run, as the controller describes it.
struct ProgramRun {
    /// The number of sections that had begun when a thread was held.
    section: usize,
    points: Vec<HoldPoint>,
    outcome: Outcome,
}

impl ProgramRun {
    /// Reads an answer; none if the run is not complete.
    fn of(answer: &Answer) -> Option<Self> {
        if matches!(answer.kind.as_str(), "guarded" | "gone") {
            return None;
        }
        let [section, count] = [0, 1].map(|place| answer.fields.get(place).and_then(|field| field.parse().ok()));
        let (points, outcome) = answer.fields.get(2..)?.split_at_checked(count?)?;
        let points = points.iter().filter_map(|field| HoldPoint::parse(field)).collect();
        Some(Self { section: section?, points, outcome: Outcome::of(outcome) })
    }
}

/// Returns the reason why a run is not complete.
fn failure(answer: &Answer) -> String {
    match answer.kind.as_str() {
        "guarded" => format!("it would {}", answer.first_field()),
        _ => answer.first_field().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_compared_by_lines() {
        assert_eq!(only_in("a\nb\nb", "b\nc"), "\"a\", \"b\"");
        assert_eq!(only_in("a", "a"), "nothing more");
    }

    #[test]
    fn a_run_has_its_points_and_its_outcome() {
        let fields = ["3", "1", "C m ()V 3 2 7", "the program", "hangs"].map(String::from).to_vec();
        let run = ProgramRun::of(&Answer { kind: "open".into(), fields }).expect("a run");
        assert_eq!((run.section, run.points[0].visits, run.points[0].line), (3, 2, 7));
        assert!(run.outcome.hangs());
        let gone = Answer { kind: "gone".into(), fields: vec!["it does not end".into()] };
        assert!(ProgramRun::of(&gone).is_none());
    }
}
