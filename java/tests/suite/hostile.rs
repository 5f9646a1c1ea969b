//! Damaged and hostile class files and archives.

use crate::builder::{ClassBuilder, archive};
use crate::temporary::Folder;
use java::{Cause, Diagnostic, Limits, Program};
use std::path::PathBuf;
use std::time::{Duration, Instant};

fn load(path: PathBuf, limits: &Limits<'_>) -> (Program, Vec<Diagnostic>) {
    Program::load(&[path], &[], limits)
}

/// The classes and diagnostics of an archive, as text.
fn outcome(bytes: &[u8], limits: &Limits<'_>) -> (Vec<String>, Vec<String>) {
    let folder = Folder::new();
    let path = folder.write("a.jar", bytes);
    let (program, diagnostics) = load(path, limits);
    let classes = program.classes().map(|(id, _)| program.class_name(id)).collect();
    let prefix = folder.path().display().to_string();
    (classes, diagnostics.iter().map(|diagnostic| diagnostic.to_string().replace(&prefix, "")).collect())
}

fn class(name: &str) -> Vec<u8> {
    ClassBuilder::new(name.as_bytes(), b"java/lang/Object").build()
}

#[test]
fn a_damaged_entry_costs_that_entry_only() {
    let (good, other) = (class("Good"), class("Other"));
    let bytes = archive(&[
        ("Bad.class", &[&good[..20], &[99, 99]].concat()),
        ("Good.class", &good),
        ("None.class", b"text"),
        ("Other.class", &other),
        ("Twice.class", &good),
        ("readme.txt", b"text"),
    ]);
    let (classes, diagnostics) = outcome(&bytes, &Limits::default());
    assert_eq!(classes, ["Good", "Other"]);
    assert_eq!(
        diagnostics,
        [
            "/a.jar!Bad.class: is damaged, and left out: byte 20: the constant pool has an entry of the unknown kind 99",
            "/a.jar!None.class: is damaged, and left out: byte 0: is no class file: it does not begin with CAFEBABE",
            "/a.jar!Twice.class: the same class Good was found in /a.jar!Good.class before; this one is left out",
        ]
    );
}

#[test]
fn bytes_of_an_entry_that_are_changed_are_noticed() {
    let mut bytes = archive(&[("A.class", &class("A")), ("B.class", &class("B"))]);
    // A byte of the compressed first entry.
    bytes[45] ^= 0x55;
    let (classes, diagnostics) = outcome(&bytes, &Limits::default());
    assert_eq!(classes, ["B"]);
    assert!(diagnostics[0].starts_with("/a.jar!A.class: cannot be read: "), "{diagnostics:?}");
}

#[test]
fn bombs_are_not_unpacked() {
    let zeros = vec![0; 64 << 20];
    let mut bomb = class("Bomb");
    bomb.resize(64 << 20, 0);
    let bytes = archive(&[("a.class", &zeros), ("b.class", &bomb), ("c.class", &class("C"))]);
    assert!(bytes.len() < 1 << 20);
    let start = Instant::now();
    let (classes, diagnostics) = outcome(&bytes, &Limits::default());
    assert_eq!(classes, ["C"]);
    assert!(diagnostics[1].ends_with("b.class: is larger than 16777216 bytes, and left out"), "{diagnostics:?}");
    assert!(start.elapsed() < Duration::from_secs(5));
    // The total size is bounded as well.
    let limits = Limits { total_bytes: 1 << 20, ..Limits::default() };
    let (classes, diagnostics) = outcome(&bytes, &limits);
    assert!(classes.is_empty());
    let last = diagnostics.last().expect("there is one");
    assert_eq!(last, "/a.jar!b.class: a limit is reached; from here on nothing is read");
}

