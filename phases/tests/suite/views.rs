//! The view of an automaton by one thread.

use phases::{Access, Action, ActionKind, Automaton, ForbiddenAction, LocationParameter, ThreadParameter, Turn, View};

const TEXT: &str = "automaton seen(T1, T2; a) {
    q1: forbid * write a, T2 end, T2 end; on T1 begin -> q2;
    q2: forbid T1 *, T2 atomic read a; on T2 write a -> q3;
}";

fn access(access: Access, in_unit: bool) -> Action {
    ActionKind::Access { access, location: LocationParameter::new(0), in_unit }
}

/// Per phase, the forbidden actions and the acting thread.
fn seen(thread: Option<usize>) -> Vec<(Vec<ForbiddenAction>, Turn)> {
    let automaton: Automaton = TEXT.parse().expect("it is an automaton");
    let View(phases) = automaton.view(thread.map(ThreadParameter::new));
    phases.into_iter().map(|phase| (phase.forbidden, phase.turn)).collect()
}

#[test]
fn a_thread_sees_its_own_actions_and_what_is_forbidden_to_all() {
    use ForbiddenAction::{Every, One};
    let write = One(access(Access::Write, false));
    let expected = vec![(vec![write], Turn::Own(Action::Begin)), (vec![Every], Turn::Tick)];
    assert_eq!(seen(Some(0)), expected);
    let first = vec![write, One(Action::End)];
    let second = vec![One(access(Access::Read, true))];
    assert_eq!(seen(Some(1)), [(first, Turn::Tick), (second, Turn::Own(access(Access::Write, false)))]);
}

#[test]
fn a_thread_without_a_part_sees_what_is_forbidden_to_all() {
    let write = ForbiddenAction::One(access(Access::Write, false));
    assert_eq!(seen(None), [(vec![write], Turn::Tick), (vec![], Turn::Tick)]);
}
