//! Certificates written by hand: for each condition one that is accepted, and changes of it that are refused.

use verify::{Source, digest, verify};

/// A certificate with its last line.
fn sealed(lines: &[String]) -> String {
    let before: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let queries = lines.iter().filter(|line| line.contains("\"query\"")).count();
    format!("{before}{{\"queries\": {queries}, \"digest\": \"{}\"}}\n", digest(&before))
}

const MODEL: &str = "lock l;
shared x;
process P { sync l { write x; } }
process Q { sync l { read x; } }
";

const HEAD: &str = r#"{"certificate": 1, "units": "both"}"#;
const RACE: &str = r#"{"query": "race", "locations": ["x"], "processes": ["P", "Q"], "cases": [{"invariants": [0, 1], "clauses": [{"phase": 2, "held": [[1, "l"], [2, "l"]]}], "choices": [[2, 0]]}, {"absent": 2}]}"#;

/// A block: its head; for each instruction its set; the ends. A segment is written as its pieces, a letter each.
type Block<'t> = (&'t str, &'t [&'t str], &'t str);

/// The text of an invariant whose pieces have these letters. Only those that are used are written.
fn invariant(number: usize, locks: &str, letters: &[(char, &str)], blocks: &[Block<'_>]) -> String {
    let (mut pieces, mut segments, mut sets): (Vec<char>, Vec<&str>, Vec<Vec<usize>>) = Default::default();
    let mut texts = Vec::new();
    for (head, at, ends) in blocks {
        let mut numbers = Vec::new();
        for set in at.iter().chain([ends]) {
            let mut set: Vec<usize> = set.split_whitespace().map(|segment| position(&mut segments, segment)).collect();
            set.sort_unstable();
            numbers.push(position(&mut sets, set));
        }
        let ends = numbers.pop().expect("the ends");
        texts.push(format!("{{{head}, \"at\": {numbers:?}, \"ends\": {ends}}}"));
    }
    let mut numbers = Vec::new();
    for segment in &segments {
        numbers.push(segment.chars().map(|letter| position(&mut pieces, letter)).collect::<Vec<usize>>());
    }
    let text = |letter: &char| letters.iter().find(|(known, _)| known == letter).expect("a letter").1;
    let pieces = pieces.iter().map(text).collect::<Vec<_>>().join(", ");
    let blocks = texts.join(", ");
    format!(
        "{{\"invariant\": {number}, \"locks\": {locks}, \"pieces\": [{pieces}], \"segments\": {numbers:?}, \
         \"sets\": {sets:?}, \"blocks\": [{blocks}]}}"
    )
}

/// The place of an entry in a list, which gets it if it is new.
fn position<T: PartialEq>(list: &mut Vec<T>, entry: T) -> usize {
    list.iter().position(|other| *other == entry).unwrap_or_else(|| {
        list.push(entry);
        list.len() - 1
    })
}

/// Pieces about one lock: empty, used, used and held, held throughout, the same at its end.
const LETTERS: &[(char, &str)] = &[
    ('e', "{}"),
    ('u', r#"{"used": [0]}"#),
    ('d', r#"{"used": [0], "held": [0]}"#),
    ('t', r#"{"through": [0]}"#),
    ('h', r#"{"through": [0], "held": [0]}"#),
    ('H', r#"{"held": [0]}"#),
];

/// What P and Q do in the race: acquire, access, release, return.
const P: Block<'static> = (r#""process": "P", "phase": 1"#, &["e", "u", "u dt", "u"], "dh");
const Q: Block<'static> = (r#""process": "Q", "phase": 1"#, &["e ee", "u dt eu", "u dt eu", "u ue eu de"], "dh ed");

fn race_of(p: Block<'_>, q: Block<'_>) -> Vec<String> {
    let invariant = |number, block| invariant(number, "[\"l\"]", LETTERS, &[block]);
    vec![HEAD.into(), invariant(0, p), invariant(1, q), RACE.into()]
}

fn race() -> Vec<String> {
    race_of(P, Q)
}

/// The answer to the race with another set of an instruction of P (false) or Q (true), or with other ends (4).
fn with_set(of_q: bool, at: usize, set: &str) -> String {
    let (head, sets, ends) = if of_q { Q } else { P };
    let mut sets: Vec<&str> = sets.iter().copied().chain([ends]).collect();
    sets[at] = set;
    let block = (head, &sets[..4], sets[4]);
    answer(MODEL, &if of_q { race_of(P, block) } else { race_of(block, Q) })
}

/// The answer to the only query: `accepted`, or the refusal; or the error.
fn answer(model: &str, lines: &[String]) -> String {
    match verify(model, &sealed(lines), &[]) {
        Ok(answers) => {
            answers.iter().map(|one| one.to_string().split_once(": ").expect("an answer").1.to_string()).collect()
        }
        Err(error) => format!("{:?} {}: {}", error.source, error.place, error.message),
    }
}

/// The answer to the race after a change of one line.
fn changed(line: usize, from: &str, to: &str) -> String {
    let mut lines = race();
    assert!(lines[line].contains(from), "{from}");
    lines[line] = lines[line].replacen(from, to, 1);
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
    refused(&changed(1, "\"phase\": 1", "\"phase\": 2"), "N2");
    refused(&changed(1, "\"phase\": 1", "\"unit\": 1, \"phase\": 1"), "N2");
}

#[test]
fn steps_are_required() {
    for (at, set) in [(1, "dt eu"), (1, "u dt"), (2, "u eu"), (3, "ue eu de"), (3, "u ue de")] {
        refused(&with_set(true, at, set), "N3");
    }
    // `ue` covers `de`.
    assert_eq!(with_set(true, 3, "u ue eu"), "accepted");
    refused(&with_set(false, 1, "e"), "N3");
    // The step of the release is forbidden in phase 2.
    refused(&with_set(false, 3, "u de"), "F3");
}

#[test]
fn ticks_are_required() {
    refused(&with_set(true, 0, "e"), "N4");
    refused(&with_set(true, 3, "u eu de"), "N4");
    refused(&with_set(false, 4, ""), "N4");
    // More statements than are true.
    refused(&with_set(true, 3, "u de eu uu"), "N4");
}

#[test]
fn events_are_required() {
    refused(&with_set(false, 2, "u"), "N5");
    refused(&with_set(true, 4, "dh"), "N5");
    refused(&with_set(true, 4, "ed"), "N5");
    refused(&with_set(true, 4, ""), "N5");
}

#[test]
fn nothing_else_is_there() {
    refused(&with_set(false, 0, "e ee"), "F3");
    refused(&with_set(false, 3, "u eu"), "F3");
    refused(&with_set(true, 4, "dh ed ee"), "R");
    refused(&with_set(false, 4, "dh dhe"), "F3");
    refused(&with_set(false, 0, "e eee"), "F3");
}

#[test]
fn through_of_exact_pieces_is_equal() {
    // The last open piece without its `through`; the closed one may be weaker.
    refused(&with_set(false, 2, "u de"), "N5");
    let weak = race_of((P.0, P.1, "dH"), Q);
    assert_eq!(answer(MODEL, &weak), "accepted");
}

/// The end of the `sync` block releases write mode, and read mode stays: both processes can write.
#[test]
fn locks_that_overlap_are_downgraded() {
    let q = r#"process Q { sync read r { write x; } }"#;
    let letters = &[
        ('e', "{}"),
        ('u', r#"{"used": [0]}"#),
        ('d', r#"{"used": [0], "held": [0]}"#),
        ('t', r#"{"through": [0]}"#),
        ('h', r#"{"through": [0], "held": [0]}"#),
        ('U', r#"{"used": [1]}"#),
        ('D', r#"{"used": [1], "held": [1]}"#),
        ('T', r#"{"through": [1]}"#),
        ('H', r#"{"through": [1], "held": [1]}"#),
    ];
    let invariants = |sets| {
        vec![
            HEAD.into(),
            invariant(0, "[\"r\"]", letters, &[(P.0, sets, "dh")]),
            invariant(1, "[\"r\"]", letters, &[(Q.0, &["e ee", "U DT eU", "U DT eU", "U Ue eU"], "DH eD")]),
            r#"{"query": "race", "locations": ["x"], "processes": ["P", "Q"], "cases": [{"absent": 2}, {"invariants": [0, 1], "clauses": [{"phase": 2, "held": [[1, "r"], [2, "read r"]]}], "choices": [[2, 0]]}]}"#.into(),
        ]
    };
    let nested = format!("rwlock r; shared x; process P {{ sync write r {{ sync write r {{ }} write x; }} }} {q}");
    let lines = invariants(&["e", "u", "u", "u", "u dt", "u"]);
    assert_eq!(answer(&nested, &lines), "accepted");
    let overlap = "rwlock r; overlap r; shared x; process P { sync write r { acquire read r; } write x; release r; }";
    refused(&answer(&format!("{overlap} {q}"), &lines), "N5");
}

#[test]
fn clauses_have_their_facts() {
    refused(&changed(3, "\"held\": [[1, \"l\"], [2, \"l\"]]", "\"held\": [[1, \"l\"], [1, \"l\"]]"), "R1");
    refused(&changed(3, "\"held\": [[1, \"l\"], [2, \"l\"]]", "\"held\": [[1, \"l\"]]"), "R1");
    refused(&changed(3, "[2, \"l\"]", "[2, \"m\"]"), "R1");
    refused(&changed(3, "[2, \"l\"]", "[3, \"l\"]"), "F1");
    refused(&changed(3, "[[1, \"l\"], [2, \"l\"]]", "[[1, \"read l\"], [2, \"l\"]]"), "R");
    refused(&changed(3, "\"phase\": 2", "\"phase\": 3"), "R");
    // One end of Q has used the lock in phase 2, the other one has held it throughout.
    refused(&changed(3, "\"held\": [[1, \"l\"], [2, \"l\"]]", "\"through\": [[1, \"l\"], [2, \"l\"]]"), "R");
    let both = r#""clauses": [{"phase": 2, "through": [[1, "l"], [2, "l"]]}, {"phase": 1, "held": [[1, "l"], [2, "l"]]}], "choices": [[1, 1], [1, 0]]"#;
    let one = r#""clauses": [{"phase": 2, "held": [[1, "l"], [2, "l"]]}], "choices": [[2, 0]]"#;
    assert_eq!(changed(3, one, both), "accepted", "R2");
    refused(&changed(3, one, &both.replace("[[1, 1], [1, 0]]", "[[1, 0], [1, 1]]")), "R");
    refused(
        &changed(3, one, &both.replace("through\": [[1, \"l\"], [2, \"l\"]]", "through\": [[1, \"l\"], [1, \"l\"]]")),
        "R2",
    );
}

#[test]
fn all_choices_are_refuted() {
    for count in ["1", "3", "340282366920938463463374607431768211455"] {
        refused(&changed(3, "[[2, 0]]", &format!("[[{count}, 0]]")), "R");
    }
    refused(&changed(3, "[[2, 0]]", "[[340282366920938463463374607431768211456, 0]]"), "Certificate 4:205");
    refused(&changed(3, "[[2, 0]]", "[[1, 0], [1, 0]]"), "F2");
    refused(&changed(3, "[[2, 0]]", "[[0, 0]]"), "F2");
    refused(&changed(3, "[[2, 0]]", "[]"), "F2");
    refused(
        &changed(
            3,
            r#""clauses": [{"phase": 2, "held": [[1, "l"], [2, "l"]]}], "choices": [[2, 0]]"#,
            "\"clauses\": [], \"choices\": []",
        ),
        "R",
    );
}

#[test]
fn absent_events_are_absent() {
    refused(&changed(3, "\"absent\": 2", "\"absent\": 1"), "A");
    refused(&changed(3, "\"absent\": 2", "\"absent\": 3"), "A");
    refused(&changed(3, "\"absent\": 2", "\"absent\": 0"), "F1");
    refused(&answer(&MODEL.replace("read x;", "read x; write x;"), &race()), "F1");
    let calls =
        MODEL.replace("{ read x; }", "{ read x; } return; call f;") + "fn f() { call g; } fn g() { call f; write x; }";
    let mut lines = race();
    lines[3] =
        r#"{"query": "race", "locations": ["x"], "processes": ["Q", "P"], "cases": [{"absent": 1}, {"absent": 1}]}"#
            .into();
    lines.drain(1..3);
    refused(&answer(&calls, &lines), "A");
    assert_eq!(answer(MODEL, &lines), "accepted");
}

#[test]
fn starts_have_all_their_cases() {
    let model = "shared x; process Main { write x; start W; } process W { read x; }";
    let absent = r#"{"query": "race", "locations": ["x"], "processes": ["Main", "W"], "cases": [{"start": 2, "cases": [{"absent": 3}]}, {"absent": 2}]}"#;
    refused(&answer(model, &[HEAD.into(), absent.into()]), "A");
    refused(&answer(&format!("{model} process Other {{ start W; }}"), &[HEAD.into(), absent.into()]), "S");
    refused(
        &answer(model, &[HEAD.into(), absent.replace("[{\"absent\": 3}]", "[{\"absent\": 3}, {\"absent\": 3}]")]),
        "S",
    );
    refused(&answer(model, &[HEAD.into(), absent.replace("\"start\": 2", "\"start\": 1")]), "S");
    refused(&answer(model, &[HEAD.into(), absent.replace("\"start\": 2", "\"start\": 3")]), "S");
    // Nothing starts W but itself.
    let none = absent.replace("[{\"absent\": 3}]", "[]");
    assert_eq!(
        answer("shared x; process Main { write x; } process W { read x; start W; }", &[HEAD.into(), none.clone()]),
        "accepted"
    );
    refused(
        &answer("shared x; process Main { write x; start W; } process W { read x; start W; }", &[HEAD.into(), none]),
        "S",
    );
}

#[test]
fn members_are_those_of_the_page() {
    refused(&changed(1, "\"invariant\": 0", "\"invariant\": 1"), "F1");
    refused(&changed(1, "\"locks\": [\"l\"]", "\"locks\": [\"m\"]"), "F1");
    refused(&changed(1, "\"ends\": 3", "\"ends\": 4"), "F1");
    refused(&changed(1, "\"ends\": 3", "\"ends\": 3, \"end\": 3"), "F1");
    refused(&changed(1, "\"ends\": 3", "\"ends\": 3, \"ends\": 3"), "F1");
    refused(&changed(1, ", \"ends\": 3", ""), "F1");
    refused(&changed(1, "[1, 2], [3]]", "[2, 1], [3]]"), "F2");
    refused(&changed(1, "[1, 2], [3]]", "[1, 2], [3], [3]]"), "F2");
    refused(&changed(1, "{\"used\": [0]}", "{\"used\": []}"), "F1");
    refused(&changed(1, "\"at\": [0, 1, 2, 1]", "\"at\": [0, 1, 2]"), "F1");
    refused(&changed(3, "\"x\"", "\"y\""), "F1");
    refused(&changed(3, "\"race\"", "\"deadlock2\""), "F1");
    refused(&changed(3, "\"race\"", "\"15\""), "F1");
    refused(&changed(3, "[\"P\", \"Q\"]", "[\"P\", \"Q\", \"Q\"]"), "F1");
    let block = r#"{"process": "P", "phase": 1, "at": [0, 1, 2, 1], "ends": 3}"#;
    refused(&changed(1, block, &format!("{block}, {block}")), "F2");
    refused(
        &changed(1, block, &format!("{block}, {}", block.replace("\"phase\": 1", "\"unit\": 1, \"phase\": 1"))),
        "F2",
    );
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
    assert_eq!(at(MODEL, &text.replace("race", "rice"), &[]), "Certificate 5:26");
    assert_eq!(at(MODEL, &text, &["automaton a(T) {}"]), "Automata(0) 1:11");
    let deep = "[".repeat(1_000_000);
    assert!(at(MODEL, &format!("{deep}\n{deep}"), &[]).starts_with("Certificate 1:"));
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
