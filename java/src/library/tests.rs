use super::*;

fn table(text: &str) -> Library {
    let mut library = Library::new();
    library.add(text).unwrap_or_else(|errors| panic!("{errors:?}"));
    library
}

fn argument(number: usize) -> Argument {
    Argument::new(number - 1).unwrap()
}

fn itself(number: usize) -> Source {
    Source::Itself(Subject::Argument(argument(number)))
}

fn call(whom: Source, method: Option<&str>) -> Call {
    Call { whom, method: method.map(Into::into), thread: Thread::Caller, once: false }
}

/// Parses the actions of a row.
fn actions(row: &str) -> Vec<Action> {
    let library = table(&format!("class A\n  m: {row}"));
    library.find("A", "m", "()V").unwrap().actions.to_vec()
}

#[test]
fn rows_are_found_by_types_and_supertypes() {
    let library = table(
        "class a.Top\n  m(int): reads\n  m: writes\n  *: blocks\n\
         class a.Middle like a.Top, a.Other\n  n(Entry[], _): keeps 2\n  <init>: calls 1\n\
         class a.Other\n  other: returns this\n\
         atomic class a.Bottom like a.Middle\nsynchronized class a.Last like a.Bottom\n\
         class []\n  clone: makes this[]\n",
    );
    let find = |class, name, descriptor| library.find(class, name, descriptor).map(|found| found.actions.to_vec());
    let this = Subject::This;
    assert_eq!(find("a/Bottom", "m", "(I)V"), Some(vec![Action::Reads(this)]));
    assert_eq!(find("a/Bottom", "m", "(J)V"), Some(vec![Action::Writes(this)]));
    let keeps = Action::Keeps { what: itself(2), target: Target::Of(this) };
    assert_eq!(find("a/Bottom", "n", "([Ljava/util/Map$Entry;J)V"), Some(vec![keeps]));
    assert_eq!(find("a/Bottom", "n", "(Ljava/util/Map$Entry;J)V"), Some(vec![Action::Blocks]));
    assert_eq!(find("a/Bottom", "other", "()V"), Some(vec![Action::Returns(this)]));
    assert_eq!(find("a/Other", "m", "(I)V"), None);
    assert_eq!(find("a/None", "m", "(I)V"), None);
    // Constructors are not inherited.
    assert_eq!(find("a/Middle", "<init>", "(I)V"), Some(vec![Action::Calls(call(itself(1), None))]));
    assert_eq!(find("a/Bottom", "<init>", "(I)V"), None);
    assert!(find("[[I", "clone", "()Ljava/lang/Object;").is_some());
    let guard = |class| library.find(class, "m", "(I)V").map(|found| found.guard());
    assert_eq!(
        ["a/Middle", "a/Bottom", "a/Last"].map(guard),
        [Guard::None, Guard::Operations, Guard::Monitor].map(Some)
    );
}

#[test]
fn a_class_has_the_rows_of_its_supertypes_that_nothing_before_replaces() {
    let library = table(
        "class Top\n  put(int): writes\n  put(int, int): writes\n  get: reads\n  size: reads\n\
         synchronized class Bottom like Top\n  put(int): updates\n  get(int): reads\n",
    );
    // The extending class overrides `size` and one of the methods `put`.
    let overrides = |name: &str, is_meant: &dyn Fn(&str) -> bool| match name {
        "size" => is_meant("()I"),
        "put" => is_meant("(II)V"),
        _ => false,
    };
    let found = library.rows_of_class("Bottom", overrides);
    let names: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["put", "get", "get"]);
    assert_eq!(found[0].1.actions, [Action::Reads(Subject::This), Action::Writes(Subject::This)]);
    assert!(found.iter().all(|(_, row)| row.guard() == Guard::Monitor));
}

#[test]
fn supertypes_attributes_and_functions_are_inherited() {
    let library = table(
        "function(run) interface R\nthread-safe task preferred class T like R, U\ninterface U like V\nclass S like T\n",
    );
    assert_eq!(library.supertypes("S").collect::<Vec<_>>(), ["S", "T", "R", "U"]);
    assert!(library.is_subtype("S", "V") && !library.is_subtype("R", "T") && library.is_subtype("X", "X"));
    assert_eq!(library.function("S"), Some("run"));
    assert_eq!(library.function("U"), None);
    let attributes = library.attributes("S");
    assert!(attributes.has(Attribute::ThreadSafe) && attributes.has(Attribute::Task));
    assert!(!attributes.has(Attribute::Preferred) && library.attributes("T").has(Attribute::Preferred));
    assert!(library.is_interface("U") && !library.is_interface("T"));
}

