//! The counts of a run: every form of reports has the same ones, and they add up.

use crate::cli::support::{Run, asercheck, temporary};
use serde_json::Value;

const SAMPLES: [&str; 4] = [
    "models/java/client/classes",
    "models/java/statics/classes",
    "models/java/undecided/classes",
    "models/java/part/classes",
];

fn java(arguments: &[&str]) -> Run {
    asercheck(&[&["java"], &SAMPLES[..], arguments].concat())
}

/// The verdicts on classes, in the order of the forms.
const VERDICTS: [&str; 4] = ["violated", "proved", "open", "nothing_asked"];

/// The numbers in a line, in their order.
fn numbers(line: &str) -> Vec<usize> {
    let line = line.replace(',', "");
    let digits = line.split(|letter: char| !letter.is_ascii_digit()).filter(|word| !word.is_empty());
    digits.map(|word| word.parse().expect("a number")).collect()
}

fn line_with<'a>(text: &'a str, words: &str) -> &'a str {
    text.lines().find(|line| line.contains(words)).unwrap_or_else(|| panic!("{words}: {text}"))
}

#[test]
fn the_forms_agree() {
    let path = temporary("counts.html");
    let page_path = path.to_str().expect("UTF-8");
    let text = java(&["--report", page_path]).out;
    let json: Value = serde_json::from_str(&java(&["--format", "json"]).out.replace("TIME", "0.0")).expect("JSON");
    let of = |name: &str| json["summary"][name].as_u64().expect("a number") as usize;
    let all = json["subjects"].as_array().expect("subjects").iter();
    let of_subjects = |name: &str| -> Vec<&Value> {
        all.clone().flat_map(|subject| subject[name].as_array().expect("an array")).collect()
    };
    let findings = of_subjects("findings").iter().filter(|finding| finding["repeats"].is_null()).count();
    let undecided = of_subjects("unknown").len();
    assert!(undecided > 0 && findings < of("findings"), "the samples have what can be told apart: {json}");
    let (queries, violation, unknown) = (of("queries"), of("violation"), of("unknown"));

    // Text.
    let last = line_with(&text, " queries, ");
    let [shown, repeated, asked, violated, left] = numbers(last)[..5] else { panic!() };
    assert_eq!((shown, shown + repeated), (findings, of("findings")), "{last}");
    assert_eq!((asked, violated, left), (queries, violation, unknown), "{last}");
    let subjects = numbers(line_with(&text, " subjects: "));
    let verdicts = VERDICTS.map(of);
    assert_eq!(subjects[1..5], verdicts, "{text}");
    assert_eq!((subjects[0], verdicts.iter().sum()), (of("subjects"), of("subjects")), "{text}");
    let with_verdict = |verdict: &str| all.clone().filter(|subject| subject["verdict"] == verdict).count();
    assert_eq!(VERDICTS.map(with_verdict), verdicts);
    assert!(verdicts.iter().all(|count| *count > 0), "the samples have each verdict: {verdicts:?}");
    let head = numbers(line_with(&text, " likely, "));
    assert_eq!((head[0], head[2] + head[3] + head[4]), (findings, findings), "{head:?}");
    let with_own = json["subjects"].as_array().expect("subjects").iter().filter(|subject| {
        subject["findings"].as_array().is_some_and(|all| all.iter().any(|finding| finding["repeats"].is_null()))
    });
    let names: std::collections::BTreeSet<_> = with_own.map(|subject| subject["class"].to_string()).collect();
    assert_eq!(head[1], names.len(), "{head:?}");

    // GitHub.
    let github = java(&["--format", "github", "--max-findings", "3"]).out;
    let notice = line_with(&github, ",title=asercheck::").rsplit("::").next().unwrap_or_default();
    let expected = [&[findings, violation, queries, undecided][..], &verdicts].concat();
    assert_eq!(numbers(notice), expected, "{notice}");

    // JUnit.
    let junit = java(&["--format", "junit"]).out;
    for (verdict, count) in VERDICTS.iter().zip(verdicts) {
        assert!(junit.contains(&format!("<property name=\"{verdict}\" value=\"{count}\">")), "{verdict}: {junit}");
    }

    // The page.
    let page = std::fs::read_to_string(&path).expect("a page");
    let row = page.split("<tbody>").nth(1).and_then(|rest| rest.split("</tbody>").next()).expect("a table");
    let cells: Vec<_> = row.split("<td").skip(3).filter_map(|cell| cell.split(['>', '<']).nth(1)).collect();
    let cells = numbers(&cells[..5].join(" "));
    assert_eq!(cells, [findings, queries, queries - violation - unknown, violation, unknown], "{row}");
    assert!(page.contains(line_with(&text, " subjects: ")));
    assert!(page.contains(&last.split(" (explicit").next().unwrap_or_default().to_string()), "{last}");
    let listed = page.split("<h2>Not decided</h2>").nth(1).and_then(|rest| rest.split("</ul>").next());
    assert_eq!(listed.map(|list| list.matches("<li>").count()), Some(undecided));

    // SARIF.
    let sarif: Value = serde_json::from_str(&java(&["--format", "sarif"]).out.replace("TIME", "0.0")).expect("JSON");
    let run = &sarif["runs"][0];
    assert_eq!(run["results"].as_array().map(Vec::len), Some(findings));
    assert_eq!(run["properties"]["summary"]["violation"], violation);
    assert_eq!(run["invocations"][0]["executionSuccessful"], true, "an open class is no error");
    assert_eq!(
        VERDICTS.map(|verdict| run["properties"]["classes"][verdict].as_u64()),
        verdicts.map(|it| Some(it as u64))
    );
    let notifications = run["invocations"][0]["toolExecutionNotifications"].as_array().map(Vec::len);
    assert_eq!(notifications, Some(undecided));
}

#[test]
fn the_classes_add_up() {
    let client = "models/java/client/classes";
    let program = ["models/java/program/classes", "--main", "program.census.Census"];
    let runs: [&[&str]; 7] = [
        &["models/java/statics/classes"],
        &[client],
        &[client, "--shard", "1/3"],
        &[client, "--class", "client.A*"],
        &[client, "--total-timeout", "0s"],
        &program,
        &[&program[..], &["--class", "program.census.*", "--shard", "1/2"]].concat(),
    ];
    for arguments in runs {
        let run = asercheck(&[&["java"], arguments, &["-q"]].concat());
        let line = line_with(&run.out, " looked at");
        let counts = numbers(line);
        assert_eq!(counts[0] + counts[2..].iter().sum::<usize>(), counts[1], "{arguments:?}: {line}");
    }
}
