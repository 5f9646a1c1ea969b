//! Reading the class files in `models/java/reader` and `models/java/reader8`.

use crate::{load, models};
use java::{
    AnnotationValue, CallSite, CallSiteAction, ClassId, Code, Constant, HandleKind, Instruction, InvokeKind, Kind,
    Lookup, Member, MethodId, Program, StackOperation, Type,
};

fn program() -> Program {
    load(&[models().join("reader")])
}

fn class(program: &Program, name: &str) -> ClassId {
    program.find(name).unwrap_or_else(|| panic!("{name} is there"))
}

/// The first method with a name.
fn method(program: &Program, class_name: &str, name: &str) -> MethodId {
    let mut methods = program.class(class(program, class_name)).methods();
    methods
        .find(|method| program.text(program.method(*method).name) == name)
        .unwrap_or_else(|| panic!("{name} is there"))
}

fn code(program: &Program, class_name: &str, name: &str) -> Code {
    let code = program.code(method(program, class_name, name)).expect("it is not damaged");
    code.expect("the method has code")
}

fn call_sites(program: &Program, class_name: &str, name: &str) -> Vec<CallSite> {
    let code = code(program, class_name, name);
    let site = |instruction| match instruction {
        Instruction::InvokeDynamic(id) => Some(code.call_site(id).clone()),
        _ => None,
    };
    code.instructions().filter_map(|(_, instruction)| site(instruction)).collect()
}

#[test]
fn classes_and_their_parts() {
    let program = program();
    assert_eq!(program.classes().len(), 13);
    let reader = program.class(class(&program, "reader.Reader"));
    assert_eq!(program.text(reader.name), "reader/Reader");
    assert_eq!(reader.superclass.map(|name| program.text(name)), Some("reader/Base"));
    assert_eq!(reader.interfaces.iter().map(|name| program.text(*name)).collect::<Vec<_>>(), ["reader/Shape"]);
    assert_eq!(reader.source_file.map(|name| program.text(name)), Some("Reader.java"));
    assert_eq!((reader.version, reader.is_library), (61, false));
    let fields: Vec<_> = reader.fields().map(|field| program.text(program.field(field).name)).collect();
    assert_eq!(fields, ["count", "LOCK", "longs", "grid"]);
    let [count, lock] = [0, 1].map(|index| program.field(reader.fields().nth(index).expect("it exists")));
    assert!(count.flags.is_volatile() && count.flags.is_private() && !count.flags.is_static());
    assert!(lock.flags.is_final() && lock.flags.is_static());
    assert_eq!(program.field_type(count.descriptor), Some(Type::Int));
    let flags = |name| program.method(method(&program, "reader.Reader", name)).flags;
    assert!(flags("next").is_synchronized() && !flags("area").is_synchronized());
    assert!(flags("outside").is_native());
    assert!(!program.method(method(&program, "reader.Reader", "outside")).has_code());
    // `self` occurs twice: the method, and a bridge with the result type of the interface.
    let selves = reader.methods().filter(|method| program.text(program.method(*method).name) == "self");
    assert_eq!(selves.map(|method| program.method(method).flags.is_bridge()).collect::<Vec<_>>(), [false, true]);
    assert!(program.class(class(&program, "reader.Shape")).flags.is_interface());
    assert!(program.class(class(&program, "reader.Reader$Colour")).flags.is_enum());
}

#[test]
fn nests_and_records() {
    let program = program();
    let inner = class(&program, "reader.Reader$Inner");
    assert_eq!(program.text(program.nest_host(inner)), "reader/Reader");
    assert_eq!(program.class(inner).outer.map(|name| program.text(name)), Some("reader/Reader"));
    assert_eq!(program.class(class(&program, "reader.Reader")).outer, None);
    let point = program.class(class(&program, "reader.Reader$Point"));
    let components = point.record.as_deref().expect("it is a record");
    assert_eq!(components.iter().map(|name| program.text(*name)).collect::<Vec<_>>(), ["x", "y"]);
    let sites = call_sites(&program, "reader.Reader$Point", "hashCode");
    assert_eq!(sites.iter().map(|site| site.action).collect::<Vec<_>>(), [CallSiteAction::RecordMethod]);
}

#[test]
fn annotations() {
    let program = program();
    let reader = program.class(class(&program, "reader.Reader"));
    let count = program.field(reader.fields().next().expect("there is a field"));
    let [guarded] = &*count.annotations else { panic!("{:?}", count.annotations) };
    assert_eq!(program.text(guarded.class), "reader/Reader$GuardedBy");
    let element = |name| guarded.element(program.name(name).expect("it is known"));
    let Some(AnnotationValue::String(value)) = element("value") else { panic!("{guarded:?}") };
    assert_eq!(program.text(*value), "this");
    let levels = AnnotationValue::Array(Box::new([AnnotationValue::Int(1), AnnotationValue::Int(2)]));
    assert_eq!(element("levels"), Some(&levels));
    // Nested annotations are skipped; the elements after them are not.
    let next = program.method(method(&program, "reader.Reader", "next"));
    let [checked] = &*next.annotations else { panic!("{:?}", next.annotations) };
    let by = checked.element(program.name("by").expect("it is known"));
    let Some(AnnotationValue::Class(by)) = by else { panic!("{checked:?}") };
    assert_eq!(program.text(*by), "Lreader/Reader;");
}

