//! Programs that reproduce confirmed findings: a Java file for each finding, and one support file that forces the
//! schedule.
//!
//! The support file consists of the classes that ran the finding, so it reproduces the same outcome. Each program runs
//! once after it is written. It is named in the report only if it fails as it should; otherwise it is removed.

use crate::child_process::run_until;
use crate::client_exploration::ConfirmedClient;
use crate::controller::Controller;
use crate::embedded_sources::SOURCES;
use crate::error::{Error, Operation};
use crate::jdk::Jdk;
use crate::options::{ReproductionStyle, Reproductions};
use crate::stop::Stop;
use audit::Demonstration;
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// The embedded classes that programs need. The class with `main` is the first.
const SUPPORT: [&str; 43] = [
    "AsercheckSupport",
    "AgentArchive",
    "Attempt",
    "Bytes",
    "ClassRewriter",
    "CodeRewriter",
    "CompiledClient",
    "CompiledClientTarget",
    "ConstantPool",
    "CreationException",
    "Descriptors",
    "GuardedMethods",
    "Guards",
    "Instructions",
    "JUnit",
    "Lines",
    "MethodHooks",
    "MethodNames",
    "Observations",
    "OtherThreads",
    "Point",
    "Rewriting",
    "Roles",
    "RunnableClient",
    "Scheduler",
    "SerialOrders",
    "Side",
    "SideThread",
    "Sites",
    "SpecialMethods",
    "Steps",
    "Stress",
    "Stub",
    "SubjectLoader",
    "TestArguments",
    "TestCase",
    "TestCode",
    "TestHooks",
    "TestMoment",
    "TestRun",
    "ThreadTime",
    "Types",
    "ValuePrinter",
];

/// A confirmed client as code, from which a program is written.
pub(crate) struct Reproduction {
    client: ConfirmedClient,
    /// The client as methods of a Java class.
    source: String,
    /// For an object of a test, its class and that of the test.
    tested: Vec<String>,
}

impl Reproduction {
    /// Returns the client that a controller has just confirmed.
    pub(crate) fn of(controller: &mut Controller, client: ConfirmedClient) -> Option<Self> {
        let answer = controller.ask(&["source"]).ok().filter(|answer| answer.kind == "source")?;
        let tested = answer.fields.get(1..).unwrap_or_default().to_vec();
        Some(Self { client, source: answer.first_field().to_string(), tested })
    }
}

/// The result of writing a program.
pub(crate) enum Written {
    /// The file of the program, which reproduces the finding.
    Program(PathBuf),
    /// The reason why there is no program.
    No(&'static str),
}

/// Writes programs into a folder, numbered in the order of their confirmations.
pub(crate) struct ReproductionWriter<'a> {
    wanted: Reproductions<'a>,
    jdk: &'a Jdk,
    class_path: &'a [PathBuf],
    stop: Stop,
    /// The number of programs. Locked while a program is written, as all programs share the support file.
    count: Mutex<usize>,
}

impl<'a> ReproductionWriter<'a> {
    /// Returns a writer that has written nothing.
    pub(crate) fn new(wanted: Reproductions<'a>, jdk: &'a Jdk, class_path: &'a [PathBuf], stop: &Stop) -> Self {
        Self { wanted, jdk, class_path, stop: stop.clone(), count: Mutex::new(0) }
    }

    /// Writes the program of a confirmed finding of a class, and runs it once.
    pub(crate) fn write(
        &self,
        class: &str,
        unit: &str,
        shown: &Demonstration,
        reproduction: &Reproduction,
    ) -> Result<Written, Error> {
        let Reproductions { folder, style } = self.wanted;
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        let program = Program { class, unit, shown, reproduction, style, number: *count + 1, writer: self };
        // A class that is not public needs a program in its own package.
        let packages = [None, class.rsplit_once('.').map(|(package, _)| package)];
        let written = packages.into_iter().find_map(|package| program.write(folder, package).transpose());
        match written.transpose()? {
            Some(file) => {
                *count += 1;
                Ok(Written::Program(file))
            }
            None if self.stop.is_reached() => Ok(Written::No("the run ended before its program was tried")),
            None => Ok(Written::No("no program reproduces it")),
        }
    }

    /// Runs a program. Returns whether it reports an outcome of no serial order and ends with code 1.
    fn fails(&self, file: &Path) -> bool {
        let Ok(class_path) = env::join_paths(self.class_path) else { return false };
        let mut command = Command::new(&self.jdk.java);
        command.arg("-cp").arg(class_path).arg(file);
        let ended = run_until(&mut command, &self.stop).ok().flatten();
        ended.is_some_and(|ended| ended.status.code() == Some(1) && ended.output.starts_with(b"not atomic"))
    }
}

/// A program for a finding.
struct Program<'a> {
    class: &'a str,
    unit: &'a str,
    shown: &'a Demonstration,
    reproduction: &'a Reproduction,
    style: ReproductionStyle,
    /// Counts the programs from 1; part of the name.
    number: usize,
    writer: &'a ReproductionWriter<'a>,
}

