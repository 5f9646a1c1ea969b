//! Messages about missing files: the cause, once.

use crate::batch::support::{Scratch, example, expect};

#[test]
fn causes_are_stated_once() {
    let scratch = Scratch::new("causes");
    let none = scratch.path("none");
    for arguments in ["report", "merge --out out", "replay", "show", "check", "fmt", "batch --out out"] {
        let errors = expect(2, arguments, &none);
        assert_eq!(
            errors.matches("No such file or directory").count().max(errors.matches("no batch").count()),
            1,
            "{arguments}: {errors}"
        );
        assert_eq!(errors.matches("none").count(), 1, "{arguments}: {errors}");
    }
    let file = scratch.file("file", "");
    let errors = expect(2, &format!("batch {} --out", example("stack.eml")), &std::path::Path::new(&file).join("out"));
    assert_eq!(errors.matches("(os error").count(), 1, "{errors}");
}
