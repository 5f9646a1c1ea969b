//! Suppressions by annotations in the source.
//!
//! An annotation with the name `AsercheckIgnore`, of any package, suppresses the same findings as a line of a file of
//! suppressions with the name of its class or field, or with the name and signature of its method. Its `value` or
//! `reason` is the reason, a text that is not empty. Without a reason, it suppresses nothing, and a warning says so.
//! Class files do not contain `@SuppressWarnings`.

use super::suppressions::{Line, Origin};
use asercheck::java::{Annotation, AnnotationValue, Program};

/// The simple name of the annotation.
const IGNORE: &str = "AsercheckIgnore";

/// Returns the suppressions by annotations of a program, and the names of the members whose annotation has no reason.
/// Linear in the program.
pub(super) fn annotation_suppressions(program: &Program) -> (Vec<Line>, Vec<String>) {
    let (mut lines, mut without) = (Vec::new(), Vec::new());
    let mut add = |annotations: &[Annotation], name: &dyn Fn() -> String| {
        for annotation in annotations.iter().filter(|annotation| is_ignore(program, annotation)) {
            match reason(program, annotation) {
                Some(reason) => lines.push(Line { origin: Origin::Annotation, pattern: name(), reason }),
                None => without.push(name()),
            }
        }
    };
    for (class, declared) in program.classes() {
        add(&declared.annotations, &|| program.class_name(class));
        for field in declared.fields() {
            let of = program.field(field);
            add(&of.annotations, &|| format!("{}.{}", program.class_name(class), program.text(of.name)));
        }
    }
    for (method, declared) in program.methods() {
        add(&declared.annotations, &|| program.method_name(method));
    }
    (lines, without)
}

/// Whether an annotation is `AsercheckIgnore`.
fn is_ignore(program: &Program, annotation: &Annotation) -> bool {
    program.text(annotation.class).rsplit(['/', '$']).next() == Some(IGNORE)
}

/// Returns the reason of an annotation.
fn reason(program: &Program, annotation: &Annotation) -> Option<String> {
    let named = |name| program.name(name).and_then(|name| annotation.element(name));
    let texts = ["value", "reason"].into_iter().filter_map(named).filter_map(|value| match value {
        AnnotationValue::String(text) => Some(program.text(*text).trim()),
        _ => None,
    });
    { texts }.find(|text| !text.is_empty()).map(str::to_string)
}
