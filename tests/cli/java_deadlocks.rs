//! `asercheck java --deadlocks`.

use crate::cli::support::asercheck;
use serde_json::Value;

const CLASSES: &str = "models/java/deadlocks/classes";

/// The deadlocks of all classes: the class, with the locks in their order.
fn deadlocks(arguments: &[&str]) -> Vec<(String, Vec<String>)> {
    let run = asercheck(&[&["java", CLASSES, "--class", "*", "--format", "json"], arguments].concat());
    let report: Value =
        serde_json::from_str(&run.out.replace("TIME", "0.0")).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    let text = |value: &Value| value.as_str().expect("a text").to_string();
    let mut found = Vec::new();
    for subject in report["subjects"].as_array().expect("subjects") {
        for finding in subject["findings"].as_array().expect("findings") {
            if finding["group"] == "deadlock" {
                let waits = finding["waits"].as_array().expect("waits");
                found.push((text(&subject["class"]), waits.iter().map(|wait| text(&wait["holds"])).collect()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn each_cycle_of_locks_has_one_finding() {
    let found = deadlocks(&["--deadlocks"]);
    let found: Vec<(&str, usize)> = found.iter().map(|(class, locks)| (class.as_str(), locks.len())).collect();
    assert_eq!(found, [("deadlocks.Round", 3), ("deadlocks.Silent", 2), ("deadlocks.Stock", 2)]);
    assert_eq!(deadlocks(&[]), []);
}

#[test]
fn a_deadlock_names_its_locks_and_the_lines_that_wait() {
    let run = asercheck(&["java", CLASSES, "--class", "deadlocks.Stock", "--deadlocks"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.out.contains("waits for this"), "{}", run.out);
    assert!(run.out.contains("Stock.put, line 23 of Stock.java"), "{}", run.out);
    assert!(run.out.contains("those of several objects or classes were not asked"), "{}", run.out);
}

#[test]
fn classes_without_deadlocks_are_proved() {
    let classes = ["deadlocks.Gated", "deadlocks.Tried"];
    for class in classes {
        let run = asercheck(&["java", CLASSES, "--class", class, "--deadlocks", "--require-proof"]);
        assert_eq!(run.code, Some(0), "{class}: {run:?}");
    }
}
