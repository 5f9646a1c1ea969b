//! The participants of a query: the processes bound to its threads, and those that are needed to start them.
//!
//! Take an interleaving that violates the query. Among the instances bound to no thread, only those matter that start a
//! bound one, directly or indirectly. All others only restrict and are left out. The rest is a forest: each instance is
//! below its *spawner*, the leaves are threads, and the roots run from the start. The query does not determine the
//! spawners, and there can be very many forests. Four arguments leave few. All of them remove steps of instances from
//! an interleaving, or move them to a point where nobody holds a lock that they need. The result is an interleaving,
//! also with read-write locks, waiting, and phases that forbid all steps: an instance that holds fewer locks, in
//! whichever modes, blocks nobody; no instance needs another one to continue after a wait; and a phase forbids steps
//! but requires none.
//!
//! *Early spawners.* Let `c` be bound to no thread, and let all instances above it be early. It is early if its
//! process, alone, surely has a run that makes the starts of all its children, comes to a point where it holds no lock,
//! and does nothing that the first state of the automaton forbids to everybody. Remove all steps of all early spawners
//! from the interleaving. Let the early spawners run before everything else instead, one after the other in the order
//! of creation, each alone up to its point without locks. Nobody holds a lock meanwhile, so none of them waits. Nothing
//! is held afterwards, so the rest has fewer locks in its way. Every child exists earlier than before, and waits. So
//! early spawners are not participants. Their children are *available*: the roots of the rest are initial instances, or
//! early spawners among the initial instances spawn them (see `unaided_starts`), within the numbers of initial
//! instances.
//!
//! *Quick spawners.* Let `c` be bound to no thread and not early. Let its process, alone, have a run that makes the
//! starts of all its children, ends without locks, does nothing that any state of the automaton forbids to everybody,
//! and acquires no *shared* lock. Then `c` can make this run right after its start, whatever locks the others hold:
//! participants acquire only shared locks, and no quick spawner keeps a lock. So quick spawners are not participants
//! either: whoever starts one starts its children. A participant therefore makes *starts*, each of which spawns a set
//! of other participants. The shared locks are those that the threads of the query can acquire. A participating spawner
//! that can acquire more locks makes these shared as well, and the listing begins again.
//!
//! *Repetition.* Let `c` be bound to no thread and start only one participant, directly or by quick spawners. That
//! participant may be such a spawner itself, and so on, down to an instance `d` of the same process as `c`. Then the
//! spawner of `c` can start `d` instead, which waits until it is needed, and all from `c` to `d` are left out. This
//! also holds if `d` is the quick spawner that `c` starts itself. (`c` is started by somebody, since `d` is.)
//!
//! *Only threads.* If all threads are available at once, no other forest needs to be considered: in any violating
//! interleaving, the steps of all other instances can be left out.
//!
//! So every violating interleaving can be changed into one whose forest has no early spawners, no quick spawners and no
//! repetition; each change removes participants. These forests are listed, those with fewer spawners first. They are
//! finitely many: spawners with one start for one participant lie in chains without repetition, and any other spawner
//! joins two participants below it, so there are fewer of them than threads. Conversely, each listed forest stands for
//! interleavings: the witness has the early spawners in front, and each quick spawner after its start.

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
