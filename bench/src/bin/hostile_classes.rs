//! Writes class files that need much time or memory to analyse, each idea into a folder of its own.
//!
//! `cargo run --release -p asercheck-bench --bin hostile-classes -- DIR`, then `asercheck java DIR/IDEA --timeout 2s`
//! for each.

use anyhow::Context;
use asercheck_bench::hostile_classes::all;
use clap::Parser;
use std::fs;
use std::path::PathBuf;

#[derive(Parser)]
struct Arguments {
    /// Parent of the new folders.
    folder: PathBuf,
}

fn main() -> anyhow::Result<()> {
    let Arguments { folder } = Arguments::parse();
    for classes in all() {
        let own = folder.join(classes.name);
        fs::create_dir_all(&own).with_context(|| format!("cannot make {}", own.display()))?;
        for (name, bytes) in &classes.files {
            let path = own.join(name);
            fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(())
}
