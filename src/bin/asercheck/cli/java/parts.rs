//! `--parts`: the subjects of a program, a few at a time, for a scheduler of several machines (`asercheck.cluster`).
//!
//! The scheduler writes requests to standard input, one JSON value a line, and reads the answers from standard output:
//! first the [`Opened`] run, then an answer to each [`Request::Decide`]. After [`Request::Finish`] the report follows,
//! as every run prints it. If the whole run is in the cache, the report follows the first line.
//!
//! **Invariant.** The report is that of a run without `--parts`, except for seconds: the report of a subject depends on
//! the program and the options only (see [`with_subjects`]), and the rest of the run is in [`Head`].
//!
//! Every answer that no limit has cut short is in the cache before it is told, so that a process that dies loses
//! nothing but the subjects that it was deciding. The others go to the scheduler, and come back with `Finish`. The
//! analysis of the program is made when it is needed: not if all subjects are known.
//!
//! The process ends with its input, whatever it is doing: nobody waits for it then.

use super::cache::{Cache, Runs};
use crate::cli::{Exit, Failure};
use anyhow::{Context, anyhow};
use asercheck::audit::{
    Error, Head, Options, RunStore, StoredRun, StoredSubject, SubjectReport, Subjects, is_whole, with_subjects,
};
use asercheck::java::Program;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Write};
use std::num::NonZeroUsize;
use std::process;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// A request of the scheduler.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Request {
    /// Decides subjects in this order; begins none after a time in seconds.
    Decide { places: Vec<usize>, seconds: f64 },
    /// Makes the report, with the subjects that are not in the cache.
    Finish { unkept: BTreeMap<usize, StoredSubject> },
}

/// The first line of the output.
#[derive(Serialize)]
struct Opened<'a> {
    /// The hash of this program. Only the same program gives the same answers.
    build: &'a str,
    /// The key of the run: of the classes, the options and this program.
    run: &'a str,
    /// Whether the report follows.
    is_known: bool,
    /// Number of subjects; none before the first analysis.
    subjects: usize,
    /// The places of the subjects that are not in the cache.
    missing: Vec<usize>,
    /// The time that reading and analysing took, in seconds.
    seconds: f64,
}

/// The answer to `Decide`.
#[derive(Default, Serialize)]
struct Decided {
    /// The decided places, each with its seconds.
    decided: Vec<(usize, f64)>,
    /// The subjects that a limit has cut short, which are not in the cache.
    unkept: BTreeMap<usize, StoredSubject>,
    /// The places that were not begun.
    left: Vec<usize>,
}

/// The end of a series of requests.
enum End {
    Finish,
    /// This request needs the analysis of the program.
    Analyse(Request),
}

/// The only result of a run.
pub(super) struct Gathered(StoredRun);

impl RunStore for Gathered {
    fn get(&self) -> Option<StoredRun> {
        Some(self.0.clone())
    }

    fn keep(&self, _run: &StoredRun) {}
}

/// The run that is gathered.
struct Parts<'a> {
    options: &'a Options,
    cache: &'a Cache,
    runs: &'a Runs,
    requests: Receiver<String>,
    begin: Instant,
    head: Option<Head>,
    /// The decided subjects.
    known: BTreeMap<usize, StoredSubject>,
    /// The places of those that are not in the cache.
    unkept: BTreeSet<usize>,
}

/// Answers requests until the run is complete.
///
/// # Errors
/// If the classes that are named do not exist, or the scheduler is at fault.
pub(super) fn gather(
    program: &Program,
    options: &Options,
    (cache, runs): (&Cache, &Runs),
    failure: impl Fn(&Error) -> Failure,
) -> Result<Gathered, Failure> {
    let begin = Instant::now();
    let mut parts = Parts {
        options,
        cache,
        runs,
        requests: requests(),
        begin,
        head: None,
        known: BTreeMap::new(),
        unkept: BTreeSet::new(),
    };
    if let Some(run) = runs.get() {
        parts.open(true)?;
        return Ok(Gathered(run));
    }
    parts.head = cache.head(runs);
    if parts.head.is_some() {
        parts.read_known();
        if parts.missing().is_empty() {
            parts.open(true)?;
            return parts.finish();
        }
        parts.open(false)?;
        match parts.serve(None, None)? {
            End::Finish => return parts.finish(),
            End::Analyse(request) => parts.analyse(program, Some(request), failure)?,
        }
    } else {
        parts.analyse(program, None, failure)?;
    }
    parts.finish()
}

