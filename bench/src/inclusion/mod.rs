//! *Trace inclusion*: every execution on a Java virtual machine must be possible in the model that `asercheck::isolate`
//! makes.
//!
//! The Java sources in `bench/java/recorder` are an agent, which records the events of the classes of a folder with the
//! identity of every object, and a driver, which calls the public methods of a class at random, one after the other.
//! The events of one call are a *trace* of a unit ([`trace`]). An acceptor ([`acceptor`]) decides whether the model
//! includes a trace.
//!
//! # Definition
//!
//! Let `o` be an object of the subject's class (for static fields, none), and K another object (for an array with
//! distinguished elements: one of them), each in turn. Let `alias` be an alias class of the model's locations. The
//! *projection* ([`projection`]) of a trace keeps:
//!
//! - accesses to fields and contents of `o`, as accesses to locations of `this`, and of K, as accesses to locations of
//!   `alias`;
//! - acquisitions and releases of monitors and locks of `java.util.concurrent`.
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
//! K is included if there is one `alias` for which the projections of all units of the run are.
//!
//! *Soundness.* Take any interleaving of real units, and for each unit the path that includes it. Let the path do its
//! next access when the unit does it. The units hold all locks that their paths hold, so no path waits for another one:
//! the model has an interleaving with these accesses in this order, and perhaps more accesses. The problematic patterns
//! are sequences of accesses among others, so a pattern that really happens to `o` and K is in the model. More accesses
//! and fewer locks in the model do not make it unsound. A missing access, or a lock that the thread does not hold, may,
//! and inclusion forbids both.
//!
//! # Accesses that the model must have
//!
//! A model omits locations without possible violations. Whether it may do so is derived from the run, conservatively:
//! an access is in the projection only if
//!
//! - the object was reachable from `o` (or from the static fields) when the unit began, or has become so by a store
//!   since then;
//! - a location of that name is written in the model, not only by constructors, is no final field, and the access is
//!   one to `o`; or two units of the run access the field of this object, one of them writes it, and none of the two is
//!   its constructor. The events of other threads than the caller's are units of their own; objects that only they can
//!   reach are not reachable from `o`.
//!
//! K is no other object of the subject's class, and not reachable through such an object only: their parts are checked
//! when they are `o`.
//!
//! Reads of a variable that the same unit later changes by a successful compare-and-set are omitted: models make them a
//! part of that step. A library method *writes* a container if its internal state differs after the call (except for
//! caches), and reads it otherwise; there is no table of methods, except for those that only return a view or an
//! iterator. The value of an atomic that is a lock in the model is omitted if the run uses it as one ([`flags`]).
//! Atomic calls (locks named `operations of`) may hold that lock in the model during one access or one library call
//! only.

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
