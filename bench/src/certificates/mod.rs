//! Attacks on the checker of certificates: mutants of certificates, and forgeries for violated queries.
//!
//! Each attack repairs what the checker tests without a model: the digest, numbers of entries, entries that are not
//! used any more, and the list of choices. So the conditions of `docs/certificates.md` have to refuse it.

mod forge;
mod mutate;
mod text;

pub use forge::forgeries;
pub use mutate::{Donors, mutants};
pub use text::{Lines, lines, sealed, tidy};
