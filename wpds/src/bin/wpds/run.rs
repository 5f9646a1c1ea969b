//! The command: reads a file, saturates the system, prints the results.

use crate::arguments::{Arguments, Command, Format, Weights};
use crate::input::load;
use crate::reach::{longest, reach};
use crate::saturate::{Printed, backwards, forwards};
use crate::weights::{Plain, Warnings};
use std::io::{self, BufWriter, StdoutLock, Write};
use wpds::text::{self, Document};
use wpds::{Boolean, MinPlus, pdaaal};

/// Runs the command; an error is a message for the user.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    if let Command::Reach(question) = &arguments.command
        && question.longest
    {
        let loaded = load(&question.input, MinPlus::weight)?;
        return print(|out, warnings| longest(loaded, out, warnings));
    }
    match arguments.command.semiring() {
        Weights::Boolean => run_over(Boolean, &arguments.command),
        Weights::MinPlus => run_over(MinPlus, &arguments.command),
    }
}

fn run_over<S: Plain>(semiring: S, command: &Command) -> Result<(), String> {
    let loaded = load(command.input(), S::weight)?;
    print(|out, warnings| match command {
        Command::Post(task) => forwards(semiring, loaded, task, out, warnings),
        Command::Pre(task) => backwards(semiring, loaded, task, out, warnings),
        Command::Reach(question) => reach(semiring, loaded, question, out, warnings),
        Command::Convert(conversion) => convert::<S>(&loaded.0, conversion.to, out),
    })
}

/// The standard output.
type Out = BufWriter<StdoutLock<'static>>;

/// Lets a function print to the standard output, and warns at the end.
fn print(print: impl FnOnce(&mut Out, &Warnings) -> Printed) -> Result<(), String> {
    let (mut out, warnings) = (BufWriter::new(io::stdout().lock()), Warnings::default());
    let result = print(&mut out, &warnings).and_then(|result| out.flush().map(|()| result));
    warnings.print();
    result.unwrap_or_else(|error| match error.kind() {
        // A closed pipe is no error.
        io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(format!("standard output: {error}")),
    })
}

/// Writes the document in this format.
fn convert<S: Plain>(document: &Document<S::Weight>, format: Format, out: &mut impl Write) -> Printed {
    let written = match format {
        Format::Text => text::write(out, document, S::number),
        Format::Pdaaal => pdaaal::write(out, document, S::number),
    };
    match written {
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Ok(Err(error.to_string())),
        written => written.map(Ok),
    }
}
