//! Cancellation.

use super::pointers::free;
use asercheck::Cancellation;

/// A switch that ends runs from another thread.
pub struct AsercheckCancellation(pub(super) Cancellation);

/// Makes a switch. The caller frees it with `asercheck_cancellation_free`.
#[unsafe(no_mangle)]
pub extern "C" fn asercheck_cancellation_new() -> *mut AsercheckCancellation {
    Box::into_raw(Box::new(AsercheckCancellation(Cancellation::default())))
}

/// Ends all runs that were given this switch, each within a fraction of a second; also those that begin later. Any
/// thread may call this at any time, and a signal handler too. `NULL` is ignored.
///
/// # Safety
/// The switch is `NULL`, or was made by `asercheck_cancellation_new` and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asercheck_cancel(cancellation: *const AsercheckCancellation) {
    // SAFETY: the caller passes null or a valid switch.
    if let Some(cancellation) = unsafe { cancellation.as_ref() } {
        cancellation.0.cancel();
    }
}

/// Frees a switch, also while runs have it. `NULL` is ignored.
///
/// # Safety
/// The switch is `NULL`, or was made by `asercheck_cancellation_new` and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asercheck_cancellation_free(cancellation: *mut AsercheckCancellation) {
    // SAFETY: `Box::into_raw` has made it, and the caller passes it once; runs have clones.
    unsafe { free(cancellation) }
}
