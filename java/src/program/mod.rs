//! Programs: the classes of some files and archives, with their hierarchy, resolution and dispatch.
//!
//! [`Program`] is the class table. The other files add its operations: `load` builds it, `method_code` decodes code,
//! `subtyping` answers questions about the hierarchy, `lookup` resolves symbolic references and selects methods.
//!
//! Source: JVMS 5.4 (resolution and selection).

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
