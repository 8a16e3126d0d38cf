//! The modules of a crate, and which of them a path leads to.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::{Path, PathBuf};
#[cfg(test)]
use std::sync::atomic::{AtomicUsize, Ordering};

use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, ExprLit, Item, ItemMod, ItemUse, Lit, Meta, Token, UseTree};

use crate::source::{attributes, is_test};

/// Index of a module; the root is 0.
pub(crate) type ModuleId = usize;

/// How many imports of imports are followed.
const DEPTH: usize = 16;

#[derive(Default)]
struct Module {
    name: String,
    parent: Option<ModuleId>,
    children: BTreeMap<String, ModuleId>,
    /// Imported names with the paths behind them.
    imports: BTreeMap<String, Vec<String>>,
    /// Every path in the module that may lead to another one.
    paths: Vec<Vec<String>>,
    /// All that it defines beside modules.
    items: Vec<Item>,
}

/// The modules of one crate, without those for tests.
pub(crate) struct ModuleTree(Vec<Module>);

impl ModuleTree {
    /// Reads a crate from its `lib.rs` or `main.rs`.
    pub(crate) fn read(source: &Path) -> Result<Self, Box<dyn Error>> {
        let mut tree = Self(vec![Module::default()]);
        let root = [source.join("lib.rs"), source.join("main.rs")].into_iter().find(|file| file.exists());
        let root = root.ok_or_else(|| format!("{}: neither lib.rs nor main.rs", source.display()))?;
        tree.read_file(0, &root, source)?;
        Ok(tree)
    }

    fn read_file(&mut self, id: ModuleId, file: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
        self.add_items(id, syn::parse_file(&text)?.items, folder)
    }

    fn add_items(&mut self, id: ModuleId, items: Vec<Item>, folder: &Path) -> Result<(), Box<dyn Error>> {
        for item in items {
            match item {
                item if is_test(attributes(&item)) => {}
                Item::Mod(module) => self.add_module(id, module, folder)?,
                item => {
                    Paths(&mut self.0[id]).visit_item(&item);
                    self.0[id].items.push(item);
                }
            }
        }
        Ok(())
    }

    /// `folder` is where the files of the parent's children lie.
    fn add_module(&mut self, parent: ModuleId, item: ItemMod, folder: &Path) -> Result<(), Box<dyn Error>> {
        let (id, name) = (self.0.len(), item.ident.to_string());
        // The same module again, for other features.
        if self.0[parent].children.contains_key(&name) {
            return Ok(());
        }
        self.0.push(Module { name: name.clone(), parent: Some(parent), ..Module::default() });
        self.0[parent].children.insert(name.clone(), id);
        let own_folder = folder.join(&name);
        if let Some(file) = path_attribute(&item) {
            let file = folder.join(file);
            let own_folder = file.parent().unwrap_or(folder).to_owned();
            return self.read_file(id, &file, &own_folder);
        }
        if let Some((_, items)) = item.content {
            return self.add_items(id, items, &own_folder);
        }
        let (flat, nested) = (folder.join(format!("{name}.rs")), own_folder.join("mod.rs"));
        self.read_file(id, if flat.exists() { &flat } else { &nested }, &own_folder)
    }

    /// `a::b`, or `crate` for the root.
    pub(crate) fn name(&self, id: ModuleId) -> String {
        let mut names: Vec<&str> =
            self.line(id).into_iter().map(|m| self.0[m].name.as_str()).skip(1).collect();
        if names.is_empty() {
            names.push("crate");
        }
        names.join("::")
    }

    /// The modules from the root to this one.
    fn line(&self, id: ModuleId) -> Vec<ModuleId> {
        let mut line: Vec<ModuleId> =
            std::iter::successors(Some(id), |&module| self.0[module].parent).collect();
        line.reverse();
        line
    }

    /// The children of the root.
    pub(crate) fn rooms(&self) -> impl Iterator<Item = &str> {
        self.0[0].children.keys().map(String::as_str)
    }

    /// The child of the root that a module is or is in; none for the root.
    pub(crate) fn room(&self, id: ModuleId) -> Option<&str> {
        self.line(id).get(1).map(|&room| self.0[room].name.as_str())
    }

    /// All items beside modules, each with the module that it stands in.
    pub(crate) fn items(&self) -> impl Iterator<Item = (ModuleId, &Item)> {
        self.0.iter().enumerate().flat_map(|(id, module)| module.items.iter().map(move |item| (id, item)))
    }

