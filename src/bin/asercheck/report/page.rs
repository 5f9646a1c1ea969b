//! The report of `check` as a page: verdicts by model, and findings with swim lanes.
//!
//! The page holds its data as JSON, each text once. A script draws a finding when it is opened, and lists more findings
//! when the reader scrolls down to them, so that ten thousand findings take no more time than ten. The page loads
//! nothing.

use super::html::page;
use super::java::{FindingData, Side, SourceLine};
use super::listing::{bindings, by_property, kind, objects};
use super::narrative::{Row, Steps, grouped, place, rows};
use super::outline::{Checked, Outline, undecided_subject};
use super::places::offset;
use super::sources::Sources;
use asercheck::answers::VerdictKind;
use asercheck::findings::Group;
use asercheck::query::Property;
use asercheck::records::Unread;
use asercheck::witness::Action;
use indexmap::IndexSet;
use maud::{Markup, PreEscaped, html};
use rustc_hash::FxBuildHasher;
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};

/// Largest number of undecided queries that are listed for a model.
const LISTED: usize = 100;

/// Largest number of characters that are shown of a source line.
const SOURCE: usize = 160;

/// The data of the script. A row is a number, thread, words, depth, held locks, place, transition (0 for none), kind,
/// open units and source; texts are given by their numbers in `strings`.
#[derive(Debug, Default, Serialize)]
struct Data {
    models: Vec<String>,
    strings: Strings,
    findings: Vec<Entry>,
}

/// Further data of a finding of a Java program.
#[derive(Debug, Serialize)]
struct JavaData {
    says: String,
    class: String,
    package: String,
    likelihood: &'static str,
    confirmation: &'static str,
    evidence: Vec<usize>,
    others: Vec<usize>,
    sides: Vec<SideData>,
    /// All steps, where `rows` has only the accesses.
    all: Vec<DataRow>,
}

/// A call with its file and its lines: the number of each (0 for none), its text, and whether it is marked.
#[derive(Debug, Serialize)]
struct SideData(String, String, Vec<(u32, usize, bool)>);

impl JavaData {
    fn new(data: &FindingData, strings: &mut Strings) -> Self {
        let FindingData { says, class, package, likelihood, confirmation, evidence, sides, others } = data.clone();
        let [evidence, others] =
            [evidence, others].map(|texts| texts.into_iter().map(|text| strings.number(text)).collect());
        let side = |Side { call, file, lines }: Side| {
            let line = |line: SourceLine| (line.number.unwrap_or(0), strings.number(line.text), line.is_marked);
            SideData(call, file, lines.into_iter().map(line).collect())
        };
        let sides = sides.into_iter().map(side).collect();
        Self { says, class, package, likelihood, confirmation, evidence, others, sides, all: Vec::new() }
    }
}

/// Returns a property of a finding by which findings are filtered.
type Facet = fn(&JavaData) -> &str;

/// The filters for findings of Java programs.
const FACETS: [(&str, Facet); 4] = [
    ("likelihood", |data| data.likelihood),
    ("confirmation", |data| data.confirmation),
    ("package", |data| &data.package),
    ("class", |data| &data.class),
];

type DataRow = (usize, usize, usize, usize, usize, usize, usize, &'static str, usize, usize);

#[derive(Debug, Serialize)]
struct Entry {
    model: String,
    title: String,
    group: &'static str,
    rank: f64,
    fingerprint: String,
    meaning: String,
    bindings: String,
    statements: String,
    violations: usize,
    by: String,
    steps: u64,
    switches: usize,
    threads: Vec<String>,
    rows: Vec<DataRow>,
    /// The data of a finding of a Java program.
    #[serde(flatten)]
    java: Option<JavaData>,
}

/// A list of texts, each once.
#[derive(Debug, Default)]
struct Strings(IndexSet<String, FxBuildHasher>);

impl Serialize for Strings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.0)
    }
}

impl Strings {
    fn number(&mut self, text: String) -> usize {
        self.0.insert_full(text).0
    }
}

