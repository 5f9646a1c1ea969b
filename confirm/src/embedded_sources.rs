//! The Java sources of controller and target.

macro_rules! source {
    ($name:literal) => {
        ($name, include_str!(concat!("java/", $name, ".java")))
    };
}

/// The classes with their source texts.
pub(crate) const SOURCES: &[(&str, &str)] = &[
    source!("Arguments"),
    source!("AsercheckSupport"),
    source!("Attempt"),
    source!("CannotMake"),
    source!("Client"),
    source!("ClientSource"),
    source!("Code"),
    source!("Controller"),
    source!("Descriptors"),
    source!("Expression"),
    source!("Gate"),
    source!("Guarded"),
    source!("Guards"),
    source!("Instructions"),
    source!("JavaTypes"),
    source!("Lines"),
    source!("Machine"),
    source!("Names"),
    source!("Planner"),
    source!("Point"),
    source!("ProgramOutput"),
    source!("ProgramPlan"),
    source!("ProgramRun"),
    source!("ProgramStops"),
    source!("ProgramTarget"),
    source!("ProgramThreads"),
    source!("Questioned"),
    source!("Questions"),
    source!("RecordingProxy"),
    source!("Reproduced"),
    source!("ReproducedTarget"),
    source!("Runner"),
    source!("Scope"),
    source!("Show"),
    source!("Step"),
    source!("Stress"),
    source!("Target"),
    source!("Trace"),
    source!("Types"),
    source!("Work"),
];
