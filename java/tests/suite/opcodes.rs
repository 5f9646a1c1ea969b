//! The translation of every opcode to register form.

use crate::assembler::{Assembler, program_of};
use crate::builder::ClassBuilder;
use std::collections::BTreeSet;

/// A descriptor with two parameters of each kind (`v0` to `v9`), and their local variables.
const DESCRIPTOR: &str = "(IIJJFFDDLjava/lang/Object;Ljava/lang/Object;)V";
const LOCALS: [u8; 10] = [0, 1, 2, 4, 6, 7, 8, 10, 12, 13];
const KINDS: &str = "IJFDA";

/// The statements and the end of a method that pushes values of some kinds and then executes an instruction.
fn text(class: &ClassBuilder, takes: &str, instruction: &[u8], gives: Option<char>) -> String {
    let mut code = Assembler::default();
    let mut used = [0; 5];
    for kind in takes.chars() {
        let number = KINDS.find(kind).expect("a letter of a kind");
        let load = 21 + u8::try_from(number).expect("the number is small");
        code.emit(&[load, LOCALS[number * 2 + used[number]]]);
        used[number] += 1;
    }
    code.emit(instruction);
    match gives {
        Some('J' | 'D') => code.emit(&[88]),
        Some(_) => code.emit(&[87]),
        None => {}
    }
    code.emit(&[177]);
    let mut class = class.clone();
    let (bytes, handlers) = code.finish();
    class.method_of(("m", DESCRIPTOR, 9), &bytes, &handlers);
    let (program, method) = program_of(&class);
    let body = program.body(method, &|| false).unwrap_or_else(|error| panic!("{instruction:?}: {error}"));
    let text = body.expect("the method has code").display(&program).to_string();
    let (_, blocks) = text.split_once("b0:\n  ").expect("the body has a block");
    let lines: Vec<&str> = blocks.lines().map(str::trim).collect();
    lines.strip_suffix(&["return"]).unwrap_or(&lines).join("; ")
}

/// The checks, with the opcodes that have been checked.
struct Check {
    class: ClassBuilder,
    done: BTreeSet<u8>,
}

impl Check {
    fn gives(&mut self, takes: &str, instruction: &[u8], gives: char, expected: &str) {
        let found = text(&self.class, takes, instruction, Some(gives));
        assert_eq!(found, format!("v10 = {expected}"), "{instruction:?}");
        self.done.insert(instruction[0]);
    }

    fn only_does(&mut self, takes: &str, instruction: &[u8], expected: &str) {
        assert_eq!(text(&self.class, takes, instruction, None), expected, "{instruction:?}");
        self.done.insert(instruction[0]);
    }

    /// Checks consecutive opcodes.
    fn row(&mut self, first: u8, rows: &[(&str, char, &str)]) {
        for (opcode, (takes, gives, expected)) in (first..).zip(rows) {
            self.gives(takes, &[opcode], *gives, expected);
        }
    }
}

fn with_index(opcode: u8, index: u16) -> [u8; 3] {
    let [high, low] = index.to_be_bytes();
    [opcode, high, low]
}

fn constants(check: &mut Check) {
    check.gives("", &[1], 'A', "null");
    for (opcode, value) in (2..=8).zip(-1..) {
        check.gives("", &[opcode], 'I', &value.to_string());
    }
    for (opcode, kind, expected) in
        [(9, 'J', "0L"), (10, 'J', "1L"), (11, 'F', "0.0F"), (12, 'F', "1.0F"), (13, 'F', "2.0F"), (14, 'D', "0.0D")]
    {
        check.gives("", &[opcode], kind, expected);
    }
    check.gives("", &[15], 'D', "1.0D");
    check.gives("", &[16, 0x80], 'I', "-128");
    check.gives("", &[17, 0x80, 1], 'I', "-32767");
    let text = check.class.text(b"a\"b");
    let string = check.class.entry(&with_index(8, text));
    check.gives("", &[18, u8::try_from(string).expect("the number is small")], 'A', "\"a\\\"b\"");
    let class = check.class.class(b"java/util/List");
    check.gives("", &with_index(19, class), 'A', "class java/util/List");
    let long = check.class.entry(&[5, 0, 0, 0, 1, 0, 0, 0, 0]);
    // A long takes two indices.
    check.class.entry_taken();
    check.gives("", &with_index(20, long), 'J', "4294967296L");
}

