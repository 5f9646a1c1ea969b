//! The main function of the library: it decides queries of a model.

use crate::engine::Options;
use crate::engine::{Decision, Failure, Session, Unsupported};
use crate::query::Query;
use crate::witness::{Interleaving, ReplayError, Statements, Subject, Witness, assemble, replay_watched};
use eml::model::Model;
use limits::{Limits, Meter, StopReason};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::{Duration, Instant};

/// The default number of steps up to which a call is expanded in a witness.
const LONGEST_CALL: u64 = 1_000;

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No interleaving violates the query, for any number of context switches and any stack depth.
    Safe,
    /// This interleaving violates the query; it was replayed on the model.
    Violation(Witness),
    /// The query was not decided.
    Unknown(Reason),
}

/// The reason why a query was not decided.
///
/// Reports use five words for reasons: `timeout`, `memory`, `bound`, `unsupported`, and `cancelled` for a run that was
/// cancelled. For some reasons they add a [detail](Reason::detail).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "ReasonWord", from = "ReasonWord")]
#[non_exhaustive]
pub enum Reason {
    /// The time limit was reached.
    Timeout,
    /// The memory limit was reached.
    Memory,
    /// A bound of the engine was reached.
    Bound,
    /// The query has more than 64 contended locks, and the engine stores sets of locks in 64 bits. The engines `search`
    /// and `interleave` have no such limit.
    ManyLocks,
    /// The query needs more variables than a binary decision diagram of the engine may have.
    ManyVariables,
    /// A process waits for or releases a contended lock that is not the innermost one that it holds, and this may
    /// affect the verdict. The engines `search` and `interleave` do not need nested locks.
    Nesting,
    /// The decision procedure does not apply, and the systematic search found no violation before it reached its
    /// bounds, with up to this number of threads at once.
    NoneWithin(usize),
    /// The automaton has more than 500 phases; the engine `interleave` has no such limit.
    ManyPhases,
    /// The engine cannot decide such queries. Reports read from JSON have this reason instead of `ManyLocks`,
    /// `ManyVariables`, `Nesting` and `ManyPhases`.
    Unsupported,
    /// The run was cancelled.
    Cancelled,
}

/// The words of reports for reasons.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ReasonWord {
    Timeout,
    Memory,
    Bound,
    Unsupported,
    Cancelled,
}

impl From<Reason> for ReasonWord {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Timeout => Self::Timeout,
            Reason::Memory => Self::Memory,
            Reason::Bound | Reason::NoneWithin(_) => Self::Bound,
            Reason::ManyLocks | Reason::ManyVariables | Reason::Nesting | Reason::ManyPhases | Reason::Unsupported => {
                Self::Unsupported
            }
            Reason::Cancelled => Self::Cancelled,
        }
    }
}

impl From<ReasonWord> for Reason {
    fn from(word: ReasonWord) -> Self {
        match word {
            ReasonWord::Timeout => Self::Timeout,
            ReasonWord::Memory => Self::Memory,
            ReasonWord::Bound => Self::Bound,
            ReasonWord::Unsupported => Self::Unsupported,
            ReasonWord::Cancelled => Self::Cancelled,
        }
    }
}

impl Reason {
    /// Whether the engine cannot decide such queries.
    pub fn is_unsupported(self) -> bool {
        matches!(self, Self::ManyLocks | Self::ManyVariables | Self::Nesting | Self::ManyPhases | Self::Unsupported)
    }

    /// The detail that reports add to the word for the reason, if any.
    pub fn detail(self) -> Option<String> {
        (self.is_unsupported() || matches!(self, Self::NoneWithin(_))).then(|| self.to_string())
    }

