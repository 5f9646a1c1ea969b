//! The forests of queries about the same processes, listed once for all of them.
//!
//! The forests of a query depend only on its processes and on the actions that its automaton forbids to everybody. The
//! fourteen patterns forbid nothing to everybody, so all queries about the same two processes have the same forests,
//! whatever their locations.
//!
//! *Invariant.* A list is a prefix of the list of a new [`Forests`]: it is a function of the key. So a list is
//! discarded if a limit stops the search for its next forest. The next user makes it again.

use super::forest::Forest;
use super::forests::Forests;
use super::solo::Restraint;
use super::unaided_starts::UnaidedStarts;
use eml::model::ProcessId;
use limits::{Meter, StopReason};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The maximal number of lists kept at the same time.
const KEPT: usize = 4096;

/// The data that a list depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ForestKey {
    pub(crate) threads: Vec<ProcessId>,
    /// The restraint of early spawners.
    pub(crate) early: Restraint,
    /// The restraint of quick spawners.
    pub(crate) quick: Restraint,
}

/// The forests for a key.
#[derive(Clone, Debug)]
pub(crate) struct ForestList<'m>(Arc<Mutex<List<'m>>>);

#[derive(Debug)]
struct List<'m> {
    key: ForestKey,
    starts: Arc<UnaidedStarts<'m>>,
    given: Vec<Arc<Forest>>,
    /// None if the list is complete.
    rest: Option<Forests<'m>>,
}

impl<'m> List<'m> {
    fn new(starts: &Arc<UnaidedStarts<'m>>, key: ForestKey) -> Self {
        let mut list = Self { key, starts: starts.clone(), given: Vec::new(), rest: None };
        list.begin();
        list
    }

    fn begin(&mut self) {
        let ForestKey { threads, early, quick } = &self.key;
        self.given.clear();
        self.rest = Some(Forests::new(self.starts.clone(), threads, early.clone(), quick.clone()));
    }
}

impl ForestList<'_> {
    /// The forest with this number, from 0; none if there are fewer.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn get(&self, number: usize, meter: &Meter) -> Result<Option<Arc<Forest>>, StopReason> {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while list.given.len() <= number {
            let Some(rest) = &mut list.rest else { return Ok(None) };
            match rest.next(meter) {
                Ok(Some(forest)) => list.given.push(Arc::new(forest)),
                Ok(None) => list.rest = None,
                Err(stop) => {
                    List::begin(&mut list);
                    return Err(stop);
                }
            }
        }
        Ok(list.given.get(number).cloned())
    }
}

/// The lists of many queries.
#[derive(Debug, Default)]
pub(crate) struct ForestCache<'m>(Mutex<FxHashMap<ForestKey, ForestList<'m>>>);

impl<'m> ForestCache<'m> {
    /// The list for a key. If there are too many lists, the cache forgets all; lists in use live on.
    pub(crate) fn of(&self, starts: &Arc<UnaidedStarts<'m>>, key: ForestKey) -> ForestList<'m> {
        let mut lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lists.len() >= KEPT && !lists.contains_key(&key) {
            lists.clear();
        }
        let new = |key: &ForestKey| ForestList(Arc::new(Mutex::new(List::new(starts, key.clone()))));
        lists.entry(key).or_insert_with_key(new).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eml::model::Model;
    use limits::Limits;

    const TEXT: &str = "lock l; shared x;
        process A { sync l { start B; loop { start C; } } }
        process B { atomic { read x; write x; } }
        process C { sync l { start B; } }";

    fn model() -> Model {
        eml::model::from_text("starts.eml", TEXT).expect("a model").model
    }

    fn key(model: &Model) -> ForestKey {
        let process = |name: &str| {
            let found = model.processes().iter().position(|process| process.name() == name);
            ProcessId::new(found.expect("it is there"))
        };
        ForestKey {
            threads: vec![process("B"), process("B")],
            early: Restraint::nothing(),
            quick: Restraint::nothing(),
        }
    }

    #[test]
    fn lists_are_those_of_forests() {
        let (model, meter) = (model(), Meter::start(&Limits::default()));
        let starts = Arc::new(UnaidedStarts::new(&model, &meter).expect("no limit"));
        let ForestKey { threads, early, quick } = key(&model);
        let mut forests = Forests::new(starts.clone(), &threads, early, quick);
        let mut expected = Vec::new();
        while let Some(forest) = forests.next(&meter).expect("no limit") {
            expected.push(format!("{forest:?}"));
        }
        assert!(!expected.is_empty());
        let lists = ForestCache::default();
        for _ in 0..2 {
            let list = lists.of(&starts, key(&model));
            let get = |number| list.get(number, &meter).expect("no limit");
            let listed: Vec<_> = (0..).map_while(get).map(|forest| format!("{forest:?}")).collect();
            assert_eq!(listed, expected);
        }
    }
}
