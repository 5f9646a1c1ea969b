//! Tests of the book in `docs/`: its commands print the shown output, its links lead to their targets, its pictures
//! show the patterns, and it is complete.
//!
//! `UPDATE_BOOK=1 cargo test --test tests book` writes the current output of the commands into the pages and redraws
//! the pictures.

mod complete;
mod console;
mod links;
mod page;
mod pattern;
mod pictures;