    /// The description of the reason.
    pub fn name(self) -> &'static str {
        match self {
            Self::Timeout => "timeout",
            Self::Memory => "memory",
            Self::Bound => "bound",
            Self::ManyLocks => "more than 64 contended locks",
            Self::ManyVariables => "too many variables for binary decision diagrams",
            Self::Nesting => {
                "a process waits for or releases a lock that is not the innermost of the contended ones that it holds"
            }
            Self::NoneWithin(_) => "no violation within the bounds of the search",
            Self::ManyPhases => "more than 500 phases",
            Self::Unsupported => "unsupported",
            Self::Cancelled => "cancelled",
        }
    }

    /// Advice for the user, if there is any.
    pub fn advice(self) -> Option<&'static str> {
        match self {
            Self::ManyLocks => Some(
                "locks count that two processes of a query acquire, or processes that start them; model locks that are always acquired \
                 together as one, or try --engine interleave",
            ),
            Self::ManyVariables => Some("try --engine explicit"),
            Self::Nesting => Some(
                "acquire the lock that is waited for or released last, or not at all what is held besides; or try --engine search",
            ),
            Self::ManyPhases => Some("split the automaton, or try --engine interleave"),
            Self::Unsupported => Some("try another engine"),
            Self::Bound => Some(
                "the search has bounds on states, stacks and instances: --max-states, --max-stack, --max-threads; or try --engine explicit",
            ),
            Self::NoneWithin(_) => Some(
                "the locks do not nest, or there is too much for the decision procedure; the search has bounds: --max-states, --max-stack, \
                 --max-threads",
            ),
            Self::Timeout | Self::Memory | Self::Cancelled => None,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoneWithin(threads) => {
                write!(f, "no violation with up to {threads} threads, within the bounds of the search")
            }
            reason => f.write_str(reason.name()),
        }
    }
}

/// A decided query.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// The wall-clock time of the query, without work shared with earlier queries. The first of many queries may exceed
    /// its limit, since its time includes an attempt to decide them together.
    pub time: Duration,
}

/// An internal error of this library: no verdict can be trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// An invariant of the engine is violated.
    Engine(&'static str),
    /// The engine's interleaving does not drive the automaton to its accepting state.
    NotAccepted,
    /// The witness cannot be replayed on the model.
    Replay(ReplayError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine(what) => write!(f, "internal error: {what}"),
            Self::NotAccepted => f.write_str("internal error: an interleaving was found that is no violation"),
            Self::Replay(error) => write!(f, "internal error: a witness does not replay: {error}"),
        }
    }
}

impl std::error::Error for Error {}

/// Decides one query.
///
/// The time is linear in the size of the model for fixed numbers of locks and locations. A limit or the cancellation of
/// the options ends it with [`Verdict::Unknown`].
///
/// ```
/// use decide::query::{Property, Selection};
/// use decide::{Options, Verdict, check};
/// use eml::model;
/// use phases::UnitMode;
///
/// let text = "lock l; shared x;
///     process P { atomic { sync l { read x; } sync l { write x; } } }
///     process Q { atomic { sync l { write x; } } }";
/// let model = model::from_text("update.eml", text)?.model;
/// let selection = Selection { processes: Some(vec!["P".into(), "Q".into()]), ..Selection::default() };
/// let queries = selection.queries(&model, &Property::all_patterns(UnitMode::Both))?;
/// // Pattern 1: P reads, Q writes, P writes a value that it considers current.
/// let Verdict::Violation(witness) = check(&model, &queries[0], &Options::default())?.verdict else { panic!() };
/// assert_eq!(witness.threads, ["P", "Q"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// After an internal error of this library; then there is no verdict.
pub fn check(model: &Model, query: &Query, options: &Options) -> Result<Outcome, Error> {
    Checker::new(model, std::slice::from_ref(query), options.clone()).check(query)
}

/// Decides queries of one model one after the other, sharing work between them.
#[derive(Debug)]
pub struct Checker<'m> {
    model: &'m Model,
    options: Options,
    session: Session<'m>,
    /// The statements of the witnesses so far.
    statements: Statements,
}

impl<'m> Checker<'m> {
    /// Creates a checker for these queries. Other queries are possible, but share less work.
    pub fn new(model: &'m Model, queries: &[Query], options: Options) -> Self {
        let (session, statements) = (Session::new(model, queries, &options), Statements::default());
        Self { model, session, options, statements }
    }

    /// Decides a query.
    ///
    /// # Errors
    /// After an internal error of this library; then there is no verdict.
    pub fn check(&mut self, query: &Query) -> Result<Outcome, Error> {
        let model = (self.model, &mut self.statements);
        let outcome = decide(&mut self.session, model, query, &self.options);
        // The time limit of the next query starts when it is checked.
        self.options.limits.since = None;
        outcome
    }

    /// Decides a query. These limits replace those of the options, for this query and later ones.
    ///
    /// # Errors
    /// After an internal error of this library; then there is no verdict.
    pub fn check_within(&mut self, query: &Query, limits: Limits) -> Result<Outcome, Error> {
        self.options.limits = limits;
        self.check(query)
    }
}

