//! The command: reads a file, saturates the system, prints the results.

use crate::arguments::{Arguments, Command, Format, Weights};
use crate::input::load;
use crate::reach::reach;
use crate::saturate::{Printed, backwards, forwards};
use crate::weights::{Plain, Warnings};
use std::io::{self, BufWriter, Write};
use wpds::text::{self, Document};
use wpds::{Boolean, MinPlus, pdaaal};

/// Runs the command; an error is a message for the user.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    match arguments.command.semiring() {
        Weights::Boolean => run_over(Boolean, &arguments.command),
        Weights::MinPlus => run_over(MinPlus, &arguments.command),
    }
}

fn run_over<S: Plain>(semiring: S, command: &Command) -> Result<(), String> {
    let loaded = load(command.input(), S::weight)?;
    let (mut out, warnings) = (BufWriter::new(io::stdout().lock()), Warnings::default());
    let written = match command {
        Command::Post(task) => forwards(semiring, loaded, task, &mut out, &warnings),
        Command::Pre(task) => backwards(semiring, loaded, task, &mut out, &warnings),
        Command::Reach(question) => reach(semiring, loaded, question, &mut out, &warnings),
        Command::Convert(conversion) => convert::<S>(&loaded.0, conversion.to, &mut out),
    };
    let result = written.and_then(|result| out.flush().map(|()| result));
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
