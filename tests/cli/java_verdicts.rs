//! `asercheck java`: the verdicts on classes, and the exit codes.

use crate::cli::support::{Run, asercheck, file, temporary};
use serde_json::Value;

const CLASSES: &str = "models/java/client/classes";
/// A class without finding and without proof.
const OPEN: [&str; 3] = [CLASSES, "--class", "client.HeldRepaired"];
const NOTHING: [&str; 3] = ["models/java/part/classes", "--class", "part.Holder"];

fn java(arguments: &[&str]) -> Run {
    asercheck(&[&["java"], arguments].concat())
}

fn code(arguments: &[&str]) -> i32 {
    let run = java(&[arguments, &["-q"]].concat());
    run.code.unwrap_or_else(|| panic!("{run:?}"))
}

fn report(arguments: &[&str]) -> Value {
    let run = java(&[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&run.out.replace("TIME", "0.0")).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

#[test]
fn an_open_class_is_no_error_unless_a_proof_is_required() {
    let (proved, nothing) = ([CLASSES, "--class", "client.VisitsRepaired"], NOTHING);
    let with = |arguments: &[&'static str]| code(&[arguments, &["--require-proof"]].concat());
    assert_eq!([code(&OPEN), with(&OPEN)], [0, 3]);
    assert_eq!([code(&nothing), with(&nothing)], [0, 3]);
    assert_eq!([code(&proved), with(&proved)], [0, 0]);
    assert_eq!([code(&[CLASSES]), with(&[CLASSES])], [1, 1]);
    // Without any subject there is no proof.
    assert_eq!(with(&["models/java/chain/classes"]), 3);
    // The other findings do not count, and what is left is not proved.
    assert_eq!(
        code(&["models/java/order/classes", "--class", "order.Described", "--fail-on", "likely", "--require-proof"]),
        0
    );
    let both = [&OPEN[..], &["models/java/order/classes", "--class", "order.Described"]].concat();
    let both = |more: &[&str]| code(&[&both[..], more].concat());
    assert_eq!(both(&["--fail-on", "likely"]), 0);
    assert_eq!(both(&["--fail-on", "likely", "--require-proof"]), 3);
    assert_eq!(both(&["--require-proof"]), 1);
}

#[test]
fn hidden_findings_leave_a_class_violated_and_the_run_without_error() {
    let known = temporary("java-verdicts-known.json");
    let known = known.to_str().expect("UTF-8");
    let all = [&OPEN[..], &["--class", "client.Account"]].concat();
    assert_eq!(code(&[&all[..], &["--write-baseline", known]].concat()), 1);
    let hidden = [&all[..], &["--baseline", known]].concat();
    let run = java(&hidden);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.out.contains("\n2 subjects: 1 violated, 0 proved, 1 open, 0 nothing asked\n"), "{run:?}");
    assert!(run.out.contains("\nnothing new: 0 new findings; "), "{run:?}");
    let report = report(&hidden);
    let account = report["subjects"].as_array().expect("subjects").iter().find(|it| it["class"] == "client.Account");
    assert_eq!(account.map(|subject| &subject["verdict"]), Some(&"violated".into()), "{report}");
    let suppressed = file("java-verdicts-suppress.txt", "client.Account : known\n");
    assert_eq!(code(&[&all[..], &["--suppress", &suppressed]].concat()), 0);
}

#[test]
fn a_class_about_which_nothing_is_asked_is_not_proved() {
    let run = java(&[&NOTHING[..], &["-v"]].concat());
    let words = "nothing asked: part.Holder: no unit of work that is asked about accesses state that changes\n";
    assert!(run.out.contains(words), "{run:?}");
    assert!(run.out.contains("1 subject: 0 violated, 0 proved, 0 open, 1 nothing asked\n"), "{run:?}");
    assert!(!run.out.contains("proved: "), "{run:?}");
    // It does access state, but other fields than the named one.
    let run = java(&[CLASSES, "--class", "client.Account", "--field", "*.nothing"]);
    assert!(run.out.contains("nothing asked: client.Account: no unit of work that is asked about"), "{run:?}");
}

#[test]
fn the_places_on_which_an_open_class_depends_are_listed() {
    let run = java(&[&OPEN[..], &["--why-open"]].concat());
    let words = "open: client.HeldRepaired\n  the proof does not cover the access of `ticks` in Ticking.run";
    assert!(run.out.contains(words), "{run:?}");
    let run = java(&["models/java/program/classes", "--main", "program.census.Census", "--why-open"]);
    let line = "\nopen: not reached by main: ";
    assert!(!run.out.contains(line), "{run:?}");
    let unreached = run.out.matches("\n  not reached by main\n").count();
    assert!(unreached > 0, "{run:?}");
    assert!(run.out.contains(&format!("; {unreached} of the open ones not reached by main")), "{run:?}");
    let run = java(&["models/java/program/classes", "--main", "program.census.Census"]);
    assert_eq!(run.out.matches(line).count(), 1, "{run:?}");
    // The classes that met a limit of time share a line.
    let run = java(&[CLASSES, "--timeout", "0s"]);
    assert_eq!(run.out.matches("open: client.").count(), 0, "{run:?}");
    assert!(
        run.out.contains("\n87 classes met the limit of time, and a longer --timeout may decide more: "),
        "{run:?}"
    );
    let run = java(&[CLASSES, "--timeout", "0s", "--why-open"]);
    assert_eq!(run.out.matches("open: client.").count(), 87, "{run:?}");
}

#[test]
fn excluded_classes_are_no_subjects() {
    let report = report(&[CLASSES, "--exclude", "client.A*", "--exclude", "*Repaired"]);
    let names = report["subjects"].as_array().expect("subjects").iter().map(|subject| subject["class"].to_string());
    let names: Vec<String> = names.collect();
    assert!(
        names.len() > 20 && !names.iter().any(|name| name.contains(".A") || name.contains("Repaired\"")),
        "{names:?}"
    );
    assert!(report["skipped"]["excluded"].as_u64() > Some(40), "{report}");
    // They are analysed all the same, and they are excluded even if they are named.
    let run = java(&[CLASSES, "--class", "client.Account", "--exclude", "client.Acc*"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.out.contains("nothing asked (no class that appears thread-safe is left)"), "{run:?}");
    java(&[CLASSES, "--class", "client.Nobody", "--exclude", "client.Acc*"]).assert_refused("no class `client.Nobody`");
    let main = ["models/java/program/classes", "--main", "program.census.Census", "--exclude", "program.*"];
    let run = java(&main);
    assert!(run.out.contains(" excluded") && run.out.contains("0 subjects: "), "{run:?}");
}

/// Without findings, subjects are in the order in which they promise most.
#[test]
fn public_classes_come_first_each_by_name() {
    let report = report(&[CLASSES, "--timeout", "0s"]);
    let names = report["subjects"].as_array().expect("subjects").iter();
    let names: Vec<&str> = names.filter_map(|subject| subject["class"].as_str()).collect();
    let first_inner = names.iter().position(|name| *name == "client.Bolted$Bolt").expect("a private class");
    let (public, others) = names.split_at(first_inner);
    assert!(public.len() > 50 && public.is_sorted() && public.contains(&"client.VisitsRepaired"), "{public:?}");
    assert!(others.is_sorted() && others.contains(&"client.BoltedRepaired$Bolt"), "{others:?}");
}

#[test]
fn proved_classes_have_certificates() {
    let folder = temporary("java_certificates");
    let path = folder.display().to_string();
    let run = asercheck(&["java", "models/java/confirm/classes", "--certificates", &path]);
    let line = run.errors.lines().find(|line| line.starts_with("certificates of")).unwrap_or_default().to_string();
    let numbers: Vec<usize> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
    let [classes, proved, certified, queries] = numbers[..] else { panic!("{line}") };
    assert!(classes == proved && certified == queries && proved > 20, "{line}");
    let files = |extension: &str| {
        let entries =
            std::fs::read_dir(&folder).expect("the folder was made").map(|entry| entry.expect("a file").path());
        entries.filter(|path| path.extension().is_some_and(|own| own == extension)).count()
    };
    assert!(files("cert") >= proved && files("eml") == files("cert"));
}

/// By itself the class is proved; then it is left open because of the subclass that its factory makes.
#[test]
fn a_class_that_is_left_open_has_no_certificate() {
    let folder = temporary("java_left_open");
    let run = asercheck(&["java", "models/java/factory/classes", "--certificates", &folder.display().to_string()]);
    assert!(run.out.contains("open: factory.Counter: clients also get objects of its subclass"), "{}", run.out);
    assert!(run.errors.contains("certificates of 0 of 0 proved classes"), "{}", run.errors);
    let files = std::fs::read_dir(&folder).expect("the folder was made").count();
    assert_eq!(files, 0);
}
