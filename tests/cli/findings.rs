//! Findings: each cause once, as much of them as is wanted, in the width that there is.

use crate::cli::support::{Run, asercheck, command, file};
use serde_json::Value;

/// A model with many violations and few causes: each process calls the same two functions, which update four locations.
fn many() -> String {
    let text = "shared a, b, c, d;\natomicset s { a, b, c, d }\n\
                fn get() {\n  read a;\n  read b;\n  read c;\n  read d;\n}\n\
                fn set() {\n  write a;\n  write b;\n  write c;\n  write d;\n}\n\
                process P * 2 { atomic { call get; call set; } }\n\
                process Q { atomic { call get; call set; } }\n\
                process R { atomic { call set; call get; } }\n";
    file("many-violations.eml", text)
}

fn at_width(arguments: &[&str], width: &str) -> Run {
    Run::of(arguments, command(arguments).env("COLUMNS", width).output().expect("the program can be started"))
}

#[test]
fn a_flood_is_a_few_findings() {
    let model = many();
    let (all, some) = (asercheck(&["check", &model, "--all"]), asercheck(&["check", &model]));
    let heads = |run: &Run, word: &str| run.out.lines().filter(|line| line.starts_with(word)).count();
    let violations = heads(&all, "violation ");
    assert!(violations > 100, "{violations}");
    assert_eq!((heads(&some, "finding "), heads(&some, "violation ")), (10, 0));
    assert!(some.out.lines().count() * 8 < all.out.lines().count());
    assert!(some.out.contains(" more findings ("), "{}", some.out);
    let three = asercheck(&["check", &model, "--max-findings", "3"]);
    assert_eq!(heads(&three, "finding "), 3);
    // A line for each, however many there are.
    let summary = asercheck(&["check", &model, "--summary"]);
    let lines = summary.out.lines().filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit())).count();
    assert!(lines > 13 && !summary.out.contains("more findings"), "{}", summary.out);
    // The last line is the same for all.
    assert!(all.out.lines().last() == some.out.lines().last() && all.code == some.code);
}

#[test]
fn a_line_for_each_finding() {
    asercheck(&["check", "models/shop2.eml", "--summary"]).assert_snapshot("findings_summary");
}

#[test]
fn findings_are_in_json_by_the_places_of_their_queries() {
    let run = asercheck(&["check", "models/shop2.eml", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out.replace("TIME", "0.0")).expect("JSON");
    let queries = report["queries"].as_array().expect("a list");
    let findings = report["findings"].as_array().expect("a list");
    let mut places: Vec<_> =
        findings.iter().flat_map(|finding| finding["queries"].as_array().expect("a list")).collect();
    places.sort_by_key(|place| place.as_u64());
    let violations: Vec<_> =
        (0..queries.len()).filter(|place| queries[*place]["verdict"] == "violation").map(Value::from).collect();
    assert_eq!(places, violations.iter().collect::<Vec<_>>());
    let ranks: Vec<_> = findings.iter().map(|finding| finding["rank"].as_f64().expect("a number")).collect();
    assert!(ranks.windows(2).all(|pair| pair[0] >= pair[1]) && !ranks.is_empty());
}

#[test]
fn tables_fit_the_width() {
    for model in ["models/stack.eml", "models/shop3.eml", "models/lottery3.eml", "models/spawner-twice.eml"] {
        for width in [60, 80, 120] {
            for arguments in [&["check", model][..], &["check", model, "--summary"], &["check", model, "--all"]] {
                let run = at_width(arguments, &width.to_string());
                // The table of patterns and sentences are not cut.
                let tables =
                    run.out.lines().skip_while(|line| !line.starts_with("finding ") && !line.starts_with("violation "));
                for line in tables.filter(|line| line.starts_with("   ")) {
                    assert!(line.chars().count() <= width, "{width}: {line}");
                }
            }
        }
    }
    at_width(&["check", "models/stack.eml", "--pattern", "12", "--processes", "T1,T2"], "60")
        .assert_snapshot("findings_narrow");
}

/// A race and a violation of an automaton by the same statements.
#[test]
fn automata_have_fingerprints_of_their_own() {
    let model = file("both.eml", "shared x;\nprocess P { write x; }\nprocess Q { read x; }\n");
    let automaton =
        file("both.phases", "automaton seen(T1, T2; a) {\n  q1: on T1 write a -> q2;\n  q2: on T2 read a -> q3;\n}\n");
    let fingerprint = |arguments: &[&str]| {
        let run = asercheck(&[&["check", &model, "--format", "json"], arguments].concat());
        let report: Value = serde_json::from_str(&run.out.replace("TIME", "0.0")).expect("JSON");
        assert_eq!(report["findings"].as_array().map(Vec::len), Some(1), "{report}");
        report["findings"][0]["fingerprint"].clone()
    };
    let [race, own] = [&["--races"][..], &["--automaton", &automaton]].map(fingerprint);
    assert_ne!(race, own);
    assert_eq!(fingerprint(&["--races", "--automaton", &automaton]), race, "of one cause it is that of the race");
}

#[test]
fn sentences_are_broken_at_words() {
    let classes = "models/java/client/classes";
    let bank = ["check", "models/bank.eml"];
    let runs: [&[&str]; 5] = [
        &["java", classes, "-v"],
        &["java", classes, "--summary", "--max-findings", "3"],
        &bank,
        &["explain", "java"],
        &["explain", "5"],
    ];
    for arguments in runs {
        let [narrow, free] = [at_width(arguments, "80"), asercheck(arguments)];
        let is_table = |line: &str| line.trim().contains("  ") || line.trim().split(' ').count() < 3;
        let mut is_code = false;
        for line in narrow.out.lines() {
            is_code ^= line.starts_with("```");
            assert!(is_code || is_table(line) || line.chars().count() <= 80, "{arguments:?}: {line}");
        }
        let words = |run: &Run| -> Vec<String> {
            let prose = run.out.lines().filter(|line| !line.trim().contains("  ") && !line.contains('…'));
            prose.flat_map(str::split_whitespace).map(String::from).collect()
        };
        if arguments[0] == "explain" {
            assert_eq!(words(&narrow), words(&free), "{arguments:?}");
        }
    }
}

#[test]
fn colors_where_they_are_wanted() {
    let check = |arguments: &[&str], set: &[(&str, &str)]| {
        let arguments = [&["check", "models/bank.eml"], arguments].concat();
        let output = command(&arguments).envs(set.iter().copied()).output().expect("it can be started");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    assert!(!check(&[], &[]).contains('\u{1b}'));
    assert!(check(&["--color", "always"], &[]).contains('\u{1b}'));
    assert!(!check(&["--color", "never"], &[("NO_COLOR", "")]).contains('\u{1b}'));
    assert!(!check(&[], &[("NO_COLOR", "1")]).contains('\u{1b}'));
}

#[test]
fn source_lines_stand_beside_steps() {
    let run = at_width(&["check", "models/bank.eml", "--pattern", "1"], "160");
    let text = std::fs::read_to_string("models/bank.eml").expect("a model");
    let shown = run
        .out
        .lines()
        .filter(|line| text.lines().any(|own| own.trim().len() > 8 && line.contains(own.trim())))
        .count();
    assert!(shown >= 4, "{}", run.out);
}
