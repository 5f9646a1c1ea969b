//! Inserts the early and the quick spawners of a forest into an interleaving of its participants.
//!
//! The early ones run in front, the quick ones right after the start that leads to them. Each runs alone, in the order
//! of creation (see `participants`).

use super::forest::Forest;
use super::solo::Restraint;
use super::unaided_starts::{Multiset, Spawning, UnaidedStarts};
use crate::witness::{Calls, InterleavedStep, Interleaving};
use eml::model::ProcessId;
use limits::{Meter, StopReason};
use std::collections::VecDeque;

/// Adds the spawners that do not participate to an interleaving of the participants. There, if the start with number
/// `k` leads to quick spawners, it starts the instance whose number is `k` plus the number of participants. Returns
/// `None` if some spawner has no such run, which would contradict the search for the forest.
///
/// # Errors
/// If a limit is reached.
pub(crate) fn with_spawners(
    starts: &UnaidedStarts<'_>,
    forest: &Forest,
    interleaving: Interleaving,
    meter: &Meter,
) -> Result<Option<Interleaving>, StopReason> {
    let participants = forest.participants.len();
    let processes = forest.participants.iter().map(|participant| participant.process).collect();
    let mut all = Runs { starts, processes, steps: Vec::new(), calls: interleaving.calls };
    all.calls.resize(participants, Calls::default());
    for (process, spawned) in &forest.available {
        if all.add(*process, spawned, &forest.early, meter)?.is_none() {
            return Ok(None);
        }
    }
    for step in interleaving.steps {
        let Some(start) = step.starts.and_then(|started| started.checked_sub(participants)) else {
            all.steps.push(step);
            continue;
        };
        let place = all.steps.len();
        all.steps.push(step);
        let start = &forest.starts[start];
        let Some(started) = all.add(start.process, &start.spawned, &forest.quick, meter)? else { return Ok(None) };
        all.steps[place].starts = Some(started);
    }
    Ok(Some(Interleaving { processes: all.processes, steps: all.steps, calls: all.calls }))
}

struct Runs<'a> {
    starts: &'a UnaidedStarts<'a>,
    processes: Vec<ProcessId>,
    steps: Vec<InterleavedStep>,
    calls: Vec<Calls>,
}

/// An instance that has to run, with the parts that it spawns and the processes to start for each.
struct Task {
    thread: usize,
    parts: Vec<(Vec<usize>, Vec<ProcessId>)>,
}

impl Runs<'_> {
    /// Adds an instance of a process that spawns some participants, its run, and the runs of all that it starts for
    /// them. Returns its number. Adds nothing if it is the participant itself.
    fn add(
        &mut self,
        process: ProcessId,
        spawned: &[usize],
        restraint: &Restraint,
        meter: &Meter,
    ) -> Result<Option<usize>, StopReason> {
        let mut tasks = VecDeque::new();
        let Some(first) = self.instance(process, spawned, restraint, &mut tasks, meter)? else { return Ok(None) };
        while let Some(Task { thread, parts }) = tasks.pop_front() {
            let starts: Vec<_> = parts.iter().map(|(_, any)| any.clone()).collect();
            let run = self.starts.run(self.processes[thread], starts, restraint, meter)?;
            let Some(run) = run else { return Ok(None) };
            self.calls[thread] = run.calls.clone();
            for (step, asked) in run.steps.iter().copied() {
                meter.work_of(1)?;
                let mut starts = None;
                if let Some((part, process)) = asked {
                    starts = self.instance(process, &parts[part].0, restraint, &mut tasks, meter)?;
                    if starts.is_none() {
                        return Ok(None);
                    }
                }
                self.steps.push(InterleavedStep { thread, step, starts });
            }
        }
        Ok(Some(first))
    }

    /// The number of an instance that spawns some participants.
    fn instance(
        &mut self,
        process: ProcessId,
        spawned: &[usize],
        restraint: &Restraint,
        tasks: &mut VecDeque<Task>,
        meter: &Meter,
    ) -> Result<Option<usize>, StopReason> {
        if let [only] = spawned
            && self.processes[*only] == process
        {
            return Ok(Some(*only));
        }
        let mut wanted: Multiset = spawned.iter().map(|place| self.processes[*place]).collect();
        wanted.sort_unstable();
        let spawnings = self.starts.spawnings(&wanted, restraint, meter)?;
        let Some(Spawning::Parts(parts)) = &spawnings[process.index()] else { return Ok(None) };
        let mut left = spawned.to_vec();
        let mut take = |wanted: &ProcessId| {
            let found = left.iter().position(|place| self.processes[*place] == *wanted)?;
            Some(left.swap_remove(found))
        };
        let mut of_parts = Vec::new();
        for (part, any) in parts {
            let Some(places) = part.iter().map(&mut take).collect() else { return Ok(None) };
            of_parts.push((places, any.clone()));
        }
        self.processes.push(process);
        self.calls.push(Calls::default());
        tasks.push_back(Task { thread: self.processes.len() - 1, parts: of_parts });
        Ok(Some(self.processes.len() - 1))
    }
}
