//! Blocks of commands: they are run, and the output is compared with the page.
//!
//! A block ```` ```console ```` has lines that begin with `$ `, commands for a shell in the folder of the project, each
//! followed by its output on both outputs. A line `...` stands for any number of lines. Decimal numbers are taken for
//! times and not compared, and neither are the widths of columns, which depend on them. The commands of a block run in
//! one shell, one after the other; the blocks of a page share a folder, which also has the models.
//! `<!-- file: NAME -->` before a block of code writes its text to that file.

use crate::book::page::{Page, all, root, updates};
use std::fmt::Write;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The mark before the output of a command in the output of a shell.
const MARK: &str = "\u{1}next\n";

/// A command and the lines of its output on the page.
struct Example {
    line: usize,
    command: String,
    shown: Vec<String>,
}

/// A segment of a page.
enum Segment {
    Text(String),
    /// A block of commands, without its fences.
    Console(Vec<Example>),
    /// A file that the commands may use: its name, and its text with the lines around it.
    File {
        name: String,
        content: String,
        text: String,
    },
}

#[test]
fn commands_print_what_the_pages_show() {
    let mut count = 0;
    let mut wrong = String::new();
    for page in all() {
        let folder = folder(&page);
        let mut text = String::new();
        for piece in segments(&page) {
            match piece {
                Segment::Text(line) => writeln!(text, "{line}").expect("a string takes all"),
                Segment::File { name, content, text: shown } => {
                    fs::write(folder.join(name), content).expect("the file can be written");
                    text.push_str(&shown);
                }
                Segment::Console(examples) => {
                    count += examples.len();
                    text.push_str("```console\n");
                    for (example, printed) in examples.iter().zip(run(&examples, &folder)) {
                        let fits = fits(&example.shown, &printed) || lacks_python(&printed);
                        if !fits {
                            let place = format!("{}:{}", page.name(), example.line);
                            writeln!(wrong, "{place}: $ {}\n{}", example.command, printed.join("\n"))
                                .expect("likewise");
                        }
                        writeln!(text, "$ {}", example.command).expect("likewise");
                        let lines = if fits { &example.shown } else { &printed };
                        lines.iter().for_each(|line| writeln!(text, "{line}").expect("likewise"));
                    }
                    text.push_str("```\n");
                }
            }
        }
        if updates() && text != page.text {
            fs::write(&page.path, text).expect("the page can be written");
        }
    }
    assert!(count >= 20, "only {count} commands were found");
    assert!(updates() || wrong.is_empty(), "these commands print something else:\n{wrong}");
}

/// Creates a folder for the commands of a page, with the parts of the repository that they use.
fn folder(page: &Page) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("book").join(page.name().replace('/', "-"));
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the folder of the last run can be removed");
    }
    fs::create_dir_all(&folder).expect("the folder can be made");
    for name in ["models", "docs", "examples"] {
        symlink(root().join(name), folder.join(name)).expect("the folder can be linked");
    }
    folder
}

fn segments(page: &Page) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut lines = page.text.lines().enumerate().peekable();
    while let Some((_, line)) = lines.next() {
        if line == "```console" {
            let mut examples: Vec<Example> = Vec::new();
            for (place, line) in lines.by_ref().take_while(|(_, line)| *line != "```") {
                match (line.strip_prefix("$ "), examples.last_mut()) {
                    (Some(command), _) => {
                        examples.push(Example { line: place + 1, command: command.to_string(), shown: Vec::new() });
                    }
                    // A command continues in the next line.
                    (None, Some(example)) if example.command.ends_with('\\') && example.shown.is_empty() => {
                        write!(example.command, "\n{line}").expect("a string takes all");
                    }
                    (None, Some(example)) => example.shown.push(line.to_string()),
                    (None, None) => panic!("{}:{}: a block begins without a command", page.name(), place + 1),
                }
            }
            segments.push(Segment::Console(examples));
        } else if let Some(name) = line.strip_prefix("<!-- file: ").and_then(|rest| rest.strip_suffix(" -->")) {
            let mut text = format!("{line}\n");
            let mut content = String::new();
            let mut fences = 0;
            while fences < 2 {
                let (_, line) = lines.next().unwrap_or_else(|| panic!("{}: {name} has no end", page.name()));
                writeln!(text, "{line}").expect("a string takes all");
                if line.starts_with("```") {
                    fences += 1;
                } else if fences == 1 {
                    writeln!(content, "{line}").expect("likewise");
                }
            }
            segments.push(Segment::File { name: name.to_string(), content, text });
        } else {
            segments.push(Segment::Text(line.to_string()));
        }
    }
    segments
}

