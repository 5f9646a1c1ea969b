//! Links: each leads to a file, and to a heading if it names one; and every page can be reached.

use crate::book::page::{Page, all, book, root};
use std::collections::{HashMap, HashSet};
use std::fs;

/// Returns the targets of links and pictures in a line, without code.
fn targets(line: &str) -> Vec<String> {
    // Every second part between backquotes is code.
    let text: String = line.split('`').step_by(2).collect::<Vec<_>>().join("code");
    let after = |opening: &str, closing: char| {
        let pieces = text.split(opening).skip(1).map(|rest| rest.split(closing).next().unwrap_or_default().to_string());
        pieces.collect::<Vec<_>>()
    };
    let mut targets = after("](", ')');
    targets.extend(after("src=\"", '"'));
    targets.extend(after("href=\"", '"'));
    targets.retain(|target| !target.starts_with("http://") && !target.starts_with("https://"));
    targets
}

/// Returns the anchors of the headings of a page, as GitHub and mdBook make them.
fn anchors(page: &Page) -> HashSet<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut anchors = HashSet::new();
    for (_, code, line) in page.lines() {
        let Some(heading) = line.strip_prefix('#').filter(|_| !code) else { continue };
        let heading = heading.trim_start_matches('#').trim();
        // Only the text of a link counts.
        let mut pieces = heading.split("](");
        let mut text = pieces.next().unwrap_or_default().to_lowercase();
        pieces.for_each(|piece| text.push_str(piece.split_once(')').map_or("", |(_, rest)| rest)));
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let name: String = text.chars().filter(kept).collect();
        let name = name.replace(' ', "-");
        let count = counts.entry(name.clone()).or_default();
        anchors.insert(if *count == 0 { name } else { format!("{name}-{count}") });
        *count += 1;
    }
    anchors
}

#[test]
fn links_lead_somewhere() {
    let pages = all();
    let anchors: HashMap<_, _> =
        pages.iter().map(|page| (fs::canonicalize(&page.path).expect("it was read"), anchors(page))).collect();
    let (mut count, mut wrong) = (0, Vec::new());
    for page in &pages {
        for (number, _, line) in page.lines().filter(|(_, code, _)| !code) {
            for target in targets(line) {
                count += 1;
                let (path, anchor) = target.split_once('#').unwrap_or((&target, ""));
                let folder = page.path.parent().expect("a file is in a folder");
                let path = if path.is_empty() { page.path.clone() } else { folder.join(path) };
                let good = fs::canonicalize(&path).is_ok_and(|path| {
                    anchor.is_empty() || anchors.get(&path).is_some_and(|anchors| anchors.contains(anchor))
                });
                if !good {
                    wrong.push(format!("{}:{number}: {target}", page.name()));
                }
            }
        }
    }
    assert!(count > 60, "only {count} links were found");
    assert!(wrong.is_empty(), "these links lead nowhere:\n{}", wrong.join("\n"));
}

#[test]
fn every_page_is_a_chapter_once() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).expect("there is a summary");
    let mut chapters: Vec<_> = summary.lines().flat_map(targets).map(|target| format!("docs/{target}")).collect();
    chapters.sort();
    let mut pages: Vec<_> = book().iter().map(Page::name).collect();
    pages.retain(|name| name != "docs/SUMMARY.md");
    pages.sort();
    assert_eq!(chapters, pages);
}

#[test]
fn links_and_headings_are_found() {
    assert_eq!(targets("[a](b.md#c) `[d](e)` ![f](g.svg) [h](https://i)"), ["b.md#c", "g.svg"]);
    let text = "# Why `a` is b, c (1)\n## [d](e.md)\n## d\n```\n# code\n```\n".to_string();
    let found = anchors(&Page { path: root().join("x.md"), text });
    assert_eq!(found, ["why-a-is-b-c-1", "d", "d-1"].map(String::from).into());
}
