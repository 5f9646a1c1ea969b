//! The order of a saturation: any order gives the same sums, and a good one saves work.

use crate::support::{Given, configurations, only, rules, system};
use proptest::prelude::*;
use wpds::{Boolean, Control, MinPlus, PostStar, PreStar, Progress, Rank, RuleSink, Rules, Summary, Symbol, System};

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

/// A symbol with a step to each place of a chain, the farther the costlier, and the worst added first.
fn fan(count: u32) -> System<Option<u64>> {
    let (control, symbol) = (Control::new(0), Symbol::new);
    let mut builder = System::builder();
    for place in (1..count).rev() {
        builder.step(control, symbol(0), control, symbol(place), Some(3 * u64::from(place)));
    }
    for place in 1..count - 1 {
        builder.step(control, symbol(place), control, symbol(place + 1), Some(1));
    }
    builder.build()
}

/// First in, first out, the weight of each place of the chain changes for each place before it.
#[test]
fn ordered_weights_settle_once() {
    const COUNT: u32 = 1000;
    let (start, last) = (Control::new(0), Symbol::new(COUNT - 1));
    let mut post = PostStar::new(&MinPlus, fan(COUNT));
    post.start(&mut MinPlus, start, Symbol::new(0)).unwrap();
    assert_eq!(post.advance(&mut MinPlus, COUNT as usize), Ok(Progress::Saturated));
    let mut pre = PreStar::new(&MinPlus, fan(COUNT));
    pre.target_at(&mut MinPlus, &only(&(0, vec![COUNT - 1]))).unwrap();
    assert_eq!(pre.advance(&mut MinPlus, COUNT as usize), Ok(Progress::Saturated));
    let length = Some(u64::from(COUNT) + 1);
    assert_eq!(post.weight_of(&mut MinPlus, start, &[last]), Ok(length));
    assert_eq!(pre.weight_of(&mut MinPlus, start, &[Symbol::new(0)]), Ok(length));
}

/// The weights of callees begin anew in the middle of a saturation; each transition is processed once all the same.
#[test]
fn ordered_weights_settle_once_in_recursion() {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..500 {
        let mut builder = System::builder();
        for _ in 0..random.u32(1..40) {
            let mut of = |most| random.u32(..most);
            let (from, read, to, by, below) = (of(3), of(4), of(3), of(4), of(4));
            let (from, read, to) = (Control::new(from), Symbol::new(read), Control::new(to));
            let weight = Some(u64::from(of(20)));
            match of(4) {
                0 => builder.pop(from, read, to, weight),
                1 => builder.push(from, read, to, Symbol::new(by), Symbol::new(below), weight),
                _ => builder.step(from, read, to, Symbol::new(by), weight),
            }
        }
        let system = builder.build();
        let mut post = PostStar::new(&MinPlus, system.clone());
        post.start(&mut MinPlus, Control::new(0), Symbol::new(0)).unwrap();
        let mut pre = PreStar::new(&MinPlus, system);
        pre.target_at(&mut MinPlus, &only(&(1, vec![1]))).unwrap();
        let (mut forwards, mut backwards) = (0, 0);
        while post.saturated().is_none() {
            post.advance(&mut MinPlus, 1).unwrap();
            forwards += 1;
        }
        while pre.advance(&mut MinPlus, 1).unwrap() == Progress::Paused {
            backwards += 1;
        }
        assert_eq!((forwards, backwards + 1), (post.transition_count(), pre.transition_count()));
    }
}

/// With ranks, ordered weights have no bound before the end; so the aim does not end the saturation before it.
#[test]
fn an_aim_waits_for_the_best_weight_with_ranks() {
    let given = |left, to, word, weight| Given { left, to, word, weight: Some(weight) };
    let rules = vec![given((0, 0), 0, vec![1], 9), given((0, 0), 0, vec![2], 1), given((0, 2), 0, vec![1], 1)];
    // The symbol on the cheap way comes last.
    let ranks = [0, 1, 9, 0, 0].into_iter().flat_map(|rank| [rank; CONTROLS as usize]).collect();
    let mut post = PostStar::new(&MinPlus, System::lazy(Ranked { rules, ranks, has_size: false }));
    post.start(&mut MinPlus, Control::new(0), Symbol::new(0)).unwrap();
    post.aim_at(&mut MinPlus, &only(&(0, vec![1]))).unwrap();
    assert_eq!(post.advance(&mut MinPlus, usize::MAX), Ok(Progress::Reached));
    assert_eq!(post.weight_of_aim(), Some(&Some(2)));
}

