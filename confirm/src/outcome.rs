//! Outcomes of clients, and their comparison with the outcomes of all serial orders.
//!
//! An *outcome* maps each observation of a client (the results of its calls, its variables, the answers to queries at
//! the end) to a text. Each serial order of the calls runs several times. An entry that differs between two of these
//! runs depends on something else than the order: time, hash codes, identities, other threads. It *varies* if all runs
//! give a value; only an exception then differs from it. It is *masked* for this order if one of the runs has an
//! exception, never returns, or lacks the entry. An outcome *differs* from a serial order if an entry with one text has
//! another text in it, or if an entry that varies has an exception. It confirms the finding if it differs from every
//! serial order.
//!
//! Invariant: every outcome of a serial run agrees with its order on all entries. So the outcome of a serial run never
//! confirms a finding, whenever the run was made. The outcome of a forced run does so only if no observed serial order
//! agrees with it. The time for which threads are stopped is irrelevant if serial runs are paused as long. An exception
//! in an entry that varies may still be rare chance; such an outcome has to come again (`verification`). The output of
//! a program never varies in this sense, but is masked: its lines may begin like the text of an exception.

use std::collections::BTreeMap;

/// The name of the observation which results of calls are equal numbers. Hash codes differ from run to run, but those
/// of one object are equal in each.
pub(crate) const EQUAL_RESULTS: &str = "equal results";

/// The name of the observation which results and variables are one object.
pub(crate) const SAME_OBJECT: &str = "the same object";

/// The name of the observation of all that a program prints. No line of it is an exception of a call.
const OUTPUT: &str = "output";

/// The observations of a client, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    entries: Vec<(String, String)>,
}

impl Outcome {
    /// Reads an outcome from alternating names and texts.
    pub(crate) fn of(fields: &[String]) -> Self {
        Self { entries: fields.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect() }
    }

    /// Whether a call never returns.
    pub(crate) fn hangs(&self) -> bool {
        self.entries.iter().any(|(_, text)| text == "hangs")
    }

    /// Returns the reason if the preparation failed, or a query at the end.
    pub(crate) fn failure(&self) -> Option<&str> {
        let is_failure = |(name, _): &&(String, String)| name == "failed" || name == "afterwards";
        self.entries.iter().find(is_failure).map(|(_, why)| why.as_str())
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.entries.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str())
    }
}

/// The text of an entry that varies, in reports.
const VARIES: &str = "a value that differs from run to run";

/// The observations of one entry in the runs of one serial order.
#[derive(Clone, Debug, PartialEq)]
enum Entry {
    /// All runs have this text.
    Text(String),
    /// All runs have a value, but not the same one.
    Varies,
    /// Every text agrees with it.
    Masked,
}

impl Entry {
    /// Adds the text of a further run.
    fn add(&mut self, text: Option<&str>) {
        let is_value = text.is_some_and(is_value);
        *self = match std::mem::replace(self, Self::Masked) {
            Self::Text(known) if Some(known.as_str()) == text => Self::Text(known),
            Self::Text(known) if is_value && self::is_value(&known) => Self::Varies,
            Self::Varies if is_value => Self::Varies,
            Self::Text(_) | Self::Varies | Self::Masked => Self::Masked,
        };
    }

    /// Whether a text differs from that of every run.
    fn differs(&self, text: Option<&str>) -> bool {
        match self {
            Self::Text(known) => text != Some(known.as_str()),
            Self::Varies => text.is_some_and(is_exception),
            Self::Masked => false,
        }
    }

    /// Returns its text in reports beside another text; none if it says nothing about that.
    fn shown_beside(&self, text: &str) -> Option<&str> {
        match self {
            Self::Text(known) => Some(known),
            Self::Varies => is_exception(text).then_some(VARIES),
            Self::Masked => None,
        }
    }
}

/// Whether a text is that of an exception.
fn is_exception(text: &str) -> bool {
    text.starts_with("threw ")
}

/// Whether a text is that of a value.
fn is_value(text: &str) -> bool {
    !is_exception(text) && text != "hangs"
}

/// The entries of one serial order.
#[derive(Clone, Debug, Default)]
struct OrderEntries {
    runs: usize,
    entries: BTreeMap<String, Entry>,
}

