//! The order of a saturation: any ranks give the same sums, and good ones save work.

use crate::support::{Given, rules, system};
use proptest::prelude::*;
use wpds::{Control, MinPlus, PostStar, Progress, Rank, RuleSink, Rules, Summary, Symbol, System};

const CONTROLS: u32 = 3;
const SYMBOLS: u32 = 4;

/// Rules that are generated on demand, with arbitrary ranks.
#[derive(Clone, Debug)]
struct Ranked {
    rules: Vec<Given<Option<u64>>>,
    /// Ranks by symbol, then by control state; the last row is for the empty stack.
    ranks: Vec<u64>,
    has_size: bool,
}

impl Rules<Option<u64>> for Ranked {
    const IS_RANKED: bool = true;

    fn rules(&mut self, control: Control, symbol: Symbol, sink: &mut RuleSink<'_, Option<u64>>) {
        let left = (control.index() as u32, symbol.index() as u32);
        for rule in self.rules.iter().filter(|rule| rule.left == left) {
            let (to, weight) = (Control::new(rule.to), rule.weight);
            match rule.word[..] {
                [] => sink.pop(to, weight),
                [by] => sink.step(to, Symbol::new(by), weight),
                [by, below] => sink.push(to, Symbol::new(by), Symbol::new(below), weight),
                _ => unreachable!("words have at most two symbols"),
            }
        }
    }

    fn size(&self) -> Option<(usize, usize)> {
        // Smaller than the real size, so that some heads are not in the dense table.
        self.has_size.then_some((CONTROLS as usize - 1, SYMBOLS as usize - 1))
    }

    fn rank(&self, control: Control, symbol: Option<Symbol>, entry: Option<Symbol>) -> Rank {
        let row = symbol.map_or(self.ranks.len() / CONTROLS as usize - 1, Symbol::index);
        let own = self.ranks[row * CONTROLS as usize + control.index()];
        Rank { number: own + entry.map_or(0, |entry| entry.index() as u64), is_circular: own.is_multiple_of(2) }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_ranks_give_the_same_sums(
        rules in rules(CONTROLS, SYMBOLS, (1_u64..4).prop_map(Some)),
        ranks in prop::collection::vec(0_u64..6, (CONTROLS * (SYMBOLS + 1)) as usize),
        has_size in any::<bool>(),
    ) {
        let (start, symbol) = (Control::new(0), Symbol::new(0));
        let mut plain = PostStar::new(&MinPlus, system(&rules));
        plain.start(&mut MinPlus, start, symbol).unwrap();
        plain.advance(&mut MinPlus, usize::MAX).unwrap();
        let mut ranked = PostStar::new(&MinPlus, System::lazy(Ranked { rules, ranks, has_size }));
        ranked.start(&mut MinPlus, start, symbol).unwrap();
        while ranked.advance(&mut MinPlus, 3).unwrap() == Progress::Paused {}
        prop_assert_eq!(ranked.transition_count(), plain.transition_count());
        let expected = Summary::of(&mut MinPlus, plain.saturated().unwrap(), &mut || Ok(())).unwrap();
        let summary = Summary::of(&mut MinPlus, ranked.saturated().unwrap(), &mut || Ok(())).unwrap();
        for control in (0..CONTROLS).map(Control::new) {
            let total = summary.total(&mut MinPlus, &ranked, control).unwrap();
            prop_assert_eq!(total, expected.total(&mut MinPlus, &plain, control).unwrap());
            if let Some(length) = total {
                let run = summary.run(&mut MinPlus, &ranked, control, &length, &mut || Ok(()));
                let run = run.unwrap().expect("a run");
                let lengths = run.rules().map(|rule| ranked.system().weight(rule).expect("a length"));
                prop_assert_eq!(lengths.sum::<u64>(), length);
            }
        }
    }
}

/// A short path and a long path from each symbol to the next; the long one is found last and has the smaller weight.
#[test]
fn in_a_good_order_everything_is_processed_once() {
    const LINKS: u32 = 50;
    let given = |left, by, weight| Given { left: (0, left), to: 0, word: vec![by], weight: Some(weight) };
    let rules = (0..LINKS).flat_map(|link| {
        let (at, between, next) = (2 * link, 2 * link + 1, 2 * link + 2);
        [given(at, next, 5), given(at, between, 1), given(between, next, 1)]
    });
    let rules: Vec<_> = rules.collect();
    let ranks = (0..=2 * LINKS + 1).flat_map(|symbol| [u64::from(symbol); CONTROLS as usize]).collect();
    let steps = |ranks| {
        let mut post = PostStar::new(&MinPlus, System::lazy(Ranked { rules: rules.clone(), ranks, has_size: false }));
        post.start(&mut MinPlus, Control::new(0), Symbol::new(0)).unwrap();
        let mut steps = 1;
        while post.advance(&mut MinPlus, 1).unwrap() == Progress::Paused {
            steps += 1;
        }
        (steps, post.transition_count())
    };
    let (ordered, transitions) = steps(ranks);
    assert_eq!(ordered, transitions);
    let (fifo, transitions) = steps(vec![0; (CONTROLS * (2 * LINKS + 2)) as usize]);
    assert!(fifo > 10 * transitions, "{fifo} steps for {transitions} transitions");
}
