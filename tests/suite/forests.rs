//! The participants of scenarios, against all ways in which two threads can be started.
//!
//! The models consist of *rules*: a process chooses one of its rules, acquires the lock of the rule, starts other
//! processes, and either releases the lock or keeps it for ever. So the order of the steps matters only for the owners
//! of kept locks, and all forests can be tried without interleaving: at most two instances lead to the threads and have
//! not applied their rule, one for both threads or one for each.

use crate::suite::starts::load;
use asercheck::phases::UnitMode;
use asercheck::query::{Property, Selection};
use asercheck::{Engine, Limits, Options, Verdict};
use fastrand::Rng;
use generate::seeds;
use std::collections::HashSet;
use std::fmt::Write;
use std::time::Duration;

/// The number of a process; the last two are those of the query.
type Process = usize;

#[derive(Clone)]
struct Rule {
    lock: Option<usize>,
    is_kept: bool,
    started: Vec<Process>,
}

/// The parts of a model.
struct Family {
    /// The rules of each process except the last two.
    creators: Vec<Vec<Rule>>,
    /// The number of instances of a process that run from the start, if no process starts it.
    instances: Vec<usize>,
    /// The locks around the whole bodies of the reader and the writer.
    locks: [Option<usize>; 2],
    /// The processes that the reader starts between its accesses.
    between: Option<Process>,
}

impl Family {
    fn random(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let creators = rng.usize(2..=5);
        let locks = rng.usize(2..=4);
        let mut lock = |rng: &mut Rng, of_256: u8| (rng.u8(..) < of_256).then(|| rng.usize(..locks));
        let process = |rng: &mut Rng| if rng.u8(..) < 200 { rng.usize(1..creators + 2) } else { rng.usize(..creators) };
        let rule = |rng: &mut Rng, lock: &mut dyn FnMut(&mut Rng, u8) -> Option<usize>| {
            let count = if rng.u8(..) < 170 { 1 } else { 2 };
            let started = (0..count).map(|_| process(rng)).collect();
            Rule { lock: lock(rng, 220), is_kept: rng.u8(..) < 190, started }
        };
        let rules: Vec<Vec<Rule>> =
            (0..creators).map(|_| (0..rng.usize(1..=3)).map(|_| rule(&mut rng, &mut lock)).collect()).collect();
        let instances = (0..creators + 2).map(|_| if rng.u8(..) < 40 { 2 } else { 1 }).collect();
        let locks = [lock(&mut rng, 60), lock(&mut rng, 60)];
        let between = (rng.u8(..) < 90).then(|| process(&mut rng));
        Self { creators: rules, instances, locks, between }
    }

    fn reader(&self) -> Process {
        self.creators.len()
    }

    fn writer(&self) -> Process {
        self.creators.len() + 1
    }

    /// Returns the processes that run from the start.
    fn initial(&self) -> Vec<Process> {
        let rules = self.creators.iter().flatten();
        let started: HashSet<_> = rules.flat_map(|rule| &rule.started).chain(&self.between).copied().collect();
        (0..=self.writer()).filter(|process| !started.contains(process)).collect()
    }

    fn text(&self) -> String {
        let mut text = "lock l0, l1, l2, l3; shared x;\n".to_string();
        let initial = self.initial();
        let around = |lock: Option<usize>, body: String| match lock {
            Some(lock) => format!("sync l{lock} {{ {body} }}"),
            None => body,
        };
        let mut labels = 0;
        for process in 0..=self.writer() {
            let body = if process == self.reader() {
                let between = self.between.map(|process| format!("start P{process};")).unwrap_or_default();
                around(self.locks[0], format!("atomic {{ read x; {between} write x; }}"))
            } else if process == self.writer() {
                around(self.locks[1], "write x;".to_string())
            } else {
                let rules = self.creators[process].iter().map(|rule| {
                    let mut body: String = rule.started.iter().map(|process| format!("start P{process}; ")).collect();
                    if rule.is_kept {
                        labels += 1;
                        let _ = write!(body, "L{labels}: goto L{labels};");
                    }
                    format!("{{ {} }}", around(rule.lock, body))
                });
                let rules: Vec<_> = rules.collect();
                format!("choose {} or {{ }}", rules.join(" or "))
            };
            let count = if initial.contains(&process) && self.instances[process] == 2 { "* 2 " } else { "" };
            let _ = writeln!(text, "process P{process} {count}{{ {body} }}");
        }
        text
    }

    /// Returns the rules of a process that is bound to no thread.
    fn rules(&self, process: Process) -> Vec<Rule> {
        if process == self.reader() {
            let rule = |started| Rule { lock: self.locks[0], is_kept: false, started: vec![started] };
            return self.between.map(rule).into_iter().collect();
        }
        self.creators.get(process).cloned().unwrap_or_default()
    }

