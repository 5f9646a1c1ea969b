//! Calls that write the same constants: whichever is last, the same values are left behind.

use super::{Case, Judge, code};
use crate::violations::section::is_access;
use decide::findings::Group;
use decide::witness::Action;
use java::Constant;
use java::ir::Operation;
use std::collections::BTreeMap;

impl Judge<'_> {
    /// The reason why a violation is possibly benign, if all its accesses are writes, and both calls write the same
    /// constant to each location.
    pub(super) fn same_constants(&self, case: &Case<'_>) -> Option<String> {
        if !matches!(case.group, Group::InconsistentValues | Group::LostUpdate) {
            return None;
        }
        let steps = case.witness.steps.iter().enumerate().filter(|(_, step)| is_access(step));
        let mut written: BTreeMap<&str, Constant> = BTreeMap::new();
        for (number, step) in steps {
            if step.action != Action::Write {
                return None;
            }
            let constant = self.written_constant(case, number)?;
            if *written.entry(step.object.as_deref()?).or_insert(constant) != constant {
                return None;
            }
        }
        (!written.is_empty()).then(|| "both calls write the same constants".to_string())
    }

    /// The constant that an access stores in a field, if its line stores only this one.
    fn written_constant(&self, case: &Case<'_>, number: usize) -> Option<Constant> {
        let place = self.place(case, number)?;
        let site = self.site(case, place.step());
        let operations = code::operations(self.program, place.body(), &site);
        let stored = operations.into_iter().map(|operation| match operation {
            Operation::PutField { value, .. } | Operation::PutStatic(_, value) => {
                code::constant(place.body(), *value).copied()
            }
            _ => None,
        });
        let mut stored: Vec<Constant> = stored.collect::<Option<_>>()?;
        stored.dedup();
        if let [only] = stored[..] { Some(only) } else { None }
    }
}
