//! Reachability from one set of configurations to another: forward and backward saturation in turns, until they meet.
//!
//! Each of the two alone could decide the question. If the shorter way is near the starts or near the targets, the two
//! together process less: each stops as soon as the automaton of the one shares a configuration with that of the other
//! (`meeting`). If one of them has finished, it alone knows all; no common configuration means that there is no run,
//! once the other side's own starts or targets have all been compared.
//!
//! Source: P. G. Jensen, S. Schmid, M. K. Schou, J. Srba, J. Vanerio, I. van Duijn, *Faster pushdown reachability
//! analysis with applications in network verification*, ATVA 2021.

use crate::automaton::Automaton;
use crate::index::RuleId;
use crate::meeting::{Meeting, Side};
use crate::post_star::PostStar;
use crate::pre_star::PreStar;
use crate::run::Run;
use crate::saturation::{Progress, Saturation};
use crate::semiring::{Semiring, Traceable};
use crate::system::System;

/// A forward and a backward saturation of one system in turns.
///
/// ```
/// use wpds::{Automaton, Boolean, Control, Dual, Goal, Origin, Progress, Symbol, System};
///
/// let (p, q) = (Control::new(0), Control::new(1));
/// let [a, b] = [0, 1].map(Symbol::new);
/// let mut system = System::builder();
/// system.push(p, a, p, a, b, true);
/// system.pop(p, a, q, true);
/// let mut starts = Automaton::new();
/// starts.edge(Origin::Control(p), a, Goal::Final);
/// let mut targets = Automaton::new();
/// targets.edge(Origin::Control(q), b, Goal::Final);
///
/// let mut semiring = Boolean;
/// let mut dual = Dual::new(&mut semiring, system.build(), &starts, &targets).unwrap();
/// assert_eq!(dual.advance(&mut semiring, usize::MAX), Ok(Progress::Reached));
/// let run = dual.run(&mut semiring, &(), &mut || Ok(())).unwrap().expect("a run");
/// assert_eq!(run.rules().count(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Dual<S: Semiring> {
    post: PostStar<S>,
    pre: PreStar<S>,
    meeting: Meeting<S::Weight>,
}

/// A run in two parts: to a common configuration, and from there.
#[derive(Clone, Debug)]
pub struct DualRun {
    /// The run to the common configuration; its rules are those of the forward saturation.
    pub first: Run,
    /// The run from there; its rules are those of the backward saturation, which are the same.
    pub second: Run,
}

impl DualRun {
    /// The rules in order.
    pub fn rules(&self) -> impl Iterator<Item = RuleId> {
        self.first.rules().chain(self.second.rules())
    }
}

impl<S: Semiring> Dual<S> {
    /// Returns two saturations, from all configurations that `starts` accepts and from those that `targets` accepts.
    ///
    /// # Errors
    /// The semiring's.
    pub fn new(
        semiring: &mut S,
        system: System<S::Weight>,
        starts: &Automaton,
        targets: &Automaton,
    ) -> Result<Self, S::Stop> {
        let mut meeting = Meeting::new(semiring);
        let mut post = PostStar::new(semiring, system.clone());
        post.start_at(semiring, starts)?;
        let mut pre = PreStar::new(semiring, system);
        pre.target_at(semiring, targets)?;
        for control in targets.accepting() {
            meeting.accept_empty(semiring, *control)?;
        }
        Ok(Self { post, pre, meeting })
    }

    /// Makes at most `steps` steps of each saturation. [`Progress::Saturated`] means that no target is reachable.
    ///
    /// # Errors
    /// The semiring's; the saturations cannot be used any more.
    pub fn advance(&mut self, semiring: &mut S, steps: usize) -> Result<Progress, S::Stop> {
        let mut progress = self.progress(semiring);
        for _ in 0..steps {
            if progress != Progress::Paused {
                break;
            }
            if let Some(next) = self.post.step(semiring)? {
                self.meeting.add(semiring, Side::Forward, next.id, self.post.ends(next.id), &next.delta)?;
            }
            if let Some(next) = self.pre.step(semiring)? {
                self.meeting.add(semiring, Side::Backward, next.id, self.pre.ends(next.id), &next.delta)?;
            }
            progress = self.progress(semiring);
        }
        Ok(progress)
    }

    fn progress(&mut self, semiring: &S) -> Progress {
        let (post, pre) = (&mut self.post, &mut self.pre);
        if !semiring.is_zero(self.meeting.total()) {
            return Progress::Reached;
        }
        let is_complete = (post.is_done() && pre.has_begun(semiring)) || (pre.is_done() && post.has_begun(semiring));
        if is_complete { Progress::Saturated } else { Progress::Paused }
    }

    /// The sum of the runs found so far; not zero once a target is reached. It need not be that of all runs.
    pub fn weight(&self) -> &S::Weight {
        self.meeting.total()
    }

    /// The forward saturation so far.
    pub fn post(&self) -> &PostStar<S> {
        &self.post
    }

    /// The backward saturation so far.
    pub fn pre(&self) -> &PreStar<S> {
        &self.pre
    }

    /// Returns a run from a start to a target for an element of [`weight`](Self::weight).
    ///
    /// # Errors
    /// The semiring's, or that of `watch`, which is called once for each subrun.
    pub fn run(
        &self,
        semiring: &mut S,
        element: &S::Element,
        watch: &mut dyn FnMut() -> Result<(), S::Stop>,
    ) -> Result<Option<DualRun>, S::Stop>
    where
        S: Traceable,
    {
        let Some((before, after)) = self.meeting.paths(semiring, element)? else { return Ok(None) };
        let first = self.post.run_along(semiring, before, watch)?;
        let second = self.pre.run_along(semiring, after, watch)?;
        Ok(first.zip(second).map(|(first, second)| DualRun { first, second }))
    }
}
