//! The report about a Java program as text: first the findings, last the counts.

use super::super::detail::Detail;
use super::super::listing::{counted, length};
use super::super::narrative::grouped;
use super::super::style::{Role, Style};
use super::super::table::{Align, Cell, Table, clipped};
use super::super::witness::{View, witness_table};
use super::classes::{Classes, is_untouched};
use super::confirmation_lines::confirmation_lines;
use super::finding_data::evidence;
use super::finding_text::{finding_text, other_places};
use super::open::{all_reasons, name, why_nothing_asked, why_open};
use crate::report::Counts;
use crate::report::counts::{subjects, subjects_text};
use asercheck::answers::VerdictKind;
use asercheck::audit::{
    ClassVerdict, Finding, Likelihood, RepairRecord, Report, SubjectKind, SubjectReport, Summary, Undecided,
};
use asercheck::records::ProblemRecord;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Largest number of open classes that are listed, a line each, unless all are requested.
const LINES: usize = 20;

/// Largest number of names that are listed one by one.
const NAMES: usize = 6;

/// The lists of a report as text that are written on request.
#[derive(Clone, Copy, Debug, Default)]
pub struct Listings {
    /// The proved classes, those that do not claim to be thread-safe, all assumptions, and the evidence.
    pub is_verbose: bool,
    /// Everything on which each open class depends.
    pub lists_open: bool,
    /// The number of findings that are shown in full, if the user names one; otherwise the likely ones are.
    pub most: Option<usize>,
}

/// Writes the findings, then the classes without finding and proof, then the counts.
pub fn java_text(report: &Report, view: View<'_>, detail: Detail, listings: Listings) -> String {
    let Listings { is_verbose, lists_open, most } = listings;
    let page = Page { report, view, is_verbose, lists_open };
    let mut text = String::new();
    match detail {
        Detail::Counts => {}
        Detail::Summary(most) => page.summary(&mut text, most),
        Detail::Findings(_) => page.findings(&mut text, most),
        Detail::All => page.violations(&mut text),
    }
    if detail != Detail::Counts {
        page.undecided(&mut text);
        page.proved(&mut text);
        page.advice(&mut text);
    }
    page.counts(&mut text);
    text
}

struct Page<'a> {
    report: &'a Report,
    view: View<'a>,
    is_verbose: bool,
    lists_open: bool,
}

type Entry<'a> = (&'a SubjectReport, &'a Finding);