#[test]
fn texts_are_put_in_front() {
    let mut library = table("class A like B\n  m: reads\n  n: reads\natomic class B\n  b: reads\n");
    library.add("class A\n  m: nothing\nsynchronized class B\n").unwrap();
    let count = |name| library.find("A", name, "()V").map(|found| found.actions.len());
    assert_eq!(["m", "n", "b", "c"].map(count), [Some(0), Some(1), Some(1), None]);
    assert_eq!(library.len(), 4);
    assert_eq!(library.attributes("B").iter().collect::<Vec<_>>(), [Attribute::Synchronized]);
}

#[test]
fn likeness_in_a_circle_ends() {
    let library = table("class A like B\nclass B like A\n  m: reads\n");
    assert!(library.find("A", "m", "()V").is_some());
    assert!(library.find("A", "n", "()V").is_none());
}

#[test]
fn actions_are_read() {
    let this = Subject::This;
    let first = Subject::Argument(argument(1));
    let content = Source::Content(this);
    assert_eq!(actions("updates"), [Action::Reads(this), Action::Writes(this)]);
    assert_eq!(actions("reads this, 1"), [Action::Reads(this), Action::Reads(first)]);
    let holds = [Source::Itself(this), content, itself(1)].into();
    assert_eq!(actions("makes this, this[], 1"), [Action::Makes(Making { class: MadeClass::Declared, holds })]);
    let holds = [itself(1), Source::Content(first)].into();
    let class = MadeClass::Exact("a/B$C".into());
    assert_eq!(actions("makes a.B$C(1, 1[])"), [Action::Makes(Making { class, holds })]);
    let made = |class| vec![Action::Makes(Making { class, holds: [Source::Any].into() })];
    assert_eq!(actions("makes any(any)"), made(MadeClass::Any));
    assert_eq!(actions("makes int[](any)"), made(MadeClass::Exact("[I".into())));
    assert_eq!(actions("makes a.B[][](any)"), made(MadeClass::Exact("[[La/B;".into())));
    let view = View { of: first, class: Some("a/B".into()), guard: ViewGuard::Shared };
    assert_eq!(actions("views 1 as a.B locked"), [Action::Views(view)]);
    let view = View { of: this, class: None, guard: ViewGuard::Shared };
    assert_eq!(actions("views locked"), [Action::Views(view)]);
    let keeps = Action::Keeps { what: Source::Content(first), target: Target::Of(Subject::Argument(argument(2))) };
    assert_eq!(actions("copies 1 in 2"), [keeps]);
    assert_eq!(actions("keeps any in yielded"), [Action::Keeps { what: Source::Any, target: Target::Yielded }]);
    let compare = Call { once: true, ..call(content, Some("compare")) };
    assert_eq!(actions("once calls this[].compare"), [Action::Calls(compare)]);
    let starts = Action::Runs(Run { whom: this, thread: Thread::Other, once: false });
    assert_eq!(actions("starts runs this"), [starts]);
    let serial = Call { thread: Thread::Serial, ..call(itself(1), Some("run")) };
    assert_eq!(actions("starts one 1.run"), [Action::Calls(serial)]);
    assert_eq!(actions("joins 1[] maybe"), [Action::Joins { whom: Source::Content(first), certain: false }]);
    assert_eq!(actions("tries read timed"), [Action::Tries { side: Side::Read, timed: true }]);
    let pairs = [(argument(1), argument(2)), (argument(3), argument(4))].into();
    assert_eq!(actions("compares-and-sets 1 2 and 3 4"), [Action::ComparesAndSets(pairs)]);
    assert_eq!(actions("updates by 2"), [Action::UpdatesBy(argument(2))]);
    let names = Action::Names { what: Named::Field, class: argument(1), name: Some(argument(3)) };
    assert_eq!(actions("names field 1 3"), [names]);
    let traverses =
        |method: Option<&str>, at_once| [Action::Traverses { whom: this, method: method.map(Into::into), at_once }];
    assert_eq!(actions("traverses this.remove"), traverses(Some("remove"), false));
    assert_eq!(actions("traverses this at once"), traverses(None, true));
}

#[test]
fn implicit_flows_and_results() {
    let library = table(
        "class A\n  none: nothing, throws\n  soup: reads\n  part: reads, gives, yields\n  put: updates\n\
           add: updates, keeps 1\n  clear: writes, keeps nothing\n",
    );
    let row = |name| library.find("A", name, "()V").unwrap();
    assert_eq!(row("none").outcome(), Outcome::Value);
    assert!(row("none").traits.throws && row("none").is_nothing());
    assert_eq!(row("soup").outcome(), Outcome::Soup);
    assert_eq!(row("part").outcome(), Outcome::OneOf(vec![Part::From(Subject::This), Part::Yielded]));
    let takes = |name| [row(name).takes_all(false), row(name).takes_all(true)];
    assert_eq!(
        ["none", "soup", "put", "add", "clear"].map(takes),
        [[false, false], [false, true], [true, true], [false, false], [false, false]]
    );
}

