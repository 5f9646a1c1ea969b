//! `asercheck java`: decides the classes of a Java program, each as one object that any number of threads use.

use super::arguments::JavaArguments;
use super::ending::Ending;
use super::output::Terminal;
use super::{Exit, Failure};
use anyhow::{Context, anyhow};
use asercheck::isolate::{Claim, Decided, Facts, NotIsolated, Subject, decide, isolate};
use asercheck::java::{self, ClassId, Program, Summaries};
use asercheck::phases::UnitMode;
use asercheck::query::Property;
use asercheck::report::{Sources, Style, View, witness_table};
use asercheck::{Error, Limits, Options};
use rayon::ThreadPoolBuilder;
use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Instant;

/// What came of a class.
enum Result {
    Decided(Decided, BTreeSet<String>),
    /// No method accesses the object at all.
    Untouched,
    /// There is no model, for this reason.
    Skipped(String),
}

/// Runs the command.
pub(crate) fn run(arguments: &JavaArguments, terminal: &Terminal) -> std::result::Result<Exit, Failure> {
    let begin = Instant::now();
    let limits = Limits::default().with_timeout(arguments.timeout);
    let deadline = arguments.total_timeout.and_then(|total| begin.checked_add(total));
    let cancellation = limits.cancellation.clone();
    let ending = Ending::of(cancellation.clone(), deadline)?;
    let is_cancelled = || cancellation.is_cancelled();
    let reading = java::Limits { is_cancelled: &is_cancelled, ..java::Limits::default() };
    let (program, diagnostics) = Program::load(&arguments.paths, &arguments.library, &reading);
    for diagnostic in diagnostics.iter().filter(|diagnostic| arguments.verbose || !diagnostic.cause.is_note()) {
        terminal.tell(&format!("{}: {diagnostic}\n", if diagnostic.cause.is_note() { "note" } else { "warning" }));
    }
    if program.classes().len() == 0 {
        return Err(Failure::input(anyhow!("there are no classes in what is given")));
    }
    let summaries = summaries(arguments)?;
    let facts = Facts::new(&program);
    let subjects = subjects(&program, &facts, arguments)?;
    let properties = properties(arguments);
    let options = Options::default().with_engine(arguments.engine).with_limits(limits).with_jobs(1);
    let decide_one = |subject: &Subject| one(&program, &facts, &summaries, subject, &properties, &options);
    let pool = ThreadPoolBuilder::new().num_threads(arguments.jobs.map_or(0, NonZeroUsize::get)).build();
    let pool = pool.context("threads").map_err(Failure::internal)?;
    let results: std::result::Result<Vec<Result>, Error> =
        pool.install(|| subjects.par_iter().map(decide_one).collect());
    let results = results.map_err(Failure::internal)?;
    drop(ending);
    let mut report =
        Report { program: &program, style: terminal.style(), text: String::new(), counts: Counts::default() };
    for (subject, result) in subjects.iter().zip(&results) {
        report.subject(subject, result, arguments.verbose);
    }
    let Report { mut text, counts, .. } = report;
    text.push_str(&counts.summary(&program, subjects.len(), begin.elapsed().as_secs_f64()));
    terminal.print(&text).context("standard output").map_err(Failure::internal)?;
    Ok(match (counts.broken, counts.undecided + counts.skipped) {
        (0, 0) => Exit::Success,
        (0, _) => Exit::Unknown,
        _ => Exit::Violation,
    })
}

fn one(
    program: &Program,
    facts: &Facts,
    summaries: &Summaries,
    subject: &Subject,
    properties: &[Arc<Property>],
    options: &Options,
) -> std::result::Result<Result, Error> {
    let is_cancelled = || options.limits.cancellation.is_cancelled();
    match isolate(program, facts, summaries, subject, &is_cancelled) {
        Ok(isolated) => Ok(Result::Decided(decide(&isolated, properties, options)?, isolated.assumptions)),
        Err(NotIsolated::NothingToBreak) => Ok(Result::Untouched),
        Err(NotIsolated::Stuck(stuck)) => Ok(Result::Skipped(stuck.to_string())),
        Err(NotIsolated::Fault(errors)) => {
            let first = errors.first().map(ToString::to_string).unwrap_or_default();
            Ok(Result::Skipped(format!("its methods make no model: {first}")))
        }
    }
}

fn summaries(arguments: &JavaArguments) -> std::result::Result<Summaries, Failure> {
    let mut summaries = Summaries::builtin();
    for path in &arguments.summaries {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string()).map_err(Failure::input)?;
        summaries.add(&text).map_err(|errors| {
            let lines: Vec<_> = errors.iter().map(|error| format!("{}:{error}", path.display())).collect();
            Failure::input(anyhow!("{}", lines.join("\n")))
        })?;
    }
    Ok(summaries)
}

