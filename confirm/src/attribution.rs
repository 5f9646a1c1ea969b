//! The methods to which a difference belongs.
//!
//! A difference belongs to the method that was interrupted, and to the one that ran meanwhile. It confirms a finding
//! only if these are the unit and the interfering method of the finding's sentence, and the interruption is within its
//! torn section. Other differences are as real; the driver adds them to the finding that has their methods, or makes a
//! finding of them.

use crate::torn_section::{CodeLine, Interruption, TornSection};
use audit::{ConfirmationEffort, Demonstration, ObservedCalls};

/// An interrupted method, and the method that ran meanwhile.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Attribution {
    /// The interrupted method.
    pub(crate) unit: String,
    /// The method that ran meanwhile.
    pub(crate) by: String,
    pub(crate) interruption: Interruption,
    /// The first lines of the interrupted method and of the other one.
    first_lines: [CodeLine; 2],
}

/// A difference that belongs to other methods than those of the finding that was run, or to another section.
#[derive(Clone, Debug)]
pub(crate) struct OtherDifference {
    pub(crate) attribution: Attribution,
    pub(crate) demonstration: Demonstration,
    /// The effort of the search until then.
    pub(crate) effort: ConfirmationEffort,
}

/// The methods of a client: the unit in the first thread, and the interfering one in the second.
pub(crate) struct ClientMethods<'c> {
    pub(crate) unit: &'c str,
    pub(crate) by: &'c str,
    /// Whether the second thread makes only this call.
    pub(crate) is_by_alone: bool,
}

impl ClientMethods<'_> {
    /// Returns the attribution of an interruption; `first_lines` are the first lines of both sides. None if the second
    /// thread was interrupted and makes two calls.
    pub(crate) fn attribution(&self, interruption: &Interruption, first_lines: &[CodeLine; 2]) -> Option<Attribution> {
        let [first, second] = first_lines.clone();
        let (unit, by, first_lines) = match interruption.side {
            1 => (self.unit, self.by, [first, second]),
            _ if self.is_by_alone => (self.by, self.unit, [second, first]),
            _ => return None,
        };
        Some(Attribution {
            unit: unit.to_string(),
            by: by.to_string(),
            interruption: interruption.clone(),
            first_lines,
        })
    }
}

impl Attribution {
    /// The interrupted method, and the one that ran meanwhile.
    pub(crate) fn methods(&self) -> (String, String) {
        (self.unit.clone(), self.by.clone())
    }

    /// Returns the calls for a report.
    pub(crate) fn calls(&self) -> ObservedCalls {
        let line = |CodeLine { file, line }: &CodeLine| (file.clone(), (*line).max(1));
        ObservedCalls {
            unit: self.unit.clone(),
            unit_line: line(&self.first_lines[0]),
            interrupted_line: line(&self.interruption.at),
            by: self.by.clone(),
            by_line: line(&self.first_lines[1]),
        }
    }

    /// Whether the methods are those of a sentence, and the interruption is in its torn section.
    pub(crate) fn is_of(&self, unit: &str, by: &str, section: &TornSection) -> bool {
        self.unit == unit && self.by == by && section.is_torn(&self.interruption)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stopped_method_is_the_interrupted_one() {
        let methods = ClientMethods { unit: "a", by: "b", is_by_alone: true };
        let lines = [CodeLine::new("C.java", 1), CodeLine::new("C.java", 2)];
        let on = |side| Interruption { side, ..Interruption::default() };
        let of = |methods: &ClientMethods<'_>, side| methods.attribution(&on(side), &lines).map(|it| it.methods());
        assert_eq!(of(&methods, 1), Some(("a".into(), "b".into())));
        assert_eq!(of(&methods, 2), Some(("b".into(), "a".into())));
        let methods = ClientMethods { is_by_alone: false, ..methods };
        assert_eq!(of(&methods, 2), None, "it may be in the other call");
    }
}
