//! The laws in the doc of `Semiring` and `Traceable`, on the semirings of the crate.

use proptest::prelude::*;
use std::convert::Infallible;
use wpds::{Boolean, MinPlus, Semiring, Traceable};

fn plus<S: Semiring<Stop = Infallible>>(semiring: &mut S, a: &S::Weight, b: &S::Weight) -> S::Weight {
    let mut sum = a.clone();
    let delta = semiring.combine_into(&mut sum, b).unwrap();
    assert_eq!(delta.is_some(), sum != *a, "a delta is given iff the sum changed");
    if let Some(delta) = delta {
        let mut again = a.clone();
        semiring.combine_into(&mut again, &delta).unwrap();
        assert_eq!(again, sum, "the delta makes the same sum");
    }
    sum
}

fn times<S: Semiring<Stop = Infallible>>(semiring: &mut S, a: &S::Weight, b: &S::Weight) -> S::Weight {
    semiring.extend(a, b).unwrap()
}

fn laws<S: Semiring<Stop = Infallible>>(s: &mut S, a: &S::Weight, b: &S::Weight, c: &S::Weight) {
    let (zero, one) = (s.zero(), s.one());
    let (ab, bc) = (plus(s, a, b), plus(s, b, c));
    assert_eq!(plus(s, &ab, c), plus(s, a, &bc));
    assert_eq!(ab, plus(s, b, a));
    assert_eq!(plus(s, a, a), *a);
    assert_eq!(plus(s, a, &zero), *a);
    let (product, other) = (times(s, a, b), times(s, b, c));
    assert_eq!(times(s, &product, c), times(s, a, &other));
    assert_eq!(times(s, &one, a), *a);
    assert_eq!(times(s, a, &one), *a);
    assert_eq!(times(s, a, &zero), zero);
    assert_eq!(times(s, &zero, a), zero);
    let (ab_times, ac_times) = (times(s, a, b), times(s, a, c));
    assert_eq!(times(s, a, &bc), plus(s, &ab_times, &ac_times));
    let (ac_times, bc_times) = (times(s, a, c), times(s, b, c));
    assert_eq!(times(s, &ab, c), plus(s, &ac_times, &bc_times));
}

#[test]
fn boolean_laws() {
    for bits in 0..8 {
        laws(&mut Boolean, &(bits & 1 == 1), &(bits & 2 == 2), &(bits & 4 == 4));
    }
}

proptest! {
    #[test]
    fn min_plus_laws(a: Option<u32>, b: Option<u32>, c: Option<u32>) {
        laws(&mut MinPlus, &a.map(u64::from), &b.map(u64::from), &c.map(u64::from));
    }

    #[test]
    fn min_plus_products_split(a: Option<u32>, b: Option<u32>) {
        let (a, b) = (a.map(u64::from), b.map(u64::from));
        let product = times(&mut MinPlus, &a, &b);
        match product {
            None => prop_assert!(a.is_none() || b.is_none()),
            Some(length) => {
                let (left, right) = MinPlus.split(&length, &a, &b).expect("a product splits");
                prop_assert!(MinPlus.contains(&a, &left) && MinPlus.contains(&b, &right));
                prop_assert_eq!(left + right, length);
            }
        }
    }
}
