//! The search of clients and schedules for one finding, until an outcome differs from every serial order or the time is
//! over.
//!
//! Each client follows from a seed; the seeds are tried in order. The target searches for a schedule under which the
//! outcome of a client differs from every serial order. That is a candidate: it has to come again in two targets that
//! verify candidates only, and have never run this client ([`verification`]). There each run loads the classes again,
//! in new threads.

use crate::attribution::{Attribution, ClientMethods, OtherDifference};
use crate::client::Client;
use crate::controller::Controller;
use crate::machine::{Answer, Machine, NoAnswer};
use crate::question::Question;
use crate::schedule::Schedule;
use crate::search_end::{self, SearchEnd};
use crate::torn_section::{CodeLine, Interruption, Side};
use crate::verification::{self, Candidate, Refusal};
use audit::{Confirmation, ConfirmationEffort, Demonstration};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// The longest search with one client.
const CLIENT_TIME: Duration = Duration::from_secs(2);

/// The shortest search with one client. Otherwise a busy machine would try no schedule.
const MIN_CLIENT_TIME: Duration = Duration::from_millis(50);

/// The largest number of seeds.
const MAX_SEEDS: usize = 400;

/// The number of consecutive known clients after which there are no new ones.
const MAX_REPEATED: usize = 40;

/// The number of seeds without any client after which the search ends.
const MAX_FAILED_SEEDS: usize = 12;

/// A verified difference.
pub(crate) enum Found {
    /// It confirms the finding.
    Confirmation(ConfirmedClient),
    /// It belongs to other methods, or to another section.
    Other(Box<OtherDifference>, ConfirmedClient),
}

/// The state of the search.
pub(crate) struct ClientExploration<'a> {
    question: Question<'a>,
    next_seed: usize,
    effort: ConfirmationEffort,
    demonstration: Option<Demonstration>,
    /// The reasons why clients were not made or could not run, with their counts.
    reasons: BTreeMap<String, usize>,
    /// The clients that were tried, as Java code.
    tried: BTreeSet<String>,
    /// The clients with a candidate that was not confirmed.
    verified: BTreeSet<String>,
    /// The number of known clients since the last new one.
    repeated: usize,
    /// Methods that reach outside of the target, and the classes whose code does. Clients do not call these methods,
    /// except for the unit and its interferers, and do not choose these classes as implementations.
    avoided: BTreeSet<String>,
    /// The lines of the section to which the unit came.
    visited: BTreeSet<CodeLine>,
    /// The methods of the other differences: the interrupted one, and the other one.
    others: BTreeSet<(String, String)>,
}

/// A client that confirms the finding.
pub(crate) struct ConfirmedClient {
    /// The schedule, as commands for the target.
    pub(crate) steps: Vec<String>,
    /// The classes that are loaded first.
    pub(crate) loaded: Vec<String>,
}

impl<'a> ClientExploration<'a> {
    /// Returns a search without runs.
    pub(crate) fn new(question: Question<'a>) -> Self {
        Self {
            question,
            next_seed: 0,
            effort: ConfirmationEffort::default(),
            demonstration: None,
            reasons: BTreeMap::new(),
            tried: BTreeSet::new(),
            verified: BTreeSet::new(),
            repeated: 0,
            avoided: BTreeSet::new(),
            visited: BTreeSet::new(),
            others: BTreeSet::new(),
        }
    }

