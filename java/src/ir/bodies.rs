//! A cache of the bodies of all methods of a program.

use super::body::Body;
use super::error::BodyError;
use crate::class_file::MethodId;
use crate::program::Program;
use std::sync::{Arc, OnceLock};

/// A body, none for a method without code, or an error.
pub type BodyResult = Result<Option<Arc<Body>>, BodyError>;

/// The bodies of the methods of a program, each computed on first use. The cache can be shared between threads.
///
/// Memory is linear in the code of the requested methods.
#[derive(Debug)]
pub struct Bodies<'p> {
    program: &'p Program,
    results: Box<[OnceLock<Box<BodyResult>>]>,
}

impl<'p> Bodies<'p> {
    /// An empty cache.
    pub fn new(program: &'p Program) -> Self {
        Self { program, results: program.methods().map(|_| OnceLock::new()).collect() }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The body of a method; none if the method is abstract or native. Two threads may compute the same body at the
    /// same time; both get the one that is stored first.
    ///
    /// # Errors
    /// The errors of [`Program::body`]. They are cached, except [`BodyError::Cancelled`], after which a later call
    /// computes the body.
    pub fn get(&self, method: MethodId, is_cancelled: &dyn Fn() -> bool) -> BodyResult {
        let place = &self.results[method.index()];
        if let Some(result) = place.get() {
            return (**result).clone();
        }
        match self.program.body(method, is_cancelled) {
            Err(BodyError::Cancelled) => Err(BodyError::Cancelled),
            result => (**place.get_or_init(|| Box::new(result.map(|body| body.map(Arc::new))))).clone(),
        }
    }
}
