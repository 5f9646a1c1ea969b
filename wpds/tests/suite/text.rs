//! The text format and its diagnostics.

use wpds::text::{ReadError, read};
use wpds::{Control, MinPlus, PostStar, PreStar, Symbol};

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