impl Program<'_> {
    /// Writes the program into a package, and returns its file. Removes it again if it does not reproduce the finding.
    fn write(&self, folder: &Path, package: Option<&str>) -> Result<Option<PathBuf>, Error> {
        let folder = package.map_or_else(|| folder.to_path_buf(), |package| folder.join(package.replace('.', "/")));
        let made = make_folders(&folder)?;
        let head = package.map_or_else(String::new, |package| format!("package {package};\n\n"));
        let put = |name: &str, text: String| -> Result<PathBuf, Error> {
            let file = folder.join(format!("{name}.java"));
            fs::write(&file, text).map_err(Operation::Write.on(&file))?;
            Ok(file)
        };
        let support = folder.join("AsercheckSupport.java");
        let had_support = support.is_file();
        put("AsercheckSupport", format!("{head}{}", support_text()))?;
        let name = format!("Reproduce{}", self.number);
        let file = put(&name, format!("{head}{}", self.text(&name, package, self.style == ReproductionStyle::Stress)))?;
        let mut shows = self.writer.fails(&file);
        if !shows && self.style == ReproductionStyle::Stress {
            put(&name, format!("{head}{}", self.text(&name, package, false)))?;
            shows = self.writer.fails(&file);
        }
        if !shows {
            fs::remove_file(&file).map_err(Operation::Remove.on(&file))?;
            if !had_support {
                fs::remove_file(&support).map_err(Operation::Remove.on(&support))?;
            }
            remove_empty(&made);
            return Ok(None);
        }
        if self.style == ReproductionStyle::Junit5 {
            put(&format!("{name}Test"), format!("{head}{}", self.junit(&name)))?;
        }
        Ok(Some(file))
    }

    /// Returns the Java text of the program.
    fn text(&self, name: &str, package: Option<&str>, is_stress: bool) -> String {
        let whole = package.map_or_else(|| name.to_string(), |package| format!("{package}.{name}"));
        let stress = [String::from("stress")];
        let steps = if is_stress { stress.as_slice() } else { self.reproduction.client.steps.as_slice() };
        let lines = |all: &[String]| all.iter().map(|one| format!("        {},\n", literal(one))).collect::<String>();
        let (tested, passed) = self.tested();
        include_str!("Reproduce.java.in")
            .replace("@TESTED@", &tested)
            .replace("@PASSED@", passed)
            .replace("@ABOUT@", &self.about())
            .replace("@NAME@", name)
            .replace("@WHOLE@", &whole)
            .replace("@STEPS@", &lines(steps))
            .replace("@CLASSES@", &lines(&self.reproduction.client.loaded))
            .replace("@CLIENT@", &self.reproduction.source)
    }

    /// Returns the declaration of the names of a test and the statement that passes them; nothing without a test.
    fn tested(&self) -> (String, &'static str) {
        let [class, test] = self.reproduction.tested.as_slice() else { return (String::new(), "") };
        let declaration = format!(
            "    /** The class of the object, and its test. The test and JUnit have to be in the class path. */\n    \
             private static final String[] TESTED = {{{}, {}}};\n\n",
            literal(class),
            literal(test)
        );
        (declaration, "        command.add(\"--\");\n        command.addAll(Arrays.asList(TESTED));\n")
    }

    /// Returns the lines of the comment of the class.
    fn about(&self) -> String {
        let mut lines = vec![
            format!("{}: {} is not atomic.", self.class, self.unit),
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

    /// Returns the Java text of the test class.
    fn junit(&self, name: &str) -> String {
        include_str!("ReproduceTest.java.in").replace("@NAME@", name)
    }
}

/// Makes a folder. Returns those that were not there before, the innermost first.
fn make_folders(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let is_missing = |one: &&Path| !one.as_os_str().is_empty() && !one.is_dir();
    let missing = folder.ancestors().take_while(is_missing).map(Path::to_path_buf).collect();
    fs::create_dir_all(folder).map_err(Operation::Create.on(folder))?;
    Ok(missing)
}

/// Removes folders, the innermost first, as long as they are empty.
fn remove_empty(folders: &[PathBuf]) {
    for folder in folders {
        if fs::remove_dir(folder).is_err() {
            return;
        }
    }
}

/// Returns a text as a literal of Java.
fn literal(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns the support file: its imports, then its classes.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_new_folders_without_files_are_removed() {
        let own = env::temp_dir().join(format!("asercheck-folders-{}", std::process::id()));
        fs::create_dir_all(own.join("old")).expect("a folder");
        let made = make_folders(&own.join("old/new/inner")).expect("folders");
        assert_eq!(made, [own.join("old/new/inner"), own.join("old/new")]);
        fs::write(own.join("old/new/file"), "").expect("a file");
        remove_empty(&made);
        assert!(own.join("old/new/file").is_file() && !own.join("old/new/inner").exists());
        fs::remove_file(own.join("old/new/file")).expect("a file");
        remove_empty(&make_folders(&own.join("old/new/inner")).expect("folders"));
        assert!(own.join("old/new").is_dir() && !own.join("old/new/inner").exists());
        fs::remove_dir_all(&own).expect("a folder");
    }
}
