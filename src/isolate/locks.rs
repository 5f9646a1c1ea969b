//! Locks that are opened in one method and closed in another: `fullyLock()`, `fullyUnlock()`.
//!
//! A *way* out of a clone is what it has done to the locks of `java.util.concurrent` when control leaves it: which locks of its callers
//! it has closed, in their order, and which of its own it leaves open. The *plain* way is that it has done nothing, which is the only one of
//! most clones; these are functions of the model, and their locks nest in them.
//!
//! A clone with another way is copied into its callers, once for each way, and control goes on behind the copy's nodes for that way only.
//! (What leaves in other ways ends there; the copies for these ways have it.) Copying a call changes no execution. So locks nest in
//! the caller if they nest in what the caller and the callee do together, which is what the caller's states keep: they know the locks that
//! are open behind the call. What still does not nest, clones that call themselves, and more ways or locks than the bounds below make a
//! subject that is not decided.
//!
//! What threads and clients call is not copied anywhere. There, locks that are still open at the end are closed at the end, and
//! the closing of a lock that is not open does nothing: in a program that runs on, the lock is held for longer, and before. So
//! interleavings are added only. But a lock that is unlocked by a name under which it is not known is not held to the end: where there is such a name,
//! a class whose methods leave locks open is not decided.
//!
//! Monitors are closed where they are opened, as the Java language wants it. Monitors of objects that are not followed are no locks of the
//! model; so it does not matter in which order they are closed.

use super::exits::Exit;
use super::flow::{CloneId, Step, Through, WayId};
use super::follow::{Body, Follower, MethodClone, Next, Outcome, Piece, Stuck};
use super::frame::{Frame, Open};
use super::value::Value;
use crate::model::Mode;
use java::{Action, Member, Type};

/// So many ways out of a clone are told apart.
const MOST_WAYS: usize = 16;

/// So many locks are open at the same time in a method, or closed for its callers.
const MOST_OPEN: usize = 32;

/// What a clone has done to locks when control leaves it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Way {
    /// Locks of callers that it has closed, in this order.
    pub(super) closed: Vec<Open>,
    /// Its own locks that it leaves open, the innermost last.
    pub(super) open: Vec<Open>,
}

impl Way {
    /// The way by which control leaves in a state; what throws closes everything. None if what is left open does not nest.
    pub(super) fn of(frame: &Frame, throws: bool) -> Option<Self> {
        let is_explicit = |open: &Open| matches!(open, Open::Explicit(..));
        let mut open: Vec<Open> = frame.open.iter().filter(|open| **open != Open::Silent).copied().collect();
        if throws || !open.iter().any(is_explicit) {
            open.clear();
        }
        open.iter().all(is_explicit).then(|| Self { closed: frame.closed.clone(), open })
    }

    fn is_plain(&self) -> bool {
        self.closed.is_empty() && self.open.is_empty()
    }
}

impl MethodClone {
    /// The locks that a way out leaves open.
    pub(super) fn left_open(&self, way: WayId) -> &[Open] {
        way.0.checked_sub(1).map_or(&[], |index| &self.ways[usize::from(index)].open)
    }
}

/// Whose lock is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closed {
    /// One that was opened in the method.
    Own,
    /// One of a caller, and how many of them were closed before.
    OfCaller(u8),
}

impl Frame {
    /// Opens something; false if too much is open.
    pub(super) fn opens(&mut self, what: Open) -> bool {
        self.open.push(what);
        self.open.len() <= MOST_OPEN
    }

    /// Closes something that is the innermost of what the model knows. None if it is not, so that locks do not nest.
    pub(super) fn closes(&mut self, what: Open) -> Option<Closed> {
        let is_it = |open: &Open| if what == Open::Silent { *open == what } else { *open != Open::Silent };
        match self.open.iter().rposition(is_it) {
            Some(place) => (self.open.remove(place) == what).then_some(Closed::Own),
            None if matches!(what, Open::Explicit(..)) && self.closed.len() < MOST_OPEN => {
                let before = u8::try_from(self.closed.len()).expect("there are few");
                self.closed.push(what);
                Some(Closed::OfCaller(before))
            }
            None => None,
        }
    }

    /// How many locks a callee could close.
    fn closable(&self) -> u8 {
        let known = self.open.iter().rev().filter(|open| **open != Open::Silent);
        let count = known.take_while(|open| matches!(open, Open::Explicit(..))).count();
        u8::try_from(count).expect("there are few")
    }
}