    /// Whether the writer can write between the accesses of the reader.
    fn is_violated(&self) -> bool {
        let initial = self.initial();
        let mut waiting: Vec<State> = Vec::new();
        for one in &initial {
            waiting.push(State { left: Left::Both(*one), kept: 0 });
            let others = initial.iter().filter(|other| *other != one || self.instances[*one] == 2);
            waiting.extend(others.map(|other| State { left: Left::Each(Some(*one), *other), kept: 0 }));
        }
        let mut seen = HashSet::new();
        while let Some(state) = waiting.pop() {
            if self.is_accepted(&state) {
                return true;
            }
            if seen.insert(state.clone()) {
                self.follow(&state, &mut waiting);
            }
        }
        false
    }

    fn is_accepted(&self, state: &State) -> bool {
        let [of_reader, of_writer] = self.locks;
        match state.left {
            Left::Each(Some(reader), writer) if reader == self.reader() && writer == self.writer() => {
                let excluded = of_reader.is_some() && of_reader == of_writer;
                state.is_free(of_reader) && state.is_free(of_writer) && !excluded
            }
            Left::Each(None, writer) => writer == self.writer() && state.is_free(of_writer),
            Left::Each(..) | Left::Both(_) => false,
        }
    }

    /// Adds all states after one rule.
    fn follow(&self, state: &State, next: &mut Vec<State>) {
        let possible = |process| self.rules(process).into_iter().filter(|rule| state.is_free(rule.lock));
        let after = |rule: &Rule| if rule.is_kept { state.kept | bit(rule.lock) } else { state.kept };
        match state.left {
            Left::Both(process) => {
                for rule in possible(process) {
                    let kept = after(&rule);
                    for (place, one) in rule.started.iter().enumerate() {
                        next.push(State { left: Left::Both(*one), kept });
                        let others = rule.started.iter().enumerate().filter(|(other, _)| *other != place);
                        next.extend(others.map(|(_, other)| State { left: Left::Each(Some(*one), *other), kept }));
                    }
                }
                // The reader itself leads to the writer, and keeps its lock meanwhile.
                if let Some(started) = self.between.filter(|_| process == self.reader() && state.is_free(self.locks[0]))
                {
                    next.push(State { left: Left::Each(None, started), kept: state.kept | bit(self.locks[0]) });
                }
            }
            Left::Each(reader, writer) => {
                for rule in possible(writer) {
                    let kept = after(&rule);
                    next.extend(rule.started.iter().map(|one| State { left: Left::Each(reader, *one), kept }));
                }
                for rule in reader.into_iter().flat_map(possible) {
                    let kept = after(&rule);
                    next.extend(rule.started.iter().map(|one| State { left: Left::Each(Some(*one), writer), kept }));
                }
            }
        }
    }
}

/// The instances that lead to the threads and have not applied their rule.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Left {
    /// One that leads to both threads.
    Both(Process),
    /// One that leads to the reader or is the reader, and one for the writer; `None` if the reader is between its
    /// accesses.
    Each(Option<Process>, Process),
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    left: Left,
    /// The kept locks, one bit for each.
    kept: u32,
}

impl State {
    fn is_free(&self, lock: Option<usize>) -> bool {
        self.kept & bit(lock) == 0
    }
}

fn bit(lock: Option<usize>) -> u32 {
    lock.map_or(0, |lock| 1 << lock)
}

#[test]
fn participants_suffice() {
    let engines = [Engine::Symbolic, Engine::KahlonGupta, Engine::Cpds];
    let (mut violated, mut safe, mut open) = (0, 0, 0);
    for seed in seeds::taken(8_000_000..8_000_600) {
        let family = Family::random(seed);
        let text = family.text();
        let model = load(&text);
        let names = [family.reader(), family.writer()].map(|process| format!("P{process}"));
        let expected = family.is_violated();
        let selection = Selection { processes: Some(names.to_vec()), ..Selection::default() };
        let Ok(queries) = selection.queries(&model, &Property::all_patterns(UnitMode::Both)[..1]) else {
            // There is no instance of one of them.
            assert!(!expected, "seed {seed}\n{text}");
            continue;
        };
        let query = &queries[0];
        let second = (seed % 8 == 0).then_some(engines[seed as usize / 8 % 3]);
        for engine in [Some(Engine::Explicit), second].into_iter().flatten() {
            let limits = Limits::default().with_timeout(Duration::from_secs(1));
            let options = Options::default().with_engine(engine).with_limits(limits);
            match asercheck::check(&model, query, &options).expect("no fault").verdict {
                Verdict::Violation(_) => assert!(expected, "{engine} seed {seed}\n{text}"),
                Verdict::Safe => assert!(!expected, "{engine} seed {seed}\n{text}"),
                Verdict::Unknown(_) => open += 1,
            }
        }
        *(if expected { &mut violated } else { &mut safe }) += 1;
    }
    println!("{violated} violated, {safe} safe, {open} not decided");
    assert!(
        violated > seeds::least(60) && safe > seeds::least(60) && open < 60,
        "{violated} violated, {safe} safe, {open} not decided"
    );
}