#[test]
fn names_lead_nowhere() {
    let folder = Folder::new();
    let bytes = archive(&[
        ("../../evil.class", &class("Evil")),
        ("/etc/absolute.class", &class("Absolute")),
        ("\x1b[31mred\n.class", b"text"),
    ]);
    let path = folder.write("a.jar", &bytes);
    let (program, diagnostics) = load(path, &Limits::default());
    assert_eq!(program.classes().len(), 2);
    let text: Vec<_> = diagnostics.iter().map(ToString::to_string).collect();
    assert!(text[0].contains("\\u{1b}[31mred\\n.class: "), "{text:?}");
    // No file was written.
    let files = std::fs::read_dir(folder.path()).expect("it can be read").count();
    assert_eq!(files, 1);
}

#[test]
fn archives_are_read_in_archives_but_no_deeper() {
    let innermost = archive(&[("C.class", &class("C"))]);
    let inner = archive(&[("B.class", &class("B")), ("c.jar", &innermost)]);
    let bytes = archive(&[
        ("WEB-INF/classes/A.class", &class("A")),
        ("WEB-INF/lib/b.jar", &inner),
        ("META-INF/versions/21/A.class", &class("A")),
    ]);
    let folder = Folder::new();
    let (program, diagnostics) = load(folder.write("a.war", &bytes), &Limits::default());
    let classes: Vec<_> = program.classes().map(|(id, class)| (program.class_name(id), class.is_library)).collect();
    assert_eq!(classes, [("A".to_string(), false), ("B".to_string(), true)]);
    let [diagnostic] = &diagnostics[..] else { panic!("{diagnostics:?}") };
    assert!(
        diagnostic
            .to_string()
            .ends_with("/a.war!WEB-INF/lib/b.jar!c.jar: is an archive in an archive in an archive, and left out")
    );
}

#[test]
fn encrypted_entries_are_left_out() {
    let mut bytes = archive(&[("A.class", &class("A"))]);
    // The encryption flag, in the header of the entry and in the directory of the archive.
    for (start, flags) in [(&b"PK\x03\x04"[..], 6), (b"PK\x01\x02", 8)] {
        let at = bytes.windows(4).position(|window| window == start).expect("it exists");
        bytes[at + flags] |= 1;
    }
    let (classes, diagnostics) = outcome(&bytes, &Limits::default());
    assert!(classes.is_empty());
    assert_eq!(diagnostics, ["/a.jar!A.class: is encrypted, and left out"]);
}

#[test]
fn truncated_archives_are_salvaged() {
    let names = ["A", "B", "C", "D"];
    let files: Vec<_> = names.iter().map(|name| (format!("{name}.class"), class(name))).collect();
    let entries: Vec<_> = files.iter().map(|(name, bytes)| (name.as_str(), &bytes[..])).collect();
    let bytes = archive(&entries);
    let start = |name: &str| bytes.windows(7).position(|window| window == format!("{name}.class").as_bytes());
    let of_d = start("D").expect("it exists");
    // Truncated in the last entry.
    let (classes, diagnostics) = outcome(&bytes[..of_d + 30], &Limits::default());
    assert_eq!(classes, ["A", "B", "C"]);
    assert!(diagnostics[0].starts_with("/a.jar: the archive is damaged, and its entries are looked for one by one: "));
    assert!(diagnostics[1].starts_with("/a.jar!D.class: cannot be read: "), "{diagnostics:?}");
    // Without its directory, and with a damaged entry; then uncompressed, and in the format of streams.
    let mut damaged = bytes[..bytes.len() - 10].to_vec();
    let of_b = start("B").expect("it exists");
    damaged[of_b + 15] ^= 0x55;
    assert_eq!(outcome(&damaged, &Limits::default()).0, ["A", "C", "D"]);
    let mut stored = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let mut streamed = zip::ZipWriter::new_stream(Vec::new());
    let options = zip::write::SimpleFileOptions::default();
    for (name, bytes) in &entries {
        stored.start_file(*name, options.compression_method(zip::CompressionMethod::Stored)).expect("it can be begun");
        streamed.start_file(*name, options).expect("it can be begun");
        std::io::Write::write_all(&mut stored, bytes).expect("it can be written");
        std::io::Write::write_all(&mut streamed, bytes).expect("it can be written");
    }
    let stored = stored.finish().expect("it can be finished").into_inner();
    let streamed = streamed.finish().expect("it can be finished").into_inner();
    for whole in [stored, streamed] {
        assert_eq!(outcome(&whole[..whole.len() - 10], &Limits::default()).0, names);
    }
}

