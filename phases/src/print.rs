//! The text form of an automaton, which [`parse`](crate::parse) reads back.

use crate::automaton::{Access, Action, ActionKind, Automaton, Event, Forbidden, ForbiddenAction, LockUse};
use std::fmt;

impl Automaton {
    /// Returns an event in the text form, for example `T1 atomic read a`.
    pub fn describe_event(&self, event: &Event) -> String {
        format!("{} {}", self.threads[event.thread.index()], self.describe(&event.action))
    }

    fn describe(&self, action: &Action) -> String {
        match action {
            ActionKind::Access { access, location, in_unit } => {
                let unit = if *in_unit { "atomic " } else { "" };
                let verb = match access {
                    Access::Read => "read",
                    Access::Write => "write",
                };
                format!("{unit}{verb} {}", self.locations[location.index()])
            }
            ActionKind::Begin => "begin".into(),
            ActionKind::End => "end".into(),
            ActionKind::Wants { wanted, holding } => {
                let holding = holding.map_or_else(String::new, |held| format!(" holding {}", self.describe_lock(held)));
                format!("wants {}{holding}", self.describe_lock(*wanted))
            }
        }
    }

    /// The parameters between the parentheses.
    fn parameters(&self) -> String {
        let mut kinds = vec![self.threads.join(", "), self.locations.join(", "), self.locks.join(", ")];
        while kinds.last().is_some_and(String::is_empty) {
            kinds.pop();
        }
        kinds.join("; ").replace("; ;", ";;")
    }

    fn describe_lock(&self, LockUse { lock, mode }: LockUse) -> String {
        let mode = mode.map_or_else(String::new, |mode| format!("{} ", mode.name()));
        format!("{mode}{}", self.locks[lock.index()])
    }

    fn describe_forbidden(&self, forbidden: &Forbidden) -> String {
        let thread = forbidden.thread.map_or("*", |thread| &self.threads[thread.index()]);
        let action = match &forbidden.action {
            ForbiddenAction::One(action) => self.describe(action),
            ForbiddenAction::Every => "*".into(),
            ForbiddenAction::Step => "step".into(),
        };
        format!("{thread} {action}")
    }
}

impl fmt::Display for Automaton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "automaton {}({}) {{", self.name, self.parameters())?;
        for (place, phase) in self.phases.iter().enumerate() {
            let next = self.phases.get(place + 1).map_or(&self.accepting, |next| &next.name);
            write!(f, "    {}: ", phase.name)?;
            if !phase.forbidden.is_empty() {
                let forbidden: Vec<_> = phase.forbidden.iter().map(|one| self.describe_forbidden(one)).collect();
                write!(f, "forbid {}; ", forbidden.join(", "))?;
            }
            writeln!(f, "on {} -> {next};", self.describe_event(&phase.event))?;
        }
        f.write_str("}\n")
    }
}
