//! The table of properties and the verdicts of their queries.

use super::style::{Role, Style};
use super::table::{Align, Cell, Table};
use asercheck::answers::{Tally, VerdictKind};
use asercheck::query::Property;
use phases::{Access, ActionKind, Automaton};
use std::sync::Arc;

/// Least width of the last column of a table that is too wide.
const LEAST_WORDS: usize = 12;

/// Writes a line for each property: the number of its queries by verdict, and for patterns their meaning.
pub fn summary_table(properties: &[Arc<Property>], tally: &Tally, style: Style) -> String {
    let patterns = properties.iter().any(|property| property.pattern().is_some());
    let columns = [
        if patterns { ("pattern", Align::Right) } else { ("automaton", Align::Left) },
        ("accesses", Align::Left),
        ("safe", Align::Right),
        ("violation", Align::Right),
        ("unknown", Align::Right),
        ("what goes wrong", Align::Left),
    ];
    let columns = &columns[..if patterns { 6 } else { 5 }];
    let mut table = Table::new(columns.iter().map(|(name, align)| (name.to_string(), *align)).collect());
    for property in properties {
        let count = |verdict, role| {
            let count = tally.of(property.label(), verdict);
            if count == 0 { Cell::painted(Role::Faint, "0") } else { Cell::painted(role, count.to_string()) }
        };
        let meaning = property.pattern().map_or("", |pattern| pattern.meaning());
        let cells = [
            Cell::new(property.label()),
            Cell::new(accesses(property.automaton())),
            count(VerdictKind::Safe, Role::Good),
            count(VerdictKind::Violation, Role::Bad),
            count(VerdictKind::Unknown, Role::Open),
            Cell::new(meaning),
        ];
        table.row(cells.into_iter().take(columns.len()).collect());
    }
    if let Some(limit) = style.width {
        let last = columns.len() - 1;
        let beyond = table.width().saturating_sub(limit);
        let most = table.column_width(last).saturating_sub(beyond).max(LEAST_WORDS);
        table.clip(last, most, style);
    }
    table.render(style)
}

/// Writes the transitions of an automaton in short, for example `R1(a) W2(b)`; boundaries of units only if there are no
/// accesses.
pub(super) fn accesses(automaton: &Automaton) -> String {
    let one = |phase: &phases::Phase| {
        let thread = phase.event.thread.index() + 1;
        match phase.event.action {
            ActionKind::Access { access, location, .. } => {
                let verb = if access == Access::Read { "R" } else { "W" };
                Some(format!("{verb}{thread}({})", automaton.locations()[location.index()]))
            }
            ActionKind::Begin | ActionKind::End | ActionKind::Wants { .. } => None,
        }
    };
    let accesses: Vec<_> = automaton.phases().iter().filter_map(one).collect();
    if !accesses.is_empty() {
        return accesses.join(" ");
    }
    let all = automaton.phases().iter().map(|phase| automaton.describe_event(&phase.event));
    all.collect::<Vec<_>>().join(", ")
}
