//! Certificates written by hand: for each condition one that is accepted, and changes of it that are refused.

use verify::{Source, digest, verify};

/// A certificate with its last line.
fn sealed(lines: &[String]) -> String {
    let before: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let queries = before.lines().filter(|line| line.starts_with("query")).count();
    format!("{before}end {queries} {}\n", digest(&before))
}

const MODEL: &str = "lock l;
shared x;
process P { sync l { write x; } }
process Q { sync l { read x; } }
";

const HEAD: &str = "certificate 3 both";
const RACE: &str = "query race,P Q,x,
refuted 0 1
clause 1 2,1 0,2 0
choice 1 1 0
absent 2";

/// A block: its kind, body, context, unit and phase; for each instruction its set; the ends. A segment is written as
/// its pieces, a letter each.
type Block<'t> = (&'t str, &'t [&'t str], &'t str);

/// The text of an invariant whose pieces have these letters. Only those that are used are written.
fn invariant(locks: &str, letters: &[(char, &str)], blocks: &[Block<'_>]) -> String {
    let (mut pieces, mut segments, mut sets): (Vec<char>, Vec<&str>, Vec<Vec<usize>>) = Default::default();
    let mut texts = String::new();
    for (head, at, ends) in blocks {
        let mut numbers = Vec::new();
        for set in at.iter().chain([ends]) {
            let mut set: Vec<usize> = set.split_whitespace().map(|segment| position(&mut segments, segment)).collect();
            set.sort_unstable();
            numbers.push(position(&mut sets, set));
        }
        let ends = numbers.pop().expect("the ends");
        texts += &format!("\n{head} {ends},{}", list(&numbers));
    }
    let mut numbers = Vec::new();
    for segment in &segments {
        numbers.push(segment.chars().map(|letter| position(&mut pieces, letter)).collect::<Vec<usize>>());
    }
    let text = |letter: &char| letters.iter().find(|(known, _)| known == letter).expect("a letter").1;
    let pieces: String = pieces.iter().map(|letter| format!("\npiece {}", text(letter))).collect();
    let lists = |lists: &[Vec<usize>]| lists.iter().map(|numbers| list(numbers)).collect::<Vec<_>>().join(",");
    format!("invariant {locks}{pieces}\nsegments {}\nsets {}{texts}", lists(&numbers), lists(&sets))
}

fn list(numbers: &[usize]) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")
}

/// The place of an entry in a list, which gets it if it is new.
fn position<T: PartialEq>(list: &mut Vec<T>, entry: T) -> usize {
    list.iter().position(|other| *other == entry).unwrap_or_else(|| {
        list.push(entry);
        list.len() - 1
    })
}

/// Pieces about one lock: empty, used, used and held, held throughout, the same at its end.
const LETTERS: &[(char, &str)] =
    &[('e', ",,,,"), ('u', ",0,,,"), ('d', ",0,,,0"), ('t', "0,,,,"), ('h', "0,,,,0"), ('H', ",,,,0")];

/// What P and Q do in the race: want, acquire, access, release, return.
const P: Block<'static> = ("process P,,0 1", &["e", "e", "u", "u dt", "u"], "dh");
const Q: Block<'static> = ("process Q,,0 1", &["e ee", "e ee", "u dt eu", "u dt eu", "u ue eu de"], "dh ed");

fn race_of(p: Block<'_>, q: Block<'_>) -> Vec<String> {
    let invariant = |block| invariant("l", LETTERS, &[block]);
    vec![HEAD.into(), invariant(p), invariant(q), RACE.into()]
}

fn race() -> Vec<String> {
    race_of(P, Q)
}

/// The answer to the race with another set of an instruction of P (false) or Q (true), or with other ends (5).
fn with_set(of_q: bool, at: usize, set: &str) -> String {
    let (head, sets, ends) = if of_q { Q } else { P };
    let mut sets: Vec<&str> = sets.iter().copied().chain([ends]).collect();
    sets[at] = set;
    let block = (head, &sets[..5], sets[5]);
    answer(MODEL, &if of_q { race_of(P, block) } else { race_of(block, Q) })
}

