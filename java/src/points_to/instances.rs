//! Objects that are looked up by their type: a node for all objects of a type that the program allocates.

use super::constraints::NodeId;
use super::objects::ObjectId;
use super::state::State;
use super::types::{Relation, TypeId};

impl State<'_> {
    /// Lets any object of a type flow to a node: external objects, and those that the program allocates. For the type
    /// `Object` only escaped objects do: a lookup by reflection is assumed to find only objects that it may have.
    pub(super) fn flow_instances(&mut self, of: TypeId, to: NodeId) {
        let external = self.external(of);
        self.add(external, to);
        if of == TypeId::OBJECT || self.is_value_class(of) {
            return;
        }
        let node = match self.instances.get(&of) {
            Some(known) => *known,
            None => self.new_instance_node(of),
        };
        self.edge(node, to);
    }

    /// Adds the node of all objects of a type that the program allocates.
    fn new_instance_node(&mut self, of: TypeId) -> NodeId {
        let node = self.graph.add_node(of);
        self.instances.insert(of, node);
        let made = self.objects.all().filter(|(_, object)| object.site().is_some()).map(|(id, _)| id);
        for object in made.collect::<Vec<_>>() {
            self.add_if_instance(object, of, node);
        }
        node
    }

    /// Adds a new object to the nodes of its types that are looked up.
    pub(super) fn add_to_instances(&mut self, object: ObjectId) {
        if self.instances.is_empty() || self.objects.get(object).site().is_none() {
            return;
        }
        for (of, node) in self.instances.clone() {
            self.add_if_instance(object, of, node);
        }
    }

    fn add_if_instance(&mut self, object: ObjectId, of: TypeId, node: NodeId) {
        if self.types.relation(self.objects.type_of(object), of) == Relation::Yes {
            self.add(object, node);
        }
    }
}
