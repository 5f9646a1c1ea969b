//! Folders that are continued or refused.

use crate::batch::support::{Scratch, answers, command, example, expect, run};
use std::fs;
use std::process::Stdio;

#[test]
fn a_torn_last_line_is_decided_again() {
    let scratch = Scratch::new("torn");
    let folder = scratch.path("batch");
    let arguments = format!("batch {} --engines explicit --quiet", example("stack.eml"));
    expect(0, &format!("{arguments} --out"), &folder);
    let (whole, results) = (answers(&folder), folder.join("results.jsonl"));
    let text = fs::read(&results).expect("there are results");
    for cut in [1, 2, 30, text.len() / 2, text.len() - 1, text.len()] {
        fs::write(&results, &text[..text.len() - cut]).expect("the folder can be written");
        expect(0, &format!("{arguments} --resume --out"), &folder);
        assert!(answers(&folder) == whole, "without the last {cut} bytes");
        assert_eq!(
            fs::read(&results).map(|text| text.split(|byte| *byte == b'\n').count()).ok(),
            Some(whole.len() + 1)
        );
    }
    // The possible state after a crash of the system.
    fs::write(&results, [&text[..], &[0; 100]].concat()).expect("the folder can be written");
    expect(0, &format!("{arguments} --resume --out"), &folder);
    assert!(answers(&folder) == whole);
}

#[test]
fn a_wrong_line_is_named() {
    let scratch = Scratch::new("wrong");
    let folder = scratch.path("batch");
    let arguments = format!("batch {} --engines explicit --quiet", example("stack.eml"));
    expect(0, &format!("{arguments} --out"), &folder);
    let results = folder.join("results.jsonl");
    let text = fs::read_to_string(&results).expect("there are results").replacen('\n', "\nnothing\n", 1);
    fs::write(&results, text).expect("the folder can be written");
    let errors = expect(2, &format!("{arguments} --resume --out"), &folder);
    assert!(errors.contains("results.jsonl, line 2: not a result"), "{errors}");
    expect(2, "report", &folder);
}

#[test]
fn only_the_same_batch_is_continued() {
    let scratch = Scratch::new("same");
    let folder = scratch.path("batch");
    let model = scratch.file("m.eml", "shared x;\nprocess P * 2 { atomic { read x; write x; } }\n");
    let batch = |more: &str| format!("batch {model} --engines explicit --timeout 5s --quiet {more} --out");
    expect(0, &batch(""), &folder);
    let refused = [
        (batch(""), "is there already"),
        (batch("--resume --units first"), "units: there [\"both\"], wanted [\"first\"]"),
        (batch("--resume --shard 1/2"), "shard: there null, wanted \"1/2\""),
        (batch("--resume --separate"), "separate"),
        (batch("--resume --pattern 3"), "patterns"),
        (batch("--resume").replace("5s", "6s"), "timeout: there 5.0, wanted 6.0"),
        (batch("--resume").replace("explicit", "symbolic"), "engines"),
        (batch(&format!("--resume {}", example("stack.eml"))), "models"),
    ];
    for (arguments, reason) in refused {
        let errors = expect(2, &arguments, &folder);
        assert!(errors.contains(reason), "{arguments}: {errors}");
    }
    // The number of workers is no part of it.
    expect(0, &batch("--resume --jobs 1"), &folder);
    scratch.file("m.eml", "shared x;\nprocess P * 2 { atomic { read x; } }\n");
    let errors = expect(2, &batch("--resume"), &folder);
    assert!(errors.contains("its text has changed"), "{errors}");
}

#[test]
fn interrupted_beginnings_are_continued() {
    let scratch = Scratch::new("beginning");
    let arguments = format!("batch {} --engines explicit --quiet --resume --out", example("stack.eml"));
    let folder = scratch.path("batch");
    fs::create_dir(&folder).expect("the folder can be written");
    fs::write(folder.join("header.json.new"), "{").expect("the folder can be written");
    expect(0, &arguments, &folder);
    fs::remove_file(folder.join("results.jsonl")).expect("there are results");
    expect(0, &arguments, &folder);
}