/// The answer to the only query: `accepted`, or the refusal; or the error.
fn answer(model: &str, lines: &[String]) -> String {
    answer_about(model, lines, &[])
}

/// The same with automata from texts.
fn answer_about(model: &str, lines: &[String], automata: &[&str]) -> String {
    match verify(model, &sealed(lines), automata) {
        Ok(answers) => {
            answers.iter().map(|one| one.to_string().split_once(": ").expect("an answer").1.to_string()).collect()
        }
        Err(error) => format!("{:?} {}: {}", error.source, error.place, error.message),
    }
}

/// The answer to the race after a change of one entry: the head, the invariants of P and Q, the query.
fn changed(entry: usize, from: &str, to: &str) -> String {
    let mut lines = race();
    assert!(lines[entry].contains(from), "{from}");
    lines[entry] = lines[entry].replacen(from, to, 1);
    answer(MODEL, &lines)
}

#[track_caller]
fn refused(answer: &str, condition: &str) {
    assert!(answer.contains(&format!("{condition}: ")), "{condition} expected: {answer}");
}

#[test]
fn the_race_is_accepted() {
    assert_eq!(answer(MODEL, &race()), "accepted");
}

#[test]
fn initial_segments_are_required() {
    refused(&with_set(false, 0, ""), "N1");
    refused(&with_set(false, 0, "t"), "N1");
    refused(&answer(MODEL, &race_of(("process P,,0 2", &["e", "", "", "", ""], "e"), Q)), "N2");
    refused(&changed(1, "P,,0 1", "P,,1 1"), "N2");
    refused(&changed(1, "P,,0 1", "P,0,0 1"), "N2");
}

#[test]
fn steps_are_required() {
    for (at, set) in [(1, "ee"), (2, "dt eu"), (2, "u dt"), (3, "u eu"), (4, "ue eu de"), (4, "u ue de")] {
        refused(&with_set(true, at, set), "N3");
    }
    // `ue` covers `de`.
    assert_eq!(with_set(true, 4, "u ue eu"), "accepted");
    refused(&with_set(false, 2, "e"), "N3");
    // The step of the release is forbidden in phase 2: there is nothing that leads to `de`, and it needs an end.
    refused(&with_set(false, 4, "u de"), "N4");
}

#[test]
fn ticks_are_required() {
    refused(&with_set(true, 0, "e"), "N4");
    refused(&with_set(true, 4, "u eu de"), "N4");
    refused(&with_set(false, 5, ""), "N4");
    // More statements than are true.
    refused(&with_set(true, 4, "u de eu uu"), "N4");
}

#[test]
fn events_are_required() {
    refused(&with_set(false, 3, "u"), "N5");
    refused(&with_set(true, 5, "dh"), "N5");
    refused(&with_set(true, 5, "ed"), "N5");
    refused(&with_set(true, 5, ""), "N5");
}

/// All paths of Q need the lock that P holds. In f, the set of the ends is that of the return, too: a path may end in
/// the call or go on after it, and each is required.
#[test]
fn a_call_may_return_where_a_path_ends() {
    let model = "lock l; shared x; fn f() { sync l { } read x; }
        process P { sync l { write x; } } process Q { call f; read x; }";
    let automaton = "automaton a(T1, T2; x) { q0: forbid T2 step; on T1 write x -> q1;
        q1: forbid T1 step; on T2 read x -> q2; }";
    let f: Block<'_> = ("function f,,0 2", &["e", "e", "u", "u", "u"], "u");
    let query = "query a,P Q,x,\nrefuted 0 1\nclause 2 2,1 0,2 0\nchoice 1 1 0";
    let certificate = |sets: &[&str], ends| {
        let q = invariant("l", LETTERS, &[("process Q,,0 1", sets, ends), f]);
        answer_about(model, &[HEAD.into(), invariant("l", LETTERS, &[P]), q, query.into()], &[automaton])
    };
    assert_eq!(certificate(&["e ee", "eu", "eu"], "eu"), "accepted");
    refused(&certificate(&["e ee", "", ""], "eu"), "N6");
    refused(&certificate(&["e ee", "eu", "eu"], ""), "N6");
}

