//! A semiring of finite sets of elements of a monoid. Elements and sets are interned, products are memoized.
//!
//! Extend multiplies every element of one set with every element of the other; combine is the union. If elements
//! dominate others, only the minimal ones are kept. The order must agree with the product; then the minimal sets are a
//! semiring again (modulo the order). The monoid must be finite, or sets would grow without end.

use indexmap::IndexSet;
use limits::{Limits, Meter, StopReason};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::fmt::Debug;
use std::hash::Hash;
use wpds::{Semiring, Traceable};

/// The number of products computed before duplicates are removed.
const MOST_DUPLICATES: usize = 1 << 16;

/// The monoid of the elements.
pub(crate) trait Monoid {
    type Element: Clone + Eq + Hash + Debug;

    /// Whether some elements dominate others.
    const IS_ORDERED: bool;

    /// The neutral element.
    fn unit(&self) -> Self::Element;

    /// Returns the product: first `left`, then `right`.
    fn product(&self, left: &Self::Element, right: &Self::Element) -> Self::Element;

    /// Whether the first element makes the second one redundant.
    fn dominates(&self, first: &Self::Element, second: &Self::Element) -> bool {
        first == second
    }
}

/// An interned element; equal ids stand for equal elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ElementId(u32);

impl ElementId {
    /// The neutral element, which every table contains.
    pub(crate) const UNIT: Self = Self(0);
}

/// An interned set; equal ids stand for equal sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SetId(u32);

impl SetId {
    const EMPTY: Self = Self(0);
    const ONE: Self = Self(1);
}

/// All elements and sets of an analysis.
#[derive(Clone, Debug)]
pub(crate) struct FiniteSets<M: Monoid> {
    monoid: M,
    elements: IndexSet<M::Element, FxBuildHasher>,
    products: FxHashMap<(ElementId, ElementId), ElementId>,
    /// The elements of each set, sorted.
    sets: IndexSet<Box<[ElementId]>, FxBuildHasher>,
    extensions: FxHashMap<(SetId, SetId), SetId>,
    meter: Meter,
}

impl<M: Monoid> FiniteSets<M> {
    pub(crate) fn new(monoid: M) -> Self {
        let mut elements = IndexSet::default();
        elements.insert(monoid.unit());
        let mut sets = IndexSet::default();
        sets.insert(Box::default());
        sets.insert([ElementId::UNIT].into());
        let (products, extensions) = (FxHashMap::default(), FxHashMap::default());
        Self { monoid, elements, products, sets, extensions, meter: Meter::start(&Limits::default()) }
    }

    /// Sets the meter that stops later operations. The memoized results stay.
    pub(crate) fn set_meter(&mut self, meter: Meter) {
        self.meter = meter;
    }

    pub(crate) fn element(&self, id: ElementId) -> &M::Element {
        &self.elements[id.0 as usize]
    }

    /// Returns the id of an element, if it is interned.
    pub(crate) fn find(&self, element: &M::Element) -> Option<ElementId> {
        self.elements.get_index_of(element).map(|index| ElementId(index as u32))
    }

    pub(crate) fn elements(&self, set: SetId) -> &[ElementId] {
        &self.sets[set.0 as usize]
    }

    /// Returns the set with this single element.
    pub(crate) fn singleton(&mut self, element: M::Element) -> SetId {
        let id = self.intern(element);
        self.set(vec![id])
    }

    fn intern(&mut self, element: M::Element) -> ElementId {
        let (index, _) = self.elements.insert_full(element);
        ElementId(u32::try_from(index).expect("fewer than 2^32 elements"))
    }

    /// Returns the set of these elements, which must be sorted.
    fn set(&mut self, elements: Vec<ElementId>) -> SetId {
        let (index, _) = self.sets.insert_full(elements.into_boxed_slice());
        SetId(u32::try_from(index).expect("fewer than 2^32 sets"))
    }

