//! Queries asked of one checker in any order, announced or not, against each query alone: the memoized work of a
//! checker does not change its answers.

use asercheck::answers::VerdictKind;
use asercheck::phases::UnitMode;
use asercheck::{Checker, Engine, Options, check, model};
use asercheck_bench::compare::{describe, pattern_queries};
use fastrand::Rng;
use generate::random::{self, Shape};
use generate::seeds;

#[test]
fn answers_do_not_depend_on_the_queries_before() {
    let (mut decided, mut violations) = (0, 0);
    for seed in seeds::taken(8_600_000..8_600_090) {
        let shape = if seed % 3 == 0 { Shape::with_modes(seed) } else { Shape::of_seed(seed) };
        let text = random::model(seed, &shape);
        let model = model::from_text("random.eml", &text).unwrap_or_else(|error| panic!("seed {seed}: {error}")).model;
        let mut rng = Rng::with_seed(seed);
        let mut queries = pattern_queries(&model, UnitMode::Both);
        rng.shuffle(&mut queries);
        queries.truncate(60);
        let announced: Vec<_> = queries.iter().filter(|_| rng.u8(..4) < (seed % 4) as u8).cloned().collect();
        let options = Options::default().with_engine(Engine::Explicit);
        let mut checker = Checker::new(&model, &announced, options.clone());
        for query in &queries {
            let verdict = |outcome: asercheck::Outcome| VerdictKind::from(&outcome.verdict);
            let together = verdict(checker.check(query).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}")));
            let alone = verdict(check(&model, query, &options).unwrap_or_else(|error| panic!("seed {seed}: {error}")));
            assert_eq!(together, alone, "seed {seed}: {}\n{text}", describe(&model, query));
            decided += usize::from(alone != VerdictKind::Unknown);
            violations += usize::from(alone == VerdictKind::Violation);
        }
    }
    println!("{decided} decided, {violations} violations");
    assert!(
        decided > seeds::least(2000) && violations > seeds::least(100),
        "{decided} decided, {violations} violations"
    );
}
