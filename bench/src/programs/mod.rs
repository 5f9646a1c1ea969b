//! Random Java programs, as source: constructs of the language and the library, in every place that the language
//! allows. Equal seeds give equal programs.
//!
//! The constructs are data: a `grammar` has a production for each. A `Writer` expands them at random. Programs compile,
//! terminate, and leave no threads; productions have to ensure this:
//!
//! - loops count, and waiting is limited to milliseconds;
//! - methods call only methods with greater numbers, and stored functions call only methods that run none of these;
//! - variables in scope of functions are not assigned.

mod grammar;
mod writer;

pub use grammar::Grammar;
pub use writer::{Written, program};

use crate::inclusion::machine::Recorder;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Number of occurrences of each construct.
pub type Counts = BTreeMap<String, usize>;

/// The class of each program that has the methods.
const CLASS: &str = "Made";

/// Writes the programs of these seeds into a folder and compiles them. Returns the folder of class files of each
/// program that the compiler accepts, and the constructs of all.
///
/// # Errors
/// If files cannot be written, or the compiler cannot be run.
pub fn compiled(
    recorder: &Recorder,
    grammar: &Grammar,
    folder: &Path,
    seeds: Range<u64>,
) -> anyhow::Result<(Vec<PathBuf>, Counts)> {
    let mut counts = Counts::new();
    let mut sources = Vec::new();
    for seed in seeds {
        let package = format!("p{seed}");
        let written = program(grammar, seed, &package);
        std::fs::create_dir_all(folder.join(&package))?;
        let source = folder.join(package).join(format!("{CLASS}.java"));
        std::fs::write(&source, written.text)?;
        sources.push(source);
        for (construct, count) in written.counts {
            *counts.entry(construct).or_default() += count;
        }
    }
    Ok((recorder.compiled_together(&sources, CLASS)?, counts))
}

#[cfg(test)]
mod tests {
    use super::{Counts, Grammar, program};

    #[test]
    fn programs_have_all_constructs() {
        let grammar = Grammar::builtin();
        let mut counts = Counts::new();
        for seed in 0..200 {
            for (construct, count) in program(&grammar, seed, "made").counts {
                *counts.entry(construct).or_default() += count;
            }
        }
        let missing: Vec<&str> = grammar.constructs().filter(|construct| !counts.contains_key(*construct)).collect();
        assert_eq!(missing, Vec::<&str>::new());
    }

    #[test]
    fn equal_seeds_give_equal_programs() {
        let grammar = Grammar::builtin();
        let [one, other] = [0, 0].map(|seed| program(&grammar, seed, "made").text);
        assert_eq!(one, other);
        assert_ne!(one, program(&grammar, 1, "made").text);
    }
}
