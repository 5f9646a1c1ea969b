//! The table of the paper's Fig. 5: the time of the engines, by the set of engines that succeeded.

use super::data::Data;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The queries that the same engines decided.
#[derive(Clone, Debug)]
pub(super) struct Category {
    /// Whether each engine succeeded.
    pub(super) succeeded: Vec<bool>,
    pub(super) queries: usize,
    /// The total time of each engine.
    pub(super) seconds: Vec<f64>,
}

/// Some engines, and the queries to which all of them have an answer.
#[derive(Clone, Debug)]
pub(super) struct Success {
    pub(super) engines: Vec<usize>,
    /// The categories that have queries; first that of the queries that all engines decided.
    pub(super) categories: Vec<Category>,
}

impl Success {
    pub(super) fn new(data: &Data, engines: Vec<usize>) -> Self {
        let mut found: BTreeMap<Reverse<Vec<bool>>, Category> = BTreeMap::new();
        for row in &data.rows {
            let answers: Option<Vec<_>> = engines.iter().map(|engine| row.answers[*engine]).collect();
            let Some(answers) = answers else { continue };
            let succeeded: Vec<_> = answers.iter().map(|answer| answer.is_decided()).collect();
            let category = found.entry(Reverse(succeeded.clone())).or_insert_with(|| Category {
                succeeded,
                queries: 0,
                seconds: vec![0.0; engines.len()],
            });
            category.queries += 1;
            for (sum, answer) in category.seconds.iter_mut().zip(&answers) {
                *sum += answer.seconds;
            }
        }
        Self { engines, categories: found.into_values().collect() }
    }

    pub(super) fn queries(&self) -> usize {
        self.categories.iter().map(|category| category.queries).sum()
    }

    /// Returns the time of each engine for all queries.
    pub(super) fn seconds(&self) -> Vec<f64> {
        let sum = |place| self.categories.iter().fold(0.0, |sum, category| sum + category.seconds[place]);
        (0..self.engines.len()).map(sum).collect()
    }

    /// Returns the names of the engines that succeeded.
    pub(super) fn names<'d>(&self, data: &'d Data, category: &Category) -> Vec<&'d str> {
        let engines = self.engines.iter().zip(&category.succeeded);
        engines.filter(|(_, succeeded)| **succeeded).map(|(engine, _)| data.engines[*engine].as_str()).collect()
    }

    /// Names a category.
    pub(super) fn title(&self, data: &Data, category: &Category) -> String {
        match self.names(data, category)[..] {
            [] => "none succeeded".to_string(),
            ref all if all.len() == self.engines.len() => "all succeeded".to_string(),
            ref some => format!("only {} succeeded", some.join(", ")),
        }
    }
}