/// Each acquisition is wanted once, so nobody wants the lock in both phases; and nobody gets past a want that is
/// forbidden.
#[test]
fn a_want_is_an_instruction() {
    let answer = |model: &str, automaton: &str, locks, sets: &[&str]| {
        let p = invariant(locks, LETTERS, &[("process P,,0 1", sets, "")]);
        answer_about(model, &[HEAD.into(), p, "query a,P,,l\nrefuted 0".into()], &[automaton])
    };
    let twice = "automaton a(T;; l) { q0: on T wants l -> q1; q1: on T wants l -> q2; }";
    let once = "lock l; process P { acquire l; release l; }";
    let sets = ["e", "e ee", "u eu", "u eu"];
    assert_eq!(answer(once, twice, "l", &sets), "accepted");
    refused(&answer(once, twice, "l", &["e", "e", "u", "u"]), "N5");
    let again = "lock l; process P { acquire l; acquire l; release l; release l; }";
    let sets = ["e", "e ee", "u eu", "u eu", "u eu", "u eu", "u eu"];
    assert_eq!(answer(again, twice, "l", &sets), "accepted");
    let back = "lock l; process P { acquire l; wait l; release l; }";
    refused(&answer(back, twice, "l", &["e", "e ee", "u eu", "u eu", "u eu", "u eu", "u eu"]), "N5");
    let forbidden = "automaton a(T;; l) { q0: forbid T wants l; on T end -> q1; }";
    let unit = "lock l; process P { acquire l; release l; begin; end; }";
    let none = ["e", "", "", "", "", ""];
    assert_eq!(answer(unit, forbidden, "l", &none), "accepted");
    refused(&answer(unit, forbidden, "", &none), "N5");
    refused(&answer(unit, &forbidden.replace("wants l", "wants read l"), "l", &none), "N3");
}

/// A silent body may have a block. It shows that the call never returns.
#[test]
fn a_silent_call_may_have_a_block() {
    let automaton = "automaton a(T; x) { q0: on T write x -> q1; }";
    let answer = |body: &str, blocks: &[Block<'_>]| {
        let model = format!("shared x; fn f() {{ {body} }} process P {{ call f; write x; }}");
        let lines = [HEAD.into(), invariant("", LETTERS, blocks), "query a,P,x,\nrefuted 0".into()];
        answer_about(&model, &lines, &[automaton])
    };
    let p: Block<'_> = ("process P,,0 1", &["e", "", ""], "");
    let f: Block<'_> = ("function f,,0 1", &["e", ""], "");
    assert_eq!(answer("call f;", &[p, f]), "accepted");
    refused(&answer("call f;", &[p]), "N3");
    refused(&answer("skip;", &[p, f]), "N3");
    refused(&answer("skip;", &[p, ("function f,,0 1", &["e", "e"], "")]), "N6");
    refused(&answer("call f;", &[p, ("function f,,0 2", &["e", ""], "")]), "F3");
}

#[test]
fn nothing_else_is_there() {
    refused(&with_set(false, 4, "u t"), "F3");
    refused(&with_set(false, 4, "u d"), "F3");
    refused(&with_set(true, 5, "dh ed ee"), "R");
    refused(&with_set(false, 5, "dh dhe"), "F3");
    refused(&with_set(false, 0, "e eee"), "F3");
}

#[test]
fn through_of_exact_pieces_is_equal() {
    // The last open piece without its `through`; the closed one may be weaker.
    refused(&with_set(false, 3, "u de"), "N5");
    let weak = race_of((P.0, P.1, "dH"), Q);
    assert_eq!(answer(MODEL, &weak), "accepted");
}

