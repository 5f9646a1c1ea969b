//! The Java machines of a worker: a target that searches, two that verify candidates, and those in which a whole
//! program runs once.

use crate::machine::{Answer, Machine, NoAnswer, Setup};

/// The number of candidates that a machine verifies before a new one replaces it.
const MAX_CANDIDATES: usize = 20;

/// The machines of one worker.
pub(crate) struct Controller {
    /// The target of the search.
    pub(crate) target: Machine,
    /// The targets that verify candidates, and the number of candidates that each of them has had.
    verifiers: [(Machine, usize); 2],
    /// The machines of the next two runs of whole programs that need a machine of their own; they start meanwhile.
    single: [Machine; 2],
}

impl Controller {
    /// Returns the controller of the worker with a number; its machines are not started yet.
    pub(crate) fn new(setup: &Setup, worker: usize) -> Self {
        let on = |processor| Machine::new(setup, processor);
        let verifiers = [(on(worker), 0), (on(worker), 0)];
        Self { target: on(worker), verifiers, single: [on(worker), on(worker + 1)] }
    }

    /// Starts a new target. Returns the name and version of its virtual machine.
    pub(crate) fn start(&mut self) -> Result<String, NoAnswer> {
        self.target.start()
    }

    /// Sends a command to the target of the search.
    pub(crate) fn ask<S: AsRef<str>>(&mut self, fields: &[S]) -> Result<Answer, NoAnswer> {
        self.target.ask(fields)
    }

    /// Sends a command to a machine that has answered none before, and ends it.
    pub(crate) fn ask_once<S: AsRef<str>>(&mut self, fields: &[S]) -> Result<Answer, NoAnswer> {
        for machine in &mut self.single {
            if !machine.is_running() {
                machine.open()?;
            }
        }
        let answer = self.single[0].ready().and_then(|_| self.single[0].ask(fields));
        self.single[0].end();
        self.single.swap(0, 1);
        answer
    }

    /// Returns two targets for the verification of a candidate that neither of them has seen.
    pub(crate) fn verifiers(&mut self) -> Result<[&mut Machine; 2], NoAnswer> {
        for (machine, candidates) in &mut self.verifiers {
            if !machine.is_running() || *candidates >= MAX_CANDIDATES {
                machine.start()?;
                *candidates = 0;
            }
            *candidates += 1;
        }
        Ok(self.verifiers.each_mut().map(|(machine, _)| machine))
    }
}
