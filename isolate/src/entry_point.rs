//! The entry point of a program.

use super::claims::{Facts, Subject};
use java::{ClassId, MethodId, Program};

/// The method at which a program begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Main(MethodId);

impl Main {
    /// Returns the method.
    pub fn method(self) -> MethodId {
        self.0
    }

    /// Returns the method `static void main(String[])` of a class, or `static void main()`, if it has code.
    pub fn of(program: &Program, class: ClassId) -> Option<Self> {
        let is_main = |method: &MethodId| {
            let declared = program.method(*method);
            let [name, descriptor] = [declared.name, declared.descriptor].map(|name| program.text(name));
            name == "main" && ["([Ljava/lang/String;)V", "()V"].contains(&descriptor) && declared.flags.is_static()
        };
        program.class(class).methods().filter(is_main).find(|method| program.method(*method).has_code()).map(Self)
    }

    /// Returns the subjects of the program: the classes of the program with changing state, as objects and as static
    /// fields.
    pub fn subjects(self, program: &Program, facts: &Facts) -> Vec<Subject> {
        let objects = program.classes().filter_map(|(class, _)| Subject::of_program(program, facts, class));
        let own = program.classes().filter(|(_, declared)| !declared.is_library);
        let statics = own.filter_map(|(class, _)| Subject::of_statics(program, facts, class));
        objects.chain(statics).collect()
    }
}