impl<'a> Page<'a> {
    /// Returns the findings that do not repeat another class's, the most important first; possibly benign ones come
    /// last.
    fn entries(&self) -> Vec<Entry<'a>> {
        let own = |subject: &'a SubjectReport| {
            subject.findings.iter().filter(|finding| finding.stands_alone()).map(move |finding| (subject, finding))
        };
        let mut entries: Vec<Entry<'a>> = self.report.subjects.iter().flat_map(own).collect();
        // Stable: equal findings stay in the order of the report.
        entries.sort_by(|(_, a), (_, b)| a.order().cmp(&b.order()).then(b.rank.total_cmp(&a.rank)));
        entries
    }

    /// Writes the number of findings before everything else.
    fn head(&self, text: &mut String, entries: &[Entry<'_>]) {
        let confirmed = entries.iter().filter(|(_, finding)| finding.is_confirmed()).count();
        let confirmed = if confirmed > 0 { format!("{confirmed} confirmed, ") } else { String::new() };
        let [likely, possible, benign] =
            [Likelihood::Likely, Likelihood::Possible, Likelihood::Benign].map(|it| of_likelihood(entries, it).count());
        let classes: BTreeSet<&str> = entries.iter().map(|(subject, _)| subject.class.as_str()).collect();
        let classes = counted(classes.len(), "class", "classes");
        let findings = counted(entries.len(), "finding", "findings");
        let _ = writeln!(
            text,
            "{findings} in {classes}: {confirmed}{likely} likely, {possible} possible, {benign} possibly benign\n"
        );
    }

    /// Writes the likely findings in full, or as many as the user wants; a line for each other one that is not possibly
    /// benign, and the number of those that are.
    fn findings(&self, text: &mut String, most: Option<usize>) {
        let entries = self.entries();
        if entries.is_empty() {
            return;
        }
        if entries.len() > 1 {
            self.head(text, &entries);
        }
        let shown = most.unwrap_or_else(|| entries.iter().take_while(|(_, it)| is_shown(it)).count());
        let shown = shown.min(entries.len());
        for (place, (subject, finding)) in entries.iter().enumerate().take(shown) {
            let likelihood = likelihood_words(finding);
            let head = format!("finding {} of {} ({likelihood}): {}", place + 1, entries.len(), subject.class);
            let head = clipped(&head, self.style().width.unwrap_or(usize::MAX), self.style());
            let _ = writeln!(text, "{}", self.paint(Role::Bad, &head));
            self.finding(text, finding);
        }
        self.others(text, &entries, shown);
    }

    /// Writes a line for each possible finding that is not shown in full, and counts the others.
    fn others(&self, text: &mut String, entries: &[Entry<'_>], shown: usize) {
        let is_listed = |finding: &Finding| finding.likelihood != Likelihood::Benign;
        let mut left_out = 0;
        for (number, (subject, finding)) in entries.iter().enumerate().skip(shown) {
            if !is_listed(finding) {
                left_out += 1;
                continue;
            }
            let line = format!("{}: {}", subject.class, plain(finding.headline()));
            let head = format!("{:>3} ({})  ", number + 1, likelihood_words(finding));
            let room = self.style().width.map_or(usize::MAX, |limit| limit.saturating_sub(head.chars().count()));
            let _ = writeln!(text, "{}{}", self.paint(Role::Faint, &head), clipped(&line, room, self.style()));
        }
        if left_out > 0 {
            let benign = counted(left_out, "finding is", "findings are");
            let _ = writeln!(text, "{benign} possibly benign; --summary lists all");
        }
        if shown < entries.len() {
            let _ = writeln!(text, "--max-findings N shows the first N in full, --report FILE all on a page\n");
        }
    }

    /// Writes every violation with its interleaving, class by class.
    fn violations(&self, text: &mut String) {
        for subject in &self.report.subjects {
            let all = || subject.all_queries.iter().filter(|record| record.verdict == VerdictKind::Violation);
            let count = all().count();
            for (number, record) in all().enumerate() {
                let what = super::super::listing::subject(record);
                let head = format!("{}: violation {} of {count}: {what}", subject.class, number + 1);
                let _ = writeln!(text, "{}\n", self.paint(Role::Bad, &head));
                let Some(witness) = &record.witness else { continue };
                let _ = writeln!(text, "{}\n  {}\n", witness_table(witness, &self.view), length(witness));
            }
        }
    }

    fn finding(&self, text: &mut String, finding: &Finding) {
        let _ = writeln!(text, "{}\n", plain(finding.headline()));
        if finding.is_confirmed() {
            self.confirmation(text, finding);
            if finding.headline() != finding.says {
                let _ = writeln!(text, "the model says: {}\n", finding.says);
            }
        }
        *text += &finding_text(finding, &self.view);
        let labels = &finding.labels;
        let mut list = |what: &str, names: &[String]| {
            if !names.is_empty() {
                let _ = writeln!(text, "  {what} {}", self.some(names));
            }
        };
        list("also torn apart:", &other_places(finding));
        if !finding.is_deadlock() {
            list("also interfering:", &labels.other_by);
        }
        if self.is_verbose {
            list("also reached by:", &labels.other_units);
            list("also concerned:", &labels.other_locations);
        }
        list("also in", &finding.also_in);
        list("possibly benign:", finding.benign_reason.as_slice());
        if self.is_verbose {
            self.evidence(text, finding);
        }
        for line in finding.repair.iter().flat_map(RepairRecord::lines) {
            let _ = writeln!(text, "  {}", plain(&line));
        }
        let _ = writeln!(text, "  fingerprint {}\n", finding.fingerprint);
        if !finding.is_confirmed() {
            self.confirmation(text, finding);
        }
    }

    /// Writes the result of running a finding, if it was run.
    fn confirmation(&self, text: &mut String, finding: &Finding) {
        let Some(confirmation) = &finding.confirmation else { return };
        let role = if finding.is_confirmed() { Role::Bad } else { Role::Faint };
        let confirmed = plain(&confirmation.text());
        let (first, others) = confirmed.split_once('\n').unwrap_or((&confirmed, ""));
        let _ = writeln!(text, "{}\n{others}", self.paint(role, first));
    }

    /// Writes the patterns of a finding, and the evidence that decides its rank.
    fn evidence(&self, text: &mut String, finding: &Finding) {
        let patterns: Vec<String> = finding.patterns.iter().map(usize::to_string).collect();
        let kinds = patterns.iter().chain(&finding.automata).cloned().collect::<Vec<_>>();
        let _ = writeln!(text, "  patterns: {}", kinds.join(", "));
        let _ = writeln!(text, "  evidence: {}", evidence(finding).join(", "));
    }

    /// Returns the first of some names, and the number of the others.
    fn some(&self, names: &[String]) -> String {
        let shown = if self.is_verbose { names.len() } else { names.len().min(NAMES) };
        let more = if shown < names.len() { format!(" and {} more", names.len() - shown) } else { String::new() };
        format!("{}{more}", names[..shown].join(", "))
    }

    /// Writes a line for each of the first findings.
    fn summary(&self, text: &mut String, most: usize) {
        let entries = self.entries();
        if entries.is_empty() {
            return;
        }
        self.head(text, &entries);
        let left = |name: &str| (name.to_string(), Align::Left);
        let right = |name: &str| (name.to_string(), Align::Right);
        let columns = vec![
            right("finding"),
            left("class"),
            left("unit"),
            left("interfering"),
            left("what"),
            left("likelihood"),
            right("rank"),
        ];
        let mut table = Table::new(columns);
        for (number, (subject, finding)) in entries.iter().enumerate().take(most) {
            table.row(vec![
                Cell::painted(Role::Faint, (number + 1).to_string()),
                Cell::new(&subject.class),
                Cell::new(&finding.labels.unit),
                Cell::new(&finding.labels.by),
                Cell::painted(Role::Bad, title(finding)),
                Cell::new(if finding.is_confirmed() { "confirmed" } else { finding.likelihood.name() }),
                Cell::new(format!("{:.2}", finding.rank)),
            ]);
        }
        if let Some(limit) = self.style().width {
            for column in [3, 4, 2, 1] {
                let beyond = table.width().saturating_sub(limit);
                let most = table.column_width(column).saturating_sub(beyond).max(12);
                table.clip(column, most, self.style());
            }
        }
        let _ = writeln!(text, "{}", table.render(self.style()));
        self.more(text, entries.get(most..).unwrap_or_default(), "--max-findings shows more");
    }

    /// Writes how many findings are not shown, and which options show them.
    fn more(&self, text: &mut String, rest: &[Entry<'_>], options: &str) {
        if rest.is_empty() {
            return;
        }
        let mut classes: Vec<_> = rest.iter().map(|(subject, _)| &subject.class).collect();
        classes.dedup();
        classes.sort_unstable();
        classes.dedup();
        let findings = counted(rest.len(), "more finding", "more findings");
        let classes = counted(classes.len(), "class", "classes");
        let _ = writeln!(text, "... and {findings} in {classes}; {options}\n");
    }

    /// Writes the open classes, those about which nothing was asked, and those with findings that are not decided in
    /// full.
    fn undecided(&self, text: &mut String) {
        let before = text.len();
        self.open(text);
        self.nothing_asked(text);
        self.in_part(text);
        if text.len() > before {
            text.push('\n');
        }
    }

    /// Writes a line for each open class, with the reason; on request each reason. The classes that `main` does not
    /// reach share a line.
    fn open(&self, text: &mut String) {
        let has_ended = self.report.ended.is_some();
        // Classes after the end of the run are counted in the last lines.
        // Those that met only a limit of time are, too.
        let tells_all = self.lists_open || self.is_verbose;
        let is_listed = |subject: &&SubjectReport| {
            !(has_ended && is_untouched(subject)) && (tells_all || !is_only_timeout(subject))
        };
        let open = || self.of(ClassVerdict::Open).filter(is_listed);
        let is_short = |subject: &&SubjectReport| subject.unknown.is_empty() && !self.lists_open && !self.is_verbose;
        let unreached: Vec<String> = open().filter(is_short).map(name).collect();
        let open: Vec<&SubjectReport> = open().filter(|subject| !is_short(subject)).collect();
        let most = if self.is_verbose || self.lists_open { open.len() } else { open.len().min(LINES) };
        let word = self.paint(Role::Open, "open");
        for subject in &open[..most] {
            if self.lists_open {
                let _ = writeln!(text, "{word}: {}", name(subject));
                all_reasons(subject).iter().for_each(|reason| {
                    let _ = writeln!(text, "  {reason}");
                });
            } else {
                let _ = writeln!(text, "{word}: {}: {}", name(subject), why_open(subject));
            }
        }
        if most < open.len() {
            let _ = writeln!(text, "{word}: {} more classes, which --why-open lists", number(open.len() - most));
        }
        if !unreached.is_empty() {
            let _ = writeln!(text, "{word}: not reached by main: {}", self.some(&unreached));
        }
    }

    /// Writes a line for all classes about which nothing was asked for the same reason.
    fn nothing_asked(&self, text: &mut String) {
        let mut classes: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for subject in self.of(ClassVerdict::NothingAsked) {
            classes.entry(why_nothing_asked(subject)).or_default().push(name(subject));
        }
        for (why, classes) in classes {
            let word = self.paint(Role::Open, "nothing asked");
            let _ = writeln!(text, "{word}: {}: {why}", self.some(&classes));
        }
    }

    /// Writes a line for all classes with findings that are not decided in full; on request, a line for each.
    fn in_part(&self, text: &mut String) {
        let has_reason =
            |subject: &&SubjectReport| !subject.unknown.is_empty() && (self.is_verbose || !is_only_timeout(subject));
        let in_part = || self.of(ClassVerdict::Violated).filter(has_reason);
        let names: BTreeSet<&str> = in_part().map(|subject| subject.class.as_str()).collect();
        if self.is_verbose {
            for subject in in_part() {
                let _ = writeln!(text, "not decided in full: {}: {}", name(subject), why_open(subject));
            }
        } else if !names.is_empty() {
            let classes = counted(names.len(), "class with findings is", "classes with findings are");
            let names: Vec<String> = names.into_iter().map(str::to_string).collect();
            let _ = writeln!(text, "{classes} not decided in full (--verbose tells why): {}", self.some(&names));
        }
    }

    /// Returns the subjects with a verdict, in the order of the report.
    fn of(&self, verdict: ClassVerdict) -> impl Iterator<Item = &'a SubjectReport> {
        self.report.subjects.iter().filter(move |subject| subject.verdict() == verdict)
    }

    /// Writes the proved subjects and their assumptions.
    fn proved(&self, text: &mut String) {
        if !self.is_verbose {
            return;
        }
        for subject in self.of(ClassVerdict::Proved) {
            let entries = counted(subject.entries, "entry", "entries");
            let queries = counted(subject.queries, "query", "queries");
            let _ = writeln!(
                text,
                "{}: {} ({}; {entries}, {queries})",
                self.paint(Role::Good, "proved"),
                name(subject),
                subject.claim
            );
            for assumption in &subject.assumptions {
                let _ = writeln!(text, "  assumed: {assumption}");
            }
        }
        for class in &self.report.unclaimed {
            let _ =
                writeln!(text, "{}: {class} claims no safety for threads", self.paint(Role::Faint, "not looked at"));
        }
        text.push('\n');
    }

    /// Writes the number of findings that the baseline and the suppressions hide, and the entries of the baseline that
    /// are gone.
    fn hidden(&self, text: &mut String) {
        let report = self.report;
        if let Some(baseline) = &report.baseline {
            let hidden = counted(baseline.hidden, "finding is", "findings are");
            let _ = writeln!(
                text,
                "{hidden} known from the baseline, {} gone since",
                counted(baseline.gone.len(), "is", "are")
            );
            for gone in &baseline.gone {
                let _ = writeln!(text, "  gone: {gone}");
            }
        }
        if !report.suppressed.is_empty() {
            let _ = writeln!(
                text,
                "{}",
                counted(report.suppressed.len(), "finding is suppressed", "findings are suppressed")
            );
            for one in report.suppressed.iter().filter(|_| self.is_verbose) {
                let _ = writeln!(text, "  {}: {} ({})", one.class, one.says, one.reason);
            }
        }
    }

    /// Writes that files could not be read; classes in them are undecided.
    fn unread(&self, text: &mut String) {
        let unread = self.report.unread();
        let Some(first) = unread.problems.first() else { return };
        let files = counted(unread.problems.len(), "file or entry", "files or entries");
        let (role, word) = match unread.leaves_open() {
            true => (Role::Open, "open: "),
            false => (Role::Faint, ""),
        };
        let (word, ProblemRecord { path, message }) = (self.paint(role, word), first);
        let more = if unread.problems.len() > 1 { "first " } else { "" };
        let _ = writeln!(text, "{word}{files} could not be read in full: {more}{path}: {message}");
    }

    /// Writes advice if no class claims to be thread-safe.
    fn advice(&self, text: &mut String) {
        let Some(class) = self.report.unclaimed.first().filter(|_| self.report.subjects.is_empty()) else { return };
        let package = class.rsplit_once('.').map_or(class.clone(), |(package, _)| format!("{package}.*"));
        let _ = writeln!(text, "help: --class analyses classes that claim nothing, for example --class '{package}'");
    }

    /// Writes the last lines.
    fn counts(&self, text: &mut String) {
        let report = self.report;
        let _ = writeln!(text, "{}\n{}", classes_line(report), subjects_line(report));
        self.hidden(text);
        self.unread(text);
        if report.deadlocks {
            let scope = "deadlocks: asked among the locks of one object of each class; those of several objects or";
            let _ = writeln!(text, "{scope} classes were not asked");
        }
        if let Some(reason) = report.ended {
            let _ = writeln!(
                text,
                "{}: the run was ended ({reason}) before everything was decided",
                self.paint(Role::Open, "open")
            );
        }
        if report.summary.timeouts > 0 && report.ended.is_none() {
            let classes = counted(report.summary.timeouts, "class", "classes");
            let names: Vec<String> = report.subjects.iter().filter(|it| it.met_time_limit()).map(name).collect();
            let names = self.some(&names);
            let _ = writeln!(text, "{classes} met the limit of time, and a longer --timeout may decide more: {names}");
        }
        text.push_str(&confirmation_lines(report));
        let verdict = report.verdict();
        let role = match verdict {
            ClassVerdict::Violated if report.summary.findings > 0 => Role::Bad,
            ClassVerdict::Violated | ClassVerdict::Proved => Role::Good,
            ClassVerdict::Open | ClassVerdict::NothingAsked => Role::Open,
        };
        let (word, rest) = verdict_line(report);
        let _ = writeln!(text, "{}{rest}", self.paint(role, word));
    }

    fn style(&self) -> Style {
        self.view.style
    }

    fn paint(&self, role: Role, words: &str) -> String {
        self.style().paint(role, words).to_string()
    }
}

/// Replaces characters that could move the terminal's cursor; messages of the program may contain any.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect()
}

