//! The text output of `check`.

use crate::cli::support::{asercheck, assert_runs, command, file};

#[test]
fn violations_of_a_model() {
    asercheck(&["check", "models/stack.eml"]).assert_snapshot("check_stack");
    asercheck(&["models/stack.eml", "--pattern", "12", "--processes", "T1,T2"]).assert_snapshot("check_stack_pattern");
}

#[test]
fn the_units_of_the_first_thread_only() {
    let run = asercheck(&["check", "models/stack.eml", "--pattern", "1", "--pattern", "12", "--units", "first"]);
    run.assert_snapshot("check_stack_first");
}

#[test]
fn counts_only() {
    let quiet = |model| asercheck(&["check", model, "--quiet"]);
    assert_runs(
        "check_quiet",
        &["models/stack.eml", "models/stack-repaired.eml", "models/start-locked.eml"].map(quiet),
    );
}

#[test]
fn a_safe_model() {
    let run = asercheck(&["check", "models/stack-repaired.eml"]);
    assert_eq!(run.code, Some(0));
    run.assert_snapshot("check_safe");
}

#[test]
fn certificates_are_written_for_one_model() {
    let path = file("check_certificates.cert", "");
    let run = command(&["check", "models/stack.eml", "--certificates", &path, "--format", "json"]).output();
    let report: serde_json::Value = serde_json::from_slice(&run.expect("it runs").stdout).expect("JSON");
    assert_eq!(report["certificates"]["certified"], report["summary"]["safe"]);
    let text = std::fs::read_to_string(&path).expect("the file was written");
    assert_eq!(text.len() as u64, report["certificates"]["bytes"].as_u64().expect("a number"));
    asercheck(&["check", "models/stack.eml", "models/gate.eml", "--certificates", &path])
        .assert_refused("--certificates is for one model");
    asercheck(&["check", "models/stack.eml", "--explain", "--format", "json"]).assert_refused("--explain is for");
}

/// The model, and the repaired one, are not lost to a certificate.
#[test]
fn certificates_overwrite_no_model() {
    let model = file("kept.eml", "process P { }");
    asercheck(&["check", &model, "--certificates", &model]).assert_refused("--certificates would overwrite");
    asercheck(&["repair", &model, "--apply", "r.eml", "--certificates", &model])
        .assert_refused("--certificates would overwrite");
    asercheck(&["repair", &model, "--apply", "r.eml", "--certificates", "r.eml"])
        .assert_refused("--certificates would overwrite r.eml");
    assert_eq!(std::fs::read_to_string(&model).expect("it is there"), "process P { }");
}

/// Blocks nest deeper than certificates can be made for: the verdicts stand without them.
#[test]
fn large_models_have_no_certificates() {
    let (open, close) = ("sync l { ".repeat(20_000), "} ".repeat(20_000));
    let model = file("deep.eml", format!("lock l; shared x; process P * 2 {{ {open} write x; {close} }}"));
    let run = asercheck(&["check", &model, "--races", "--certificates", &file("deep.cert", "")]);
    assert!(run.out.contains("safe (no certificate)") && run.out.contains("the model is too large"), "{}", run.out);
    assert_eq!(run.code, Some(0));
}

#[test]
fn a_repair_is_written() {
    let path = file("repaired.eml", "");
    let certificates = file("repaired.cert", "");
    let run = asercheck(&["repair", "models/stack.eml", "--apply", &path, "--certificates", &certificates]);
    assert!(run.out.contains("certificates of 56 of 56 queries of the repaired model"), "{}", run.out);
    assert_eq!(run.code, Some(0), "{}", run.out);
    assert_eq!(asercheck(&["check", &path, "--quiet"]).code, Some(0));
    assert_eq!(asercheck(&["repair", &path]).code, Some(0));
    // One change does not suffice for this model.
    assert_eq!(asercheck(&["repair", "models/bounded-buffer.eml", "--edits", "1"]).code, Some(1));
    asercheck(&["repair", "missing.eml"]).assert_refused("missing.eml");
}

#[test]
fn a_thread_that_starts_another() {
    asercheck(&["check", "models/start-unlocked.eml", "--pattern", "3"]).assert_snapshot("check_start");
    asercheck(&["check", "models/spawner-twice.eml", "--pattern", "2"]).assert_snapshot("check_starters");
}

#[test]
fn many_instances() {
    asercheck(&["check", "models/workers.eml", "--pattern", "1"]).assert_snapshot("check_workers");
    let text = "lock l;\nshared x;\nprocess P * many { atomic { sync l { read x; } sync l { write x; } } }\n";
    let model = file("many.eml", text);
    asercheck(&["check", &model, "--pattern", "1"]).assert_snapshot("check_many");
}