    /// The parts of the finding on which the result depends.
    pub(crate) fn question(&self) -> &Question<'a> {
        &self.question
    }

    /// Whether more time could change the result.
    pub(crate) fn is_open(&self) -> bool {
        self.demonstration.is_none()
            && self.next_seed < MAX_SEEDS
            && self.repeated < MAX_REPEATED
            && !self.is_hopeless()
    }

    /// Whether no client could be made or run.
    fn is_hopeless(&self) -> bool {
        self.effort.clients == 0 && self.next_seed >= MAX_FAILED_SEEDS
    }

    /// Whether a difference of other methods was found.
    pub(crate) fn has_others(&self) -> bool {
        !self.others.is_empty()
    }

    /// Returns the number of forced schedules so far.
    pub(crate) fn schedules(&self) -> usize {
        self.effort.schedules
    }

    /// Returns the result of the search so far. `jdk` is the name of the virtual machine.
    pub(crate) fn finish(mut self, jdk: &str, end: SearchEnd) -> Confirmation {
        self.effort.reached = self.question.section().reached(&self.visited);
        let obstacle = self.reasons.iter().max_by_key(|(_, count)| **count).map(|(why, _)| why.as_str());
        search_end::answer(jdk, &self.effort, self.demonstration, end, obstacle)
    }

    /// Tries clients for some time, until one shows a difference that is new.
    pub(crate) fn explore(&mut self, controller: &mut Controller, time: Duration) -> Result<Option<Found>, NoAnswer> {
        let begin = Instant::now();
        let mut result = Ok(None);
        while self.is_open() && begin.elapsed() < time {
            let seed = self.next_seed;
            self.next_seed += 1;
            let left = time.saturating_sub(begin.elapsed());
            match self.try_client(controller, seed, left) {
                Ok(Some(found)) => {
                    result = Ok(Some(found));
                    break;
                }
                Ok(None) => {}
                Err(NoAnswer::Stopped) => {
                    result = Err(NoAnswer::Stopped);
                    break;
                }
                Err(NoAnswer::Lost) => {
                    self.add_reason("the target was lost");
                    controller.start()?;
                }
            }
        }
        self.effort.time += begin.elapsed();
        result
    }

    /// Counts a reason why a client could not be used.
    fn add_reason(&mut self, why: &str) {
        *self.reasons.entry(why.to_string()).or_default() += 1;
    }

    /// Makes a client and searches for a schedule that confirms the finding.
    fn try_client(
        &mut self,
        controller: &mut Controller,
        seed: usize,
        time: Duration,
    ) -> Result<Option<Found>, NoAnswer> {
        if !controller.target.is_running() {
            controller.start()?;
        }
        let Some(client) = self.make_client(&mut controller.target, seed)? else { return Ok(None) };
        if !self.tried.insert(client.text()) {
            self.repeated += 1;
            return Ok(None);
        }
        self.repeated = 0;
        let Some(result) = self.search(&mut controller.target, &client, time)? else { return Ok(None) };
        self.effort.clients += 1;
        self.effort.way = self.effort.way.or(client.way);
        self.effort.schedules += result.schedules;
        self.visited.extend(self.question.section().visited(&result.visited).cloned());
        let is_worn = result.is_worn;
        let is_candidate = result.candidate.is_some();
        let found = self.examined(controller, &client, result)?;
        // A loaded machine may spoil a verification: a later seed may try the same client once more.
        if is_candidate && found.is_none() && self.verified.insert(client.text()) {
            self.tried.remove(&client.text());
        }
        // The client of a confirmed finding is still needed for its program.
        if is_worn && found.is_none() {
            controller.target.end();
        }
        Ok(found)
    }

    /// Verifies the candidate of a search, if it has one that belongs to known methods.
    fn examined(
        &mut self,
        controller: &mut Controller,
        client: &Client,
        result: SearchResult,
    ) -> Result<Option<Found>, NoAnswer> {
        let SearchResult { loaded, first_lines, candidate: Some(schedule), .. } = result else { return Ok(None) };
        let methods = self.methods(client);
        let mut all: Vec<Attribution> =
            schedule.interruptions.iter().filter_map(|one| methods.attribution(one, &first_lines)).collect();
        let own = all.iter().position(|one| self.question.is_answered(one, true));
        let chosen = own.or_else(|| all.iter().position(|one| !self.others.contains(&one.methods())));
        let Some(attribution) = chosen.map(|place| all.swap_remove(place)) else { return Ok(None) };
        let side = attribution.interruption.side;
        let command = self.client_command(client.seed);
        let candidate = Candidate { client, command: &command, loaded: &loaded, schedule: &schedule };
        let Some(demonstration) = self.verify(controller, &candidate, side)? else { return Ok(None) };
        let hangs = demonstration.differences.iter().any(|one| one.seen == "hangs");
        let client = ConfirmedClient { steps: schedule.steps, loaded };
        if self.question.is_answered(&attribution, hangs) {
            self.demonstration = Some(demonstration);
            return Ok(Some(Found::Confirmation(client)));
        }
        self.others.insert(attribution.methods());
        let effort = ConfirmationEffort { time: Duration::ZERO, ..self.effort.clone() };
        Ok(Some(Found::Other(Box::new(OtherDifference { attribution, demonstration, effort }), client)))
    }

    /// The methods of a client.
    fn methods<'c>(&'c self, client: &'c Client) -> ClientMethods<'c> {
        let by = client.by.as_deref().unwrap_or_else(|| self.question.by(client.seed));
        ClientMethods { unit: self.question.unit(client.seed).name, by, is_by_alone: client.calls == 1 }
    }

    /// Returns the sides of a client whose differences outside of the section are known, or belong to no known method.
    fn known_sides(&self, client: &Client) -> String {
        let methods = self.methods(client);
        let is_known = |side: &Side| {
            let interruption = Interruption { side: *side, ..Interruption::default() };
            let attribution = methods.attribution(&interruption, &Default::default());
            attribution.is_none_or(|one| self.others.contains(&one.methods()))
        };
        [1, 2].iter().filter(|side| is_known(side)).map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    /// Searches for a schedule with a new outcome.
    fn search(
        &mut self,
        target: &mut Machine,
        client: &Client,
        time: Duration,
    ) -> Result<Option<SearchResult>, NoAnswer> {
        let time = time.clamp(MIN_CLIENT_TIME, CLIENT_TIME).as_millis().to_string();
        let lines = self.question.lines.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        let fields = self.question.fields.iter().copied().collect::<Vec<_>>().join(" ");
        let (section, known) = (self.question.unit(client.seed).section.text(), self.known_sides(client));
        let methods = self.methods(client);
        let is_symmetric = methods.by == methods.unit && client.calls == 1;
        let is_symmetric = if is_symmetric { "1" } else { "0" };
        let answer = target.ask(&["search", &time, &lines, &fields, &section, &known, is_symmetric])?;
        let found = SearchResult::parse(&answer);
        if found.is_none() {
            self.add_failure(&answer);
            target.end_after(&answer);
            if answer.fields.get(1).is_some_and(|is_worn| is_worn == "1") {
                target.end();
            }
        }
        Ok(found)
    }

    /// Returns the command that makes the client of a seed.
    fn client_command(&self, seed: usize) -> Vec<String> {
        let question = &self.question;
        let kind = if question.is_static { "static" } else { "object" };
        let number = seed.to_string();
        let avoided = self.avoided.iter().map(String::as_str).collect::<Vec<_>>().join(",");
        let named = question.fields.iter().copied().collect::<Vec<_>>().join(" ");
        let (called, by) = (&question.unit(seed).called, question.by(seed));
        let fields = ["client", question.class, kind, &number, &avoided, &named, called, by];
        fields.map(str::to_string).to_vec()
    }

    /// Makes the client of a seed in the target.
    fn make_client(&mut self, target: &mut Machine, seed: usize) -> Result<Option<Client>, NoAnswer> {
        let answer = target.ask(&self.client_command(seed))?;
        match answer.kind.as_str() {
            "client" => Ok(Client::parse(&answer.fields)),
            _ => {
                self.add_failure(&answer);
                target.end_after(&answer);
                Ok(None)
            }
        }
    }

    /// Counts the reason of an answer without an outcome.
    fn add_failure(&mut self, answer: &Answer) {
        match answer.kind.as_str() {
            "guarded" => {
                self.add_reason(&format!("it would {}", answer.first_field()));
                self.avoided.extend(answer.fields.iter().skip(1).filter(|name| !name.is_empty()).cloned());
            }
            "cannot" | "unusable" => self.add_reason(answer.first_field()),
            "failed" => {
                self.add_reason(&format!("making the objects {}", answer.fields.last().map_or("", String::as_str)))
            }
            _ => self.add_reason("it does not end"),
        }
    }

    /// Verifies a candidate. Returns the demonstration if its outcome differs from every serial order.
    fn verify(
        &mut self,
        controller: &mut Controller,
        candidate: &Candidate<'_>,
        interrupted: Side,
    ) -> Result<Option<Demonstration>, NoAnswer> {
        match verification::verify(controller.verifiers()?, candidate) {
            Ok((serial, outcome)) => {
                let Candidate { client, schedule, .. } = candidate;
                Ok(Some(client.demonstration(&serial, &outcome, schedule, interrupted)))
            }
            Err(Refusal::NoAnswer(why)) => Err(why),
            Err(Refusal::Failure(answer)) => {
                self.add_failure(&answer);
                Ok(None)
            }
            Err(Refusal::Reason(why)) => {
                self.add_reason(&why);
                Ok(None)
            }
            Err(Refusal::Unconfirmed) => Ok(None),
        }
    }
}

