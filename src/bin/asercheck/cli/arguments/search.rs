//! How the systematic search goes about.

use super::ReduceArguments;
use super::value::count;
use asercheck::{Bounds, SearchOptions, SearchOrder};
use clap::Args;
use std::num::NonZeroUsize;

/// What only the engines `search` and `interleave` look at.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of the engine `search`")]
pub(crate) struct SearchArguments {
    /// Forgets states once it has left them.
    #[arg(long, conflicts_with_all = ["order", "switches"])]
    pub(crate) stateless: bool,
    /// Forgets states, and finds out from races between steps which threads have to be asked where.
    #[arg(long, conflicts_with_all = ["order", "stateless", "optimistic"])]
    pub(crate) dynamic: bool,
    /// Lets all locks overlap instead of nesting, as if the model said `overlap` of them.
    #[arg(long)]
    pub(crate) overlap: bool,
    /// Takes accesses to be protected by locks at first, and checks that on the reduced system; --statistics says where
    /// they are not.
    #[arg(long)]
    pub(crate) optimistic: bool,
    /// In which order states are looked at.
    #[arg(long, value_name = "HOW", default_value = "depth", value_parser = orders())]
    pub(crate) order: SearchOrder,
    /// Looks only at interleavings with at most so many context switches.
    #[arg(long, value_name = "N")]
    pub(crate) switches: Option<usize>,
    /// Global states of one query at most.
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) max_states: Option<NonZeroUsize>,
    /// Calls on a stack at most.
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) max_stack: Option<NonZeroUsize>,
    /// Threads at once at most.
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
    /// How the search goes about.
    pub(crate) fn options(&self, reduce: &ReduceArguments) -> SearchOptions {
        SearchOptions::default()
            .with_order(self.order)
            .with_stateless(self.stateless)
            .with_dynamic(self.dynamic)
            .with_switches(self.switches)
            .with_optimistic(self.optimistic)
            .with_reductions(reduce.search_reductions())
    }

    /// How far it goes.
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