/// Whether a subject is not decided in full for the only reason that it met a limit of time.
fn is_only_timeout(subject: &SubjectReport) -> bool {
    !subject.unknown.is_empty() && subject.unknown.iter().all(Undecided::is_of_time)
}

/// Whether a finding is shown in full without being asked for: it is likely, or a run has confirmed it.
fn is_shown(finding: &Finding) -> bool {
    finding.is_confirmed() || finding.likelihood == Likelihood::Likely
}

/// Returns the findings of a likelihood that are not confirmed.
fn of_likelihood<'e>(entries: &'e [Entry<'e>], likelihood: Likelihood) -> impl Iterator<Item = &'e Finding> {
    entries
        .iter()
        .map(|(_, finding)| *finding)
        .filter(move |finding| finding.likelihood == likelihood && !finding.is_confirmed())
}

fn likelihood_words(finding: &Finding) -> &'static str {
    match finding.likelihood {
        _ if finding.is_confirmed() => "confirmed",
        Likelihood::Benign => "possibly benign",
        other => other.name(),
    }
}

/// Returns the title of a finding: `lost update of used`.
fn title(finding: &Finding) -> String {
    match finding.labels.locations.as_slice() {
        [] => finding.group.to_string(),
        locations => format!("{} of {}", finding.group, locations.join(", ")),
    }
}

