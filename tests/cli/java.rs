//! `asercheck java`.

use crate::cli::support::{asercheck, command, file, temporary};
use serde_json::Value;
use std::collections::BTreeSet;

const CLASSES: &str = "models/java/client/classes";

fn report(arguments: &[&str]) -> Value {
    let run = asercheck(&[&["java"], arguments, &["--format", "json"]].concat());
    serde_json::from_str(&run.out.replace("TIME", "0.0")).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

fn findings(report: &Value) -> Vec<&Value> {
    let subjects = report["subjects"].as_array().expect("subjects");
    subjects.iter().flat_map(|subject| subject["findings"].as_array().expect("findings")).collect()
}

#[test]
fn a_finding_with_its_lines() {
    asercheck(&["java", &format!("{CLASSES}/client/CheckThenAct.class")]).assert_snapshot("java-finding");
}

#[test]
fn proved_classes_are_listed_on_request() {
    let folder = |name: &str| format!("{CLASSES}/client/{name}Repaired.class");
    let classes = ["Visits", "CheckThenAct", "Cache", "ExplicitLock"].map(folder);
    let classes = classes.iter().map(String::as_str);
    let arguments: Vec<_> = ["java"].into_iter().chain(classes).chain(["--verbose"]).collect();
    asercheck(&arguments).assert_snapshot("java-proved");
}

#[test]
fn a_line_of_each() {
    let run = asercheck(&["java", CLASSES, "--summary", "--max-findings", "3"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.out.contains("  client.") && run.out.contains("more findings in"), "{}", run.out);
    assert!(!run.out.contains('▶'), "{}", run.out);
}

#[test]
fn broken_classes_have_findings_and_repaired_ones_none() {
    let report = report(&[CLASSES]);
    for subject in report["subjects"].as_array().expect("subjects") {
        let class = subject["class"].as_str().expect("a class");
        let is_broken = subject["findings"].as_array().is_some_and(|findings| !findings.is_empty());
        // Methods that these inherit from the library call their methods one by one.
        let is_torn = ["Forwarded", "Polled", "Wrapped"].iter().any(|it| class == format!("client.{it}Repaired"));
        let is_repaired = (class.ends_with("Repaired") || class.ends_with("$Bolt")) && !is_torn;
        // The lock of this one is taken in some calls only.
        let is_open = subject["verdict"] == "open" && class == "client.Sometimes";
        assert_eq!(is_broken || is_open, !is_repaired, "{class}");
    }
    assert_eq!(report["skipped"]["abstract"], 2);
    // The order is that of importance, except for possibly benign findings.
    let first = |subject: &Value| {
        let finding = &subject["findings"][0];
        let place = ["likely", "possible", "benign"].iter().position(|it| finding["likelihood"] == *it).unwrap_or(3);
        (place, -finding["rank"].as_f64().unwrap_or(-1.0))
    };
    let ranks: Vec<_> = report["subjects"].as_array().expect("subjects").iter().map(first).collect();
    assert!(ranks.is_sorted(), "{ranks:?}");
    let names = |of: &[&str]| {
        let name = |one: &Value| of.iter().map(|member| one[*member].to_string()).collect::<Vec<_>>();
        findings(&report).into_iter().map(name).collect::<BTreeSet<_>>().len()
    };
    assert_eq!(names(&["fingerprint"]), findings(&report).len(), "no two findings have one fingerprint");
}

#[test]
fn names_are_full_names() {
    let report = report(&[CLASSES, "--class", "client.Append"]);
    let all = findings(&report);
    let append = all.iter().find(|one| one["unit"].as_str().is_some_and(|unit| unit.ends_with(" [argument]")));
    let append = append.unwrap_or_else(|| panic!("{report}"));
    assert!(append["unit"].as_str().is_some_and(|unit| unit.starts_with("client.Append.append(L")), "{append}");
    let location = append["locations"][0].as_str().expect("a location");
    assert!(location.starts_with("client.Append."), "{location}");
    let step = &append["witness"]["steps"][2];
    assert_eq!(step["file"], "models/java/client/Append.java");
}

#[test]
fn units_and_fields_narrow_what_is_asked() {
    let unit = report(&[CLASSES, "--class", "client.Account", "--unit", "client.Account.put"]);
    assert_eq!(findings(&unit).len(), 1);
    assert_eq!(findings(&unit)[0]["unit"], "client.Account.put(I)V");
    let nothing = ["java", CLASSES, "--class", "client.Account", "--field", "*.nothing"];
    let run = asercheck(&nothing);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.out.contains("nothing asked (no unit of work that is asked about accesses"), "{}", run.out);
    let run = asercheck(&[&nothing[..], &["--fail-on-vacuous"]].concat());
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.errors.contains("nothing to decide"), "{run:?}");
}