impl Parts<'_> {
    /// Analyses the program and answers requests until the last one.
    fn analyse(
        &mut self,
        program: &Program,
        request: Option<Request>,
        failure: impl Fn(&Error) -> Failure,
    ) -> Result<(), Failure> {
        let served = with_subjects(program, self.options, &|_| (), |subjects| Ok(self.answer(subjects, request)));
        served.map_err(|error| failure(&error))?
    }

    fn answer(&mut self, subjects: &Subjects<'_>, request: Option<Request>) -> Result<(), Failure> {
        if self.head.is_none() {
            let head = subjects.head();
            // A run that was ended has seen only a part.
            if !self.options.limits.cancellation.is_cancelled() {
                self.cache.keep_head(self.runs, &head);
            }
            self.head = Some(head);
            self.read_known();
            self.open(false)?;
        }
        match self.serve(Some(subjects), request)? {
            End::Finish => Ok(()),
            End::Analyse(_) => Err(Failure::internal(anyhow!("the program is analysed already"))),
        }
    }

    fn of(&self) -> usize {
        self.head.as_ref().map_or(0, |head| head.of)
    }

    /// Reads the subjects that are in the cache.
    fn read_known(&mut self) {
        for place in 0..self.of() {
            if let Some(subject) = self.cache.subject(self.runs, place) {
                self.known.insert(place, subject);
            }
        }
    }

    fn missing(&self) -> Vec<usize> {
        (0..self.of()).filter(|place| !self.known.contains_key(place)).collect()
    }

    fn open(&self, is_known: bool) -> Result<(), Failure> {
        let seconds = self.begin.elapsed().as_secs_f64();
        let (subjects, missing) = (self.of(), self.missing());
        tell(&Opened { build: self.cache.build(), run: self.runs.key(), is_known, subjects, missing, seconds })
    }

    /// Answers requests, the given one first.
    fn serve(&mut self, subjects: Option<&Subjects<'_>>, first: Option<Request>) -> Result<End, Failure> {
        let mut next = first;
        loop {
            let request = match next.take() {
                Some(request) => request,
                None => self.next()?,
            };
            match (request, subjects) {
                (Request::Finish { unkept }, _) => {
                    self.known.extend(unkept);
                    return Ok(End::Finish);
                }
                (request @ Request::Decide { .. }, None) => return Ok(End::Analyse(request)),
                (Request::Decide { places, seconds }, Some(subjects)) => {
                    let decided = self.decide(subjects, &places, seconds)?;
                    tell(&decided)?;
                }
            }
        }
    }

    fn next(&self) -> Result<Request, Failure> {
        let line = self.requests.recv().context("the scheduler has ended").map_err(Failure::internal)?;
        serde_json::from_str(&line).with_context(|| format!("no request: {line}")).map_err(Failure::input)
    }

    fn decide(&mut self, subjects: &Subjects<'_>, places: &[usize], seconds: f64) -> Result<Decided, Failure> {
        let begin = Instant::now();
        let time = Duration::try_from_secs_f64(seconds).map_err(Failure::input)?;
        let mut answer = Decided::default();
        let subjects_of_run = self.of();
        let mut chunks = places.chunks(self.options.jobs.map_or(1, NonZeroUsize::get));
        for chunk in chunks.by_ref() {
            let mut new = Vec::new();
            for place in chunk.iter().copied().filter(|place| *place < subjects_of_run) {
                match self.known.get(&place) {
                    // The scheduler may have lost it.
                    Some(subject) if self.unkept.contains(&place) => drop(answer.unkept.insert(place, subject.clone())),
                    Some(_) => {}
                    // Another process may have decided it.
                    None => match self.cache.subject(self.runs, place) {
                        Some(subject) => drop(self.known.insert(place, subject)),
                        None => new.push(place),
                    },
                }
            }
            let reports = subjects.decide(&new).map_err(|error| Failure::internal(anyhow!("{error}")))?;
            if self.options.limits.cancellation.is_cancelled() {
                return Err(Failure { exit: Exit::Interrupted, error: anyhow!("the run was ended") });
            }
            for (place, report) in new.into_iter().zip(&reports) {
                answer.decided.push((place, report.seconds));
                let stored = StoredSubject::from(report);
                if !(is_whole(report) && self.cache.keep_subject(self.runs, place, &stored)) {
                    answer.unkept.insert(place, stored.clone());
                    self.unkept.insert(place);
                }
                self.known.insert(place, stored);
            }
            if begin.elapsed() >= time {
                break;
            }
        }
        answer.left = chunks.flatten().copied().collect();
        Ok(answer)
    }

    /// The run of all subjects, which is kept if no limit has cut one short.
    fn finish(self) -> Result<Gathered, Failure> {
        let missing: Vec<usize> = self.missing();
        // Another process has decided them meanwhile.
        let Self { runs, cache, head, mut known, .. } = self;
        known.extend(missing.into_iter().filter_map(|place| Some((place, cache.subject(runs, place)?))));
        let head = head.ok_or_else(|| Failure::internal(anyhow!("the subjects are not known")))?;
        if let Some(place) = (0..head.of).find(|place| !known.contains_key(place)) {
            return Err(Failure::input(anyhow!("subject {place} is not decided")));
        }
        let (places, subjects): (Vec<usize>, Vec<SubjectReport>) =
            known.into_iter().map(|(place, subject)| (place, subject.into())).unzip();
        let is_complete = subjects.iter().all(is_whole);
        let run = head.run(places, subjects, |_| -> Result<_, Failure> { Ok(None) })?;
        let run = StoredRun::from(&run);
        if is_complete {
            runs.keep(&run);
        }
        Ok(Gathered(run))
    }
}

/// The lines of standard input. The process ends with them.
fn requests() -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if sender.send(line).is_err() {
                break;
            }
        }
        process::exit(Exit::Interrupted.code().into());
    });
    receiver
}

fn tell(answer: &impl Serialize) -> Result<(), Failure> {
    let line = serde_json::to_string(answer).map_err(Failure::internal)? + "\n";
    let mut out = io::stdout().lock();
    let written = out.write_all(line.as_bytes()).and_then(|()| out.flush());
    written.context("the scheduler does not listen").map_err(Failure::internal)
}
