//! `asercheck check`: decides queries of models.

use super::arguments::{CheckArguments, QuestionArguments};
use super::certificates::{self, Decided};
use super::ending::Ending;
use super::explain;
use super::output::{Terminal, plain};
use super::progress::{ANSWERS, Progress};
use super::properties::{properties, read_automata};
use super::reading::{remaining, within};
use super::why_safe;
use super::{Exit, Failure, suggestions};
use crate::report::forms;
use crate::report::{Checked, Counts, Sources};
use anyhow::{Context, anyhow};
use asercheck::answers::{Entries, Ledger, Tally, VerdictKind, units_name};
use asercheck::findings::{Ordinals, findings};
use asercheck::model::{self, Loaded, Rejected, Warning};
use asercheck::phases::UnitMode;
use asercheck::query::{Property, QuerySet};
use asercheck::records::{CheckReport, ProblemRecord, Unread, VERSION};
use asercheck::requests::{self, described, nothing_asked, nothing_named};
use asercheck::syntax::{ReadError, Source, render_all};
use asercheck::{Limits, Options, Reason, SearchReduction, SearchStatistics, lock_warnings, peak_memory};
use bytesize::ByteSize;
use std::mem::ManuallyDrop;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Runs the command.
pub(crate) fn run(arguments: &CheckArguments, terminal: &Terminal) -> Result<Exit, Failure> {
    if !arguments.output.format.is_for_models() {
        let name = arguments.output.format.name();
        return Err(Failure::input(anyhow!(
            "--format {name} is for `asercheck java`; SARIF and JSON are for models, too"
        )));
    }
    if let Some(number) = arguments.explain_pattern {
        return explain::pattern(number.into(), arguments.deciding.units, terminal);
    }
    if arguments.models.iter().filter(|path| is_standard_input(path)).count() > 1 {
        return Err(Failure::input(anyhow!("standard input, `-`, is named twice")));
    }
    if let Some((path, command)) = arguments.models.iter().find_map(|path| Some((path, suggestions::command(path)?))) {
        let word = path.display();
        return Err(Failure::input(anyhow!(
            "there is no command or file `{word}`; did you mean `asercheck {command}`?"
        )));
    }
    if let Some(advice) = arguments.models.iter().find_map(|path| suggestions::java(path)) {
        return Err(Failure::input(anyhow!("models are read here, and no Java: {advice}")));
    }
    if arguments.explain && arguments.output.format.name() != "text" {
        return Err(Failure::input(anyhow!("--explain is for --format text")));
    }
    if arguments.certificates.is_some() && arguments.models.len() > 1 {
        return Err(Failure::input(anyhow!("--certificates is for one model")));
    }
    if let (Some(file), Some(model)) = (&arguments.certificates, arguments.models.first()) {
        refuse_overwriting("--certificates", file, model)?;
    }
    let deadline = arguments.total_timeout.and_then(|total| Instant::now().checked_add(total));
    let mut run = Run { arguments, terminal, deadline, checked: Vec::new(), refused: Vec::new(), exit: Exit::Success };
    for path in &arguments.models {
        match run.model(path) {
            Ok(exit) => run.exit = run.exit.worse(exit),
            Err(failure) if arguments.models.len() == 1 => return Err(failure),
            Err(failure) => {
                terminal.complain(&failure.error);
                run.exit = run.exit.worse(failure.exit);
                let message = plain(&format!("{:#}", failure.error));
                run.refused.push(ProblemRecord { path: path.display().to_string(), message });
                if failure.exit == Exit::Internal {
                    return Ok(failure.exit);
                }
            }
        }
        if run.is_cancelled() {
            break;
        }
    }
    run.finish()?;
    Ok(run.exit)
}

/// The name of standard input where files are named.
pub(crate) const STANDARD_INPUT: &str = "<stdin>";

/// Whether a path stands for standard input.
pub(crate) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A model with all results about it.
struct CheckedModel {
    report: CheckReport,
    properties: Vec<Arc<Property>>,
    sources: Sources,
}

impl CheckedModel {
    fn view(&self) -> Checked<'_> {
        let Self { report, properties, sources } = self;
        let counts = Counts::of_model(report);
        Checked { report, counts, properties, sources, artifacts: std::slice::from_ref(&report.model) }
    }
}

