//! Isolation of panics: a panic is a fault of the analysis in one subject, and does not affect the others.

use crate::report::{SubjectReport, Undecided};
use isolate::printable;
use std::any::Any;
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Calls a function. Returns its value, or the message of its panic; the panic hook has printed the place.
pub fn caught<T>(function: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(function)).map_err(|panic| message(&*panic))
}

/// The report of a subject; after a panic or an error, a report with that fault.
pub fn reported(
    one: impl FnOnce() -> Result<SubjectReport, decide::Error>,
    empty: impl FnOnce() -> SubjectReport,
) -> SubjectReport {
    let message = match caught(one) {
        Ok(Ok(report)) => return report,
        Ok(Err(error)) => error.to_string(),
        Err(message) => message,
    };
    SubjectReport { unknown: vec![Undecided::fault(&message)], ..empty() }
}

/// The message of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| Cow::from(*text));
    let text = text.or_else(|| panic.downcast_ref::<String>().map(Cow::from));
    printable(&text.unwrap_or("it says nothing".into())).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::SubjectKind;

    fn empty() -> SubjectReport {
        SubjectReport::new("Pool".into(), SubjectKind::Object, "named".into())
    }

    #[test]
    fn a_panic_leaves_its_subject_undecided() {
        let places: Vec<usize> = Vec::new();
        let panics = [
            reported(|| panic!("said by a text"), empty),
            reported(|| panic!("said by {} numbers", places.len() + 2), empty),
        ];
        let details = panics.map(|report| {
            assert!(report.unknown[0].is_fault());
            assert_eq!(report.class, "Pool");
            report.unknown[0].detail.clone().expect("a detail")
        });
        assert_eq!(details, ["said by a text", "said by 2 numbers"].map(|text| format!("internal error: {text}")));
    }

    #[test]
    fn a_report_goes_through() {
        let report = reported(|| Ok(SubjectReport { entries: 7, ..empty() }), empty);
        assert_eq!(report.entries, 7);
        assert!(report.unknown.is_empty());
    }
}
