//! The source around the accesses of a witness.

use super::narrative::narrative;
use super::style::Role;
use super::witness::View;
use asercheck::witness::Witness;
use std::fmt::Write;

/// Writes the lines around each step that takes a transition, with `context` lines before and after it; nothing without
/// the text of the model.
pub(super) fn excerpts(witness: &Witness, context: usize, view: &View<'_>) -> String {
    let mut text = String::new();
    let style = view.style;
    let bar = style.paint(Role::Faint, style.pick("│", "|"));
    for narrated in narrative(witness) {
        let (Some(event), step) = (narrated.step.event, narrated.step) else { continue };
        let lines: Vec<_> = view.sources.around(step, context).collect();
        let Some((last, _)) = lines.last() else { continue };
        let width = last.to_string().len();
        let head = format!("{event}{} {}: {}", style.pick("▶", ">"), witness.threads[step.thread], narrated.words);
        let place = super::narrative::place(step);
        let holds =
            if narrated.holds.is_empty() { String::new() } else { format!(", holds {}", narrated.holds.join(", ")) };
        let _ = writeln!(
            text,
            "  {} {}",
            style.paint(Role::Marked, head),
            style.paint(Role::Faint, format!("at {place}{holds}"))
        );
        for (number, line) in lines {
            let shown = format!("  {} {bar} {line}", style.paint(Role::Faint, format!("{number:>width$}")));
            let _ = writeln!(text, "{}", shown.trim_end());
            if number == step.line as usize {
                let before: String = line.chars().take(step.column.saturating_sub(1) as usize).map(|_| ' ').collect();
                let _ = writeln!(text, "  {:>width$} {bar} {before}{}", "", style.paint(Role::Marked, "^"));
            }
        }
        text.push('\n');
    }
    text
}
