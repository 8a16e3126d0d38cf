//! Where the methods of types stand, and how many of them are not public.

use std::collections::{BTreeMap, BTreeSet};

use syn::{FnArg, GenericArgument, ImplItem, Item, PathArguments, PathSegment, Signature, Type, Visibility};

use crate::Offence;
use crate::module_tree::{ModuleId, ModuleTree};
use crate::rooms::Rooms;
use crate::source::is_test;

/// The type of the façade. A function of its room or one above that takes it is counted as a method of it.
const FACADE: &str = "World";
/// So is one that takes several fields of these one by one.
const WHOLES: [&str; 2] = [FACADE, "Store"];
/// How many fields are several.
const SEVERAL: usize = 4;
/// The most files with methods of the façade, and of any other type.
pub(crate) const FILES: (usize, usize) = (15, 5);
/// The most methods of a type that are not public.
pub(crate) const HIDDEN: usize = 60;

/// The methods of one type, without those of traits.
#[derive(Default)]
struct Methods {
    /// Modules that have some.
    modules: BTreeSet<String>,
    /// Those of them that are not in the type's room.
    outside: BTreeSet<String>,
    /// How many methods are not public.
    hidden: usize,
}

/// Types with methods in too many files, or with too many that are not public; where there is a table of
/// rooms, also those with methods outside of their room.
pub(crate) fn offences(crate_name: &str, tree: &ModuleTree, rooms: Option<&Rooms<'_>>) -> Vec<Offence> {
    let mut found = Vec::new();
    for (path, methods) in of_types(tree, rooms) {
        let name = format!("{crate_name}::{path}");
        let mut offence = |check, count, place| {
            found.push(Offence { subject: name.clone(), check, count, place });
        };
        for module in methods.outside.iter().filter(|_| rooms.is_some()) {
            offence("outside", 1, format!("{module} has methods of {name}"));
        }
        let is_facade = rooms.is_some() && path.ends_with(&format!("::{FACADE}"));
        let most = if is_facade { FILES.0 } else { FILES.1 };
        let files = methods.modules.len();
        if files > most {
            offence("spread", files - most, format!("{name} has methods in {files} files, {most} at most"));
        }
        if methods.hidden > HIDDEN {
            let place = format!("{name}: {} methods are not public, {HIDDEN} at most", methods.hidden);
            offence("methods", methods.hidden - HIDDEN, place);
        }
    }
    found
}

fn of_types(tree: &ModuleTree, rooms: Option<&Rooms<'_>>) -> BTreeMap<String, Methods> {
    let (facade, parts) = ([FACADE.to_owned()], parts(tree));
    let facade_room = tree.room(tree.end_of(0, &facade)).unwrap_or_default();
    let is_of_facade = |module: ModuleId, signature: &Signature| {
        rooms.zip(tree.room(module)).is_some_and(|(rooms, room)| rooms.may_name(facade_room, room))
            && takes_facade(signature, &parts)
    };
    let mut types: BTreeMap<String, Methods> = BTreeMap::new();
    let mut add = |from: ModuleId, path: &[String], module: ModuleId, visibility: &Visibility| {
        let Some(name) = path.last() else { return };
        let home = tree.end_of(from, path);
        let methods = types.entry(format!("{}::{name}", tree.name(home))).or_default();
        methods.modules.insert(tree.name(module));
        if tree.room(home) != tree.room(module) {
            methods.outside.insert(tree.name(module));
        }
        methods.hidden += usize::from(!matches!(visibility, Visibility::Public(_)));
    };
    for (module, item) in tree.items() {
        match item {
            Item::Fn(function) if is_of_facade(module, &function.sig) => {
                add(0, &facade, module, &function.vis);
            }
            Item::Impl(block) if block.trait_.is_none() => {
                let owner = path_of(&block.self_ty);
                for item in &block.items {
                    let ImplItem::Fn(method) = item else { continue };
                    if is_test(&method.attrs) {
                        continue;
                    }
                    add(module, &owner, module, &method.vis);
                    if owner.last() != facade.last() && is_of_facade(module, &method.sig) {
                        add(0, &facade, module, &method.vis);
                    }
                }
            }
            _ => {}
        }
    }
    types
}

/// The names of the types of the fields of [`WHOLES`], except for lists.
fn parts(tree: &ModuleTree) -> BTreeSet<String> {
    let structs = tree.items().filter_map(|(_, item)| match item {
        Item::Struct(item) if WHOLES.iter().any(|whole| item.ident == whole) => Some(item),
        _ => None,
    });
    let types = structs.flat_map(|item| &item.fields).filter_map(|field| path_of(&field.ty).pop());
    types.filter(|name| !name.ends_with("Vec")).collect()
}

