//! The text format and its diagnostics.

use wpds::text::{self, ReadError, read};
use wpds::{Automaton, Boolean, Control, MinPlus, PostStar, PreStar, Symbol, System};

const EXAMPLE: &str = "
p main -> p body back : 2    # a push
p body -> p                  # a pop
p back -> q back
initial p main final
target q * any
target any * any
target any * final
";

#[test]
fn an_example_is_read() {
    let document = read(EXAMPLE.as_bytes(), Some).unwrap();
    assert_eq!((document.system.rule_count(), document.controls.len(), document.symbols.len()), (3, 2, 3));
    let control = |name| Control::new(document.controls.find(name).unwrap());
    let symbol = |name| Symbol::new(document.symbols.find(name).unwrap());
    let mut post = PostStar::new(&MinPlus, document.system.clone());
    post.start_at(&mut MinPlus, &document.initial).unwrap();
    post.advance(&mut MinPlus, usize::MAX).unwrap();
    assert_eq!(post.weight_of(&mut MinPlus, control("q"), &[symbol("back")]), Ok(Some(4)));
    let mut pre = PreStar::new(&MinPlus, document.system.clone());
    pre.target_at(&mut MinPlus, &document.target).unwrap();
    pre.advance(&mut MinPlus, usize::MAX).unwrap();
    assert_eq!(pre.weight_of(&mut MinPlus, control("p"), &[symbol("main")]), Ok(None), "one symbol is too few");
    assert_eq!(pre.weight_of(&mut MinPlus, control("p"), &[symbol("main"), symbol("back")]), Ok(Some(4)));
}

#[test]
fn the_empty_stack_has_lines_of_its_own() {
    let document = read("p a -> q\ninitial p a final\ntarget q final".as_bytes(), Some).unwrap();
    let mut pre = PreStar::new(&MinPlus, document.system);
    pre.target_at(&mut MinPlus, &document.target).unwrap();
    pre.advance(&mut MinPlus, usize::MAX).unwrap();
    assert_eq!(pre.weight_of(&mut MinPlus, Control::new(0), &[Symbol::new(0)]), Ok(Some(1)));
}

#[test]
fn diagnostics_name_the_place() {
    let cases: &[(&[u8], &str)] = &[
        (b"p", "1:2: expected a stack symbol, found the end of the line"),
        (b"\n# nothing\np a", "3:4: expected `->`, found the end of the line"),
        (b"p a b -> q", "1:5: expected `->`, found `b`"),
        (b"-> p a", "1:1: expected a rule, `initial` or `target`, found `->`"),
        (b"p : -> q", "1:3: expected a stack symbol, found `:`"),
        (b"p a ->", "1:7: expected a control state, found the end of the line"),
        (b"p a -> q b c d", "1:14: a rule replaces the topmost symbol by at most two"),
        (b"p a -> q :", "1:11: expected a weight, found the end of the line"),
        (b"p a -> q : x", "1:12: `x` is no weight: a natural number below 2^64 - 1 is expected"),
        (b"p a -> q : -1 # no", "1:12: `-1` is no weight: a natural number below 2^64 - 1 is expected"),
        (b"p a -> q : 1 2", "1:14: expected the end of the line, found `2`"),
        (
            b"p a -> q : 99999999999999999999",
            "1:12: `99999999999999999999` is no weight: a natural number below 2^64 - 1 is expected",
        ),
        (b"initial", "1:8: expected a state, found the end of the line"),
        (b"initial p", "1:10: expected a state, found the end of the line"),
        (b"initial p s", "1:11: expected `final`, or a stack symbol and a state, found `s`"),
        (
            b"p a -> q\ntarget p a q",
            "2:12: `q` is a control state of the rules; transitions do not lead into control states",
        ),
        (
            b"target p a s\ntarget s final",
            "2:10: expected a control state on the left of a line without a stack symbol, found `s`",
        ),
        ("\u{e4}\u{f6} \u{fc} \u{3b1}".as_bytes(), "1:6: expected `->`, found `\u{3b1}`"),
        (b"p a -> \xff", "1:8: the line is not UTF-8"),
    ];
    for (text, wanted) in cases {
        let error: ReadError = read(*text, Some).expect_err(wanted);
        assert_eq!(error.to_string(), *wanted);
    }
}

