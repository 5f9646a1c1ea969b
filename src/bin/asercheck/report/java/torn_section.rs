//! The torn section of a finding, in words.

use crate::report::places::section;
use asercheck::audit::Finding;
use asercheck::java::code_offset;
use asercheck::witness::Action;

/// Returns where the torn section is, and its accesses: `Pool.take, lines 12-14 of Pool.java: reads used, writes used`.
pub(super) fn torn_section(finding: &Finding) -> String {
    let cause = &finding.cause;
    let method = cause.method.split('(').next().unwrap_or(&cause.method);
    let method = method.rsplitn(3, '.').take(2).collect::<Vec<_>>();
    let method = method.into_iter().rev().collect::<Vec<_>>().join(".");
    // Reports of earlier versions do not name the file of the section.
    let of_access = || cause.accesses.first().and_then(|access| access.file.as_deref());
    let file = cause.file.as_deref().or_else(of_access);
    let file = file.map_or("", |file| file.rsplit(['/', '\\']).next().unwrap_or(file));
    let lines = match cause.lines {
        [_, 0 | 1] => String::new(),
        [_, last] if code_offset(last).is_some() => {
            section(cause.lines).map_or_else(String::new, |bytes| format!(", {bytes}"))
        }
        [first, last] if first == last => format!(", line {first} of {file}"),
        [first, last] => format!(", lines {first}-{last} of {file}"),
    };
    let mut accesses: Vec<String> = Vec::new();
    for access in &cause.accesses {
        let verb = if access.action == Action::Write { "writes" } else { "reads" };
        let field = access.location.rsplit('.').next().unwrap_or(&access.location);
        let one = format!("{verb} {field}");
        if !accesses.contains(&one) {
            accesses.push(one);
        }
    }
    format!("{method}{lines}: {}", accesses.join(", "))
}