/// The end of the `sync` block releases write mode, and read mode stays: both processes can write.
#[test]
fn locks_that_overlap_are_downgraded() {
    let q = r#"process Q { sync read r { write x; } }"#;
    let letters = &[
        ('e', ",,,,"),
        ('u', ",0,,,"),
        ('d', ",0,,,0"),
        ('t', "0,,,,"),
        ('h', "0,,,,0"),
        ('U', ",1,,,"),
        ('D', ",1,,,1"),
        ('T', "1,,,,"),
        ('H', "1,,,,1"),
    ];
    let invariants = |sets| {
        vec![
            HEAD.into(),
            invariant("r", letters, &[(P.0, sets, "dh")]),
            invariant("r", letters, &[(Q.0, &["e ee", "e ee", "U DT eU", "U DT eU", "U Ue eU"], "DH eD")]),
            "query race,P Q,x,\nabsent 2\nrefuted 0 1\nclause 1 2,1 0,2 1\nchoice 1 1 0".into(),
        ]
    };
    let nested = format!("rwlock r; shared x; process P {{ sync write r {{ sync write r {{ }} write x; }} }} {q}");
    let lines = invariants(&["e", "e", "u", "u", "u", "u", "u dt", "u"]);
    assert_eq!(answer(&nested, &lines), "accepted");
    let overlap = "rwlock r; overlap r; shared x; process P { sync write r { acquire read r; } write x; release r; }";
    refused(&answer(&format!("{overlap} {q}"), &lines), "N5");
}

#[test]
fn clauses_have_their_facts() {
    refused(&changed(3, "1 0,2 0", "1 0,1 0"), "R1");
    refused(&changed(3, "1 0,2 0", "1 0"), "R1");
    refused(&changed(3, "1 0,2 0", "1 0,2 0,1 0"), "R1");
    refused(&changed(3, "1 0,2 0", "1 0 0,2 0 0"), "R1");
    refused(&changed(3, "1 0,2 0", "1 0,2 2"), "F1");
    refused(&changed(3, "1 0,2 0", "1 0,3 0"), "F1");
    refused(&changed(3, "1 0,2 0", "1 1,2 0"), "R");
    refused(&changed(3, "clause 1 2", "clause 1 3"), "R");
    refused(&changed(3, "clause 1 2", "clause 5 2"), "F1");
    refused(&changed(3, "clause 1 2", "clause 0 2"), "F1");
    refused(&changed(3, "clause 1 2", "clause 1 0"), "F1");
    // One end of Q has used the lock in phase 2, the other one has held it throughout.
    refused(&changed(3, "clause 1 2", "clause 2 2"), "R");
    let both = "clause 2 2,1 0,2 0\nclause 1 1,1 0,2 0\nchoice 2 1 1\nchoice 2 1 0";
    let one = "clause 1 2,1 0,2 0\nchoice 1 1 0";
    assert_eq!(changed(3, one, both), "accepted", "R2");
    refused(&changed(3, one, &both.replace("1 1\nchoice 2 1 0", "1 0\nchoice 2 1 1")), "R");
    refused(&changed(3, one, &both.replace("2 2,1 0,2 0", "2 2,1 0,1 0")), "R2");
    refused(&changed(3, one, &both.replace("2 2,1 0,2 0", "2 2,1 1,2 1")), "R2");
}

/// P and Q hold locks, but not the same one: a claim without R1 would be accepted.
#[test]
fn different_locks_exclude_nothing() {
    let model = MODEL.replace("lock l", "lock l, m").replace("sync l { read", "sync m { read");
    let letters: &[(char, &str)] = &[('e', ",,,,"), ('u', ",2,,,"), ('d', ",2,,,2"), ('t', "2,,,,"), ('h', "2,,,,2")];
    let query = RACE.replace("1 0,2 0", "1 0,2 2");
    let lines = [HEAD.into(), invariant("l m", LETTERS, &[P]), invariant("l m", letters, &[Q]), query];
    refused(&answer(&model, &lines), "R1");
}

