//! Whether a client can tell an outcome from those of all serial orders.
//!
//! An *outcome* maps what a client looks at (the results of its calls, its variables, the answers to its questions
//! afterwards) to a text. Each serial order of the calls is run several times; an entry that differs between two of
//! these runs, or is missing in one, depends on something else than the order (times, hash codes, identities, other
//! threads): it is *masked* for this order. An outcome *differs* from a serial order if an entry that is not masked has
//! another text. It is confirmed if it differs from every serial order.
//!
//! Invariant: every outcome that was seen in a serial run agrees with its order on all entries that are not masked. So
//! no outcome of a serial run is ever confirmed, whatever the time it was made at; an outcome of a forced run is, only
//! if no serial run was seen to have all of its parts. How long a thread was stopped is no matter as long as serial
//! runs are stopped likewise.

use std::collections::BTreeMap;

/// What a client could tell, in the order in which it looked.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    entries: Vec<(String, String)>,
}

impl Outcome {
    /// From names and texts in turn.
    pub(crate) fn of(fields: &[String]) -> Self {
        Self { entries: fields.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect() }
    }

    /// Whether a call waits for ever.
    pub(crate) fn hangs(&self) -> bool {
        self.entries.iter().any(|(_, text)| text == "hangs")
    }

    /// Why what comes before the threads failed, or what comes behind them.
    pub(crate) fn failure(&self) -> Option<&str> {
        let is_failure = |(what, _): &&(String, String)| what == "failed" || what == "afterwards";
        self.entries.iter().find(is_failure).map(|(_, why)| why.as_str())
    }

    fn get(&self, what: &str) -> Option<&str> {
        self.entries.iter().find(|(known, _)| known == what).map(|(_, text)| text.as_str())
    }
}

/// What was seen of one serial order: a text, or nothing if it is masked.
#[derive(Clone, Debug, Default)]
struct Seen {
    runs: usize,
    entries: BTreeMap<String, Option<String>>,
}

impl Seen {
    fn add(&mut self, outcome: &Outcome) {
        if self.runs == 0 {
            self.entries = outcome.entries.iter().map(|(what, text)| (what.clone(), Some(text.clone()))).collect();
        } else {
            for (what, text) in &mut self.entries {
                if text.as_deref() != outcome.get(what) {
                    *text = None;
                }
            }
            for (what, _) in &outcome.entries {
                self.entries.entry(what.clone()).or_insert(None);
            }
        }
        self.runs += 1;
    }

    /// Whether an outcome is certainly not of this order.
    fn differs(&self, outcome: &Outcome) -> bool {
        self.entries.iter().any(|(what, text)| text.is_some() && text.as_deref() != outcome.get(what))
    }
}

/// All serial orders of a client.
#[derive(Clone, Debug)]
pub(crate) struct Serial {
    orders: Vec<Seen>,
}

/// How bad a difference is; the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A call throws or waits for ever that does not in any serial order.
    Fails,
    /// A call returns what it does not in any serial order.
    Result,
    /// The state afterwards is that of no serial order.
    State,
    /// Each part is that of a serial order, but they are not of one.
    Together,
}

/// An entry of an outcome that shows the difference.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Deviation {
    /// What was looked at.
    pub(crate) what: String,
    /// What was seen.
    pub(crate) seen: String,
    /// What is seen in serial orders.
    pub(crate) serial: Vec<String>,
}

impl Serial {
    pub(crate) fn new(orders: usize) -> Self {
        Self { orders: vec![Seen::default(); orders] }
    }

    pub(crate) fn orders(&self) -> usize {
        self.orders.len()
    }

    /// A serial run of an order was seen.
    pub(crate) fn add(&mut self, order: usize, outcome: &Outcome) {
        self.orders[order].add(outcome);
    }

    /// Whether an outcome is certainly that of no serial order.
    pub(crate) fn is_none(&self, outcome: &Outcome) -> bool {
        self.orders.iter().all(|seen| seen.runs > 0 && seen.differs(outcome))
    }

