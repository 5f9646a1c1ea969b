//! The reader is compared on the installed Java with two other readers (the crate cafebabe and `javap`) and with the
//! stack maps of compilers. Without a JDK these tests print that they are skipped.

use crate::temporary::Folder;
use java::{Code, Instruction, Limits, MethodId, Program};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The archive of the class library of each installed JDK.
pub fn java_base() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = jdks().iter().map(|jdk| jdk.join("jmods/java.base.jmod")).collect();
    found.retain(|path| path.is_file());
    if found.is_empty() {
        eprintln!("skipped: no JDK in /usr/lib/jvm or JAVA_HOME");
    }
    found
}

/// The folders of the JDKs, each once.
fn jdks() -> Vec<PathBuf> {
    let installed = std::fs::read_dir("/usr/lib/jvm").into_iter().flatten().flatten().map(|entry| entry.path());
    let home = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    let mut found: Vec<PathBuf> = installed.chain(home).filter_map(|path| path.canonicalize().ok()).collect();
    found.sort();
    found.dedup();
    found
}

/// Checks that stacks agree with the stack maps of the compiler and do not exceed the declared maximum. Returns the
/// number of compared stacks.
pub fn stacks_agree(program: &Program, id: MethodId, code: &Code) -> usize {
    let name = program.method_name(id);
    let stacks = program.stacks(code).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut highest = 0;
    for (index, _) in code.instructions() {
        let slots = stacks.before(index).map_or(0, |stack| stack.map(|kind| kind.slots()).sum());
        highest = highest.max(slots);
    }
    assert!(highest <= usize::from(code.max_stack), "{name}: {highest} slots");
    let declared = program.declared_stacks(id, code).unwrap_or_else(|error| panic!("{error}"));
    let mut compared = 0;
    for (index, declared) in declared {
        // Stack maps also describe unreachable code.
        let Some(stack) = stacks.before(index) else { continue };
        let mut stack: Vec<_> = stack.collect();
        stack.reverse();
        assert_eq!(stack, declared, "{name} at {}", code.byte(index));
        compared += 1;
    }
    compared
}

/// Decodes all code of a program. Returns the numbers of methods, instructions and compared stacks.
fn check_all(program: &Program) -> [usize; 3] {
    let mut counts = [0; 3];
    for (id, _) in program.methods() {
        let Some(code) = program.code(id).unwrap_or_else(|error| panic!("{error}")) else { continue };
        let compared = stacks_agree(program, id, &code);
        for (count, more) in counts.iter_mut().zip([1, code.len(), compared]) {
            *count += more;
        }
    }
    counts
}

#[test]
fn java_base_is_read_completely() {
    for path in java_base() {
        let (program, diagnostics) = Program::load(std::slice::from_ref(&path), &[], &Limits::default());
        assert!(diagnostics.is_empty(), "{}: {:?}", path.display(), diagnostics.first());
        let [methods, instructions, compared] = check_all(&program);
        eprintln!(
            "{}: {} classes, {methods} methods, {instructions} instructions, {compared} stacks",
            path.display(),
            program.classes().len()
        );
        assert!(program.classes().len() > 5000 && methods > 40_000 && compared > 50_000);
        let list = program.find("java.util.ArrayList").expect("it exists");
        let supertypes = program.supertypes(list);
        assert!(program.is_complete(list));
        assert!(supertypes.contains(&program.find("java.util.Collection").expect("it exists")));
    }
}

/// The class files of an archive.
fn class_files(path: &Path) -> Vec<Vec<u8>> {
    let mut bytes = std::fs::read(path).expect("it can be read");
    if bytes.starts_with(b"JM") {
        bytes.drain(..4);
    }
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).expect("it is an archive");
    let mut files = Vec::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).expect("it can be read");
        if file.name_raw().ends_with(b".class") && !file.name_raw().starts_with(b"META-INF/versions/") {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).expect("it can be read");
            files.push(bytes);
        }
    }
    files
}

/// The facts about a method that two readers must agree on.
#[derive(Debug, PartialEq, Eq)]
struct Reading {
    bytes: Vec<usize>,
    lines: BTreeMap<usize, u16>,
    handlers: Vec<(usize, Option<String>)>,
    invoked: Vec<String>,
}