impl OrderEntries {
    fn add(&mut self, outcome: &Outcome) {
        if self.runs == 0 {
            let all = outcome.entries.iter().map(|(name, text)| (name.clone(), Entry::Text(text.clone())));
            self.entries = all.collect();
        } else {
            for (name, entry) in &mut self.entries {
                entry.add(outcome.get(name));
                if *entry == Entry::Varies && name == OUTPUT {
                    *entry = Entry::Masked;
                }
            }
            for (name, _) in &outcome.entries {
                self.entries.entry(name.clone()).or_insert(Entry::Masked);
            }
        }
        self.runs += 1;
    }

    /// Whether an outcome differs from this order.
    fn differs(&self, outcome: &Outcome) -> bool {
        self.entries.iter().any(|(name, entry)| entry.differs(outcome.get(name)))
    }

    /// Whether an outcome differs from this order in an entry that does not vary.
    fn differs_surely(&self, outcome: &Outcome) -> bool {
        let is_text = |entry: &Entry| matches!(entry, Entry::Text(_));
        self.entries.iter().any(|(name, entry)| is_text(entry) && entry.differs(outcome.get(name)))
    }
}

/// The outcomes of all serial orders of a client.
#[derive(Clone, Debug)]
pub(crate) struct SerialOutcomes {
    orders: Vec<OrderEntries>,
}

/// The kind of a deviation, the most severe first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DeviationKind {
    /// A call throws an exception or never returns, but in no serial order.
    Fails,
    /// A call returns a value that it returns in no serial order.
    Result,
    /// The state at the end is the state of no serial order.
    State,
    /// Each entry occurs in a serial order, but no serial order has all of them.
    Together,
}

/// An entry in which an outcome deviates from serial orders.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Deviation {
    /// The name of the observation.
    pub(crate) name: String,
    /// Its text in the outcome.
    pub(crate) seen: String,
    /// Its different texts in serial orders.
    pub(crate) serial: Vec<String>,
}

impl SerialOutcomes {
    /// Returns a number of serial orders without runs.
    pub(crate) fn new(orders: usize) -> Self {
        Self { orders: vec![OrderEntries::default(); orders] }
    }

    /// Adds the outcome of a run of an order.
    pub(crate) fn add(&mut self, order: usize, outcome: &Outcome) {
        self.orders[order].add(outcome);
    }

    /// Whether an outcome agrees with a serial order that has run.
    pub(crate) fn agrees(&self, outcome: &Outcome) -> bool {
        self.orders.iter().any(|order| order.runs > 0 && !order.differs(outcome))
    }

    /// Whether an outcome differs from every serial order. An order without runs excludes nothing.
    pub(crate) fn excludes(&self, outcome: &Outcome) -> bool {
        self.orders.iter().all(|seen| seen.runs > 0 && seen.differs(outcome))
    }

    /// Whether an outcome that differs from every serial order does so in entries that do not vary.
    pub(crate) fn excludes_surely(&self, outcome: &Outcome) -> bool {
        self.orders.iter().all(|seen| seen.runs > 0 && seen.differs_surely(outcome))
    }

    /// Returns the deviations of an outcome: the entries that no serial order has; failing that, the entries in which
    /// serial orders differ.
    pub(crate) fn deviations(&self, outcome: &Outcome) -> (DeviationKind, Vec<Deviation>) {
        let all: Vec<Deviation> =
            outcome.entries.iter().filter_map(|(name, seen)| self.deviation(name, seen)).collect();
        let alone: Vec<Deviation> = all.iter().filter(|one| !one.serial.contains(&one.seen)).cloned().collect();
        let kind = alone.iter().map(Deviation::kind).min();
        match kind {
            Some(kind) => (kind, alone),
            None => (DeviationKind::Together, all.into_iter().filter(|one| one.serial.len() > 1).collect()),
        }
    }

    /// Returns an entry with its texts in the orders that do not mask it; none if all orders mask it.
    fn deviation(&self, name: &str, seen: &str) -> Option<Deviation> {
        let mut serial: Vec<String> = Vec::new();
        for text in self.orders.iter().filter_map(|order| order.entries.get(name)?.shown_beside(seen)) {
            if !serial.iter().any(|known| known == text) {
                serial.push(text.to_string());
            }
        }
        (!serial.is_empty()).then(|| Deviation { name: name.to_string(), seen: seen.to_string(), serial })
    }
}

