//! `asercheck batch`: all queries of many models, in worker processes.

mod plan;

use super::arguments::{BatchArguments, FailOn};
use super::output::Terminal;
use super::progress::{ANSWERS, Progress};
use super::{Exit, Failure, interrupt};
use crate::batch::{
    Agreement, BatchError, BatchRecord, Disagreement, Event, Folder, ModelEntry, Runner, one_each, vacuous_models,
};
use anyhow::{Context, anyhow};
use asercheck::answers::VerdictKind;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// Runs the command.
pub(crate) fn run(arguments: &BatchArguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let plan = plan::plan(arguments, terminal)?;
    let header = plan::header(&plan)?;
    if let Some(tasks) = &arguments.tasks {
        crate::batch::write_tasks(&plan, tasks).map_err(failure)?;
        return Ok(Exit::Success);
    }
    let out = arguments.out.as_deref().expect("required unless tasks are written");
    // From here on, a signal must leave the folder in order.
    let stop = interrupt::stop_flag()?;
    let (folder, records) = if arguments.resume {
        Folder::resume(out, &header).map_err(failure)?
    } else {
        (Folder::create(out, &header).map_err(can_be_resumed)?, Vec::new())
    };
    let mut runner = Runner::new(&plan, program()?);
    runner.skip(&records);
    let progress = Progress::new(Some(records.len() + runner.len()), "queries", &ANSWERS, !arguments.quiet);
    let mut state = BatchState { folder, records: Vec::new(), agreement: Agreement::default(), wrong: false, progress };
    records.into_iter().for_each(|record| state.count(record, terminal));
    state.progress.begin();
    let jobs = arguments.jobs.map_or_else(processors, usize::from);
    let result = runner.run(jobs, &stop, |event| state.enter(event, terminal)).and_then(|()| state.folder.sync());
    let BatchState { records, wrong, progress, .. } = state;
    drop(progress);
    result.map_err(|error| Failure::internal(anyhow!(error)))?;
    // A folder that was put together by hand may contain records twice.
    let records = one_each(records);
    if !arguments.quiet {
        let table = crate::batch::verdict_table(&header.engines, &records, terminal.style());
        let text = table + &vacuous_models(&header.models);
        terminal.print(&text).context("standard output").map_err(Failure::internal)?;
    }
    if stop.load(Ordering::Relaxed) {
        terminal.tell(&format!("interrupted; to continue: {}\n", interrupt::resume_command()));
        return Ok(Exit::Interrupted);
    }
    Ok(if wrong { Exit::Internal } else { exit(&arguments.fail_on, &header.models, &records) })
}

/// Returns the program that workers run: this one.
pub(super) fn program() -> Result<PathBuf, Failure> {
    if cfg!(target_os = "linux") {
        // Also if the file was replaced in the meantime.
        return Ok(PathBuf::from("/proc/self/exe"));
    }
    std::env::current_exe().context("this program does not know its own file").map_err(Failure::internal)
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the exit code that the verdicts cause.
fn exit(fail_on: &[FailOn], models: &[ModelEntry], records: &[BatchRecord]) -> Exit {
    let has = |verdict| records.iter().any(|record| record.query.verdict == verdict);
    if fail_on.contains(&FailOn::Violation) && has(VerdictKind::Violation) {
        Exit::Violation
    } else if fail_on.contains(&FailOn::Unknown) && has(VerdictKind::Unknown) {
        Exit::Unknown
    } else if fail_on.contains(&FailOn::Vacuous) && models.iter().any(|model| model.vacuous.is_some()) {
        Exit::Input
    } else {
        Exit::Success
    }
}

/// The state of a running batch.
struct BatchState {
    folder: Folder,
    records: Vec<BatchRecord>,
    agreement: Agreement,
    /// Whether a fault of the program was found.
    wrong: bool,
    progress: Progress,
}

impl BatchState {
    fn enter(&mut self, event: Event, terminal: &Terminal) -> Result<(), BatchError> {
        match event {
            Event::Done(record) => {
                self.folder.append(&record)?;
                self.count(*record, terminal);
            }
            Event::Fault(what) => {
                self.wrong = true;
                self.progress.suspend(|| terminal.complain(&anyhow!("{what}")));
            }
            Event::Tick => {}
        }
        self.folder.tick()
    }

    fn count(&mut self, mut record: BatchRecord, terminal: &Terminal) {
        self.progress.count_query(record.query.verdict);
        if let Some(disagreement) = self.agreement.add(&record) {
            self.wrong = true;
            self.progress.suspend(|| complain_of(&[disagreement], terminal));
        }
        // Witnesses are on the disk.
        record.query.witness = None;
        self.records.push(record);
    }
}

/// Names the queries about which engines disagree.
pub(super) fn complain_of(disagreements: &[Disagreement], terminal: &Terminal) {
    for disagreement in disagreements {
        terminal.complain(&anyhow!("engines disagree on {disagreement}"));
    }
}

/// Returns the error about a folder for a new batch; a batch in an existing folder can be continued.
fn can_be_resumed(error: BatchError) -> Failure {
    match error {
        BatchError::Exists(_) => Failure::input(anyhow!("{error}, or continue the batch in it with --resume")),
        error => failure(error),
    }
}

/// Returns the failure for an error before anything is decided, or for one about verdicts.
pub(super) fn failure(error: BatchError) -> Failure {
    match error {
        BatchError::Conflict(_) | BatchError::Spawn(_) => Failure::internal(error),
        _ => Failure::input(error),
    }
}
