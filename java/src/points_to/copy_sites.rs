//! Statements that copy objects, by number.

use super::constraints::CopySiteId;
use super::objects::Site;
use rustc_hash::FxHashMap;

/// Statements that copy objects.
#[derive(Default)]
pub(super) struct CopySites {
    sites: Vec<Site>,
    known: FxHashMap<Site, CopySiteId>,
}

impl CopySites {
    /// The number of a statement.
    pub(super) fn add(&mut self, site: Site) -> CopySiteId {
        if let Some(known) = self.known.get(&site) {
            return *known;
        }
        let id = CopySiteId(u32::try_from(self.sites.len()).expect("there are fewer statements than that"));
        self.sites.push(site);
        self.known.insert(site, id);
        id
    }

    pub(super) fn get(&self, id: CopySiteId) -> Site {
        self.sites[id.index()]
    }
}
