//! One file: its functions and its lines of code.

use std::ops::RangeInclusive;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, ImplItemFn, Item, ItemFn, Signature, TraitItemFn};

/// A parsed file.
pub(crate) struct Source<'a> {
    text: &'a str,
    file: syn::File,
}

/// A function with a body, counted from its signature to its closing brace.
#[derive(Debug, PartialEq)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) line: usize,
    pub(crate) lines: usize,
}

impl<'a> Source<'a> {
    pub(crate) fn parse(text: &'a str) -> syn::Result<Self> {
        Ok(Self { text, file: syn::parse_file(text)? })
    }

    /// All functions outside of unit tests.
    pub(crate) fn functions(&self) -> Vec<Function> {
        let mut functions = Functions(Vec::new());
        functions.visit_file(&self.file);
        functions.0
    }

    /// Lines outside of unit tests that are neither blank nor comment.
    pub(crate) fn code_lines(&self) -> usize {
        let mut tests = Tests(Vec::new());
        tests.visit_file(&self.file);
        let is_code = |line: &str| !line.is_empty() && !line.starts_with("//");
        let numbered = (1..).zip(self.text.lines().map(str::trim));
        numbered.filter(|&(n, line)| is_code(line) && !tests.0.iter().any(|test| test.contains(&n))).count()
    }
}

/// Whether an item is compiled for tests alone.
pub(crate) fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|condition| condition.is_ident("test"))
    })
}

/// The attributes of the kinds of items that are compiled for tests alone.
pub(crate) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

struct Functions(Vec<Function>);

impl Functions {
    fn add(&mut self, signature: &Signature, body: &Block) {
        let (line, end) = (signature.span().start().line, body.span().end().line);
        self.0.push(Function { name: signature.ident.to_string(), line, lines: end + 1 - line });
    }
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_test(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        self.add(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        self.add(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast TraitItemFn) {
        if let Some(body) = &function.default {
            self.add(&function.sig, body);
        }
        visit::visit_trait_item_fn(self, function);
    }
}

/// The lines of what is compiled for tests alone.
struct Tests(Vec<RangeInclusive<usize>>);

impl<'ast> Visit<'ast> for Tests {
    fn visit_item(&mut self, item: &'ast Item) {
        if is_test(attributes(item)) {
            self.0.push(item.span().start().line..=item.span().end().line);
        } else {
            visit::visit_item(self, item);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "//! Docs.\n\n/// More.\nfn long() {\n    // Why.\n    work();\n\n}\n\
        impl A {\n    /// Docs.\n    pub fn one_line(&self) {}\n}\n\
        trait T {\n    fn none();\n    fn two()\n    {}\n}\n\
        #[cfg(test)]\nmod tests {\n    fn not_counted() {}\n}\n";

    #[test]
    fn functions_are_counted_from_signature_to_brace() {
        let functions = Source::parse(TEXT).unwrap().functions();
        let lines: Vec<_> = functions.iter().map(|f| (f.name.as_str(), f.line, f.lines)).collect();
        assert_eq!(lines, [("long", 4, 5), ("one_line", 11, 1), ("two", 15, 2)]);
    }

    #[test]
    fn comments_blank_lines_and_tests_are_no_code() {
        // `long` has 3, the `impl` 3, the trait 5.
        assert_eq!(Source::parse(TEXT).unwrap().code_lines(), 11);
    }
}