#[test]
fn monitors_and_lines() {
    let program = program();
    let code = code(&program, "reader.Reader", "monitors");
    let count = |wanted| code.instructions().filter(|(_, instruction)| *instruction == wanted).count();
    // One normal exit and one exceptional exit.
    assert_eq!((count(Instruction::MonitorEnter), count(Instruction::MonitorExit)), (3, 6));
    let source = std::fs::read_to_string(models().join("reader/Reader.java")).expect("the source is there");
    let line = |text: &str| source.lines().position(|line| line.contains(text)).expect("it exists") + 1;
    let (put, _) = code
        .instructions()
        .find(|(_, instruction)| matches!(instruction, Instruction::PutField(_)))
        .expect("a field is written");
    assert_eq!(code.line(put).map(usize::from), Some(line("count = 1;")));
    // javac lets the handlers of a monitor cover themselves.
    assert!(code.handlers().iter().any(|handler| handler.covers.contains(&handler.target.index())));
    assert_eq!(code.handlers_at(put).map(|handler| handler.catches).collect::<Vec<_>>(), [None]);
}

#[test]
fn branches_switches_and_handlers() {
    let program = program();
    let code_of = |name| code(&program, "reader.Reader", name);
    let choose = code_of("choose");
    let switches = choose.instructions().filter_map(|(_, instruction)| match instruction {
        Instruction::Switch(id) => Some(choose.switch(id).cases.iter().map(|case| case.0).collect::<Vec<_>>()),
        _ => None,
    });
    assert_eq!(switches.collect::<Vec<_>>(), [vec![1, 2, 3, 4], vec![-1_000_000, 1_000_000]]);
    let (first, dense) = choose
        .instructions()
        .find_map(|(index, instruction)| match instruction {
            Instruction::Switch(id) => Some((index, choose.switch(id).clone())),
            _ => None,
        })
        .expect("there is a switch");
    // 3 is not a case and has the default target; the other targets load 10, 20 and 40.
    assert_eq!(dense.cases[2].1, dense.default);
    let loaded = |at| choose.instruction(at);
    let tens = [0, 1, 3].map(|case: usize| loaded(dense.cases[case].1));
    assert_eq!(tens, [10, 20, 40].map(|value| Instruction::Constant(Constant::Int(value))));
    assert_eq!(choose.successors(first).len(), 4);
    let handlers = code_of("handlers");
    let catches = |name| {
        let catch = |handler: &&java::Handler| handler.catches.is_some_and(|found| program.text(found) == name);
        handlers.handlers().iter().filter(catch).count()
    };
    assert_eq!(["java/lang/ClassCastException", "java/lang/NullPointerException"].map(catches), [1, 1]);
    assert!(handlers.handlers().iter().any(|handler| handler.catches.is_none()));
}

#[test]
fn call_sites_are_understood() {
    let program = program();
    let only = |name| {
        let [site] = &call_sites(&program, "reader.Reader", name)[..] else { panic!("{name} has one call site") };
        site.clone()
    };
    let lambda = |name| match only(name).action {
        CallSiteAction::Lambda { implementation, declared } => {
            let member = implementation.member;
            (implementation.kind, program.text(member.name).to_string(), program.text(declared).to_string())
        }
        other => panic!("{other:?}"),
    };
    let (kind, implementation, declared) = lambda("lambda");
    assert_eq!((kind, &*declared), (HandleKind::InvokeVirtual, "()I"));
    assert!(implementation.starts_with("lambda$lambda$"), "{implementation}");
    // The captured values: the receiver and an int.
    let captured = program.method_type(only("lambda").descriptor).expect("it is a descriptor");
    assert_eq!(
        captured.parameters.iter().map(|parameter| parameter.kind()).collect::<Vec<_>>(),
        [Kind::Reference, Kind::Int]
    );
    assert_eq!(lambda("bound"), (HandleKind::InvokeVirtual, "next".into(), "()Ljava/lang/Object;".into()));
    assert_eq!(lambda("constructor").0, HandleKind::NewInvokeSpecial);
    assert_eq!(only("text").action, CallSiteAction::Concatenation);
    let made: Vec<_> = program.instantiated().into_iter().map(|class| program.class_name(class)).collect();
    assert!(
        made.contains(&"reader.Reader".to_string()) && made.contains(&"reader.Reader$Colour".to_string()),
        "{made:?}"
    );
    assert!(!made.contains(&"reader.Both".to_string()));
}

