//! The classes that are looked at.

use super::matches::any_matches;
use crate::cli::arguments::JavaArguments;
use crate::cli::{Failure, meant};
use anyhow::anyhow;
use asercheck::isolate::{Claim, Facts, Main, NoSubject, Subject, printable};
use asercheck::java::{ClassId, Program, Role};
use asercheck::records::Shard;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Which classes are looked at, and why the others are not.
pub(super) struct Chosen {
    pub(super) subjects: Vec<Subject>,
    /// How many classes there are, without those of libraries.
    pub(super) classes: usize,
    pub(super) skipped: BTreeMap<Cow<'static, str>, usize>,
    pub(super) unclaimed: Vec<String>,
}

impl Chosen {
    /// The classes of a program of which objects or static fields change.
    fn of_program(program: &Program, facts: &Facts, main: Main, arguments: &JavaArguments) -> Self {
        let globs = &arguments.class;
        let classes = program.classes().filter(|(_, declared)| !declared.is_library).count();
        let mut subjects = main.subjects(program, facts);
        subjects.retain(|subject| globs.is_empty() || any_matches(globs, &program.class_name(subject.class)));
        Self { subjects, classes, skipped: BTreeMap::new(), unclaimed: Vec::new() }
    }

    /// The classes that are named, or those that claim to be safe for threads.
    fn of(program: &Program, facts: &Facts, arguments: &JavaArguments) -> Result<Self, Failure> {
        let mut chosen = Self { subjects: Vec::new(), classes: 0, skipped: BTreeMap::new(), unclaimed: Vec::new() };
        let globs = &arguments.class;
        for (class, declared) in program.classes().filter(|(_, declared)| declared.role != Role::Library) {
            chosen.classes += 1;
            let name = program.class_name(class);
            let is_named = any_matches(globs, &name);
            if declared.role == Role::Bundled && !is_named {
                *chosen.skipped.entry("bundled".into()).or_default() += 1;
                continue;
            }
            let is_asked = globs.is_empty() || is_named;
            let statics = is_asked.then(|| Subject::of_shared_statics(program, facts, class, is_named)).flatten();
            let has_statics = statics.is_some();
            chosen.subjects.extend(statics);
            if !globs.is_empty() {
                if is_named && !declared.flags.is_interface() {
                    let claims = Subject::or_reason(program, facts, class);
                    chosen.subjects.push(claims.unwrap_or(Subject { class, claim: Claim::Named }));
                } else {
                    *chosen.skipped.entry("not named".into()).or_default() += 1;
                }
                continue;
            }
            match Subject::or_reason(program, facts, class) {
                Ok(subject) => chosen.subjects.push(subject),
                Err(_) if has_statics => {}
                Err(why) => {
                    *chosen.skipped.entry(why.name().into()).or_default() += 1;
                    if why == NoSubject::NoClaim {
                        chosen.unclaimed.push(printable(&name).into_owned());
                    }
                }
            }
        }
        if !globs.is_empty() && chosen.subjects.is_empty() {
            return Err(Failure::input(anyhow!("there is no class `{}`{}", globs.join("`, `"), meant(program, globs))));
        }
        Ok(chosen)
    }

    /// The classes that are looked at, of a whole program or each for itself.
    pub(super) fn among(
        program: &Program,
        facts: &Facts,
        main: Option<Main>,
        arguments: &JavaArguments,
    ) -> Result<Self, Failure> {
        match main {
            Some(main) => Ok(Self::of_program(program, facts, main, arguments)),
            None => Self::of(program, facts, arguments),
        }
    }

    /// What is claimed or chosen can be used by code that is not given.
    pub(super) fn offer(&self, program: &mut Program, facts: &Facts) {
        let named = self.subjects.iter().map(|subject| subject.class);
        let offered: Vec<ClassId> = Subject::claiming(program, facts).into_iter().chain(named).collect();
        offered.into_iter().for_each(|class| program.offer(class));
    }

    /// The subjects of a shard, each with its place among all.
    pub(super) fn part(&self, program: &Program, shard: Option<Shard>) -> Vec<(usize, Subject)> {
        let is_own =
            |subject: &Subject| shard.is_none_or(|shard| crate::batch::has_class(shard, &name_of(program, subject)));
        self.subjects.iter().cloned().enumerate().filter(|(_, subject)| is_own(subject)).collect()
    }
}

/// The name of a subject's class, as reports say it.
pub(super) fn name_of(program: &Program, subject: &Subject) -> String {
    printable(&program.class_name(subject.class)).into_owned()
}

/// What a name that no class has could have meant: a class of the same simple name, or a similar one.
fn meant(program: &Program, globs: &[String]) -> String {
    let Some(glob) = globs.iter().find(|glob| !glob.contains('*')) else { return String::new() };
    let names: Vec<String> = program.classes().map(|(id, _)| program.class_name(id)).collect();
    meant::class(glob, &names).map_or_else(String::new, |name| format!("; did you mean `{}`?", printable(&name)))
}
