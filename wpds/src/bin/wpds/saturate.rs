//! The commands `post` and `pre`: the whole saturation.

use crate::arguments::Task;
use crate::figures::Figures;
use crate::names::Names;
use crate::weights::{Plain, Warnings};
use std::io::{self, Write};
use std::time::{Duration, Instant};
use wpds::text::Document;
use wpds::{PostStar, PreStar, Run, Summary, System};

/// The result of printing: an error of the output, or a message for the user.
pub(crate) type Printed = io::Result<Result<(), String>>;

/// Saturates forwards.
pub(crate) fn forwards<S: Plain>(
    mut semiring: S,
    (document, reading): (Document<S::Weight>, Duration),
    task: &Task,
    out: &mut impl Write,
    warnings: &Warnings,
) -> Printed {
    let names = Names::of(&document);
    let Document { system, initial, .. } = document;
    let (rules, begin) = (system.rule_count(), Instant::now());
    let mut post = PostStar::new(&semiring, system);
    let Ok(()) = post.start_at(&mut semiring, &initial);
    let Ok(_) = post.advance(&mut semiring, usize::MAX);
    Figures { rules, transitions: post.transition_count(), reading, saturation: begin.elapsed() }.write(out)?;
    if task.print {
        for (from, symbol, to, weight) in post.automaton() {
            names.transition(out, from, symbol, to, &S::show_weight(weight, warnings))?;
        }
    }
    let Some(wanted) = &task.witness else { return Ok(Ok(())) };
    let found = after(&mut semiring, &post, &names, wanted);
    print_run::<S>(found, out, (&names, post.system()), warnings)
}

/// Saturates backwards.
pub(crate) fn backwards<S: Plain>(
    mut semiring: S,
    (document, reading): (Document<S::Weight>, Duration),
    task: &Task,
    out: &mut impl Write,
    warnings: &Warnings,
) -> Printed {
    let names = Names::of(&document);
    let Document { system, target, .. } = document;
    let (rules, begin) = (system.rule_count(), Instant::now());
    let mut pre = PreStar::new(&semiring, system);
    let Ok(()) = pre.target_at(&mut semiring, &target);
    let Ok(_) = pre.advance(&mut semiring, usize::MAX);
    Figures { rules, transitions: pre.transition_count(), reading, saturation: begin.elapsed() }.write(out)?;
    if task.print {
        for (from, symbol, to, weight) in pre.automaton() {
            names.transition(out, from, Some(symbol), to, &S::show_weight(weight, warnings))?;
        }
    }
    let Some(wanted) = &task.witness else { return Ok(Ok(())) };
    let found = before(&mut semiring, &pre, &names, wanted);
    print_run::<S>(found, out, (&names, pre.system()), warnings)
}

/// An element and a run that has it, if there is one; an error is an unknown name in the arguments.
type Found<E> = Result<Option<(E, Run)>, String>;

/// Prints the run that was found.
fn print_run<S: Plain>(
    found: Found<S::Element>,
    out: &mut impl Write,
    (names, system): (&Names, &System<S::Weight>),
    warnings: &Warnings,
) -> Printed {
    match found {
        Err(message) => Ok(Err(message)),
        Ok(None) => writeln!(out, "no run").map(Ok),
        Ok(Some((element, run))) => {
            names.run(out, &S::show(&element, warnings), run.length(), run.rules(), system).map(Ok)
        }
    }
}

/// Returns a run to a control state.
fn after<S: Plain>(semiring: &mut S, post: &PostStar<S>, names: &Names, wanted: &[String]) -> Found<S::Element> {
    let [control] = wanted else { return Err("post finds runs to a control state with any stack".to_string()) };
    let control = names.control(control)?;
    let saturated = post.saturated().ok_or("the saturation has not finished")?;
    let Ok(summary) = Summary::of(semiring, saturated, &mut || Ok(()));
    let Ok(total) = summary.total(semiring, post, control);
    let Some(element) = S::element(&total) else { return Ok(None) };
    let Ok(run) = summary.run(semiring, post, control, &element, &mut || Ok(()));
    Ok(run.map(|run| (element, run)))
}

/// Returns a run from a configuration.
fn before<S: Plain>(semiring: &mut S, pre: &PreStar<S>, names: &Names, wanted: &[String]) -> Found<S::Element> {
    let (control, stack) = wanted.split_first().ok_or("a configuration begins with a control state")?;
    let control = names.control(control)?;
    let stack = stack.iter().map(|symbol| names.symbol(symbol)).collect::<Result<Vec<_>, _>>()?;
    let Ok(weight) = pre.weight_of(semiring, control, &stack);
    let Some(element) = S::element(&weight) else { return Ok(None) };
    let Ok(run) = pre.run(semiring, control, &stack, &element, &mut || Ok(()));
    Ok(run.map(|run| (element, run)))
}
