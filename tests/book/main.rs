//! Tests of the book in `docs/`: what it says happens, its links lead somewhere, its pictures show the patterns, and
//! nothing that a reader may look for is missing.
//!
//! `UPDATE_BOOK=1 cargo test --test book` writes what the commands print now into the pages, and draws the pictures
//! again.

#![cfg(unix)]

mod complete;
mod console;
mod links;
mod page;
mod pattern;
mod pictures;
