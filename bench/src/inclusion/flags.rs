//! Atomics of the library that are locks by their use: `while (!busy.compareAndSet(false, true)); ... busy.set(false)`.
//!
//! The value of such an atomic is the state of a lock, and no data that a model must have. As for other locks, only its
//! holder matters, which the recorder reports ([`Event::Take`] after a compare-and-set that succeeds, [`Event::Give`]
//! before a `set`). An atomic is a *flag* of a run if all its operations are compare-and-sets, get-and-sets, and `set`
//! by a unit that holds it. This is derived from the run, not from the model: a model with a lock in place of an atomic
//! that is used in another way misses accesses.

use super::trace::{Effect, Event, ObjectId, Run, Unit};

/// Whether an object is a flag of a run and is acquired in it.
pub fn is_flag(run: &Run, object: ObjectId) -> bool {
    let takes = |event: &Event| matches!(event, Event::Take(taken, _) if *taken == object);
    let is_taken = run.units.iter().any(|unit| unit.events.iter().any(takes));
    is_taken && run.units.iter().all(|unit| uses_as_flag(unit, object))
}

fn uses_as_flag(unit: &Unit, object: ObjectId) -> bool {
    let (mut held, mut given) = (false, false);
    for event in &unit.events {
        match event {
            Event::Take(taken, _) if *taken == object => held = true,
            Event::Give(taken, _) if *taken == object => (given, held) = (held, false),
            Event::End(method, done) => {
                let mut effects = done.iter().filter(|done| done.object == object);
                let is_used = effects.any(|done| done.effect != Effect::Nothing);
                let is_try = method.contains("ompareAndSet") || method == "getAndSet";
                // The call of `set` that ends now has released the flag.
                if is_used && !is_try && !std::mem::take(&mut given) {
                    return false;
                }
            }
            _ => {}
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::super::trace::{Done, Hold};
    use super::*;
    use std::rc::Rc;

    fn call(method: &str, effect: Effect) -> Vec<Event> {
        let done = Done { object: 1, effect, field: None };
        vec![Event::Begin(method.to_string(), vec![1]), Event::End(method.to_string(), vec![done])]
    }

    fn taken() -> Vec<Event> {
        [call("compareAndSet", Effect::Write), vec![Event::Take(1, Hold::Alone)]].concat()
    }

    fn freed() -> Vec<Event> {
        [vec![Event::Give(1, Hold::Alone)], call("set", Effect::Write)].concat()
    }

    fn is_one(units: &[&[Vec<Event>]]) -> bool {
        let unit = |events: &&[Vec<Event>]| Unit {
            method: "a.A.a()V".to_string(),
            receiver: None,
            arguments: Vec::new(),
            graph: Rc::default(),
            known: 2,
            events: events.concat(),
            is_given_up: false,
        };
        is_flag(&Run { units: units.iter().map(unit).collect(), ..Run::default() }, 1)
    }

    #[test]
    fn a_flag_is_acquired_and_released_by_its_holder() {
        assert!(is_one(&[&[call("compareAndSet", Effect::Read), taken(), freed()], &[taken(), freed()]]));
        assert!(!is_one(&[&[call("compareAndSet", Effect::Read)]]), "nobody takes it");
    }

    #[test]
    fn an_atomic_that_others_read_or_set_is_no_flag() {
        assert!(!is_one(&[&[taken(), freed()], &[call("get", Effect::Read)]]));
        assert!(!is_one(&[&[taken(), freed()], &[call("set", Effect::Write)]]));
        assert!(!is_one(&[&[taken(), freed(), call("set", Effect::Write)]]));
        assert!(!is_one(&[&[taken()], &[call("incrementAndGet", Effect::Write)]]));
    }
}