impl Deviation {
    fn kind(&self) -> DeviationKind {
        let is_result = self.name.starts_with("thread ") || self.name == EQUAL_RESULTS;
        match self.seen.as_str() {
            "hangs" => DeviationKind::Fails,
            text if is_exception(text) && !self.serial.iter().any(|text| is_exception(text)) => DeviationKind::Fails,
            _ if is_result => DeviationKind::Result,
            _ => DeviationKind::State,
        }
    }
}

impl DeviationKind {
    /// The name in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fails => "fails",
            Self::Result => "result",
            Self::State => "state",
            Self::Together => "together",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(entries: &[(&str, &str)]) -> Outcome {
        Outcome { entries: entries.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect() }
    }

    #[test]
    fn an_entry_that_differs_between_runs_of_one_order_is_masked() {
        let mut serial = SerialOutcomes::new(2);
        serial.add(0, &outcome(&[("n", "1"), ("time", "17")]));
        serial.add(0, &outcome(&[("n", "1"), ("time", "18")]));
        serial.add(1, &outcome(&[("n", "2"), ("time", "19")]));
        assert!(!serial.excludes(&outcome(&[("n", "1"), ("time", "20")])));
        assert!(serial.excludes(&outcome(&[("n", "3"), ("time", "20")])));
        serial.add(1, &outcome(&[("n", "3"), ("time", "19")]));
        // The second order masks everything but the time, and the time is the same.
        assert!(!serial.excludes(&outcome(&[("n", "4"), ("time", "19")])));
    }

    #[test]
    fn an_exception_differs_from_a_value_that_varies() {
        let mut serial = SerialOutcomes::new(1);
        let threw = outcome(&[("average()", "threw X"), ("n", "1")]);
        serial.add(0, &outcome(&[("average()", "1"), ("n", "1")]));
        serial.add(0, &outcome(&[("average()", "2"), ("n", "1")]));
        assert!(serial.excludes(&threw) && !serial.excludes_surely(&threw));
        assert!(!serial.excludes(&outcome(&[("average()", "3"), ("n", "1")])));
        assert!(!serial.excludes(&outcome(&[("n", "1")])));
        let (kind, all) = serial.deviations(&threw);
        assert_eq!((kind, all.len(), all[0].serial.as_slice()), (DeviationKind::Fails, 1, &[VARIES.to_string()][..]));
        // A value that varies is no deviation.
        let both = outcome(&[("average()", "3"), ("n", "2")]);
        assert_eq!(serial.deviations(&both).1.len(), 1);
        assert!(serial.excludes_surely(&both));
        // An exception in a serial run masks the entry.
        serial.add(0, &threw);
        assert!(!serial.excludes(&threw));
        assert!(!serial.excludes(&outcome(&[("average()", "threw Y"), ("n", "1")])));
    }

    #[test]
    fn a_line_of_the_output_is_no_exception() {
        let mut serial = SerialOutcomes::new(1);
        serial.add(0, &outcome(&[(OUTPUT, "1"), ("the program", "ended")]));
        serial.add(0, &outcome(&[(OUTPUT, "2"), ("the program", "ended")]));
        assert!(!serial.excludes(&outcome(&[(OUTPUT, "threw a ball"), ("the program", "ended")])));
        assert!(serial.excludes(&outcome(&[(OUTPUT, "3"), ("the program", "hangs")])));
    }

    #[test]
    fn entries_of_two_orders_are_no_serial_outcome() {
        let mut serial = SerialOutcomes::new(2);
        serial.add(0, &outcome(&[("a", "1"), ("b", "1")]));
        serial.add(1, &outcome(&[("a", "2"), ("b", "2")]));
        let mixed = outcome(&[("a", "1"), ("b", "2")]);
        assert!(serial.excludes(&mixed));
        assert_eq!(serial.deviations(&mixed).0, DeviationKind::Together);
        assert_eq!(serial.deviations(&mixed).1.len(), 2);
    }

    #[test]
    fn an_order_without_runs_excludes_nothing() {
        let mut serial = SerialOutcomes::new(2);
        serial.add(0, &outcome(&[("a", "1")]));
        assert!(!serial.excludes(&outcome(&[("a", "3")])));
    }

    #[test]
    fn exceptions_are_the_most_severe() {
        let mut serial = SerialOutcomes::new(1);
        serial.add(0, &outcome(&[("thread 1.0", "1"), ("size()", "1")]));
        let (kind, all) = serial.deviations(&outcome(&[("thread 1.0", "threw X"), ("size()", "2")]));
        assert_eq!(kind, DeviationKind::Fails);
        assert_eq!(all.len(), 2);
    }
}