/// The state of the command between its models.
struct Run<'a> {
    arguments: &'a CheckArguments,
    terminal: &'a Terminal,
    deadline: Option<Instant>,
    /// The models; their data is kept only if the form is written at the end.
    checked: Vec<CheckedModel>,
    /// The models that could not be read, if several are named.
    refused: Vec<ProblemRecord>,
    exit: Exit,
}

impl Run<'_> {
    /// Decides the queries about a model.
    fn model(&mut self, path: &Path) -> Result<Exit, Failure> {
        let Self { arguments, terminal, deadline, .. } = *self;
        let begin = Instant::now();
        let left = deadline.map(|deadline| deadline.saturating_duration_since(begin));
        let memory = arguments.memory.map(|size| size.as_u64());
        let limits = Limits::default().with_timeout(arguments.timeout).with_memory(memory).with_since(begin);
        let for_reading = limits.clone().with_timeout(sooner(arguments.timeout, left));
        let (file, overlap) = (path.to_path_buf(), arguments.search.overlap);
        let mut loaded = match within(&for_reading, move || model_at(&file, overlap)) {
            // The process ends soon after the last use, so that a big model need not be freed.
            Ok(loaded) => ManuallyDrop::new(accepted(loaded, terminal)?),
            Err(reason) => return self.unread(path, Reason::from(reason), begin.elapsed()),
        };
        let question = &arguments.question;
        if !arguments.output.quiet {
            tell_warnings(&mut loaded, question, &for_reading, terminal);
        }
        let reading = begin.elapsed();
        let units = UnitMode::from(arguments.deciding.units);
        let own = match read_automata(&question.of.automaton, &remaining(&for_reading, begin), terminal)? {
            Ok(automata) => automata,
            Err(reason) => return self.unread(path, Reason::from(reason), begin.elapsed()),
        };
        let properties = properties(&question.of, &question.pattern_numbers(), question.deadlocks, units, own)?;
        let named = |message: String| match arguments.models.len() {
            1 => Failure::input(anyhow!(message)),
            _ => Failure::input(anyhow!("{}: {message}", path.display())),
        };
        let asked = question.ask(&loaded.model, &properties);
        let asked = asked.map_err(|error| named(described(&error, &loaded.model, &properties)))?;
        let vacuous = question.kinds().vacuous(&loaded);
        if asked.count() == 0 && question.selects() && !question.deadlocks && vacuous.is_none() {
            return Err(named(nothing_asked(&properties)));
        }
        let options = Options::default()
            .with_engine(arguments.deciding.engine)
            .with_jobs(arguments.jobs.map(NonZeroUsize::get))
            .with_reductions(arguments.deciding.reduce.reductions())
            .with_bounds(arguments.search.bounds())
            .with_search(arguments.search.options(&arguments.deciding.reduce))
            .with_limits(limits);
        let mut decided = (arguments.certificates.is_some() || arguments.explain).then(Decided::default);
        let Entries { tally, records, unlisted, ended, locations, cycles } =
            decide(&asked, &options, deadline, arguments, decided.as_mut())?;
        if arguments.output.statistics {
            terminal.tell(&searched(&options.search.statistics));
        }
        let has_cycles = || tally.summary(0.0).queries > asked.count();
        // The needs of the user's automata are unknown.
        let is_known = question.names_parts() && question.of.automaton.is_empty();
        let nothing_named = is_known.then(|| nothing_named(&asked, question.deadlocks, has_cycles)).flatten();
        let subject = match decided {
            Some(decided) => {
                let program = certificates::program(&loaded.source, arguments.search.overlap)?;
                Some(certificates::Subject { program, units, asked: &asked, decided })
            }
            None => None,
        };
        let certificates = match (&arguments.certificates, &subject) {
            (Some(file), Some(subject)) => {
                let wants_progress = !arguments.output.quiet;
                let (text, record) = certificates::certify(file, subject, &options.limits, deadline, wants_progress)?;
                write_file(file, &text)?;
                Some(record)
            }
            _ => None,
        };
        let report = CheckReport {
            version: VERSION,
            model: if is_standard_input(path) { loaded.source.name().to_string() } else { path.display().to_string() },
            engine: arguments.deciding.engine.resolve().name().to_string(),
            units: units_name(units).to_string(),
            summary: tally.summary(begin.elapsed().as_secs_f64()),
            vacuous: vacuous.or_else(|| nothing_named.clone()),
            ended,
            unlisted: if arguments.output.format.tells_queries() { unlisted } else { 0 },
            findings: findings(&records, &Ordinals::of(&loaded.model)),
            queries: records,
            locations,
            // Without queries about cycles, the report does not list them.
            cycles: cycles.filter(|_| nothing_named.is_none()),
            certificates,
        };
        let sources = Sources::of_text(loaded.source.text().unwrap_or_default());
        let explained = match subject.filter(|_| arguments.explain) {
            Some(subject) => {
                let ending = Ending::of(options.limits.cancellation.clone(), deadline)?;
                let text = why_safe::explained(&subject, &options, (&sources, terminal.style()))?;
                drop(ending);
                text
            }
            None => String::new(),
        };
        if arguments.models.len() > 1 {
            // More models follow.
            drop(ManuallyDrop::into_inner(loaded));
        }
        let exit =
            self.take(CheckedModel { report, properties, sources }, &tally, (reading, begin.elapsed() - reading))?;
        print(terminal, &explained)?;
        Ok(exit)
    }

    /// Reports that a model was not read to its end, with the reason.
    fn unread(&mut self, path: &Path, reason: Reason, time: Duration) -> Result<Exit, Failure> {
        let Self { arguments, terminal, .. } = *self;
        terminal.tell(&format!("{}: unknown ({reason}): it was not read to its end\n", path.display()));
        let engine = arguments.deciding.engine.resolve().name().to_string();
        let units = units_name(UnitMode::from(arguments.deciding.units)).to_string();
        let report = CheckReport::unread(path.display().to_string(), engine, units, reason, time.as_secs_f64());
        let model = CheckedModel { report, properties: Vec::new(), sources: Sources::default() };
        print(terminal, &arguments.output.format.unread_model(&model.view()))?;
        self.checked.push(model);
        Ok(Exit::Unknown)
    }

    /// Prints the results about a model, or keeps them until all are complete.
    fn take(
        &mut self,
        model: CheckedModel,
        tally: &Tally,
        (reading, deciding): (Duration, Duration),
    ) -> Result<Exit, Failure> {
        let Self { arguments, terminal, .. } = *self;
        let CheckedModel { report, .. } = &model;
        let how = arguments.output.how(false, terminal);
        print(terminal, &arguments.output.format.model(&model.view(), tally, &how))?;
        if arguments.output.statistics {
            terminal.tell(&statistics(reading, deciding));
        }
        let exit = match (report.summary.violation, report.summary.unknown, &report.vacuous) {
            (0, 0, Some(why)) if arguments.fail_on_vacuous => {
                terminal.complain(&anyhow!("nothing to decide: {why}"));
                Exit::Input
            }
            (0, 0, _) => Exit::Success,
            (0, _, _) => Exit::Unknown,
            _ => Exit::Violation,
        };
        self.checked.push(model);
        if !arguments.output.format.is_written_last() && arguments.output.report.is_empty() {
            self.forget();
        }
        Ok(exit)
    }

    /// Frees the data of the last model that is not needed any more.
    fn forget(&mut self) {
        if let Some(last) = self.checked.last_mut() {
            last.report.queries = Vec::new();
            last.report.findings = Vec::new();
            last.sources = Sources::default();
        }
    }

    /// Whether the user ended the run.
    fn is_cancelled(&self) -> bool {
        self.checked.last().is_some_and(|last| last.report.ended == Some(Reason::Cancelled))
    }

    /// Writes the output about all models.
    fn finish(&self) -> Result<(), Failure> {
        let Self { arguments, terminal, checked, refused, exit, .. } = self;
        let views: Vec<_> = checked.iter().map(CheckedModel::view).collect();
        let unread = Unread { problems: refused, is_ignored: false };
        let is_of_one = arguments.models.len() == 1;
        let run = forms::Run { models: &views, is_of_one, unread, exit_code: exit.code() };
        print(terminal, &arguments.output.format.models(&run).map_err(Failure::internal)?)?;
        for path in arguments.output.report.iter().filter(|_| !checked.is_empty()) {
            write_file(path, &forms::of_file(path).models(&run).map_err(Failure::internal)?)?;
        }
        Ok(())
    }
}

