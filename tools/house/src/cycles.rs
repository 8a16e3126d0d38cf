//! Modules that use each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::module_tree::{ModuleId, ModuleTree};

/// Sibling modules of which each uses each, directly or through others of them.
#[derive(Debug, PartialEq)]
pub(crate) struct Cycle {
    pub(crate) modules: Vec<String>,
    /// Who uses whom.
    pub(crate) uses: Vec<(String, String)>,
}

impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} modules in a cycle:", self.modules.len())?;
        for (user, used) in &self.uses {
            write!(f, " {user} → {used};")?;
        }
        Ok(())
    }
}

/// The cycles of a crate.
pub(crate) fn of_tree(tree: &ModuleTree) -> Vec<Cycle> {
    let uses = tree.uses_between_siblings();
    let mut reach: BTreeMap<ModuleId, BTreeSet<ModuleId>> = BTreeMap::new();
    for &(user, _) in &uses {
        reach.insert(user, reachable(user, &uses));
    }
    let reaches = |a: ModuleId, b: ModuleId| reach.get(&a).is_some_and(|found| found.contains(&b));
    let mut left: BTreeSet<ModuleId> =
        reach.keys().copied().filter(|&module| reaches(module, module)).collect();
    let mut cycles = Vec::new();
    while let Some(first) = left.first().copied() {
        let members: Vec<ModuleId> =
            left.iter().copied().filter(|&other| reaches(first, other) && reaches(other, first)).collect();
        left.retain(|module| !members.contains(module));
        let inside = uses.iter().filter(|(user, used)| members.contains(user) && members.contains(used));
        cycles.push(Cycle {
            modules: members.iter().map(|&module| tree.name(module)).collect(),
            uses: inside.map(|&(user, used)| (tree.name(user), tree.name(used))).collect(),
        });
    }
    cycles
}

/// What a module uses, directly or through others.
fn reachable(start: ModuleId, uses: &BTreeSet<(ModuleId, ModuleId)>) -> BTreeSet<ModuleId> {
    let (mut found, mut open) = (BTreeSet::new(), vec![start]);
    while let Some(module) = open.pop() {
        for &(_, used) in uses.range((module, 0)..=(module, ModuleId::MAX)) {
            if found.insert(used) {
                open.push(used);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module_tree::tree_of;

    fn cycles(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        of_tree(&tree_of(files)).into_iter().map(|cycle| cycle.modules).collect()
    }

    #[test]
    fn siblings_in_a_line_or_parent_and_child_are_no_cycle() {
        let files = [
            ("lib.rs", "mod a; mod b; pub use a::A;"),
            ("a.rs", "mod inner; use crate::b::B; pub struct A(B); use inner::I;"),
            ("a/inner.rs", "use super::A; pub struct I; fn f(_: A) {}"),
            ("b.rs", "pub struct B; #[cfg(test)] mod tests { use crate::a::A; }"),
        ];
        assert!(cycles(&files).is_empty());
    }

    #[test]
    fn a_cycle_is_found_through_a_reexport_a_child_or_a_path_in_code() {
        let through_reexport = [
            ("lib.rs", "mod a; mod b; pub use a::A;"),
            ("a.rs", "use crate::b::B; pub struct A(B);"),
            ("b.rs", "use crate::A; pub struct B(Box<A>);"),
        ];
        assert_eq!(cycles(&through_reexport), [["a", "b"]]);
        let through_child = [
            ("lib.rs", "mod a; mod b;"),
            ("a/mod.rs", "mod inner; pub struct A;"),
            ("a/inner.rs", "fn f() { crate::b::g(); }"),
            ("b.rs", "use super::a; pub fn g() -> a::A { a::A }"),
        ];
        assert_eq!(cycles(&through_child), [["a", "b"]]);
    }

    #[test]
    fn cycles_apart_are_counted_apart() {
        let files = [
            ("main.rs", "mod a; mod b { use crate::a::A; pub struct B; } mod c; use a::A;"),
            ("a.rs", "use crate::b::B; pub struct A;"),
            ("c.rs", "mod x { use super::y::z; } mod y { use super::{x, w}; } mod w {} use crate::a;"),
        ];
        let found = cycles(&files);
        assert_eq!(found, [vec!["a", "b"], vec!["c::x", "c::y"]]);
    }
}
