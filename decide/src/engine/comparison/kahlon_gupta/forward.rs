//! Forward reconstruction: local paths from the initial configurations through the tuples found.

use super::locking_process::{Configuration, ControlState, LockingProcess, node, symbol};
use super::{ConfigurationsId, Search};
use crate::encode::{Allowed, Executed, LocalAction, Trace, TracedRule, expand, subruns_giving_up};
use crate::engine::Failure;
use crate::engine::comparison::finite_sets::ElementId;
use crate::witness::LocalPath;

/// A participant during the reconstruction.
struct Walker {
    at: Configuration,
    trace: Trace,
}

/// The failure if a run contradicts the sets.
const NO_RUN: Failure = Failure::Internal("a configuration does not lead where its set says");

impl Search<'_> {
    /// Returns the paths of all participants from a tuple of the first phase that contains the initial configurations.
    ///
    /// # Errors
    /// If a limit is reached or the sets are wrong.
    pub(super) fn paths(&mut self, first: usize) -> Result<Vec<LocalPath>, Failure> {
        let phases = self.scenario.ends.len();
        let start = |process: &usize| Walker {
            at: self.known.processes[*process].process().initial(),
            trace: Trace::default(),
        };
        let mut walkers: Vec<_> = self.processes.iter().map(start).collect();
        let mut number = first;
        for phase in 0..phases {
            let found = self.tuples.found(number);
            let next = found.next.ok_or(NO_RUN)?;
            let histories = found.histories.clone();
            let after = self.tuples.get(next).1.clone();
            let ended = self.before_end(phase, &after)?.ok_or(NO_RUN)?;
            for (place, walker) in walkers.iter_mut().enumerate() {
                let allowed = self.allowed(place, phase);
                if *allowed != Allowed::Nothing {
                    self.walk(place, phase, walker, (ended[place], histories[place]))?;
                }
                if let Some(action) = self.own_action(place, phase) {
                    self.act(place, phase, walker, action, after[place])?;
                }
            }
            number = next;
        }
        let paths = walkers.iter().enumerate().map(|(place, walker)| {
            let process = self.known.processes[self.processes[place]].process();
            let path = expand(process.reduced(), &walker.trace, phases, self.meter)?;
            path.ok_or(Failure::Internal("a run has no path in the model"))
        });
        paths.collect()
    }

    /// Moves a participant within a phase to a configuration of the set, by a path with this history or one that
    /// dominates it.
    fn walk(
        &mut self,
        place: usize,
        phase: usize,
        walker: &mut Walker,
        (set, history): (ConfigurationsId, ElementId),
    ) -> Result<(), Failure> {
        let (meter, allowed) = (self.meter, self.allowed(place, phase));
        let (backward, segments) = self.of_place(place);
        let pre = backward.saturate(allowed, set, segments, meter)?;
        let (control, stack) = (walker.at.held.control(), walker.at.stack.iter().rev().map(|node| symbol(*node)));
        let stack: Vec<_> = stack.collect();
        let weight = pre.weight_of(segments, control, &stack)?;
        let mut elements = segments.elements(weight).iter().copied();
        let better = elements.find(|own| segments.dominates(*own, history));
        let better = better.ok_or(NO_RUN)?;
        let run = pre.run(segments, control, &stack, &better, &mut || meter.check())?.ok_or(NO_RUN)?;
        let process = backward.process();
        let found = |rule| {
            let (control, symbol) = pre.system().left(rule);
            let number = pre.system().rules_of(control, symbol).position(|own| own == rule)?;
            process.allowed_moves(allowed, (ControlState::of_control(control), node(symbol))).nth(number)
        };
        let traced = |rule, _| found(rule).map(|found| TracedRule { phase, executed: found.executed });
        // Every call that returns does so within the phase. If it may release locks of its caller, other threads may
        // have to act during the call, so it is not folded into one step.
        let gives_up = subruns_giving_up(process.reduced(), &run, &|rule| found(rule).map(|found| found.executed));
        let steps = walker.trace.read(&run, |callee| !gives_up(callee.subrun), traced, meter)?.ok_or(NO_RUN)?;
        for (rule, traced) in steps {
            LockingProcess::apply(found(rule).ok_or(NO_RUN)?, &mut walker.at);
            if let Executed::Call(..) = traced.executed {
                // The call returns with the locks with which it was entered.
                walker.at.stack.pop();
            }
            walker.trace.steps.push(traced);
        }
        Ok(())
    }

    /// Moves a participant by a step that ends the phase into the set.
    fn act(
        &mut self,
        place: usize,
        phase: usize,
        walker: &mut Walker,
        action: &LocalAction,
        set: ConfigurationsId,
    ) -> Result<(), Failure> {
        let (backward, _) = self.of_place(place);
        let top = *walker.at.stack.last().ok_or(NO_RUN)?;
        for found in backward.process().own_moves(action, (walker.at.held, top)) {
            let mut after = walker.at.clone();
            LockingProcess::apply(found, &mut after);
            if backward.accepts(set, &after) {
                walker.at = after;
                walker.trace.steps.push(TracedRule { phase, executed: found.executed });
                return Ok(());
            }
        }
        Err(NO_RUN)
    }
}
