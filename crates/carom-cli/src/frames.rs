//! States as frames of extended XYZ.

use crate::error::CliError;
use crate::output::Stream;
use crate::physics::RunPhysics;
use carom_engine::{DVec2, WallShape};
use carom_observe::{ObserveError, XyzFrame, XyzWriter};
use carom_scene::Built;
use std::path::Path;

/// Whether a states file is one of frames, by its name.
pub(crate) fn is_xyz(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("xyz"))
}

/// The part of the plane that frames show.
#[derive(Clone, Copy)]
pub(crate) struct Cell {
    origin: DVec2,
    sides: DVec2,
}

impl Cell {
    /// The period of an axis; of an open one a container, or else what the discs take up now.
    pub(crate) fn of<P: RunPhysics>(built: &Built<P>) -> Self {
        let world = &built.world;
        let room = world.walls().find_map(|(_, wall)| match wall.shape {
            WallShape::Container { min, max } => Some([min, max]),
            _ => None,
        });
        let [min, max] = room.unwrap_or_else(|| {
            let ends =
                world.discs().map(|(_, disc)| [disc.position - disc.radius, disc.position + disc.radius]);
            let all = ends.reduce(|[low, high], [min, max]| [low.min(min), high.max(max)]);
            all.unwrap_or([DVec2::ZERO; 2])
        });
        let axis = |period: Option<f64>, from: f64, to: f64| period.map_or((from, to - from), |p| (0.0, p));
        let periods = world.periods();
        let (x, width) = axis(periods.x(), min.x, max.x);
        let (y, height) = axis(periods.y(), min.y, max.y);
        Self { origin: DVec2::new(x, y), sides: DVec2::new(width, height) }
    }

    /// Writes a frame: places, velocities, radii, masses unless one is infinite, and the discs' numbers.
    pub(crate) fn write<P: RunPhysics>(self, built: &Built<P>, to: &mut Stream) -> Result<(), CliError> {
        let discs: Vec<_> = built
            .discs
            .iter()
            .enumerate()
            .filter_map(|(k, &id)| Some((k as u64, built.world.get(id)?)))
            .collect();
        let of = |what: fn(&carom_engine::DiscRef<'_, P>) -> f64| -> Vec<f64> {
            discs.iter().map(|(_, disc)| what(disc)).collect()
        };
        let positions: Vec<DVec2> = discs.iter().map(|(_, disc)| disc.position()).collect();
        let velocities: Vec<DVec2> = discs.iter().map(|(_, disc)| disc.velocity()).collect();
        let (radii, masses) = (of(|disc| disc.radius()), of(|disc| disc.mass()));
        let ids: Vec<u64> = discs.iter().map(|&(k, _)| k).collect();
        let frame = XyzFrame {
            origin: self.origin,
            time: built.world.now().as_secs(),
            velocities: Some(&velocities),
            radii: Some(&radii),
            masses: masses.iter().all(|mass| mass.is_finite()).then_some(&masses[..]),
            ids: Some(&ids),
            ..XyzFrame::new(&positions, self.sides, *built.world.periods())
        };
        to.text(|lines| match XyzWriter::new(lines).write(&frame) {
            Ok(()) => Ok(()),
            Err(ObserveError::Io(error)) => Err(error),
            Err(error) => Err(std::io::Error::other(error.to_string())),
        })
    }
}
