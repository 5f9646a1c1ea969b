//! A checker of certificates: reasons why no interleaving of a model violates a query.
//!
//! `docs/certificates.md` has the format, the conditions with their numbers, and the proof that they imply safety. This
//! crate evaluates the conditions. It does not search, depends on nothing, and shares no code with the engines. Each
//! error begins with the number of the condition that fails; the code names it at the check.
//!
//! No text makes it panic, and its depth of calls does not depend on the input.

mod automata;
mod cases;
mod certificate;
mod clauses;
mod closure;
mod error;
mod instructions;
mod json;
mod lexer;
mod model;
mod pieces;
mod program;
mod roles;

pub use error::{Error, Place, Refusal, Source};

use certificate::Certificate;

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
    /// The first condition that fails; none if the query is accepted.
    pub refusal: Option<Refusal>,
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
    let mut known: Vec<automata::Automaton> = Vec::new();
    for (number, text) in automata.iter().enumerate() {
        for automaton in automata::read(text).map_err(error(Source::Automata(number)))? {
            if known.iter().any(|other| other.name == automaton.name) {
                let message = format!("automaton `{}` is there already", automaton.name);
                let place = Place { line: 1, column: 1 };
                return Err(Error { source: Source::Automata(number), place, message });
            }
            known.push(automaton);
        }
    }
    let certificate = Certificate::new(certificate).map_err(error(Source::Certificate))?;
    let mut queries = cases::Queries::new(&program, &certificate, &known);
    let answer = |query: &certificate::Query| QueryAnswer {
        query: query.name.clone(),
        both: certificate.both,
        locations: query.locations.clone(),
        locks: query.locks.clone(),
        processes: query.processes.clone(),
        refusal: queries.check(query).err(),
    };
    Ok(certificate.queries.iter().map(answer).collect())
}

/// The digest of the lines before the last one: the 64-bit FNV-1a hash.
#[must_use]
pub fn digest(lines: &str) -> String {
    let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    format!("{:016x}", lines.bytes().fold(0xcbf2_9ce4_8422_2325, hash))
}
