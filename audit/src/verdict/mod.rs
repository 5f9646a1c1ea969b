//! From the model of a Java class to what is reported of it: which queries are asked, which violations belong together,
//! and which are possibly benign.

mod bookkeeping;
mod broken;
mod decide;
mod evidence;
mod fault;
mod harmless;
mod held;
mod section;

pub use bookkeeping::Bookkeeping;
pub use broken::{Broken, Tear};
pub use decide::{Decided, Focus, IsSettled, Listed, decide, decide_on};
pub use evidence::{Case, Evidence, Judge, Judgement, Kind, Likelihood};
pub use harmless::{harmless, is_settled};
pub use section::{Section, faulty_accesses, section};