/// Refuses to write the file of an option over another file that the user named.
pub(crate) fn refuse_overwriting(option: &str, file: &Path, other: &Path) -> Result<(), Failure> {
    let is_same =
        file == other || file.canonicalize().is_ok_and(|file| other.canonicalize().is_ok_and(|it| it == file));
    if is_same { Err(Failure::input(anyhow!("{option} would overwrite {}", other.display()))) } else { Ok(()) }
}

/// Writes a file that the user named.
pub(crate) fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display())).map_err(Failure::input)
}

/// Reads a model from a file, or from standard input.
fn model_at(path: &Path, overlap: bool) -> Result<Loaded, Box<Rejected>> {
    match source_at(path) {
        Ok(source) if overlap => model::from_source_with_overlap(source),
        Ok(source) => model::from_source(source),
        Err(error) => Err(Box::new(Rejected::from(error))),
    }
}

/// Reads a text from a file, or from standard input.
pub(crate) fn source_at(path: &Path) -> Result<Source, ReadError> {
    match is_standard_input(path) {
        true => Source::read_from(STANDARD_INPUT, std::io::stdin().lock()),
        false => Source::read(path),
    }
}

/// Returns the shorter of two times; none is no limit.
fn sooner(one: Option<Duration>, other: Option<Duration>) -> Option<Duration> {
    [one, other].into_iter().flatten().min()
}

