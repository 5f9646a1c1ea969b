//! `asercheck java --cache`: answers from the cache equal those of a run without it.

use crate::cli::support::{Run, asercheck, command, file, temporary};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const CLASSES: &str = "models/java/client/classes";
const PROGRAM: [&str; 3] = ["models/java/program/classes", "--main", "program.census.Census"];

/// A folder for answers that is not there yet.
fn folder(name: &str) -> PathBuf {
    let folder = temporary(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn java(arguments: &[&str]) -> Run {
    asercheck(&[&["java"], arguments].concat())
}

fn with_cache(arguments: &[&str], cache: &Path) -> Run {
    java(&[arguments, &["--cache", cache.to_str().expect("UTF-8"), "--statistics"]].concat())
}

/// How many answers were found, how many were asked for, and how many were added.
fn counts(run: &Run) -> [usize; 3] {
    let line = run.errors.lines().find_map(|line| line.strip_prefix("cache: "));
    let line = line.unwrap_or_else(|| panic!("{run:?}"));
    let numbers: Vec<usize> = line.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().unwrap_or_else(|numbers| panic!("{line}: {numbers:?}"))
}

/// The output without times, also where they do not end a line.
fn timeless(run: &Run) -> String {
    let mut pieces = run.out.split("\"seconds\":");
    let first = pieces.next().unwrap_or_default().to_string();
    pieces.fold(first, |text, piece| text + piece.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'))
}

fn answers(cache: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(cache).expect("a folder").flatten().map(|entry| entry.path()).collect();
    files.sort();
    files
}

#[test]
fn a_second_run_says_the_same() {
    let cache = folder("java-cache-same");
    let automata =
        "automaton wrote(T1, T2; x) { q1: on T1 begin -> q2; q2: on T2 write x -> q3; q3: on T1 write x -> q4; }";
    let automata = file("java-cache.phases", automata);
    let account = ["--class", "client.A*"];
    let questions: [&[&str]; 14] = [
        &[],
        &["--all"],
        &["--format", "json"],
        &["--format", "json", "--all-queries"],
        &["--format", "sarif"],
        &["--format", "github"],
        &["--verbose"],
        &["--pattern", "1", "--races"],
        &["--automaton", &automata],
        &["--units", "first"],
        &["--engine", "symbolic"],
        &["--no-reduce", "steps"],
        &["--unit", "client.Account.put"],
        &["--field", "client.Account.balance"],
    ];
    for question in questions {
        let arguments = [&[CLASSES], &account[..], question].concat();
        let [without, first, second] =
            [java(&arguments), with_cache(&arguments, &cache), with_cache(&arguments, &cache)];
        for run in [&first, &second] {
            assert_eq!((timeless(run), run.code), (timeless(&without), without.code), "{question:?}");
        }
        let [found, asked, added] = counts(&second);
        assert!(found == asked && asked > 0 && added == 0, "{question:?}: {second:?}");
    }
    let [without, first, second] = [java(&PROGRAM), with_cache(&PROGRAM, &cache), with_cache(&PROGRAM, &cache)];
    assert_eq!((&first.out, &second.out), (&without.out, &without.out));
    let [found, asked, _] = counts(&second);
    assert!(found == asked && asked > 0, "{second:?}");
}

#[test]
fn answers_belong_to_their_questions() {
    let cache = folder("java-cache-questions");
    let automata = |name: &str, access: &str| {
        file(name, format!("automaton own(T1, T2; x) {{ q1: on T1 begin -> q2; q2: on T2 {access} x -> q3; }}"))
    };
    let (reads, writes) = (automata("java-cache-read.phases", "read"), automata("java-cache-write.phases", "write"));
    let questions: [&[&str]; 12] = [
        &[],
        &["--pattern", "1"],
        &["--races"],
        &["--automaton", &reads],
        &["--automaton", &writes],
        &["--units", "first"],
        &["--engine", "symbolic"],
        &["--no-reduce", "all"],
        &["--unit", "client.Account.put"],
        &["--field", "client.Account.nothing"],
        &["--all"],
        &["--format", "json", "--all-queries"],
    ];
    let mut kept = 0;
    for question in questions {
        let run = with_cache(&[&[CLASSES, "--class", "client.Account"], question].concat(), &cache);
        // The result of the run, and the answers about one or two models.
        let [found, asked, added] = counts(&run);
        assert!(added >= 2 && found + added == asked, "{question:?} is asked for the first time: {run:?}");
        kept += added;
    }
    assert_eq!(answers(&cache).len(), kept);
    // Options that do not change an answer find it in the cache.
    for same in [&["--timeout", "1h"][..], &["--summary"], &["--engine", "explicit"], &["--jobs", "1"], &["--quiet"]] {
        let run = with_cache(&[&[CLASSES, "--class", "client.Account"], same].concat(), &cache);
        assert_eq!(counts(&run), [1, 1, 0], "{same:?}");
    }
}

#[test]
fn changed_classes_are_decided_again() {
    let (cache, classes) = (folder("java-cache-changed"), folder("java-cache-classes"));
    fs::create_dir_all(&classes).expect("a folder");
    for name in ["Visits", "VisitsRepaired", "CheckThenAct", "CheckThenActRepaired"] {
        let from = format!("{}/{CLASSES}/client/{name}.class", env!("CARGO_MANIFEST_DIR"));
        fs::copy(from, classes.join(format!("{name}.class"))).expect("a class file");
    }
    let arguments = [classes.to_str().expect("UTF-8")];
    let [found, asked, added] = counts(&with_cache(&arguments, &cache));
    assert!(added >= 4 && found + added == asked);
    let path = classes.join("Visits.class");
    let mut bytes = fs::read(&path).expect("a class file");
    let at = bytes.windows(5).position(|five| five == b"count").expect("the name of a field");
    bytes[at..at + 5].copy_from_slice(b"total");
    fs::write(&path, bytes).expect("it can be written");
    let run = with_cache(&arguments, &cache);
    assert_eq!(counts(&run), [asked - 2, asked, 2], "the run and the model of the class");
    assert!(run.out.contains("writes total"), "{}", run.out);
    assert_eq!(run.out, java(&arguments).out);
}

#[test]
fn damaged_answers_are_none() {
    let cache = folder("java-cache-damaged");
    let arguments = [CLASSES, "--class", "client.A*"];
    let without = java(&arguments);
    let [found, all, added] = counts(&with_cache(&arguments, &cache));
    let files = answers(&cache);
    assert!(files.len() == added && found + added == all && added > 3);
    let good: Vec<Vec<u8>> = files.iter().map(|path| fs::read(path).expect("an answer")).collect();
    type Damage<'a> = &'a dyn Fn(usize) -> Vec<u8>;
    let damages: [(&str, Damage<'_>); 7] = [
        ("empty", &|_| Vec::new()),
        ("torn", &|place| good[place][..good[place].len() / 2].to_vec()),
        ("longer", &|place| [&good[place][..], b" "].concat()),
        ("changed", &|place| {
            let text = String::from_utf8(good[place].clone()).expect("UTF-8");
            text.replace("\"queries\":", "\"queries\":1").into_bytes()
        }),
        ("of another question", &|place| good[(place + 1) % good.len()].clone()),
        ("of a later form", &|place| {
            String::from_utf8(good[place].clone()).expect("UTF-8").replacen("answer ", "answer 9", 1).into_bytes()
        }),
        ("no text", &|_| vec![0xff; 100]),
    ];
    for (what, damage) in damages {
        for (place, path) in files.iter().enumerate() {
            fs::write(path, damage(place)).expect("it can be written");
        }
        let run = with_cache(&arguments, &cache);
        assert_eq!((&run.out, run.code), (&without.out, without.code), "{what}");
        assert_eq!(counts(&run), [found, all, added], "{what}");
        assert_eq!(counts(&with_cache(&arguments, &cache)), [1, 1, 0], "{what}, repaired: the result of the run");
    }
    // A folder in the place of the result of the run stays there.
    let is_of_run = |path: &&PathBuf| fs::read_to_string(path).is_ok_and(|text| text.contains("\"run\":"));
    let of_run = files.iter().find(is_of_run).expect("the result of the run");
    fs::remove_file(of_run).expect("a file");
    fs::create_dir_all(of_run.join("below")).expect("a folder");
    let run = with_cache(&arguments, &cache);
    assert_eq!((&run.out, run.code), (&without.out, without.code));
    let [found, asked, added_again] = counts(&run);
    assert!(found < all && asked == all && added_again == 0);
    assert!(run.errors.contains("warning: answers are not kept in "), "{run:?}");
    assert_eq!(answers(&cache).len(), added, "nothing unfinished is left");
}

#[test]
fn undecided_answers_are_not_stored() {
    let cache = folder("java-cache-open");
    for limit in [["--timeout", "0s"], ["--total-timeout", "0s"], ["--memory", "1KiB"]] {
        let run = with_cache(&[CLASSES, limit[0], limit[1]], &cache);
        assert!(matches!(run.code, Some(0 | 3)), "{run:?}");
        assert_eq!(answers(&cache), Vec::<PathBuf>::new(), "{limit:?}");
    }
    // A run that ends early stores the answers that it has decided, and nothing else.
    let whole = units(&java(&[CLASSES, "--format", "json"]));
    let ends = [["--timeout", "1ms"], ["--timeout", "3ms"], ["--total-timeout", "15ms"], ["--total-timeout", "30ms"]];
    for limit in ends {
        with_cache(&[CLASSES, limit[0], limit[1]], &cache);
        let warm = java(&[CLASSES, "--format", "json", "--cache", cache.to_str().expect("UTF-8")]);
        assert_eq!(units(&warm), whole, "{limit:?}");
        fs::remove_dir_all(&cache).expect("a folder");
    }
}

/// The violated units of a report, each with its class, and the undecided classes.
fn units(run: &Run) -> BTreeSet<String> {
    let report: Value = serde_json::from_str(&run.out.replace("TIME", "0.0")).expect("JSON");
    let subjects = report["subjects"].as_array().expect("subjects").iter();
    let told = |subject: &Value| -> Vec<String> {
        let findings = subject["findings"].as_array().expect("findings").iter();
        let units = findings.map(|finding| finding["unit"].to_string());
        units.chain([subject["unknown"].to_string()]).map(|what| format!("{}: {what}", subject["class"])).collect()
    };
    subjects.flat_map(told).collect()
}

#[test]
fn runs_can_share_a_folder() {
    let cache = folder("java-cache-shared");
    let arguments = ["java", CLASSES, "--cache", cache.to_str().expect("UTF-8"), "--format", "json"];
    let start = || command(&arguments).stdout(std::process::Stdio::piped()).spawn().expect("it can be started");
    let runs: Vec<_> = [(); 4].map(|()| start()).into_iter().collect();
    let without = java(&[CLASSES, "--format", "json"]);
    for run in runs {
        let run = Run::of(&arguments, run.wait_with_output().expect("it ends"));
        assert_eq!((&run.out, run.code), (&without.out, without.code));
    }
    let [found, asked, added] = counts(&with_cache(&[CLASSES], &cache));
    assert!(found == asked && added == 0 && asked > 0);
    let is_answer = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "answer");
    assert!(answers(&cache).iter().all(is_answer), "nothing unfinished is left");
}

#[test]
fn folders_that_cannot_be_used_are_refused() {
    let taken = file("java-cache-file", "not a folder");
    java(&[CLASSES, "--cache", &taken]).assert_refused("cannot make the folder");
    java(&[CLASSES, "--cache", &format!("{taken}/below")]).assert_refused("cannot make the folder");
    if cfg!(target_os = "linux") {
        // Nobody can write there.
        java(&[CLASSES, "--cache", "/proc/self/task"]).assert_refused("cannot write into the folder /proc/self/task");
    }
    // Other files in the folder stay as they are.
    let cache = folder("java-cache-other");
    fs::create_dir_all(&cache).expect("a folder");
    fs::write(cache.join("notes.txt"), "mine").expect("it can be written");
    assert_eq!(counts(&with_cache(&[CLASSES, "--class", "client.Account"], &cache)), [0, 2, 2]);
    assert_eq!(fs::read_to_string(cache.join("notes.txt")).expect("a file"), "mine");
}

#[test]
fn a_cache_can_be_read_only() {
    let cache = folder("java-cache-read");
    let place = cache.to_str().expect("UTF-8");
    java(&[CLASSES, "--cache", place, "--cache-only-read"]).assert_refused("cannot read the folder");
    java(&[CLASSES, "--cache-only-read"]).assert_refused("--cache");
    let [_, _, added] = counts(&with_cache(&[CLASSES, "--class", "client.Account"], &cache));
    let first = answers(&cache);
    assert_eq!(first.len(), added);
    let run = with_cache(&[CLASSES, "--class", "client.A*", "--cache-only-read"], &cache);
    let [found, asked, added] = counts(&run);
    assert!(found > 0 && found < asked && added == 0, "{run:?}");
    assert_eq!((answers(&cache), run.out), (first, java(&[CLASSES, "--class", "client.A*"]).out));
}

#[test]
fn old_answers_can_be_removed() {
    let cache = folder("java-cache-prune");
    let place = cache.to_str().expect("UTF-8");
    asercheck(&["cache", "prune", "--older", "30d", place]).assert_refused("cannot read the folder");
    let [_, _, added] = counts(&with_cache(&[CLASSES, "--class", "client.Account"], &cache));
    let key = "0".repeat(64);
    let others =
        [format!("{key}.1-2.new"), "notes.txt".to_string(), format!("{key}.json")].map(|name| cache.join(name));
    others.iter().for_each(|path| fs::write(path, "text").expect("it can be written"));
    let run = asercheck(&["cache", "prune", "--older", "1h", place]);
    assert_eq!(run.out, format!("0 answers removed (0 B), {} left\n", added + 1));
    // One of them was kept two hours ago.
    let old = answers(&cache).into_iter().find(|path| path.extension().is_some_and(|it| it == "answer"));
    let old = old.expect("an answer");
    let file = fs::File::options().write(true).open(&old).expect("an answer");
    let before = std::time::SystemTime::now() - std::time::Duration::from_secs(7200);
    file.set_modified(before).expect("its time can be set");
    let run = asercheck(&["cache", "prune", "--older", "1h", place]);
    assert!(run.out.starts_with("1 answer removed (") && run.out.ends_with(&format!("), {added} left\n")), "{run:?}");
    assert!(!old.exists());
    let run = asercheck(&["cache", "prune", "--older", "0s", place]);
    assert!(run.out.ends_with("), 0 left\n"), "{run:?}");
    assert_eq!(answers(&cache).len(), 2, "files that are no answers stay");
}

#[test]
fn places_that_are_no_stores_are_refused() {
    for place in ["nothing://bucket/cache", "s3://"] {
        java(&[CLASSES, "--cache", place]).assert_refused(&format!("cannot use {place}"));
        asercheck(&["cache", "prune", "--older", "1d", place]).assert_refused(&format!("cannot use {place}"));
    }
}
