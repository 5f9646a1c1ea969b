//! Models.

use crate::errors::{exception, python, request};
use crate::{detached, errors};
use asercheck::model::{self, Loaded};
use asercheck::requests::{self, CheckRequest, loaded, warnings_of};
use asercheck::syntax::ast::Program;
use asercheck::syntax::{Source, print};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// A model of a concurrent program.
#[pyclass(frozen, module = "asercheck._native")]
pub struct Model {
    loaded: Arc<Loaded>,
    /// The syntax tree of a model that was made without a text.
    program: Option<Program>,
}

impl Model {
    /// A model that was built.
    pub fn built((loaded, program): (Loaded, Program)) -> Self {
        Self { loaded: Arc::new(loaded), program: Some(program) }
    }

    fn read(py: Python<'_>, read: impl FnOnce() -> Result<Loaded, requests::Error> + Send + 'static) -> PyResult<Self> {
        let loaded = detached::run(py, None, move |_, _| read())?;
        Ok(Self { loaded: Arc::new(loaded), program: None })
    }
}

#[pymethods]
impl Model {
    #[staticmethod]
    fn from_text(py: Python<'_>, text: String, name: String) -> PyResult<Self> {
        Self::read(py, move || loaded(model::from_source(Source::new(name, text))))
    }

    #[staticmethod]
    fn from_file(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Self::read(py, move || loaded(model::load(&path)))
    }

    #[getter]
    fn name(&self) -> &str {
        self.loaded.source.name()
    }

    #[getter]
    fn text(&self) -> String {
        match &self.program {
            Some(program) => print(program),
            None => self.loaded.source.text().unwrap_or_default().to_string(),
        }
    }

    #[getter]
    fn locks(&self) -> Vec<&str> {
        self.loaded.model.locks().iter().map(|lock| lock.name()).collect()
    }

    #[getter]
    fn locations(&self) -> Vec<&str> {
        self.loaded.model.locations().iter().map(|location| location.name()).collect()
    }

    #[getter]
    fn processes(&self) -> Vec<&str> {
        self.loaded.model.processes().iter().map(|process| process.name()).collect()
    }

    #[getter]
    fn warnings(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        python(py, &warnings_of(&self.loaded))
    }

    /// Decides queries: a request as JSON, and a function that is called with the progress.
    fn check(&self, py: Python<'_>, request: &str, progress: Option<Py<PyAny>>) -> PyResult<Py<PyAny>> {
        let request: CheckRequest = self::request(py, request)?;
        let loaded = self.loaded.clone();
        let report = detached::run(py, progress, move |cancellation, step| {
            requests::check(&loaded, &request, cancellation, step)
        })?;
        errors::python(py, &report)
    }
}

/// Returns the model of a result.
pub fn model(py: Python<'_>, result: Result<(Loaded, Program), requests::Error>) -> PyResult<Model> {
    result.map(Model::built).map_err(|error| exception(py, &error))
}
