//! The savings of each reduction: more than nothing if it is on and applies, nothing if it is off; and with it the
//! search takes fewer transitions.

use super::pattern_query;
use asercheck::model;
use asercheck::{Engine, Options, SearchOptions, SearchReduction, SearchReductions, SearchStatistics, check};

/// A model on which a reduction saves work, if these others are on.
struct Example {
    reduction: SearchReduction,
    beside: &'static [SearchReduction],
    text: &'static str,
}

/// Two threads that access locations protected by one lock; nothing violates pattern 2.
const PROTECTED: &str = "lock l; shared x, y;
    process P { atomic { sync l { read x; read y; read x; } } }
    process Q { sync l { write x; write y; } }";

const EXAMPLES: [Example; 14] = {
    use SearchReduction::{
        Choices, Composed, DeadEnds, Idle, InvisibleFirst, Owned, Persistent, Protected, Relock, Sleep, SourceSets,
        Symmetry, Unlock, WakeupTrees,
    };
    [
        Example {
            reduction: Symmetry,
            beside: &[],
            text: "lock l; shared x;
                process P { atomic { sync l { read x; read x; } } }
                process R * 2 { start Q; }
                process Q { sync l { write x; } }",
        },
        Example {
            reduction: Idle,
            beside: &[],
            text: "lock l; shared x, y;
                process P { atomic { sync l { read x; read x; } } }
                process R { start Q; read y; read y; }
                process Q { sync l { write x; } }",
        },
        Example { reduction: DeadEnds, beside: &[], text: PROTECTED },
        Example { reduction: Persistent, beside: &[], text: PROTECTED },
        Example { reduction: Sleep, beside: &[], text: PROTECTED },
        Example { reduction: InvisibleFirst, beside: &[], text: PROTECTED },
        Example { reduction: Composed, beside: &[], text: PROTECTED },
        Example {
            reduction: Choices,
            beside: &[InvisibleFirst],
            text: "lock l; shared x, y;
                process P { choose { read y; } or { write y; } atomic { sync l { read x; read x; } } }
                process Q { choose { read y; } or { write y; } sync l { write x; } }",
        },
        Example {
            reduction: Owned,
            beside: &[InvisibleFirst],
            text: "lock l, own; shared x;
                process P { acquire own; release own; atomic { sync l { read x; read x; } } }
                process Q { sync l { write x; } }",
        },
        Example { reduction: Protected, beside: &[InvisibleFirst], text: PROTECTED },
        Example {
            reduction: Relock,
            beside: &[InvisibleFirst],
            text: "lock l; shared x;
                process P { atomic { sync l { sync l { read x; read x; } } } }
                process Q { sync l { sync l { write x; } } }",
        },
        Example { reduction: Unlock, beside: &[InvisibleFirst], text: PROTECTED },
        Example { reduction: SourceSets, beside: &[], text: PROTECTED },
        Example {
            reduction: WakeupTrees,
            beside: &[SourceSets],
            text: "lock l; shared x;
                process P { atomic { read x; read x; } }
                process Q * 2 { sync l { write x; } write x; }",
        },
    ]
};

fn transitions(example: &Example, reductions: SearchReductions) -> (SearchStatistics, u64) {
    let model = model::from_text("saved.eml", example.text).expect("it is a model").model;
    let is_dynamic = matches!(example.reduction, SearchReduction::SourceSets | SearchReduction::WakeupTrees);
    let search = SearchOptions::default().with_reductions(reductions).with_dynamic(is_dynamic);
    let statistics = search.statistics.clone();
    let options = Options::default().with_engine(Engine::Search).with_search(search);
    let query = pattern_query(&model, 2, ["P", "Q"]);
    check(&model, &query, &options).expect("no fault");
    let transitions = statistics.transitions();
    (statistics, transitions)
}

#[test]
fn each_reduction_says_what_it_saved() {
    for example in &EXAMPLES {
        let reduction = example.reduction;
        let without = example.beside.iter().fold(SearchReductions::none(), |all, one| all.with(*one));
        let (off, all) = transitions(example, without);
        let (on, fewer) = transitions(example, without.with(reduction));
        assert_eq!(off.saved(reduction), 0, "{reduction}");
        assert!(on.saved(reduction) > 0, "{reduction}: {fewer} of {all} transitions");
        assert!(fewer < all, "{reduction}: {fewer} of {all} transitions");
    }
    let named: Vec<_> = EXAMPLES.iter().map(|example| example.reduction).collect();
    assert_eq!(named, SearchReduction::ALL);
}