/// Returns the last lines of a report, which count the classes, the subjects and the queries.
pub fn last_lines(report: &Report) -> Vec<String> {
    let (word, rest) = verdict_line(report);
    let confirmed = confirmation_lines(report);
    let confirmed = confirmed.lines().map(str::to_string);
    let counts = [classes_line(report), subjects_line(report)];
    counts.into_iter().chain(confirmed).chain([format!("{word}{rest}")]).collect()
}

/// Counts the subjects by their verdicts: `87 subjects: 48 violated, 39 proved, 0 open, 0 nothing asked`.
fn subjects_line(report: &Report) -> String {
    let Summary { subjects: all, unreached, .. } = report.summary;
    let all = if all == 1 { "1 subject".to_string() } else { format!("{} subjects", number(all)) };
    let unreached = match unreached {
        0 => String::new(),
        count => format!("; {} of the open ones not reached by main", number(count)),
    };
    let statics = report.subjects.iter().filter(|subject| subject.kind == SubjectKind::Static).count();
    let statics = match statics {
        0 => String::new(),
        count => format!("; {} of them static fields", number(count)),
    };
    format!("{all}: {}{unreached}{statics}", subjects_text(&subjects(report)))
}

/// Counts the classes: `87 of 97 classes looked at; the others: 2 abstract or interfaces, 8 immutable`.
fn classes_line(report: &Report) -> String {
    let Classes { all, looked_at, others } = Classes::of(report);
    let others: Vec<_> = others.iter().map(|(reason, count)| format!("{} {reason}", number(*count))).collect();
    let others = if others.is_empty() { String::new() } else { format!("; the others: {}", others.join(", ")) };
    let classes = if all == 1 { "1 class".to_string() } else { format!("{} classes", number(all)) };
    format!("{} of {classes} looked at{others}", number(looked_at))
}

