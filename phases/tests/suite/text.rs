//! Reading and printing are inverse.

use phases::{Automaton, TextError, parse, patterns};
use proptest::prelude::*;

fn action(threads: usize, locations: usize, locks: usize, any: bool) -> impl Strategy<Value = String> {
    let thread =
        (0..threads + usize::from(any)).prop_map(move |t| if t == threads { "*".into() } else { format!("T{t}") });
    let verb = prop_oneof![Just("read"), Just("write"), Just("atomic read"), Just("atomic write")];
    let access = (verb, 0..locations.max(1)).prop_map(|(verb, at)| format!("{verb} x{at}"));
    let bare = prop_oneof![Just("begin".to_string()), Just("end".to_string())];
    let every = Just("*".to_string());
    let mode = || prop_oneof![Just(""), Just("read "), Just("write ")];
    let lock = move || (mode(), 0..locks.max(1)).prop_map(|(mode, lock)| format!("{mode}l{lock}"));
    let wants = (lock(), prop::option::of(lock())).prop_map(|(wanted, held)| {
        let held = held.map_or_else(String::new, |held| format!(" holding {held}"));
        format!("wants {wanted}{held}")
    });
    let mut what = vec![bare.boxed()];
    if locations > 0 {
        what.push(access.boxed());
    }
    if locks > 0 {
        what.push(wants.boxed());
    }
    if any {
        what.extend([every.boxed(), Just("step".to_string()).boxed()]);
    }
    let what = prop::strategy::Union::new(what);
    (thread, what).prop_map(|(thread, what)| format!("{thread} {what}"))
}

/// Texts of automata in which every thread acts at least once.
pub fn text() -> impl Strategy<Value = String> {
    (1_usize..4, 0_usize..3, 0_usize..3).prop_flat_map(|(threads, locations, locks)| {
        let forbidden = prop::collection::vec(action(threads, locations, locks, true), 0..3);
        let phase = (forbidden, action(threads, locations, locks, false));
        prop::collection::vec(phase, 1..6).prop_map(move |mut phases| {
            phases.extend((0..threads).map(|thread| (vec![], format!("T{thread} begin"))));
            let names = |prefix: &str, count| (0..count).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>().join(",");
            let states = phases.iter().enumerate().map(|(place, (forbidden, event))| {
                let forbid =
                    if forbidden.is_empty() { String::new() } else { format!("forbid {};", forbidden.join(",")) };
                format!("q{place}:{forbid}on {event}->q{};/* {place} */", place + 1)
            });
            let states: String = states.collect();
            let [threads, locations, locks] = [names("T", threads), names("x", locations), names("l", locks)];
            format!("automaton r.1({threads};{locations};{locks}){{{states}}}")
        })
    })
}

proptest! {
    #[test]
    fn printed_automata_are_read_back(text in text()) {
        let automaton: Automaton = text.parse().expect("well-formed");
        let printed = automaton.to_string();
        prop_assert_eq!(printed.parse(), Ok(automaton));
        prop_assert_eq!(printed.parse::<Automaton>().unwrap().to_string(), printed);
    }

    #[test]
    fn no_text_panics(text in "[automaton readT1(){};:,>*/ -]{0,60}") {
        let _: Result<_, TextError> = parse(&text);
    }
}

#[test]
fn the_embedded_text_is_canonical() {
    let printed: Vec<_> = parse(patterns::TEXT).unwrap().iter().map(Automaton::to_string).collect();
    let code: Vec<_> = patterns::TEXT.lines().filter(|line| !line.starts_with("//") && !line.is_empty()).collect();
    assert_eq!(printed.concat().lines().collect::<Vec<_>>(), code);
}
