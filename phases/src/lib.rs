//! Indexed phase automata: text form, validation and the fourteen patterns of atomic-set serializability.
