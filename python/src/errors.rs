//! Rust values and errors as Python objects.

use asercheck::requests::{Error, ErrorKind};
use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Reads a request.
pub fn request<T: DeserializeOwned>(py: Python<'_>, text: &str) -> PyResult<T> {
    serde_json::from_str(text).map_err(|error| exception(py, &Error::usage(error.to_string())))
}

/// Returns a value as dictionaries, lists, strings and numbers.
pub fn python<T: Serialize>(py: Python<'_>, value: &T) -> PyResult<Py<PyAny>> {
    Ok(pythonize::pythonize(py, value)?.unbind())
}

/// Returns the exception for an error. The classes of exceptions are Python.
pub fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let made = || -> PyResult<PyErr> {
        let error = pythonize::pythonize(py, error)?;
        let exception = py.import("asercheck._errors")?.getattr("exception")?.call1((error,))?;
        Ok(PyErr::from_value(exception))
    };
    made().unwrap_or_else(|error| error)
}

/// Returns an internal error.
pub fn internal(message: String) -> Error {
    Error::new(ErrorKind::Internal, message)
}
