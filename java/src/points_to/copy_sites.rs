//! Allocation sites of copies, by number.

use super::constraints::CopySiteId;
use super::objects::Site;
use rustc_hash::FxHashMap;

/// The statements that copy objects.
#[derive(Default)]
pub(super) struct CopySites {
    sites: Vec<Site>,
    known: FxHashMap<Site, CopySiteId>,
}

impl CopySites {
    /// Returns the number of a statement; adds it if it is new.
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