#[test]
fn automata_of_the_user() {
    let run = asercheck(&["check", "models/skew.eml", "--automaton", "models/skew.phases"]);
    run.assert_snapshot("check_automata");
    let three = ["check", "models/cycle3-acquire-moved.eml", "--automaton", "models/together.phases", "--pattern", "3"];
    asercheck(&three).assert_snapshot("check_automata_and_pattern");
}

#[test]
fn reentrant_locks_and_inner_units() {
    let text = "lock l;\nshared x;\nfn f() { sync l { atomic { read x; } } }\n\
                process P * 2 { sync l { atomic { call f; } } atomic { read x; write x; } }\n";
    let model = file("inner.eml", text);
    asercheck(&["check", &model, "--pattern", "1"]).assert_snapshot("check_inner");
}

#[test]
fn patterns_are_explained() {
    let explain = |number, units| asercheck(&["--explain-pattern", number, "--units", units]);
    let runs = [explain("12", "both"), explain("12", "first"), explain("1", "both")];
    assert_runs("explain_pattern", &runs);
}

#[test]
fn plain_terminals_get_ascii() {
    let arguments = ["check", "models/start-unlocked.eml", "--pattern", "3"];
    let output = command(&arguments).env("LC_ALL", "C").output().expect("the program can be started");
    let run = crate::cli::support::Run::of(&arguments, output);
    assert!(run.out.is_ascii());
    run.assert_snapshot("check_ascii");
}

#[test]
fn colors_are_there_when_asked_for() {
    let colored = asercheck(&["check", "models/stack.eml", "--color", "always"]).out;
    assert!(colored.contains("\u{1b}[31m"), "{colored}");
    assert!(!asercheck(&["check", "models/stack.eml"]).out.contains('\u{1b}'));
}

#[test]
fn undecided_queries_have_a_reason() {
    // On a busy machine a limit may be reached while the model is read; then there is another report.
    let read = |arguments: &[&str]| {
        let mut runs = (0..50).map(|_| asercheck(arguments));
        runs.find(|run| !run.errors.contains("was not read to its end"))
            .expect("a model of some lines is read now and then")
    };
    let run = read(&["check", "models/stack.eml", "--pattern", "12", "--timeout", "0s"]);
    assert_eq!(run.code, Some(3));
    run.assert_snapshot("check_timeout");
    let run = read(&["check", "models/stack.eml", "--pattern", "1", "--memory", "1MiB"]);
    assert_eq!(run.code, Some(3));
    run.assert_snapshot("check_memory");
    let run = asercheck(&["check", "models/recursion-repaired.eml", "--pattern", "1", "--engine", "interleave"]);
    assert_eq!(run.code, Some(3));
    run.assert_snapshot("check_bound");
}

#[test]
fn models_that_cannot_be_violated_have_warnings() {
    let model = file("warned.eml", "shared x;\nprocess P { read x; }\n");
    let run = asercheck(&["check", &model]);
    assert_eq!(run.code, Some(0));
    run.assert_snapshot("check_warning");
    assert_eq!(asercheck(&["check", &model, "--quiet"]).errors, "");
}

/// A selection that matches nothing is not answered by `safe`.
#[test]
fn nothing_selected_is_nothing_decided() {
    let model = file("one-location.eml", "shared x; process P * 2 { atomic { read x; write x; } }");
    asercheck(&["check", &model, "--pattern", "12"]).assert_refused("nothing to decide");
    asercheck(&["check", &model, "--pattern", "12", "--processes", "P,P", "-q"]).assert_refused("parameters of 12");
    assert_eq!(asercheck(&["check", &model, "--pattern", "1"]).code, Some(1));
}

/// A reason why patterns cannot be violated need not hold for automata.
#[test]
fn warnings_about_patterns_do_not_speak_of_automata() {
    let model = file("no-units.eml", "shared x;\nprocess P { read x; write x; }\n");
    let text = "automaton update(T; x) { p: on T read x -> q; q: on T write x -> r; }";
    let automaton = file("update.phases", text);
    let run = asercheck(&["check", &model, "--automaton", &automaton]);
    assert_eq!((run.code, run.errors.as_str()), (Some(1), ""));
    let both = asercheck(&["check", &model, "--automaton", &automaton, "--all-patterns"]);
    assert_eq!(both.code, Some(1));
    assert!(both.errors.contains("the model has no unit of work"), "{both:?}");
    assert!(both.errors.contains("none of the fourteen patterns can be violated"), "{both:?}");
}
