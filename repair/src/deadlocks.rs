//! The deadlocks of a model, to be compared with those of a changed model with the same names.

use decide::query::Selection;
use decide::{Error, Options, Verdict, check_all};
use eml::model::Model;
use std::collections::BTreeSet;

/// The deadlocks of a model, by the names of their locks and processes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deadlocks {
    /// Those with an interleaving.
    certain: BTreeSet<String>,
    /// Those that were not decided.
    open: BTreeSet<String>,
    /// Whether a limit kept some from being listed.
    is_cut: bool,
}

impl Deadlocks {
    /// Asks for all deadlocks of a model.
    ///
    /// # Errors
    /// After an internal error of an engine.
    pub fn of(model: &Model, options: &Options) -> Result<Self, Error> {
        let asked = Selection::default().ask_with_deadlocks(model, &[]).expect("nothing is named");
        let mut found = Self::default();
        let Some(mut listed) = asked.deadlocks(&options.limits.clone().with_since(None)) else { return Ok(found) };
        let queries: Vec<_> = listed.by_ref().collect();
        found.is_cut = !listed.is_done();
        for (query, outcome) in queries.iter().zip(check_all(model, &queries, options, |_, _| {})?) {
            let locks = query.locks().iter().map(|id| model.lock(*id).name());
            let processes = query.processes().iter().map(|id| model.process(*id).name());
            let names = locks.chain(processes).collect::<Vec<_>>().join(" ");
            match outcome.verdict {
                Verdict::Safe => {}
                Verdict::Violation(_) => drop(found.certain.insert(names)),
                Verdict::Unknown(_) => drop(found.open.insert(names)),
            }
        }
        Ok(found)
    }

    /// Whether all deadlocks were listed and decided.
    pub fn are_decided(&self) -> bool {
        !self.is_cut && self.open.is_empty()
    }

    /// Whether each of these is certainly one of the others.
    pub fn are_among(&self, others: &Self) -> bool {
        !self.is_cut && self.certain.union(&self.open).all(|names| others.certain.contains(names))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deadlocks(text: &str) -> Deadlocks {
        let model = eml::model::from_text("m.eml", text).unwrap_or_else(|error| panic!("{error}")).model;
        Deadlocks::of(&model, &Options::default()).expect("no internal error")
    }

    #[test]
    fn deadlocks_are_compared_by_names() {
        let opposite = "lock a, b; process P { sync a { sync b { } } } process Q { sync b { sync a { } } }";
        let same = "lock a, b; process P { sync a { sync b { } } } process Q { sync a { sync b { } } }";
        assert!(deadlocks(same).are_among(&deadlocks(opposite)));
        assert!(!deadlocks(opposite).are_among(&deadlocks(same)));
        assert!(deadlocks(opposite).are_among(&deadlocks(opposite)));
    }

    #[test]
    fn an_undecided_deadlock_is_new_and_excuses_none() {
        let named = |name: &str| BTreeSet::from([name.to_string()]);
        let certain = Deadlocks { certain: named("a b P Q"), ..Deadlocks::default() };
        let open = Deadlocks { open: named("a b P Q"), ..Deadlocks::default() };
        assert!(open.are_among(&certain) && !certain.are_among(&open) && !open.are_among(&Deadlocks::default()));
        let cut = Deadlocks { is_cut: true, ..Deadlocks::default() };
        assert!(!cut.are_among(&certain));
    }
}