#[test]
fn all_choices_are_refuted() {
    for choices in ["choice 1 2 0", "choice 1 1 0\nchoice 1 1 0", "choice 1 2147483647 0", "choice 2 1 0"] {
        refused(&changed(3, "choice 1 1 0", choices), "R");
    }
    // The same clause for both ends of Q: they belong together.
    refused(&changed(3, "choice 1 1 0", "choice 2 2 0"), "F2");
    refused(&changed(3, "choice 1 1 0", "choice 2 1 0\nchoice 2 1 0"), "F2");
    refused(&changed(3, "choice 1 1 0", "choice 1 0 0"), "F2");
    refused(&changed(3, "\nchoice 1 1 0", ""), "F2");
    refused(&changed(3, "choice 1 1 0", "choice 3 1 0"), "F1");
    refused(&changed(3, "choice 1 1 0", "choice 1 1 1"), "F1");
    refused(&changed(3, "\nclause 1 2,1 0,2 0\nchoice 1 1 0", ""), "R");
    let all = "clause 1 2,1 0,2 0\nclause 1 1,1 0,2 0\nchoice 2 1 0\nchoice 1 1 1";
    refused(&changed(3, "clause 1 2,1 0,2 0\nchoice 1 1 0", all), "R");
}

#[test]
fn absent_events_are_absent() {
    refused(&changed(3, "absent 2", "absent 1"), "A");
    refused(&changed(3, "absent 2", "absent 3"), "A");
    refused(&changed(3, "absent 2", "absent 0"), "F1");
    refused(&answer(&MODEL.replace("read x;", "read x; write x;"), &race()), "F1");
    let calls =
        MODEL.replace("{ read x; }", "{ read x; } return; call f;") + "fn f() { call g; } fn g() { call f; write x; }";
    let lines = [HEAD.into(), "query race,Q P,x,\nabsent 1\nabsent 1".into()];
    refused(&answer(&calls, &lines), "A");
    assert_eq!(answer(MODEL, &lines), "accepted");
}

#[test]
fn starts_have_all_their_cases() {
    let model = "shared x; process Main { write x; start W; } process W { read x; }";
    let query = |cases: &str| [HEAD.into(), format!("query race,Main W,x,\n{cases}")];
    refused(&answer(model, &query("start 2\nabsent 3\nabsent 2")), "A");
    refused(&answer(&format!("{model} process Other {{ start W; }}"), &query("start 2\nabsent 3\nabsent 2")), "S");
    // The second way to start W has no case, or there is none at all.
    refused(&answer(model, &query("start 2")), "S");
    refused(&answer(model, &query("absent 2")), "A");
    refused(&answer(MODEL, &[HEAD.into(), "query race,Q P,x,\nabsent 1".into()]), "S");
    refused(&answer(MODEL, &[HEAD.into(), "query race,Q P,x,\nabsent 1\nabsent 1\nabsent 1".into()]), "F1");
    refused(&answer(model, &query("start 1\nabsent 2")), "S");
    refused(&answer(model, &query("start 3\nabsent 2")), "S");
    // Once started, W is not started again.
    refused(&answer(model, &query("start 2\nstart 2\nabsent 1")), "S");
    // Nothing starts W but itself.
    let none = query("start 2\nabsent 2");
    assert_eq!(answer("shared x; process Main { write x; } process W { read x; start W; }", &none), "accepted");
    refused(&answer("shared x; process Main { write x; start W; } process W { read x; start W; }", &none), "S");
}

/// Main starts W after its own access, so they do not race; if another process starts W as well, they do.
#[test]
fn each_starter_has_a_case() {
    let model = "shared x; process Main { write x; start W; } process W { read x; }";
    let lines = [
        HEAD.into(),
        invariant("", LETTERS, &[("process Main,,0 1", &["e", "e", "e ee"], "")]),
        invariant("", LETTERS, &[("process W,,0 2", &["e ee", "e ee"], "ee")]),
        "query race,Main W,x,\nstart 2\nrefuted 0 1\nabsent 2".into(),
    ];
    assert_eq!(answer(model, &lines), "accepted");
    refused(&answer(&format!("{model} process Other {{ start W; }}"), &lines), "S");
    refused(&answer(&format!("{model} process Other {{ call f; }} fn f() {{ start W; }}"), &lines), "S");
    refused(&answer(&model.replace("write x; start W;", "start W; write x;"), &lines), "N5");
}

