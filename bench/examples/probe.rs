use asercheck::{Engine, Limits, Options, Verdict, check_all, model};
use asercheck_bench::compare::pattern_queries;
use asercheck_bench::family::{self, Size};
use std::time::{Duration, Instant};
fn main() {
    let a: Vec<usize> = std::env::args().skip(2).map(|x| x.parse().unwrap()).collect();
    let engine: Engine = std::env::args().nth(1).unwrap().parse().unwrap();
    let size = Size { statements: a[0], depth: a[1], locks: a[2], locations: a[3], processes: a[4] };
    let text = family::model(&size, a.get(5).copied().unwrap_or(1) as u64);
    let t = Instant::now();
    let model = model::from_text("r", &text).unwrap().model;
    let parse = t.elapsed();
    let q = pattern_queries(&model, asercheck::phases::UnitMode::Both);
    let t = Instant::now();
    let o = Options {
        engine,
        limits: Limits { timeout: Some(Duration::from_secs(120)), ..Limits::default() },
        ..Options::default()
    };
    let mut times = vec![];
    let r = check_all(&model, &q, &o, |_, o| times.push(o.time)).unwrap();
    let v = r.iter().filter(|o| matches!(o.verdict, Verdict::Violation(_))).count();
    let u = r.iter().filter(|o| matches!(o.verdict, Verdict::Unknown(_))).count();
    let rss = std::fs::read_to_string("/proc/self/status").unwrap();
    let rss = rss.lines().find(|l| l.starts_with("VmHWM")).unwrap();
    println!(
        "{size:?} nodes {} parse {parse:?} queries {} violations {v} unknown {u} total {:?} first {:?} max {:?} {rss}",
        model.nodes().len(),
        q.len(),
        t.elapsed(),
        times[0],
        times.iter().max()
    );
}
