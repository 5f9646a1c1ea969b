//! A panic in one subject, which is a fault of the program, takes no other subject with it.

use crate::cli::{Exit, Failure};
use asercheck::java_records::{OpenRecord, SubjectRecord};
use std::any::Any;
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The reason of what is not decided as the program is at fault.
const INTERNAL: &str = "internal error";

/// What a function gives, or the message with which it panics. The panic itself has said where that was.
pub(super) fn caught<T>(function: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(function)).map_err(|panic| message(&*panic))
}

/// The record of a subject; if the program is at fault, one that says so. What else is wrong (a file that cannot be
/// written) ends the run.
pub(super) fn recorded(
    one: impl FnOnce() -> Result<SubjectRecord, Failure>,
    empty: impl FnOnce() -> SubjectRecord,
) -> Result<SubjectRecord, Failure> {
    let message = match caught(one) {
        Ok(Err(failure)) if failure.exit == Exit::Internal => format!("{:#}", failure.error),
        Ok(result) => return result,
        Err(message) => message,
    };
    Ok(SubjectRecord { unknown: vec![fault(&message)], ..empty() })
}

/// That the program is at fault.
pub(super) fn fault(message: &str) -> OpenRecord {
    OpenRecord { unit: None, reason: INTERNAL.into(), detail: Some(format!("{INTERNAL}: {message}")) }
}

/// Whether the program was at fault somewhere.
pub(super) fn is_any_fault(subjects: &[SubjectRecord]) -> bool {
    subjects.iter().flat_map(|subject| &subject.unknown).any(|open| open.reason == INTERNAL)
}

/// With what a function has panicked.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| Cow::from(*text));
    let text = text.or_else(|| panic.downcast_ref::<String>().map(Cow::from));
    asercheck::isolate::printable(&text.unwrap_or("it says nothing".into())).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use asercheck::java_records::SubjectKind;

    fn empty() -> SubjectRecord {
        SubjectRecord::new("Pool".into(), SubjectKind::Object, "named".into())
    }

    #[test]
    fn a_panic_leaves_its_subject_undecided() {
        let places: Vec<usize> = Vec::new();
        let panics = [
            recorded(|| panic!("said by a text"), empty),
            recorded(|| panic!("said by {} numbers", places.len() + 2), empty),
            recorded(|| Err(Failure::internal(anyhow::anyhow!("an error"))), empty),
        ];
        let details = panics.map(|record| {
            let record = record.expect("the run goes on");
            assert!(is_any_fault(std::slice::from_ref(&record)));
            assert_eq!((record.class.as_str(), &*record.unknown[0].reason), ("Pool", INTERNAL));
            record.unknown[0].detail.clone().expect("it is said")
        });
        let wanted = ["said by a text", "said by 2 numbers", "an error"].map(|text| format!("internal error: {text}"));
        assert_eq!(details, wanted);
    }

    #[test]
    fn what_is_no_fault_goes_through() {
        let record = recorded(|| Ok(SubjectRecord { entries: 7, ..empty() }), empty).expect("a record");
        assert_eq!(record.entries, 7);
        assert!(!is_any_fault(&[record]));
        let input = recorded(|| Err(Failure::input(anyhow::anyhow!("no folder"))), empty);
        assert_eq!(input.map(|_| ()).expect_err("it ends the run").exit, Exit::Input);
    }
}
