//! The order of the modules, read from their `use` lines: no module uses one of a higher layer, and no folders use each
//! other.
//!
//! A folder is a module; files of one folder belong together and may name each other. `docs/architecture.md` describes
//! the layers. Tests inside of `src` may use everything.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the library, each above all that it uses.
const LAYERS: [&str; 18] = [
    "limits",
    "reductions",
    "eml",
    "model",
    "isolate",
    "semantics",
    "locking",
    "query",
    "witness",
    "encode",
    "engine",
    "check",
    "results",
    "findings",
    "check_all",
    "verdict",
    "records",
    "lib",
];

/// The crates whose folders are looked at.
const CRATES: [&str; 5] = ["src", "java/src", "wpds/src", "lockhist/src", "phases/src"];

/// The path of a module below the root of its crate.
type Module = Vec<String>;

/// Which modules a module uses.
type Uses = BTreeMap<Module, BTreeSet<Module>>;

#[test]
fn no_module_uses_a_higher_layer() {
    let uses = uses_of("src");
    let layer = |module: &Module| {
        let name = module.first().map_or("lib", String::as_str);
        let found = LAYERS.iter().position(|layer| *layer == name);
        found.unwrap_or_else(|| panic!("`{name}` has no place in the layers"))
    };
    let mut upward = Vec::new();
    let mut count = 0;
    for (module, used) in &uses {
        for used in used.iter().filter(|used| !used.is_empty()) {
            count += 1;
            if layer(used) > layer(module) {
                upward.push(format!("{} uses {}", module.join("::"), used.join("::")));
            }
        }
    }
    assert!(count > 500, "only {count} uses were found");
    assert_eq!(upward, [""; 0]);
}

#[test]
fn folders_do_not_use_each_other() {
    for root in CRATES {
        let cycles = cycles_of_folders(&uses_of(root));
        assert_eq!(cycles, [""; 0], "{root}");
    }
}

/// A statement of the language stands in at most ten files, as `docs/architecture.md` says of a new one.
#[test]
fn statements_stand_in_few_files() {
    let sources = sources("src");
    let ast = &sources[&PathBuf::from("eml/ast.rs")];
    let declared = ast.split_once("pub enum StatementKind {").and_then(|(_, rest)| rest.split_once("\n}"));
    let declared = declared.expect("the enumeration of statements").0;
    let variant = Regex::new(r"(?m)^    ([A-Z]\w*)").expect("an expression");
    let kinds: Vec<&str> = variant.captures_iter(declared).map(|found| found.extract::<1>().1[0]).collect();
    assert!(kinds.len() >= 19, "{kinds:?}");
    for kind in kinds {
        let name = Regex::new(&format!(r"StatementKind::{kind}\b")).expect("an expression");
        let files: Vec<_> = sources.iter().filter(|(_, text)| name.is_match(text)).map(|(path, _)| path).collect();
        assert!(files.len() <= 10, "{kind}: {files:?}");
    }
}

/// Only the list of the engines names each of them; only that of the forms names each form.
#[test]
fn lists_are_the_only_ones_to_name_all() {
    let named = Regex::new(r"Engine::(Symbolic|KahlonGupta|Cpds|Interleave)\b").expect("an expression");
    let form = Regex::new(r"\b(Sarif|Github|Junit)\b").expect("an expression");
    let sources = sources("src");
    for (path, text) in &sources {
        assert!(!named.is_match(text), "{} names an engine", path.display());
        let is_form = path.starts_with("bin/asercheck/report/forms");
        assert!(is_form || !form.is_match(text), "{} names a form", path.display());
    }
    let list = &sources[&PathBuf::from("engine/registry.rs")];
    assert_eq!(list.matches("    Symbolic => symbolic::Symbolic,").count(), 1);
}

/// What is read of a text: paths, with braces.
#[test]
fn uses_are_read() {
    let text = "use crate::a::{b::C, d::{self, E}};\nuse super::f::G;\n// crate::no\nfn h() { super::super::i::j() }";
    let paths: Vec<String> = paths(text).into_iter().map(|path| path.join("::")).collect();
    assert_eq!(paths, ["crate::a::b::C", "crate::a::d::self", "crate::a::d::E", "super::f::G", "super::super::i::j"]);
    let uses = |pairs: &[[&str; 2]]| -> Uses {
        let module = |text: &str| text.split("::").map(String::from).collect::<Module>();
        let mut uses = Uses::new();
        for [from, to] in pairs {
            uses.entry(module(from)).or_default().insert(module(to));
            uses.entry(module(to)).or_default();
        }
        uses
    };
    assert_eq!(cycles_of_folders(&uses(&[["a::x", "b::y"], ["b::z", "c::w"]])), [""; 0]);
    assert_eq!(cycles_of_folders(&uses(&[["a::x", "b::y"], ["b::z", "c::w"], ["c::v", "a::u"]])), ["a, b, c"]);
    assert_eq!(cycles_of_folders(&uses(&[["a::x", "a::y"], ["a::y", "a::x"]])), [""; 0], "files of one folder");
}