/// Returns the text of the page. For a Java program, `finding_data` has further data of its findings by their
/// fingerprints, and `last_lines` the lines that count classes and subjects.
pub fn html_report(
    parts: &[Checked<'_>],
    unread: Unread<'_>,
    finding_data: &BTreeMap<&str, FindingData>,
    last_lines: &[String],
) -> String {
    let mut data = Data { models: parts.iter().map(|part| part.report.model.clone()).collect(), ..Data::default() };
    for part in parts {
        for outline in Outline::all(part) {
            let java = finding_data.get(outline.finding.fingerprint.as_str());
            let mut java = java.map(|found| JavaData::new(found, &mut data.strings));
            let mut entry = entry(part, &outline, &mut data.strings);
            if let Some(java) = &mut java {
                let marked = data_rows(part, &outline, Steps::Marked, &mut data.strings);
                java.all = std::mem::replace(&mut entry.rows, marked);
                entry.threads = threads(entry.threads, &java.sides);
            }
            data.findings.push(Entry { java, ..entry });
        }
    }
    data.findings.sort_by(|a, b| group(a).cmp(&group(b)).then(b.rank.total_cmp(&a.rank)));
    // `</script` and `<!--` in a script would end or change it; elsewhere `<` does not occur in JSON.
    let json = serde_json::to_string(&data).expect("names and numbers can be written").replace('<', "\\u003c");
    let is_java = !last_lines.is_empty();
    let body = html! {
        h1 { "What " code { "asercheck" } " found" }
        @if is_java {
            @for part in parts { p.counts { (part.report.model) } }
            @if let Some(line) = last_lines.last() { p.counts { (line) } }
        } @else {
            (models(parts))
        }
        @if data.findings.is_empty() {
            p { "There are no findings." }
        } @else {
            h2 { "Findings" }
            (controls(&data))
            noscript { p.wrong { "The findings are listed and drawn by a script, which is switched off." } }
            #list {}
        }
        @if is_java {
            h2 { "Counts" }
            @for line in last_lines.split_last().map_or(&[][..], |(_, lines)| lines) { p.counts { (line) } }
            (models(parts))
        }
        (undecided(parts))
        (not_read(unread))
        p.shown { "asercheck " (env!("CARGO_PKG_VERSION")) ". A finding is all violations with the same accesses; the clearest of their interleavings is shown." }
    };
    let behind = html! {
        @if !data.findings.is_empty() {
            script type="application/json" id="data" { (PreEscaped(json)) }
            script { (PreEscaped(include_str!("page/findings.js"))) }
        }
    };
    page("asercheck: findings", &[include_str!("page/findings.css")], &body, &behind)
}

/// Sort key of findings of Java programs: confirmed ones first, then by likelihood.
fn group(entry: &Entry) -> usize {
    const LIKELIHOODS: [&str; 2] = ["likely", "possible"];
    let place = |name: &str| LIKELIHOODS.iter().position(|one| *one == name).unwrap_or(LIKELIHOODS.len());
    entry.java.as_ref().map_or(0, |java| if java.confirmation == "confirmed" { 0 } else { 1 + place(java.likelihood) })
}

fn entry(part: &Checked<'_>, outline: &Outline<'_>, strings: &mut Strings) -> Entry {
    let Outline { finding, record, witness, title, accesses, .. } = outline;
    let property = part.properties.iter().find(|property| property.label() == record.automaton);
    let pattern = property.and_then(|property| property.pattern());
    let description = match property {
        Some(property) => super::summary::accesses(property.automaton()),
        None if Property::threads_of_deadlock(&record.automaton).is_some() => {
            "each thread holds one lock and wants the next, the last one the first".to_string()
        }
        None => format!("{} by {}", objects(record), record.processes.join(", ")),
    };
    let meaning = pattern.map_or_else(String::new, |pattern| format!(": {}", pattern.meaning()));
    let detail = record.detail.as_ref().map_or_else(String::new, |detail| format!(". {detail}"));
    let statement = |step: &&asercheck::witness::Step| match offset(step) {
        Some(byte) => format!("{} {}, byte {byte}", step.action.name(), step.function),
        None => format!("{} {}:{}", step.action.name(), step.function, step.line),
    };
    Entry {
        model: part.report.model.clone(),
        title: title.clone(),
        group: finding.group.name(),
        rank: finding.rank,
        fingerprint: finding.fingerprint.clone(),
        meaning: format!("{}: {description}{meaning}{detail}", kind(&record.automaton)),
        bindings: property
            .map_or_else(String::new, |property| format!("with {}", bindings(property.automaton(), record))),
        statements: accesses.iter().map(statement).collect::<Vec<_>>().join(", "),
        violations: finding.queries.len(),
        by: by_property(&part.report.queries, finding),
        steps: witness.length(),
        switches: witness.switches(),
        threads: witness.threads.clone(),
        rows: data_rows(part, outline, Steps::Folded, strings),
        java: None,
    }
}

/// Returns the names of the threads: of the first two the calls.
fn threads(mut names: Vec<String>, sides: &[SideData]) -> Vec<String> {
    for (name, SideData(call, ..)) in names.iter_mut().zip(sides) {
        name.clone_from(call);
    }
    names
}

fn data_rows(part: &Checked<'_>, outline: &Outline<'_>, steps: Steps, strings: &mut Strings) -> Vec<DataRow> {
    let mut rows: Vec<DataRow> =
        rows(outline.witness, steps).iter().map(|row| data_row(row, part.sources, strings)).collect();
    if steps == Steps::Marked {
        // Only the accesses are marked, not the boundaries of units.
        rows.iter_mut().for_each(|row| row.6 = row.0);
    }
    rows
}

fn data_row(row: &Row<'_>, sources: &Sources, strings: &mut Strings) -> DataRow {
    let narrated = row.narrated();
    let step = narrated.step;
    let (words, kind, at, source) = match row {
        Row::Folded(steps, _) => (format!("… {} steps", grouped(*steps)), "f", String::new(), String::new()),
        Row::Step(narrated) => {
            let kind = match step.action {
                Action::Read => "r",
                Action::Write => "w",
                _ => "",
            };
            let source = sources.window(step, SOURCE).unwrap_or_default();
            (narrated.words.clone(), kind, place(step), source)
        }
    };
    let [words, holds, at, source] =
        [words, narrated.holds.join("\u{1f}"), at, source].map(|text| strings.number(text));
    (
        narrated.number,
        step.thread,
        words,
        narrated.depth,
        holds,
        at,
        step.event.unwrap_or(0),
        kind,
        narrated.units,
        source,
    )
}

/// Writes the table of the verdicts of the models.
fn models(parts: &[Checked<'_>]) -> Markup {
    let number = |count: usize| grouped(count as u64);
    html! {
        .wide { table.models {
            thead { tr {
                @for name in ["model", "verdict"] { th.text scope="col" { (name) } }
                @for name in ["findings", "queries", "safe", "violations", "unknown", "seconds"] { th scope="col" { (name) } }
                @for name in ["engine", "units"] { th.text scope="col" { (name) } }
            } }
            tbody { @for part in parts {
                @let counts = part.counts;
                @let verdict = counts.verdict;
                tr {
                    td.text.name data-name="model" { (part.report.model) }
                    td class={ "text verdict-" (verdict.replace(' ', "-")) } data-name="verdict" { (verdict) }
                    td data-name="findings" { (number(counts.findings)) }
                    td data-name="queries" { (number(counts.queries)) }
                    td data-name="safe" { (number(counts.safe)) }
                    td data-name="violations" { (number(counts.violation)) }
                    td data-name="unknown" { (number(counts.unknown)) }
                    td data-name="seconds" { (format!("{:.3}", part.report.summary.seconds)) }
                    td.text data-name="engine" { (part.report.engine) }
                    td.text data-name="units" { (part.report.units) }
                }
            } }
        } }
        @for part in parts { @if let Some(why) = &part.report.vacuous { p { (part.report.model) ": " (why) "." } } }
    }
}

/// Writes the controls that search, filter and sort the findings.
fn controls(data: &Data) -> Markup {
    let groups =
        Group::ALL.map(Group::name).into_iter().filter(|name| data.findings.iter().any(|entry| entry.group == *name));
    let orders = [
        ("rank", "importance"),
        ("violations", "violations"),
        ("steps", "steps"),
        ("switches", "switches"),
        ("title", "name"),
        ("model", "model"),
    ];
    html! {
        .controls {
            label.search { "search" input #search type="search" placeholder="location, function, process, fingerprint"; }
            label { "kind" select #group { option value="" { "all" } @for name in groups { option { (name) } } } }
            @for (name, of) in FACETS {
                @let values: BTreeSet<&str> = data.findings.iter().filter_map(|entry| entry.java.as_ref()).map(of).collect();
                @if values.len() > 1 {
                    label { (name) select id=(name) {
                        option value="" { "all" }
                        @for value in values { option value={ "=" (value) } { @if value.is_empty() { "(none)" } @else { (value) } } }
                    } }
                }
            }
            @if data.models.len() > 1 {
                label { "model" select #model { option value="" { "all" } @for name in &data.models { option { (name) } } } }
            }
            label { "order by" select #order { @for (value, name) in orders { option value=(value) { (name) } } } }
        }
        ul.legend {
            li { (PreEscaped("<svg viewBox='0 0 20 20'><circle class='read' cx='10' cy='10' r='4'/></svg>")) "read" }
            li { (PreEscaped("<svg viewBox='0 0 20 20'><circle class='write' cx='10' cy='10' r='4'/></svg>")) "write" }
            li { (PreEscaped("<svg viewBox='0 0 20 20'><circle class='read mark' cx='10' cy='10' r='8'/><text class='mark-text' x='10' y='13.5'>1</text></svg>")) "takes transition 1" }
            li { (PreEscaped("<svg viewBox='0 0 20 20'><rect x='8' y='1' width='5' height='18' rx='2' fill='#0969da'/></svg>")) "a lock is held" }
            li { (PreEscaped("<svg viewBox='0 0 20 20'><rect class='unit' x='2' y='1' width='16' height='18' rx='3'/></svg>")) "in a unit of work" }
            li { (PreEscaped("<svg viewBox='0 0 20 20'><path class='switch-arrow' d='M2,4 C2,14 6,14 12,14'/><path class='arrow-head' d='M17,14 l-6,-4 v8 z'/></svg>")) "another thread goes on" }
        }
        p.shown #shown role="status" {}
    }
}

/// Writes a list of the files that could not be read.
fn not_read(unread: Unread<'_>) -> Markup {
    let problems = unread.problems;
    html! {
        @if !problems.is_empty() {
            h2 { "Not read" }
            ul { @for problem in problems.iter().take(LISTED) { li { (problem.path) ": " (problem.message) } } }
            @if problems.len() > LISTED { p { "and " (grouped((problems.len() - LISTED) as u64)) " more." } }
        }
    }
}

/// Writes a list of the undecided queries.
fn undecided(parts: &[Checked<'_>]) -> Markup {
    html! {
        @if parts.iter().any(|part| part.counts.undecided.count() > 0) {
            h2 { "Not decided" }
            @for part in parts {
                @let open: Vec<_> = part.report.queries.iter().filter(|record| record.verdict == VerdictKind::Unknown).collect();
                @let undecided = part.counts.undecided;
                @if undecided.count() > 0 {
                    h3 { (part.report.model) }
                    ul { @for record in open.iter().take(LISTED) {
                        li { (undecided_subject(part, record)) " (" (record.why_unknown()) ")" }
                    } }
                    @let rest = undecided.count().saturating_sub(open.len().min(LISTED));
                    @if rest > 0 {
                        p { "and " (grouped(rest as u64)) " more." }
                    }
                }
            }
        }
    }
}
