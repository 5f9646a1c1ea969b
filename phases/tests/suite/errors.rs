//! Every kind of error is found, with its position.

use phases::parse;

/// Checks the error of a text, and its position.
fn check(text: &str, piece: &str, message: &str) {
    let error = parse(text).expect_err(text);
    let found = &text[error.offset..error.offset + error.length];
    assert_eq!((found, error.kind.to_string().as_str()), (piece, message), "in {text}");
}

#[test]
fn errors_say_what_and_where() {
    let one = |states: &str| format!("automaton a(T, U; x) {{ {states} }}");
    check("automaton", "", "expected the name of the automaton, found the end of the text");
    check("automat", "automat", "expected `automaton`, found `automat`");
    check("automaton a()", ")", "expected the name of a thread parameter, found `)`");
    check("automaton a(T, T)", "T", "the thread `T` is declared twice");
    check("automaton a(T; x, x)", "x", "the location `x` is declared twice");
    check("automaton read(T)", "read", "`read` is a keyword and cannot be a name");
    check("automaton a(T) { }", "}", "an automaton has at least one state with a transition");
    check(
        "automaton a(T) { q: on T begin -> r; } automaton a",
        "",
        "expected `(` and the parameters, found the end of the text",
    );
    check(
        "automaton a(T) { q: on T begin -> r; } automaton a(T) { q: on T begin -> r; }",
        "a",
        "the automaton `a` is declared twice",
    );
    check(
        "automaton a(T) { q: on T begin -> r; r: on T end -> q; }",
        "q",
        "the last transition leads back to `q` instead of a new accepting state",
    );
    check(
        "automaton a(T) { q: on T begin -> s; r: on T end -> s; }",
        "s",
        "the transition leads to `s`, but the state that follows is `r`",
    );
    check("automaton a(T) { q: on T begin -> r; on T end -> r; }", "on", "a state has one transition");
    check("automaton a(T) { q: on T begin -> q; q: on T end -> r; }", "q", "the state `q` is declared twice");
    check(&one("q: on T begin -> r;"), "U", "the thread `U` has no transition");
    check(&one("q: on * begin -> r;"), "*", "a transition is taken by one thread, not by any");
    check(&one("q: on V begin -> r;"), "V", "there is no thread parameter `V`");
    check(&one("q: on T read y -> r;"), "y", "there is no location parameter `y`");
    check(&one("q: on T atomic begin -> r;"), "begin", "expected `read` or `write`, found `begin`");
    check(&one("q: on T x -> r;"), "x", "expected `read`, `write`, `atomic`, `begin`, `end` or `wants`, found `x`");
    check(&one("q: forbid T end on T begin -> r;"), "on", "expected `,` or `;`, found `on`");
    check(&one("q: on T begin - r;"), "-", "unexpected character `-`");
    check("automaton a(T) { /* q: on T begin -> r; }", "/*", "this comment is not closed");
    check("automaton a(T) { \u{0}", "\u{0}", "unexpected character `\\u{0}`");
}

#[test]
fn hints_are_given() {
    let error = parse("automaton a(T) { q: on V begin -> r; }").unwrap_err();
    assert_eq!(error.kind.hint().as_deref(), Some("the parameters are T"));
    assert_eq!(error.to_string(), "at byte 23: there is no thread parameter `V`");
}
