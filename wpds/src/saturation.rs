//! The course of a saturation, forwards or backwards: its steps, its beginning, and the aim that ends it.

use crate::automaton::Automaton;
use crate::index::{Control, State, Symbol, TransitionId};
use crate::meeting::{Meeting, Side};
use crate::semiring::Semiring;
use crate::transitions::Transitions;
use crate::worklist::Next;

/// The state of a saturation after some steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The saturation has finished.
    Saturated,
    /// The given number of steps was made, and the saturation has not finished.
    Paused,
    /// An aim was given, and it is reached. Further calls make no step.
    Reached,
}

/// The aim of a saturation, and how far it has got with its beginning.
#[derive(Clone, Debug)]
pub(crate) struct Course<W> {
    aim: Option<Box<Meeting<W>>>,
    /// Transitions that were there at the beginning, and how many of these, from the first on, have been processed.
    beginning: u32,
    begun: u32,
}

impl<W> Default for Course<W> {
    fn default() -> Self {
        Self { aim: None, beginning: 0, begun: 0 }
    }
}

impl<W: Clone> Course<W> {
    /// Notes that this number of transitions is the beginning.
    pub(crate) fn begin_with(&mut self, transitions: usize) {
        self.beginning = transitions as u32;
    }

    pub(crate) fn aim(&self) -> Option<&Meeting<W>> {
        self.aim.as_deref()
    }

    /// The sum of the runs found so far to or from the aim.
    pub(crate) fn weight_of_aim(&self) -> Option<&W> {
        self.aim().map(Meeting::total)
    }
}

/// A saturation in one of the directions.
pub(crate) trait Saturation<S: Semiring> {
    /// The cause of a change of a weight.
    type Cause: Copy;

    /// The side on which the transitions meet an aim.
    const SIDE: Side;

    fn transitions(&self) -> &Transitions<S::Weight, Self::Cause>;

    fn transitions_mut(&mut self) -> &mut Transitions<S::Weight, Self::Cause>;

    fn course(&self) -> &Course<S::Weight>;

    fn course_mut(&mut self) -> &mut Course<S::Weight>;

    /// The source, symbol and target of a transition.
    fn ends(&self, id: TransitionId) -> (State, Symbol, State);

    /// Propagates the pending weight of a transition.
    fn process(&mut self, semiring: &mut S, next: &Next<S::Weight>) -> Result<(), S::Stop>;

    /// The control states that are accepted with the empty stack, if no transition says so.
    fn accepting_at_once(&self) -> &[Control] {
        &[]
    }

    /// Adds the configurations that an automaton accepts to the aim.
    fn add_aim(&mut self, semiring: &mut S, automaton: &Automaton) -> Result<(), S::Stop> {
        let known = self.course_mut().aim.take();
        let mut aim = known.unwrap_or_else(|| Box::new(Meeting::new(semiring)));
        aim.add_automaton(semiring, Self::SIDE.opposite(), automaton)?;
        for control in self.accepting_at_once() {
            aim.accept_empty(semiring, *control)?;
        }
        let transitions = self.transitions();
        for id in transitions.ids() {
            // A run is reconstructed from ordered weights only after they have been taken.
            if !(transitions.are_settling() && transitions.is_pending(semiring, id)) {
                aim.add(semiring, Self::SIDE, id, self.ends(id), transitions.weight(id))?;
            }
        }
        self.course_mut().aim = Some(aim);
        Ok(())
    }

    /// Makes at most this number of steps.
    fn make_steps(&mut self, semiring: &mut S, steps: usize) -> Result<Progress, S::Stop> {
        for _ in 0..steps {
            if self.has_reached_aim(semiring) {
                return Ok(Progress::Reached);
            }
            let Some(next) = self.step(semiring)? else { return Ok(Progress::Saturated) };
            if let Some(mut aim) = self.course_mut().aim.take() {
                aim.add(semiring, Self::SIDE, next.id, self.ends(next.id), &next.delta)?;
                self.course_mut().aim = Some(aim);
            }
        }
        Ok(match (self.has_reached_aim(semiring), self.is_done()) {
            (true, _) => Progress::Reached,
            (false, true) => Progress::Saturated,
            (false, false) => Progress::Paused,
        })
    }

    fn has_reached_aim(&self, semiring: &S) -> bool {
        let weight = self.course().weight_of_aim().filter(|weight| !semiring.is_zero(weight));
        weight.is_some_and(|weight| !self.transitions().may_improve(semiring, weight))
    }

    /// Processes one transition with its pending weight and returns it; `None` if there is none.
    fn step(&mut self, semiring: &mut S) -> Result<Option<Next<S::Weight>>, S::Stop> {
        let Some(next) = self.transitions_mut().next(semiring) else { return Ok(None) };
        self.process(semiring, &next)?;
        Ok(Some(next))
    }

    /// Whether nothing is left to process.
    fn is_done(&self) -> bool {
        self.transitions().is_done()
    }

    /// Whether the transitions that were there at the beginning have been processed. Constant amortized time.
    fn has_begun(&mut self, semiring: &S) -> bool {
        let Course { beginning, mut begun, .. } = *self.course();
        while begun < beginning && !self.transitions().is_pending(semiring, TransitionId::new(begun)) {
            begun += 1;
        }
        self.course_mut().begun = begun;
        begun == beginning
    }
}
