//! The command `asercheck-verify`.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Write, stderr, stdout};
use std::process::ExitCode;
use verify::{Source, verify};

const USAGE: &str = "usage: asercheck-verify MODEL CERTIFICATE [--automaton FILE]...

Checks the certificate that `asercheck check MODEL --certificates CERTIFICATE` wrote.
Exit code: 0 all queries are accepted, 1 a query is refused, 2 a file cannot be read";

/// The most bytes of a file.
const MOST_BYTES: u64 = 1 << 28;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(reason) => {
            // Without a place for the reason, the exit code says enough.
            let _ = writeln!(stderr(), "error: {reason}");
            ExitCode::from(2)
        }
    }
}

fn read(file: &OsString) -> Result<String, String> {
    let mut text = String::new();
    let opened = File::open(file).and_then(|opened| opened.take(MOST_BYTES + 1).read_to_string(&mut text));
    match opened {
        Ok(count) if count as u64 <= MOST_BYTES => Ok(text),
        Ok(_) => Err(format!("{}: there are more than {MOST_BYTES} bytes", file.display())),
        Err(error) => Err(format!("{}: {error}", file.display())),
    }
}

fn print(text: &str) -> Result<(), String> {
    stdout().write_all(text.as_bytes()).map_err(|error| error.to_string())
}

/// Prints a line for each query; returns whether all are accepted.
fn run() -> Result<bool, String> {
    let (mut files, mut automata) = (Vec::new(), Vec::new());
    let mut arguments = std::env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("--automaton") => automata.push(arguments.next().ok_or(USAGE)?),
            Some("--help" | "-h") => return print(&format!("{USAGE}\n")).map(|()| true),
            Some(option) if option.starts_with("--") => return Err(format!("unknown option {option}\n{USAGE}")),
            _ => files.push(argument),
        }
    }
    let [model, certificate] = &files[..] else { return Err(USAGE.into()) };
    let (model_text, certificate_text) = (read(model)?, read(certificate)?);
    let texts: Vec<String> = automata.iter().map(read).collect::<Result<_, _>>()?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let answers = verify(&model_text, &certificate_text, &texts).map_err(|error| {
        let file = match error.source {
            Source::Model => model,
            Source::Certificate => certificate,
            Source::Automata(number) => &automata[number],
        };
        format!("{}:{}: {}", file.display(), error.place, error.message)
    })?;
    print(&answers.iter().map(|answer| format!("{answer}\n")).collect::<String>())?;
    Ok(answers.iter().all(|answer| answer.refusal.is_none()))
}
