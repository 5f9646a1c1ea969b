//! Prints models as text for SPIN: `cargo run --release -p asercheck-bench --bin promela -- MODEL > model.pml`.

use anyhow::Context;
use asercheck_bench::promela::promela;
use clap::Parser;
use std::path::PathBuf;

#[derive(Parser)]
#[command(about = "Prints a model as text for SPIN")]
struct Arguments {
    /// An EML file.
    model: PathBuf,
}

fn main() -> anyhow::Result<()> {
    let path = Arguments::parse().model;
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let program = asercheck::syntax::parse(&text).map_err(|errors| anyhow::anyhow!("{errors:?}"))?;
    let found = promela(&program).map_err(|what| anyhow::anyhow!("{}: not translated: {}", path.display(), what.0))?;
    print!("{found}");
    Ok(())
}