    /// The module in which a path ends, imports followed, seen from one of them.
    pub(crate) fn end_of(&self, from: ModuleId, path: &[String]) -> ModuleId {
        self.modules_on(from, path, DEPTH).last().copied().unwrap_or(from)
    }

    /// What each module names: itself, the path as it is written, and the modules on it. A path that begins
    /// with what is imported is not among them, its import is.
    pub(crate) fn names(&self) -> impl Iterator<Item = (ModuleId, &[String], Vec<ModuleId>)> {
        self.0.iter().enumerate().flat_map(move |(id, module)| {
            let own = module.paths.iter().filter(|path| !module.imports.contains_key(&path[0]));
            own.map(move |path| (id, path.as_slice(), self.modules_on(id, path, DEPTH)))
        })
    }

    /// Which children of one module use which of their siblings, by themselves or through what is inside of
    /// them.
    pub(crate) fn uses_between_siblings(&self) -> BTreeSet<(ModuleId, ModuleId)> {
        let mut uses = BTreeSet::new();
        for (id, module) in self.0.iter().enumerate() {
            let own = self.line(id);
            for path in &module.paths {
                for target in self.modules_on(id, path, DEPTH) {
                    let other = self.line(target);
                    let fork = own.iter().zip(&other).position(|(a, b)| a != b);
                    uses.extend(fork.map(|at| (own[at], other[at])));
                }
            }
        }
        uses
    }

    /// The modules that a path goes through, seen from one of them, with the one in which it ends.
    fn modules_on(&self, from: ModuleId, path: &[String], depth: usize) -> Vec<ModuleId> {
        let Some((first, mut rest)) = path.split_first() else { return Vec::new() };
        let mut at = match first.as_str() {
            "crate" => 0,
            "self" => from,
            "super" => self.0[from].parent.unwrap_or(0),
            _ => {
                rest = path;
                from
            }
        };
        let mut on = vec![at];
        for segment in rest {
            let module = &self.0[at];
            if segment == "super" {
                at = module.parent.unwrap_or(0);
            } else if let Some(&child) = module.children.get(segment) {
                at = child;
            } else if let Some(import) = module.imports.get(segment).filter(|_| depth > 0) {
                let through = self.modules_on(at, import, depth - 1);
                let Some(&last) = through.last() else { break };
                on.extend(&through);
                at = last;
            } else {
                break;
            }
            on.push(at);
        }
        on
    }
}

/// The file that `#[path = "…"]` names.
fn path_attribute(item: &ItemMod) -> Option<PathBuf> {
    item.attrs.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(file), .. }) => Some(PathBuf::from(file.value())),
            _ => None,
        },
        _ => None,
    })
}

/// Collects imports and paths of a module.
struct Paths<'a>(&'a mut Module);

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if !is_test(&item.attrs) {
            self.add_tree(&item.tree, &mut Vec::new());
        }
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let arguments = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
        arguments.iter().flatten().for_each(|argument| Paths(self.0).visit_expr(argument));
        visit::visit_macro(self, call);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.0.paths.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }
}

impl Paths<'_> {
    fn add_tree(&mut self, tree: &UseTree, prefix: &mut Vec<String>) {
        let (name, renamed) = match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.add_tree(&path.tree, prefix);
                prefix.pop();
                return;
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.add_tree(tree, prefix));
                return;
            }
            UseTree::Glob(_) => {
                self.0.paths.push(prefix.clone());
                return;
            }
            UseTree::Name(name) => (name.ident.to_string(), name.ident.to_string()),
            UseTree::Rename(rename) => (rename.ident.to_string(), rename.rename.to_string()),
        };
        let mut path = prefix.clone();
        if name != "self" {
            path.push(name.clone());
        }
        let renamed = if renamed == "self" { path.last().cloned().unwrap_or_default() } else { renamed };
        self.0.paths.push(path.clone());
        // `use a;` would lead back to itself.
        if path.len() > 1 {
            self.0.imports.insert(renamed, path);
        }
    }
}

/// The tree of a crate of these files, by name and text.
#[cfg(test)]
pub(crate) fn tree_of(files: &[(&str, &str)]) -> ModuleTree {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("carom-house-{}-{number}", std::process::id()));
    for (file, text) in files {
        let file = folder.join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let tree = ModuleTree::read(&folder).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    tree
}
