//! *Trace inclusion*: what the real machine does must be possible in the model that `asercheck::isolate` makes.
//!
//! Java sources in `bench/java/recorder` are an agent that records what the classes of a folder do, with the identity
//! of every object, and a driver that calls the public methods of a class at random, one call after the other. What one
//! call does is a *trace* of a unit ([`trace`]). An acceptor ([`acceptor`]) asks of each trace whether it is included
//! in the model.
//!
//! # Definition
//!
//! Let `o` be an object of the subject's class (for static fields, none), and K another object (for an array told apart
//! by indices: one element of it), each in turn. Let `alias` be one of the alias classes that the model's locations are
//! of. The *projection* ([`projection`]) of a trace keeps:
//!
//! - accesses to fields and contents of `o`, which are those of the locations of `this`, and of K, which are those of
//!   the locations of `alias`;
//! - when the thread takes and gives monitors and locks of `java.util.concurrent`.
//!
//! A projection is *included* if there is a path of the model from the beginning of a process that runs the unit's
//! method such that
//!
//! 1. the accesses of the projection are, in their order, among the accesses of the path; an access by a library method
//!    is somewhere between the call's begin and its end;
//! 2. all these accesses are in one unit of work of the path;
//! 3. at any time, the thread really holds every lock that the path holds, at least in the same mode. A name of a lock
//!    in the model is the object to which the path of fields leads in the real heap when the unit begins.
//!
//! K is included if there is one `alias` with which the projections of all units of the run are.
//!
//! *Why it is right.* Take any interleaving of real units, and for each unit the path that includes it. Let the path do
//! its next access when the unit does it. The locks that paths hold are held by the units, so no path waits for another
//! one: the model has an interleaving with these accesses in this order, and perhaps with more of them. The problematic
//! patterns are sequences of accesses among others, so one that really happens to `o` and K is in the model. More
//! accesses and less locks in the model never make it wrong; a missing access or a lock that is not held does, and is
//! what inclusion forbids.
//!
//! # What must be in the model
//!
//! A model leaves out locations in which nothing can go wrong. Whether it may is not believed but derived from the run,
//! and conservatively: an access is in the projection only if
//!
//! - the object could be reached from `o` (or from the static fields) when the unit began, or was stored since then
//!   where it can be;
//! - a location of that name is written in the model, not only by constructors, is no final field, and the access is
//!   one to `o`; or two units of the run access the field of this object, one of them writes it, and none of the two is
//!   its constructor. What other threads than the caller's do is a unit of its own, and what they alone can reach is
//!   not reachable from `o`.
//!
//! K is none of the other objects of the subject's class, and nothing that all paths reach through one of these: their
//! parts are looked at when they are `o`.
//!
//! Reads of what the same unit sets later by a successful compare-and-set are left out: the design takes them for a
//! part of that step. A library method *writes* a container if its internal state is different after the call (but for
//! caches), and reads it otherwise; no table of methods is asked, but for those that only give a view or an iterator.
//! What is in an atomic that the model has as a lock is left out, too, if the run uses it as one ([`flags`]).
//! Calls that run in one step (locks named `operations of`) may hold that lock in the model during one access or one
//! library call only.

pub mod acceptor;
pub mod flags;
pub mod frames;
pub mod graph;
pub mod judge;
pub mod machine;
pub mod names;
pub mod projection;
pub mod reader;
pub mod sharing;
pub mod subjects;
pub mod trace;
