//! A worker process: decides the queries that its runner sends.

use super::guard;
use super::protocol::{Job, Reply, Request};
use asercheck::answers::QueryRecord;
use asercheck::{
    Checker, Engine, Limits, Options, Reductions, SearchOptions, SearchReduction, SearchReductions, check, model,
    peak_memory,
};
use std::io::{self, BufRead, Write};
use std::process;
use std::sync::mpsc::{self, Receiver};
use std::thread;

/// Answers requests from the input on the output until there are no more. The process ends with the input, also in the
/// middle of a query.
///
/// # Errors
/// If the output cannot be written.
pub fn serve(input: impl BufRead + Send + 'static, output: impl Write) -> io::Result<()> {
    guard::die_with_parent();
    let (sender, requests) = mpsc::channel();
    thread::spawn(move || {
        for line in input.lines() {
            let request = line.ok().and_then(|line| serde_json::from_str(&line).ok());
            let Some(request) = request else { break };
            if sender.send(request).is_err() {
                break;
            }
        }
        process::exit(0);
    });
    Worker { requests, output }.run()
}

struct Worker<W> {
    requests: Receiver<Request>,
    output: W,
}

impl<W: Write> Worker<W> {
    fn run(mut self) -> io::Result<()> {
        let mut next = self.requests.recv().ok();
        while let Some(request) = next {
            next = match request {
                Request::Job(job) => self.job(&job)?,
                Request::Ask { .. } => return self.say(&Reply::Fault("asked before there is a job".to_string())),
            };
        }
        Ok(())
    }

    /// Works on a job until a request of another kind arrives, which it returns.
    fn job(&mut self, job: &Job) -> io::Result<Option<Request>> {
        if let Some(limit) = job.memory {
            guard::limit_memory(limit);
        }
        let Ok(loaded) = model::from_text(&job.model, &job.text) else { return self.refuse("the model is wrong") };
        let model = loaded.model;
        let Ok(listed) = job.question.queries(&model) else { return self.refuse("the question is wrong") };
        let queries = listed.queries;
        let Some(options) = job.options() else { return self.refuse("the options are wrong") };
        let shared: Vec<_> = job.numbers.iter().filter_map(|number| queries.get(*number).cloned()).collect();
        let mut checker = Checker::new(&model, &shared, options.clone());
        self.say(&Reply::Ready { memory: peak_memory() })?;
        loop {
            let (number, alone) = match self.requests.recv().ok() {
                Some(Request::Ask { number, alone }) => (number, alone),
                other => return Ok(other),
            };
            let Some(query) = queries.get(number) else { return self.refuse("there is no such query") };
            guard::reset_peak_memory();
            let outcome = if alone { check(&model, query, &options) } else { checker.check(query) };
            let reply = match outcome {
                Ok(outcome) => {
                    Reply::Answer { record: QueryRecord::new(&model, query, &outcome), memory: peak_memory() }
                }
                Err(error) => Reply::Fault(error.to_string()),
            };
            self.say(&reply)?;
        }
    }

    /// Reports a request that cannot be used. The runner has checked it, so that runner and worker are different
    /// programs.
    fn refuse(&mut self, why: &str) -> io::Result<Option<Request>> {
        self.say(&Reply::Fault(why.to_string()))?;
        Ok(None)
    }

    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        let line = serde_json::to_string(reply)? + "\n";
        self.output.write_all(line.as_bytes())?;
        self.output.flush()
    }
}

impl Job {
    fn options(&self) -> Option<Options> {
        let (mut reductions, mut search) = (Reductions::all(), SearchReductions::all());
        for name in &self.no_reduce {
            match name.parse::<SearchReduction>() {
                Ok(off) => search = search.without(off),
                Err(_) => reductions = reductions.without(name.parse().ok()?),
            }
        }
        let memory = self.memory.map(guard::soft_limit);
        let options = Options::default()
            .with_engine(self.engine.parse::<Engine>().ok()?)
            .with_limits(Limits::default().with_timeout(self.timeout).with_memory(memory))
            .with_reductions(reductions)
            .with_search(SearchOptions::default().with_reductions(search));
        Some(options)
    }
}