#[test]
fn lines_are_those_of_the_page() {
    refused(&changed(0, "3 both", "2 both"), "F1");
    refused(&changed(0, "3 both", "3 none"), "F1");
    refused(&changed(1, "invariant l", "invariant m"), "F1");
    refused(&changed(1, "invariant l", "invariant l l"), "F2");
    refused(&changed(1, "0 1 3,", "0 1 4,"), "F1");
    refused(&changed(1, "0 1 3,", "0 1,"), "F1");
    refused(&changed(1, "0 1 3,", "0 1 3,,"), "F1");
    refused(&changed(1, "0 1 3,", "2 1 3,"), "F1");
    refused(&changed(1, "0 1 3,", "0 0 3,"), "F1");
    refused(&changed(1, "process P", "process R"), "F1");
    refused(&changed(1, "process P", "function P"), "F1");
    refused(&changed(1, ",1 2,", ",2 1,"), "F2");
    refused(&changed(1, ",1 2,", ",1 2,1 2,"), "F2");
    refused(&changed(1, "piece ,0,,,", "piece ,0 0,,,"), "F2");
    refused(&changed(1, "piece ,0,,,", "piece ,0,0,,"), "F1");
    refused(&changed(1, "piece ,0,,,", "piece ,0,,"), "F1");
    refused(&changed(1, "piece ,0,,,", "piece ,2,,,"), "F1");
    refused(&changed(1, "piece ,0,,,", "piece ,0,,,\npiece ,0,,,"), "F2");
    refused(&changed(1, "piece ,0,,,", "piece ,0,,,\npiece ,0,,,0"), "F2");
    refused(&changed(1, "segments 0", "segments 0,"), "F1");
    refused(&changed(1, "segments 0", "segments 0 0,0"), "F2");
    refused(&changed(1, "sets 0", "sets 0,0 1"), "F2");
    refused(&changed(1, "0 1 2 1", "0 1 2"), "F1");
    refused(&changed(1, "segments", "Segments"), "F1");
    refused(&changed(3, "Q,x,", "Q,y,"), "F1");
    refused(&changed(3, "race", "deadlock2"), "F1");
    refused(&changed(3, "race", "15"), "F1");
    refused(&changed(3, "race", "01"), "F1");
    refused(&changed(3, "P Q,", "P Q Q,"), "F1");
    refused(&changed(3, "refuted 0 1", "refuted 0 2"), "F1");
    refused(&changed(3, "refuted 0 1", "refuted 0"), "F1");
    let lines = race();
    let block = lines[1].lines().last().expect("a block").to_string();
    refused(&changed(1, &block, &format!("{block}\n{block}")), "F2");
    refused(&changed(1, &block, &format!("{block}\n{}", block.replace("P,,0 1", "P,,1 1"))), "F2");
    refused(&answer(MODEL, &[&lines[..2], &lines[1..]].concat()), "F2");
}

#[test]
fn a_query_stands_once() {
    let mut lines = race();
    lines.push(RACE.into());
    refused(&answer(MODEL, &lines), "F2");
}