fn our_reading(program: &Program, id: MethodId) -> Option<Reading> {
    let code = program.code(id).unwrap_or_else(|error| panic!("{error}"))?;
    let text = |name| program.text(name).to_string();
    let invoked = code.instructions().filter_map(|(_, instruction)| match instruction {
        Instruction::Invoke(_, member) => {
            Some(format!("{}.{}{}", text(member.class), text(member.name), text(member.descriptor)))
        }
        _ => None,
    });
    Some(Reading {
        bytes: code.instructions().map(|(index, _)| code.byte(index).into()).collect(),
        lines: code
            .instructions()
            .filter_map(|(index, _)| Some((code.byte(index).into(), code.line(index)?)))
            .collect(),
        handlers: code
            .handlers()
            .iter()
            .map(|handler| (code.byte(handler.target).into(), handler.catches.map(text)))
            .collect(),
        invoked: invoked.collect(),
    })
}

fn cafebabes_reading(code: &cafebabe::attributes::CodeData<'_>) -> Reading {
    use cafebabe::bytecode::Opcode;
    let opcodes = &code.bytecode.as_ref().expect("it was asked for").opcodes;
    let mut entries = Vec::new();
    for attribute in &code.attributes {
        if let cafebabe::attributes::AttributeData::LineNumberTable(lines) = &attribute.data {
            entries.extend(lines.iter().map(|line| (usize::from(line.start_pc), line.line_number)));
        }
    }
    let line = |byte: usize| {
        let before = entries.iter().enumerate().filter(|(_, entry)| entry.0 <= byte);
        before.max_by_key(|(place, entry)| (entry.0, *place)).map(|(_, entry)| entry.1).filter(|line| *line != 0)
    };
    let invoked = opcodes.iter().filter_map(|(_, opcode)| match opcode {
        Opcode::Invokeinterface(member, _)
        | Opcode::Invokespecial(member)
        | Opcode::Invokestatic(member)
        | Opcode::Invokevirtual(member) => {
            Some(format!("{}.{}{}", member.class_name, member.name_and_type.name, member.name_and_type.descriptor))
        }
        _ => None,
    });
    Reading {
        bytes: opcodes.iter().map(|opcode| opcode.0).collect(),
        lines: opcodes.iter().filter_map(|(byte, _)| Some((*byte, line(*byte)?))).collect(),
        handlers: code
            .exception_table
            .iter()
            .map(|entry| (entry.handler_pc.into(), entry.catch_type.as_ref().map(ToString::to_string)))
            .collect(),
        invoked: invoked.collect(),
    }
}

/// Compares the classes of an archive; gives how many methods with code were compared.
fn compare_with_cafebabe(path: &Path, every: usize) -> usize {
    let program = Program::load(&[path.to_path_buf()], &[], &Limits::default()).0;
    let mut compared = 0;
    for bytes in class_files(path).iter().step_by(every) {
        let Ok(other) = cafebabe::parse_class(bytes) else {
            eprintln!("{}: a class that cafebabe refuses", path.display());
            continue;
        };
        let Some(id) = program.find(&other.this_class.to_string()) else {
            assert!(other.access_flags.contains(cafebabe::ClassAccessFlags::MODULE), "{}", other.this_class);
            continue;
        };
        let class = program.class(id);
        assert_eq!(
            class.superclass.map(|name| program.text(name).to_string()),
            other.super_class.as_ref().map(ToString::to_string)
        );
        assert_eq!((class.flags.0 & 0x7631, class.version), (other.access_flags.bits() & 0x7631, other.major_version));
        assert_eq!((class.interfaces.len(), class.fields().len()), (other.interfaces.len(), other.fields.len()));
        assert_eq!(class.methods().len(), other.methods.len());
        for (method, other) in class.methods().zip(&other.methods) {
            assert_eq!(program.text(program.method(method).name), other.name);
            assert_eq!(program.text(program.method(method).descriptor), other.descriptor.to_string());
            let code = other.attributes.iter().find_map(|attribute| match &attribute.data {
                cafebabe::attributes::AttributeData::Code(code) => Some(code),
                _ => None,
            });
            let ours = our_reading(&program, method);
            compared += usize::from(ours.is_some());
            assert_eq!(ours, code.map(cafebabes_reading), "{}", program.method_name(method));
        }
    }
    compared
}

#[test]
fn another_reader_reads_the_same() {
    for path in java_base() {
        let compared = compare_with_cafebabe(&path, 7);
        eprintln!("{}: {compared} methods compared", path.display());
        assert!(compared > 5000);
    }
}