/// Decides a query in a session. The query is violated if one of its automata is; the first one is reported. It is safe
/// if all of its automata are.
fn decide(
    session: &mut Session<'_>,
    (model, statements): (&Model, &mut Statements),
    query: &Query,
    options: &Options,
) -> Result<Outcome, Error> {
    let (start, meter) = (Instant::now(), Meter::start(&options.limits));
    let mut verdict = Verdict::Safe;
    for case in query.cases() {
        match decide_case(session, (model, statements), &case, options, &meter)? {
            Verdict::Safe => {}
            // After a timeout or cancellation no other case can be decided.
            end @ (Verdict::Violation(_) | Verdict::Unknown(Reason::Timeout | Reason::Cancelled)) => {
                verdict = end;
                break;
            }
            unknown @ Verdict::Unknown(_) => verdict = unknown,
        }
    }
    if verdict == Verdict::Safe && !query.property.is_complete() {
        verdict = Verdict::Unknown(Reason::Bound);
    }
    Ok(Outcome { verdict, time: start.elapsed() })
}

/// Decides a query with one automaton, and replays the interleaving of the engine.
fn decide_case(
    session: &mut Session<'_>,
    (model, statements): (&Model, &mut Statements),
    query: &Query,
    options: &Options,
    meter: &Meter,
) -> Result<Verdict, Error> {
    Ok(match session.decide(query, meter) {
        Ok(Decision::Safe) => Verdict::Safe,
        Ok(Decision::Violation(interleaving)) => {
            match witness((model, statements), query, interleaving, options, meter) {
                Ok(witness) => {
                    let witness = witness.ok_or(Error::NotAccepted)?;
                    match verify(model, query, &witness, meter) {
                        Ok(replayed) => {
                            replayed.map_err(Error::Replay)?;
                            Verdict::Violation(witness)
                        }
                        Err(stop) => Verdict::Unknown(stop.into()),
                    }
                }
                Err(stop) => Verdict::Unknown(stop.into()),
            }
        }
        Ok(Decision::Bound) => Verdict::Unknown(Reason::Bound),
        Ok(Decision::Unsupported(Unsupported::ManyLocks)) => Verdict::Unknown(Reason::ManyLocks),
        Ok(Decision::Unsupported(Unsupported::ManyVariables)) => Verdict::Unknown(Reason::ManyVariables),
        Ok(Decision::Unsupported(Unsupported::Nesting)) => Verdict::Unknown(Reason::Nesting),
        Ok(Decision::Unsupported(Unsupported::ManyPhases)) => Verdict::Unknown(Reason::ManyPhases),
        Ok(Decision::Unsupported(Unsupported::NoneWithin(threads))) => Verdict::Unknown(Reason::NoneWithin(threads)),
        Err(Failure::Stopped(stop)) => Verdict::Unknown(stop.into()),
        Err(Failure::Internal(what)) => return Err(Error::Engine(what)),
    })
}

impl From<StopReason> for Reason {
    fn from(stop: StopReason) -> Self {
        match stop {
            StopReason::Timeout => Self::Timeout,
            StopReason::Memory => Self::Memory,
            StopReason::Steps => Self::Bound,
            StopReason::Cancelled => Self::Cancelled,
        }
    }
}

/// Builds the witness of an interleaving; `None` if the automaton does not accept it.
fn witness(
    (model, statements): (&Model, &mut Statements),
    query: &Query,
    interleaving: Interleaving,
    options: &Options,
    meter: &Meter,
) -> Result<Option<Witness>, StopReason> {
    let longest = options.longest_call.unwrap_or(LONGEST_CALL);
    let interleaving = interleaving.expand_calls(model, query.property.automaton(), longest, meter)?;
    assemble(model, query, &interleaving, statements, meter)
}

/// Replays a witness within the limits.
fn verify(
    model: &Model,
    query: &Query,
    witness: &Witness,
    meter: &Meter,
) -> Result<Result<(), ReplayError>, StopReason> {
    let locations: Vec<_> = query.locations.iter().map(|id| model.location(*id).name().to_string()).collect();
    let locks: Vec<_> = query.locks.iter().map(|id| model.lock(*id).name().to_string()).collect();
    let processes: Vec<_> = query.processes.iter().map(|id| model.process(*id).name().to_string()).collect();
    let automaton = query.property.automaton();
    let subject = Subject { model, automaton, locations: &locations, locks: &locks, processes: &processes };
    replay_watched(&subject, witness, |units| meter.work_of(units))
}
