//! The search for a confirmation by runs of a whole program, from its method `main`.
//!
//! - A *run* of a program has no arguments and no input. Its outcome is the way it ends, the exceptions that end
//!   threads, and the printed lines in any order.
//! - A *section* is the part of a thread from the first to the last access of the finding.
//! - In a *forced* run, a thread is held before an access within its section, while the other threads continue. The run
//!   counts if one of them makes an interfering access meanwhile, and if the section is torn (`torn_section`): the
//!   lines of the held thread are those of its current section only.
//! - In a *serial* run, sections exclude each other: a thread waits before its section while another thread is in a
//!   section and can continue. Threads also pause before sections, for some time, or as long as in a forced run.
//!
//! The search makes many runs in one Java machine, the target, each with new classes. Its runs only find candidates. A
//! candidate is verified by runs in machines of their own, so that no run can leave anything to another one.
//!
//! Invariant: all serial runs of a verification count as runs of one order (`outcome`). So an entry of the outcome
//! counts only if it was equal in all of them, in whichever order the sections ran. They contain the two neighbours of
//! a forced run: the thread is held as long before that section, and before the next one. If a section is interrupted
//! in a serial run by accident, fewer entries count, which is safe. A candidate is confirmed if two more forced runs
//! differ from all serial runs, those before and after them.

use crate::controller::Controller;
use crate::finding_places::FindingPlaces;
use crate::machine::{Answer, NoAnswer};
use crate::outcome::{Deviation, Outcome, SerialOutcomes};
use crate::search_end::{self, SearchEnd};
use crate::torn_section::{CodeLine, Interruption, TornSection};
use audit::{Confirmation, ConfirmationEffort, Demonstration, Difference, Finding};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The serial runs of the search, and the first ones of a verification: the rule by which threads are stopped, and its
/// number.
const SERIAL_RUNS: [(&str, usize); 6] =
    [("serial", 0), ("serial", 1), ("hold", 1), ("serial", 2), ("hold", 2), ("serial", 3)];

/// The serial runs of each round of a verification, in addition to its neighbours. The second round adds 1 to the
/// numbers.
const VERIFYING_RUNS: [(&str, usize); 4] = [("serial", 4), ("serial", 6), ("serial", 8), ("serial", 10)];

/// The largest number of forced runs.
const MAX_FORCED_RUNS: usize = 600;

/// The occurrences of a place at which a thread is held.
const OCCURRENCES: [usize; 9] = [1, 2, 3, 4, 5, 8, 13, 21, 50];

/// The number of runs after which a new target replaces one.
const MAX_RUNS: usize = 200;

/// A place at which a thread can be held, as the target describes it.
struct HoldPoint {
    /// Class, method, descriptor and index.
    place: String,
    /// The number of times that threads came there.
    visits: usize,
    line: CodeLine,
}