impl Follower<'_> {
    /// The number of a way out of a clone; none if there are too many.
    pub(super) fn way(&mut self, id: CloneId, way: Way) -> Option<WayId> {
        let clone = &mut self.clones[id.index()];
        if way.is_plain() {
            return Some(WayId::PLAIN);
        }
        let has_own = clone.own_lock.is_some();
        let known = clone.ways.iter().position(|known| *known == way);
        let number = known.unwrap_or_else(|| {
            clone.ways.push(way);
            clone.ways.len() - 1
        });
        // What is locked by a synchronized method is outside of all that it opens.
        let is_told = number < MOST_WAYS && !has_own;
        is_told.then(|| WayId(u8::try_from(number + 1).expect("there are few")))
    }

    /// Whether a call unlocks a lock of `java.util.concurrent`.
    pub(super) fn is_unlock(&self, member: Member) -> bool {
        let is_called_so = self.context.program.text(member.name) == "unlock";
        is_called_so && self.summary(member, None).is_some_and(|(actions, _)| actions.contains(&Action::Releases))
    }

    /// Nothing, unless one of these, which clients call or which are threads, leaves a lock open that perhaps is unlocked in it, by a name under which it is not known.
    ///
    /// A lock that is left open counts as held to the end of the unit or thread, which is right only if nobody unlocks it. If no unlock is unknown, all are
    /// followed; and if nothing is left open, all that was locked is unlocked by the name under which it was.
    ///
    /// # Errors
    /// With the method that does.
    pub(super) fn leaves_nothing_open(&self, mut outermost: impl Iterator<Item = CloneId>) -> Result<(), Stuck> {
        let leaves_open = |id: &CloneId| self.clones[id.index()].ways.iter().any(|way| !way.open.is_empty());
        match outermost.find(leaves_open).filter(|_| self.unlocks_unknown) {
            Some(id) => {
                let method = self.context.program.method_name(self.clones[id.index()].method);
                Err(Stuck::NotNested { method, line: 0 })
            }
            None => Ok(()),
        }
    }

    /// Whether a call asks for a lock whether its thread holds it, and it was opened in this method. If it was not, a caller may hold it.
    pub(super) fn is_held(&self, frame: &Frame, member: Member, lock: Value) -> bool {
        const ASKING: [&str; 2] = ["isHeldByCurrentThread", "isWriteLockedByCurrentThread"];
        let is_asked = ASKING.contains(&self.context.program.text(member.name));
        let is_open = |(lock, _)| frame.open.contains(&Open::Explicit(lock, Mode::Write));
        is_asked && self.explicit(lock).is_some_and(is_open)
    }

    /// A call of a clone: what it gives, that it throws, or that it does not come back.
    pub(super) fn runs(
        &mut self,
        body: &Body,
        frame: &Frame,
        callee: CloneId,
        result: Option<Type>,
        caller: (CloneId, usize),
    ) -> Result<Vec<Outcome>, Stuck> {
        let clone = &mut self.clones[callee.index()];
        clone.callers.insert(caller);
        let (leaves, ways) = (clone.leaves.clone(), clone.ways.clone());
        let mut outcomes = Vec::new();
        if ways.is_empty() {
            outcomes.push(Outcome { pieces: vec![Piece::One(Step::Call(callee, Exit::Never))], next: Vec::new() });
        }
        for (way, value) in leaves {
            let exit = Exit::of(value);
            let through = Through {
                callee,
                way,
                exit,
                open: frame.closable(),
                closed: u8::try_from(frame.closed.len()).expect("there are few"),
            };
            let mut after = frame.clone();
            if let Some(index) = way.0.checked_sub(1) {
                let Way { closed, open } = &ways[usize::from(index)];
                let nests = closed.iter().all(|lock| after.closes(*lock).is_some())
                    && open.iter().all(|lock| after.opens(*lock));
                if !nests || (!after.closed.is_empty() && self.clones[caller.0.index()].own_lock.is_some()) {
                    return Err(self.not_nested(caller.0, frame.at, body));
                }
            }
            let next = match value {
                Some(value) => {
                    after.stack.extend(result.map(|_| value));
                    Next::To(Frame { at: body.code.next(frame.at), ..after })
                }
                None => Next::Throw(after),
            };
            let step = if ways.is_empty() { Step::Call(callee, exit) } else { Step::Through(through) };
            outcomes.push(Outcome { pieces: vec![Piece::One(step)], next: vec![next] });
        }
        Ok(outcomes)
    }
}

#[cfg(test)]
mod tests {
    use super::{Closed, Way};
    use crate::isolate::frame::{Frame, Open};
    use crate::isolate::value::{Lock, PlaceId};
    use crate::model::Mode;

    fn frame() -> Frame {
        Frame::at(java::InstructionIndex::default(), Vec::new())
    }

    #[test]
    fn what_is_closed_is_the_innermost() {
        let explicit = Open::Explicit(Lock::Explicit(PlaceId::OBJECT), Mode::Write);
        let monitor = Open::Monitor(Lock::Monitor(PlaceId::OBJECT));
        let mut one = frame();
        one.open = vec![explicit, Open::Silent];
        // Monitors of other objects do not matter.
        assert_eq!(one.closes(explicit), Some(Closed::Own));
        assert_eq!(one.closes(explicit), Some(Closed::OfCaller(0)));
        assert_eq!(one.closes(explicit), Some(Closed::OfCaller(1)));
        assert_eq!(one.closes(Open::Silent), Some(Closed::Own));
        assert_eq!(one.closes(Open::Silent), None);
        assert_eq!(Way::of(&one, false), Some(Way { closed: vec![explicit; 2], open: Vec::new() }));
        let mut two = frame();
        two.open = vec![explicit, monitor];
        assert_eq!(two.closes(explicit), None);
        two.open = vec![monitor, explicit];
        assert_eq!(Way::of(&two, false), None);
        assert_eq!(Way::of(&two, true), Some(Way::default()));
        two.open = vec![explicit, Open::Silent];
        assert_eq!(Way::of(&two, false), Some(Way { closed: Vec::new(), open: vec![explicit] }));
    }
}
