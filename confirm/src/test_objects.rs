//! The project's own tests as a source of objects.
//!
//! Targets find the tests of some archives and folders, and run each of them once (`TestScan` in `java/`). A *moment*
//! is a call that a test is about to make while an object of a class with findings exists. The moments are written into
//! a file of a folder, which is part of the class path of all later targets (`TestMoments`). A client runs the test
//! again up to its moment, for each schedule.
//!
//! Which tests give objects depends on the time for tests, a third of all, if there are more tests than can run in it;
//! and for a test that takes about a second, on the machine. It decides only which clients are tried: outcomes are
//! compared with serial outcomes of the same client.

use crate::error::{Error, Operation};
use crate::event::Event;
use crate::jdk::Jdk;
use crate::machine::{Answer, Machine, NoAnswer, Setup};
use crate::stop::Stop;
use audit::TestCounts;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The file of the class path that lists the moments; `TestMoments` reads it.
const INDEX: &str = "META-INF/asercheck-tests";

/// The number of targets that run tests at the same time.
const TARGETS: usize = 2;

/// The part of the remaining time for the tests, as its divisor.
const TIME_PART: u32 = 3;

/// The largest number of moments of a class whose tests are about to make the same call in the same role.
const MAX_SAME: usize = 40;

/// Why a test did not run.
const TIME_OVER: &str = "the time for tests was over";

/// A test that is not an answer: it has fewer arguments than its number says.
const NONE: &str = "none";

/// A folder with the moments of tests. It is removed when this value is dropped.
#[derive(Debug)]
pub(crate) struct TestObjects {
    folder: PathBuf,
    pub(crate) counts: TestCounts,
}