#[test]
fn slots_agree_with_the_stack_maps() {
    let program = program();
    let id = method(&program, "reader.Reader", "slots");
    let code = code(&program, "reader.Reader", "slots");
    let stacks = program.stacks(&code).expect("javac's code is right");
    let before = |operation| {
        let (at, _) = code
            .instructions()
            .find(|(_, instruction)| *instruction == Instruction::Stack(operation))
            .unwrap_or_else(|| panic!("{operation:?} is there"));
        stacks.before(at).expect("it is reached").collect::<Vec<_>>()
    };
    // `longs[index] += by` copies array and index; `longs[index]++` keeps the long below them.
    assert_eq!(before(StackOperation::Dup2), [Kind::Int, Kind::Reference]);
    assert_eq!(before(StackOperation::Dup2X2), [Kind::Long, Kind::Int, Kind::Reference]);
    assert!(program.declared_stacks(id, &code).expect("it is not damaged").is_empty());
    assert_eq!(
        program
            .stacks(&code)
            .map(|stacks| stacks.before(code.instructions().next().expect("there is one").0).is_some()),
        Ok(true)
    );
}

#[test]
fn methods_are_found_and_chosen() {
    let program = program();
    let name = |text: &str| program.name(text).expect("it is known");
    let area = |class: &str| Member { class: name(class), name: name("area"), descriptor: name("()I") };
    let found = |member| program.resolve_method(member).found().map(|method| program.method_name(method));
    assert_eq!(found(area("reader/Reader")).as_deref(), Some("reader.Reader.area()I"));
    // The more specific one of two interfaces.
    assert_eq!(found(area("reader/Both")).as_deref(), Some("reader.Square.area()I"));
    // A superclass takes precedence over an interface.
    assert_eq!(found(area("reader/Implements")).as_deref(), Some("reader.Counter.area()I"));
    let shape = program.resolve_method(area("reader/Shape")).found().expect("it exists");
    let mut targets: Vec<_> =
        program.overriders(shape).methods.iter().map(|method| program.method_name(*method)).collect();
    targets.sort();
    assert_eq!(targets, ["reader.Counter.area()I", "reader.Reader.area()I", "reader.Square.area()I"]);
    // A call of a superclass method names it.
    let special = code(&program, "reader.Reader$Special", "next");
    let called = special.instructions().find_map(|(_, instruction)| match instruction {
        Instruction::Invoke(InvokeKind::Special, member) => Some(member),
        _ => None,
    });
    assert_eq!(found(called.expect("it calls super.next()")).as_deref(), Some("reader.Reader.next()I"));
    // Missing members and classes.
    let missing = Member { class: name("java/lang/Object"), ..area("reader/Shape") };
    assert_eq!(program.resolve_method(missing), Lookup::Outside(name("java/lang/Object")));
    let unknown = Member { name: name("count"), ..area("reader/Reader") };
    assert_eq!(program.resolve_method(unknown), Lookup::Outside(name("java/lang/Object")));
    let private = method(&program, "reader.Base", "own");
    assert_eq!(program.select(class(&program, "reader.Reader"), private), Lookup::Found(private));
    let reader = class(&program, "reader.Reader");
    assert_eq!(program.missing_supertype(reader).map(|name| program.text(name)), Some("java/lang/Object"));
    assert!(program.is_subtype(class(&program, "reader.Reader$Special"), class(&program, "reader.Shape")));
    assert!(!program.is_subtype(class(&program, "reader.Shape"), class(&program, "reader.Reader$Special")));
}

#[test]
fn all_code_of_the_models_is_consistent() {
    // Archives of other languages contain several versions of a class, and edited programs exist before and after
    // editing.
    let folders = std::fs::read_dir(models()).expect("a folder").map(|entry| entry.expect("an entry").path());
    let folders: Vec<_> = folders
        .filter(|path| path.is_dir() && !["languages", "edited"].iter().any(|name| path.ends_with(name)))
        .collect();
    let program = load(&folders);
    let mut count = 0;
    for (id, _) in program.methods() {
        if let Some(code) = program.code(id).expect("it is not damaged") {
            crate::installed::stacks_agree(&program, id, &code);
            count += 1;
        }
    }
    assert!(count > 40, "{count}");
}

#[test]
fn the_synthetic_methods_of_java_8() {
    let program = load(&[models().join("reader8")]);
    let old = program.class(class(&program, "old.Old"));
    assert_eq!(old.version, 52);
    let accessors = old.methods().filter(|method| program.method(*method).flags.is_synthetic()).count();
    assert_eq!(accessors, 2);
    let anonymous = program.class(class(&program, "old.Old$1"));
    assert_eq!(anonymous.outer.map(|name| program.text(name)), Some("old/Old"));
    assert_eq!(program.text(program.nest_host(class(&program, "old.Old$1"))), "old/Old$1");
    // Strings are concatenated with a StringBuilder.
    assert!(call_sites(&program, "old.Old", "show").is_empty());
}
