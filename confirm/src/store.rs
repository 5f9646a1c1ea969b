//! Confirmations of earlier runs.

use audit::Confirmation;

/// A store of confirmations, by the questions that they answer.
///
/// A question names the program, the class, the methods and the places of a finding. The answer also depends on the
/// contents of the class path, on the kit ([`Jdk::identity`](crate::Jdk::identity)) and on the version of this crate;
/// the store must keep answers for different values of these apart.
pub trait ConfirmationStore: Send + Sync {
    /// Returns the confirmation that was kept for a question.
    fn get(&self, question: &str) -> Option<Confirmation>;
    /// Keeps a confirmation. More time would not change it: the finding is confirmed, or all schedules were tried.
    fn keep(&self, question: &str, confirmation: &Confirmation);
}
