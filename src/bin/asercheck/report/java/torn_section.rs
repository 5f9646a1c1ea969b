//! The torn section of a finding, in words.

use crate::report::places::section;
use asercheck::audit::{Fault, Finding};
use asercheck::java::code_offset;
use asercheck::witness::Action;

/// Returns where a torn section is: `Pool.take, lines 12-14 of Pool.java`.
pub(super) fn torn_place(method: &str, file: Option<&str>, lines: [u32; 2]) -> String {
    let method = method.split('(').next().unwrap_or(method);
    let method = method.rsplitn(3, '.').take(2).collect::<Vec<_>>();
    let method = method.into_iter().rev().collect::<Vec<_>>().join(".");
    let file = file.map_or("", |file| file.rsplit(['/', '\\']).next().unwrap_or(file));
    let lines = match lines {
        [_, 0 | 1] => String::new(),
        [_, last] if code_offset(last).is_some() => {
            section(lines).map_or_else(String::new, |bytes| format!(", {bytes}"))
        }
        [first, last] if first == last => format!(", line {first} of {file}"),
        [first, last] => format!(", lines {first}-{last} of {file}"),
    };
    format!("{method}{lines}")
}

/// Returns the place of a finding, in words: where the torn section is, or where calls wait for each other.
pub(super) fn place_of(finding: &Finding) -> String {
    if !finding.is_deadlock() {
        return format!("torn apart: {}", torn_section(finding));
    }
    let waits = finding.waits.iter().map(|wait| {
        let at = torn_place(&wait.method, wait.file.as_deref(), [wait.line; 2]);
        format!("{} in {at}", wait.wants)
    });
    format!("waiting for {}", waits.collect::<Vec<_>>().join(", for "))
}

/// Returns where the torn section is, and its accesses: `Pool.take, lines 12-14 of Pool.java: reads used, writes used`.
fn torn_section(finding: &Finding) -> String {
    let cause = &finding.cause;
    // Reports of earlier versions do not name the file of the section.
    let of_access = || cause.accesses.first().and_then(|access| access.file.as_deref());
    let place = torn_place(&cause.method, cause.file.as_deref().or_else(of_access), cause.lines);
    let [unit, by] = finding.lines();
    let torn = if finding.at_fault == Fault::By { by } else { unit };
    let mut accesses: Vec<String> = Vec::new();
    for (action, object) in torn.into_iter().flat_map(|line| line.accesses) {
        let verb = if action == Action::Write { "writes" } else { "reads" };
        let one = format!("{verb} {object}");
        if !accesses.contains(&one) {
            accesses.push(one);
        }
    }
    match accesses.as_slice() {
        [] => place,
        accesses => format!("{place}: {}", accesses.join(", ")),
    }
}
