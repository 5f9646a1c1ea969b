//! The pages: the Markdown files that readers see.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folder of the project.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Whether the pages are updated instead of checked.
pub fn updates() -> bool {
    std::env::var_os("UPDATE_BOOK").is_some()
}

/// A Markdown file.
pub struct Page {
    pub path: PathBuf,
    pub text: String,
}

impl Page {
    pub fn read(path: PathBuf) -> Self {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Self { path, text }
    }

    /// Returns the path relative to the folder of the project.
    pub fn name(&self) -> String {
        self.path.strip_prefix(root()).expect("pages are in the project").display().to_string()
    }

    /// Returns the lines, each with its number from 1 and whether it is in a block of code.
    pub fn lines(&self) -> impl Iterator<Item = (usize, bool, &str)> {
        let mut inside = false;
        self.text.lines().enumerate().map(move |(place, line)| {
            let fence = line.trim_start().starts_with("```");
            inside ^= fence;
            (place + 1, inside || fence, line)
        })
    }
}

/// Returns the pages of the book, in the order of their names.
pub fn book() -> Vec<Page> {
    let files = fs::read_dir(root().join("docs")).expect("the folder can be read");
    let mut paths: Vec<_> = files.map(|file| file.expect("the folder can be read").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    paths.into_iter().map(Page::read).collect()
}

/// Returns the pages of the book and the pages that lead to it.
pub fn all() -> Vec<Page> {
    let others = [
        "README.md",
        "bench/README.md",
        "bench/lost/README.md",
        "bench/paper/README.md",
        "bench/performance/README.md",
        "bench/precision/README.md",
        "bench/search/README.md",
        "bench/survey/README.md",
        "models/README.md",
        "tests/corpus/README.md",
        "wpds/README.md",
    ];
    let mut pages = book();
    pages.extend(others.map(|path| Page::read(root().join(path))));
    pages
}
