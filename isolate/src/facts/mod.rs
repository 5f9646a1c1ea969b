//! What is true of the whole program while one subject is interpreted.
//!
//! Two types answer all questions, both by shared references: [`Heap`](heap::Heap) those of the program, and
//! [`SubjectFacts`](subject_facts::SubjectFacts) those that depend on the subject. Answers are found on first use and
//! kept ([`answers`], [`cache`], [`shared`]). Nothing here depends on abstract states: `exec` and `effects` use the
//! facts, and the facts use neither.
//!
//! | facts | files |
//! |---|---|
//! | objects of the program | `heap`, `objects`, `unknown_types`, `content_closures`, `globals` |
//! | | `reclassified`, `object_sets` |
//! | fields with one value | `construction`, `stored`, `configuration`, `library_fields`, `static_state` |
//! | | `library_results`, `parent_arguments` |
//! | followed objects | `regions`, `followed`, `subject_methods`, `mode`, `singletons`, `immutable`, `arrays` |
//! | | `array_changes` |
//! | owners and escapes | `confinement`, `foreign`, `publication`, `made_parts`, `new_objects` |
//! | | `new_results`, `origins`, `argument_flows`, `element_parts` |
//! | what calls may do | `may_touch`, `functions`, `function_arguments`, `selection`, `content_effects` |
//! | what clients may do | `client_values`, `returned_objects`, `universal_arguments`, `commuting_changes` |
//! | locks, keys and threads | `lock_objects`, `flag_protocol`, `single_key`, `one_thread`, `thread_runs` |
//! | | `once_values`, `lazy_values`, `taken_objects`, `work_counters`, `swapped` |
//! | code of methods | `method`, `terms` |

pub(crate) mod answers;
pub(crate) mod argument_flows;
mod array_changes;
pub(crate) mod arrays;
pub(crate) mod cache;
pub(crate) mod client_values;
pub(crate) mod commuting_changes;
pub(crate) mod configuration;
pub(crate) mod confinement;
pub(crate) mod construction;
pub(crate) mod content_closures;
pub(crate) mod content_effects;
pub(crate) mod element_parts;
pub(crate) mod entering;
pub(crate) mod flag_fields;
pub(crate) mod flag_protocol;
pub(crate) mod followed;
pub(crate) mod foreign;
pub(crate) mod function_arguments;
pub(crate) mod functions;
pub(crate) mod globals;
pub(crate) mod heap;
pub(crate) mod hidden_classes;
pub(crate) mod holders;
pub(crate) mod immutable;
pub(crate) mod key_stores;
pub(crate) mod keyed_classes;
pub(crate) mod lazy_values;
pub(crate) mod library_fields;
mod library_results;
pub(crate) mod lock_objects;
pub(crate) mod made_parts;
pub(crate) mod may_touch;
pub(crate) mod method;
pub(crate) mod method_origins;
pub(crate) mod mode;
pub(crate) mod narrowed;
pub(crate) mod new_objects;
pub(crate) mod new_results;
pub(crate) mod object_sets;
pub(crate) mod objects;
pub(crate) mod once_values;
pub(crate) mod one_thread;
pub(crate) mod origins;
mod parent_arguments;
pub(crate) mod publication;
pub(crate) mod reclassified;
pub(crate) mod regions;
pub(crate) mod returned_objects;
pub(crate) mod row_effects;
pub(crate) mod scala;
pub(crate) mod selection;
pub(crate) mod set_once;
pub(crate) mod shared;
pub(crate) mod single_key;
pub(crate) mod singletons;
pub(crate) mod static_state;
pub(crate) mod stored;
pub(crate) mod subject_facts;
pub(crate) mod subject_methods;
pub(crate) mod swapped;
pub(crate) mod taken_objects;
pub(crate) mod target;
pub(crate) mod terms;
pub(crate) mod thread_locals;
pub(crate) mod thread_runs;
pub(crate) mod universal_arguments;
pub(crate) mod unknown_types;
pub(crate) mod work_counters;
