//! The cause of a finding: the torn section, its accesses, and its violations.

use crate::violations::Section;
use decide::witness::Action;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// An access of the torn section.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TornAccess {
    /// The method.
    pub method: String,
    /// The source file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, from 1.
    pub line: u32,
    /// `read` or `write`.
    pub action: Action,
    /// The location.
    pub location: String,
}

/// A method with a torn section of a finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The method.
    pub method: String,
    /// The source file of the method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The first and the last line of the section.
    pub lines: [u32; 2],
    /// The fingerprint of the violations at this place alone.
    pub fingerprint: String,
    /// The unit that shows the place.
    pub unit: String,
    /// The locations of the violations at this place.
    pub locations: BTreeSet<String>,
}

/// The common cause of the violations of a finding.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cause {
    /// The method with the torn section.
    pub method: String,
    /// An identity of the method that does not change with the program around it.
    #[serde(skip)]
    pub identity: String,
    /// The source file of the section: that of the method, which is not always that of its accesses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The lines of the section: the first and the last.
    pub lines: [u32; 2],
    /// The accesses of all sections.
    pub accesses: Vec<TornAccess>,
    /// All places of the defect, that of the section first.
    #[serde(default)]
    pub places: Vec<Place>,
    /// All units that reach the accesses.
    pub units: Vec<String>,
    /// All interfering calls.
    pub by_all: Vec<String>,
    /// The violations one by one.
    pub members: Vec<Member>,
}

impl Cause {
    /// The method with the shown section, and its lines.
    pub(crate) fn section(&self) -> (&str, [u32; 2]) {
        (&self.method, self.lines)
    }
}

/// The violations of one unit on one set of locations.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Member {
    /// The unit.
    pub unit: String,
    /// The locations.
    pub locations: Vec<String>,
    /// The numbers of the patterns.
    pub patterns: Vec<usize>,
    /// The name of its most severe group.
    pub group: String,
    /// The reason why it is possibly benign, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub benign: Option<String>,
}

/// The cause of a single violation.
pub(super) fn cause_of(
    section: Option<Section>,
    accesses: Vec<TornAccess>,
    method: isolate::MethodMeaning,
    member: Member,
    by: Vec<String>,
) -> Cause {
    let (file, lines) = section.map_or((None, [0, 0]), |section| (section.file, [section.first, section.last]));
    Cause {
        method: method.name,
        identity: method.identity,
        file,
        lines,
        accesses,
        places: Vec::new(),
        units: vec![member.unit.clone()],
        by_all: by,
        members: vec![member],
    }
}
