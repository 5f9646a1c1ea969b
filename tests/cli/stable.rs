//! Output that depends on nothing but the input.

use crate::cli::support::{Run, asercheck, file, temporary};

/// Checks that several runs print the same but for the times.
fn assert_same(runs: &[Run]) {
    for run in &runs[1..] {
        assert_eq!((&run.out, &run.errors, run.code), (&runs[0].out, &runs[0].errors, runs[0].code));
    }
}

#[test]
fn two_runs_print_the_same() {
    for model in ["stack", "shop2", "bubblesort3", "workers", "spawner-both", "lottery2"] {
        let model = format!("models/{model}.eml");
        for engine in ["explicit", "symbolic"] {
            let run = || asercheck(&["check", &model, "--engine", engine, "--format", "json"]);
            assert_same(&[run(), run()]);
        }
    }
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    for model in ["stack", "shop2", "bubblesort3", "pipeline-early", "observer"] {
        let model = format!("models/{model}.eml");
        let run = |jobs| asercheck(&["check", &model, "--jobs", jobs]);
        assert_same(&["1", "4", "2"].map(run));
    }
}

/// Locks in any order and mode: 84 cycles, whose queries are decided in parts that share nothing.
fn all_orders(locks: usize) -> String {
    let pairs = (0..locks).flat_map(|outer| (0..locks).map(move |inner| (outer, inner)));
    let nested = pairs.filter(|(outer, inner)| outer != inner).map(|(outer, inner)| {
        let mode = if (outer + inner) % 3 == 0 { "read" } else { "write" };
        format!("{{ sync {mode} l{outer} {{ read x{outer}; sync write l{inner} {{ write x{inner}; }} }} }}")
    });
    let names = |prefix: &str| (0..locks).map(|number| format!("{prefix}{number}")).collect::<Vec<_>>().join(", ");
    let body = nested.collect::<Vec<_>>().join(" or ");
    format!("rwlock {};\nshared {};\nprocess P * many {{ atomic {{ choose {body} }} }}\n", names("l"), names("x"))
}

/// The text without measured times: `"seconds":0.012`, `0.012 s`, and such numbers as all that a cell of a page has.
fn without_times(text: &str) -> String {
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let members = text.split("\"seconds\":").enumerate();
    let text: String =
        members.map(|(place, part)| if place == 0 { part } else { part.trim_start_matches(is_number) }).collect();
    let phrases: Vec<_> = text.split(" s").map(|phrase| phrase.trim_end_matches(is_number)).collect();
    let is_time = |cell: &&str| cell.contains('.') && cell.parse::<f64>().is_ok();
    phrases.join(" s").split_inclusive(['<', '>']).filter(|cell| !is_time(&cell.trim_end_matches('<'))).collect()
}

/// Same input, same bytes, in every format: whichever query is decided first.
#[test]
fn no_format_depends_on_the_number_of_jobs() {
    let made = file("all_orders.eml", all_orders(5));
    for model in [made.as_str(), "models/stack.eml", "models/philosophers.eml"] {
        for format in ["text", "json", "sarif", "github"] {
            let page = temporary(&format!("jobs-{format}.html"));
            let run = |jobs| {
                let question = ["--races", "--deadlocks", "--format", format, "--jobs", jobs];
                let report = ["--report", page.to_str().expect("the path is UTF-8")];
                let mut run = asercheck(&[&["check", model, "--patterns"], &question[..], &report].concat());
                run.out = without_times(&run.out);
                (run, without_times(&std::fs::read_to_string(&page).expect("there is a page")))
            };
            let (first, first_page) = run("1");
            for jobs in ["2", "4", "4", "4"] {
                let (other, page) = run(jobs);
                assert!(other.out == first.out, "{model}: {format} differs with {jobs} jobs");
                assert_eq!((&other.errors, other.code), (&first.errors, first.code), "{model}, {format}");
                assert!(page == first_page, "{model}: the page differs with {jobs} jobs");
            }
        }
    }
}

#[test]
fn exit_codes_are_verdicts() {
    let code = |arguments: &[&str]| asercheck(&[&["check"], arguments, &["--quiet"]].concat()).code;
    assert_eq!(code(&["models/stack-repaired.eml"]), Some(0));
    assert_eq!(code(&["models/stack.eml"]), Some(1));
    assert_eq!(code(&["models/stack.eml", "--pattern", "3"]), Some(0));
    assert_eq!(code(&["models/stack.eml", "--pattern", "0"]), Some(2));
    assert_eq!(code(&["models/stack-repaired.eml", "--timeout", "0s"]), Some(3));
}
