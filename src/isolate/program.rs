//! The models of a program with its own threads: program mode.

use super::clone_graph::starts;
use super::emit::{Emitter, Units};
use super::facts::Facts;
use super::flow::CloneId;
use super::follow::{Context, Follower, Stuck};
use super::join;
use super::model::{Isolated, NotIsolated};
use super::quotient;
use super::refine::{Precision, refined};
use super::subject::{Claim, Subject};
use super::threads::ProgramMode;
use super::value::Value;
use java::{ClassId, FieldId, MethodId, Program, Type};

/// The method at which a program begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Main(MethodId);

impl Main {
    /// The method.
    pub fn method(self) -> MethodId {
        self.0
    }

    /// `public static void main(String[])` of a class, or one without parameters.
    pub fn of(program: &Program, class: ClassId) -> Option<Self> {
        let is_main = |method: &MethodId| {
            let declared = program.method(*method);
            let [name, descriptor] = [declared.name, declared.descriptor].map(|name| program.text(name));
            name == "main" && ["([Ljava/lang/String;)V", "()V"].contains(&descriptor) && declared.flags.is_static()
        };
        program.class(class).methods().filter(is_main).find(|method| program.method(*method).has_code()).map(Self)
    }

    /// The classes of which an object is followed: those that are not of libraries and have something that changes.
    pub fn subjects(self, program: &Program, facts: &Facts) -> Vec<Subject> {
        let objects = program.classes().filter_map(|(class, _)| Subject::of_program(program, facts, class));
        let own = program.classes().filter(|(_, declared)| !declared.is_library);
        let statics = own.filter_map(|(class, _)| Subject::of_statics(program, facts, class));
        objects.chain(statics).collect()
    }
}

/// Follows one object of a class through the program.
pub(super) fn isolate(
    context: Context<'_>,
    subject: &Subject,
    main: Main,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Vec<Isolated>, NotIsolated> {
    let mut models = Vec::new();
    let is_static = subject.claim == Claim::Statics;
    let holders = if is_static { Vec::new() } else { holders(context, subject.class) };
    for holder in holders.into_iter().map(Some).chain([None]) {
        let follow = |precision: &Precision| follow(context, subject, (main, holder), precision, is_cancelled);
        let refined = refined(follow, |followed| &followed.0.uses, false).map_err(NotIsolated::Stuck)?;
        let (follower, clone) = refined.found;
        let has_bodies = follower.clones.iter().any(|clone| clone.is_dependent);
        for units in [Units::Calls, Units::Bodies] {
            if units == Units::Bodies && !has_bodies {
                continue;
            }
            match Emitter::new(&follower, subject.class, units).emit_program(clone) {
                Ok(model) => models.push(model),
                Err(NotIsolated::NothingToBreak) => {}
                Err(other) => return Err(other),
            }
        }
    }
    if models.is_empty() { Err(NotIsolated::NothingToBreak) } else { Ok(models) }
}

fn follow<'p>(
    context: Context<'p>,
    subject: &Subject,
    (main, holder): (Main, Option<FieldId>),
    precision: &Precision,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<(Follower<'p>, CloneId), Stuck> {
    let is_static = subject.claim == Claim::Statics;
    let mut follower = Follower::new(context, subject.class);
    follower.refine(precision);
    if is_static {
        follower.follow_statics();
    }
    let object = context.program.name("java/lang/Object");
    let types = follower.types.iter().copied().filter(|name| Some(*name) != object).collect();
    let Context { program, facts, summaries, .. } = context;
    let classes = follower.classes.iter().copied().chain(follower.statics);
    let own = classes.flat_map(|class| program.class(class).methods());
    let static_users = follower.statics.into_iter().flat_map(|class| facts.static_users(program, class));
    let static_users = static_users.filter(|user| !program.class(program.method(*user).class).is_library);
    let reaching = facts.reach(program, summaries).reaching(program, &types, own.chain(static_users));
    follower.threads_of = Some(ProgramMode { holder, reaching, ..ProgramMode::default() });
    follower.assume(join::ASSUMPTION);
    if holder.is_some() {
        follower.assume("static fields that never change, or that main assigns once, hold different objects");
    }
    let arguments = follower.with_others(main.0, Vec::<Value>::new());
    let clone = follower.clone_of(main.0, arguments)?;
    follower.run(is_cancelled)?;
    let threads: Vec<CloneId> = follower.clones.iter().flat_map(starts).chain([clone]).collect();
    follower.leaves_nothing_open(threads.into_iter())?;
    follower.mark_dependent();
    quotient::reduce(&mut follower.clones, is_cancelled)?;
    Ok((follower, clone))
}

/// The static fields that never change and may hold the object.
fn holders(context: Context<'_>, class: ClassId) -> Vec<FieldId> {
    let Context { program, facts, .. } = context;
    let root = program.name("java/lang/Object");
    let fits = |of: Type| matches!(of, Type::Class(name) if Some(name) != root && program.extends(class, name));
    let fields = program.classes().filter(|(_, class)| !class.is_library).flat_map(|(_, class)| class.fields());
    let is_holder = |field: &FieldId| {
        let declared = program.field(*field);
        let of = program.field_type(declared.descriptor);
        let is_same = !facts.changes(*field, program) || facts.is_assigned_once(*field);
        declared.flags.is_static() && is_same && of.is_some_and(fits)
    };
    fields.filter(is_holder).collect()
}
