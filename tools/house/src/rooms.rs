//! The rooms of a crate, which are the modules right below its root, and which of them names which.

use std::collections::BTreeSet;

use crate::Offence;
use crate::module_tree::ModuleTree;

/// Rooms in their order: each may name itself and those above it.
pub(crate) struct Rooms<'a>(Vec<&'a str>);

impl<'a> Rooms<'a> {
    /// The first word of each line of a table that is neither blank nor a comment.
    pub(crate) fn of_table(text: &'a str) -> Self {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        Self(lines.filter_map(|line| line.split_whitespace().next()).collect())
    }

    /// Whether a room may name another one.
    pub(crate) fn may_name(&self, user: &str, used: &str) -> bool {
        let place = |room| self.0.iter().position(|&other| other == room);
        place(user) >= place(used)
    }

    /// What each module names of rooms below its own: each path once.
    ///
    /// # Errors
    /// If the table has a room that the crate has not, or the other way round.
    pub(crate) fn offences(&self, tree: &ModuleTree) -> Result<Vec<Offence>, String> {
        let (listed, there) = (self.0.iter().copied().collect(), tree.rooms().collect::<BTreeSet<_>>());
        if let Some(room) = there.difference(&listed).next() {
            return Err(format!("rooms.txt has no line for the room `{room}`: give it one, in its place"));
        }
        if let Some(room) = listed.difference(&there).next() {
            return Err(format!("rooms.txt has a line for `{room}`, which is no room: take it out"));
        }
        let mut found = BTreeSet::new();
        for (user, path, modules) in tree.names() {
            let Some(own) = tree.room(user) else { continue };
            for room in modules.into_iter().filter_map(|module| tree.room(module)) {
                if !self.may_name(own, room) {
                    let place = format!("{} names {}", tree.name(user), path.join("::"));
                    found.insert((format!("{own}->{room}"), place));
                }
            }
        }
        let offences = found.into_iter();
        Ok(offences.map(|(subject, place)| Offence { subject, check: "rooms", count: 1, place }).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module_tree::tree_of;

    const FILES: [(&str, &str); 4] = [
        ("lib.rs", "mod store; mod respond; mod world; pub use world::World; use respond::Outcome;"),
        ("store.rs", "use crate::respond; pub struct Store; #[cfg(test)] mod tests { use crate::World; }"),
        ("respond/mod.rs", "mod rest; pub struct Outcome; fn f(_: &crate::store::Store) {}"),
        ("world.rs", "use crate::{Outcome, store::Store}; pub struct World(Outcome, Store);"),
    ];

    fn offences(table: &str, rest: &str) -> Result<Vec<String>, String> {
        let tree = tree_of(&[&FILES[..], &[("respond/rest.rs", rest)]].concat());
        let offences = Rooms::of_table(table).offences(&tree)?;
        Ok(offences.into_iter().map(|offence| format!("{}: {}", offence.subject, offence.place)).collect())
    }

    const TABLE: &str = "# Rooms.\nstore  all that is stored\n\nrespond\nworld\n";

    #[test]
    fn a_room_may_name_those_above_it_alone() {
        let store = "store->respond: store names crate::respond".to_owned();
        assert_eq!(offences(TABLE, "use super::Outcome;"), Ok(vec![store.clone()]));
        let place = |path| format!("respond->world: respond::rest names {path}");
        for (text, path) in [
            ("use crate::World; fn f(_: World) { World::new(); }", "crate::World"),
            ("impl crate::World { fn f() {} }", "crate::World"),
            ("fn f() { assert!(crate::world::g(), \"why\"); }", "crate::world::g"),
        ] {
            assert_eq!(offences(TABLE, text), Ok(vec![place(path), store.clone()]));
        }
    }

    #[test]
    fn the_table_has_the_rooms_of_the_crate_and_no_others() {
        assert!(offences("store\nworld\n", "").unwrap_err().contains("no line for the room `respond`"));
        let more = format!("{TABLE}apply\n");
        assert!(offences(&more, "").unwrap_err().contains("a line for `apply`"));
    }
}