impl HoldPoint {
    /// Reads a field of an answer.
    fn parse(field: &str) -> Option<Self> {
        let words: Vec<&str> = field.split(' ').collect();
        let [class, method, descriptor, index, visits, line] = words[..] else { return None };
        let place = [class, method, descriptor, index].join(" ");
        Some(Self { place, visits: visits.parse().ok()?, line: CodeLine::parse(line)? })
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

/// The Java machine of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RunIn {
    /// The target of the search, in which other runs were before.
    Target,
    /// A machine of its own.
    OwnMachine,
}

/// The state of the search.
pub(crate) struct ProgramExploration {
    main: String,
    /// The names of the two threads in the demonstration.
    labels: [String; 2],
    places: FindingPlaces,
    section: TornSection,
    is_deadlock: bool,
    effort: ConfirmationEffort,
    demonstration: Option<Demonstration>,
    /// The serial runs of the search.
    searched: SerialOutcomes,
    /// The number of [`SERIAL_RUNS`] of the search that were made.
    serial_runs: usize,
    /// The serial runs in machines of their own.
    serial: SerialOutcomes,
    /// Whether [`SERIAL_RUNS`] are among them.
    has_serial: bool,
    /// Whether the last run left threads, so that no other one can follow in its machine.
    wears: bool,
    /// The number of runs in the current target.
    runs_in_target: usize,
    /// The remaining forced runs, the next one last; none before they are known.
    remaining: Option<Vec<ForcedRun>>,
    /// The number of runs in which the section was torn and another thread interfered meanwhile.
    in_order: usize,
    /// The lines of the section to which threads came.
    visited: BTreeSet<CodeLine>,
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
            section: TornSection::of(finding),
            is_deadlock: finding.is_deadlock(),
            effort: ConfirmationEffort::default(),
            demonstration: None,
            searched: SerialOutcomes::new(1),
            serial_runs: 0,
            serial: SerialOutcomes::new(1),
            has_serial: false,
            wears: false,
            runs_in_target: 0,
            remaining: None,
            in_order: 0,
            visited: BTreeSet::new(),
            obstacle: None,
        }
    }

    /// The parts of the finding on which the result depends: the program, its places, and the names of threads.
    pub(crate) fn question(&self) -> impl std::fmt::Debug {
        (&self.main, &self.places, &self.section, self.is_deadlock, &self.labels)
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
    pub(crate) fn finish(mut self, jdk: &str, end: SearchEnd) -> Confirmation {
        self.effort.reached = self.section.reached(&self.visited);
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
        if let Some((rule, number)) = SERIAL_RUNS.get(self.serial_runs) {
            self.serial_runs += 1;
            if let Some(run) = self.run(controller, RunIn::Target, rule, *number, "")? {
                self.searched.add(0, &run.outcome);
            }
            return Ok(());
        }
        if self.remaining.is_none() {
            return self.prepare(controller);
        }
        let Some(forced) = self.remaining.as_mut().and_then(Vec::pop) else { return Ok(()) };
        self.effort.schedules += 1;
        let Some(run) = self.run_forced(controller, RunIn::Target, &forced)? else { return Ok(()) };
        self.in_order += 1;
        match self.searched.excludes(&run.outcome) && !self.serial.agrees(&run.outcome) {
            true => self.verify(controller, &forced),
            false => Ok(()),
        }
    }

    /// Returns the forced runs, the most promising one last.
    fn forced_runs(&self, points: &[HoldPoint]) -> Vec<ForcedRun> {
        let mut points: Vec<&HoldPoint> = points.iter().collect();
        points.sort_by_key(|point| !self.places.switches.contains(&point.line.line));
        let mut all = Vec::new();
        for occurrence in OCCURRENCES {
            for point in points.iter().filter(|point| point.visits >= occurrence) {
                for rule in ["hold", "meet"] {
                    all.push(ForcedRun { rule, point: point.place.clone(), line: point.line.line, occurrence });
                }
            }
        }
        all.truncate(MAX_FORCED_RUNS);
        all.reverse();
        all
    }

    /// Runs the program by a rule. Returns a complete run; otherwise the program cannot be run.
    fn run(
        &mut self,
        controller: &mut Controller,
        place: RunIn,
        rule: &str,
        number: usize,
        point: &str,
    ) -> Result<Option<ProgramRun>, NoAnswer> {
        let number = number.to_string();
        let first = ["program", &self.main, rule, &number, point];
        let fields: Vec<&str> = first.into_iter().chain(self.places.texts.iter().map(String::as_str)).collect();
        let answer = match place {
            // The next machines start during the run.
            RunIn::OwnMachine => controller.ask_once(&fields)?,
            RunIn::Target if self.wears => controller.ask_once(&fields)?,
            RunIn::Target => {
                if !controller.target.is_running() {
                    controller.start()?;
                    self.runs_in_target = 0;
                }
                controller.ask(&fields)?
            }
        };
        let run = ProgramRun::of(&answer);
        if run.is_none() {
            self.obstacle = Some(failure(&answer));
        }
        self.wears = run.as_ref().is_none_or(|run| run.is_worn);
        self.runs_in_target += usize::from(place == RunIn::Target);
        if place == RunIn::Target && (self.wears || self.runs_in_target >= MAX_RUNS) {
            controller.target.end();
        }
        Ok(run)
    }

    /// Makes a serial run in a machine of its own, and adds its outcome.
    fn run_serial(&mut self, controller: &mut Controller, rule: &str, number: usize) -> Result<(), NoAnswer> {
        if let Some(run) = self.run(controller, RunIn::OwnMachine, rule, number, "")? {
            self.serial.add(0, &run.outcome);
        }
        Ok(())
    }

    /// Finds the places at which threads can be held, by a run that counts all accesses. It is no serial run, because
    /// sections do not exclude each other.
    fn prepare(&mut self, controller: &mut Controller) -> Result<(), NoAnswer> {
        let Some(run) = self.run(controller, RunIn::Target, "count", 0, "")? else { return Ok(()) };
        self.effort.clients = 1;
        let lines = run.points.iter().map(|point| point.line.clone()).collect();
        self.visited.extend(self.section.visited(&lines).cloned());
        if run.points.is_empty() {
            self.obstacle = Some("no thread comes to the accesses of the unit".into());
        }
        self.remaining = Some(self.forced_runs(&run.points));
        Ok(())
    }

    /// Makes a forced run. Returns it if another thread interfered in the torn section, and no outcome depends on time.
    fn run_forced(
        &mut self,
        controller: &mut Controller,
        place: RunIn,
        forced: &ForcedRun,
    ) -> Result<Option<ProgramRun>, NoAnswer> {
        let point = format!("{} {}", forced.point, forced.occurrence);
        let run = self.run(controller, place, forced.rule, 0, &point)?;
        Ok(run.filter(|run| run.is_kept && self.section.is_torn(&run.interruption)))
    }

    /// Confirms the finding if a forced run differs from all serial runs twice more. Every run has a machine of its
    /// own. After each forced run, serial runs are made, also with its neighbours.
    fn verify(&mut self, controller: &mut Controller, forced: &ForcedRun) -> Result<(), NoAnswer> {
        let mut outcomes = Vec::new();
        for round in 0..2 {
            let Some(run) = self.run_forced(controller, RunIn::OwnMachine, forced)? else { return Ok(()) };
            let neighbours = [(forced.rule, run.section.max(1)), (forced.rule, run.section + 1)];
            outcomes.push(run.outcome);
            let first = if self.has_serial { &[][..] } else { &SERIAL_RUNS[..] };
            let more = VERIFYING_RUNS.map(|(rule, number)| (rule, number + round));
            for (rule, number) in neighbours.into_iter().chain(first.iter().copied()).chain(more) {
                self.run_serial(controller, rule, number)?;
                let is_same = outcomes.iter().any(|outcome| !self.serial.excludes(outcome));
                if is_same || self.obstacle.is_some() {
                    return Ok(());
                }
            }
            self.has_serial = true;
        }
        let Some(outcome) = outcomes.pop().filter(|outcome| outcome.hangs() || !self.is_deadlock) else {
            return Ok(());
        };
        self.demonstration = Some(self.demonstration(&outcome, forced));
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

/// A complete run, as the target describes it.
struct ProgramRun {
    /// Whether another thread interfered while one was held, and no outcome depends on time.
    is_kept: bool,
    /// The number of sections that had begun when a thread was held.
    section: usize,
    /// The lines of the held thread's unit, before and after it was held.
    interruption: Interruption,
    points: Vec<HoldPoint>,
    outcome: Outcome,
    /// Whether threads are left, so that the target cannot be used any longer.
    is_worn: bool,
}

impl ProgramRun {
    /// Reads an answer; none if the run is not complete.
    fn of(answer: &Answer) -> Option<Self> {
        if matches!(answer.kind.as_str(), "guarded" | "gone") {
            return None;
        }
        let [section, before, after, count, rest @ .., is_worn] = answer.fields.as_slice() else { return None };
        let (points, outcome) = rest.split_at_checked(count.parse().ok()?)?;
        let (before, after) = (CodeLine::parse_all(before), CodeLine::parse_all(after));
        Some(Self {
            is_kept: answer.kind == "kept",
            section: section.parse().ok()?,
            interruption: Interruption { side: 1, before, after, ..Interruption::default() },
            points: points.iter().filter_map(|field| HoldPoint::parse(field)).collect(),
            outcome: Outcome::of(outcome),
            is_worn: is_worn == "1",
        })
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
        let fields = ["3", "C.java:6", "C.java:7 C.java:8", "1", "C m ()V 3 2 C.java:7", "the program", "hangs", "1"];
        let answer = Answer { kind: "kept".into(), fields: fields.map(String::from).to_vec() };
        let run = ProgramRun::of(&answer).expect("a run");
        assert_eq!((run.section, run.points[0].visits, run.points[0].line.line), (3, 2, 7));
        assert_eq!((run.interruption.before.len(), run.interruption.after.len()), (1, 2));
        assert!(run.outcome.hangs() && run.is_kept && run.is_worn);
        let gone = Answer { kind: "gone".into(), fields: vec!["it does not end".into()] };
        assert!(ProgramRun::of(&gone).is_none());
    }
}
