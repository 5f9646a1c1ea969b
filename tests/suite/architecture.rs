//! The structure of the code, read from `Cargo.toml` files and `use` lines: crates depend on each other in one
//! direction only, and neither folders nor files of a crate use each other in a circle.
//!
//! A file uses another one if it names a path into it. An item that a module only re-exports counts as an item of the
//! file that defines it. Unit tests may use everything. `docs/architecture.md` describes the crates.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates of the product with the crates that each may depend on.
const CRATES: [(&str, &[&str]); 16] = [
    ("checker", &[]),
    ("limits", &[]),
    ("phases", &[]),
    ("lockhist", &[]),
    ("wpds", &[]),
    ("java", &[]),
    ("eml", &["phases"]),
    ("certify", &["eml", "limits", "phases"]),
    ("decide", &["eml", "limits", "lockhist", "phases", "wpds"]),
    ("isolate", &["eml", "java", "limits"]),
    ("repair", &["decide", "eml", "isolate", "java"]),
    ("audit", &["decide", "eml", "isolate", "java", "limits", "phases"]),
    ("confirm", &["audit", "decide", "isolate", "java", "limits"]),
    // The facade has no folder of its own.
    ("python", &[""]),
    ("capi", &[""]),
    (".", &["audit", "certify", "confirm", "decide", "eml", "isolate", "java", "limits", "phases", "repair"]),
];

/// The folders of `isolate/src` that interpret a subject; each uses only those before it.
const LAYERS: [&str; 5] = ["facts", "exec", "effects", "translation", "modes"];

/// The path of a module below the root of its crate.
type Module = Vec<String>;

/// Which modules a module uses.
type Uses = BTreeMap<Module, BTreeSet<Module>>;

