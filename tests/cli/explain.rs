//! The book in the terminal, completions, manual pages.

use crate::cli::support::{asercheck, temporary};

#[test]
fn the_contents_name_chapters_and_terms() {
    let run = asercheck(&["explain"]);
    assert_eq!((run.code, run.errors.as_str()), (Some(0), ""));
    assert!(run.out.contains("\n  formats ") && run.out.contains("lock history,"), "{}", run.out);
    assert!(run.out.lines().all(|line| line.chars().count() <= 100), "{}", run.out);
}

#[test]
fn chapters_sections_terms_and_patterns() {
    for (topic, begin) in [
        (&["formats"][..], "# "),
        (&["Vacuous models"], "### Vacuous models\n"),
        (&["lock", "history"], "**Lock history.**"),
        (&["unit of work"], "**Unit of work.**"),
        (&["5"], "pattern 5: "),
        (&["pattern", "5"], "pattern 5: "),
        (&["rwlock"], "| `rwlock r;` |"),
        (&["exit", "code", "3"], "## Exit codes\n"),
        (&["likely"], "**Likely.**"),
        (&["possibly benign"], "**Possibly benign.**"),
        (&["locked-elsewhere"], "`locked-elsewhere`: "),
        (&["flag"], "`flag`: "),
    ] {
        let run = asercheck(&[&["explain"], topic].concat());
        assert_eq!((run.code, run.errors.as_str()), (Some(0), ""), "{topic:?}");
        assert!(run.out.starts_with(begin), "{topic:?}: {}", run.out);
        let links: Vec<_> = run.out.lines().filter(|line| line.contains(".md)") || line.contains("<!--")).collect();
        assert!(links.is_empty(), "{topic:?}: {links:?}");
    }
}

#[test]
fn unknown_topics_are_refused() {
    asercheck(&["explain", "lock histroy"]).assert_refused("did you mean `asercheck explain Lock history`?");
    asercheck(&["explain", "vacuo"]).assert_refused("did you mean `asercheck explain Vacuous`?");
    asercheck(&["explain", "unti"]).assert_refused("did you mean `asercheck explain Unit of work`?");
    asercheck(&["explain", "15"]).assert_refused("`asercheck explain` lists the topics");
    asercheck(&["explain", &"x\n".repeat(5000)]).assert_refused("there is no topic");
}

#[test]
fn completions_know_options_of_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = asercheck(&["completions", shell]);
        assert_eq!((run.code, run.errors.as_str()), (Some(0), ""), "{shell}");
        assert!(run.out.contains("max-findings"), "{shell}");
    }
    asercheck(&["completions", "tcsh"]).assert_refused("");
}

#[test]
fn each_command_has_a_manual_page() {
    let folder = temporary("man");
    let place = folder.to_str().expect("UTF-8");
    let run = asercheck(&["man", place]);
    assert_eq!((run.code, run.out.as_str(), run.errors.as_str()), (Some(0), "", ""));
    for (page, words) in [("asercheck", "atomic"), ("asercheck-check", "max\\-findings"), ("asercheck-batch", "resume")]
    {
        let text = std::fs::read_to_string(folder.join(format!("{page}.1"))).expect("the page is there");
        assert!(text.contains(words), "{page}: {text}");
    }
    std::fs::write(folder.join("file"), "").expect("a file can be written");
    asercheck(&["man", &format!("{place}/file")]).assert_refused("file");
}
