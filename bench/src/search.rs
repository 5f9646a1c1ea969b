//! The systematic search in its variants: each reduction alone, all together, with stored states and without.

use crate::compare::describe;
use asercheck::model::Model;
use asercheck::query::Query;
use asercheck::{
    Bounds, Engine, Error, Limits, Options, SearchOptions, SearchOrder, SearchReduction, SearchReductions,
};
use asercheck::{Verdict, check};
use std::collections::BTreeMap;
use std::time::Duration;

/// Other engines of a comparison, with their names.
const OTHERS: [Engine; 4] = [Engine::Explicit, Engine::Symbolic, Engine::KahlonGupta, Engine::Interleave];

/// A variant of the search.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The name in tables.
    pub name: String,
    /// The options of the search.
    pub options: SearchOptions,
}

/// Counts of a variant over many queries.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Number of decided queries.
    pub decided: u64,
    /// Number of violations among these.
    pub violations: u64,
    /// Number of open queries.
    pub open: u64,
    /// Number of visited states.
    pub states: u64,
    /// Number of transitions.
    pub transitions: u64,
}

impl Tally {
    fn count(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Unknown(_) => self.open += 1,
            Verdict::Safe => self.decided += 1,
            Verdict::Violation(_) => (self.decided, self.violations) = (self.decided + 1, self.violations + 1),
        }
    }
}

/// Returns the reductions without which a reduction has no effect.
fn with_needs(reduction: SearchReduction) -> SearchReductions {
    let alone = SearchReductions::none().with(reduction);
    match reduction {
        // These define the invisible steps, which another reduction has to use.
        SearchReduction::Choices
        | SearchReduction::Owned
        | SearchReduction::Protected
        | SearchReduction::Relock
        | SearchReduction::Unlock => alone.with(SearchReduction::InvisibleFirst),
        _ => alone,
    }
}

/// Whether only a dynamic search uses a reduction.
fn is_dynamic(reduction: SearchReduction) -> bool {
    matches!(reduction, SearchReduction::SourceSets | SearchReduction::WakeupTrees)
}

/// Returns the variants: the plain search, each reduction alone, all but each, all, and the other orders.
pub fn variants() -> Vec<Variant> {
    let variant = |name: String, options| Variant { name, options };
    let plain = || SearchOptions::default().with_reductions(SearchReductions::none());
    let mut variants = vec![variant("plain".to_string(), plain())];
    for reduction in SearchReduction::ALL.into_iter().filter(|reduction| !is_dynamic(*reduction)) {
        variants.push(variant(reduction.name().to_string(), plain().with_reductions(with_needs(reduction))));
        let without = SearchOptions::default().with_reductions(SearchReductions::all().without(reduction));
        variants.push(variant(format!("all but {reduction}"), without));
    }
    for order in SearchOrder::ALL {
        variants.push(variant(format!("all, by {}", order.name()), SearchOptions::default().with_order(order)));
        variants.push(variant(format!("plain, by {}", order.name()), plain().with_order(order)));
    }
    for reduction in [SearchReduction::Sleep, SearchReduction::Persistent, SearchReduction::Composed] {
        let reductions = with_needs(reduction);
        variants
            .push(variant(format!("stateless, {reduction}"), plain().with_reductions(reductions).with_stateless(true)));
        let without = SearchReductions::all().without(reduction);
        let options = SearchOptions::default().with_reductions(without).with_stateless(true);
        variants.push(variant(format!("stateless, all but {reduction}"), options));
    }
    let (source, wakeup) = (SearchReduction::SourceSets, SearchReduction::WakeupTrees);
    let alone = SearchReductions::none().with(source);
    for (name, reductions) in [
        ("dynamic, all", SearchReductions::all()),
        ("dynamic, source-sets alone", alone),
        ("dynamic, wakeup-trees alone", alone.with(wakeup)),
        ("dynamic, all but source-sets", SearchReductions::all().without(source)),
        ("dynamic, all but wakeup-trees", SearchReductions::all().without(wakeup)),
        ("dynamic, all but sleep", SearchReductions::all().without(SearchReduction::Sleep)),
    ] {
        let options = SearchOptions::default().with_dynamic(true).with_reductions(reductions);
        variants.push(variant(name.to_string(), options.clone()));
        if reductions == SearchReductions::all() {
            variants.push(variant("dynamic, 2 switches".to_string(), options.with_switches(2)));
        }
    }
    variants.push(variant("plain, 2 switches".to_string(), plain().with_order(SearchOrder::Switches).with_switches(2)));
    for stateless in [false, true] {
        let name = if stateless { "optimistic, stateless" } else { "optimistic" };
        variants
            .push(variant(name.to_string(), SearchOptions::default().with_optimistic(true).with_stateless(stateless)));
    }
    variants.push(variant("stateless, all".to_string(), SearchOptions::default().with_stateless(true)));
    variants.push(variant("stateless, plain".to_string(), plain().with_stateless(true)));
    variants
}