/// Returns the output of each command of a block.
fn run(examples: &[Example], folder: &Path) -> Vec<Vec<String>> {
    let mut script = String::from("exec 2>&1\nstatus=0\n");
    for example in examples {
        // The mark must not change `$?`.
        write!(script, "printf '{}'\n(exit $status)\n", MARK.replace('\u{1}', "\\001").replace('\n', "\\n"))
            .expect("a string takes all");
        writeln!(script, "{}\nstatus=$?", example.command).expect("likewise");
    }
    let program = Path::new(env!("CARGO_BIN_EXE_asercheck"));
    let mut path = program.parent().expect("the program is in a folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(folder).env("PATH", path).env("LC_ALL", "C.UTF-8").stdin(Stdio::null());
    for name in ["LANG", "LC_CTYPE", "NO_COLOR", "TERM", "COLUMNS", "UPDATE_BOOK"] {
        shell.env_remove(name);
    }
    let output = shell.output().expect("there is a shell");
    let output = String::from_utf8(output.stdout).expect("all output is UTF-8");
    let printed: Vec<_> = output.split(MARK).skip(1).collect();
    assert_eq!(printed.len(), examples.len(), "every command is run:\n{output}");
    printed.into_iter().map(|text| text.lines().map(str::to_string).collect()).collect()
}

/// Whether a program was missing that some machines lack.
fn lacks_python(printed: &[String]) -> bool {
    printed.iter().any(|line| line.contains("python3") && line.contains("not found"))
}

/// Whether the shown lines equal the printed ones, apart from times, widths and omissions.
fn fits(shown: &[String], printed: &[String]) -> bool {
    let Some(first) = shown.first() else { return printed.is_empty() };
    if first == "..." {
        return (0..=printed.len()).any(|place| fits(&shown[1..], &printed[place..]));
    }
    printed.first().is_some_and(|line| normal(first) == normal(line)) && fits(&shown[1..], &printed[1..])
}

/// Returns a line with every decimal number replaced, and with one space or dash for many.
fn normal(line: &str) -> String {
    let mut text = String::new();
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_ascii_digit() {
            let mut number = String::from(c);
            while let Some(c) = chars.next_if(|c| c.is_ascii_digit() || *c == '.' || *c == 'e') {
                number.push(c);
            }
            let decimal = number.trim_end_matches('.').contains('.');
            text.push_str(if decimal { "TIME" } else { &number });
        } else if !((c == ' ' || c == '─') && text.ends_with(c)) {
            text.push(c);
        }
    }
    text.trim_end().to_string()
}

#[test]
fn times_and_widths_are_not_compared_and_all_else_is() {
    let lines = |text: &str| text.lines().map(str::to_string).collect::<Vec<_>>();
    let same = |shown: &str, printed: &str| fits(&lines(shown), &lines(printed));
    assert!(same("1 safe (0.002 s)", "1 safe (12.5 s)"));
    assert!(same("a  b\n──", "a    b\n─────"));
    assert!(same("a\n...\nd", "a\nb\nc\nd"));
    assert!(same("...", ""));
    assert!(!same("1 safe (0.002 s)", "2 safe (0.002 s)"));
    assert!(!same("a\n...\nd", "a\nb\nc"));
    assert!(!same("a", "a\nb"));
    assert!(!same("a\nb", "a"));
    assert!(!same("stack.eml:1", "stack.eml:2"));
}
