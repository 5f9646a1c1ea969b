//! The totals of each engine.

use super::data::Data;
use asercheck::Reason;
use asercheck::answers::VerdictKind;

/// The totals of one engine, over some queries.
#[derive(Clone, Debug, Default)]
pub(super) struct Totals {
    pub(super) queries: usize,
    pub(super) safe: usize,
    pub(super) violation: usize,
    pub(super) timeout: usize,
    pub(super) memory: usize,
    /// Not decided for another reason: a bound, or an unsupported construct.
    pub(super) other: usize,
    pub(super) seconds: f64,
    /// The longest time.
    pub(super) longest: f64,
    /// The peak memory, where it was measured.
    pub(super) peak: Option<u64>,
}

impl Totals {
    /// Returns the totals of an engine's answers about one model, or about all.
    pub(super) fn new(data: &Data, engine: usize, model: Option<&str>) -> Self {
        let mut totals = Self::default();
        let rows = data.rows.iter().filter(|row| model.is_none_or(|model| row.key.model == model));
        for answer in rows.filter_map(|row| row.answers[engine]) {
            totals.queries += 1;
            totals.seconds += answer.seconds;
            totals.longest = totals.longest.max(answer.seconds);
            totals.peak = totals.peak.max(answer.memory);
            *match (answer.verdict, answer.reason) {
                (VerdictKind::Safe, _) => &mut totals.safe,
                (VerdictKind::Violation, _) => &mut totals.violation,
                (VerdictKind::Unknown, Some(Reason::Timeout)) => &mut totals.timeout,
                (VerdictKind::Unknown, Some(Reason::Memory)) => &mut totals.memory,
                (VerdictKind::Unknown, _) => &mut totals.other,
            } += 1;
        }
        totals
    }

    pub(super) fn decided(&self) -> usize {
        self.safe + self.violation
    }
}