#[test]
fn errors_are_located() {
    let errors = |text: &str| {
        let errors = Library::new().add(text).unwrap_err();
        errors.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let cases = [
        ("m: reads", "1:1: a method stands before the first `class`"),
        ("class A\n  m: grows", "2:6: there is no action `grows`"),
        ("class A\n  m: reads, calls", "2:13: `this` or the number of an argument, from 1, is needed, not ``"),
        ("class A\n  m: keeps 0", "2:6: `this` or the number of an argument, from 1, is needed, not `0`"),
        ("class A\n  m: keeps this", "2:6: `this` or the number of an argument, from 1, is needed, not `this`"),
        ("class A\n  m: makes list(1", "2:5: a parenthesis is open or closed once too often"),
        ("class A\n  m: makes list", "2:6: `this` or the number of an argument, from 1, is needed, not `list`"),
        ("class A\n  m: blocks 1", "2:6: `1` is too much"),
        ("class A\n  m: acquires twice", "2:6: `twice` is too much"),
        ("class A\n  m: compares-and-sets 1", "2:6: `this` or the number of an argument, from 1, is needed, not `1`"),
        ("class A\n  m: once reads", "2:6: there is no action `once reads`"),
        ("class A\n  m: calls 1.", "2:6: a name is needed, not ``"),
        ("class A\n  m: nothing, reads", "2:6: `nothing` stands alone"),
        ("class A\n  m", "2:3: `: action` is needed after the methods"),
        ("class A\n  m:", "2:5: `: action` is needed after the methods"),
        ("class A\n  m(int: reads", "2:3: a parenthesis is open or closed once too often"),
        ("class A\n  m, : reads", "2:6: a name is needed, not ``"),
        ("class", "1:1: a name is needed, not ``"),
        ("class A like", "1:1: a name is needed, not ``"),
        ("class A\n  m: reads, # one\n    writes 1,\n     grows", "4:6: there is no action `grows`"),
        ("class A\n\nclass A", "3:1: the class `A` stands here twice"),
    ];
    for (text, expected) in cases {
        assert_eq!(errors(text), [expected], "{text}");
    }
    assert_eq!(errors("m: reads\nclass A\n  m: grows, shrinks").len(), 2);
}

#[test]
fn the_builtin_tables_are_read() {
    for text in BUILTIN {
        let first = text.lines().next().unwrap_or_default();
        let mut library = Library::new();
        let errors = library.add(text).err().unwrap_or_default();
        let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert!(errors.is_empty(), "{first}\n{}", errors.join("\n"));
    }
    assert!(Library::builtin().len() > 1_000);
}

/// Every class that an action of the built-in tables names has rows.
#[test]
fn named_classes_have_rows() {
    let library = Library::builtin();
    let mut missing = Vec::new();
    for class in library.classes() {
        for (method, row) in library.rows(class) {
            let named = row.actions.iter().filter_map(|action| match action {
                Action::Makes(Making { class: MadeClass::Exact(named), .. })
                | Action::Views(View { class: Some(named), .. })
                | Action::Holds(named)
                | Action::Becomes(named) => Some(&**named),
                _ => None,
            });
            let unknown = named.filter(|named| !library.has_class(named));
            missing.extend(unknown.map(|named| format!("{class}.{method}: {named}")));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// Tables in the format of an earlier version keep their meaning.
#[test]
fn tables_of_summaries_are_read() {
    let library = table(
        "class A like java.lang.Object\n  read: reads, reads 1\n  write: writes\n  both: updates\n  keep: keeps 2\n\
         call: calls 1.equals, calls 2\n  later: later 1\n  start: starts 1.run\n  return: returns 1, views\n\
         lock: acquires\n  try: tries\n  unlock: releases\n  sides: read-lock, write-lock, condition\n\
         wait: awaits, waits, blocks\n  *: nothing\natomic class B\nsynchronized class C\n",
    );
    let this = Subject::This;
    let first = Subject::Argument(argument(1));
    let row = |name| library.find("A", name, "()V").unwrap().actions;
    assert_eq!(row("read"), [Action::Reads(this), Action::Reads(first)]);
    assert_eq!(row("both"), [Action::Reads(this), Action::Writes(this)]);
    assert_eq!(row("keep"), [Action::Keeps { what: itself(2), target: Target::Of(this) }]);
    assert_eq!(
        row("call"),
        [itself(1), itself(2)].map(|whom| { Action::Calls(call(whom, (whom == itself(1)).then_some("equals"))) })
    );
    assert_eq!(row("later"), [Action::Later { whom: itself(1), method: None }]);
    let started = Call { thread: Thread::Other, ..call(itself(1), Some("run")) };
    assert_eq!(row("start"), [Action::Calls(started)]);
    let view = View { of: this, class: None, guard: ViewGuard::OfClass };
    assert_eq!(row("return"), [Action::Returns(first), Action::Views(view)]);
    assert_eq!(row("lock"), [Action::Acquires(Side::Own)]);
    assert_eq!(row("try"), [Action::Tries { side: Side::Own, timed: false }]);
    assert_eq!(row("unlock"), [Action::Releases(Side::Own)]);
    assert_eq!(row("sides"), [Action::ReadLock, Action::WriteLock, Action::Condition]);
    assert_eq!(row("wait"), [Action::Awaits, Action::Waits { whom: this, entered: false }, Action::Blocks]);
    assert!(row("other").is_empty());
    assert_eq!(["B", "C"].map(|class| library.attributes(class).guard()), [Guard::Operations, Guard::Monitor]);
}

/// Attributes of library classes on which the analysis relies.
#[test]
fn the_builtin_tables_say_what_classes_are() {
    let library = Library::builtin();
    let has = |class: &str, attribute| library.attributes(class).has(attribute);
    for class in ["ReentrantLock", "ReentrantReadWriteLock$WriteLock", "StampedLock"] {
        assert!(has(&format!("java/util/concurrent/locks/{class}"), Attribute::Lock), "{class}");
    }
    for class in ["ArrayBlockingQueue", "ConcurrentHashMap", "Semaphore", "atomic/AtomicLong", "locks/Condition"] {
        assert!(has(&format!("java/util/concurrent/{class}"), Attribute::ThreadSafe), "{class}");
    }
    assert!(!has("java/util/concurrent/FutureTask$None", Attribute::ThreadSafe));
    assert!(!has("java/util/concurrent/ThreadPoolExecutor", Attribute::ThreadSafe));
    assert!(has("java/util/AbstractSet", Attribute::Stateless) && !has("java/util/HashSet", Attribute::Stateless));
    for class in ["java/lang/Thread", "java/util/TimerTask", "java/util/concurrent/RecursiveTask"] {
        assert!(has(class, Attribute::Task), "{class}");
    }
    for class in ["java/lang/String", "java/lang/Integer", "java/math/BigDecimal", "java/time/Instant"] {
        assert!(has(class, Attribute::Immutable) && has(class, Attribute::Value), "{class}");
    }
    // Objects of unknown classes may read what they hold.
    let is_nothing = |class| library.find(class, "hashCode", "()I").is_some_and(|row| row.is_nothing());
    assert!(is_nothing("java/lang/Object") && !is_nothing(UNKNOWN) && !is_nothing("java/lang/Runnable"));
    assert!(has("java/util/concurrent/atomic/AtomicLongFieldUpdater", Attribute::Handle));
    assert!(has("java/io/Reader", Attribute::LocksItself) && !has("java/io/StringReader", Attribute::LocksItself));
    let function = |class| library.function(class).unwrap_or_default();
    assert_eq!(function("java/util/concurrent/Callable"), "call");
    assert_eq!(function("java/util/concurrent/RecursiveAction"), "compute");
    assert_eq!(function("java/util/function/BinaryOperator"), "apply");
    assert_eq!(function("java/lang/Thread"), "run");
    assert!(library.is_subtype("java/util/ArrayList", "java/lang/Iterable"));
    assert!(!library.is_subtype("java/util/ArrayList", "java/util/Set"));
}

/// No row of a `plain` class puts objects into its content: the pointer analysis assumes that it holds none.
#[test]
fn nothing_is_kept_in_objects_of_plain_classes() {
    let library = Library::builtin();
    let plain: Vec<&str> = library.classes().filter(|class| library.attributes(class).has(Attribute::Plain)).collect();
    assert!(plain.len() > 20, "{plain:?}");
    for class in plain {
        for (name, row) in library.rows_of_class(class, |_, _| false) {
            let keeps = |action: &&Action| {
                matches!(action, Action::Keeps { .. } | Action::Holds(_) | Action::Later { .. } | Action::Gives(_))
            };
            assert_eq!(row.actions.iter().find(keeps), None, "{class}.{name}");
        }
    }
}
