//! Contradictory verdicts.

use crate::batch::support::{Scratch, example, expect};
use std::fs;
use std::path::Path;

fn arguments(more: &str) -> String {
    format!("batch {} --pattern 12 --engines explicit,symbolic --quiet {more} --out", example("stack.eml"))
}

/// Turns the violations of one engine into safe queries.
fn falsify(folder: &Path, engine: &str) {
    let results = folder.join("results.jsonl");
    let text = fs::read_to_string(&results).expect("there are results");
    let own = format!("\"engine\":\"{engine}\"");
    let falsified = text.lines().map(|line| match line.contains(&own) {
        true => line.replace("\"verdict\":\"violation\"", "\"verdict\":\"safe\"") + "\n",
        false => line.to_string() + "\n",
    });
    fs::write(&results, falsified.collect::<String>()).expect("the folder can be written");
}

#[test]
fn engines_that_disagree_are_an_error() {
    let scratch = Scratch::new("disagree");
    let folder = scratch.path("batch");
    expect(0, &arguments(""), &folder);
    falsify(&folder, "symbolic");
    let named = "12 [item, storage] [T1, T2], units both: safe says symbolic, violation says explicit";
    for (arguments, last) in [
        (arguments("--resume"), folder.clone()),
        ("report".to_string(), folder.clone()),
        (format!("merge {} --out", folder.display()), scratch.path("merged")),
    ] {
        let errors = expect(4, &arguments, &last);
        assert!(errors.contains(named), "{arguments}: {errors}");
    }
    assert!(!scratch.path("merged").exists());
    let page = fs::read_to_string(folder.join("report/index.html")).expect("there is a report");
    assert!(page.contains("Engines disagree") && page.contains(named));
}

#[test]
fn a_disagreement_is_noticed_while_a_batch_runs() {
    let scratch = Scratch::new("later");
    let folder = scratch.path("batch");
    expect(0, &arguments(""), &folder);
    falsify(&folder, "symbolic");
    let results = folder.join("results.jsonl");
    let text = fs::read_to_string(&results).expect("there are results");
    let kept: String =
        text.lines().filter(|line| line.contains("symbolic")).map(|line| line.to_string() + "\n").collect();
    fs::write(&results, kept).expect("the folder can be written");
    let errors = expect(4, &arguments("--resume"), &folder);
    assert!(errors.contains("engines disagree on"), "{errors}");
}

#[test]
fn conflicting_results_are_not_merged() {
    let scratch = Scratch::new("conflict");
    let folders = ["one", "two"].map(|name| scratch.path(name));
    folders.iter().for_each(|folder| drop(expect(0, &arguments(""), folder)));
    let [one, two] = folders.each_ref().map(|folder| folder.display().to_string());
    expect(0, &format!("merge {one} {two} --quiet --out"), &scratch.path("equal"));
    falsify(&folders[1], "explicit");
    let errors = expect(4, &format!("merge {one} {two} --out"), &scratch.path("merged"));
    assert!(errors.contains("conflicting verdicts") && errors.contains("stack.eml: 12 [item"), "{errors}");
    assert!(!scratch.path("merged").exists());
}

#[test]
fn batches_under_other_options_are_not_merged() {
    let scratch = Scratch::new("other");
    expect(0, &arguments(""), &scratch.path("one"));
    expect(0, &arguments("--timeout 9s"), &scratch.path("two"));
    let merge = format!("merge {} {} --out", scratch.path("one").display(), scratch.path("two").display());
    let errors = expect(2, &merge, &scratch.path("merged"));
    assert!(errors.contains("timeout"), "{errors}");
}

#[test]
fn runs_of_different_engines_are_united() {
    let scratch = Scratch::new("engines");
    for engine in ["explicit", "symbolic"] {
        let arguments = arguments("").replace("explicit,symbolic", engine);
        expect(0, &arguments, &scratch.path(engine));
    }
    let merge = format!("merge {} {}", scratch.path("explicit").display(), scratch.path("symbolic").display());
    let errors = expect(0, &format!("{merge} --quiet --out"), &scratch.path("merged"));
    assert_eq!(errors, "");
    expect(0, &arguments(""), &scratch.path("whole"));
    assert!(
        crate::batch::support::answers(&scratch.path("merged"))
            == crate::batch::support::answers(&scratch.path("whole"))
    );
}
