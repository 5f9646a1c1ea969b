//! Programs: the classes of some files and archives, their hierarchy, and which methods calls run.

mod class_table;
mod diagnostic;
mod hierarchy;
mod load;
mod lookup;
mod method_code;
mod origin;
mod reference_methods;
mod subtyping;
mod targets;

pub use class_table::Program;
pub use diagnostic::{Cause, Diagnostic};
pub use load::Limits;
pub use lookup::Lookup;
pub use origin::Origin;
pub use targets::Targets;
