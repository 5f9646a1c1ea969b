//! Who takes part in a query: the processes bound to its threads, and those that are needed to start them.
//!
//! Take an interleaving that violates the query. Of the instances that are bound to no thread only those matter that
//! start, directly or not, one that is; all others only restrict and are left out. What is left is a forest: each
//! instance is below its *creator*, the leaves are threads, and the roots run from the start. Which instances the
//! creators are is not determined by the query, and there can be very many forests. Four arguments make them few. All
//! of them take steps of instances out of an interleaving or put them where nobody holds a lock that they need. That
//! leaves an interleaving also where there are read-write locks, waiting and phases that forbid all steps: whoever
//! holds less, in whichever mode, keeps nobody from anything, nobody needs another one to go on after it has waited,
//! and a phase forbids steps but asks for none.
//!
//! *Early creators.* Let `c` be bound to no thread and let all above it be early, too. It is early if its process,
//! alone, surely has a run that makes the starts of all its children, comes to a point where it holds no lock, and does
//! nothing that the first state of the automaton forbids to everybody. Take all steps of all early creators out of the
//! interleaving, and let them instead run before everything else, one after the other in the order of creation, each
//! alone to its point without locks. Nobody holds a lock meanwhile, so none waits; nothing is held afterwards, so the
//! rest has only fewer locks in its way; and every child exists earlier than before and waits. So early creators are no
//! participants. All that is left of them is that what they start is *available*: the roots of the rest are initial
//! instances or delivered by some (see `delivery`), within the numbers of initial instances.
//!
//! *Quick creators.* Let `c` not be early, let it be bound to no thread, and let its process, alone, have a run that
//! makes the starts of all its children, ends without locks, does nothing that any state of the automaton forbids to
//! everybody, and acquires no *shared* lock. Then it can make this run at once right after it is started, whatever the
//! others hold: no participant acquires other locks, and no quick creator keeps one. It is no participant, either: who
//! starts it starts its children. So a participant makes *starts*, each of which delivers a set of others. Shared are
//! the locks that the threads of the query can acquire; a creator that takes part and can acquire more makes those
//! shared as well, and everything begins anew.
//!
//! *Repetition.* Let `c` be bound to no thread and start only one participant, directly or by quick creators, which may
//! itself be such a creator, and so on, down to an instance `d` of the same process as `c`. Then whoever starts `c` can
//! start `d` instead, which waits until it is needed, and all from `c` to `d` are left out. This holds also if `d` is
//! the quick creator that `c` starts itself. (`c` is started by somebody, since `d` is.)
//!
//! *Nothing but threads.* If all threads are available at once, then nothing else needs to be asked: from any violating
//! interleaving the steps of all but the threads can be left out.
//!
//! So every violating interleaving can be changed into one whose forest has no early and no quick creators and no
//! repetition: each change leaves out participants. These forests are listed, those with fewer creators first. They are
//! finitely many, since the creators with one start for one participant lie in chains without repetition, and all
//! others have two participants below them that nothing else joins, so there are fewer of them than threads. Conversely
//! each forest that is listed stands for interleavings: the witness puts the early creators in front and each quick
//! creator after its start.

mod forest;
mod forest_cache;
mod forests;
mod partitions;
mod solo;
mod spawners;
mod start_graph;
mod unaided_starts;

pub(crate) use forest::{Forest, Participant};
pub(crate) use forest_cache::{ForestCache, ForestKey, ForestList};
pub(crate) use solo::Restraint;
pub(crate) use spawners::with_spawners;
pub(crate) use unaided_starts::UnaidedStarts;
