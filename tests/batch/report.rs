//! The report of a batch.

use crate::batch::support::{Scratch, example, expect};
use std::fs;
use std::path::Path;

fn line(engine: &str, location: &str, rest: &str) -> String {
    format!(
        "{{\"model\":\"a,b<&>.eml\",\"engine\":\"{engine}\",\"units\":\"both\",\"memory\":1048576,\"automaton\":\"1\",\
         \"locations\":[\"{location}\"],\"processes\":[\"P\",\"P\"],{rest}}}\n"
    )
}

/// Returns the folder of a batch written by hand: `fast` decides all, `slow` one violation and one safe query.
fn folder(scratch: &Scratch) -> std::path::PathBuf {
    let model = example("stack.eml");
    let made = scratch.path("made");
    expect(0, &format!("batch {model} --pattern 1 --engines explicit --timeout 10s --quiet --out"), &made);
    let header = fs::read_to_string(made.join("header.json")).expect("there is a header");
    let header = header.replace("\"explicit\"", "\"fast\", \"slow\"").replace(&model, "a,b<&>.eml");
    fs::write(made.join("header.json"), header).expect("the folder can be written");
    let timeout = "\"verdict\":\"unknown\",\"reason\":\"timeout\",\"seconds\":10.0";
    let lines = [
        line("fast", "x", "\"verdict\":\"safe\",\"seconds\":0.5"),
        line("slow", "x", "\"verdict\":\"safe\",\"seconds\":2.0"),
        line("slow", "y", timeout),
        line("fast", "y", "\"verdict\":\"safe\",\"seconds\":1.0"),
        line("fast", "z", "\"verdict\":\"violation\",\"seconds\":0.25"),
        line("slow", "z", "\"verdict\":\"violation\",\"seconds\":4.0"),
    ];
    fs::write(made.join("results.jsonl"), lines.concat()).expect("the folder can be written");
    made
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn tables_say_who_succeeded() {
    let scratch = Scratch::new("tables");
    expect(0, "report --quiet", &folder(&scratch));
    let report = scratch.path("made").join("report");
    let pairs = "first,second,succeeded,queries,first seconds,second seconds\n\
                 fast,slow,fast slow,2,0.75,6\nfast,slow,fast,1,1,10\n";
    assert_eq!(read(&report, "pairs.csv"), pairs);
    let totals = "engine,queries,safe,violation,timeout,memory,other,seconds,longest,peak\n\
                  fast,3,2,1,0,0,0,1.75,1,1048576\nslow,3,1,1,1,0,0,16,10,1048576\n";
    assert_eq!(read(&report, "totals.csv"), totals);
    let queries = read(&report, "queries.csv");
    assert!(queries.contains("\"a,b<&>.eml\",both,1,y,,P P,safe,1,1048576,timeout,10,1048576\n"), "{queries}");
}

#[test]
fn the_page_is_whole_and_escaped() {
    let scratch = Scratch::new("page");
    expect(0, "report --quiet", &folder(&scratch));
    let report = scratch.path("made").join("report");
    let page = read(&report, "index.html");
    assert!(page.contains("a,b&lt;&amp;&gt;.eml") && !page.contains("a,b<&>"));
    for outside in ["src=", "<link", "<script", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert_eq!(page.matches("<svg").count(), 4);
    assert!(page.contains("only fast succeeded") && page.contains("(1 of 3)"));
    for (name, points) in [("safe", 2), ("violations", 1)] {
        let plot = read(&report, &format!("scatter-fast-slow-{name}.svg"));
        assert_eq!(plot.matches("<circle").count(), points, "{name}");
    }
    assert!(read(&report, "scatter-fast-slow-safe.svg").contains("Not decided: 0 by fast, 1 by slow"));
}

#[test]
fn equal_records_give_equal_bytes() {
    let scratch = Scratch::new("order");
    let folder = folder(&scratch);
    expect(0, &format!("report {} --quiet --out", folder.display()), &scratch.path("one"));
    let lines = read(&folder, "results.jsonl");
    let reversed: String = lines.lines().rev().map(|line| line.to_string() + "\n").collect();
    fs::write(folder.join("results.jsonl"), reversed).expect("the folder can be written");
    expect(0, &format!("report {} --quiet --out", folder.display()), &scratch.path("two"));
    for name in ["index.html", "queries.csv", "all-time.svg", "scatter-fast-slow-safe.svg"] {
        assert!(read(&scratch.path("one"), name) == read(&scratch.path("two"), name), "{name}");
    }
}

#[test]
fn a_batch_without_results_has_a_report() {
    let scratch = Scratch::new("empty");
    let folder = folder(&scratch);
    fs::remove_file(folder.join("results.jsonl")).expect("there are results");
    expect(0, "report --quiet", &folder);
    assert!(read(&folder.join("report"), "index.html").contains("The batch is not complete"));
}

/// Verdicts by model, and the findings with the source if the model still exists.
#[test]
fn models_have_verdicts_and_findings() {
    let scratch = Scratch::new("found");
    let made = scratch.path("made");
    let text =
        fs::read_to_string(example("stack.eml")).expect("the model is there").replace("write item;", "\nwrite item;\n");
    let model = scratch.path("own.eml");
    fs::write(&model, &text).expect("the model can be written");
    let arguments =
        format!("batch {} {} --engines explicit,symbolic --quiet --out", model.display(), example("bank.eml"));
    expect(0, &arguments, &made);
    expect(0, "report --quiet", &made);
    let page = read(&made.join("report"), "index.html");
    assert_eq!(page.matches("<td class=\"verdict-violation\">violation</td>").count(), 2, "{page}");
    let findings = read(&made.join("report"), "findings.html");
    assert!(findings.contains("own.eml") && findings.contains("write item"), "{findings}");
    assert!(findings.contains("write item;"), "{findings}");
    // Changed models give no source.
    fs::write(&model, text + "\n").expect("the model can be written");
    expect(0, "report --quiet", &made);
    let changed = read(&made.join("report"), "findings.html");
    assert!(changed.contains("own.eml") && changed.contains("write item") && !changed.contains("write item;"));
    // A missing result may be a violation.
    fs::write(made.join("results.jsonl"), "").expect("the folder can be written");
    expect(0, "report --quiet", &made);
    let page = read(&made.join("report"), "index.html");
    assert_eq!(page.matches("<td class=\"verdict-unknown\">unknown</td>").count(), 2, "{page}");
    assert!(!made.join("report/findings.html").exists());
}
