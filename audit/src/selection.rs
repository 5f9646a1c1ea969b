//! Selection of the subjects of an audit, with the reasons why other classes are no subjects.

use crate::error::Error;
use crate::name_pattern::any_matches;
use crate::report::EXCLUDED;
use isolate::{
    Analysis, Claim, Facts, Main, NoSubject, Subject, is_exported, printable, reaches_static_state,
    subclasses_of_factories,
};
use java::{ClassId, Program, Role};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The subjects of a program.
#[derive(Debug, Default)]
pub struct Selection {
    /// The subjects, public classes of packages that are not internal first, then by name.
    pub subjects: Vec<Subject>,
    /// The number of classes, without those of libraries.
    pub classes: usize,
    /// The number of classes that are no subjects, by the reason.
    pub skipped: BTreeMap<Cow<'static, str>, usize>,
    /// Classes that do not claim to be thread-safe.
    pub unclaimed: Vec<String>,
    /// Classes, each with a subclass whose objects clients get as objects of the class.
    pub factories: BTreeSet<(ClassId, ClassId)>,
    /// The classes that are asked about, as objects or by their static fields.
    asked: BTreeSet<ClassId>,
}

impl Selection {
    /// Selects the subjects: in a whole program, the classes whose objects or static fields change; otherwise the
    /// classes that the name patterns match, or else those that claim to be thread-safe. Classes that the patterns
    /// `exclude` match are no subjects.
    ///
    /// # Errors
    /// If there are patterns that no class matches.
    pub fn new(
        program: &Program,
        facts: &Facts,
        main: Option<Main>,
        (patterns, exclude): (&[String], &[String]),
    ) -> Result<Self, Error> {
        let mut selection = match main {
            Some(main) => Self::of_program(program, facts, main, (patterns, exclude)),
            None => Self::of_classes(program, facts, (patterns, exclude))?,
        };
        selection.subjects.sort_by_cached_key(|subject| promise(program, subject));
        Ok(selection)
    }

    fn of_program(program: &Program, facts: &Facts, main: Main, (patterns, exclude): (&[String], &[String])) -> Self {
        let classes = program.classes().filter(|(_, declared)| !declared.is_library).count();
        let mut subjects = main.subjects(program, facts);
        subjects.retain(|subject| {
            let name = program.class_name(subject.class);
            (patterns.is_empty() || any_matches(patterns, &name)) && !any_matches(exclude, &name)
        });
        let mut selection = Self { subjects, classes, ..Self::default() };
        let with_state: BTreeSet<ClassId> = selection.subjects.iter().map(|subject| subject.class).collect();
        for (class, declared) in program.classes() {
            if !declared.is_library && !with_state.contains(&class) {
                let name = program.class_name(class);
                let is_named = patterns.is_empty() || any_matches(patterns, &name);
                selection.skip(match is_named {
                    _ if any_matches(exclude, &name) => EXCLUDED,
                    true => "no state",
                    false => "not named",
                });
            }
        }
        selection
    }

    fn of_classes(
        program: &Program,
        facts: &Facts,
        (patterns, exclude): (&[String], &[String]),
    ) -> Result<Self, Error> {
        let mut selection = Self::default();
        let mut is_any_excluded = false;
        for (class, declared) in program.classes().filter(|(_, declared)| declared.role != Role::Library) {
            selection.classes += 1;
            let name = program.class_name(class);
            let is_named = any_matches(patterns, &name);
            if any_matches(exclude, &name) {
                is_any_excluded |= is_named;
                selection.skip(EXCLUDED);
                continue;
            }
            if declared.role == Role::Bundled && !is_named {
                selection.skip("bundled");
                continue;
            }
            let is_asked = patterns.is_empty() || is_named;
            let statics = is_asked.then(|| Subject::of_shared_statics(program, facts, class, is_named)).flatten();
            let has_statics = statics.is_some();
            selection.subjects.extend(statics);
            if is_named {
                selection.asked.insert(class);
            }
            if patterns.is_empty() {
                selection.add_claiming(program, facts, class, has_statics);
            } else if is_named && !declared.flags.is_interface() {
                let claims = Subject::or_reason(program, facts, class);
                selection.subjects.push(claims.unwrap_or(Subject { class, claim: Claim::Named }));
            } else if !has_statics {
                selection.skip(if is_named { NoSubject::NoObjects.name() } else { "not named" });
            }
        }
        if !patterns.is_empty() && selection.asked.is_empty() && !is_any_excluded {
            return Err(Error::NoClass(patterns.to_vec()));
        }
        selection.asked.extend(selection.subjects.iter().map(|subject| subject.class));
        Ok(selection)
    }