/// Whether a function has the façade for a parameter, or several of its parts.
fn takes_facade(signature: &Signature, parts: &BTreeSet<String>) -> bool {
    let references = signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(input) => match &*input.ty {
            Type::Reference(reference) => path_of(&reference.elem).pop(),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    });
    let names: BTreeSet<String> = references.collect();
    names.contains(FACADE) || names.intersection(parts).count() >= SEVERAL
}

/// The path of a type, or of the one that is referred to, is boxed or may be absent; else nothing.
fn path_of(of: &Type) -> Vec<String> {
    match of {
        Type::Reference(reference) => path_of(&reference.elem),
        Type::Path(of) => {
            let segments = &of.path.segments;
            if let Some(PathSegment { ident, arguments: PathArguments::AngleBracketed(inner) }) =
                segments.last()
                && (ident == "Option" || ident == "Box")
                && let Some(GenericArgument::Type(inner)) = inner.args.first()
            {
                return path_of(inner);
            }
            segments.iter().map(|segment| segment.ident.to_string()).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module_tree::tree_of;

    fn found_in(files: &[(&str, &str)], rooms: Option<&Rooms<'_>>) -> Vec<String> {
        let offences = offences("x", &tree_of(files), rooms).into_iter();
        offences.map(|Offence { subject, check, count, .. }| format!("{subject} {check} {count}")).collect()
    }

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        found_in(files, Some(&Rooms::of_table("state\na\nworld\nforecast")))
    }

    const WORLD: (&str, &str) =
        ("world.rs", "pub struct World { a: A, b: Vec<B>, c: Option<Box<C>>, d: D, e: E }");

    #[test]
    fn methods_stand_in_the_room_of_their_type() {
        let lib = ("lib.rs", "mod world; mod state; pub use world::World;");
        let inner = "use super::A; impl A { fn g() {} } impl Drop for crate::World { fn drop(&mut self) {} }";
        let state = "mod inner; pub struct A; impl crate::World { pub fn f() {} }";
        let files = [lib, ("state/inner.rs", inner), ("state/mod.rs", state), WORLD];
        assert_eq!(found(&files), ["x::world::World outside 1"]);
        assert!(found_in(&files, None).is_empty());
    }

    #[test]
    fn methods_of_a_type_stand_in_few_files() {
        let files = |name: &str, count: usize| {
            let files: String = (0..count)
                .map(|n| format!("mod f{n} {{ impl super::{name} {{ pub fn f() {{}} }} }}"))
                .collect();
            let world = format!("{} struct A; {files}", WORLD.1);
            found(&[("lib.rs", "mod world; pub use world::World;"), ("world.rs", &world)])
        };
        assert!(files("A", 5).is_empty());
        assert_eq!(files("A", 6), ["x::world::A spread 1"]);
        assert!(files("World", 15).is_empty());
        assert_eq!(files("World", 17), ["x::world::World spread 2"]);
    }

    #[test]
    fn few_methods_are_not_public() {
        let methods = |visibility: &str, count: usize| {
            let methods: String = (0..count).map(|n| format!("{visibility} fn f{n}() {{}} ")).collect();
            found(&[("lib.rs", &format!("mod world; mod a {{ struct A; impl A {{ {methods} }} }}")), WORLD])
        };
        assert!(methods("pub(crate)", 60).is_empty());
        assert!(methods("pub", 90).is_empty());
        assert_eq!(methods("", 62), ["x::a::A methods 2"]);
    }

    #[test]
    fn a_function_that_takes_the_world_or_its_parts_is_a_method_of_it() {
        for (room, parameters, is_method) in [
            ("state", "w: &mut crate::World<P>", true),
            ("state", "a: &A, c: &mut C, d: &D, e: &E", true),
            ("state", "a: &A, c: &C, d: &D, again: &A, b: &Vec<B>", false),
            ("state", "a: A, c: C, d: D, e: E", false),
            ("forecast", "w: &crate::World", false),
        ] {
            let lib = format!("mod world; pub use world::World; mod {room} {{ fn f({parameters}) {{}} }}");
            let expected: &[&str] = if is_method { &["x::world::World outside 1"] } else { &[] };
            assert_eq!(found(&[("lib.rs", &lib), WORLD]), expected, "{parameters}");
            let method = lib.replace("fn f(", "struct S; impl S { fn f(").replace("{} }", "{} } }");
            assert_eq!(found(&[("lib.rs", &method), WORLD]), expected, "{parameters}");
        }
    }
}