/// Returns the answers of two variants, if both have one.
fn both(said: &BTreeMap<&str, bool>, first: &str, second: &str) -> Option<[bool; 2]> {
    Some([*said.get(first)?, *said.get(second)?])
}

/// The bounds of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Compared {
    /// Bounds of the variants.
    pub variants: Bounds,
    /// Bounds of the other engines.
    pub others: Bounds,
}

impl Compared {
    /// Returns equal bounds for all.
    pub fn alike(bounds: Bounds) -> Self {
        Self { variants: bounds, others: bounds }
    }

    /// Returns bounds that the variants meet often, different for each seed. A variant that ignores a met bound answers
    /// `safe` where others find a violation.
    pub fn tight(bounds: Bounds, seed: u64) -> Self {
        let mut rng = fastrand::Rng::with_seed(seed ^ 0x71647);
        let states = [3, 10, 40, bounds.states][rng.usize(..4)];
        let variants = Bounds { states, instances: rng.usize(1..=4), stack: rng.usize(0..=3), ..bounds };
        Self { variants, others: bounds }
    }
}

/// Decides queries with the decision procedure, the interleaving search and each variant; describes disagreements.
///
/// # Errors
/// If an engine contradicts itself or a witness does not replay.
pub fn compare_variants(
    model: &Model,
    queries: &[Query],
    variants: &[Variant],
    (bounds, limits): (Compared, &Limits),
    tallies: &mut BTreeMap<String, Tally>,
) -> Result<Vec<String>, Error> {
    let mut disagreements = Vec::new();
    for query in queries {
        let options = Options::default().with_bounds(bounds.others).with_limits(limits.clone());
        let mut answers = Vec::new();
        // The answers of the variants that did not meet the bound on states: whether they found a violation.
        let mut ended: BTreeMap<&str, bool> = BTreeMap::new();
        for engine in OTHERS {
            // The slower variants have little time.
            let short = Limits::default().with_timeout(Duration::from_millis(200));
            let options = match engine {
                Engine::Symbolic | Engine::KahlonGupta => options.clone().with_limits(short),
                _ => options.clone(),
            };
            let verdict = check(model, query, &options.with_engine(engine))?.verdict;
            tallies.entry(format!("engine {engine}")).or_default().count(&verdict);
            answers.push((engine.name().to_string(), verdict));
        }
        for variant in variants {
            let search = SearchOptions { statistics: Default::default(), ..variant.options.clone() };
            let statistics = search.statistics.clone();
            let options = options.clone().with_bounds(bounds.variants).with_engine(Engine::Search).with_search(search);
            let verdict = check(model, query, &options)?.verdict;
            let tally = tallies.entry(variant.name.clone()).or_default();
            tally.states += statistics.states();
            tally.transitions += statistics.transitions();
            tally.count(&verdict);
            if statistics.states() < bounds.variants.states as u64 {
                ended.insert(variant.name.as_str(), matches!(verdict, Verdict::Violation(_)));
            }
            if statistics.missed() > 0 {
                disagreements.push(format!("{}: {} missed a violation", describe(model, query), variant.name));
            }
            answers.push((variant.name.clone(), verdict));
        }
        if let Some([false, true]) = both(&ended, "dynamic, 2 switches", "plain, 2 switches") {
            // No disagreement: the bounded search reports that it met a bound.
            tallies.entry("dynamic, 2 switches: missed".to_string()).or_default().violations += 1;
        }
        let is = |wanted: fn(&Verdict) -> bool| answers.iter().find(|(_, verdict)| wanted(verdict));
        let safe = is(|verdict| *verdict == Verdict::Safe);
        let violated = is(|verdict| matches!(verdict, Verdict::Violation(_)));
        if let (Some((safe, _)), Some((violated, _))) = (safe, violated) {
            disagreements.push(format!("{}: {safe} says safe, {violated} found a violation", describe(model, query)));
        }
    }
    Ok(disagreements)
}