/// Starts that come late improve weights that were final before; the runs stay right.
#[test]
fn a_late_start_is_respected() {
    let (control, symbol) = (Control::new(0), Symbol::new);
    let mut post = PostStar::new(&MinPlus, fan(10));
    post.start(&mut MinPlus, control, symbol(0)).unwrap();
    post.advance(&mut MinPlus, usize::MAX).unwrap();
    assert_eq!(post.weight_of(&mut MinPlus, control, &[symbol(9)]), Ok(Some(11)));
    post.start(&mut MinPlus, control, symbol(5)).unwrap();
    post.advance(&mut MinPlus, usize::MAX).unwrap();
    assert_eq!(post.weight_of(&mut MinPlus, control, &[symbol(9)]), Ok(Some(4)));
    let summary = Summary::of(&mut MinPlus, post.saturated().unwrap(), &mut || Ok(())).unwrap();
    let run = summary.run(&mut MinPlus, &post, control, &0, &mut || Ok(())).unwrap().expect("the empty run");
    assert_eq!(run.length(), 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Targets that come late give the same weights as early ones, and runs.
    #[test]
    fn late_targets_are_respected(
        rules in rules(CONTROLS, SYMBOLS, (0_u64..6).prop_map(Some)), at in 0..SYMBOLS, late in 0..SYMBOLS, steps in 0_usize..9,
    ) {
        let [first, second] = [(0, vec![at]), (1, vec![late, at])].map(|at| only(&at));
        let mut early = PreStar::new(&MinPlus, system(&rules));
        early.target_at(&mut MinPlus, &first).unwrap();
        early.target_at(&mut MinPlus, &second).unwrap();
        early.advance(&mut MinPlus, usize::MAX).unwrap();
        let mut pre = PreStar::new(&MinPlus, system(&rules));
        pre.target_at(&mut MinPlus, &first).unwrap();
        pre.advance(&mut MinPlus, steps).unwrap();
        pre.target_at(&mut MinPlus, &second).unwrap();
        pre.advance(&mut MinPlus, usize::MAX).unwrap();
        for (control, stack) in configurations(CONTROLS, SYMBOLS, 2) {
            let (control, stack) = (Control::new(control), stack.into_iter().map(Symbol::new).collect::<Vec<_>>());
            let weight = pre.weight_of(&mut MinPlus, control, &stack).unwrap();
            prop_assert_eq!(weight, early.weight_of(&mut MinPlus, control, &stack).unwrap());
            if let Some(length) = weight {
                let run = pre.run(&mut MinPlus, control, &stack, &length, &mut || Ok(())).unwrap().expect("a run");
                let lengths = run.rules().map(|rule| pre.system().weight(rule).expect("a length"));
                prop_assert_eq!(lengths.sum::<u64>(), length);
            }
        }
    }
}

/// Pops into a control state from which no target is reached make no transitions.
#[test]
fn backward_saturation_is_directed_to_the_targets() {
    let (control, symbol) = (Control::new, Symbol::new);
    let mut builder = System::builder();
    for number in 2..100 {
        builder.pop(control(number), symbol(0), control(number + 1), true);
        builder.push(control(number), symbol(0), control(number), symbol(0), symbol(0), true);
    }
    builder.pop(control(0), symbol(0), control(1), true);
    let mut pre = PreStar::new(&Boolean, builder.build());
    pre.target_at(&mut Boolean, &only(&(1, vec![1]))).unwrap();
    pre.advance(&mut Boolean, usize::MAX).unwrap();
    assert_eq!(pre.transition_count(), 2);
    assert_eq!(pre.weight_of(&mut Boolean, control(0), &[symbol(0), symbol(1)]), Ok(true));
}