/// The classes that are named, or those that claim to be safe for threads.
fn subjects(program: &Program, facts: &Facts, arguments: &JavaArguments) -> std::result::Result<Vec<Subject>, Failure> {
    let all = program.classes().map(|(id, _)| id);
    if arguments.class.is_empty() {
        return Ok(all.filter_map(|class| Subject::of(program, facts, class)).collect());
    }
    let is_named = |class: &ClassId| {
        let name = program.class_name(*class);
        arguments.class.iter().any(|glob| matches(glob, &name)) && !program.class(*class).flags.is_interface()
    };
    let named: Vec<_> = all.filter(is_named).map(|class| Subject { class, claim: Claim::Named }).collect();
    if named.is_empty() {
        return Err(Failure::input(anyhow!("there is no class `{}`", arguments.class.join("`, `"))));
    }
    Ok(named)
}

/// Whether a name is what a pattern says, in which `*` stands for any text. Linear in the name for each `*`.
fn matches(glob: &str, name: &str) -> bool {
    let mut pieces = glob.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let mut pieces: Vec<_> = pieces.collect();
    let Some(last) = pieces.pop() else { return rest.is_empty() };
    for piece in pieces {
        let Some((_, behind)) = rest.split_once(piece) else { return false };
        rest = behind;
    }
    rest.ends_with(last)
}

fn properties(arguments: &JavaArguments) -> Vec<Arc<Property>> {
    let mut properties = Property::all_patterns(UnitMode::from(arguments.units));
    let is_asked = |number: usize| arguments.pattern.iter().any(|asked| usize::from(*asked) == number);
    properties.retain(|property| {
        arguments.pattern.is_empty() || property.pattern().is_some_and(|pattern| is_asked(pattern.number()))
    });
    properties
}

/// How many classes have come out how.
#[derive(Default)]
struct Counts {
    broken: usize,
    safe: usize,
    untouched: usize,
    undecided: usize,
    skipped: usize,
    queries: usize,
}

impl Counts {
    fn summary(&self, program: &Program, subjects: usize, seconds: f64) -> String {
        let Self { broken, safe, untouched, undecided, skipped, queries } = self;
        format!(
            "{subjects} of {} classes looked at: {broken} can be broken, {safe} safe, {untouched} without access, \
             {undecided} not decided, {skipped} skipped; {queries} queries ({seconds:.1} s)\n",
            program.classes().len()
        )
    }
}

struct Report<'p> {
    program: &'p Program,
    style: Style,
    text: String,
    counts: Counts,
}

impl Report<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn subject(&mut self, subject: &Subject, result: &Result, is_verbose: bool) {
        let name = self.program.class_name(subject.class);
        match result {
            Result::Skipped(why) => {
                self.counts.skipped += 1;
                self.line(&format!("{name}: skipped: {why}"));
            }
            Result::Untouched => {
                self.counts.untouched += 1;
                if is_verbose {
                    self.line(&format!("{name}: no method accesses anything that changes"));
                }
            }
            Result::Decided(decided, assumptions) => self.decided(&name, decided, assumptions, is_verbose),
        }
    }

    fn decided(&mut self, name: &str, decided: &Decided, assumptions: &BTreeSet<String>, is_verbose: bool) {
        self.counts.queries += decided.queries;
        match (decided.broken.is_empty(), decided.unknown) {
            (false, _) => self.counts.broken += 1,
            (true, Some(_)) => self.counts.undecided += 1,
            (true, None) => self.counts.safe += 1,
        }
        if let Some((count, reason)) = decided.unknown {
            self.line(&format!("{name}: {count} of {} queries not decided ({reason})", decided.queries));
        } else if decided.broken.is_empty() && is_verbose {
            self.line(&format!("{name}: safe, {} queries", decided.queries));
        }
        for broken in &decided.broken {
            let join = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(", ");
            let patterns: Vec<_> = broken.patterns.iter().map(ToString::to_string).collect();
            self.line(&format!("{name}: {} can be broken by {}", broken.unit, join(&broken.breakers)));
            self.line(&format!("  on {}; patterns {}", join(&broken.locations), patterns.join(", ")));
            let view = View { style: self.style, sources: &Sources::default(), folds: true };
            let table = witness_table(&broken.witness, &view);
            table.lines().for_each(|line| self.line(&format!("  {line}")));
            self.line("");
        }
        if is_verbose || !decided.broken.is_empty() {
            assumptions.iter().for_each(|assumption| self.line(&format!("  assumed: {assumption}")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_of_names() {
        for (glob, name, expected) in [
            ("a.B", "a.B", true),
            ("a.B", "a.Bc", false),
            ("a.B*", "a.Bc", true),
            ("*.Pool", "a.b.Pool", true),
            ("a*b*c", "a.b.c", true),
            ("a*b*c", "a.c.b", false),
            ("*", "", true),
            ("a*a", "a", false),
        ] {
            assert_eq!(matches(glob, name), expected, "{glob} {name}");
        }
    }
}
