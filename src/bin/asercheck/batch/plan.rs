//! The plan of a batch: models, engines, questions and limits, all of them checked.

use super::header::{AutomatonEntry, Header, ModelEntry};
use super::protocol::Job;
use super::question::{Question, QuestionError};
use super::record::QueryKey;
use crate::stable_hash::content_hash;
use asercheck::answers::units_name;
use asercheck::model::Model;
use asercheck::query::Query;
use asercheck::records::Shard;
use asercheck::{Engine, Limits, Reduction, Reductions, SearchReduction, SearchReductions};

/// A model with its text.
#[derive(Clone, Debug)]
pub struct PlannedModel {
    /// Its file, as it was named.
    pub path: String,
    /// Its text.
    pub text: String,
    /// The model.
    pub model: Model,
    /// The reason why nothing that is asked can be violated in it, if that is so.
    pub vacuous: Option<String>,
}

/// The plan of a batch.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The models.
    pub models: Vec<PlannedModel>,
    /// The engines, each once.
    pub engines: Vec<Engine>,
    /// The questions about every model: one, or one for each unit mode.
    pub questions: Vec<Question>,
    /// The limits of each query.
    pub limits: Limits,
    /// The reductions before solving.
    pub reductions: Reductions,
    /// The reductions of the systematic search.
    pub search_reductions: SearchReductions,
    /// Whether each query is decided by itself, so that its time does not depend on others.
    pub separate: bool,
    /// The part of the queries that is decided.
    pub shard: Option<Shard>,
}

/// The queries of one model and question on one engine.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) model: usize,
    pub(super) question: usize,
    pub(super) engine: Engine,
    /// All queries, including those of other shards.
    pub(super) keys: Vec<QueryKey>,
    /// For each of them, whether it is safe without being decided.
    pub(super) trivial: Vec<bool>,
}

impl Plan {
    /// Returns the header of the batch.
    ///
    /// # Errors
    /// If a question does not fit a model; with the model's file, if the model is the reason.
    pub fn header(&self) -> Result<Header, (Option<String>, QuestionError)> {
        let mut header = Header::empty();
        header.engines = self.engines.iter().map(|engine| engine.name().to_string()).collect();
        header.units = self.questions.iter().map(|question| units_name(question.units()).to_string()).collect();
        header.no_reduce = self.switched_off();
        header.timeout = self.limits.timeout.map(|timeout| timeout.as_secs_f64());
        header.memory = self.limits.memory;
        header.separate = self.separate;
        header.shard = self.shard.map(|shard| shard.to_string());
        if let Some(question) = self.questions.first() {
            question.properties().map_err(|error| (None, error))?;
            header.patterns.clone_from(&question.patterns);
            (header.races, header.deadlocks) = (question.races, question.deadlocks);
            header.locations.clone_from(&question.locations);
            header.locks.clone_from(&question.locks);
            header.processes.clone_from(&question.processes);
            let entry =
                |(path, text): (&String, &String)| AutomatonEntry { path: path.clone(), sha256: content_hash(text) };
            header.automata = question.automata.iter().map(|own| entry((&own.path, &own.text))).collect();
        }
        for planned in &self.models {
            let (mut queries, mut unlisted) = (0, 0);
            for question in &self.questions {
                let asked = question.queries(&planned.model).map_err(|error| (Some(planned.path.clone()), error))?;
                queries += asked.queries.len();
                unlisted += asked.unlisted;
            }
            let sha256 = content_hash(&planned.text);
            let (path, vacuous) = (planned.path.clone(), planned.vacuous.clone());
            header.models.push(ModelEntry { path, sha256, queries, unlisted, vacuous });
        }
        Ok(header)
    }

    /// Returns all queries, in groups that can share work. Questions that do not fit the model have none.
    pub(super) fn groups(&self) -> Vec<Group> {
        let mut groups = Vec::new();
        for (model, planned) in self.models.iter().enumerate() {
            for (number, question) in self.questions.iter().enumerate() {
                let queries = question.queries(&planned.model).unwrap_or_default();
                let keys: Vec<_> = queries.queries.iter().map(|query| planned.key(question, query)).collect();
                let trivial = if self.separate { vec![false; keys.len()] } else { queries.trivial };
                let group = |engine: &Engine| {
                    let (keys, trivial) = (keys.clone(), trivial.clone());
                    Group { model, question: number, engine: *engine, keys, trivial }
                };
                groups.extend(self.engines.iter().map(group));
            }
        }
        groups
    }

    /// Returns the names of the reductions that are off, those of the systematic search last.
    fn switched_off(&self) -> Vec<String> {
        let off = Reduction::ALL.into_iter().filter(|reduction| !self.reductions.has(*reduction)).map(Reduction::name);
        let of_search = SearchReduction::ALL.into_iter().filter(|reduction| !self.search_reductions.has(*reduction));
        off.chain(of_search.map(SearchReduction::name)).map(String::from).collect()
    }

    /// Returns the job of a worker that decides queries of a group.
    pub(super) fn job(&self, group: &Group, numbers: Vec<usize>) -> Job {
        let PlannedModel { path, text, .. } = &self.models[group.model];
        Job {
            model: path.clone(),
            text: text.clone(),
            engine: group.engine.name().to_string(),
            question: self.questions[group.question].clone(),
            no_reduce: self.switched_off(),
            numbers,
            timeout: self.limits.timeout,
            memory: self.limits.memory,
        }
    }
}

impl PlannedModel {
    /// Returns the key of a query: the names of everything in it.
    pub(super) fn key(&self, question: &Question, query: &Query) -> QueryKey {
        let model = &self.model;
        QueryKey {
            model: self.path.clone(),
            units: units_name(question.units()).to_string(),
            automaton: query.property().label().to_string(),
            locations: query.locations().iter().map(|id| model.location(*id).name().to_string()).collect(),
            locks: query.locks().iter().map(|id| model.lock(*id).name().to_string()).collect(),
            processes: query.processes().iter().map(|id| model.process(*id).name().to_string()).collect(),
        }
    }
}
