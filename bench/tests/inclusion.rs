//! Trace inclusion on a few classes: the recorder works, its traces are in the models, and an incomplete model is
//! found.

use asercheck_bench::inclusion::judge::{Judged, Subject, judge};
use asercheck_bench::inclusion::machine::{Effort, Recorder};
use asercheck_bench::inclusion::subjects::{Analysed, Chosen, analysed};
use asercheck_bench::inclusion::trace::{Event, Session};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Classes with monitors, explicit locks, arrays of locks, inner objects, lambdas, and static fields' users.
const CLASSES: [&str; 8] = [
    "client.Account",
    "client.Buckets",
    "client.CheckThenAct",
    "client.ExplicitLock",
    "client.Parts",
    "client.Striped",
    "client.TwoLocks",
    "client.Wrapped",
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/java/client/classes")
}

/// Records the classes; none without a JDK.
fn recorded() -> Option<Vec<Session>> {
    let recorder = Recorder::new().expect("the recorder compiles");
    let Some(recorder) = recorder else {
        eprintln!("skipped: there is no Java development kit for the recorder");
        return None;
    };
    let classes = CLASSES.map(|class| (folder(), class.to_string()));
    let effort = Effort { runs: 1, calls: 8, ..Effort::default() };
    Some(recorder.record(&classes, effort).expect("the virtual machine runs"))
}

fn models() -> Vec<Analysed> {
    let mut models = analysed(&folder(), Chosen::Claiming, Duration::from_secs(60));
    models.retain(|subject| CLASSES.contains(&&*subject.class));
    models
}

fn judged(sessions: &[Session], models: &[Analysed]) -> Judged {
    let mut judged = Judged::default();
    for subject in models {
        let isolated = subject.model.as_ref().expect("it can be followed").as_ref();
        let session = sessions.iter().find(|session| session.class == subject.class).expect("it was recorded");
        for run in &session.runs {
            let subject =
                Subject { class: &subject.class, is_static: subject.is_static, finals: &subject.finals, isolated };
            judged.add(judge(subject, run));
        }
    }
    judged
}

#[test]
fn recorded_traces_are_in_the_models() {
    let Some(mut sessions) = recorded() else { return };
    let models = models();
    let right = judged(&sessions, &models);
    assert!(right.units > 50, "{} units", right.units);
    assert_eq!(right.missing, []);
    assert_eq!(right.included, right.units);
    // Without the lock events of the program, the models hold too many locks.
    for event in sessions.iter_mut().flat_map(|session| &mut session.runs).flat_map(|run| &mut run.units) {
        event.events.retain(|event| !matches!(event, Event::Take(..) | Event::Give(..) | Event::GiveAll(_)));
    }
    assert!(judged(&sessions, &models).missing.len() > 5);
}

#[test]
fn a_model_without_a_class_misses_all_that_is_shared() {
    let Some(sessions) = recorded() else { return };
    let nothing = models().into_iter().map(|subject| Analysed { model: Ok(None), ..subject }).collect::<Vec<_>>();
    let judged = judged(&sessions, &nothing);
    assert!(judged.included < judged.units);
    for class in CLASSES {
        assert!(judged.missing.iter().any(|missing| missing.subject == class), "{class}: {:?}", judged.missing);
    }
}