    /// Adds the subjects that the analysis of the program shows to belong to the classes that are asked about: the
    /// subclasses whose objects clients get as objects of such a class, and the static state that the units reach. The
    /// subjects stay in the order of promises.
    pub fn add_reached(&mut self, analysis: Analysis<'_>) {
        let has_object: BTreeSet<ClassId> = self.object_classes();
        let has_statics: BTreeSet<ClassId> = self.of_kind(|claim| claim == Claim::Statics);
        let pairs = |class: &ClassId| {
            let class = *class;
            subclasses_of_factories(analysis, class).into_iter().map(move |subclass| (class, subclass))
        };
        self.factories = self.asked.iter().flat_map(pairs).collect();
        let subclasses: BTreeSet<ClassId> = self.factories.iter().map(|(_, subclass)| *subclass).collect();
        let added = subclasses.iter().filter(|class| !has_object.contains(class));
        self.subjects.extend(added.map(|class| Subject { class: *class, claim: Claim::Inherited }));
        let units = self.asked.union(&subclasses).filter(|class| !has_statics.contains(class));
        let reaching = units.filter(|class| reaches_static_state(analysis, **class));
        self.subjects.extend(reaching.map(|class| Subject { class: *class, claim: Claim::Statics }));
        self.subjects.sort_by_cached_key(|subject| promise(analysis.program, subject));
    }

    /// The classes whose objects are subjects.
    pub fn object_classes(&self) -> BTreeSet<ClassId> {
        self.of_kind(|claim| claim != Claim::Statics)
    }

    fn of_kind(&self, is_kind: impl Fn(Claim) -> bool) -> BTreeSet<ClassId> {
        self.subjects.iter().filter(|subject| is_kind(subject.claim)).map(|subject| subject.class).collect()
    }

    /// Adds a class as a subject if it claims to be thread-safe; notes the reason if it is no subject at all.
    fn add_claiming(&mut self, program: &Program, facts: &Facts, class: ClassId, has_statics: bool) {
        match Subject::or_reason(program, facts, class) {
            Ok(subject) => self.subjects.push(subject),
            Err(_) if has_statics => {}
            Err(why) => {
                self.skip(why.name());
                if why == NoSubject::NoClaim {
                    self.unclaimed.push(printable(&program.class_name(class)).into_owned());
                }
            }
        }
    }

    fn skip(&mut self, reason: &'static str) {
        *self.skipped.entry(reason.into()).or_default() += 1;
    }

    /// The classes, in ascending order, that clients can use whether or not the language lets them name these: the
    /// selected ones, and those that claim to be thread-safe.
    pub fn offered(&self, program: &Program, facts: &Facts) -> Vec<ClassId> {
        let selected = self.subjects.iter().map(|subject| subject.class);
        let mut offered: Vec<ClassId> = Subject::claiming(program, facts).into_iter().chain(selected).collect();
        offered.sort_unstable();
        offered.dedup();
        offered
    }
}

/// The place of a subject in the order of promises: first public classes of packages whose names do not say that they
/// are internal, then the others, each by name, the objects of a class before its static fields.
fn promise(program: &Program, subject: &Subject) -> (bool, String, bool) {
    let name = program.class_name(subject.class);
    let is_offered = is_exported(&name) && program.class(subject.class).flags.is_public();
    (!is_offered, name, subject.claim == Claim::Statics)
}

/// The name of a subject's class, as reports print it.
pub fn class_name(program: &Program, subject: &Subject) -> String {
    printable(&program.class_name(subject.class)).into_owned()
}
