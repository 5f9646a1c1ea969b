//! Numbers of instances: each thread of a query is a separate instance of its process.

use eml::model::{InstanceBound, Model, Multiplicity, ProcessId};

/// Whether the process has as many instances as it is named times.
pub(super) fn has_instances(model: &Model, named: &[ProcessId], process: ProcessId) -> bool {
    let wanted = named.iter().filter(|own| **own == process).count();
    wanted <= max_instances(model, process).unwrap_or(usize::MAX)
}

/// The maximal number of instances of a process; `None` if there is no limit.
pub(crate) fn max_instances(model: &Model, process: ProcessId) -> Option<usize> {
    let declared = model.process(process);
    match (declared.instance_bound(), declared.multiplicity()) {
        (InstanceBound::Zero, _) => Some(0),
        (InstanceBound::One, _) => Some(1),
        (InstanceBound::Several, Multiplicity::Times(count)) => Some(count as usize),
        (InstanceBound::Several, _) => None,
    }
}

/// The number of sequences of `length` processes in which each process has enough instances, or the greatest number.
///
/// With the processes taken one after the other, a sequence of length `n` of the first of them has some number `i` of
/// places for the last one, which can be chosen in `n choose i` ways, and a sequence of length `n - i` of the others at
/// the remaining places. `O(processes * length^2)`.
pub(super) fn count_bindings(model: &Model, length: usize) -> usize {
    let mut ways = vec![0_usize; length + 1];
    ways[0] = 1;
    for process in (0..model.processes().len()).map(ProcessId::new) {
        let most = max_instances(model, process).map_or(length, |most| most.min(length));
        for places in (1..=length).rev() {
            ways[places] = (0..=most.min(places))
                .fold(0_usize, |sum, own| sum.saturating_add(choose(places, own).saturating_mul(ways[places - own])));
        }
    }
    ways[length]
}

/// The number of subsets with `k` of `n` elements, or the greatest number.
fn choose(n: usize, k: usize) -> usize {
    let choose = (0..k).try_fold(1_usize, |product, i| Some(product.checked_mul(n - i)? / (i + 1)));
    choose.unwrap_or(usize::MAX)
}
