//! The model of one object.

use super::emit::{Emitter, Units};
use super::entries;
use super::follow::{Context, Follower, Stuck};
pub use super::graph::{Isolated, NotIsolated};
use super::program::{self, Main};
use super::quotient;
use super::refine::{Precision, Refined, refined};
use super::subject::{Claim, Subject};
use super::touching::reaching_statics;

/// What a proof about static fields rests on.
const OF_STATICS: [&str; 2] = [
    "methods of classes that do not use the static fields do not call back methods that do, nor do lambdas that a method gets from elsewhere",
    "static initializers have run",
];

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
