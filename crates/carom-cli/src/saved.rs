//! Saved runs: a world with the scene that it is of. `docs/scene-format.md` describes the files.

use crate::error::CliError;
use crate::output::Replacement;
use crate::physics::RunPhysics;
use carom_engine::{World, snapshot};
use carom_scene::Scene;
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};
use serde_json::value::RawValue;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The version of the files that are written and read.
const VERSION: u32 = 1;

/// What the compact form begins with.
const MAGIC: [u8; 8] = *b"carom\0\r\n";

/// Magic, version, version of the world, length and checksum of what follows.
const HEADER: usize = 8 + 4 + 4 + 8 + 8;

/// The largest file that is read: a million discs take 90 MB in compact form, 400 MB as JSON.
const MOST_BYTES: u64 = 1 << 31;

/// A run to go on with, with its world still in the form of its file: the scene says of which physics it is.
pub(crate) struct Saved {
    pub(crate) scene: Scene,
    world: Stored,
    /// Impacts that had passed the filters of the events file.
    pub(crate) passed: u64,
    name: String,
}

enum Stored {
    Text(Box<RawValue>),
    Compact(Vec<u8>),
}

impl Saved {
    /// The world, in the physics that the scene has.
    pub(crate) fn world<P: RunPhysics>(&self) -> Result<World<P>, CliError> {
        let refused = |what: String| CliError::Saved { path: self.name.clone(), what: one_line(&what) };
        match &self.world {
            Stored::Text(text) => serde_json::from_str(text.get())
                .map_err(|error| refused(format!("cannot be gone on with: {error}"))),
            // Postcard keeps no texts of errors. Whatever is wrong behind a checksum that is right was not
            // written by this program.
            Stored::Compact(bytes) => postcard::from_bytes(bytes)
                .map_err(|_| refused("cannot be gone on with: its world contradicts itself".to_owned())),
        }
    }
}

/// The JSON form. The version comes first, so that it is refused before anything else is.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Text<S, W> {
    carom_save: Version,
    scene: S,
    passed: u64,
    world: W,
}

/// What the compact form holds behind its header. The scene is JSON: its values do not say of themselves what
/// they are. The world follows.
#[derive(serde::Serialize, serde::Deserialize)]
struct Head<S> {
    scene: S,
    passed: u64,
}

struct Version;

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(VERSION)
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::deserialize(deserializer)? {
            VERSION => Ok(Self),
            other => Err(D::Error::custom(unknown_version(other))),
        }
    }
}

fn unknown_version(found: u32) -> String {
    format!("version {found} of saved runs is not known to this version; allowed: {VERSION}")
}

/// Whether a file begins like a saved run, which is no scene.
pub(crate) fn is_saved(path: &str) -> bool {
    const TEXT: &[u8] = b"{\"carom_save\":";
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(TEXT.len() as u64).read_to_end(&mut start));
    read.is_ok() && (start.starts_with(&MAGIC) || start == TEXT)
}

pub(crate) fn read(path: &Path) -> Result<Saved, CliError> {
    let name = path.display().to_string();
    let refused = |what: &str| CliError::Saved { path: name.clone(), what: one_line(what) };
    let unreadable = |error: io::Error| refused(&format!("cannot be read: {error}"));
    let mut file = File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    (&mut file).take(MAGIC.len() as u64).read_to_end(&mut bytes).map_err(unreadable)?;
    let is_text = bytes.first() == Some(&b'{');
    if !is_text && bytes != MAGIC {
        return Err(refused("no saved run; `carom run --save` makes them"));
    }
    let left = MOST_BYTES - MAGIC.len() as u64;
    let read = (&mut file).take(left + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if read as u64 > left {
        return Err(refused(&format!("larger than {MOST_BYTES} bytes, the most that is read")));
    }
    if is_text {
        let text: Text<Scene, Box<RawValue>> = serde_json::from_slice(&bytes)
            .map_err(|error| refused(&format!("cannot be gone on with: {error}")))?;
        let Text { scene, passed, world, .. } = text;
        return Ok(Saved { scene, world: Stored::Text(world), passed, name });
    }
    let payload = payload(&bytes).map_err(|what| refused(&what))?;
    let contradicts = "cannot be gone on with: its scene contradicts itself";
    let (head, world): (Head<&str>, _) =
        postcard::take_from_bytes(payload).map_err(|_| refused(contradicts))?;
    let scene = serde_json::from_str(head.scene)
        .map_err(|error| refused(&format!("cannot be gone on with: {error}")))?;
    Ok(Saved { scene, world: Stored::Compact(world.to_vec()), passed: head.passed, name })
}

/// What stands behind the header of the compact form, if all of it is there.
fn payload(bytes: &[u8]) -> Result<&[u8], String> {
    let number = |at: usize, size: usize| {
        let mut number = [0; 8];
        number[..size].copy_from_slice(bytes.get(at..at + size)?);
        Some(u64::from_le_bytes(number))
    };
    let short = |all: u64| format!("cut short: {} bytes of {all} are there", bytes.len());
    let header = (number(8, 4), number(12, 4), number(16, 8), number(24, 8));
    let (Some(version), Some(world), Some(length), Some(sum)) = header else {
        return Err(short(HEADER as u64));
    };
    if version != u64::from(VERSION) {
        return Err(unknown_version(version as u32));
    }
    let known = snapshot::VERSION;
    if world != u64::from(known) {
        return Err(format!("version {world} of worlds is not known to this version; allowed: {known}"));
    }
    let payload = &bytes[HEADER..];
    match (payload.len() as u64).cmp(&length) {
        std::cmp::Ordering::Less => Err(short(length.saturating_add(HEADER as u64))),
        std::cmp::Ordering::Greater => {
            Err(format!("damaged: {} bytes follow its end", payload.len() as u64 - length))
        }
        std::cmp::Ordering::Equal if checksum(payload) != sum => {
            Err("damaged: its checksum is not that of what it holds".to_owned())
        }
        std::cmp::Ordering::Equal => Ok(payload),
    }
}

/// FNV-1a: enough against what disks and copies do.
fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Writes the world as it is: JSON if the name of the file ends in `.json`.
pub(crate) fn write<P: RunPhysics>(
    to: &Replacement,
    scene: &Scene,
    world: &World<P>,
    passed: u64,
) -> Result<(), CliError> {
    let failed = |source| CliError::writing(to.name(), source);
    if to.ends_in("json") {
        let text = Text { carom_save: Version, scene, passed, world };
        return to.write(|mut out| {
            serde_json::to_writer(&mut out, &text).map_err(|error| failed(error.into()))?;
            out.write_all(b"\n").map_err(failed)
        });
    }
    let bytes = compact(scene, world, passed).map_err(failed)?;
    to.write(|out| out.write_all(&bytes).map_err(failed))
}

fn compact<P: RunPhysics>(scene: &Scene, world: &World<P>, passed: u64) -> io::Result<Vec<u8>> {
    let scene = serde_json::to_string(scene)?;
    let head = Head { scene: scene.as_str(), passed };
    let mut bytes = Vec::with_capacity(HEADER + 128 * world.len());
    bytes.extend_from_slice(&[0; HEADER]);
    let mut bytes = postcard::to_extend(&(head, world), bytes).map_err(io::Error::other)?;
    let (header, payload) = bytes.split_at_mut(HEADER);
    header[..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12..16].copy_from_slice(&snapshot::VERSION.to_le_bytes());
    header[16..24].copy_from_slice(&(payload.len() as u64).to_le_bytes());
    header[24..32].copy_from_slice(&checksum(payload).to_le_bytes());
    Ok(bytes)
}