impl TestObjects {
    /// Runs the tests of some paths, which are part of the class path, for objects of some classes. Returns the reason
    /// if no target could look for them.
    pub(crate) fn find(
        jdk: &Jdk,
        class_path: &[PathBuf],
        from: &[PathBuf],
        classes: &[&str],
        (stop, tell): (&Stop, &(dyn Fn(Event<'_>) + Sync)),
    ) -> Result<Result<Self, &'static str>, Error> {
        let mut scan = Scan { command: command(from, classes), ..Scan::default() };
        let setup = Setup { jdk: jdk.clone(), path: class_path.to_vec(), stop: stop.part(TIME_PART) };
        let mut targets: Vec<Machine> = (0..TARGETS).map(|number| Machine::new(&setup, number)).collect();
        match scan.start(&mut targets[0]) {
            Ok(answer) => scan.take(&answer),
            Err(NoAnswer::Lost) => return Ok(Err("no Java machine answered")),
            Err(NoAnswer::Stopped) if stop.is_reached() => return Ok(Err("the run ended before")),
            Err(NoAnswer::Stopped) => return Ok(Err(TIME_OVER)),
        }
        tell(Event::Testing { tests: scan.waiting.len() });
        let scan = Mutex::new(scan);
        std::thread::scope(|scope| {
            for (number, target) in targets.iter_mut().enumerate() {
                let scan = &scan;
                scope.spawn(move || work(scan, target, number > 0, tell));
            }
        });
        scan.into_inner().unwrap_or_else(PoisonError::into_inner).finish().map(Ok)
    }

    /// The folder, an entry of the class path.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for TestObjects {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Returns the command with which a target finds the tests.
fn command(from: &[PathBuf], classes: &[&str]) -> Vec<String> {
    let mut command = vec!["tests".to_string(), classes.join(" ")];
    command.extend(from.iter().map(|path| path.display().to_string()));
    command
}

/// The tests that have not run yet, and the answers of the others.
#[derive(Default)]
struct Scan {
    command: Vec<String>,
    /// The classes of all tests.
    classes: BTreeSet<String>,
    waiting: VecDeque<(usize, String)>,
    counts: TestCounts,
    /// The lines of the moments, by the numbers of the tests.
    moments: BTreeMap<usize, Vec<String>>,
}

/// Runs tests until there are none, or the time is over.
fn work(scan: &Mutex<Scan>, target: &mut Machine, mut is_new: bool, tell: &(dyn Fn(Event<'_>) + Sync)) {
    let lock = || scan.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        let Some((number, test)) = lock().waiting.pop_front() else { return };
        let command = lock().command.clone();
        let is_ready = !is_new || (target.start().is_ok() && target.ask(&command).is_ok());
        let answer = if is_ready { target.ask(&["test", &test]) } else { Err(NoAnswer::Stopped) };
        let mut scan = lock();
        let giving = scan.counts.giving;
        match answer {
            Ok(answer) => is_new = scan.add(number, answer),
            Err(NoAnswer::Lost) => {
                scan.counts.leave_out("do not end");
                is_new = true;
            }
            Err(NoAnswer::Stopped) => {
                scan.waiting.push_front((number, test));
                return;
            }
        }
        tell(Event::Tested { gives: scan.counts.giving > giving });
        drop(scan);
        if is_new {
            target.end();
        }
    }
}

impl Scan {
    /// Starts a target that knows the tests.
    fn start(&self, target: &mut Machine) -> Result<Answer, NoAnswer> {
        target.start()?;
        target.ask(&self.command)
    }

    /// Takes the tests that a target has found.
    fn take(&mut self, answer: &Answer) {
        let Some((count, rest)) = answer.fields.split_first().filter(|_| answer.kind == "tests") else { return };
        let (ids, left_out) = rest.split_at(count.parse().unwrap_or(0).min(rest.len()));
        self.classes = ids.iter().filter_map(|id| id.split('#').next()).map(str::to_string).collect();
        self.waiting = ids.iter().cloned().enumerate().collect();
        left_out.iter().for_each(|why| self.counts.leave_out(why));
    }

    /// Takes the answer of a test. Returns whether the target should be replaced.
    fn add(&mut self, number: usize, answer: Answer) -> bool {
        let mut fields = answer.fields.into_iter();
        let why = fields.next().unwrap_or_default();
        match (answer.kind.as_str(), why.as_str()) {
            ("test", "") => {
                let is_worn = fields.next().is_some_and(|field| field == "1");
                let moments: Vec<String> = fields.collect();
                self.counts.found += 1;
                match moments.is_empty() {
                    true => self.counts.others += 1,
                    false => self.counts.giving += 1,
                }
                self.moments.insert(number, moments);
                is_worn
            }
            ("test", NONE) => false,
            ("test", why) => {
                self.counts.leave_out(why);
                fields.next().is_some_and(|field| field == "1")
            }
            ("guarded", effect) => {
                self.counts.leave_out(&format!("would {effect}"));
                true
            }
            (_, why) => {
                self.counts.leave_out(why);
                true
            }
        }
    }

    /// Writes the moments.
    fn finish(mut self) -> Result<TestObjects, Error> {
        for _ in &self.waiting {
            self.counts.leave_out(TIME_OVER);
        }
        let folder = env::temp_dir().join(format!("asercheck-tests-{}-{:p}", std::process::id(), &self));
        let index = folder.join(INDEX);
        let parent = index.parent().unwrap_or(&folder);
        fs::create_dir_all(parent).map_err(Operation::Create.on(parent))?;
        let folder = fs::canonicalize(&folder).unwrap_or(folder);
        let made = TestObjects { folder, counts: self.counts };
        let mut lines = self.classes.into_iter().collect::<Vec<_>>().join("\t") + "\n";
        let mut same: BTreeMap<String, usize> = BTreeMap::new();
        for moment in self.moments.into_values().flatten() {
            // The class, the role of the object, and the call.
            let kind: Vec<&str> = moment.split('\t').take(3).collect();
            let kind =
                if kind.get(1) == Some(&"RECEIVER") { kind.join(" ") } else { kind[..2.min(kind.len())].join(" ") };
            let count = same.entry(kind).or_default();
            *count += 1;
            if *count <= MAX_SAME {
                lines += &moment;
                lines.push('\n');
            }
        }
        fs::write(&index, lines).map_err(Operation::Write.on(&index))?;
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(kind: &str, fields: &[&str]) -> Answer {
        Answer { kind: kind.into(), fields: fields.iter().map(ToString::to_string).collect() }
    }

    #[test]
    fn every_test_counts_once() {
        let mut scan = Scan::default();
        scan.take(&answer("tests", &["5", "A#a", "A#b", "A#b#1", "B#c", "B#d", "disabled"]));
        assert_eq!(scan.waiting.len(), 5);
        assert!(!scan.add(0, answer("test", &["", "0", "A\tRECEIVER\tA.f()\tA#a\t1\t1\t7"])));
        assert!(scan.add(1, answer("test", &["", "1"])), "the target is worn");
        assert!(!scan.add(2, answer("test", &["none", "0"])), "there are no such arguments");
        assert!(scan.add(3, answer("guarded", &["use a socket", "connect"])));
        scan.waiting = VecDeque::from([(4, "B#d".to_string())]);
        let made = scan.finish().expect("a folder");
        let counts = &made.counts;
        assert_eq!((counts.found, counts.giving, counts.others), (5, 1, 1));
        let left_out: Vec<(&str, usize)> = counts.left_out.iter().map(|(why, count)| (why.as_str(), *count)).collect();
        assert_eq!(left_out, [("disabled", 1), ("the time for tests was over", 1), ("would use a socket", 1)]);
        let index = fs::read_to_string(made.folder().join(INDEX)).expect("an index");
        assert_eq!(index, "A\tB\nA\tRECEIVER\tA.f()\tA#a\t1\t1\t7\n");
    }
}
