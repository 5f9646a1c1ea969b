//! Kills of any process at any moment: the continued batch has the results of an undisturbed one.
//!
//! `ASERCHECK_KILL_ROUNDS=50 ASERCHECK_KILL_SEED=7 cargo test --test tests batch kills -- --nocapture` runs more
//! rounds, from another seed.

use crate::batch::processes::{PATIENCE, children, comes_true, is_alive, signal, working_children};
use crate::batch::support::{Scratch, answers, command, example, expect};
use fastrand::Rng;
use generate::family::{Shape, Size, model};
use rustix::process::Signal;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The number of kills of the runner in one round, before the batch is completed.
const KILLS: usize = 3;

fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

fn arguments() -> String {
    let models = ["stack.eml", "shop2-methods.eml", "cycle3-acquire.eml", "bubblesort2.eml"].map(example).join(" ");
    format!("batch {models} --engines explicit,symbolic --separate --jobs 2 --quiet --resume --out")
}

#[test]
fn nothing_is_lost_or_repeated() {
    let (rounds, seed) = (setting("ASERCHECK_KILL_ROUNDS", 5), setting("ASERCHECK_KILL_SEED", 1));
    println!("{rounds} rounds from seed {seed}");
    let scratch = Scratch::new("kills");
    let begin = Instant::now();
    expect(0, &arguments(), &scratch.path("whole"));
    let whole = answers(&scratch.path("whole"));
    let duration = begin.elapsed();
    let mut rng = Rng::with_seed(seed);
    let mut killed = 0;
    for round in 0..rounds {
        let folder = scratch.path(&format!("round-{round}"));
        for _ in 0..KILLS {
            let mut runner = start(&folder);
            pause(&mut rng, duration);
            if rng.bool() {
                kill_worker(&runner, &mut rng);
                pause(&mut rng, duration);
            }
            killed += usize::from(runner.try_wait().expect("it is our child").is_none());
            kill_runner(&mut runner);
        }
        let mut runner = start(&folder);
        pause(&mut rng, duration);
        kill_worker(&runner, &mut rng);
        let status = runner.wait().expect("it is our child");
        assert!(status.success(), "round {round}: {status}");
        let (own, lines) = (answers(&folder), std::fs::read_to_string(folder.join("results.jsonl")));
        assert_eq!(lines.map(|text| text.lines().count()).ok(), Some(whole.len()), "round {round}: repeated or lost");
        assert!(own == whole, "round {round}: other results");
        expect(0, &format!("merge {} --quiet --out", folder.display()), &scratch.path(&format!("merged-{round}")));
        assert!(answers(&scratch.path(&format!("merged-{round}"))) == whole, "round {round}: other results merged");
    }
    println!("{killed} of {} kills of the runner hit a batch that was running", rounds * KILLS as u64);
    assert!(killed > 0, "no kill hit a running batch");
}

fn start(folder: &Path) -> Child {
    let mut command = command(&arguments(), folder);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program can be started")
}

/// Kills the runner; its workers must go with it.
fn kill_runner(runner: &mut Child) {
    let workers = children(runner.id());
    runner.kill().expect("it is our child");
    runner.wait().expect("it is our child");
    let gone = comes_true(PATIENCE, || !workers.iter().any(|worker| is_alive(*worker)));
    assert!(gone, "a worker outlives its runner");
}

/// Kills one of the workers, if there is one now.
fn kill_worker(runner: &Child, rng: &mut Rng) {
    if let Some(worker) = rng.choice(children(runner.id())) {
        signal(worker, Signal::KILL);
    }
}

/// Waits for a random part of the duration of a batch; a short one, so that several kills fit in.
fn pause(rng: &mut Rng, duration: Duration) {
    sleep(duration.mul_f64(rng.f64() * 0.4));
}

#[test]
fn ctrl_c_ends_in_order() {
    let scratch = Scratch::new("interrupt");
    let folder = scratch.path("batch");
    let mut command = command(&arguments(), &folder);
    let runner = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program can be started");
    assert!(comes_true(PATIENCE, || folder.join("results.jsonl").exists()));
    let workers = children(runner.id());
    signal(runner.id(), Signal::INT);
    let output = runner.wait_with_output().expect("it is our child");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{errors}");
    assert!(errors.contains("to continue: ") && errors.contains(" --resume"), "{errors}");
    assert!(!workers.into_iter().any(is_alive));
    expect(0, &arguments(), &folder);
}

#[test]
fn a_batch_has_one_runner() {
    let scratch = Scratch::new("twice");
    let folder = scratch.path("batch");
    let mut runner = start(&folder);
    assert!(comes_true(PATIENCE, || folder.join("results.jsonl").exists()));
    let errors = expect(2, &arguments(), &folder);
    kill_runner(&mut runner);
    assert!(errors.contains("another run writes to"), "{errors}");
}

/// A defect of the program: reported, without a verdict, and tried again when the batch is continued.
#[test]
fn a_worker_that_crashes_decides_nothing() {
    let scratch = Scratch::new("crash");
    let size = Size { shape: Shape::Layers, statements: 300, depth: 3, locks: 8, locations: 3, processes: 2 };
    let model = scratch.file("hard.eml", &model(&size, 1));
    let arguments = format!("batch {model} --engines symbolic --pattern 1 --locations x0 --processes P0,P1 --quiet");
    let arguments = format!("{arguments} --timeout 3s --resume --out");
    let folder = scratch.path("batch");
    let mut command = command(&arguments, &folder);
    let runner = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program can be started");
    working_children(runner.id()).into_iter().for_each(|worker| signal(worker, Signal::ABORT));
    let output = runner.wait_with_output().expect("it is our child");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{errors}");
    assert!(errors.contains("hard.eml: 1 [x0] [P0, P1]") && errors.contains("a worker ended with"), "{errors}");
    assert_eq!(answers(&folder).len(), 0);
    expect(0, &arguments, &folder);
    assert_eq!(answers(&folder).len(), 1);
}