/// Whether an automaton accepts a configuration.
fn accepts(document: &text::Document<Option<u64>>, set: &Automaton, control: &str, stack: &[&str]) -> bool {
    let symbols: Vec<_> =
        stack.iter().map(|name| Symbol::new(document.symbols.find(name).expect("a symbol"))).collect();
    let mut pre = PreStar::new(&Boolean, System::builder().build());
    pre.target_at(&mut Boolean, set).unwrap();
    pre.advance(&mut Boolean, usize::MAX).unwrap();
    let control = Control::new(document.controls.find(control).expect("a control state"));
    pre.weight_of(&mut Boolean, control, &symbols).unwrap()
}

#[test]
fn expressions_accept_their_configurations() {
    let mut document = read("p a -> q b\nr c -> r c c\n".as_bytes(), Some).unwrap();
    let words: Vec<Vec<&str>> = (0..4_u32)
        .flat_map(|length| {
            (0..3_u32.pow(length)).map(move |word| (0..length).map(|at| word / 3_u32.pow(at) % 3).collect::<Vec<_>>())
        })
        .map(|word| word.into_iter().map(|letter| ["a", "b", "c"][letter as usize]).collect())
        .collect();
    type Test = fn(&str, &str) -> bool;
    let cases: &[(&str, Test)] = &[
        ("< [p] >", |p, w| p == "p" && w.is_empty()),
        ("<[p],>", |p, w| p == "p" && w.is_empty()),
        ("<[p q], [a]>", |p, w| p != "r" && w == "a"),
        ("<[^p, q], .>", |p, w| p == "r" && w.len() == 1),
        ("<., [a] ([b]|[c])* .?> # a comment", |_, w| {
            let rest = |w: &str| w.starts_with('a') && !w[1..].contains('a');
            rest(w) || (w.len() > 1 && rest(&w[..w.len() - 1]))
        }),
        ("<[p], [a]+> | <[q], ([a] [b])? [^c] >", |p, w| match p {
            "p" => !w.is_empty() && w.chars().all(|letter| letter == 'a'),
            "q" => ["a", "b", "aba", "abb"].contains(&w),
            _ => false,
        }),
        ("<[r], ([a]? [b]*)+ | [c] [c]>", |p, w| p == "r" && (!w.contains('c') || w == "cc")),
        ("<[r], ([a] [b]?)* ([c] | ())>", |p, w| {
            let w = w.strip_suffix('c').unwrap_or(w);
            p == "r" && !w.contains('c') && !w.starts_with('b') && !w.contains("bb")
        }),
        ("<[r], []*>", |p, w| p == "r" && w.is_empty()),
    ];
    for (expression, expected) in cases {
        let set = document.configurations(expression).unwrap_or_else(|error| panic!("{expression}: {error}"));
        for control in ["p", "q", "r"] {
            for word in &words {
                let found = accepts(&document, &set, control, word);
                assert_eq!(found, expected(control, &word.concat()), "{expression}: {control} {word:?}");
            }
        }
    }
}

#[test]
fn errors_in_expressions_name_the_column() {
    let mut document = read("p a -> q b\n".as_bytes(), Some).unwrap();
    let nested = format!("<[p], {}", "(".repeat(1_000_000));
    for (expression, wanted) in [
        ("", "1: expected `<`, found the end"),
        ("<p>", "2: expected `[` or `.`, found `p`"),
        ("<[r]>", "3: there is no control state `r`"),
        ("<[p], [c]>", "8: there is no stack symbol `c`"),
        ("<[p], [a>", "10: `]` is missing"),
        ("<[p], [a", "9: `]` is missing"),
        ("<[p] [a]>", "6: expected `>`, found `[`"),
        ("<[p], [a]) >", "10: expected `>`, found `)`"),
        ("<[p], *>", "7: expected `>`, found `*`"),
        ("<[p]> x", "7: expected `|` or the end, found `x`"),
        (nested.as_str(), "207: more than 200 parentheses are nested"),
    ] {
        assert_eq!(document.configurations(expression).expect_err(wanted).to_string(), wanted);
    }
}
