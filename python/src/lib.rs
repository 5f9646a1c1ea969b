//! The extension module of the Python package `asercheck`: requests as JSON texts, answers as Python dictionaries.
//!
//! The package in `python/package/asercheck` makes dataclasses of the dictionaries. They have the members of the JSON
//! that the command prints, and are made from the records without a text in between, so that strings are copied once.
//!
//! Invariant: an analysis runs on a thread of its own that touches no Python object; the calling thread waits without
//! the lock of the interpreter, and takes it to handle signals and to report progress ([`detached`]).

mod builder;
mod detached;
mod errors;
mod model;

use pyo3::prelude::*;

/// The functions of the extension module.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::audit;
    #[pymodule_export]
    use crate::builder::Builder;
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::version;
}

/// The version of the library.
#[pyfunction]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Audits Java classes: a request as JSON, and a function that is called with the progress.
#[pyfunction]
fn audit(py: Python<'_>, request: &str, progress: Option<Py<PyAny>>) -> PyResult<Py<PyAny>> {
    let request: asercheck::requests::AuditRequest = errors::request(py, request)?;
    let report = detached::run(py, progress, move |cancellation, step| {
        asercheck::requests::audit(&request, cancellation, step)
    })?;
    errors::python(py, &report)
}