/// Nothing makes the checker panic.
#[test]
fn unreadable_texts_have_a_place() {
    let text = sealed(&race());
    let at = |model: &str, certificate: &str, automata: &[&str]| match verify(model, certificate, automata) {
        Ok(answers) => format!("{answers:?}"),
        Err(error) => format!("{:?} {}", error.source, error.place),
    };
    assert_eq!(at(MODEL, "", &[]), "Certificate 1:1");
    assert_eq!(at("lock l", &text, &[]), "Model 1:7");
    assert_eq!(at("process P { read x; }", &text, &[]), "Model 1:18");
    let last = text.lines().count();
    assert_eq!(at(MODEL, &text.replace("race", "rice"), &[]), format!("Certificate {last}:1"));
    assert_eq!(at(MODEL, &text.replace("absent 2", "absent two"), &[]), format!("Certificate {}:1", last - 1));
    assert_eq!(at(MODEL, &text, &["automaton a(T) {}"]), "Automata(0) 1:11");
    let long = "0".repeat(1_000_000);
    assert_eq!(
        at(MODEL, &text.replace("absent 2", &format!("absent {long}")), &[]),
        format!("Certificate {}:1", last - 1)
    );
    assert!(at(&format!("shared {long}a;"), &text, &[]).starts_with("Model 1:8"));
    for (open, close) in [("loop {", "}"), ("choose {", "} or {}"), ("atomic {", "}")] {
        let model = format!("{MODEL} fn f() {{ {} {} }}", open.repeat(100_000), close.repeat(100_000));
        assert!(at(&model, &text, &[]).contains("refusal: None"), "{open}");
    }
    let syncs = format!("{MODEL} fn f() {{ {} {} }}", "sync l { ".repeat(3000), "return; }".repeat(3000));
    assert!(at(&syncs, &text, &[]).starts_with("Model 5:"), "too many instructions");
    for cut in 0..text.len() {
        assert!(at(MODEL, &text[..cut], &[]).starts_with("Certificate ") || cut + 1 == text.len(), "{cut}");
    }
    assert!(matches!(verify("\u{0}", "", &[]), Err(error) if error.source == Source::Model));
}

/// Texts that would need much time or memory are refused.
#[test]
fn large_texts_are_refused() {
    let many = (1 << 24) + 1;
    assert!(answer(&"{".repeat(many), &race()).contains("more than 16777216 words"));
    let error = verify(MODEL, &"\n".repeat(many + 1), &[]).expect_err("too many lines");
    assert!(error.message.contains("more than 16777216 words"), "{error:?}");
    let names = |count| (0..count).map(|number| format!("l{number}")).collect::<Vec<_>>();
    let invariant_of = |count| {
        let model = format!("{MODEL} lock {};", names(count).join(", "));
        answer(&model, &[HEAD.into(), format!("invariant {}", names(count).join(" "))])
    };
    assert!(invariant_of(64).contains("F2: invariant 0 is not used"), "{}", invariant_of(64));
    assert!(invariant_of(65).contains("F1: this line is not expected here"), "{}", invariant_of(65));
    let acquired: String = names(100).iter().map(|name| format!("acquire {name}; ")).collect();
    let released = acquired.replace("acquire", "release");
    let swaps = |count| {
        let swaps = "choose { release l0; acquire l0; } or { }".repeat(count);
        let locks = names(100).join(", ");
        answer(&format!("{MODEL} lock {locks}; overlap {locks}; fn f() {{ {acquired} {swaps} {released} }}"), &race())
    };
    assert_eq!(swaps(1), "accepted");
    assert!(swaps(100).contains("too many locks overlap here"), "{}", swaps(100));
}

/// Jumps release the locks of the blocks that they leave, and no others.
#[test]
fn jumps_leave_blocks() {
    for (body, is_read) in [
        ("sync l { L: goto L; }", true),
        ("L: sync l { goto L; }", true),
        ("sync l { goto L; atomic { sync l { goto L; } } skip; L: }", true),
        ("loop { sync l { atomic { break; } continue; } }", true),
        ("loop { sync l { loop { break; } choose { continue; } or { return; } or { } } }", true),
        ("choose { L: } or { goto L; }", false),
        ("goto L; sync l { L: }", false),
        ("loop { acquire l; break; } release l;", false),
        ("break;", false),
    ] {
        let model = format!("{MODEL} fn f() {{ {body} }}");
        let answer = answer(&model, &race());
        assert_eq!(answer == "accepted", is_read, "{body}: {answer}");
    }
}