/// The facts about a method with code in the output of `javap -c -p`.
#[derive(Debug, Default, PartialEq, Eq)]
struct Printed {
    /// The bytes of its instructions.
    bytes: Vec<usize>,
    handlers: usize,
}

/// The output of `javap -c -p` by class.
fn javap(jdk: &Path, classes: &[PathBuf]) -> Option<HashMap<String, Vec<Printed>>> {
    let output = Command::new(jdk.join("bin/javap")).args(["-c", "-p"]).args(classes).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut found: HashMap<String, Vec<Printed>> = HashMap::new();
    let mut class = String::new();
    let mut in_handlers = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if !line.starts_with(' ') && line.ends_with('{') {
            let mut words = line.split_whitespace().skip_while(|word| !["class", "interface"].contains(word));
            class = words.nth(1).unwrap_or_default().split('<').next().unwrap_or_default().to_string();
            continue;
        }
        match trimmed {
            "Code:" => found.entry(class.clone()).or_default().push(Printed::default()),
            "Exception table:" | "" => {}
            _ => {
                let Some(method) = found.get_mut(&class).and_then(|methods| methods.last_mut()) else { continue };
                let is_row = trimmed.starts_with(|one: char| one.is_ascii_digit());
                match trimmed.split_once(": ") {
                    _ if in_handlers => method.handlers += usize::from(is_row),
                    // This excludes the cases of a switch, which have numbers on both sides.
                    Some((byte, opcode)) if opcode.starts_with(|one: char| one.is_ascii_lowercase()) => {
                        method.bytes.extend(byte.parse::<usize>());
                    }
                    _ => {}
                }
                continue;
            }
        }
        in_handlers = trimmed == "Exception table:";
    }
    Some(found)
}

#[test]
fn javap_prints_the_same() {
    let Some(path) = java_base().into_iter().next() else { return };
    let jdk = path.ancestors().nth(2).expect("jmods stands in a JDK");
    let folder = Folder::new();
    let files = class_files(&path);
    let mut random = fastrand::Rng::with_seed(12);
    let sample = (0..60).map(|number| {
        let bytes = &files[random.usize(..files.len())];
        folder.write(&format!("{number}.class"), bytes)
    });
    let sample: Vec<PathBuf> = sample.collect();
    let Some(printed) = javap(jdk, &sample) else {
        eprintln!("skipped: no javap in {}", jdk.display());
        return;
    };
    let program = Program::load(&sample, &[], &Limits::default()).0;
    let mut compared = 0;
    for (id, class) in program.classes() {
        let Some(printed) = printed.get(&program.class_name(id)) else { continue };
        let ours = class.methods().filter_map(|method| {
            let code = program.code(method).unwrap_or_else(|error| panic!("{error}"))?;
            let bytes = code.instructions().map(|(index, _)| usize::from(code.byte(index))).collect();
            Some(Printed { bytes, handlers: code.handlers().len() })
        });
        assert_eq!(&ours.collect::<Vec<_>>(), printed, "{}", program.class_name(id));
        compared += printed.len();
    }
    eprintln!("{compared} methods compared with javap");
    assert!(compared > 200);
}

/// All archives in the usual folders of the machine.
pub fn archives() -> BTreeSet<PathBuf> {
    let mut open: Vec<PathBuf> = vec!["/usr/share".into(), "/usr/lib".into(), "/opt".into(), "/usr/local".into()];
    let mut archives = BTreeSet::new();
    while let Some(path) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&path) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "jar" || extension == "jmod") {
                archives.extend(path.canonicalize());
            }
        }
    }
    archives
}

/// `cargo test --release -p asercheck-java -- --ignored everything`
#[test]
#[ignore = "minutes: all archives of the machine"]
fn everything_on_the_machine() {
    let archives = archives();
    let mut sums = [0; 4];
    for path in &archives {
        let (program, diagnostics) = Program::load(std::slice::from_ref(path), &[], &Limits::default());
        for diagnostic in &diagnostics {
            eprintln!("{diagnostic}");
        }
        let [methods, instructions, compared] = check_all(&program);
        let other = compare_with_cafebabe(path, 1);
        assert!(other <= methods);
        for (sum, more) in sums.iter_mut().zip([program.classes().len(), methods, instructions, compared]) {
            *sum += more;
        }
    }
    eprintln!("{} archives: classes, methods, instructions, stacks compared: {sums:?}", archives.len());
}
