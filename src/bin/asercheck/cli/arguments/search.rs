//! The arguments of the systematic search.

use super::ReduceArguments;
use super::value::count;
use asercheck::{Bounds, SearchOptions, SearchOrder};
use clap::Args;
use std::num::NonZeroUsize;

/// Options that only the engines `search` and `interleave` use.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of the engine `search`")]
pub(crate) struct SearchArguments {
    /// Keeps no states after leaving them.
    #[arg(long, conflicts_with_all = ["order", "switches"])]
    pub(crate) stateless: bool,
    /// Keeps no states, and learns from races between steps which threads have to be tried where.
    #[arg(long, conflicts_with_all = ["order", "stateless", "optimistic"])]
    pub(crate) dynamic: bool,
    /// Lets all locks overlap instead of nesting, as if the model said `overlap` for each.
    #[arg(long)]
    pub(crate) overlap: bool,
    /// Assumes at first that locks protect the accesses, and checks that on the reduced system; --statistics lists the
    /// exceptions.
    #[arg(long)]
    pub(crate) optimistic: bool,
    /// The order in which states are explored.
    #[arg(long, value_name = "HOW", default_value = "depth", value_parser = orders())]
    pub(crate) order: SearchOrder,
    /// Explores only interleavings with at most this number of context switches.
    #[arg(long, value_name = "N")]
    pub(crate) switches: Option<usize>,
    /// Largest number of global states for one query.
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) max_states: Option<NonZeroUsize>,
    /// Largest number of calls on a stack.
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) max_stack: Option<NonZeroUsize>,
    /// Largest number of threads at a time.
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) max_threads: Option<NonZeroUsize>,
}

fn orders() -> impl clap::builder::TypedValueParser<Value = SearchOrder> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::new(SearchOrder::ALL.map(SearchOrder::name)).map(|name| {
        let named = SearchOrder::ALL.into_iter().find(|order| order.name() == name);
        named.unwrap_or_default()
    })
}

impl SearchArguments {
    /// Returns the options of the search.
    pub(crate) fn options(&self, reduce: &ReduceArguments) -> SearchOptions {
        SearchOptions::default()
            .with_order(self.order)
            .with_stateless(self.stateless)
            .with_dynamic(self.dynamic)
            .with_switches(self.switches)
            .with_optimistic(self.optimistic)
            .with_reductions(reduce.search_reductions())
    }

    /// Returns the bounds of the search.
    pub(crate) fn bounds(&self) -> Bounds {
        let all = Bounds::default();
        let or = |given: Option<NonZeroUsize>, bound| given.map_or(bound, NonZeroUsize::get);
        Bounds {
            states: or(self.max_states, all.states),
            stack: or(self.max_stack, all.stack),
            instances: or(self.max_threads, all.instances),
            ..all
        }
    }
}