#[test]
fn crates_depend_in_one_direction() {
    let path = Regex::new(r#"path = "\.*/*([^"]*)""#).expect("an expression");
    for (name, allowed) in CRATES {
        let Some(manifest) = read(&format!("{name}/Cargo.toml")) else { panic!("there is no crate `{name}`") };
        let dependencies = manifest.split("[dependencies]").nth(1).expect("the dependencies");
        let dependencies = dependencies.split("\n[").next().unwrap_or_default();
        let used: Vec<&str> = path.captures_iter(dependencies).map(|found| found.extract::<1>().1[0]).collect();
        let wrong: Vec<&&str> = used.iter().filter(|used| !allowed.contains(used)).collect();
        assert!(wrong.is_empty(), "`{name}` depends on {wrong:?}");
    }
}

#[test]
fn files_do_not_use_each_other_in_circles() {
    let mut found = Vec::new();
    let mut count = 0;
    for (name, _) in CRATES {
        let uses = uses_of(&format!("{name}/src"));
        count += uses.values().map(BTreeSet::len).sum::<usize>();
        found.extend(circles(&uses).into_iter().map(|circle| format!("{name}: {}", circle.join(" "))));
    }
    assert!(count > 1500, "only {count} uses were found");
    assert!(found.is_empty(), "circles of files:\n{}", found.join("\n"));
}

#[test]
fn folders_do_not_use_each_other() {
    for (name, _) in CRATES {
        let cycles = cycles_of_folders(&uses_of(&format!("{name}/src")));
        assert_eq!(cycles, [""; 0], "{name}");
    }
}

/// Facts know nothing of states, and the machine knows nothing of the effects of rows, which it calls by a trait.
#[test]
fn layers_use_the_ones_below() {
    let layer = |module: &Module| LAYERS.iter().position(|layer| module.first().is_some_and(|folder| folder == layer));
    let uses = uses_of("isolate/src");
    let mut wrong = Vec::new();
    for (from, all) in &uses {
        let above = all.iter().filter(|to| layer(from).zip(layer(to)).is_some_and(|(from, to)| from < to));
        wrong.extend(above.map(|to| format!("{} uses {}", from.join("::"), to.join("::"))));
    }
    // Files of one type can call its methods without a path.
    let method = Regex::new(r"pub\(crate\) fn (\w+)").expect("a pattern");
    let of = |layers: &[&str]| -> String {
        layers.iter().flat_map(|layer| sources(&format!("isolate/src/{layer}")).into_values()).collect()
    };
    let below = of(&LAYERS[..2]);
    let methods = of(&["effects"]);
    let called = method.captures_iter(&methods).map(|found| format!(".{}(", &found[1]));
    wrong.extend(called.filter(|call| below.contains(call.as_str())).map(|call| format!("`{call}` is called below")));
    let empty = LAYERS.iter().find(|name| !uses.keys().any(|module| module.first().is_some_and(|it| it == *name)));
    assert_eq!((wrong, empty), (Vec::new(), None));
}

/// A statement of the language stands in at most ten files, as `docs/architecture.md` says of a new one.
#[test]
fn statements_stand_in_few_files() {
    let sources: Vec<(PathBuf, String)> = CRATES.iter().flat_map(|(name, _)| sources(&format!("{name}/src"))).collect();
    let (_, ast) = sources.iter().find(|(path, _)| path.ends_with("syntax/ast.rs")).expect("the syntax tree");
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

/// Only the list of the engines names each of them; only the list of forms names each form.
#[test]
fn lists_are_the_only_ones_to_name_all() {
    let engine = Regex::new(r"Engine::(Symbolic|KahlonGupta|Cpds|Interleave)\b").expect("an expression");
    let form = Regex::new(r"\b(Sarif|Github|Junit)\b").expect("an expression");
    for (path, text) in CRATES.iter().flat_map(|(name, _)| sources(&format!("{name}/src"))) {
        assert!(!engine.is_match(&text), "{} names an engine", path.display());
        let is_form = path.starts_with("bin/asercheck/report/forms");
        assert!(is_form || !form.is_match(&text), "{} names a form", path.display());
    }
    let list = read("decide/src/engine/registry.rs").expect("the list of engines");
    assert_eq!(list.matches("    Symbolic => ").count(), 1);
}

/// Paths with braces are read in full.
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

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> Option<String> {
    fs::read_to_string(workspace().join(path)).ok()
}

/// The files of a folder with their code, without comments and tests.
fn sources(root: &str) -> BTreeMap<PathBuf, String> {
    let root = workspace().join(root);
    let mut found = BTreeMap::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".rs")
                && name != "tests.rs"
                && name != "test_support.rs"
                && name != "brute_force.rs"
                && name != "worked_example.rs"
            {
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

/// The uses of all modules of a crate, without tests; those of the command, too.
fn uses_of(root: &str) -> Uses {
    let mut modules: BTreeMap<Module, String> = BTreeMap::new();
    for (path, text) in sources(root) {
        let path = path.with_extension("");
        let mut module: Module = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if ["mod", "lib", "main"].contains(&module.last().map_or("", String::as_str)) {
            module.pop();
        }
        modules.insert(module, text);
    }
    let exports = exports(&modules);
    let resolved = |module: &Module, path: Vec<String>| {
        let mut full = absolute(&modules, module, path);
        let mut item: Vec<String> = Vec::new();
        loop {
            while !modules.contains_key(&full) {
                item.push(full.pop().expect("the root is a module"));
            }
            let Some(name) = item.pop() else { return full };
            match exports.get(&(full.clone(), name.clone())) {
                Some(target) => {
                    full.clone_from(target);
                    item.push(name);
                }
                None => return full,
            }
        }
    };
    let of = |(module, text): (&Module, &String)| {
        let used: BTreeSet<Module> = paths(text).into_iter().map(|path| resolved(module, path)).collect();
        (module.clone(), used.into_iter().filter(|used| used != module).collect())
    };
    modules.iter().map(of).collect()
}

/// A path from the root of the crate. The command is a crate of its own inside of the package.
fn absolute(modules: &BTreeMap<Module, String>, module: &Module, path: Vec<String>) -> Module {
    let above = path.iter().take_while(|part| *part == "super").count();
    let command = ["bin", "asercheck"].map(String::from);
    let base = match path[0].as_str() {
        "crate" if module.starts_with(&command) => command.len(),
        "crate" => 0,
        "super" => module.len() - above,
        _ => module.len(),
    };
    let rest = path.into_iter().skip(above.max(1));
    let full: Module = module.iter().take(base).cloned().chain(rest).collect();
    debug_assert!(modules.contains_key(module));
    full
}

/// The modules of the items that modules re-export from their own folder, by module and name.
fn exports(modules: &BTreeMap<Module, String>) -> BTreeMap<(Module, String), Module> {
    let line = Regex::new(r"pub(?:\([a-z]+\))? use (?:self::)?([^;]+);").expect("an expression");
    let mut exports = BTreeMap::new();
    for (module, text) in modules {
        for found in line.captures_iter(text) {
            for path in paths(&format!("self::{}", &found[1])) {
                let from: Module = module.iter().cloned().chain(path[1..path.len() - 1].iter().cloned()).collect();
                if from != *module && modules.contains_key(&from) {
                    exports.insert((module.clone(), path[path.len() - 1].clone()), from);
                }
            }
        }
    }
    exports
}

/// The sets of files that reach each other, by the paths of their modules.
fn circles(uses: &Uses) -> Vec<Vec<String>> {
    let mut graph: DiGraph<&Module, ()> = DiGraph::new();
    let nodes: BTreeMap<&Module, NodeIndex> = uses.keys().map(|module| (module, graph.add_node(module))).collect();
    for (from, all) in uses {
        for to in all {
            graph.update_edge(nodes[from], nodes[to], ());
        }
    }
    let components = kosaraju_scc(&graph).into_iter().filter(|component| component.len() > 1);
    let names = |component: Vec<NodeIndex>| {
        let mut names: Vec<String> = component.into_iter().map(|node| graph[node].join("::")).collect();
        names.sort_unstable();
        names
    };
    components.map(names).collect()
}

/// The paths in a text that begin with `crate` or `super`, without comments and tests.
fn paths(text: &str) -> Vec<Vec<String>> {
    let code = code(text);
    let begin = Regex::new(r"(^|[^:\w])((?:crate|super|self)::)").expect("a pattern");
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
