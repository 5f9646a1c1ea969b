//! Data of findings of a Java program that a page shows besides the interleavings, and by which it filters them.

use super::finding_text::{accesses, other_places, step_of};
use crate::report::narrative::place;
use crate::report::sources::Sources;
use asercheck::audit::{Finding, RepairRecord, Report, SectionLine};
use asercheck::java::code_offset;
use std::collections::{BTreeMap, BTreeSet};

/// Number of lines that are shown before and after each line of a call.
const CONTEXT: u32 = 3;

/// Largest number of lines that are left out between two lines only to be shown after all.
const GAP: u32 = 4;

/// The data of a finding.
#[derive(Clone, Debug, Default)]
pub struct FindingData {
    /// The effect, in a sentence.
    pub says: String,
    /// The class, with its package.
    pub class: String,
    /// The package; empty for none.
    pub package: String,
    /// `likely`, `possible` or `benign`.
    pub likelihood: &'static str,
    /// `confirmed`, or another result of running it; empty if it was not run.
    pub confirmation: &'static str,
    /// The evidence for and against it, with weights.
    pub evidence: Vec<String>,
    /// The violated call and the interfering one, with their lines.
    pub sides: [Side; 2],
    /// Other places, calls and classes, the reason why it is possibly benign, its repair, and the result of running it.
    pub others: Vec<String>,
}

/// The lines of a call.
#[derive(Clone, Debug, Default)]
pub struct Side {
    /// The call.
    pub call: String,
    /// The name of the file.
    pub file: String,
    /// The lines.
    pub lines: Vec<SourceLine>,
}

/// A line of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceLine {
    /// The number; none where lines are left out, and for code without lines.
    pub number: Option<u32>,
    /// The source; the accesses of the line if there is no source.
    pub text: String,
    /// Whether an access of the interleaving is on the line.
    pub is_marked: bool,
}

/// Returns the evidence for and against a finding: `locked-elsewhere +0.5`.
pub(super) fn evidence(finding: &Finding) -> Vec<String> {
    finding.evidence.iter().map(|it| format!("{} {:+.1}", it.name, it.weight)).collect()
}

/// Returns the data of all findings, by their fingerprints.
pub fn finding_data<'r>(report: &'r Report, sources: &Sources) -> BTreeMap<&'r str, FindingData> {
    let mut all = BTreeMap::new();
    for subject in &report.subjects {
        for finding in &subject.findings {
            let [unit, by] = finding.lines();
            let sides = [(&finding.labels.unit, unit), (&finding.labels.by, by)];
            let data = FindingData {
                says: finding.headline().to_string(),
                class: subject.class.clone(),
                package: subject.class.rsplit_once('.').map_or("", |(package, _)| package).to_string(),
                likelihood: finding.likelihood.name(),
                confirmation: finding.confirmation.as_ref().map_or("", |record| record.verdict.name()),
                evidence: evidence(finding),
                sides: sides.map(|(call, lines)| side(call, &lines, sources)),
                others: others(finding),
            };
            all.insert(finding.fingerprint.as_str(), data);
        }
    }
    all
}

/// Returns a line of text for each list of a finding that is not empty.
fn others(finding: &Finding) -> Vec<String> {
    let lists = [
        ("possibly benign:", finding.benign_reason.iter().cloned().collect()),
        ("also torn apart:", other_places(finding)),
        ("also reached by:", finding.labels.other_units.clone()),
        ("also interfering:", finding.labels.other_by.clone()),
        ("also in", finding.also_in.clone()),
    ];
    let confirmation = finding.confirmation.iter().flat_map(|one| lines_of(&one.text()));
    lists
        .into_iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(what, names)| format!("{what} {}", names.join(", ")))
        .chain(finding.repair.iter().flat_map(RepairRecord::lines).map(|line| line.trim().to_string()))
        .chain(confirmation)
        .collect()
}

/// Returns the lines of a text that are not empty.
fn lines_of(text: &str) -> Vec<String> {
    text.lines().map(|line| line.trim().to_string()).filter(|line| !line.is_empty()).collect()
}

/// Returns the lines of a call with some lines around them.
fn side(call: &str, lines: &[SectionLine], sources: &Sources) -> Side {
    let Some(first) = lines.first() else { return Side { call: call.to_string(), ..Side::default() } };
    let file = first.file.as_deref().map_or("", |file| file.rsplit('/').next().unwrap_or(file)).to_string();
    let has_source = sources.line(&step_of(first)).is_some();
    let lines = if has_source { around(lines, sources) } else { without_source(lines) };
    Side { call: call.to_string(), file, lines }
}

fn without_source(lines: &[SectionLine]) -> Vec<SourceLine> {
    let number = |line: u32| (line > 1 && code_offset(line).is_none()).then_some(line);
    let text = |line: &SectionLine| match number(line.line) {
        Some(_) => accesses(line),
        None => format!("{}: {}", place(&step_of(line)), accesses(line)),
    };
    lines.iter().map(|line| SourceLine { number: number(line.line), text: text(line), is_marked: true }).collect()
}

fn around(lines: &[SectionLine], sources: &Sources) -> Vec<SourceLine> {
    let marked: BTreeSet<u32> = lines.iter().map(|line| line.line).collect();
    let file = &lines[0].file;
    let source = |number: u32| sources.line(&step_of(&SectionLine { line: number, ..lines[0].clone() }));
    let near = |line: &u32| line.saturating_sub(CONTEXT).max(1)..=line.saturating_add(CONTEXT);
    let mut shown: BTreeSet<u32> = marked.iter().flat_map(near).collect();
    let gaps: Vec<(u32, u32)> = shown.iter().copied().zip(shown.iter().copied().skip(1)).collect();
    shown.extend(gaps.into_iter().filter(|(one, next)| next - one <= GAP).flat_map(|(one, next)| one..next));
    debug_assert!(lines.iter().all(|line| line.file == *file));
    let mut found: Vec<SourceLine> = Vec::new();
    let mut before = None;
    for number in shown {
        let Some(text) = source(number) else { continue };
        if before.is_some_and(|before| before + 1 < number) {
            found.push(SourceLine::default());
        }
        before = Some(number);
        let text = text.trim_end().to_string();
        found.push(SourceLine { number: Some(number), text, is_marked: marked.contains(&number) });
    }
    unindented(found)
}

/// Removes the indentation that all lines have.
fn unindented(mut lines: Vec<SourceLine>) -> Vec<SourceLine> {
    let indentation = |line: &SourceLine| line.text.chars().take_while(|letter| letter.is_whitespace()).count();
    let least = lines.iter().filter(|line| !line.text.is_empty()).map(indentation).min().unwrap_or(0);
    for line in &mut lines {
        line.text = line.text.chars().skip(least).collect();
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(marked: &[u32]) -> Vec<Option<u32>> {
        let text: String = (1..=40).map(|number| format!("    line {number}\n")).collect();
        let line = |line: &u32| SectionLine { file: None, line: *line, accesses: Vec::new() };
        let lines: Vec<SectionLine> = marked.iter().map(line).collect();
        side("a()", &lines, &Sources::of_text(&text)).lines.iter().map(|line| line.number).collect()
    }

    #[test]
    fn lines_are_shown_with_some_around_them() {
        assert_eq!(shown(&[2]), [1, 2, 3, 4, 5].map(Some));
        assert_eq!(
            shown(&[2, 40]),
            [Some(1), Some(2), Some(3), Some(4), Some(5), None, Some(37), Some(38), Some(39), Some(40)]
        );
        assert_eq!(shown(&[1, 9]), (1..=12).map(Some).collect::<Vec<_>>(), "no gap of one line");
    }
}
