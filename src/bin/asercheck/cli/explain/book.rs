//! The book as of the build of the program, and its parts.
//!
//! A *part* can be asked for: a chapter by its name, a section by its title, a term by the word that the glossary
//! explains. Names are compared as anchors of links within the book: in lower case, with hyphens between the words.
//!
//! A word of the language is no part: the explanation consists of all text about it in the chapter about the language.

use asercheck::audit::Kind;

/// A page of the book.
pub(super) struct Chapter {
    /// The name of its file.
    pub(super) name: &'static str,
    text: &'static str,
}

macro_rules! chapters {
    ($($name:literal),* $(,)?) => {
        [$(Chapter { name: $name, text: include_str!(concat!("../../../../../docs/", $name, ".md")) }),*]
    };
}

/// The chapters in their order, without the list of models, which is a file outside of the book.
pub(super) static CHAPTERS: [Chapter; 24] = chapters![
    "introduction",
    "install",
    "tutorial",
    "java",
    "confirm",
    "builds",
    "language",
    "patterns",
    "automata",
    "races-and-deadlocks",
    "repair",
    "command-line",
    "formats",
    "batch",
    "cluster",
    "library",
    "python",
    "c",
    "how-it-works",
    "trust",
    "certificates",
    "figures",
    "architecture",
    "glossary",
];

impl Chapter {
    /// Returns its first heading.
    pub(super) fn title(&self) -> &'static str {
        headings(self.text).next().map_or(self.name, |heading| heading.title)
    }
}

/// A part of the book.
pub(super) struct Part {
    /// The name in the book.
    pub(super) name: &'static str,
    /// The name for comparisons.
    pub(super) anchor: String,
    text: &'static str,
}

impl Part {
    fn new(name: &'static str, text: &'static str) -> Self {
        Self { name, anchor: anchor(name), text }
    }
}

/// Returns the text of a topic: a chapter, else a term, else a section.
pub(super) fn find(topic: &str) -> Option<&'static str> {
    let wanted = anchor(topic);
    parts().find(|part| part.anchor == wanted).map(|part| part.text)
}

/// Returns all parts: chapters, terms, sections.
pub(super) fn parts() -> impl Iterator<Item = Part> {
    let chapters = CHAPTERS.iter().map(|chapter| Part::new(chapter.name, chapter.text));
    let sections = CHAPTERS.iter().flat_map(|chapter| sections(chapter.text));
    chapters.chain(terms()).chain(sections)
}

/// Returns the terms of the glossary. Each begins a paragraph, in bold letters and with a full stop.
pub(super) fn terms() -> impl Iterator<Item = Part> {
    let glossary = CHAPTERS.iter().filter(|chapter| chapter.name == "glossary");
    let paragraphs = glossary.flat_map(|chapter| chapter.text.split("\n\n"));
    paragraphs.filter_map(|text| Some(Part::new(text.strip_prefix("**")?.split_once(".**")?.0, text)))
}

/// Returns the sections of a page. Each ends where the next one of its own or a higher level begins.
fn sections(text: &'static str) -> impl Iterator<Item = Part> {
    headings(text).map(move |heading| {
        let next = headings(text).find(|next| next.place > heading.place && next.level <= heading.level);
        Part::new(heading.title, &text[heading.place..next.map_or(text.len(), |next| next.place)])
    })
}

/// Returns the text about a word of the language: the rows of tables and the paragraphs in which the word occurs as
/// code.
pub(super) fn construct(word: &str) -> Option<String> {
    let language = CHAPTERS.iter().find(|chapter| chapter.name == "language")?;
    let outside = language.text.split("```").step_by(2);
    let paragraphs = outside.flat_map(|text| text.split("\n\n"));
    let blocks = paragraphs.flat_map(|text| match text.trim_start().starts_with('|') {
        true => text.trim().lines().collect::<Vec<_>>(),
        false => vec![text.trim()],
    });
    let said: Vec<_> = blocks.filter(|block| has_code(block, word)).collect();
    (!said.is_empty()).then(|| said.join("\n\n") + "\n")
}