/// Decides the queries, until the total time is over or the user ends the run.
fn decide(
    asked: &QuerySet<'_>,
    options: &Options,
    deadline: Option<Instant>,
    arguments: &CheckArguments,
    mut decided: Option<&mut Decided>,
) -> Result<Entries, Failure> {
    let ledger = Ledger::new(asked, arguments.output.format.tells_queries());
    let mut progress = Progress::new(ledger.expected(), "queries", &ANSWERS, !arguments.output.quiet);
    let ending = Ending::of(options.limits.cancellation.clone(), deadline)?;
    let entries = requests::decide(
        asked,
        options,
        ledger,
        || ending.reason(),
        |number, query, outcome| {
            if let Some(decided) = &mut decided {
                decided.enter(number, query, &outcome.verdict);
            }
            progress.count_query(VerdictKind::from(&outcome.verdict));
        },
    );
    entries.map_err(Failure::internal)
}

/// Prints the warnings that matter to the queries.
pub(crate) fn tell_warnings(loaded: &mut Loaded, question: &QuestionArguments, limits: &Limits, terminal: &Terminal) {
    loaded.add_warnings(lock_warnings(&loaded.model, limits));
    let asks_patterns = !question.pattern_numbers().is_empty();
    let matters = loaded.warnings.iter().filter(|warning| asks_patterns || !warning.is_about_patterns());
    let diagnostics: Vec<_> = matters.map(Warning::diagnostic).collect();
    terminal.tell(&render_all(&diagnostics, &loaded.source, terminal.colors_messages()));
}

/// Returns the times and the peak memory.
pub(crate) fn statistics(reading: Duration, deciding: Duration) -> String {
    let memory = peak_memory().map_or("unknown".to_string(), |bytes| ByteSize(bytes).to_string());
    let [reading, deciding] = [reading, deciding].map(|time| time.as_secs_f64());
    format!("reading {reading:.3} s, deciding {deciding:.3} s, peak memory {memory}\n")
}

/// Returns the statistics of the systematic search, if there was one, and which engines the default choice used.
fn searched(statistics: &SearchStatistics) -> String {
    let [explicit, search] = statistics.decided();
    let mut text = match explicit + search {
        0 => String::new(),
        _ => format!("decided by explicit: {explicit}, by search: {search}\n"),
    };
    if statistics.searches() == 0 {
        return text;
    }
    text += &format!(
        "{} searches: {} states, {} transitions, {} local states; the states of the biggest took {}\n",
        statistics.searches(),
        statistics.states(),
        statistics.transitions(),
        statistics.locals(),
        ByteSize(statistics.bytes())
    );
    for violation in statistics.undisciplined() {
        text += &format!("  {violation}\n");
    }
    for reduction in SearchReduction::ALL {
        let (saved, unit) = (statistics.saved(reduction), SearchStatistics::unit(reduction));
        text += &format!("  {reduction}: {saved} {unit}\n");
    }
    text
}

pub(crate) fn print(terminal: &Terminal, text: &str) -> Result<(), Failure> {
    terminal.print(text).context("standard output").map_err(Failure::internal)
}

/// Reads a model; its errors are rendered.
pub(crate) fn load(path: &Path, terminal: &Terminal) -> Result<Loaded, Failure> {
    accepted(model::load(path), terminal)
}

fn accepted(loaded: Result<Loaded, Box<Rejected>>, terminal: &Terminal) -> Result<Loaded, Failure> {
    loaded.map_err(|rejected| Failure::input(anyhow!(rejected.render(terminal.colors_messages()))))
}