    /// What shows that an outcome is that of no serial order: entries that no order has; if there are none, all that
    /// tell the orders apart.
    pub(crate) fn differences(&self, outcome: &Outcome) -> (Kind, Vec<Deviation>) {
        let all: Vec<Deviation> =
            outcome.entries.iter().filter_map(|(what, seen)| self.difference(what, seen)).collect();
        let alone: Vec<Deviation> = all.iter().filter(|one| !one.serial.contains(&one.seen)).cloned().collect();
        let kind = alone.iter().map(Deviation::kind).min();
        match kind {
            Some(kind) => (kind, alone),
            None => (Kind::Together, all.into_iter().filter(|one| one.serial.len() > 1).collect()),
        }
    }

    /// An entry with what it is in the orders in which it is not masked; nothing if it is in all.
    fn difference(&self, what: &str, seen: &str) -> Option<Deviation> {
        let mut serial: Vec<String> = Vec::new();
        for text in self.orders.iter().filter_map(|order| order.entries.get(what)?.as_ref()) {
            if !serial.contains(text) {
                serial.push(text.clone());
            }
        }
        (!serial.is_empty()).then(|| Deviation { what: what.to_string(), seen: seen.to_string(), serial })
    }
}

impl Deviation {
    fn kind(&self) -> Kind {
        let is_result = self.what.starts_with("thread ");
        match self.seen.as_str() {
            "hangs" => Kind::Fails,
            text if text.starts_with("threw ") && !self.serial.iter().any(|text| text.starts_with("threw ")) => {
                Kind::Fails
            }
            _ if is_result => Kind::Result,
            _ => Kind::State,
        }
    }
}

impl Kind {
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
        Outcome { entries: entries.iter().map(|(what, text)| (what.to_string(), text.to_string())).collect() }
    }

    #[test]
    fn what_differs_between_runs_of_one_order_counts_for_nothing() {
        let mut serial = Serial::new(2);
        serial.add(0, &outcome(&[("n", "1"), ("time", "17")]));
        serial.add(0, &outcome(&[("n", "1"), ("time", "18")]));
        serial.add(1, &outcome(&[("n", "2"), ("time", "19")]));
        assert!(!serial.is_none(&outcome(&[("n", "1"), ("time", "20")])));
        assert!(serial.is_none(&outcome(&[("n", "3"), ("time", "20")])));
        serial.add(1, &outcome(&[("n", "3"), ("time", "19")]));
        // In the second order everything but the time is open now, and the time is that of the order.
        assert!(!serial.is_none(&outcome(&[("n", "4"), ("time", "19")])));
    }

    #[test]
    fn parts_of_two_orders_are_no_serial_outcome() {
        let mut serial = Serial::new(2);
        serial.add(0, &outcome(&[("a", "1"), ("b", "1")]));
        serial.add(1, &outcome(&[("a", "2"), ("b", "2")]));
        let mixed = outcome(&[("a", "1"), ("b", "2")]);
        assert!(serial.is_none(&mixed));
        assert_eq!(serial.differences(&mixed).0, Kind::Together);
        assert_eq!(serial.differences(&mixed).1.len(), 2);
    }

    #[test]
    fn an_order_without_runs_tells_nothing() {
        let mut serial = Serial::new(2);
        serial.add(0, &outcome(&[("a", "1")]));
        assert!(!serial.is_none(&outcome(&[("a", "3")])));
    }

    #[test]
    fn exceptions_are_the_worst() {
        let mut serial = Serial::new(1);
        serial.add(0, &outcome(&[("thread 1.0", "1"), ("size()", "1")]));
        let (kind, all) = serial.differences(&outcome(&[("thread 1.0", "threw X"), ("size()", "2")]));
        assert_eq!(kind, Kind::Fails);
        assert_eq!(all.len(), 2);
    }
}
