//! Tests of the parser that look at trees; those of its messages are snapshots.

use super::super::ast::*;
use super::super::syntax_error::SyntaxErrorKind;
use super::*;

fn texts(comments: &[Comment]) -> Vec<&str> {
    comments.iter().map(|comment| comment.text.as_str()).collect()
}

fn process_body(program: &Program) -> &Block {
    match &program.items.last().expect("there is an item").kind {
        ItemKind::Process { body, .. } => body,
        other => panic!("{other:?} is no process"),
    }
}

fn nested(depth: usize) -> String {
    let open = "atomic {".repeat(depth - 1);
    let close = "}".repeat(depth - 1);
    format!("process P {{ {open} skip; {close} }}")
}

#[test]
fn spans_cover_their_tokens() {
    let text = "shared x;\nprocess P {\n  sync l {\n    read x ;\n  }\n}\n";
    let program = parse(text).unwrap();
    let cut = |span: Span| &text[span.offset as usize..span.end() as usize];
    let body = process_body(&program);
    let sync = &body.statements[0];
    assert_eq!(cut(program.items[0].span), "shared x;");
    assert_eq!(cut(sync.span), "sync l {\n    read x ;\n  }");
    assert_eq!((sync.span.start.line, sync.span.start.column), (3, 3));
    let StatementKind::Sync(lock, block) = &sync.kind else {
        panic!("{sync:?}");
    };
    assert_eq!(cut(lock.name.span), "l");
    assert_eq!(cut(block.span), "{\n    read x ;\n  }");
    assert_eq!(cut(block.statements[0].span), "read x ;");
    assert_eq!((block.close.start.line, block.close.start.column), (5, 3));
    assert_eq!((body.close.start.line, body.close.start.column), (6, 1));
}

#[test]
fn comments_belong_to_the_construct_beside_them() {
    let text = "
        // before
        process P { // after
            // first
            read /* inner */ x; // x
            choose { /* one */ } /* between */ or { // two
            } // end of choose
            // last
        } // end of P
        // bye";
    let program = parse(text).unwrap();
    let item = &program.items[0];
    assert_eq!(texts(&item.comments.before), ["// before"]);
    assert_eq!(texts(&item.comments.after), ["// after"]);
    assert_eq!(texts(&item.comments.closing), ["// end of P"]);
    let body = process_body(&program);
    let [read, choose] = body.statements.as_slice() else {
        panic!("{body:?}");
    };
    assert_eq!(texts(&read.comments.before), ["// first", "/* inner */"]);
    assert_eq!(texts(&read.comments.after), ["// x"]);
    assert_eq!(texts(&choose.comments.after), ["/* one */"]);
    assert_eq!(texts(&choose.comments.closing), ["// end of choose"]);
    let StatementKind::Choose(blocks) = &choose.kind else {
        panic!("{choose:?}");
    };
    assert_eq!(texts(&blocks[1].trailing_comments), ["/* between */", "// two"]);
    assert_eq!(texts(&body.trailing_comments), ["// last"]);
    assert_eq!(texts(&program.trailing_comments), ["// bye"]);
}

#[test]
fn an_empty_text_is_a_program() {
    for text in ["", "\u{feff}", " \r\n\t", "\u{feff}\n"] {
        assert_eq!(parse(text).unwrap(), Program::default());
    }
    let program = parse("// nothing\r\n/* at all */").unwrap();
    assert_eq!(texts(&program.trailing_comments), ["// nothing", "/* at all */"]);
}

#[test]
fn line_ends_do_not_matter() {
    let unix = "lock a; // a\nprocess P {\n  acquire a; /* x\n y */\n  release a;\n}\n";
    let windows = unix.replace('\n', "\r\n");
    assert_eq!(parse(unix).unwrap().without_positions(), parse(&windows).unwrap().without_positions());
}

#[test]
fn a_byte_order_mark_takes_no_column() {
    let program = parse("\u{feff}lock a;").unwrap();
    assert_eq!(program.items[0].span.start, Position::START);
    assert_eq!(program.items[0].span.offset, 3);
}

/// The number of errors is limited, so the recursion for blocks after errors is not deep.
#[test]
fn errors_in_errors_take_little_stack() {
    let texts = [
        "process P { loop {".repeat(100_000),
        "process P { foo {".to_string() + &"foo {".repeat(100_000),
        "process P { loop {".to_string() + &"loop {".repeat(100_000),
        "foo {".repeat(100_000),
        "process P { fn f { read x; ".repeat(100_000),
        nested(100_000) + "}",
    ];
    for text in texts {
        let parse = move || parse(&text).unwrap_err().len();
        let thread = std::thread::Builder::new().stack_size(1 << 18).spawn(parse).expect("a thread");
        let errors = thread.join().expect("the stack is large enough");
        assert!((1..=51).contains(&errors));
    }
}

#[test]
fn errors_are_capped() {
    let errors = parse(&"process P { foo; }\n".repeat(1000)).unwrap_err();
    assert_eq!(errors.len(), 51);
    assert_eq!(errors[50].kind, SyntaxErrorKind::TooMany);
}

#[test]
fn one_slip_gives_one_error() {
    for text in [
        "lock a b;",
        "lock end;",
        "lock a, lock;",
        "lock a",
        "shared x\nshared y;",
        "fn f { read x; }",
        "fn f(x) { read x; }",
        "fn f();",
        "fn f() read x; }",
        "process P() { skip; }",
        "process P * { skip; }",
        "process P * 99999999999 { skip; }",
        "process P { call f(); }",
        "process P { read x, y; }",
        "process P { read x }",
        "process P { if (a) { skip; } else { skip; } }",
        "process P { while (a) { skip; } skip; }",
        "process P { x = 1; skip; }",
        "process P { atomic { skip; }; }",
        "process P { { skip; } }",
        "process P { choose { } or or { } }",
        "process P { return 1; }",
        "process P { skip;",
        "process P { atomic { skip;",
        "process P { } }",
        "process P { } skip; skip; }",
        "process P { lock a; skip; }",
        "process P { fn f() { skip; } skip; }",
        "procces P { skip; }",
        "atomicset S { }",
        "atomicset S { a b }",
        "atomicset S { a, lock }",
        "atomicset S { a, b\nfn f() { }",
        "lock /* a",
        "/* a",
        "process P { /* a }",
        "# comment",
        "\0",
    ] {
        let errors = parse(text).unwrap_err();
        assert_eq!(errors.len(), 1, "{text}: {errors:?}");
    }
}