/// The files of a folder with their code, without comments and tests.
fn sources(root: &str) -> BTreeMap<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(root);
    let mut found = BTreeMap::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".rs") && name != "tests.rs" && name != "test_support.rs" {
                let text = code(&fs::read_to_string(&path).expect("a source"));
                found.insert(path.strip_prefix(&root).expect("below the root").to_path_buf(), text);
            }
        }
    }
    found
}

/// A text without comments and tests.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The uses of all modules of a crate, but for tests and for the command.
fn uses_of(root: &str) -> Uses {
    let mut modules: BTreeMap<Module, String> = BTreeMap::new();
    for (path, text) in sources(root) {
        let path = path.with_extension("");
        let mut module: Module = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if ["mod", "lib"].contains(&module.last().map_or("", String::as_str)) {
            module.pop();
        }
        if !module.iter().any(|part| part == "bin") {
            modules.insert(module, text);
        }
    }
    let resolved = |module: &Module, path: Vec<String>| {
        let above = path.iter().take_while(|part| *part == "super").count();
        let base = if path[0] == "crate" { 0 } else { module.len() - above };
        let rest = path.into_iter().skip(above.max(1));
        let mut full: Module = module.iter().take(base).cloned().chain(rest).collect();
        while !modules.contains_key(&full) {
            full.pop().expect("the root is a module");
        }
        full
    };
    let of = |(module, text): (&Module, &String)| {
        let used: BTreeSet<Module> = paths(text).into_iter().map(|path| resolved(module, path)).collect();
        (module.clone(), used.into_iter().filter(|used| used != module).collect())
    };
    modules.iter().map(of).collect()
}

/// The paths in a text that begin with `crate` or `super`, without comments and tests.
fn paths(text: &str) -> Vec<Vec<String>> {
    let code = code(text);
    let begin = Regex::new(r"(^|[^:\w])((?:crate|super)::)").expect("a pattern");
    let mut found = Vec::new();
    for captures in begin.captures_iter(&code) {
        let start = captures.get(2).expect("the second group").start();
        expand(&code[start..], &mut found);
    }
    found
}

/// The paths of one tree of a `use` line, which stands at the beginning of a text.
fn expand(text: &str, found: &mut Vec<Vec<String>>) {
    let token = Regex::new(r"^(\s*)(\w+|::|[{},*])").expect("a pattern");
    let mut path: Vec<String> = Vec::new();
    // The lengths of the paths at which braces were opened.
    let mut opened: Vec<usize> = Vec::new();
    let mut rest = text;
    let mut was_name = false;
    while let Some(captures) = token.captures(rest) {
        let (space, next) = (&captures[1], &captures[2]);
        let ends_here = |path: &Vec<String>| path.len() > opened.last().copied().unwrap_or(0);
        match next {
            "::" => was_name = false,
            "{" if !was_name => opened.push(path.len()),
            "*" if !was_name => {}
            "," | "}" if !opened.is_empty() => {
                if ends_here(&path) {
                    found.push(path.clone());
                }
                if next == "}" {
                    opened.pop();
                }
                path.truncate(opened.last().copied().unwrap_or(path.len()));
                was_name = next == "}";
                if opened.is_empty() {
                    return;
                }
            }
            name if !was_name && name.chars().all(|one| one.is_alphanumeric() || one == '_') => {
                path.push(name.to_string());
                was_name = true;
            }
            // `as` and the new name.
            _ if was_name && !opened.is_empty() && !space.is_empty() => {}
            _ => break,
        }
        rest = &rest[captures[0].len()..];
    }
    if !path.is_empty() {
        found.push(path);
    }
}

/// The sets of folders of one folder that reach each other, as text.
fn cycles_of_folders(uses: &Uses) -> Vec<String> {
    let is_folder = |path: &[String]| uses.keys().any(|module| module.len() > path.len() && module.starts_with(path));
    let parents: BTreeSet<&[String]> =
        uses.keys().flat_map(|module| (0..module.len()).map(|end| &module[..end])).collect();
    let mut cycles = Vec::new();
    for parent in parents {
        let depth = parent.len();
        let is_inside = |module: &Module| module.len() > depth && module.starts_with(parent);
        let mut children: DiGraph<&str, ()> = DiGraph::new();
        let mut nodes: BTreeMap<&str, NodeIndex> = BTreeMap::new();
        for (from, all) in uses.iter().filter(|(from, _)| is_inside(from)) {
            for to in all.iter().filter(|to| is_inside(to)) {
                let [from, to] = [&from[depth], &to[depth]]
                    .map(|name| *nodes.entry(name).or_insert_with(|| children.add_node(name)));
                children.update_edge(from, to, ());
            }
        }
        for component in kosaraju_scc(&children) {
            let mut names: Vec<&str> = component.into_iter().map(|node| children[node]).collect();
            names.sort_unstable();
            let path = |name: &str| -> Vec<String> { parent.iter().cloned().chain([name.to_string()]).collect() };
            if names.iter().filter(|name| is_folder(&path(name))).count() > 1 {
                cycles.push(names.join(", "));
            }
        }
    }
    cycles
}
