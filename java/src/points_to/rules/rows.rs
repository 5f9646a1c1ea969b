//! Selection of the rows of the library table that calls run, and of their receivers.

use crate::class_file::Member;
use crate::library::{Action, Row, UNKNOWN};
use crate::points_to::constraints::{CallId, Constraint, Field, NodeId};
use crate::points_to::library_calls::row_key;
use crate::points_to::objects::Object;
use crate::points_to::sets::SetId;
use crate::points_to::state::State;
use crate::points_to::types::TypeId;

impl<'p> State<'p> {
    /// Returns the row of a method for objects of a type.
    pub(super) fn find_row(&mut self, of: TypeId, member: Member) -> Option<Row<'p>> {
        let place = (of, member.class, member.name, member.descriptor);
        if let Some(known) = self.library_calls.row_cache.get(&place) {
            return *known;
        }
        let library = self.library;
        let [name, descriptor] = [member.name, member.descriptor].map(|name| self.program.text(name));
        let of_class = |class: &str| library.find(class, name, descriptor);
        let mut found = None;
        for supertype in self.types.supertypes(of) {
            let text = if of == TypeId::OBJECT { UNKNOWN } else { self.types.text(*supertype) };
            found = found.or_else(|| of_class(text));
            if name == "<init>" {
                break;
            }
        }
        let found = found.or_else(|| of_class(self.program.text(member.class)));
        self.library_calls.row_cache.insert(place, found);
        found
    }

    /// Lets a call run the row for objects of a type on these receivers.
    pub(super) fn run_row(&mut self, id: CallId, of: TypeId, receivers: SetId) {
        let call = self.calls.get(id);
        let (member, callees) = (call.member, call.callees);
        let rows = self.find_rows(of, member);
        if rows.is_empty() {
            return self.run_unknown(id, receivers);
        }
        self.calls.callees_mut(callees).rows = true;
        for row in rows {
            if row.is_nothing() {
                self.return_value(id);
            } else {
                let receiver = self.receiver_of_row(id, row);
                self.flow(receivers, receiver);
            }
        }
        self.run_on_viewed(id, receivers);
    }

    /// A call on a view of a program object, such as `Collections.synchronizedList(list)`, calls the method of the same
    /// name on the object, and the methods by which the library reads it; their results are in its content.
    fn run_on_viewed(&mut self, id: CallId, receivers: SetId) {
        for receiver in self.objects_in(receivers) {
            let Object::View { base, .. } = *self.objects.get(receiver) else { continue };
            let is_given = self.types.class(self.objects.type_of(base)).is_some();
            if !is_given || !self.library_calls.viewed.insert((id, base)) {
                continue;
            }
            let [viewed, shown] = [self.node(), self.node()];
            self.add(base, viewed);
            let results = self.traverse_all(id, viewed);
            self.edge(results, shown);
            self.constrain(results, Constraint::LoadAll(shown));
            self.store(viewed, Field::Content, shown);
            let base = self.sets.one(base.0);
            self.call_on(id, base);
        }
    }

    /// Whether a row of a method calls more than one function.
    pub(super) fn calls_several_functions(&mut self, of: TypeId, member: Member) -> bool {
        let calls = |action: &&Action| matches!(action, Action::Calls(_) | Action::Runs(_));
        self.find_rows(of, member).iter().any(|row| row.actions.iter().filter(calls).count() > 1)
    }

    /// Returns the row of a method for objects of a type, and those of the classes that such an object may become.
    fn find_rows(&mut self, of: TypeId, member: Member) -> Vec<Row<'p>> {
        let own = self.find_row(of, member);
        let library = self.library;
        let others: Vec<&str> = library.may_become(self.types.text(of));
        let mut rows: Vec<Row<'p>> = own.into_iter().collect();
        for class in others {
            let of = self.types.of_text(class);
            rows.extend(self.find_row(of, member).filter(|row| own.is_none_or(|own| row_key(&own) != row_key(row))));
        }
        rows
    }

    /// Lets a call of exactly one method run the row of a type.
    pub(super) fn run_row_directly(&mut self, id: CallId, of: TypeId) {
        let call = self.calls.get(id);
        let (member, callees, receiver) = (call.member, call.callees, call.receiver());
        let rows = self.find_rows(of, member);
        if rows.is_empty() {
            receiver.into_iter().for_each(|receiver| self.escape(receiver));
            return self.run_unknown(id, SetId::EMPTY);
        }
        self.calls.callees_mut(callees).rows = true;
        for row in rows {
            match receiver {
                _ if row.is_nothing() => self.return_value(id),
                Some(from) => {
                    let to = self.receiver_of_row(id, row);
                    self.edge(from, to);
                }
                None if self.library_calls.ran.insert((id, row_key(&row))) => self.run_frame(id, row, None),
                None => {}
            }
        }
    }

    /// Returns the node of the receivers on which a call runs a row; runs the row if it is new.
    fn receiver_of_row(&mut self, id: CallId, row: Row<'p>) -> NodeId {
        if let Some(known) = self.library_calls.receivers.get(&(id, row_key(&row))) {
            return *known;
        }
        let receiver = self.node();
        self.library_calls.receivers.insert((id, row_key(&row)), receiver);
        self.run_frame(id, row, Some(receiver));
        receiver
    }

    /// Lets the library run a row on an object, within another row.
    pub(super) fn run_nested_row(&mut self, id: CallId, row: Row<'p>, receiver: SetId, soup: NodeId, results: NodeId) {
        let (this, arguments, result) = match self.library_calls.nested.get(&(id, row_key(&row))) {
            Some(known) => *known,
            None => self.start_nested_row(id, row),
        };
        self.flow(receiver, this);
        self.edge(soup, arguments);
        self.edge(result, results);
    }

    fn start_nested_row(&mut self, id: CallId, row: Row<'p>) -> (NodeId, NodeId, NodeId) {
        let nodes = (self.node(), self.node(), self.node());
        self.library_calls.nested.insert((id, row_key(&row)), nodes);
        self.run_nested_frame(id, row, nodes);
        nodes
    }
}
