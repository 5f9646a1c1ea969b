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
    source!("Client"),
    source!("ClientSource"),
    source!("Code"),
    source!("CompiledClient"),
    source!("CompiledClientTarget"),
    source!("Controller"),
    source!("CreationException"),
    source!("Descriptors"),
    source!("Expression"),
    source!("Gate"),
    source!("GuardedMethods"),
    source!("Guards"),
    source!("Instructions"),
    source!("JavaTypes"),
    source!("Lines"),
    source!("Machine"),
    source!("MethodNames"),
    source!("Names"),
    source!("Observations"),
    source!("Planner"),
    source!("Point"),
    source!("ProgramOutput"),
    source!("ProgramPlan"),
    source!("ProgramRun"),
    source!("ProgramStops"),
    source!("ProgramTarget"),
    source!("ProgramThreads"),
    source!("RecordingProxy"),
    source!("RunnableClient"),
    source!("Runner"),
    source!("Scope"),
    source!("Step"),
    source!("Stress"),
    source!("Target"),
    source!("Trace"),
    source!("Types"),
    source!("ValuePrinter"),
];
