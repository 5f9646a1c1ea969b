//! Completeness of the book: options, members of JSON, patterns.

use crate::book::page::{Page, root};
use crate::book::pattern::patterns;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

fn page(name: &str) -> String {
    Page::read(root().join("docs").join(name)).text
}

fn asercheck(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_asercheck"));
    let output = command.args(arguments).current_dir(root()).output().expect("the program can be started");
    String::from_utf8(output.stdout).expect("all output is UTF-8")
}

/// Returns the words of a text with this beginning.
fn words<'a>(text: &'a str, beginning: &str) -> BTreeSet<&'a str> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '-'));
    words.filter(|word| word.starts_with(beginning) && word.len() > beginning.len()).collect()
}

#[test]
fn every_option_is_described() {
    let help = asercheck(&["--help"]);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let named = commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next().filter(|name| !name.is_empty()));
    let named: Vec<_> = named.filter(|name| *name != "help").collect();
    assert!(named.len() >= 6, "{named:?}");
    let text = page("command-line.md") + &page("batch.md") + &page("formats.md") + &page("repair.md");
    let described = words(&text, "--");
    for command in named {
        let help = asercheck(&[command, "--help"]);
        let missing: Vec<_> = words(&help, "--").difference(&described).copied().collect();
        assert!(missing.is_empty(), "options of {command} that no page describes: {missing:?}");
        assert!(text.contains(&format!("asercheck {command}")), "no page describes {command}");
    }
}

/// Adds the names of all members, at any depth.
fn members(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                names.insert(name.clone());
                members(value, names);
            }
        }
        Value::Array(array) => array.iter().for_each(|value| members(value, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// A model with read-write locks and waiting.
const MEMBERS: &str = "rwlock r; lock l; shared x;
    process P { atomic { sync write r { read x; } sync l { wait l; } } }
    process Q { sync read r { write x; } sync l { wait l; } }";

/// Returns a model in which a call of many steps returns before the violation.
fn deep() -> String {
    let functions = (1..12).map(|i| format!("fn f{i}() {{ call f{}; call f{}; }}\n", i - 1, i - 1));
    let functions: String = functions.collect();
    format!(
        "shared x; fn f0() {{ read x; }}\n{functions}process P {{ atomic {{ call f11; write x; }} }} process Q {{ write x; }}"
    )
}

fn temporary(name: &str, text: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("book");
    fs::create_dir_all(&folder).expect("the folder can be made");
    let path = folder.join(name);
    fs::write(&path, text).expect("the file can be written");
    path.to_str().expect("the path is UTF-8").to_string()
}

#[test]
fn every_member_of_json_is_described() {
    let model = temporary("members.eml", MEMBERS);
    let automata = temporary(
        "members.phases",
        "automaton holds(T1, T2; x; r) { q1: on T1 wants write r -> q2; q2: on T2 write x -> q3; }",
    );
    let asked = [&model[..], "--automaton", &automata, "--processes", "P,Q", "--format", "json"];
    let symbolic = [&asked[..], &["--engine", "symbolic"]].concat();
    let interleave = [&asked[..], &["--engine", "interleave"]].concat();
    let deep = temporary("deep.eml", &deep());
    let vacuous = temporary("vacuous.eml", "shared x; process P * 2 { write x; }");
    let names: Vec<_> = (0..200).map(|i| format!("x{i}")).collect();
    let wide =
        temporary("wide.eml", &format!("shared {}; process P * 2 {{ atomic {{ write x0; }} }}", names.join(", ")));
    let runs: [&[&str]; 7] = [
        &["models/stack.eml", "--format", "json"],
        &symbolic,
        &interleave,
        &[&deep, "--format", "json"],
        &[&vacuous, "--format", "json"],
        &[&wide, "--format", "json"],
        &["models/stack.eml", "--format", "json", "--total-timeout", "0s"],
    ];
    let mut names = BTreeSet::new();
    for run in runs {
        members(&serde_json::from_str(&asercheck(run)).expect("the output is JSON"), &mut names);
    }
    for name in ["ended", "locks", "mode", "returns", "unlisted", "vacuous"] {
        assert!(names.contains(name), "{name}: {names:?}");
    }
    let text = page("formats.md");
    names.retain(|name| !text.contains(&format!("`{name}`")));
    assert!(names.is_empty(), "members that no page describes: {names:?}");
}

#[test]
fn every_pattern_is_described() {
    let text = page("patterns.md");
    for pattern in patterns() {
        let heading = format!("### {}: {}\n", pattern.number, pattern.notation);
        let (_, section) = text.split_once(&heading).unwrap_or_else(|| panic!("no section {heading}"));
        let section = section.split("\n#").next().unwrap_or_default();
        assert!(section.contains(&format!("(pictures/pattern-{}.svg)", pattern.number)), "{section}");
        // The page says `thread 1`, tables say `1`.
        let section = section.to_lowercase().replace("thread ", "");
        assert!(section.contains(&pattern.meaning), "{section}");
    }
}

#[test]
fn the_grammar_has_every_keyword() {
    let text = page("language.md");
    let grammar = text.split("```").find(|block| block.contains("model     = ")).expect("there is a grammar");
    let lists = include_str!("../../eml/src/syntax/token.rs").split("KEYWORDS: [&str;").skip(1);
    let lists = lists.map(|rest| rest.split("];").next().expect("a list has an end"));
    let keywords: Vec<_> = lists.flat_map(|list| list.split('"').skip(1).step_by(2)).collect();
    assert!(keywords.len() > 20, "{keywords:?}");
    for keyword in keywords {
        assert!(grammar.contains(&format!("\"{keyword}\"")), "the grammar does not say where {keyword} stands");
    }
}

#[test]
fn code_of_the_library_is_that_of_its_documentation() {
    let sources = ["src/lib.rs", "examples/analyzer.rs", "examples/control_flow.rs", "examples/limits.rs"];
    let sources = sources.map(|name| fs::read_to_string(root().join(name)).expect("the file can be read"));
    let lines: BTreeSet<_> =
        sources.iter().flat_map(|text| text.lines()).map(|line| line.trim_start_matches("//!").trim()).collect();
    let text = page("library.md");
    let (mut inside, mut count) = (false, 0);
    for line in text.lines() {
        match line {
            "```rust" => inside = true,
            "```" => inside = false,
            line if inside => {
                count += 1;
                assert!(lines.contains(line.trim()), "no example has this line: {line}");
            }
            _ => {}
        }
    }
    assert!(count > 10, "only {count} lines of code were found");
}
