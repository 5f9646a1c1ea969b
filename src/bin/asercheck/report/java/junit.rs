//! Reports as JUnit's XML, for services that show no other form. It has a test case for each subject, which fails with
//! its findings, passes if it is proved, and is skipped otherwise, with the reason. The number of classes with each
//! verdict are properties of the suite.

use super::finding_text::{interleaving, other_places};
use super::open::{why_nothing_asked, why_open};
use super::torn_section::place_of;
use crate::report::counts::subjects;
use crate::report::{Charset, Sources, Steps, Style, View};
use asercheck::audit::{ClassVerdict, Finding, Report, SubjectKind, SubjectReport};
use maud::{Markup, PreEscaped, html};

/// Returns the report as XML.
pub fn junit_report(report: &Report, sources: &Sources) -> String {
    let fails = |subject: &SubjectReport| subject.findings.iter().any(Finding::stands_alone);
    let is_skipped = |subject: &SubjectReport| !fails(subject) && subject.verdict() != ClassVerdict::Proved;
    let count = |is_one: &dyn Fn(&SubjectReport) -> bool| report.subjects.iter().filter(|it| is_one(it)).count();
    let problems = report.problems.len();
    let body = html! {
        testsuite name="asercheck java" tests=(report.subjects.len() + problems) failures=(count(&fails))
            errors=(problems) skipped=(count(&is_skipped)) time=(seconds(report.summary.seconds)) {
            properties {
                @for (verdict, count) in subjects(report) { property name=(verdict.name()) value=(count) {} }
            }
            @for subject in &report.subjects { (case(subject, sources)) }
            @for problem in &report.problems {
                testcase classname=(clean(&problem.path)) name="reading" {
                    error message=(clean(&problem.message)) {}
                }
            }
        }
    };
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", body.into_string())
}

fn case(subject: &SubjectReport, sources: &Sources) -> Markup {
    let what = match subject.kind {
        SubjectKind::Object => "objects",
        SubjectKind::Static => "static fields",
    };
    let findings: Vec<&Finding> = subject.findings.iter().filter(|finding| finding.stands_alone()).collect();
    html! {
        testcase classname=(clean(&subject.class)) name=(what) time=(seconds(subject.seconds)) {
            @for finding in &findings {
                failure type=(certainty(finding)) message=(clean(finding.headline())) { (clean(&text(finding, sources))) }
            }
            @if findings.is_empty() && subject.verdict() != ClassVerdict::Proved { skipped message=(clean(&why(subject))) {} }
        }
    }
}

/// `confirmed`, or how likely the finding is.
fn certainty(finding: &Finding) -> &'static str {
    if finding.is_confirmed() { "confirmed" } else { finding.likelihood.name() }
}

/// Describes a finding in full, with the names of the text form and its interleaving.
fn text(finding: &Finding, sources: &Sources) -> String {
    let labels = &finding.labels;
    let mut text = format!("{} ({})\n", finding.headline(), finding.group);
    text += &format!("{}\n", place_of(finding));
    let all = |first: &String, others: &[String]| [std::slice::from_ref(first), others].concat();
    for (role, names) in [
        ("reached by", &all(&labels.unit, &labels.other_units)),
        ("interfering:", &all(&labels.by, &labels.other_by)),
        ("locations:", &labels.locations),
        ("also concerned:", &labels.other_locations),
        ("also torn apart:", &other_places(finding)),
        ("also in", &finding.also_in),
    ] {
        if !names.is_empty() {
            text += &format!("{role} {}\n", names.join(", "));
        }
    }
    if let Some(why) = &finding.benign_reason {
        text += &format!("possibly benign: {why}\n");
    }
    if let Some(confirmation) = &finding.confirmation {
        text += &format!("{}\n", confirmation.line());
    }
    let style = Style { charset: Charset::Unicode, colors: false, width: None };
    text += &format!("\n{}\n", interleaving(finding, &View { style, sources, steps: Steps::Marked }));
    text + &format!("fingerprint {}\n", finding.fingerprint)
}

/// Returns the reason why a subject is not proved although it has no findings to show.
fn why(subject: &SubjectReport) -> String {
    if let Some(class) = subject.findings.iter().find_map(|finding| finding.repeats.as_ref()) {
        return format!("its findings are reported for {class}");
    }
    if subject.hidden > 0 {
        return "its findings are hidden".to_string();
    }
    match subject.verdict() {
        ClassVerdict::NothingAsked => format!("nothing asked: {}", why_nothing_asked(subject)),
        _ => format!("open: {}", why_open(subject)),
    }
}

fn seconds(seconds: f64) -> PreEscaped<String> {
    PreEscaped(format!("{seconds:.3}"))
}

/// Replaces the characters that XML does not allow.
fn clean(text: &str) -> String {
    let is_allowed =
        |c: char| matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    text.chars().map(|c| if is_allowed(c) { c } else { '\u{fffd}' }).collect()
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn control_characters_are_replaced() {
        assert_eq!(clean("a\u{1b}\nb\u{0}\u{ffff}"), "a\u{fffd}\nb\u{fffd}\u{fffd}");
    }
}
