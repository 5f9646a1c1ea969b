//! Certificates for safe queries.
//!
//! [`Certificates`] proves claims about a model once more, by its own small procedure, and writes each proof in a form
//! that a program checks which shares no code with this project's engines. The page on certificates (`docs`) has the
//! format, the conditions with their numbers, and the theorem that they imply safety.
//!
//! The procedure, with its modules: the program of instructions of the model (`instructions`, `lowering`); for a
//! participant with its role (`roles`) and some locks the least set of segments that satisfies the conditions
//! (`fixpoint`, `pieces`); for each choice of ends a clause that refutes it (`clauses`); and a search for few locks
//! that suffice (`proof`). It shares the syntax tree and the automata with the engines, and nothing else.

mod cases;
mod clauses;
mod code;
mod fixpoint;
mod instructions;
mod lowering;
mod names;
mod pieces;
mod proof;
mod reach;
mod roles;
mod table;
mod text;
mod unproved;
mod why;

pub use unproved::Unproved;
pub use why::Why;

use cases::Case;
use code::Code;
use eml::syntax::ast::Program;
use instructions::BodyId;
use limits::Meter;
use phases::{Automaton, Exclusion, UnitMode};
use proof::{InvariantId, Proof, Prover};
use roles::{Bound, events};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use text::{write_case, write_invariants};

/// A safe query, by names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The automaton.
    pub question: Asked,
    /// The locations, in the order of the parameters.
    pub locations: Vec<String>,
    /// The locks, likewise.
    pub locks: Vec<String>,
    /// The processes, likewise.
    pub processes: Vec<String>,
}

/// The automata of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A pattern, by its number from 1 to 14.
    Pattern(usize),
    /// A data race.
    Race,
    /// A deadlock of as many locks as the claim has.
    Deadlock,
    /// An automaton of the user.
    Automaton(Automaton),
}

/// The greatest number of automata of a deadlock.
const MOST_AUTOMATA: usize = 64;

/// A certificate in the making.
pub struct Certificates {
    prover: Result<Prover, Unproved>,
    units: UnitMode,
    text: String,
    /// The numbers of the invariants that were written.
    written: FxHashMap<InvariantId, usize>,
    queries: usize,
}

impl Certificates {
    /// A certificate for claims about a model, which has passed all checks of the language.
    pub fn new(program: &Program, units: UnitMode) -> Self {
        let name = match units {
            UnitMode::Both => "both",
            UnitMode::First => "first",
        };
        Self {
            prover: Code::new(program).and_then(Prover::new),
            units,
            text: format!("certificate 3 {name}\n"),
            written: FxHashMap::default(),
            queries: 0,
        }
    }

    /// Proves a claim, and adds the proof.
    ///
    /// # Errors
    /// If there is no proof within the bounds of the procedure. Then nothing is added.
    pub fn add(&mut self, claim: &Claim, meter: &Meter) -> Result<(), Unproved> {
        let prover = self.prover.as_mut().map_err(|reason| *reason)?;
        let proofs = prove(prover, claim, self.units, meter)?;
        for proof in &proofs {
            write_invariants(prover, proof, &mut self.written, &mut self.text);
        }
        let label = match &claim.question {
            Asked::Pattern(number) => number.to_string(),
            Asked::Race => "race".to_string(),
            Asked::Deadlock => format!("deadlock{}", claim.locks.len()),
            Asked::Automaton(automaton) => automaton.name().to_string(),
        };
        let (processes, locations) = (claim.processes.join(" "), claim.locations.join(" "));
        let _ = writeln!(self.text, "query {label},{processes},{locations},{}", claim.locks.join(" "));
        for proof in &proofs {
            write_case(prover, proof, &self.written, &mut self.text);
        }
        self.queries += 1;
        Ok(())
    }

    /// The reason why a claim holds, as few locks as suffice among others.
    ///
    /// # Errors
    /// If there is no proof within the bounds of the procedure.
    pub fn why(&mut self, claim: &Claim, meter: &Meter) -> Result<Why, Unproved> {
        let prover = self.prover.as_mut().map_err(|reason| *reason)?;
        let cases = cases(prover, claim, self.units)?;
        why::why(prover, &cases, meter)
    }

    /// The number of claims that have a proof.
    pub fn len(&self) -> usize {
        self.queries
    }

    /// Whether no claim has a proof.
    pub fn is_empty(&self) -> bool {
        self.queries == 0
    }

    /// The text of the certificate.
    pub fn finish(mut self) -> String {
        let digest = digest(&self.text);
        let _ = writeln!(self.text, "end {} {digest:016x}", self.queries);
        self.text
    }
}

/// The 64-bit FNV-1a hash of a text.
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The proofs of all automata of a claim.
fn prove(prover: &mut Prover, claim: &Claim, units: UnitMode, meter: &Meter) -> Result<Vec<Proof>, Unproved> {
    cases(prover, claim, units)?.iter().map(|case| prover.prove(case, meter)).collect()
}

/// The cases of all automata of a claim.
fn cases(prover: &Prover, claim: &Claim, units: UnitMode) -> Result<Vec<Case>, Unproved> {
    let automata = automata(&prover.code, claim, units)?;
    let processes = claim.processes.iter().map(|name| prover.code.names.process(name));
    let processes: Vec<BodyId> = processes.collect::<Option<_>>().ok_or(Unproved::UnknownName)?;
    let bound = Bound { locations: &claim.locations, locks: &claim.locks };
    let cases = automata.iter().map(|automaton| {
        let fits = automaton.threads().len() == processes.len();
        let events = events(&prover.code, automaton, bound).filter(|_| fits).ok_or(Unproved::UnknownName)?;
        Ok(Case::new(&processes, events))
    });
    cases.collect()
}

/// The automata of a claim, in the order of the format.
fn automata(code: &Code, claim: &Claim, units: UnitMode) -> Result<Vec<Automaton>, Unproved> {
    match &claim.question {
        Asked::Pattern(number) => {
            let pattern = phases::patterns::pattern(*number).ok_or(Unproved::UnknownName)?;
            Ok(vec![pattern.automaton(units).clone()])
        }
        Asked::Race => Ok(phases::races().to_vec()),
        Asked::Automaton(automaton) => Ok(vec![automaton.clone()]),
        Asked::Deadlock => {
            let mut combinations = vec![Vec::new()];
            for name in &claim.locks {
                let lock = code.names.lock(name).ok_or(Unproved::UnknownName)?;
                let exclusions: &[_] = if code.names.is_read_write(lock) {
                    &[Exclusion::HeldInWrite, Exclusion::WantedInWrite]
                } else {
                    &[Exclusion::Plain]
                };
                let longer = combinations.iter().flat_map(|earlier: &Vec<_>| {
                    exclusions.iter().map(move |exclusion| [&earlier[..], &[*exclusion]].concat())
                });
                combinations = longer.collect();
                if combinations.len() > MOST_AUTOMATA {
                    return Err(Unproved::Budget);
                }
            }
            if claim.locks.len() < 2 {
                return Err(Unproved::UnknownName);
            }
            Ok(combinations.iter().map(|exclusions| phases::deadlock(exclusions)).collect())
        }
    }
}
