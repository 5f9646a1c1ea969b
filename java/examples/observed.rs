#[path = "../tests/suite/observed/check.rs"]
mod check;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (program, _) = java::Program::load(&[a[1].clone().into()], &[], &java::Limits::default());
    let library = java::library::Library::builtin();
    let mode = match a.get(3) { None => java::points_to::Mode::Client(Default::default()),
      Some(m) => java::points_to::Mode::Main(program.declared_method(program.find(m).unwrap(), program.name("main").unwrap(), program.name("([Ljava/lang/String;)V").unwrap()).unwrap()) };
    let found = java::points_to::PointsTo::new(&program, &library, mode, &|| false).unwrap();
    let facts = std::fs::read_to_string(&a[2]).unwrap();
    let missing = check::missing(&program, &found, &facts);
    println!("{} facts, {} understood, {} missing", facts.lines().count(), check::understood(&program, &found, &facts), missing.len());
    for m in missing.iter().take(40) { println!("  {m}"); }
}
