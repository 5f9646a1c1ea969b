//! The facts of one subject: the program, the followed objects, and the mode.

use super::answers::{Answers, Known};
use super::heap::Heap;
use super::method::Method;
use super::mode::Mode;
use super::object_sets::ObjectSets;
use super::regions::Regions;
use super::terms::Terms;
use java::MethodId;
use java::ir::{Liveness, Loops};
use std::rc::Rc;

/// What is true while one subject is interpreted. Answers that are found on the way are kept; nothing else changes.
pub(crate) struct SubjectFacts<'p> {
    /// The program and its pointer analysis.
    pub(crate) heap: Heap<'p>,
    /// The followed objects.
    pub(crate) regions: Rc<Regions>,
    /// The mode of the interpretation.
    pub(crate) mode: Mode,
    /// Whether the interpretation is cancelled.
    pub(crate) is_cancelled: &'p dyn Fn() -> bool,
    /// The interned sets of objects.
    pub(crate) sets: ObjectSets,
    /// Answers shared with other interpretations of the same subject.
    pub(crate) answers: Rc<Answers>,
    /// Answers of this interpretation.
    pub(super) known: Known,
}

impl<'p> SubjectFacts<'p> {
    /// The facts without answers.
    pub(crate) fn new(
        heap: Heap<'p>,
        (regions, answers): (Rc<Regions>, Rc<Answers>),
        mode: Mode,
        is_cancelled: &'p dyn Fn() -> bool,
    ) -> Self {
        let (sets, known) = (ObjectSets::default(), Known::default());
        Self { heap, regions, mode, is_cancelled, sets, answers, known }
    }

    /// The code of a method with its analyses; none if it is damaged or missing.
    pub(crate) fn method(&self, method: MethodId) -> Option<Rc<Method>> {
        if let Some(known) = self.known.code.get(&method) {
            return known;
        }
        let made = self.heap.body(method).map(|body| {
            let heap = &self.heap;
            let terms = Terms::new(&body, &|member| heap.unchanging_member(member));
            let never = &|| false;
            let liveness = Liveness::new(&body, never).expect("it is not cancelled");
            let loops = Loops::new(&body, never).expect("it is not cancelled");
            Rc::new(Method::new(heap.program, body, terms, liveness, loops))
        });
        self.known.code.insert(method, made.clone());
        made
    }
}