#[test]
fn a_hundred_thousand_entries() {
    let good = class("Good");
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for number in 0..100_000 {
        writer.start_file(format!("{number:06}.class"), stored).expect("an entry can be begun");
    }
    writer.start_file("z.class", stored).expect("an entry can be begun");
    std::io::Write::write_all(&mut writer, &good).expect("it can be written");
    let bytes = writer.finish().expect("it can be finished").into_inner();
    let start = Instant::now();
    let (classes, diagnostics) = outcome(&bytes, &Limits::default());
    assert_eq!(classes, ["Good"]);
    assert_eq!(diagnostics.len(), 10_001);
    assert!(diagnostics[10_000].ends_with("099999.class: and 90000 more"), "{:?}", diagnostics.last());
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    let limits = Limits { entries: 1000, ..Limits::default() };
    assert!(outcome(&bytes, &limits).1[0].contains("a limit is reached"));
}

#[test]
fn reading_can_be_cancelled() {
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let is_cancelled = || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) > 8;
    let limits = Limits { is_cancelled: &is_cancelled, ..Limits::default() };
    let entries: Vec<_> = (b'a'..=b'z')
        .map(|letter| (format!("{}.class", letter as char), class(&(letter as char).to_string())))
        .collect();
    let entries: Vec<_> = entries.iter().map(|(name, bytes)| (name.as_str(), &bytes[..])).collect();
    let (classes, diagnostics) = outcome(&archive(&entries), &limits);
    assert!(classes.len() < 26);
    assert!(diagnostics[0].contains("reading was cancelled"), "{diagnostics:?}");
}

#[test]
fn other_files_and_none() {
    let folder = Folder::new();
    let (program, diagnostics) = load(folder.write("a.txt", b"text"), &Limits::default());
    assert_eq!(program.classes().len(), 0);
    assert!(matches!(diagnostics[0].cause, Cause::UnknownKind));
    let (_, diagnostics) = load(folder.path().join("none.jar"), &Limits::default());
    assert!(matches!(diagnostics[0].cause, Cause::Unreadable(_)));
    let (_, diagnostics) = load(folder.write("b.jar", b"PK\x03\x04nothing"), &Limits::default());
    assert!(matches!(diagnostics[0].cause, Cause::Archive(_)), "{diagnostics:?}");
    let (_, diagnostics) = load(folder.write("c.class", &[]), &Limits::default());
    assert!(matches!(diagnostics[0].cause, Cause::UnknownKind));
}

#[test]
fn folders_may_be_deep_and_linked_to_themselves() {
    let folder = Folder::new();
    let mut path = folder.path().to_path_buf();
    for _ in 0..300 {
        path.push("deep");
        std::fs::create_dir(&path).expect("a folder can be made");
    }
    std::fs::write(path.join("A.class"), class("A")).expect("it can be written");
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path(), folder.path().join("loop")).expect("a link can be made");
    let (program, diagnostics) = load(folder.path().to_path_buf(), &Limits::default());
    assert_eq!((program.classes().len(), diagnostics.len()), (1, 0));
}