fn numbers(check: &mut Check) {
    let kinds = [('I', "v0", "v1"), ('J', "v2", "v3"), ('F', "v4", "v5"), ('D', "v6", "v7")];
    for (operator, place) in ["+", "-", "*", "/", "%"].iter().zip(0..) {
        for ((kind, one, other), number) in kinds.iter().zip(0..) {
            let expected = format!("{one} {operator} {other}");
            check.gives(&format!("{kind}{kind}"), &[96 + place * 4 + number], *kind, &expected);
        }
    }
    check.row(116, &[("I", 'I', "-v0"), ("J", 'J', "-v2"), ("F", 'F', "-v4"), ("D", 'D', "-v6")]);
    for (operator, place) in ["<<", ">>", ">>>", "&", "|", "^"].iter().zip(0..) {
        check.gives("II", &[120 + place * 2], 'I', &format!("v0 {operator} v1"));
        let (takes, other) = if place < 3 { ("JI", "v0") } else { ("JJ", "v3") };
        check.gives(takes, &[121 + place * 2], 'J', &format!("v2 {operator} {other}"));
    }
    check.row(133, &[("I", 'J', "(long) v0"), ("I", 'F', "(float) v0"), ("I", 'D', "(double) v0")]);
    check.row(136, &[("J", 'I', "(int) v2"), ("J", 'F', "(float) v2"), ("J", 'D', "(double) v2")]);
    check.row(139, &[("F", 'I', "(int) v4"), ("F", 'J', "(long) v4"), ("F", 'D', "(double) v4")]);
    check.row(142, &[("D", 'I', "(int) v6"), ("D", 'J', "(long) v6"), ("D", 'F', "(float) v6")]);
    check.row(145, &[("I", 'I', "(byte) v0"), ("I", 'I', "(char) v0"), ("I", 'I', "(short) v0")]);
    check.row(148, &[("JJ", 'I', "compare v2, v3"), ("FF", 'I', "compare v4, v5"), ("FF", 'I', "compare v4, v5")]);
    check.row(151, &[("DD", 'I', "compare v6, v7"), ("DD", 'I', "compare v6, v7")]);
}

fn arrays(check: &mut Check) {
    for (kind, number) in "IJFDAIII".chars().zip(0..) {
        check.gives("AI", &[46 + number], kind, "v8[v0]");
        let value = ["v1", "v2", "v4", "v6", "v9"][KINDS.find(kind).expect("a letter of a kind")];
        check.only_does(&format!("AI{kind}"), &[79 + number], &format!("v8[v0] = {value}"));
    }
    for (code, letter) in (4..=11).zip("ZCFDBSIJ".chars()) {
        check.gives("I", &[188, code], 'A', &format!("new [{letter} (v0)"));
    }
    let (class, array) = (check.class.class(b"x/Y"), check.class.class(b"[[I"));
    check.gives("I", &with_index(189, class), 'A', "new [Lx/Y; (v0)");
    check.gives("I", &with_index(189, array), 'A', "new [[[I (v0)");
    check.gives("A", &[190], 'I', "length v8");
    check.gives("II", &[&with_index(197, array)[..], &[2]].concat(), 'A', "new [[I (v0, v1)");
}