#[test]
fn a_baseline_hides_what_is_known() {
    let path = temporary("java-baseline.json");
    let path = path.to_str().expect("UTF-8");
    let known = asercheck(&["java", CLASSES, "--class", "client.Account", "--write-baseline", path, "-q"]);
    assert_eq!(known.code, Some(1), "{known:?}");
    let run = asercheck(&["java", CLASSES, "--class", "client.Account", "--baseline", path]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.out.contains("1 finding is known from the baseline, 0 are gone since"), "{}", run.out);
    assert!(run.out.contains("\n1 subject: 1 violated, 0 proved, 0 open, 0 nothing asked\n"), "{}", run.out);
    assert!(run.out.contains("\nnothing new: 0 new findings;"), "{}", run.out);
    let told = asercheck(&["java", CLASSES, "--class", "client.Account", "--baseline", path, "-v"]).out;
    assert!(!told.contains("proved: client.Account"), "what is hidden is not proved: {told}");
    // Other findings are shown, and known ones stay hidden.
    let run = asercheck(&["java", CLASSES, "--baseline", path, "-q"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    // On other fields it is shown again.
    let text = std::fs::read_to_string(path).expect("a baseline");
    let other = file("java-baseline-other.json", text.replace("Account.balance", "Account.other"));
    let run = asercheck(&["java", CLASSES, "--class", "client.Account", "--baseline", &other]);
    assert_eq!(run.code, Some(1), "{run:?}");
    // Repaired findings are reported as gone.
    let gone = file("java-baseline-gone.json", text.replace("client.Account\"", "client.AccountRepaired\""));
    let gone_text = std::fs::read_to_string(&gone).expect("a baseline");
    let changed: String =
        gone_text
            .lines()
            .map(|line| {
                if line.contains("fingerprint") {
                    "\"fingerprint\": \"00\",\n".to_string()
                } else {
                    format!("{line}\n")
                }
            })
            .collect();
    let gone = file("java-baseline-gone.json", changed);
    let run = asercheck(&["java", CLASSES, "--class", "client.AccountRepaired", "--baseline", &gone]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.out.contains("gone: client.AccountRepaired: client.Account.take(I)V"), "{}", run.out);
    for (name, text, words) in [
        ("java-baseline-damaged.json", "{\"version\": 1, \"findings\": [", "it is no baseline"),
        ("java-baseline-later.json", "{\"version\": 7}", "version 7"),
    ] {
        let path = file(name, text);
        asercheck(&["java", CLASSES, "--baseline", &path]).assert_refused(words);
    }
    asercheck(&["java", CLASSES, "--baseline", "no-such-file.json"]).assert_refused("cannot read no-such-file.json");
}

#[test]
fn other_formats() {
    let run = asercheck(&["java", CLASSES, "--class", "client.Visits", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&run.out.replace("TIME", "0.0")).expect("JSON");
    let result = &log["runs"][0]["results"][0];
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "models/java/client/Visits.java");
    assert!(result["message"]["text"].as_str().is_some_and(|text| text.contains("Visits: this.next()")), "{result}");
    let run = asercheck(&["java", CLASSES, "--class", "client.Visits", "--format", "github"]);
    assert!(run.out.starts_with("::error file=models/java/client/Visits.java,line=8,"), "{}", run.out);
    let page = temporary("java.html");
    let page = page.to_str().expect("UTF-8");
    let run = asercheck(&["java", CLASSES, "--class", "client.Visits", "-q", "--report", page]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let text = std::fs::read_to_string(page).expect("a page");
    assert!(text.contains("Visits.java") && text.contains("lost update of Visits.count"));
}

#[test]
fn an_unreadable_file_costs_only_itself() {
    let damaged = file("Hostile.class", [0xca, 0xfe, 0xba, 0xbe, 0, 0]);
    let run = asercheck(&["java", CLASSES, &damaged, "--class", "client.Visits"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.errors.contains("warning:") && run.errors.contains("Hostile.class"), "{run:?}");
    let run = asercheck(&["java", &damaged]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{run:?}");
    assert!(run.errors.contains("error: there are no classes in what is given"), "{run:?}");
    asercheck(&["java", CLASSES, "--class", "Visits"]).assert_refused("did you mean `client.Visits`?");
    asercheck(&["java", CLASSES, "--source", "no-such-folder"]).assert_refused("is no folder of sources");
}

#[test]
fn the_end_of_the_time_leaves_the_rest_open() {
    let run = asercheck(&["java", CLASSES, "--total-timeout", "0s"]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.out.contains("open: the run was ended (timeout)"), "{}", run.out);
    let run = asercheck(&["java", CLASSES, "--class", "client.Account", "--memory", "1KiB"]);
    // Either while the classes are read, or later.
    assert!(matches!(run.code, Some(0 | 3)), "{run:?}");
    assert!(!run.out.contains("1 proved"), "{run:?}");
}

#[test]
fn two_runs_and_any_number_of_jobs_say_the_same() {
    let one = report(&[CLASSES, "--jobs", "1"]);
    let mut text = Vec::new();
    for jobs in ["1", "4"] {
        let mut again = report(&[CLASSES, "--jobs", jobs]);
        for subject in again["subjects"].as_array_mut().expect("subjects") {
            subject["seconds"] = Value::from(0.0);
        }
        again["summary"]["seconds"] = Value::from(0.0);
        text.push(again.to_string());
    }
    assert_eq!(text[0], text[1]);
    assert!(!findings(&one).is_empty());
}

#[test]
fn names_cannot_write_to_the_terminal() {
    // The class file of Visits with an escape sequence in the name of its field `count`.
    let path = format!("{}/{CLASSES}/client/Visits.class", env!("CARGO_MANIFEST_DIR"));
    let mut bytes = std::fs::read(path).expect("a class file");
    let at = bytes.windows(5).position(|five| five == b"count").expect("the name");
    bytes[at..at + 5].copy_from_slice(b"\x1b[2J\n");
    let path = file("Visits.class", &bytes);
    for arguments in [&["java", &path][..], &["java", &path, "--summary"], &["java", &path, "--format", "github"]] {
        let output = command(arguments).output().expect("the program can be started");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(text.contains("u{1b}") && !text.contains('\u{1b}'), "{text}");
    }
}

/// The section that is torn apart is in a method of a superclass, its accesses are in the file of the subclass.
#[test]
fn a_torn_section_is_in_the_file_of_its_method() {
    let classes = "models/java/inherited/classes";
    let report = report(&[classes]);
    let cause = &findings(&report)[0]["cause"];
    assert_eq!((&cause["file"], &cause["lines"]), (&"inherited/Base.java".into(), &serde_json::json!([15, 16])));
    assert_eq!(cause["accesses"][0]["file"], "inherited/Sub.java");
    for form in ["junit", "github"] {
        let run = asercheck(&["java", classes, "--format", form]);
        let section = "torn apart: Base.count, lines 15-16 of Base.java: reads number, writes number";
        assert!(run.out.contains(section), "{}", run.out);
    }
    let text = asercheck(&["java", classes, "--max-findings", "1"]).out;
    for line in ["    Base.java:15  ", "    Base.java:16  "] {
        assert!(text.contains(line), "{text}");
    }
}

/// The XML of JUnit has the names of the text form, and the interleaving.
#[test]
fn junit_reads_as_the_text() {
    let arguments = ["java", CLASSES, "--class", "client.Append", "--class", "client.Account"];
    let of = |form: &str| asercheck(&[&arguments[..], &["--max-findings", "9", "--format", form]].concat()).out;
    let [text, junit] = ["text", "junit"].map(of);
    assert!(!junit.contains(")V") && !junit.contains("(L"), "no descriptors: {junit}");
    let junit = junit.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let steps = text.lines().filter(|line| line.contains('▶'));
    // Without a terminal, the table of the text form may be wider.
    for step in steps {
        let words: Vec<_> = step.split_whitespace().take(4).collect();
        let has = |line: &str| line.split_whitespace().take(4).eq(words.iter().copied());
        assert!(junit.lines().any(has), "{step}: {junit}");
    }
    let sentences: Vec<&str> = text
        .lines()
        .zip(text.lines().skip(1))
        .filter(|(head, _)| head.starts_with("finding "))
        .map(|it| it.1)
        .collect();
    assert!(sentences.len() >= 2, "{text}");
    for sentence in sentences {
        assert!(junit.contains(sentence), "{sentence}: {junit}");
    }
}

/// A finding is to be read in half a minute: by default it has no assumptions, no calls and no locking steps. Likely
/// ones are shown in full, possible ones have a line each, and those that are possibly benign are counted.
#[test]
fn a_report_is_short_by_default() {
    let run = asercheck(&["java", CLASSES, ORDER]);
    assert!(
        !run.out.contains("assumed") && !run.out.contains(" acquire ") && !run.out.contains(" call "),
        "{}",
        run.out
    );
    let json = report(&[CLASSES, ORDER]);
    let count = |likelihood: &str| {
        let own = |finding: &&Value| finding["likelihood"] == likelihood && finding["repeats"].is_null();
        findings(&json).into_iter().filter(own).count()
    };
    let lines = |begin: &str| run.out.lines().filter(|line| line.trim_start().starts_with(begin)).count();
    assert_eq!(lines("finding "), count("likely"));
    assert_eq!(run.out.matches(" (possible)  ").count(), count("possible"));
    assert!(run.out.contains(&format!("\n{} findings are possibly benign;", count("benign"))), "{}", run.out);
    for finding in run.out.split("\nfinding ").skip(1) {
        let text = finding.split("\n  fingerprint ").next().unwrap_or_default();
        assert!(text.lines().count() <= 25, "{text}");
    }
}

/// Of two calls that interfere, the one that makes the unit fail is shown; the same fields in several methods are one
/// finding.
#[test]
fn the_strongest_interfering_call_is_shown() {
    let classes = "models/java/effect/classes";
    let json = report(&[classes, "--class", "effect.Average"]);
    let all = findings(&json);
    assert_eq!(all.len(), 1, "one defect: {json}");
    assert_eq!(all[0]["effect"], "exception");
    assert_eq!(all[0]["by"], "effect.Average.reset()V");
    let says = all[0]["says"].as_str().expect("a text");
    assert!(says.starts_with("average() can throw ArithmeticException: reset() sets count to 0"), "{says}");
    assert_eq!(all[0]["cause"]["places"].as_array().map(Vec::len), Some(3), "{json}");
    // Nothing sets the counter back.
    let json = report(&[classes, "--class", "effect.AverageGrowing"]);
    assert!(findings(&json).iter().all(|finding| finding["effect"] != "exception"), "{json}");
    let effects = [
        ("Names", "IndexOutOfBoundsException"),
        ("Sessions", "NullPointerException"),
        ("Listeners", "ConcurrentModificationException"),
        ("Stack", "ArrayIndexOutOfBoundsException"),
    ];
    let json = report(&[classes]);
    for (class, exception) in effects {
        let name = format!("effect.{class}");
        let subjects = json["subjects"].as_array().expect("subjects").iter();
        let own = subjects.filter(|subject| subject["class"] == name.as_str());
        let says: Vec<&str> = own
            .flat_map(|subject| subject["findings"].as_array().expect("findings"))
            .filter_map(|finding| finding["says"].as_str())
            .collect();
        assert!(says.iter().any(|says| says.contains(exception)), "{class}: {says:?}");
    }
}

/// Reports about code without line numbers have byte offsets, and no invented lines.
#[test]
fn code_without_lines_has_bytes() {
    let mut bytes = std::fs::read(format!("{CLASSES}/client/CheckThenAct.class")).expect("it is there");
    let lines = b"LineNumberTable";
    let at = bytes.windows(lines.len()).position(|own| own == lines).expect("it has lines");
    bytes[at] = b'?';
    let path = file("WithoutLines.class", &bytes);
    let [text, sarif, github, junit] = ["text", "sarif", "github", "junit"]
        .map(|form| asercheck(&["java", &path, "--max-findings", "1", "--format", form]).out);
    assert!(text.contains("CheckThenAct, byte 1") && !text.contains("CheckThenAct.java:"), "{text}");
    assert!(!sarif.contains("\"region\""), "{sarif}");
    assert!(!github.contains("line="), "{github}");
    assert!(junit.contains(", bytes 1 to "), "{junit}");
}

#[test]
fn subsumed_queries_are_counted_and_can_be_asked() {
    let [some, all] = [&[CLASSES][..], &[CLASSES, "--all-queries"]].map(report);
    let number = |report: &Value, name: &str| report["summary"][name].as_u64().expect("a number");
    assert!(number(&some, "subsumed") > 0 && number(&all, "subsumed") == 0);
    assert_eq!(number(&some, "queries") + number(&some, "subsumed"), number(&all, "queries"));
    let units = |report: &Value| -> BTreeSet<String> {
        let units = |finding: &Value| finding["cause"]["units"].as_array().expect("units").clone();
        findings(report).into_iter().flat_map(units).map(|unit| unit.to_string()).collect()
    };
    assert_eq!(units(&some), units(&all));
    let run = asercheck(&["java", CLASSES, "--quiet"]);
    assert!(run.out.contains(&format!(", {} subsumed (", number(&some, "subsumed"))), "{}", run.out);
}

/// The fields of each violation are named by findings of its class.
#[test]
fn no_violation_is_lost() {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    // Elements with different indices belong to one array.
    let plain = |name: &Value| {
        let mut pieces = name.as_str().expect("a name").split('[');
        let first = pieces.next().unwrap_or_default().to_string();
        pieces.fold(first, |name, piece| name + "[]" + piece.split_once(']').map_or("", |(_, rest)| rest))
    };
    for classes in [CLASSES, ORDER] {
        let report = report(&[classes, "--all-queries"]);
        let mut count = 0;
        for subject in report["subjects"].as_array().expect("subjects") {
            let findings = list(&subject["findings"]);
            let told: BTreeSet<String> = findings
                .iter()
                .flat_map(|finding| [list(&finding["locations"]), list(&finding["other_locations"])].concat())
                .map(|location| plain(&location))
                .collect();
            for query in list(&subject["all_queries"]).iter().filter(|query| query["verdict"] == "violation") {
                let is_told = |own: &Value| {
                    let own = plain(own);
                    told.iter().any(|told| {
                        told.strip_suffix(&own).is_some_and(|class| class.is_empty() || class.ends_with('.'))
                    })
                };
                assert!(list(&query["locations"]).iter().all(is_told), "{}: {query}", subject["class"]);
                count += 1;
            }
        }
        assert!(count > 20, "{classes}: {count}");
    }
}

#[test]
fn models_say_what_they_are_of() {
    let folder = temporary("java-program-model");
    let _ = std::fs::remove_dir_all(&folder);
    let name = folder.to_str().expect("UTF-8");
    report(&["models/java/program/classes", "--main", "program.census.Census", "--emit", name]);
    let mut count = 0;
    for file in std::fs::read_dir(&folder).expect("the folder").flatten() {
        let text = std::fs::read_to_string(file.path()).expect("a model");
        let head: Vec<_> = text.lines().take(3).collect();
        assert!(head[0].ends_with(", in a program.") && head[2].ends_with("asks: all processes"), "{text}");
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn models_have_the_same_verdicts() {
    let folder = temporary("java-models");
    let _ = std::fs::remove_dir_all(&folder);
    let name = folder.to_str().expect("UTF-8");
    let report = report(&[CLASSES, "--emit", name, "--all-queries"]);
    let mut count = 0;
    for subject in report["subjects"].as_array().expect("subjects") {
        let file = folder.join(format!("{}.eml", subject["class"].as_str().expect("a class")));
        if subject["entries"] == 0 {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("a model");
        assert!(text.contains(".java:") && text.contains(", which any number of threads use.\n"), "{text}");
        let path = file.to_str().expect("UTF-8");
        assert_eq!(asercheck(&["fmt", "--check", path]).code, Some(0), "{path}");
        assert_eq!(text.contains("METHOD,another_thread_2\n"), text.contains("process another_thread_2 "), "{text}");
        let run = asercheck(&["check", path, "--format", "json"]);
        let checked: Value = serde_json::from_str(&run.out.replace("TIME", "0.0")).expect("JSON");
        let is_asked = |query: &&Value| {
            let processes = &query["processes"];
            let runs_once = ["client.Ticking", "client.TickingRepaired"].map(|class| subject["class"] == class);
            let is_once = runs_once.contains(&true) && processes[0] == "this.run";
            let others = if is_once { "another_thread_2" } else { "another_thread" };
            processes[1] == others && !processes[0].as_str().is_some_and(|name| name.starts_with("another_thread"))
        };
        let queries = checked["queries"].as_array().expect("queries").iter().filter(is_asked);
        let violations: Vec<_> = queries.filter(|query| query["verdict"] == "violation").collect();
        let units: BTreeSet<_> = violations.iter().map(|query| query["processes"][0].to_string()).collect();
        let findings = subject["findings"].as_array().expect("findings");
        if subject["verdict"] == "open" {
            assert!(findings.is_empty(), "{path}");
            continue;
        }
        assert_eq!(units.is_empty(), findings.is_empty(), "{path}");
        let all = findings.iter().map(|finding| finding["violations"].as_u64().expect("a number"));
        assert_eq!(violations.len() as u64, all.sum::<u64>(), "{path}");
        count += 1;
    }
    assert!(count >= 20, "{count}");
}

/// Pairs of classes that differ in one kind of evidence, which lowers the finding of the first. The rank of each
/// finding agrees with its evidence.
#[test]
fn evidence_agrees_with_the_code() {
    let report = report(&["models/java/evidence/classes"]);
    let found = |class: &str, unit: &str| -> Option<Value> {
        let all = findings(&report);
        let unit = format!("evidence.{class}.{unit}(");
        let mut own =
            all.into_iter().filter(|one| one["cause"]["method"].as_str().is_some_and(|it| it.starts_with(&unit)));
        own.next().cloned()
    };
    let of = |class: &str, unit: &str| found(class, unit).unwrap_or_else(|| panic!("{class}.{unit} is torn: {report}"));
    let has = |finding: &Value, name: &str| {
        let all = finding["evidence"].as_array().expect("evidence");
        all.iter().any(|evidence| evidence["name"] == name)
    };
    let pairs = [
        ("callers-lock", "make", ["Environment", "EnvironmentOpen"]),
        ("atomic-operation", "of", ["Lengths", "LengthsPut"]),
        ("plain-setter", "allows", ["Threshold", "ThresholdMoved"]),
        ("locks-its-object", "start", ["FirstOfMany", "FirstOfManyOpen"]),
        ("called-inside", "advance", ["Cursor", "CursorOpen"]),
        ("set-up", "next", ["Loader", "LoaderAgain"]),
        ("starts-it", "run", ["Pump", "PumpGiven"]),
        ("only-replaced", "isActive", ["ChannelsReplaced", "Channels"]),
        ("read-after-wait", "await", ["Inbox", "InboxPolled"]),
    ];
    for (name, unit, [with, without]) in pairs {
        let without = of(without, unit);
        assert!(!has(&without, name), "{name}: {without}");
        // No finding at all is better still.
        let Some(with) = found(with, unit) else { continue };
        assert!(has(&with, name), "{name}: {with}");
        assert!(with["rank"].as_f64() < without["rank"].as_f64(), "{name}: {with} {without}");
    }
    // The value that was found stays, so that its use cannot fail.
    let [kept, cleared] = ["Marks", "MarksCleared"].map(|class| of(class, "has"));
    assert!(has(&cleared, "used-after-test") && !has(&kept, "used-after-test"), "{kept} {cleared}");
    let [active, replaced] = ["Channels", "ChannelsReplaced"].map(|class| of(class, "isActive"));
    assert!(has(&active, "set-to-null") && !has(&active, "plain-setter"), "{active}");
    assert!(has(&active, "used-after-test") && !has(&replaced, "used-after-test"), "{active} {replaced}");
    let [tested, watched] = ["Gate$UnitTest", "GateWatched$Watch"].map(|class| of(class, "look"));
    assert!(has(&tested, "test-code") && !has(&watched, "test-code"), "{tested} {watched}");
    // Most methods take the lock.
    let [ledger, open] = ["Ledger", "LedgerOpen"].map(|class| of(class, "correct"));
    assert!(has(&ledger, "guarded-elsewhere") && !has(&open, "guarded-elsewhere"), "{ledger} {open}");
    assert!(ledger["rank"].as_f64() > open["rank"].as_f64(), "{ledger} {open}");
    // The written value depends on a value that was read before the lock was acquired.
    let [copied, given] = ["Titles", "TitlesGiven"].map(|class| of(class, "add"));
    assert!(has(&copied, "stale-update") && has(&given, "value-unused"), "{copied} {given}");
    assert!(!has(&given, "stale-update") && copied["rank"].as_f64() > given["rank"].as_f64(), "{copied} {given}");
    for finding in findings(&report) {
        let weights = finding["evidence"].as_array().expect("evidence").iter();
        let sum: f64 = weights.map(|evidence| evidence["weight"].as_f64().expect("a weight")).sum();
        let at = |bias: f64| 1.0 / (1.0 + (-(bias + sum)).exp());
        let rank = finding["rank"].as_f64().expect("a rank");
        // Between the ranks of the least and the most important kind of violation; of a second finding a little less.
        assert!(0.9 * at(-1.4) - 0.001 <= rank && rank <= at(1.0) + 0.001, "{finding}");
    }
}

const ORDER: &str = "models/java/order/classes";

#[test]
fn possibly_benign_findings_come_last_with_the_reason() {
    let report = report(&[ORDER]);
    let reason = |unit: &str| -> Option<String> {
        let all = findings(&report);
        let members = all.iter().flat_map(|finding| finding["cause"]["members"].as_array().expect("members"));
        let mut own = members.filter(|one| one["unit"].as_str().is_some_and(|own| own.starts_with(unit)));
        let found = own.next().unwrap_or_else(|| panic!("{unit} is violated: {report}"));
        found["benign"].as_str().map(str::to_string)
    };
    assert_eq!(reason("order.Described.toString").as_deref(), Some("toString only looks at the object"));
    assert_eq!(reason("order.Described.move").as_deref(), Some("only toString sees what is not finished"));
    assert!(reason("order.Served.size").is_some_and(|why| why.contains("a counter for statistics")));
    for cached in ["order.Cached.text", "order.Cached.view", "order.CachedOnce.isText"] {
        assert!(reason(cached).is_some_and(|why| why.contains("a cache")), "{cached}");
    }
    assert_eq!(reason("order.Cached.log"), None, "what was added to a log that is lost is lost");
    assert_eq!(reason("order.Cached.given"), None, "others write into one that is lost");
    assert_eq!(reason("order.Cached.title"), None, "it is renamed");
    assert_eq!(reason("order.Task.run").as_deref(), Some("two threads must run the same task"));
    assert_eq!(reason("order.Work.run"), None);
    assert_eq!(reason("order.Swapped.length"), None, "it is written by an updater");
    assert_eq!(reason("order.Reset.add"), None);
    let run = asercheck(&["java", ORDER, "--max-findings", "99"]);
    let heads: Vec<bool> =
        run.out.lines().filter(|line| line.starts_with("finding ")).map(|line| line.contains("benign")).collect();
    assert!(heads.contains(&false) && heads.is_sorted(), "{}", run.out);
    // It is a finding all the same.
    assert_eq!(asercheck(&["java", ORDER, "--class", "order.Described"]).code, Some(1));
}

#[test]
fn which_findings_count_can_be_said() {
    let code = |class: &str, which: &str| {
        let run = asercheck(&["java", ORDER, "--class", class, "--fail-on", which, "-q"]);
        run.code.unwrap_or_else(|| panic!("{run:?}"))
    };
    // Possibly benign.
    assert_eq!(
        ["any", "finding", "possible", "likely", "confirmed"].map(|it| code("order.Described", it)),
        [1, 1, 0, 0, 0]
    );
    // One that a client can see.
    let run =
        |which: &str| asercheck(&["java", CLASSES, "--class", "client.CheckThenAct", "--fail-on", which, "-q"]).code;
    assert_eq!(["any", "possible", "likely", "confirmed"].map(run), [Some(1), Some(1), Some(1), Some(0)]);
}

#[test]
fn suppressed_findings_have_a_reason() {
    let of = |path: &str| asercheck(&["java", ORDER, "--class", "order.Reset", "--suppress", path, "-v"]);
    for pattern in ["order.Res*", "order.Reset.reset", "order.Reset.count*"] {
        let path = file("java-suppress.txt", format!("# known\n{pattern} : it is reset while nobody counts\n"));
        let run = of(&path);
        assert_eq!(run.code, Some(0), "{pattern}: {run:?}");
        assert!(run.out.contains("1 finding is suppressed\n  order.Reset: "), "{}", run.out);
        assert!(run.out.contains("(it is reset while nobody counts)"), "{}", run.out);
        // A hidden finding is no proof of safety.
        assert!(!run.out.contains("proved: order.Reset"), "{}", run.out);
        assert!(run.out.contains("\n1 subject: 1 violated, 0 proved, 0 open, 0 nothing asked\n"), "{}", run.out);
        assert!(run.out.contains("\nnothing new: 0 new findings;"), "{}", run.out);
    }
    let other = file("java-suppress-other.txt", "order.Other.* : not shared\n");
    assert_eq!(of(&other).code, Some(1));
    let all = asercheck(&["java", ORDER, "--suppress", &other]);
    assert!(all.errors.contains("java-suppress-other.txt:1: `order.Other.*` suppresses nothing"), "{}", all.errors);
    let wrong = file("java-suppress-wrong.txt", "\norder.Reset\n");
    let refused = of(&wrong);
    assert_eq!(refused.code, Some(2));
    assert!(refused.errors.contains("java-suppress-wrong.txt:2: a line is `PATTERN : REASON`"), "{}", refused.errors);
}

#[test]
fn annotations_suppress_with_a_reason() {
    let run = asercheck(&["java", "models/java/ignored/classes", "-v"]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("3 findings are suppressed\n"), "{}", run.out);
    for (class, reason) in [
        ("ignored.Counters", "a number for a log, which may be wrong"),
        ("ignored.Counters", "only the timer calls it"),
        ("ignored.Whole", "it is not shared"),
    ] {
        let is_told = |line: &str| line.starts_with(&format!("  {class}: ")) && line.ends_with(&format!("({reason})"));
        assert!(run.out.lines().any(is_told), "{reason}: {}", run.out);
    }
    assert!(run.out.contains("\n3 subjects: 3 violated, 0 proved, 0 open, 0 nothing asked\n"), "{}", run.out);
    assert!(run.out.contains("\nviolated: 2 new findings;"), "{}", run.out);
    let name = "ignored.WithoutReason";
    assert!(run.errors.contains(&format!("AsercheckIgnore of {name} has no reason: it is ignored")), "{}", run.errors);
    assert!(run.errors.contains(&format!("AsercheckIgnore of {name}.nothing()V suppresses nothing")), "{}", run.errors);
}

/// The text of a finding is the same in all forms.
#[test]
fn every_form_has_the_same_findings() {
    let json = report(&[ORDER]);
    let told: Vec<&Value> = findings(&json).into_iter().filter(|finding| finding["repeats"].is_null()).collect();
    let page = temporary("java-forms.html");
    let page = page.to_str().expect("UTF-8");
    let [text, sarif, junit, github] = [
        &["--max-findings", "1000", "--report", page][..],
        &["--format", "sarif"],
        &["--format", "junit"],
        &["--format", "github", "--max-findings", "1000"],
    ]
    .map(|more| asercheck(&[&["java", ORDER], more].concat()).out);
    let page = std::fs::read_to_string(page).expect("a page");
    // By these they are chosen there.
    for name in ["likelihood", "class"] {
        assert!(page.contains(&format!("<select id=\"{name}\">")), "{name}");
    }
    assert!(page.contains("\"sides\":[") && page.contains("\"evidence\":["));
    assert!(told.len() > 10);
    assert_eq!(junit.matches("<failure ").count(), told.len());
    let sarif: Value = serde_json::from_str(&sarif).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"].as_array().expect("results").len(), told.len());
    for finding in told {
        let (fingerprint, says) = (finding["fingerprint"].as_str().expect("a text"), finding["says"].as_str());
        let says = says.expect("a text");
        for form in [&text, &sarif.to_string(), &junit, &github, &page] {
            assert!(form.contains(fingerprint), "{fingerprint}: {form}");
            assert!(form.contains(says), "{says}: {form}");
        }
    }
    let refused = asercheck(&["models/stack.eml", "--format", "junit"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
}

#[test]
fn who_does_without_the_lock_is_at_fault() {
    let report = report(&[ORDER, "--class", "order.Reset"]);
    let all = findings(&report);
    assert_eq!(all.len(), 1, "one method without the lock is one cause: {report}");
    assert_eq!(all[0]["at_fault"], "by");
    assert_eq!(all[0]["cause"]["units"], serde_json::json!(["order.Reset.add()V", "order.Reset.subtract()V"]));
    assert!(all[0]["cause"]["method"].as_str().is_some_and(|it| it.starts_with("order.Reset.reset(")), "{report}");
    let run = asercheck(&["java", ORDER, "--class", "order.Reset", "--max-findings", "1", "-v"]);
    assert!(run.out.contains("\n  this.add() holds this all the time\n"), "{}", run.out);
    assert!(run.out.contains("\n  this.reset() takes no such lock\n"), "{}", run.out);
    assert!(run.out.contains("\n  also reached by: this.subtract()\n"), "{}", run.out);
}

/// Where precision is given up is counted, and each name in an assumption of this kind is one of the counts.
#[test]
fn coarse_steps_are_counted() {
    const PROGRAMS: &str = "models/java/languages/scala";
    let run = asercheck(&["java", PROGRAMS, "--statistics"]);
    let line = run.errors.lines().find_map(|line| line.strip_prefix("coarse: ")).unwrap_or_else(|| panic!("{run:?}"));
    let report = report(&[PROGRAMS]);
    let subjects = report["subjects"].as_array().expect("subjects").iter();
    let assumptions = subjects.flat_map(|subject| subject["assumptions"].as_array().expect("assumptions"));
    let without_row = assumptions.filter_map(Value::as_str).filter(|one| one.contains("is not in the library table"));
    let count: usize = without_row.map(|one| one.matches('`').count() / 2).sum();
    assert!(count > 0);
    let words = format!("{count} methods that are not in the library table, in ");
    assert!(line.starts_with(&words), "{line}");
}
