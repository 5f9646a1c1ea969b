//! Findings that the source says are known: annotations with a reason.
//!
//! An annotation whose name is `AsercheckIgnore`, of any package, suppresses what a line of the file would with the name
//! of the class, the field or the method at which it stands; of a method, its signature is meant, too. The reason is
//! its `value` or its `reason`, a text that is not empty: without one it suppresses nothing, and that is told.
//! `@SuppressWarnings` is not in class files.

use super::suppress::{Line, Origin};
use asercheck::java::{Annotation, AnnotationValue, Program};

/// The annotation's name.
const IGNORE: &str = "AsercheckIgnore";

/// What annotations of a program suppress, and where one has no reason. Linear in the program.
pub(super) fn ignored(program: &Program) -> (Vec<Line>, Vec<String>) {
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

fn is_ignore(program: &Program, annotation: &Annotation) -> bool {
    program.text(annotation.class).rsplit(['/', '$']).next() == Some(IGNORE)
}

fn reason(program: &Program, annotation: &Annotation) -> Option<String> {
    let named = |name| program.name(name).and_then(|name| annotation.element(name));
    let texts = ["value", "reason"].into_iter().filter_map(named).filter_map(|value| match value {
        AnnotationValue::String(text) => Some(program.text(*text).trim()),
        _ => None,
    });
    { texts }.find(|text| !text.is_empty()).map(str::to_string)
}
