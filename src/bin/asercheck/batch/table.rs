//! The verdicts of a batch as a table.

use super::header::ModelEntry;
use super::record::BatchRecord;
use crate::report::{Align, Cell, Role, Style, Table};
use asercheck::answers::VerdictKind;

/// Writes a line for each engine: the number of queries by verdict, and their total time.
pub fn verdict_table(engines: &[String], records: &[BatchRecord], style: Style) -> String {
    let right = ["queries", "safe", "violation", "unknown", "seconds"].map(|name| (name.to_string(), Align::Right));
    let mut table = Table::new([vec![("engine".to_string(), Align::Left)], right.to_vec()].concat());
    for engine in engines {
        let own: Vec<_> = records.iter().filter(|record| record.engine == *engine).collect();
        let count = |verdict, role| {
            let count = own.iter().filter(|record| record.query.verdict == verdict).count();
            Cell::painted(if count == 0 { Role::Faint } else { role }, count.to_string())
        };
        // The sum of no numbers is -0.0.
        let seconds = own.iter().fold(0.0, |sum, record| sum + record.query.seconds);
        table.row(vec![
            Cell::new(engine),
            Cell::new(own.len().to_string()),
            count(VerdictKind::Safe, Role::Good),
            count(VerdictKind::Violation, Role::Bad),
            count(VerdictKind::Unknown, Role::Open),
            Cell::new(format!("{seconds:.1}")),
        ]);
    }
    table.render(style)
}

/// Writes a line for each model in which nothing that is asked can be violated, so that `safe` says nothing.
pub fn vacuous_models(models: &[ModelEntry]) -> String {
    let line = |model: &ModelEntry| model.vacuous.as_ref().map(|why| format!("\n{}: vacuous ({why})", model.path));
    let lines: String = models.iter().filter_map(line).collect();
    if lines.is_empty() { lines } else { lines + "\n" }
}
