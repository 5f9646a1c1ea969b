//! Clients that need special calls or values, and differences that the analysis has not found.

use crate::cli::kit::{compile, confirmed_report, findings, has_kit, java_files};
use crate::cli::support::{asercheck, temporary};
use serde_json::json;
use std::fs;
use std::path::Path;

/// Classes that need one kind of client each.
const SOURCES: &str = "tests/cli/kinds";

#[test]
fn special_calls_and_values_confirm_findings() {
    if !has_kit() {
        return;
    }
    let classes = compile("kinds-classes", Path::new("."), &java_files(Path::new(SOURCES)));
    let report = confirmed_report(&classes, &["--class", "kinds.*"]);
    for (name, needs) in [
        ("Slots", "an inherited method, which takes elements of the list"),
        ("Span", "the state of an object that a call returns"),
        ("Gate", "a call before the interfering one"),
        ("Shown", "a switch between calls on a buffer"),
        ("Hasty", "a value of a public field"),
        ("Halves", "null as an argument"),
        ("Starting", "a preparation without the calls that do not end"),
    ] {
        let all = findings(&report, &format!("kinds.{name}"));
        assert!(all.iter().any(|one| one["confirmation"]["verdict"] == "confirmed"), "{needs}: {all:?}");
    }
}

/// The finding that runs is not confirmed, but its clients show another difference. A baseline and a suppression hide
/// that one as well.
#[test]
fn an_observed_difference_is_a_finding() {
    if !has_kit() {
        return;
    }
    let classes = compile("kinds-gauge", Path::new("."), &[Path::new(SOURCES).join("Gauge.java")]);
    let report = |options: &[&str]| {
        let asked = ["--class", "kinds.Gauge", "--unit", "kinds.Gauge.clear*"];
        confirmed_report(&classes, &[&asked, options].concat())
    };
    let file = |name: &str| temporary(name).display().to_string();
    let (baseline, suppressions, whole) = (file("gauge-baseline"), file("gauge-suppressions"), file("gauge-whole"));
    for name in [&baseline, &whole] {
        let _ = fs::remove_file(name);
    }

    let first = report(&["--write-baseline", &baseline]);
    let [observed, claimed] = findings(&first, "kinds.Gauge") else { panic!("two findings: {first:#}") };
    assert_eq!((&observed["group"], &observed["unit"]), (&json!("observed difference"), &json!("kinds.Gauge.rise()V")));
    assert_eq!(observed["by"], "kinds.Gauge.clear()V", "{observed:#}");
    assert_eq!(observed["confirmation"]["verdict"], "confirmed", "{observed:#}");
    let says = observed["says"].as_str().unwrap_or_default();
    assert!(says.starts_with("gauge1.level() gave 2 when clear() ran in the middle of rise()"), "{says}");
    assert_eq!(claimed["unit"], "kinds.Gauge.clear()V");
    assert_ne!(claimed["confirmation"]["verdict"], "confirmed", "{claimed:#}");

    let second = report(&["--baseline", &baseline]);
    assert_eq!(findings(&second, "kinds.Gauge"), [] as [serde_json::Value; 0], "{second:#}");

    fs::write(&suppressions, "kinds.Gauge.rise* : a gauge may rise less\n").expect("a file");
    let third = report(&["--suppress", &suppressions]);
    let units: Vec<_> = findings(&third, "kinds.Gauge").iter().map(|one| one["unit"].clone()).collect();
    assert_eq!(units, ["kinds.Gauge.clear()V"], "{third:#}");

    // The analysis of all units has a finding about these two methods.
    let folder = classes.display().to_string();
    asercheck(&["java", &folder, "--class", "kinds.Gauge", "--write-baseline", &whole]);
    let fourth = report(&["--baseline", &whole]);
    let groups: Vec<_> = findings(&fourth, "kinds.Gauge").iter().map(|one| one["group"].clone()).collect();
    assert!(!groups.contains(&json!("observed difference")), "{fourth:#}");
}