/// Returns the verdict, and the line that follows it with the counts of findings and queries.
fn verdict_line(report: &Report) -> (&'static str, String) {
    let Summary { subsumed, seconds, .. } = report.summary;
    let counts = Counts::of_java(report);
    let hides_findings = report.subjects.iter().any(|subject| subject.hidden > 0);
    let new = if hides_findings { "new " } else { "" };
    let repeated = report.summary.findings.saturating_sub(counts.findings);
    let mut found = match counts.findings {
        1 => format!("1 {new}finding"),
        findings => format!("{} {new}findings", number(findings)),
    };
    if repeated > 0 {
        found += &format!(" and {} repeated in other classes", number(repeated));
    }
    let word = if hides_findings && report.summary.findings == 0 { "nothing new" } else { counts.verdict };
    let rest = format!(
        "{}: {found}; {}, {} violated, {} unknown{} ({} engine, units {}, {seconds:.3} s)",
        report.why_vacuous().map_or_else(String::new, |why| format!(" ({why})")),
        if counts.queries == 1 { "1 query".to_string() } else { format!("{} queries", number(counts.queries)) },
        number(counts.violation),
        number(counts.unknown),
        if subsumed == 0 { String::new() } else { format!(", {} subsumed", number(subsumed)) },
        report.engine,
        report.units,
    );
    (word, rest)
}

fn number(count: usize) -> String {
    grouped(count as u64)
}
