//! The bodies of a program's methods, each made once.

use super::body::Body;
use super::error::BodyError;
use crate::class_file::MethodId;
use crate::program::Program;
use std::sync::{Arc, OnceLock};

/// A body that was made, none for a method without code, or why there is none.
pub type Made = Result<Option<Arc<Body>>, BodyError>;

/// The bodies of the methods of a program, each from when it is first asked for. Any number of threads may ask.
///
/// Memory is linear in the code of the methods that were asked for.
#[derive(Debug)]
pub struct Bodies<'p> {
    program: &'p Program,
    made: Box<[OnceLock<Box<Made>>]>,
}

impl<'p> Bodies<'p> {
    /// No bodies yet.
    pub fn new(program: &'p Program) -> Self {
        Self { program, made: program.methods().map(|_| OnceLock::new()).collect() }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The body of a method; none if it is abstract or native. Two threads that ask for the first time may both make
    /// it; both get the one that was made first.
    ///
    /// # Errors
    /// Those of [`Program::body`], kept as well, but for [`BodyError::Cancelled`]: a later question is answered.
    pub fn get(&self, method: MethodId, is_cancelled: &dyn Fn() -> bool) -> Made {
        let place = &self.made[method.index()];
        if let Some(made) = place.get() {
            return (**made).clone();
        }
        match self.program.body(method, is_cancelled) {
            Err(BodyError::Cancelled) => Err(BodyError::Cancelled),
            made => (**place.get_or_init(|| Box::new(made.map(|body| body.map(Arc::new))))).clone(),
        }
    }
}
