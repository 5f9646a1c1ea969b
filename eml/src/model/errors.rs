//! All errors of one run as one error.

use std::fmt;
use std::ops::Deref;

/// One error or several: a slice of them, and itself an error whose message has a line for each.
///
/// ```
/// use eml::model::ModelBuilder;
///
/// fn build() -> Result<(), Box<dyn std::error::Error>> {
///     let (_model, _warnings) = ModelBuilder::new().lock("l").lock("l").build()?;
///     Ok(())
/// }
///
/// assert!(build().unwrap_err().to_string().contains("`l`"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errors<E>(Vec<E>);

impl<E> Errors<E> {
    /// Wraps errors, at least one.
    pub(super) fn new(errors: Vec<E>) -> Self {
        debug_assert!(!errors.is_empty());
        Self(errors)
    }
}

impl<E> Deref for Errors<E> {
    type Target = [E];

    fn deref(&self) -> &[E] {
        &self.0
    }
}

impl<E> IntoIterator for Errors<E> {
    type Item = E;
    type IntoIter = std::vec::IntoIter<E>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, E> IntoIterator for &'a Errors<E> {
    type Item = &'a E;
    type IntoIter = std::slice::Iter<'a, E>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<E: fmt::Display> fmt::Display for Errors<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, error) in self.0.iter().enumerate() {
            if number > 0 {
                f.write_str("\n")?;
            }
            error.fmt(f)?;
        }
        Ok(())
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for Errors<E> {}