/// Loads classes from one archive and exercises them on a small stack.
fn on_a_small_stack(classes: Vec<Vec<u8>>) -> (usize, Vec<String>) {
    let run = move || {
        let folder = Folder::new();
        let names: Vec<String> = (0..classes.len()).map(|number| format!("{number:06}.class")).collect();
        let entries: Vec<_> = names.iter().zip(&classes).map(|(name, bytes)| (name.as_str(), &bytes[..])).collect();
        let (program, diagnostics) = load(folder.write("a.jar", &archive(&entries)), &Limits::default());
        if classes.len() < 1000 {
            crate::mutated::exercise(&program);
        } else {
            let last = program.classes().len() - 1;
            let ends = program.classes().step_by(last).map(|(id, _)| id);
            let counts = ends.map(|id| program.supertypes(id).len() + program.subtypes(id).len());
            assert!(counts.max() >= Some(classes.len()));
        }
        (program.classes().len(), diagnostics.iter().map(|diagnostic| diagnostic.cause.to_string()).collect())
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(run).expect("a thread can be started");
    thread.join().expect("the stack is large enough")
}

#[test]
fn hierarchies_may_be_deep_or_go_round() {
    let chain = |count: usize, closes: bool| {
        let class = |number: usize| {
            let above = if closes { (number + 1) % count } else { number + 1 };
            let mut class = ClassBuilder::new(format!("C{number}").as_bytes(), format!("C{above}").as_bytes());
            class.interface(format!("C{number}").as_bytes());
            class.method("m", &[177], &[]);
            class.build()
        };
        (0..count).map(class).collect::<Vec<_>>()
    };
    let (count, diagnostics) = on_a_small_stack(chain(20_000, false));
    // Each class also declares that it implements itself.
    assert_eq!(count, 20_000);
    assert_eq!(diagnostics.len(), 10_001);
    let (count, diagnostics) = on_a_small_stack(chain(50, true));
    assert_eq!((count, diagnostics.len()), (50, 50));
    let link = "the class C49 extends or implements itself; the link is left out";
    assert!(diagnostics.iter().any(|diagnostic| diagnostic == link), "{diagnostics:?}");
}

#[test]
fn the_largest_method() {
    // 64 KiB of alternating push and pop instructions, with a handler for each of them, in the worst order for a
    // search.
    let mut code: Vec<u8> = [3, 87].repeat(32_766);
    code.push(177);
    code.extend([191, 177]);
    let handlers: Vec<[u16; 3]> = (0..60_000).map(|at: u16| [at, at + 1, 65_533]).collect();
    let mut class = ClassBuilder::new(b"Large", b"");
    class.method("m", &code, &handlers);
    // A long chain of jumps, each to the previous one.
    let mut jumps = vec![167, 0xFF, 0xF9];
    while jumps.len() < 65_000 {
        jumps.extend([167, 0xFF, 0xFD]);
    }
    class.method("jumps", &jumps, &[]);
    let start = Instant::now();
    let folder = Folder::new();
    let (program, diagnostics) = load(folder.write("a.class", &class.build()), &Limits::default());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let [large, jumps] =
        [0, 1].map(|index| program.classes().next().expect("it exists").1.methods().nth(index).expect("it exists"));
    let code = program.code(large).expect("the code is valid").expect("the method has code");
    assert_eq!(code.len(), 65_535);
    let stacks = program.stacks(&code).expect("the code is valid");
    assert!(code.instructions().take(65_534).all(|(index, _)| stacks.before(index).is_some()));
    assert!(program.code(jumps).expect_err("it jumps out").to_string().contains("control would go to byte -7"));
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    // One byte more is too much.
    let mut class = ClassBuilder::new(b"Larger", b"");
    class.method("m", &[0].repeat(65_536), &[]);
    let (program, diagnostics) = load(folder.write("b.class", &class.build()), &Limits::default());
    assert_eq!(program.classes().len(), 1);
    assert!(diagnostics[0].to_string().contains("65536 bytes of code are not possible"), "{diagnostics:?}");
}

#[test]
fn stacks_may_be_high() {
    // Pushes 65,000 values, which yields as many different stacks.
    let mut code = vec![3; 65_000];
    code.push(177);
    let mut class = ClassBuilder::new(b"High", b"");
    class.method("m", &code, &[]);
    let folder = Folder::new();
    let (program, _) = load(folder.write("a.class", &class.build()), &Limits::default());
    let (id, _) = program.methods().next().expect("it exists");
    let code = program.code(id).expect("the code is valid").expect("the method has code");
    let stacks = program.stacks(&code).expect("the code is valid");
    let (last, _) = code.instructions().last().expect("there is one");
    assert_eq!(stacks.before(last).map(Iterator::count), Some(65_000));
}

#[test]
fn wrong_code_is_an_error() {
    let cases: [(&[u8], &str); 11] = [
        (&[0], "control runs off the end"),
        (&[203], "there is no opcode 0xcb"),
        (&[167, 0, 1, 177], "control would go to byte 1"),
        (&[167, 0, 9, 177], "control would go to byte 9"),
        (&[17, 0], "ends in the middle"),
        (&[196, 0, 0, 0, 177], "there is no opcode 0x00"),
        (&[170, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 1], "a switch has impossible bounds"),
        (&[171, 0, 0, 0, 0, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF], "a switch has impossible bounds"),
        (&[188, 3, 87, 177], "an array of a type that there is not"),
        (&[18, 200, 87, 177], "entry 200 should be a constant of one slot"),
        (&[182, 0, 1, 177], "entry 1 should be a method"),
    ];
    let folder = Folder::new();
    for (code, expected) in cases {
        let mut class = ClassBuilder::new(b"Wrong", b"");
        class.method("m", code, &[]);
        class.method("fine", &[177], &[]);
        let (program, diagnostics) = load(folder.write("a.class", &class.build()), &Limits::default());
        assert!(diagnostics.is_empty());
        let mut methods = program.methods().map(|(id, _)| program.code(id));
        let error = methods.next().expect("it exists").expect_err("it is wrong").to_string();
        assert!(error.starts_with("the code of Wrong.m()V is damaged: byte ") && error.contains(expected), "{error}");
        assert!(methods.next().expect("it exists").is_ok());
    }
}

#[test]
fn wrong_stacks_are_an_error() {
    let cases: [(&[u8], &str); 5] = [
        (&[87, 177], "instruction 0: the operand stack does not hold"),
        (&[9, 87, 177], "instruction 1: the operand stack does not hold"),
        (&[3, 191], "instruction 1: the operand stack does not hold"),
        (&[9, 3, 95, 177], "instruction 2: the operand stack does not hold"),
        // A loop that pushes.
        (&[3, 167, 0xFF, 0xFF], "instruction 0: two paths lead here"),
    ];
    let folder = Folder::new();
    for (code, expected) in cases {
        let mut class = ClassBuilder::new(b"Wrong", b"");
        class.method("m", code, &[]);
        let (program, _) = load(folder.write("a.class", &class.build()), &Limits::default());
        let (id, _) = program.methods().next().expect("it exists");
        let code = program.code(id).expect("it can be decoded").expect("the method has code");
        let error = program.stacks(&code).expect_err("it is wrong").to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn names_with_lone_surrogates_and_versions() {
    let folder = Folder::new();
    let mut odd = ClassBuilder::new(b"Odd\xED\xA0\x80", b"Super\xED\xA0\x80");
    odd.version = 70;
    folder.write("a.class", &odd.build());
    folder.write("b.class", &ClassBuilder::new(b"Super\xED\xA0\x80", b"").build());
    folder.write("c.class", &ClassBuilder::new(b"Super\\u{d800}", b"").build());
    let mut ancient = ClassBuilder::new(b"Ancient", b"");
    ancient.version = 44;
    folder.write("d.class", &ancient.build());
    let (program, diagnostics) = load(folder.path().to_path_buf(), &Limits::default());
    let causes: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.cause.to_string()).collect();
    assert_eq!(
        causes,
        [
            "has version 70, which is newer than what is known",
            "is damaged, and left out: byte 8: has version 44, which there is not"
        ]
    );
    let classes: Vec<_> = program.classes().map(|(id, _)| id).collect();
    assert_eq!(classes.len(), 3);
    assert_eq!(program.superclass(classes[0]), Some(classes[1]));
}
