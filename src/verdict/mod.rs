//! From the model of a Java class to what is reported of it: which queries are asked, which violations belong together,
//! and which are possibly benign.

mod bookkeeping;
mod broken;
mod decide;
mod fault;
mod harmless;

pub use bookkeeping::Bookkeeping;
pub use broken::Broken;
pub use decide::{Decided, Focus, Listed, decide, decide_on};
pub use harmless::{harmless, is_settled};