    pub(crate) fn dominates(&self, first: ElementId, second: ElementId) -> bool {
        first == second || self.monoid.dominates(self.element(first), self.element(second))
    }

    pub(crate) fn product(&mut self, left: ElementId, right: ElementId) -> ElementId {
        if left == ElementId::UNIT {
            return right;
        }
        if right == ElementId::UNIT {
            return left;
        }
        if let Some(known) = self.products.get(&(left, right)) {
            return *known;
        }
        let product = self.monoid.product(self.element(left), self.element(right));
        let product = self.intern(product);
        self.products.insert((left, right), product);
        product
    }

    /// Returns the elements that are dominated neither by another one of them nor by any of `first`, which is sorted.
    fn minimal(&self, first: &[ElementId], elements: &[ElementId]) -> Result<Vec<ElementId>, StopReason> {
        if !M::IS_ORDERED {
            self.meter.work_of(elements.len())?;
            return Ok(elements.iter().filter(|element| first.binary_search(element).is_err()).copied().collect());
        }
        let mut kept = Vec::new();
        for element in elements {
            self.meter.work_of(first.len() + elements.len())?;
            let others = elements.iter().filter(|other| *other != element);
            if !first.iter().chain(others).any(|other| self.dominates(*other, *element)) {
                kept.push(*element);
            }
        }
        Ok(kept)
    }
}

impl<M: Monoid> Semiring for FiniteSets<M> {
    type Weight = SetId;
    type Stop = StopReason;

    fn zero(&self) -> SetId {
        SetId::EMPTY
    }

    fn one(&self) -> SetId {
        SetId::ONE
    }

    fn extend(&mut self, left: &SetId, right: &SetId) -> Result<SetId, StopReason> {
        match (*left, *right) {
            (SetId::EMPTY, _) | (_, SetId::EMPTY) => return Ok(SetId::EMPTY),
            (SetId::ONE, other) | (other, SetId::ONE) => return Ok(other),
            key => {
                if let Some(known) = self.extensions.get(&key) {
                    return Ok(*known);
                }
            }
        }
        let (firsts, seconds) = (self.elements(*left).to_vec(), self.elements(*right).to_vec());
        let mut products = Vec::new();
        let mut most = MOST_DUPLICATES;
        for first in firsts {
            self.meter.work_of(seconds.len())?;
            for second in &seconds {
                products.push(self.product(first, *second));
            }
            if products.len() > most {
                products.sort_unstable();
                products.dedup();
                most = MOST_DUPLICATES.max(2 * products.len());
            }
        }
        products.sort_unstable();
        products.dedup();
        let minimal = self.minimal(&[], &products)?;
        let set = self.set(minimal);
        self.extensions.insert((*left, *right), set);
        Ok(set)
    }

    fn combine_into(&mut self, into: &mut SetId, with: &SetId) -> Result<Option<SetId>, StopReason> {
        if *into == *with || *with == SetId::EMPTY {
            return Ok(None);
        }
        let new = self.minimal(self.elements(*into), self.elements(*with))?;
        if new.is_empty() {
            return Ok(None);
        }
        let mut all = self.minimal(&new, self.elements(*into))?;
        all.extend(&new);
        all.sort_unstable();
        *into = self.set(all);
        Ok(Some(self.set(new)))
    }
}

impl<M: Monoid> Traceable for FiniteSets<M> {
    type Element = ElementId;

    fn contains(&self, weight: &SetId, element: &ElementId) -> bool {
        self.elements(*weight).binary_search(element).is_ok()
    }

    fn split(&mut self, element: &ElementId, left: &SetId, right: &SetId) -> Option<(ElementId, ElementId)> {
        let (firsts, seconds) = (self.elements(*left).to_vec(), self.elements(*right).to_vec());
        let mut pairs = firsts.iter().flat_map(|first| seconds.iter().map(|second| (*first, *second)));
        pairs.find(|(first, second)| self.product(*first, *second) == *element)
    }
}
