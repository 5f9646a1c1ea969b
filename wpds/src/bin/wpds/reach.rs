//! The command `reach`: whether a target is reachable, with an early end.

use crate::arguments::{Direction, Question};
use crate::figures::Figures;
use crate::names::Names;
use crate::saturate::Printed;
use crate::weights::{Plain, Warnings};
use std::io::Write;
use std::time::{Duration, Instant};
use wpds::text::Document;
use wpds::{Dual, Longest, MinPlus, PostStar, PreStar, RuleId, Semiring, System};

/// What a saturation has found.
struct Answer<S: Semiring> {
    weight: S::Weight,
    transitions: usize,
    time: Duration,
    /// The rules of a run, if one was asked for, and a system with the same numbers of rules.
    run: Option<(Vec<RuleId>, System<S::Weight>)>,
}

/// Decides the question and prints the answer.
pub(crate) fn reach<S: Plain>(
    mut semiring: S,
    (document, reading): (Document<S::Weight>, Duration),
    question: &Question,
    out: &mut impl Write,
    warnings: &Warnings,
) -> Printed {
    let default = if S::IS_ORDERED { Direction::Post } else { Direction::Dual };
    let direction = question.direction.unwrap_or(default);
    if S::IS_ORDERED && direction == Direction::Dual {
        return Ok(Err("two saturations that meet find some run, which need not have the least weight".to_string()));
    }
    let (rules, names) = (document.system.rule_count(), Names::of(&document));
    let answer = match direction {
        Direction::Post => forwards(&mut semiring, document, question.witness),
        Direction::Pre => backwards(&mut semiring, document, question.witness),
        Direction::Dual => from_both_ends(&mut semiring, document, question.witness),
    };
    Figures { rules, transitions: answer.transitions, reading, saturation: answer.time }.write(out)?;
    print(out, &answer, &names, warnings).map(Ok)
}

fn print<S: Plain>(
    out: &mut impl Write,
    answer: &Answer<S>,
    names: &Names,
    warnings: &Warnings,
) -> std::io::Result<()> {
    let Some(element) = S::element(&answer.weight) else { return writeln!(out, "not reachable") };
    let weight = S::show(&element, warnings);
    writeln!(out, "reachable with weight {weight}")?;
    match &answer.run {
        None => Ok(()),
        Some((run, system)) => names.run(out, &weight, run.len() as u64, run.iter().copied(), system),
    }
}

/// Prints the length of the longest run.
pub(crate) fn longest(
    (document, reading): (Document<Option<u64>>, Duration),
    out: &mut impl Write,
    warnings: &Warnings,
) -> Printed {
    let (rules, begin) = (document.system.rule_count(), Instant::now());
    let mut post = PostStar::new(&MinPlus, document.system);
    let Ok(()) = post.start_at(&mut MinPlus, &document.initial);
    let Ok(_) = post.advance(&mut MinPlus, usize::MAX);
    let length = |rule| post.system().weight(rule).unwrap_or_default();
    let longest = post.saturated().and_then(|saturated| Longest::to(saturated, &document.target, length));
    Figures { rules, transitions: post.transition_count(), reading, saturation: begin.elapsed() }.write(out)?;
    match longest {
        None => writeln!(out, "not reachable"),
        Some(Longest::Length(length)) => writeln!(out, "longest run: {}", MinPlus::show(&length, warnings)),
        Some(Longest::Unbounded) => writeln!(out, "longest run: unbounded"),
    }
    .map(Ok)
}

fn forwards<S: Plain>(semiring: &mut S, document: Document<S::Weight>, with_run: bool) -> Answer<S> {
    let begin = Instant::now();
    let mut post = PostStar::new(semiring, document.system);
    let Ok(()) = post.aim_at(semiring, &document.target);
    let Ok(()) = post.start_at(semiring, &document.initial);
    let Ok(_) = post.advance(semiring, usize::MAX);
    let time = begin.elapsed();
    let weight = post.weight_of_aim().cloned().unwrap_or_else(|| semiring.zero());
    let run = S::element(&weight).filter(|_| with_run).and_then(|element| {
        let Ok(run) = post.run_to_aim(semiring, &element, &mut || Ok(()));
        run.map(|run| (run.rules().collect(), post.system().clone()))
    });
    Answer { weight, transitions: post.transition_count(), time, run }
}

fn backwards<S: Plain>(semiring: &mut S, document: Document<S::Weight>, with_run: bool) -> Answer<S> {
    let begin = Instant::now();
    let mut pre = PreStar::new(semiring, document.system);
    let Ok(()) = pre.target_at(semiring, &document.target);
    let Ok(()) = pre.aim_at(semiring, &document.initial);
    let Ok(_) = pre.advance(semiring, usize::MAX);
    let time = begin.elapsed();
    let weight = pre.weight_of_aim().cloned().unwrap_or_else(|| semiring.zero());
    let run = S::element(&weight).filter(|_| with_run).and_then(|element| {
        let Ok(run) = pre.run_from_aim(semiring, &element, &mut || Ok(()));
        run.map(|run| (run.rules().collect(), pre.system().clone()))
    });
    Answer { weight, transitions: pre.transition_count(), time, run }
}

fn from_both_ends<S: Plain>(semiring: &mut S, document: Document<S::Weight>, with_run: bool) -> Answer<S> {
    let begin = Instant::now();
    let Ok(mut dual) = Dual::new(semiring, document.system, &document.initial, &document.target);
    let Ok(_) = dual.advance(semiring, usize::MAX);
    let time = begin.elapsed();
    let weight = dual.weight().clone();
    let run = S::element(&weight).filter(|_| with_run).and_then(|element| {
        let Ok(run) = dual.run(semiring, &element, &mut || Ok(()));
        run.map(|run| (run.rules().collect(), dual.post().system().clone()))
    });
    let transitions = dual.post().transition_count() + dual.pre().transition_count();
    Answer { weight, transitions, time, run }
}