/// The result of the search with one client.
struct SearchResult {
    schedules: usize,
    /// Whether the target should be replaced.
    is_worn: bool,
    /// The classes with accesses.
    loaded: Vec<String>,
    /// The lines to which the first side came, alone.
    visited: BTreeSet<CodeLine>,
    /// The first lines of both sides.
    first_lines: [CodeLine; 2],
    /// The schedule with a new outcome.
    candidate: Option<Schedule>,
}

impl SearchResult {
    /// Reads an answer; none if the client could not be used.
    fn parse(answer: &Answer) -> Option<Self> {
        let is_candidate = answer.kind == "candidate";
        if !is_candidate && answer.kind != "explored" {
            return None;
        }
        let mut fields = answer.fields.iter();
        let schedules = fields.next()?.parse().ok()?;
        let is_worn = fields.next()? == "1";
        let count = fields.next()?.parse().ok()?;
        let loaded = fields.by_ref().take(count).cloned().collect();
        let visited = CodeLine::parse_all(fields.next()?);
        fields.next()?;
        let first_lines = [fields.next()?, fields.next()?].map(|line| CodeLine::parse(line).unwrap_or_default());
        let candidate = if is_candidate { Schedule::parse(fields.as_slice()) } else { None };
        Some(Self { schedules, is_worn, loaded, visited, first_lines, candidate })
    }
}
