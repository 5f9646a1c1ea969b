//! Programs that show what was confirmed: a Java file for each finding, and a support file beside them that forces the
//! order.
//!
//! The support file is the Java code that ran the finding, in one file: so what was seen once is seen again. Each
//! program is run once when it is written, and it is named in the report only if it failed as it should.

use super::controller::Controller;
use super::embedded::SOURCES;
use super::explore::Confirmed;
use super::jdk::Jdk;
use crate::cli::arguments::TestsStyle;
use crate::cli::output::Terminal;
use anyhow::Context;
use asercheck::audit::{Demonstration, Finding, Report};
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The part of the Java code that programs need, the class with `main` first.
const SUPPORT: [&str; 21] = [
    "AsercheckSupport",
    "Attempt",
    "CannotMake",
    "Code",
    "Gate",
    "Guarded",
    "Guards",
    "Lines",
    "Machine",
    "Point",
    "Questioned",
    "RecordingProxy",
    "Reproduced",
    "ReproducedTarget",
    "Runner",
    "Show",
    "Step",
    "Stress",
    "Trace",
    "Types",
    "Work",
];

/// What a program is written of.
pub(super) struct Program {
    confirmed: Confirmed,
    source: String,
}

impl Program {
    /// The client that a controller has just confirmed, as code.
    pub(super) fn of(controller: &mut Controller, confirmed: Confirmed) -> Option<Self> {
        let answer = controller.ask(&["source"]).ok().filter(|answer| answer.kind == "source")?;
        Some(Self { confirmed, source: answer.first().to_string() })
    }
}

/// Writes the programs into a folder, and their names into the report.
pub(super) fn write(
    folder: &Path,
    style: TestsStyle,
    report: &mut Report,
    programs: Vec<(usize, usize, Program)>,
    jdk: &Jdk,
    path: &[PathBuf],
    terminal: &Terminal,
) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut number = 0;
    for (subject, finding, program) in programs {
        let class = report.subjects[subject].class.clone();
        let finding = &mut report.subjects[subject].findings[finding];
        let Some(shown) = finding.confirmation.as_ref().and_then(|record| record.demonstration.as_ref()) else {
            continue;
        };
        number += 1;
        let about = About { class: &class, finding, shown, program: &program, style, number };
        // What no other package may name needs a client of the same one.
        let packages = [None, class.rsplit_once('.').map(|(package, _)| package)];
        let written = packages.into_iter().find_map(|package| about.written(folder, package, jdk, path).transpose());
        match written.transpose()? {
            Some(file) => {
                let shown = finding.confirmation.as_mut().and_then(|record| record.demonstration.as_mut());
                if let Some(shown) = shown {
                    shown.program = Some(file.display().to_string());
                }
            }
            None => {
                number -= 1;
                terminal.tell(&format!("warning: no program shows what was confirmed of {}\n", finding.unit));
            }
        }
    }
    Ok(())
}

/// What is told of a finding in its program.
struct About<'a> {
    class: &'a str,
    finding: &'a Finding,
    shown: &'a Demonstration,
    program: &'a Program,
    style: TestsStyle,
    number: usize,
}

impl About<'_> {
    /// Writes the program as one of a package, if it then fails as it should.
    fn written(
        &self,
        folder: &Path,
        package: Option<&str>,
        jdk: &Jdk,
        path: &[PathBuf],
    ) -> anyhow::Result<Option<PathBuf>> {
        let folder = package.map_or_else(|| folder.to_path_buf(), |package| folder.join(package.replace('.', "/")));
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let head = package.map_or_else(String::new, |package| format!("package {package};\n\n"));
        let put = |name: &str, text: String| -> anyhow::Result<PathBuf> {
            let file = folder.join(format!("{name}.java"));
            fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
            Ok(file)
        };
        let support = folder.join("AsercheckSupport.java");
        let had_support = support.is_file();
        put("AsercheckSupport", format!("{head}{}", support_text()))?;
        let name = format!("Reproduce{}", self.number);
        let file = put(&name, format!("{head}{}", self.text(&name, package, self.style == TestsStyle::Stress)))?;
        let mut shows = fails(&file, jdk, path);
        if !shows && self.style == TestsStyle::Stress {
            put(&name, format!("{head}{}", self.text(&name, package, false)))?;
            shows = fails(&file, jdk, path);
        }
        if !shows {
            fs::remove_file(&file).context("a program that shows nothing")?;
            if !had_support {
                fs::remove_file(&support).context("a program that shows nothing")?;
            }
            return Ok(None);
        }
        if self.style == TestsStyle::Junit5 {
            put(&format!("{name}Test"), format!("{head}{}", self.junit(&name)))?;
        }
        Ok(Some(file))
    }

    fn text(&self, name: &str, package: Option<&str>, is_stress: bool) -> String {
        let whole = package.map_or_else(|| name.to_string(), |package| format!("{package}.{name}"));
        let stress = [String::from("stress")];
        let steps = if is_stress { stress.as_slice() } else { self.program.confirmed.steps.as_slice() };
        let lines = |all: &[String]| all.iter().map(|one| format!("        {},\n", literal(one))).collect::<String>();
        include_str!("Reproduce.java.in")
            .replace("@ABOUT@", &self.about())
            .replace("@NAME@", name)
            .replace("@WHOLE@", &whole)
            .replace("@STEPS@", &lines(steps))
            .replace("@CLASSES@", &lines(&self.program.confirmed.loaded))
            .replace("@CLIENT@", &self.program.source)
    }

    /// The comment of the class.
    fn about(&self) -> String {
        let mut lines = vec![
            format!("{}: {} is not atomic.", self.class, self.finding.unit),
            String::new(),
            format!("{} It forces this order: {}.", self.shown.before, self.shown.forced),
        ];
        for one in &self.shown.differences {
            let serial = one.serial.join(" or ");
            lines.push(format!("{}: {}; in serial orders: {serial}", one.what, one.seen));
        }
        let safe = |line: &String| format!(" * {}\n", line.replace("*/", "* /").replace('\\', "/").replace('\n', " "));
        lines.iter().map(safe).collect()
    }

    fn junit(&self, name: &str) -> String {
        include_str!("ReproduceTest.java.in").replace("@NAME@", name)
    }
}

/// Whether a program says that it saw what no serial order gives, and ends with code 1.
fn fails(file: &Path, jdk: &Jdk, path: &[PathBuf]) -> bool {
    let Ok(class_path) = env::join_paths(path) else { return false };
    let mut command = Command::new(&jdk.java);
    command.arg("-cp").arg(class_path).arg(file);
    let said = command.stdin(Stdio::null()).stderr(Stdio::null()).output();
    said.is_ok_and(|said| said.status.code() == Some(1) && said.stdout.starts_with(b"not atomic"))
}

fn literal(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// All parts of the support in one text, with the imports in front.
fn support_text() -> String {
    let texts = SUPPORT.iter().filter_map(|name| SOURCES.iter().find(|(known, _)| known == name));
    let (mut imports, mut code) = (BTreeSet::new(), String::new());
    for (_, text) in texts {
        for line in text.lines().filter(|line| !line.starts_with("package ")) {
            if line.starts_with("import ") {
                imports.insert(line);
            } else {
                code += line;
                code.push('\n');
            }
        }
    }
    let imports: String = imports.into_iter().map(|line| format!("{line}\n")).collect();
    format!("{imports}\n{}\n", code.trim())
}
