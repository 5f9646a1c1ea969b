//! Models built call by call.

use crate::errors::exception;
use crate::model::{Model, model};
use asercheck::model::{BlockError, FlatBuilder, Multiplicity};
use asercheck::requests::{Error, built};
use pyo3::prelude::*;
use std::mem::take;

/// Builds a model call by call.
#[pyclass(module = "asercheck._native")]
#[derive(Default)]
pub struct Builder(FlatBuilder);

#[pymethods]
impl Builder {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn at(&mut self, file: Option<&str>, line: u32, column: u32) {
        self.0.at(file, line, column);
    }

    /// Declares a lock or a location; the kind is the word of the language.
    fn declare(&mut self, py: Python<'_>, kind: &str, name: &str) -> PyResult<()> {
        let declarations = self.0.declarations();
        match kind {
            "lock" => declarations.lock(name),
            "rwlock" => declarations.rwlock(name),
            "overlap" => declarations.overlap(name),
            "shared" => declarations.location(name),
            _ => return Err(exception(py, &Error::usage(format!("there is no declaration `{kind}`")))),
        };
        Ok(())
    }

    fn atomic_set(&mut self, name: &str, members: Vec<String>) {
        self.0.declarations().atomic_set(name, members);
    }

    /// Opens a process with a number of instances; without one, any number.
    fn open_process(&mut self, py: Python<'_>, name: &str, instances: Option<u32>) -> PyResult<()> {
        let multiplicity = match instances {
            Some(1) => Multiplicity::Single,
            Some(count) => Multiplicity::Times(count),
            None => Multiplicity::Many,
        };
        wrong_call(py, self.0.open_process(name, multiplicity))
    }

    fn open(&mut self, py: Python<'_>, kind: &str, name: Option<&str>) -> PyResult<()> {
        wrong_call(py, self.0.open(kind, name))
    }

    fn statement(&mut self, py: Python<'_>, kind: &str, name: Option<&str>) -> PyResult<()> {
        wrong_call(py, self.0.statement(kind, name))
    }

    fn close(&mut self, py: Python<'_>) -> PyResult<()> {
        wrong_call(py, self.0.close())
    }

    /// Builds the model. The builder is empty afterwards.
    fn build(&mut self, py: Python<'_>, name: &str) -> PyResult<Model> {
        let result = wrong_call(py, take(&mut self.0).build())?;
        model(py, built(name, result))
    }
}

/// Returns the exception for a call that does not fit the open blocks.
fn wrong_call<T>(py: Python<'_>, result: Result<T, BlockError>) -> PyResult<T> {
    result.map_err(|error| exception(py, &Error::usage(error.to_string())))
}
