//! `--report`: one page that needs nothing else.

use crate::cli::support::{asercheck, file, temporary};
use serde_json::Value;

fn page(name: &str, arguments: &[&str]) -> String {
    let path = temporary(name);
    let run = asercheck(&[&["check"], arguments, &["-q", "--report", path.to_str().expect("UTF-8")]].concat());
    assert!(run.errors.is_empty(), "{run:?}");
    std::fs::read_to_string(path).expect("a page")
}

fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").expect("there are data");
    serde_json::from_str(rest.split("</script>").next().expect("they end")).expect("JSON")
}

#[test]
fn a_page_has_all_findings_and_nothing_of_elsewhere() {
    let page = page("page.html", &["models/stack.eml", "models/bank.eml", "models/stack-repaired.eml"]);
    for outside in ["http:", "https:", "src=", "href=", "@import", "url("] {
        assert!(!page.replace("http://www.w3.org/2000/svg", "").contains(outside), "{outside}");
    }
    assert_eq!(page.matches("<tr>").count(), 4);
    let data = data(&page);
    let findings = data["findings"].as_array().expect("a list");
    let ranks: Vec<_> = findings.iter().filter_map(|finding| finding["rank"].as_f64()).collect();
    assert!(ranks.len() >= 3 && ranks.windows(2).all(|pair| pair[0] >= pair[1]));
    let strings = data["strings"].as_array().expect("a list").len() as u64;
    for finding in findings {
        let threads = finding["threads"].as_array().expect("a list").len() as u64;
        let rows = finding["rows"].as_array().expect("a list");
        assert!(rows.iter().all(|row| row[1].as_u64() < Some(threads)
            && [2, 4, 5, 9].iter().all(|place| row[*place].as_u64() < Some(strings))));
        assert!(rows.iter().any(|row| row[6].as_u64() > Some(0)));
    }
}

#[test]
fn names_cannot_break_out_of_the_page() {
    let model =
        file("<script><b>&.eml", "shared x; process P * 2 { atomic { read x; write x; } } // </script><!-- <script>\n");
    let page = page("break.html", &[&model, "--pattern", "1"]);
    assert_eq!(
        (page.matches("</script>").count(), page.matches("<!--").count(), page.matches("<b>").count()),
        (2, 0, 0)
    );
    assert!(data(&page)["findings"][0]["model"].as_str().is_some_and(|name| name.ends_with("<script><b>&.eml")));
}

#[test]
fn a_page_without_findings_and_one_that_cannot_be_written() {
    let page = page("safe.html", &["models/stack-repaired.eml"]);
    assert!(page.contains("There are no findings.") && !page.contains("<script"));
    let run = asercheck(&["check", "models/stack-repaired.eml", "-q", "--report", "/nonexistent/page.html"]);
    assert_eq!(run.code, Some(2));
    assert!(run.errors.starts_with("error: cannot write /nonexistent/page.html: "), "{run:?}");
}

#[test]
fn a_run_writes_sarif_and_a_page_beside_its_format() {
    let paths = ["beside.sarif", "beside.html"].map(temporary);
    let [sarif, page] = paths.each_ref().map(|path| path.to_str().expect("UTF-8"));
    let both = ["-q", "--report", sarif, "--report", page];
    let cases = [
        &["check", "models/stack.eml", "models/bank.eml"][..],
        &["java", "models/java/client/classes", "--class", "client.CheckThenAct"],
    ];
    for arguments in cases {
        let run = asercheck(&[arguments, &both].concat());
        assert_eq!((run.code, run.errors.as_str()), (Some(1), ""), "{run:?}");
        let results = |text: &str| serde_json::from_str::<Value>(text).expect("JSON")["runs"][0]["results"].clone();
        let written = results(&std::fs::read_to_string(sarif).expect("SARIF"));
        let printed = results(&asercheck(&[arguments, &["--format", "sarif"]].concat()).out);
        assert!(written == printed && written.as_array().is_some_and(|list| !list.is_empty()));
        assert!(std::fs::read_to_string(page).expect("a page").starts_with("<!DOCTYPE html>"));
    }
}
