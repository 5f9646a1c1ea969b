//! Runs that are much longer than the saturation that finds them.

use crate::support::only;
use wpds::{Control, MinPlus, PostStar, PreStar, Progress, Run, RunStep, Summary, Symbol, System};

const P: Control = Control::new(0);
const Q: Control = Control::new(1);
const MAIN: Symbol = Symbol::new(0);
const BACK: Symbol = Symbol::new(1);
const LAST: Symbol = Symbol::new(2);

/// The number of functions.
const FUNCTIONS: u32 = 60;

/// A main program that calls the last function and then changes the control state. The first function returns at once,
/// the others call the one before them twice.
fn doubling() -> System<Option<u64>> {
    let [first, second] = [3, 3 + FUNCTIONS].map(|base| move |number: u32| Symbol::new(base + number));
    let mut system = System::builder();
    system.push(P, MAIN, P, first(FUNCTIONS - 1), BACK, Some(1));
    system.step(P, BACK, Q, LAST, Some(1));
    for number in 1..FUNCTIONS {
        system.push(P, first(number), P, first(number - 1), second(number), Some(1));
        system.step(P, second(number), P, first(number - 1), Some(1));
    }
    system.pop(P, first(0), P, Some(1));
    system.build()
}

/// The number of rules of the whole run: 1 in the first function, in each other twice that of the one before plus two,
/// and two in the main program.
const LENGTH: u64 = (1 << 59) + 2 * ((1 << 59) - 1) + 2;

fn check(run: &Run) {
    assert_eq!(run.length(), LENGTH);
    assert_eq!(run.rules().take(100_000).count(), 100_000);
    let steps = run.steps(|_| true);
    let [RunStep::Call(_, _, callee), RunStep::Rule(..)] = steps[..] else { panic!("{steps:?}") };
    assert_eq!((callee.from, callee.to, run.length_of(callee.subrun)), (P, P, LENGTH - 2));
    // The first of the two calls inside is a call of the function before; the second one is a tail call.
    let inner = run.steps_of(callee.subrun, |inner| run.length_of(inner.subrun) > 100);
    let calls = inner.iter().filter(|step| matches!(step, RunStep::Call(..))).count();
    assert!((50..60).contains(&calls) && inner.len() < 500, "{calls} of {}", inner.len());
}

#[test]
fn an_exponential_run_takes_little_space_forwards() {
    let mut post = PostStar::new(&MinPlus, doubling());
    post.start(&mut MinPlus, P, MAIN).unwrap();
    while post.advance(&mut MinPlus, 64).unwrap() == Progress::Paused {}
    let summary = Summary::of(&mut MinPlus, post.saturated().unwrap(), &mut || Ok(())).unwrap();
    let mut subruns = 0;
    let run = summary.run(&mut MinPlus, &post, Q, &LENGTH, &mut || {
        subruns += 1;
        Ok(())
    });
    check(&run.unwrap().expect("a run"));
    // The second call is a tail call, so in the forward direction there is one subrun of a function for each caller.
    assert!(subruns < 2 * FUNCTIONS * FUNCTIONS, "{subruns}");
}

#[test]
fn an_exponential_run_takes_little_space_backwards() {
    let mut pre = PreStar::new(&MinPlus, doubling());
    pre.target_at(&mut MinPlus, &only(&(1, vec![2]))).unwrap();
    while pre.advance(&mut MinPlus, 64).unwrap() == Progress::Paused {}
    let mut subruns = 0;
    let run = pre.run(&mut MinPlus, P, &[MAIN], &LENGTH, &mut || {
        subruns += 1;
        Ok(())
    });
    check(&run.unwrap().expect("a run"));
    assert!(subruns < 10 * FUNCTIONS, "{subruns}");
}