#[test]
fn bad_places_are_refused() {
    let scratch = Scratch::new("places");
    let batch = |more: &str| format!("batch {} --engines explicit --quiet {more} --out", example("stack.eml"));
    let file = scratch.file("file", "");
    for more in ["", "--resume"] {
        expect(2, &batch(more), file.as_ref());
        expect(2, &batch(more), "/proc/nowhere".as_ref());
        expect(2, &batch(more), &scratch.path("file").join("below"));
    }
    // A folder with other content.
    let errors = expect(2, &batch("--resume"), &scratch.path(""));
    assert!(errors.contains("holds other files and no batch"), "{errors}");
    for command in ["report", "merge --out /proc/nowhere"] {
        for folder in [scratch.path(""), scratch.path("none"), file.clone().into()] {
            expect(2, command, &folder);
        }
    }
}

#[test]
fn nothing_is_decided_if_anything_is_wrong() {
    let scratch = Scratch::new("input");
    let (good, folder) = (example("stack.eml"), scratch.path("batch"));
    let wrong = scratch.file("wrong.eml", "process { }");
    let automata = scratch.file("twice.phases", "");
    let all = [
        format!("{good} {wrong}"),
        format!("{good} {}", scratch.path("none.eml").display()),
        format!("{good} {good}"),
        format!("{good} --automaton {automata}"),
        format!("{good} --locations nowhere"),
        format!("{good} --engines nobody"),
        format!("{good} --shard 3/2"),
        format!("{good} --memory 1KiB"),
        format!("{good} --jobs 0"),
        String::new(),
    ];
    for arguments in all {
        let errors = expect(2, &format!("batch {arguments} --quiet --out"), &folder);
        assert!(errors.contains("error"), "{arguments}: {errors}");
        assert!(!folder.exists(), "{arguments}");
    }
}

#[test]
fn nobody_has_to_listen() {
    let scratch = Scratch::new("pipe");
    let mut command = command(&format!("batch {} --engines explicit --out", example("stack.eml")), &scratch.path("b"));
    let mut runner = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it can be started");
    drop((runner.stdout.take(), runner.stderr.take()));
    assert_eq!(runner.wait().expect("it is our child").code(), Some(0));
}

/// A file of results written by hand: `batch` and `report` count the same.
#[test]
fn duplicate_results_count_once() {
    let scratch = Scratch::new("repeated");
    let folder = scratch.path("batch");
    let arguments = format!("batch {} --engines explicit", example("stack.eml"));
    expect(0, &format!("{arguments} --quiet --out"), &folder);
    let count = answers(&folder).len();
    let results = folder.join("results.jsonl");
    let text = fs::read_to_string(&results).expect("there are results");
    fs::write(&results, text.repeat(2)).expect("the folder can be written");
    let table = |command: String| {
        let output = run(&command, &folder);
        assert_eq!(output.status.code(), Some(0));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().find(|line| line.contains("explicit")).map(str::to_string)
    };
    let row = table("report".to_string()).expect("a row for the engine");
    assert_eq!(row.split_whitespace().nth(1), Some(count.to_string().as_str()), "{row}");
    assert_eq!(table(format!("{arguments} --resume --out")), Some(row));
}

#[test]
fn messages_are_about_the_command() {
    let scratch = Scratch::new("messages");
    let (folder, model) = (scratch.path("batch"), scratch.file("empty.eml", ""));
    let output = run(&format!("batch {model} --engines explicit --out"), &folder);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("0.0") && !text.contains("-0.0"), "{text}");
    let errors = expect(2, &format!("batch {model} --quiet --out"), &folder);
    assert!(errors.contains("--resume"), "{errors}");
    // Only batches can be continued.
    let merged = scratch.path("merged");
    expect(0, &format!("merge {} --quiet --out", folder.display()), &merged);
    let errors = expect(2, &format!("merge {} --quiet --out", folder.display()), &merged);
    assert!(errors.contains("is there already; choose another folder") && !errors.contains("--resume"), "{errors}");
    let errors = expect(2, &format!("batch {model} --quiet --out"), "/proc/nowhere".as_ref());
    assert_eq!(errors.matches("os error").count(), 1, "{errors}");
}
