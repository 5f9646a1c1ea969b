//! Suppressions: findings that the user has decided not to repair, from a file of patterns with reasons and from
//! annotations ([`annotations`](super::annotations)).
//!
//! A line is a pattern, a colon between blanks, and the reason. The pattern is a fingerprint, or a name with `*` for
//! any text: the name of a class (`com.example.Pool*`), of a field (`com.example.Pool.used`), or of the method with the
//! torn section (`com.example.Pool.take`). Empty lines and lines that begin with `#` are ignored. Fields suppress a
//! finding only if they match all of its locations.
//!
//! The report lists suppressed findings with their reasons. They count neither for the verdict nor for the exit code.

use asercheck::audit::matches;
use asercheck::audit::{Finding, Place, Report, Suppressed};
use std::fmt;

/// Patterns of findings with reasons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Suppressions {
    lines: Vec<Line>,
}

/// A pattern with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The place of the pattern.
    pub(super) origin: Origin,
    pub(super) pattern: String,
    pub(super) reason: String,
}

/// The place of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The line of the file, from 1.
    File(usize),
    /// An annotation of the class, field or method that the pattern names.
    Annotation,
}

/// A line without a pattern or without a reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SuppressionError {
    /// The line, from 1.
    line: usize,
    /// Its text.
    text: String,
}

impl fmt::Display for SuppressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, text } = self;
        write!(f, "{line}: a line is `PATTERN : REASON`, with a reason\n  {line} | {text}")
    }
}

impl std::error::Error for SuppressionError {}

impl Suppressions {
    /// Reads a file.
    ///
    /// # Errors
    /// The first line without a pattern or a reason.
    pub(super) fn parse(text: &str) -> Result<Self, SuppressionError> {
        let mut lines = Vec::new();
        for (number, text) in text.lines().enumerate() {
            let line = text.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let parts = line.split_once(" : ").map(|(pattern, reason)| (pattern.trim(), reason.trim()));
            match parts.filter(|(pattern, reason)| !pattern.is_empty() && !reason.is_empty()) {
                Some((pattern, reason)) => {
                    let origin = Origin::File(number + 1);
                    lines.push(Line { origin, pattern: pattern.into(), reason: reason.into() });
                }
                None => return Err(SuppressionError { line: number + 1, text: text.into() }),
            }
        }
        Ok(Self { lines })
    }

    /// Adds the suppressions of annotations.
    pub(super) fn add(&mut self, lines: Vec<Line>) {
        self.lines.extend(lines);
    }

    /// Removes suppressed findings from a report. Returns the lines that suppress nothing.
    pub(super) fn hide(&self, report: &mut Report) -> Vec<&Line> {
        let mut used = vec![false; self.lines.len()];
        let mut hidden = Vec::new();
        for subject in &mut report.subjects {
            let class = &subject.class;
            let all = subject.findings.len();
            subject.findings.retain(|finding| {
                let Some(places) = self.of(class, finding) else { return true };
                places.iter().for_each(|place| used[*place] = true);
                hidden.push(self.entry(class, finding, places[0]));
                false
            });
            subject.hidden += all - subject.findings.len();
        }
        report.summary.findings -= hidden.len();
        report.suppressed = hidden;
        let unused = self.lines.iter().zip(used).filter(|(_, is_used)| !is_used);
        unused.map(|(line, _)| line).collect()
    }

    /// Returns the entry of a suppressed finding of a class; none if it is not suppressed.
    pub(super) fn suppressed(&self, class: &str, finding: &Finding) -> Option<Suppressed> {
        self.of(class, finding).map(|places| self.entry(class, finding, places[0]))
    }

    fn entry(&self, class: &str, finding: &Finding, place: usize) -> Suppressed {
        Suppressed {
            fingerprint: finding.fingerprint.clone(),
            class: class.to_string(),
            says: finding.says.clone(),
            reason: self.lines[place].reason.clone(),
        }
    }

    /// Whether a finding of a class is suppressed.
    pub(super) fn hides(&self, class: &str, finding: &Finding) -> bool {
        self.of(class, finding).is_some()
    }

    /// Returns the places of the lines that suppress a finding; none if it is not suppressed. A fingerprint or a class
    /// suppresses the whole finding; methods do if all its torn sections are in such methods.
    fn of(&self, class: &str, finding: &Finding) -> Option<Vec<usize>> {
        let is_whole = |line: &Line| {
            let has = |place: &Place| place.fingerprint == line.pattern;
            finding.fingerprint == line.pattern || finding.cause.places.iter().any(has) || matches(&line.pattern, class)
        };
        if let Some(place) = self.lines.iter().position(is_whole) {
            return Some(vec![place]);
        }
        let of_method = |place: &Place| {
            let plain = place.method.split('(').next().unwrap_or(&place.method);
            self.lines.iter().position(|line| line.pattern == place.method || matches(&line.pattern, plain))
        };
        let of_methods = finding.cause.places.iter().map(of_method).collect::<Option<Vec<_>>>();
        if let Some(places) = of_methods.filter(|places| !places.is_empty()) {
            return Some(places);
        }
        let of_field = |location: &str| {
            let field = location.split('[').next().unwrap_or(location);
            self.lines.iter().position(|line| matches(&line.pattern, location) || matches(&line.pattern, field))
        };
        finding.all_locations().map(of_field).collect::<Option<Vec<_>>>().filter(|places| !places.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_needed() {
        let parsed = Suppressions::parse("# all of it\n\na.B : not shared\n").expect("two lines are ignored");
        assert_eq!(
            parsed.lines,
            [Line { origin: Origin::File(3), pattern: "a.B".into(), reason: "not shared".into() }]
        );
        for wrong in ["a.B", "a.B :", "a.B : ", " : why", "a.B: why"] {
            let error = Suppressions::parse(&format!("\n{wrong}")).expect_err(wrong);
            assert_eq!(error.line, 2, "{wrong}");
        }
    }
}
