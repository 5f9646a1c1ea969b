//! A checker of certificates: reasons why no interleaving of a model violates a query.
//!
//! `docs/certificates.md` has the format, the conditions with their numbers, and the proof that they imply safety. This
//! crate evaluates the conditions. It does not search, depends on nothing, and shares no code with the engines. Each
//! error begins with the number of the condition that fails, or names a bound; the code names it at the check.
//!
//! No text makes it panic, and its depth of calls does not depend on the input. Its time and memory have bounds.

mod automata;
mod cases;
mod certificate;
mod clauses;
mod closure;
mod code;
mod model;
mod ops;
mod pieces;
mod program;
mod text;

use std::collections::HashMap;
pub use text::Place;

/// One of the texts that the checker reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The model.
    Model,
    /// The certificate.
    Certificate,
    /// A file of automata, counted from 0.
    Automata(usize),
}

/// The reason why a text cannot be read, or is no certificate (F1, F2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The text.
    pub source: Source,
    /// The position in it.
    pub place: Place,
    /// The reason.
    pub message: String,
}

/// A query of a certificate, and whether it is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryAnswer {
    /// The number of a pattern, `race`, `deadlock2` and so on, or the name of an automaton.
    pub query: String,
    /// Whether the second thread of a pattern needs a unit.
    pub both: bool,
    /// The locations of the query.
    pub locations: Vec<String>,
    /// The locks of the query.
    pub locks: Vec<String>,
    /// The processes of the query.
    pub processes: Vec<String>,
    /// The number of the first condition that fails, and the reason; none if the query is accepted.
    pub refusal: Option<String>,
}

impl std::fmt::Display for QueryAnswer {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "{}", self.query)?;
        for names in [&self.locations, &self.locks, &self.processes].into_iter().filter(|names| !names.is_empty()) {
            write!(to, " {}", names.join(","))?;
        }
        match &self.refusal {
            None => write!(to, ": accepted"),
            Some(refusal) => write!(to, ": refused: {refusal}"),
        }
    }
}

/// Checks the certificate of a model.
///
/// `automata` are the texts of files of automata. There is an answer for each query of the certificate, in its order.
///
/// # Errors
///
/// Fails if a text cannot be read, or if the certificate is none (F1, F2).
pub fn verify(model: &str, certificate: &str, automata: &[&str]) -> Result<Vec<QueryAnswer>, Error> {
    let error = |source| move |(place, message)| Error { source, place, message };
    let program = program::Program::new(model).map_err(error(Source::Model))?;
    let mut known = HashMap::new();
    for (number, text) in automata.iter().enumerate() {
        automata::read(text, &mut known).map_err(error(Source::Automata(number)))?;
    }
    let certificate = certificate::Certificate::new(certificate, &program.model).map_err(error(Source::Certificate))?;
    let (invariants, reaching) = (HashMap::new(), HashMap::new());
    let (program, automata) = (&program, &known);
    let mut queries = cases::Queries { program, certificate: &certificate, automata, invariants, reaching };
    let answer = |query: &certificate::Query<'_>| QueryAnswer {
        query: query.name.into(),
        both: certificate.both,
        locations: names(&query.locations),
        locks: names(&query.locks),
        processes: names(&query.processes),
        refusal: queries.check(query).err(),
    };
    Ok(certificate.queries.iter().map(answer).collect())
}

fn names<T>(named: &[(&str, T)]) -> Vec<String> {
    named.iter().map(|(name, _)| (*name).to_string()).collect()
}

/// The digest of the lines before the last one: the 64-bit FNV-1a hash.
#[must_use]
pub fn digest(lines: &str) -> String {
    let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    format!("{:016x}", lines.bytes().fold(0xcbf2_9ce4_8422_2325, hash))
}
