//! An index of rules by the upper head of their right-hand side, for backward saturation. The head of a pop rule has no
//! symbol.

use crate::index::{Head, RuleId};
use crate::system::{Right, System};
use std::ops::Range;

/// The rules, sorted by their upper head.
#[derive(Clone, Debug)]
pub(crate) struct ByRight {
    rules: Vec<RuleId>,
    /// Per head of the system, the end of its rules; they begin where those of the head before end.
    ends: Vec<u32>,
}

impl ByRight {
    /// Builds the index. Linear in the number of rules and heads.
    pub(crate) fn new<W: Clone>(system: &System<W>) -> Self {
        let upper = |rule| match system.right(rule) {
            Right::Pop(head) | Right::Step(head) | Right::Push(head, _) => head,
        };
        let mut ends = vec![0; system.heads.len()];
        for head in system.rule_ids().map(upper) {
            ends[head.index()] += 1;
        }
        let mut first = 0;
        for end in &mut ends {
            first += std::mem::replace(end, first);
        }
        let mut rules = vec![RuleId::new(0); first as usize];
        for rule in system.rule_ids() {
            let end = &mut ends[upper(rule).index()];
            rules[*end as usize] = rule;
            *end += 1;
        }
        Self { rules, ends }
    }

    /// The positions of the rules that lead to this head; empty for heads that the system does not have.
    pub(crate) fn rules(&self, head: Head) -> Range<usize> {
        let Some(end) = self.ends.get(head.index()) else { return 0..0 };
        let first = head.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        first as usize..*end as usize
    }

    pub(crate) fn rule(&self, place: usize) -> RuleId {
        self.rules[place]
    }
}