/// Returns the text about a kind of evidence: its row in a table of the chapter about Java classes, and its weight.
pub(super) fn evidence(name: &str) -> Option<String> {
    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name)?;
    let chapter = CHAPTERS.iter().find(|chapter| chapter.name == "java")?;
    let row = |line: &'static str| line.strip_prefix(&format!("| `{name}` | "))?.strip_suffix(" |");
    let meaning = chapter.text.lines().find_map(row)?.trim_end_matches(" *");
    let weight = kind.weight();
    let direction = if weight > 0.0 { "raises" } else { "lowers" };
    Some(format!(
        "`{name}`: {meaning}.\n\nEvidence of a finding of `asercheck java`. Its weight, {weight:+.1}, {direction} the rank \
         of the finding; see `asercheck explain likelihood and order`.\n"
    ))
}

/// Whether a word occurs in a text as code.
fn has_code(text: &str, word: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let code = text.split('`').skip(1).step_by(2);
    code.flat_map(|code| code.split(|letter| !is_part(letter))).any(|own| own == word)
}

struct Heading {
    /// The offset of its line.
    place: usize,
    /// The level; 1 for the heading of the page.
    level: usize,
    title: &'static str,
}

/// Returns the headings of a page, without lines in blocks of code.
fn headings(text: &'static str) -> impl Iterator<Item = Heading> {
    let (mut place, mut is_code) = (0, false);
    text.split_inclusive('\n').filter_map(move |line| {
        let begin = place;
        place += line.len();
        is_code ^= line.starts_with("```");
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        let title = line[level..].strip_prefix(' ').filter(|_| level > 0 && !is_code)?;
        Some(Heading { place: begin, level, title: title.trim() })
    })
}

/// Returns a name for comparisons.
pub(super) fn anchor(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pages in the table of contents, without those that are made of other files.
    #[test]
    fn every_chapter_is_there() {
        let summary = include_str!("../../../../../docs/SUMMARY.md");
        let named = summary.split("](").skip(1).filter_map(|rest| rest.split_once(".md)")).map(|(name, _)| name);
        let named: Vec<_> = named.filter(|name| *name != "models").collect();
        assert_eq!(named, CHAPTERS.iter().map(|chapter| chapter.name).collect::<Vec<_>>());
    }

    #[test]
    fn chapters_terms_and_sections_are_found() {
        assert!(find("Command Line").is_some_and(|text| text.starts_with("# The command line")));
        let term = find("lock history").expect("a term");
        assert!(term.starts_with("**Lock history.**") && !term.contains("**Lock order"));
        let section = find("vacuous models").expect("a section");
        assert!(section.starts_with("### Vacuous models") && !section.contains("\n## "));
        assert!(find("nothing of the kind").is_none());
    }

    #[test]
    fn every_word_of_the_language_is_explained() {
        for word in asercheck::syntax::keywords() {
            let said = construct(word);
            assert!(said.is_some_and(|text| text.len() > 20), "{word}");
        }
        let wait = construct("wait").expect("it is a word");
        assert!(wait.contains("| `wait l;` |") && wait.contains("**`wait l`** releases") && !wait.contains("`skip;`"));
        assert_eq!(construct("waits"), None);
    }

    #[test]
    fn every_kind_of_evidence_is_explained() {
        for kind in Kind::ALL {
            assert!(evidence(kind.name()).is_some_and(|text| text.len() > 100), "{}", kind.name());
        }
        assert_eq!(evidence("no-such-kind"), None);
    }

    #[test]
    fn every_part_is_found_by_its_name() {
        assert!(parts().count() > 120);
        for part in parts() {
            assert!(find(part.name).is_some_and(|text| !text.trim().is_empty()), "{}", part.name);
        }
    }

    #[test]
    fn comments_in_code_are_no_headings() {
        let titles: Vec<_> = headings("# One\n```sh\n# two\n```\n## Three\n").map(|heading| heading.title).collect();
        assert_eq!(titles, ["One", "Three"]);
    }
}
