//! Audits one class of a Java program with limits, cancellation and progress.
//!
//! `cargo run --example audit -- models/java/client/classes client.CheckThenAct`

use asercheck::audit::{Event, Options};
use asercheck::java::{self, Program};
use asercheck::{Limits, StopReason, audit};
use std::path::PathBuf;
use std::time::Duration;

/// The time for the whole audit.
const TOTAL: Duration = Duration::from_secs(60);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| "models/java/client/classes".into());
    let class = arguments.next().unwrap_or_else(|| "client.CheckThenAct".into());
    let (program, diagnostics) = Program::load(&[PathBuf::from(path)], &[], &java::Limits::default());
    diagnostics.iter().for_each(|diagnostic| eprintln!("{diagnostic}"));
    let limits = Limits::default().with_timeout(Duration::from_secs(10)).with_memory(1 << 30);
    let options = Options::default().with_classes(vec![class]).with_limits(limits);
    // After the total time, the classes that are not decided yet are reported as undecided.
    let cancellation = options.limits.cancellation.clone();
    std::thread::spawn(move || {
        std::thread::sleep(TOTAL);
        cancellation.cancel_for(StopReason::Timeout);
    });
    let report = audit(&program, &options, &|event| match event {
        Event::Selected { own, .. } => eprintln!("{own} subjects"),
        Event::Model { isolated, .. } => eprintln!("a model with {} locations", isolated.model.locations().len()),
        Event::Decided(subject) => {
            eprintln!("{}: {} queries, {:.3} s", subject.class, subject.queries, subject.seconds)
        }
    })?;
    for subject in &report.subjects {
        for finding in &subject.findings {
            println!("{}: {} ({})", subject.class, finding.says, finding.likelihood.name());
            println!("  torn section: {} {:?}", finding.cause.method, finding.cause.lines);
        }
        for undecided in &subject.unknown {
            println!("{}: undecided, {}", subject.class, undecided.reason);
        }
        println!("{}: {}", subject.class, subject.verdict().words());
    }
    println!("{}", report.verdict().words());
    Ok(())
}
