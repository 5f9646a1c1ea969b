//! The model of one object.

use super::emit::{Emitter, Units};
use super::entries;
use super::follow::{Context, Follower, Stuck};
use super::names::Meanings;
use super::program::{self, Main};
use super::quotient;
use super::refine::{Precision, Refined, refined};
use super::subject::{Claim, Subject};
use super::touching::reaching_statics;
use crate::model::{GraphError, Model, ProcessId};
use std::collections::BTreeSet;

/// What a proof about static fields rests on.
const OF_STATICS: [&str; 2] = [
    "methods of classes that do not use the static fields do not call back methods that do, nor do lambdas that a method gets from elsewhere",
    "static initializers have run",
];

/// The model of one object, which any number of threads use.
#[derive(Debug)]
pub struct Isolated {
    /// The model. All locations are one atomic set.
    pub model: Model,
    /// The two processes that a pattern is asked of: the first one's units are looked at.
    ///
    /// In client mode, the first one, of any number of instances, runs one entry once, as a unit of work, and the second one, the
    /// same for all, any entry, again and again. In program mode, these are all pairs of threads.
    pub pairs: Vec<[ProcessId; 2]>,
    /// The processes whose entries do the same as that of another process, which stands behind each: what can be broken of the one can
    /// be broken of the other. They are in no pair.
    pub alike: Vec<(ProcessId, ProcessId)>,
    /// The processes that run one entry each; in program mode, the threads.
    pub entries: Vec<ProcessId>,
    /// The process that runs any entry; in program mode, the main thread.
    pub others: ProcessId,
    /// What a proof rests on, in words.
    pub assumptions: BTreeSet<String>,
    /// Why calls were left out, if they were: then what the model does not violate is not decided.
    pub partial: Option<Stuck>,
    /// What the names of the model stand for.
    pub meanings: Meanings,
}

/// Why there is no model.
#[derive(Debug)]
pub enum NotIsolated {
    /// The methods cannot be followed.
    Stuck(Stuck),
    /// No method accesses the object twice, so that nothing can be broken.
    NothingToBreak,
    /// The program is at fault: the graphs are no model.
    Fault(Vec<GraphError>),
}

/// Follows one object of a class through all methods that clients can call with it.
///
/// # Errors
/// If there is no model; see [`NotIsolated`].
pub(super) fn isolate(
    context: Context<'_>,
    subject: &Subject,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Isolated, NotIsolated> {
    // Of thousands of classes, what is looked up before anything is followed takes its time, too.
    if is_cancelled() {
        return Err(NotIsolated::Stuck(Stuck::Cancelled));
    }
    let follow = |precision: &Precision| {
        let mut follower = Follower::new(context, subject.class);
        follower.refine(precision);
        if subject.claim == Claim::Statics {
            follower.follow_statics();
            follower.touching = reaching_statics(context, subject.class);
            OF_STATICS.iter().for_each(|assumption| follower.assume(assumption));
        }
        let entries = entries::follow(&mut follower, is_cancelled)?;
        follower.leaves_nothing_open(entries.keys().copied())?;
        Ok((follower, entries))
    };
    let Refined { found: (mut follower, entries), partial } =
        refined(follow, |followed| &followed.0.uses, true).map_err(NotIsolated::Stuck)?;
    quotient::reduce(&mut follower.clones, is_cancelled).map_err(NotIsolated::Stuck)?;
    match (Emitter::new(&follower, subject.class, Units::Entering).emit(entries), partial) {
        // It may be broken in what was left out.
        (Err(NotIsolated::NothingToBreak), Some(stuck)) => Err(NotIsolated::Stuck(stuck)),
        (isolated, partial) => Ok(Isolated { partial, ..isolated? }),
    }
}

/// Follows one object of a class through a program that begins at `main`.
///
/// # Errors
/// If there is no model; see [`NotIsolated`].
pub(super) fn isolate_program(
    context: Context<'_>,
    subject: &Subject,
    main: Main,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Vec<Isolated>, NotIsolated> {
    program::isolate(context, subject, main, is_cancelled)
}
