//! The files of the package and of the page, put together.

use std::error::Error;
use std::fs;
use std::io;
use std::path::Path;

/// Makes a folder that has nothing in it.
///
/// # Errors
/// The system refuses.
pub(crate) fn empty(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::create_dir_all(folder)
}

/// The package: what is in the folder of the crate for it, beside the module that is there already.
///
/// # Errors
/// A file is missing, or cannot be written.
pub(crate) fn package(root: &Path, package: &Path) -> Result<(), Box<dyn Error>> {
    let crate_folder = root.join("crates/carom-js");
    copy(&crate_folder.join("package"), package)?;
    for name in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(crate_folder.join(name), package.join(name))?;
    }
    Ok(())
}

/// The page: its own files, the package that it uses, and the hashes that the runs of its scenes must have.
///
/// # Errors
/// A file is missing, or cannot be written.
pub(crate) fn site(root: &Path, package: &Path, site: &Path, has_viewer: bool) -> Result<(), Box<dyn Error>> {
    copy(&root.join("docs/demo"), site)?;
    copy(package, &site.join("carom"))?;
    fs::copy(root.join("crates/carom-scene/tests/golden.hashes"), site.join("golden.txt"))?;
    let parts = format!("// What the page was built with.\nexport const hasViewer = {has_viewer};\n");
    fs::write(site.join("parts.js"), parts)?;
    Ok(())
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Name and size of each file in a folder and those below it, in the order of their names.
///
/// # Errors
/// The folder cannot be read.
pub(crate) fn sizes(folder: &Path) -> io::Result<Vec<(String, u64)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            found.extend(
                sizes(&entry.path())?.into_iter().map(|(inner, size)| (format!("{name}/{inner}"), size)),
            );
        } else {
            found.push((name, entry.metadata()?.len()));
        }
    }
    found.sort();
    Ok(found)
}
