//! `fmt`.

use crate::cli::support::{asercheck, assert_runs, command, file};

const CROOKED: &str = "lock a;shared x; // one\nprocess P*2{sync a{read x;}choose{skip;}or{}}\n";

#[test]
fn the_canonical_text() {
    let path = file("crooked.eml", CROOKED);
    let run = asercheck(&["fmt", &path]);
    assert_eq!(run.code, Some(0));
    run.assert_snapshot("fmt");
    let canonical = file("canonical.eml", &run.out);
    assert_eq!(asercheck(&["fmt", &canonical]).out, run.out);
}

#[test]
fn checking_names_the_files_that_differ() {
    let crooked = file("check-crooked.eml", CROOKED);
    let canonical = file("check-canonical.eml", asercheck(&["fmt", &crooked]).out);
    let broken = file("check-broken.eml", "process P { read ; }\n");
    let check = |files: &[&str]| asercheck(&[&["fmt", "--check"], files].concat());
    let runs = [check(&[&canonical]), check(&[&crooked, &canonical]), check(&[&broken, &crooked])];
    assert_eq!(runs.each_ref().map(|run| run.code), [Some(0), Some(1), Some(2)]);
    assert_runs("fmt_check", &runs);
}

#[test]
fn writing_changes_the_file() {
    let path = file("write.eml", CROOKED);
    let expected = asercheck(&["fmt", &path]).out;
    let run = asercheck(&["fmt", "--write", &path]);
    assert_eq!((run.code, run.out.as_str(), run.errors.as_str()), (Some(0), "", ""));
    assert_eq!(std::fs::read_to_string(&path).expect("it is there"), expected);
    assert_eq!(asercheck(&["fmt", "--check", &path]).code, Some(0));
    asercheck(&["fmt", "--write", "--check", &path]).assert_refused("cannot be used with");
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let [one, two] = ["full-1.eml", "full-2.eml"].map(|name| file(name, CROOKED));
    let output = command(&["fmt", &one, &two]).stdout(full).output().expect("it can be started");
    assert_eq!(output.status.code(), Some(4));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.starts_with("error: standard output: ") && errors.lines().count() == 1, "{errors}");
}

#[test]
fn all_models_of_the_repository_are_canonical() {
    let entries = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/models")).expect("the folder can be read");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let models = paths.filter(|path| path.extension().is_some_and(|extension| extension == "eml"));
    let models: Vec<_> = models.map(|path| path.display().to_string()).collect();
    assert!(models.len() > 50);
    let mut arguments = vec!["fmt", "--check"];
    arguments.extend(models.iter().map(String::as_str));
    let run = asercheck(&arguments);
    assert_eq!((run.code, run.out.as_str()), (Some(0), ""), "{run:?}");
}