fn objects(check: &mut Check) {
    let long = check.class.member(9, b"x/Y", b"f", b"J");
    check.gives("", &with_index(178, long), 'J', "x/Y.f");
    check.only_does("J", &with_index(179, long), "x/Y.f = v2");
    check.gives("A", &with_index(180, long), 'J', "v8.x/Y.f");
    check.only_does("AJ", &with_index(181, long), "v8.x/Y.f = v2");
    let method = check.class.member(10, b"x/Y", b"m", b"(JI)D");
    check.gives("AJI", &with_index(182, method), 'D', "virtual x/Y.m(JI)D(v8, v2, v0)");
    check.gives("AJI", &with_index(183, method), 'D', "special x/Y.m(JI)D(v8, v2, v0)");
    check.gives("JI", &with_index(184, method), 'D', "static x/Y.m(JI)D(v2, v0)");
    let method = check.class.member(11, b"x/Y", b"m", b"()V");
    check.only_does("A", &[&with_index(185, method)[..], &[1, 0]].concat(), "interface x/Y.m()V(v8)");
    let class = check.class.class(b"x/Y");
    check.gives("", &with_index(187, class), 'A', "new x/Y");
    check.gives("A", &with_index(192, class), 'A', "cast v8 to x/Y");
    check.gives("A", &with_index(193, class), 'I', "v8 instanceof x/Y");
    check.only_does("A", &[194], "enter v8");
    check.only_does("A", &[195], "exit v8");
}

fn ends(check: &mut Check) {
    let symbols = ["==", "!=", "<", ">=", ">", "<="];
    for (symbol, number) in symbols.iter().zip(0..) {
        let to = |condition: &str| format!("if {condition} goto b1 else b1; b1:");
        check.only_does("I", &[153 + number, 0, 3], &to(&format!("v0 {symbol} 0")));
        check.only_does("II", &[159 + number, 0, 3], &to(&format!("v0 {symbol} v1")));
    }
    check.only_does("AA", &[165, 0, 3], "if v8 == v9 goto b1 else b1; b1:");
    check.only_does("AA", &[166, 0, 3], "if v8 != v9 goto b1 else b1; b1:");
    check.only_does("A", &[198, 0, 3], "if v8 == null goto b1 else b1; b1:");
    check.only_does("A", &[199, 0, 3], "if v8 != null goto b1 else b1; b1:");
    for (kind, number) in KINDS.chars().zip(0..) {
        let value = ["v0", "v2", "v4", "v6", "v8"][usize::from(number)];
        check.only_does(&kind.to_string(), &[172 + number], &format!("return {value}"));
    }
    check.only_does("A", &[191], "throw v8");
    check.only_does("", &[177], "");
    // Each switch begins at byte 2 and has one byte of padding.
    let table = [170, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0];
    check.only_does("I", &with_targets(&table), "switch v0: 7 -> b1, 8 -> b1; else b1; b1:");
    let lookup = [171, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0];
    check.only_does("I", &with_targets(&lookup), "switch v0: -1 -> b1; else b1; b1:");
}

/// A switch at byte 2 whose targets are the instruction after it.
fn with_targets(switch: &[u8]) -> Vec<u8> {
    let mut switch = switch.to_vec();
    let target = u32::try_from(switch.len()).expect("it is short").to_be_bytes();
    switch[2..6].copy_from_slice(&target);
    let places: Vec<usize> = if switch[0] == 170 { vec![14, 18] } else { vec![14] };
    places.into_iter().for_each(|place| switch[place..place + 4].copy_from_slice(&target));
    switch
}

#[test]
fn every_opcode_is_translated() {
    let mut check = Check { class: ClassBuilder::new(b"Opcodes", b"java/lang/Object"), done: BTreeSet::new() };
    constants(&mut check);
    numbers(&mut check);
    arrays(&mut check);
    objects(&mut check);
    ends(&mut check);
    // Opcodes that only move values or control are covered by random methods.
    let moves = |opcode: &u8| matches!(opcode, 0 | 21..=45 | 54..=78 | 87..=95 | 132 | 167..=169 | 196 | 200..=201);
    let all: BTreeSet<u8> = (0..=201).filter(|opcode| !moves(opcode) && *opcode != 186).collect();
    assert_eq!(check.done, all);
}
