//! Findings as annotations of GitHub workflows: a line for each, which the runner shows at its place in the source.
//!
//! A line is `::error file=F,line=N,col=N,title=T::MESSAGE`. In values `%`, carriage returns and newlines are escaped,
//! in those of properties also `:` and `,` (workflow commands of GitHub Actions, and `@actions/core`).

use super::counts::{Counts, Undecided, subjects_text};
use super::listing::counted;
use super::outline::{Checked, Outline, file, not_decided, not_read};
use super::places::offset;
use asercheck::answers::VerdictKind;
use asercheck::records::Unread;
use std::fmt::Write;

/// Writes the annotations of a run: at most `most` findings, then at most `most` undecided queries, then the number of
/// both.
pub fn github_report(checked: &Checked<'_>, most: usize) -> String {
    let report = checked.report;
    let mut text = String::new();
    for outline in Outline::all(checked).take(most) {
        let level = if outline.is_error() { "error" } else { "warning" };
        let Some(place) = outline.place() else { continue };
        let path = property(file(place, &report.model));
        let title = property(&format!("asercheck: {}", outline.title));
        let message = format!("{} Fingerprint {}.", outline.message, outline.finding.fingerprint);
        let at = match offset(place) {
            Some(_) => String::new(),
            None => format!(",line={},col={}", place.line, place.column),
        };
        let _ = writeln!(text, "::{level} file={path}{at},title={title}::{}", data(&message));
    }
    let path = property(&report.model);
    let title = property("asercheck: not decided");
    let undecided = report.queries.iter().filter(|record| record.verdict == VerdictKind::Unknown);
    // An open class of a Java program is no error.
    let level = if checked.counts.subjects.is_some() { "notice" } else { "warning" };
    for message in not_read(report).into_iter().chain(undecided.map(|record| not_decided(checked, record)).take(most)) {
        let _ = writeln!(text, "::{level} file={path},title={title}::{}", data(&message));
    }
    let Counts { findings, queries, violation, undecided, subjects, .. } = checked.counts;
    let subjects = subjects.map_or_else(String::new, |subjects| format!(" Classes: {}.", subjects_text(&subjects)));
    let counts = format!(
        "{}, {violation} of {queries} queries are violated, {} {} not decided.{subjects}",
        counted(findings, "finding", "findings"),
        undecided.count(),
        match undecided {
            Undecided::Queries(_) => "were".to_string(),
            Undecided::Units(1) => format!("{} was", undecided.noun()),
            Undecided::Units(_) => format!("{} were", undecided.noun()),
        }
    );
    let _ = writeln!(text, "::notice file={path},title=asercheck::{}", data(&counts));
    text
}

/// Writes an annotation for each file that could not be read.
pub fn github_unread(unread: Unread<'_>) -> String {
    let level = if unread.is_ignored { "warning" } else { "error" };
    let mut text = String::new();
    for problem in unread.problems {
        let (path, title) = (property(&problem.path), property("asercheck: not read"));
        let _ = writeln!(text, "::{level} file={path},title={title}::{}", data(&problem.message));
    }
    text
}

/// Escapes the message of a command, which follows the second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_escaped() {
        assert_eq!(data("100 %\r\na::b, c"), "100 %25%0D%0Aa::b, c");
        assert_eq!(property("a,b:c%3A\n"), "a%2Cb%3Ac%253A%0A");
    }
}
