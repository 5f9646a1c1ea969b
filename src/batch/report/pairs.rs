//! The table of the paper's Fig. 5: the time that two engines take, by which of them succeeded.

use super::data::Data;

/// Which engines of a pair decided a query.
pub(super) const CATEGORIES: [(&str, [bool; 2]); 4] =
    [("both", [true, true]), ("first", [true, false]), ("second", [false, true]), ("neither", [false, false])];

/// The queries of one category.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Category {
    pub(super) queries: usize,
    /// Of each engine.
    pub(super) seconds: [f64; 2],
}

/// A pair of engines, over the queries for which there are answers of both.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) engines: [usize; 2],
    /// In the order of [`CATEGORIES`].
    pub(super) categories: [Category; 4],
}

impl Pair {
    pub(super) fn new(data: &Data, (first, second): (usize, usize)) -> Self {
        let mut categories = [Category::default(); 4];
        for row in &data.rows {
            let (Some(own), Some(other)) = (row.answers[first], row.answers[second]) else { continue };
            let succeeded = [own.is_decided(), other.is_decided()];
            for (category, (_, wanted)) in categories.iter_mut().zip(CATEGORIES) {
                if wanted == succeeded {
                    category.queries += 1;
                    category.seconds[0] += own.seconds;
                    category.seconds[1] += other.seconds;
                }
            }
        }
        Self { engines: [first, second], categories }
    }

    pub(super) fn queries(&self) -> usize {
        self.categories.iter().map(|category| category.queries).sum()
    }

    /// The time of each engine for all queries.
    pub(super) fn seconds(&self) -> [f64; 2] {
        [0, 1].map(|engine| self.categories.iter().map(|category| category.seconds[engine]).sum())
    }

    /// How a category is called for this pair.
    pub(super) fn name(&self, data: &Data, category: usize) -> String {
        let [first, second] = self.engines.map(|engine| &data.engines[engine]);
        match CATEGORIES[category].1 {
            [true, true] => "both succeeded".to_string(),
            [true, false] => format!("only {first} succeeded"),
            [false, true] => format!("only {second} succeeded"),
            [false, false] => "neither succeeded".to_string(),
        }
    }
}
