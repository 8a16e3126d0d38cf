//! Tables: noses, jaws and pockets from a handful of dimensions.

use crate::error::within;
use crate::outline::{Outline, check_nose};
use crate::pocket::{Jaw, Pockets};
use crate::{Ball, Billiards, Error, Surface};
use carom_engine::math::sqrt;
use carom_engine::{DVec2, Partner, Rules, Wall, World};

/// A table: its dimensions between the noses of the cushions, its pockets, its balls.
///
/// ```
/// use carom_billiards::Table;
///
/// let short = Table { length: 2.0, ..Table::pool_7ft() };
/// assert!(short.check().is_ok());
/// assert!(Table { width: -1.0, ..short }.check().is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Along x, in metres, 0.2 to 100.
    pub width: f64,
    /// Along y, in metres, 0.2 to 100.
    pub length: f64,
    /// The pockets, if there are any.
    pub pockets: Option<Pockets>,
    /// Height of the foremost points of the noses above the cloth, in metres, from 0.5 to 1.9 radii of each
    /// ball. A smaller ball meets it higher above its centre, and keeps less of its speed.
    pub nose: f64,
    /// Radius with which the noses are rounded, in metres, 0 to 0.1; 0 for an edge. The line of contact goes
    /// through the axis of the rounding.
    pub rounding: f64,
    /// Height of the rails behind the cushions above the cloth, in metres, 0 to 1: a cue is to pass over
    /// them. A table with an `outline` has no rails.
    pub rail: f64,
    /// The balls that are played on it.
    pub ball: Ball,
    /// The physics of its cloth, impacts and cushions.
    pub physics: Billiards,
    /// Cushions and pockets that are placed one by one, instead of those that the dimensions give: `pockets`,
    /// `nose` and `rounding` then mean nothing. Width and length still say where balls may lie.
    pub outline: Option<Outline>,
}

impl Table {
    /// Names of the tables that there are, for [`Table::named`].
    pub const NAMES: [&'static str; 5] = ["pool-7ft", "pool-8ft", "pool-9ft", "snooker-12ft", "carom-10ft"];

    /// The height of noses for pool: 64 % of the diameter of a ball. The rules allow 62.5 to 64.5 % (World
    /// Pool-Billiard Association, Tournament Table & Equipment Specifications, 2001).
    pub const POOL_NOSE: f64 = crate::cushion::POOL_NOSE;
    /// The same for carom: 37 mm, and 1 mm more or less (Union Mondiale de Billard, World Rules of Carom
    /// Billiard, article 11, 3).
    pub const CAROM_NOSE: f64 = 0.037;
    /// The same for snooker. No rule gives it; it is the same part of a ball as for pool.
    pub const SNOOKER_NOSE: f64 = 0.64 * 2.0 * Ball::SNOOKER.radius;

    fn new([width, length]: [f64; 2], pockets: Option<Pockets>, ball: Ball, nose: f64) -> Table {
        let physics = Billiards::default();
        Table { width, length, pockets, nose, rounding: 0.0, rail: nose + RAIL, ball, physics, outline: None }
    }

    /// Pool, 39 × 78 inches.
    #[must_use]
    pub fn pool_7ft() -> Table {
        Table::new([0.9906, 1.9812], Some(Pockets::SEVEN_FOOT), Ball::POOL, Table::POOL_NOSE)
    }

    /// Pool, 44 × 88 inches.
    #[must_use]
    pub fn pool_8ft() -> Table {
        Table::new([1.1176, 2.2352], Some(Pockets::REGULATION), Ball::POOL, Table::POOL_NOSE)
    }

    /// Pool, 50 × 100 inches.
    #[must_use]
    pub fn pool_9ft() -> Table {
        Table::new([1.27, 2.54], Some(Pockets::REGULATION), Ball::POOL, Table::POOL_NOSE)
    }

    /// Snooker, 1.778 × 3.569 m.
    #[must_use]
    pub fn snooker_12ft() -> Table {
        Table::new([1.778, 3.569], Some(Pockets::SNOOKER), Ball::SNOOKER, Table::SNOOKER_NOSE)
    }

    /// Carom billiards, 1.42 × 2.84 m, without pockets.
    #[must_use]
    pub fn carom_10ft() -> Table {
        Table::new([1.42, 2.84], None, Ball::CAROM, Table::CAROM_NOSE)
    }

    /// One of [`Table::NAMES`].
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn named(name: &str) -> Result<Table, Error> {
        Ok(match name {
            "pool-7ft" => Table::pool_7ft(),
            "pool-8ft" => Table::pool_8ft(),
            "pool-9ft" => Table::pool_9ft(),
            "snooker-12ft" => Table::snooker_12ft(),
            "carom-10ft" => Table::carom_10ft(),
            _ => {
                let known = Table::NAMES.join(", ");
                return Err(Error::Unknown { what: "table", name: name.into(), known });
            }
        })
    }

    /// Refuses dimensions that make no table.
    ///
    /// # Errors
    /// The first that is out of range.
    pub fn check(&self) -> Result<(), Error> {
        self.check_size()?;
        self.ball.check()?;
        within("rail", self.rail, 0.0..=1.0, "a number from 0 to 1")?;
        within("physics.gravity", self.physics.gravity, 1e-3..=1e3, "a number from 0.001 to 1000")?;
        if let Some(outline) = &self.outline {
            return outline.check(self.ball.radius);
        }
        check_nose(["nose", "rounding"], [self.nose, self.rounding], self.ball.radius)?;
        let Some(pockets) = &self.pockets else { return Ok(()) };
        pockets.check(self.ball.radius)?;
        let corner = pockets.corner.corner_jaw(pockets.cushion_width).nose_end.y;
        let side = pockets.side.side_jaw(pockets.cushion_width).nose_end.y;
        let allowed = "enough for its pockets";
        within("width", self.width, 2.0 * corner + 1e-3..=100.0, allowed)?;
        within("length", self.length, 2.0 * (corner + side) + 1e-3..=100.0, allowed)
    }

    /// As `check`, of what places depend on: the noses and the balls.
    pub(crate) fn check_size(&self) -> Result<(), Error> {
        within("width", self.width, 0.2..=100.0, "a number from 0.2 to 100")?;
        within("length", self.length, 0.2..=100.0, "a number from 0.2 to 100")?;
        self.ball.check_size()
    }

    /// From the frame of the table to that of worlds, whose origin is the centre.
    #[must_use]
    pub fn to_world(&self, place: DVec2) -> DVec2 {
        place - self.centre()
    }

    /// From the frame of worlds to that of the table.
    #[must_use]
    pub fn from_world(&self, place: DVec2) -> DVec2 {
        place + self.centre()
    }

    /// The centre, in the frame of the table.
    #[must_use]
    pub fn centre(&self) -> DVec2 {
        DVec2::new(self.width, self.length) * 0.5
    }

    /// Centres and radii of the pockets in the frame of worlds: lower left, left, upper left, lower right,
    /// right, upper right; or as they are placed one by one.
    #[must_use]
    pub fn pocket_circles(&self) -> Vec<(DVec2, f64)> {
        if let Some(outline) = &self.outline {
            return outline.holes.iter().map(|hole| (self.to_world(hole.center), hole.radius)).collect();
        }
        let Some(Pockets { corner, side, .. }) = self.pockets else { return Vec::new() };
        let half = self.centre();
        let inset = corner.depth * sqrt(0.5);
        let mut circles = Vec::with_capacity(6);
        for x in [-1.0, 1.0] {
            for y in [-1.0, 0.0, 1.0] {
                let (beyond, radius) =
                    if y == 0.0 { (side.depth, side.radius) } else { (inset, corner.radius) };
                circles.push((DVec2::new(x * (half.x + beyond), y * (half.y + inset)), radius));
            }
        }
        circles
    }

    /// The straight parts of cushions in the frame of worlds: noses first, then facings.
    #[must_use]
    pub fn segments(&self) -> Vec<[DVec2; 2]> {
        if let Some(outline) = &self.outline {
            return outline.noses.iter().map(|nose| [nose.from, nose.to].map(|p| self.to_world(p))).collect();
        }
        let half = self.centre();
        let Some(pockets) = &self.pockets else {
            let corners =
                [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| half * DVec2::new(x, y));
            return (0..4).map(|k| [corners[k], corners[(k + 1) % 4]]).collect();
        };
        let (corner, side) = self.jaws(pockets);
        let mut segments = Vec::with_capacity(18);
        let long = [DVec2::new(-half.x, -half.y + corner.nose_end.y), DVec2::new(-half.x, -side.nose_end.y)];
        let short = [
            DVec2::new(-half.x + corner.nose_end.y, -half.y),
            DVec2::new(half.x - corner.nose_end.y, -half.y),
        ];
        let mirrors = mirrors();
        segments.extend(mirrors.map(|m| long.map(|p| p * m)));
        segments.extend([1.0, -1.0].map(|y| short.map(|p| p * DVec2::new(1.0, y))));
        let corner_point = -half;
        segments.extend(mirrors.map(|m| corner.facing.map(|p| (corner_point + p) * m)));
        segments.extend(mirrors.map(|m| corner.facing.map(|p| (corner_point + DVec2::new(p.y, p.x)) * m)));
        let side_point = DVec2::new(-half.x, 0.0);
        segments.extend(mirrors.map(|m| side.facing.map(|p| (side_point + DVec2::new(p.x, -p.y)) * m)));
        segments
    }

    /// How many noses there are: the cushions of the first numbers.
    pub(crate) fn noses(&self) -> usize {
        self.outline.as_ref().map_or(NOSES, |outline| outline.noses.len())
    }

    /// Centres and radii of the jaws in the frame of worlds.
    #[must_use]
    pub fn jaw_circles(&self) -> Vec<(DVec2, f64)> {
        if let Some(outline) = &self.outline {
            return outline.jaws.iter().map(|jaw| (self.to_world(jaw.center), jaw.radius)).collect();
        }
        let Some(pockets) = &self.pockets else { return Vec::new() };
        let half = self.centre();
        let (corner, side) = self.jaws(pockets);
        let at_corner = -half + corner.center;
        let across_corner = -half + DVec2::new(corner.center.y, corner.center.x);
        let at_side = DVec2::new(-half.x + side.center.x, -side.center.y);
        let all = [(at_corner, corner.radius), (across_corner, corner.radius), (at_side, side.radius)];
        all.into_iter().flat_map(|(center, radius)| mirrors().map(|m| (center * m, radius))).collect()
    }

    /// The outlines of the cushions in the frame of worlds, as polygons; jaws round off their corners. Of
    /// cushions that are placed one by one the noses alone, as lines.
    #[must_use]
    pub fn cushion_outlines(&self) -> Vec<Vec<DVec2>> {
        let segments = self.segments();
        if self.outline.is_some() {
            return segments.into_iter().map(Vec::from).collect();
        }
        let Some(pockets) = &self.pockets else {
            let wider = |p: DVec2| p + DVec2::new(CUSHION_WIDTH.copysign(p.x), CUSHION_WIDTH.copysign(p.y));
            return segments.iter().map(|&[a, b]| vec![a, b, wider(b), wider(a)]).collect();
        };
        // The noses with the facings at their ends, by their places in `segments`.
        let ends = [[6, 14], [7, 15], [8, 16], [9, 17], [10, 12], [11, 13]];
        let half = self.centre() + DVec2::splat(pockets.cushion_width);
        let outline = |(nose, [first, last]): (usize, [usize; 2])| {
            let ([a, b], [c, d]) = (segments[nose], [segments[first], segments[last]]);
            let within = |p: DVec2| p.clamp(-half, half);
            vec![within(c[1]), c[0], a, b, d[0], within(d[1])]
        };
        ends.into_iter().enumerate().map(outline).collect()
    }

    /// Whether the open side of a cushion from `a` to `b` is on the left: of a nose that of the centre, of a
    /// facing that of the middle of its mouth.
    fn is_left_of(&self, a: DVec2, b: DVec2, number: usize) -> bool {
        let half = self.centre();
        let middle = match number {
            NOSES.. if number < SIDE_FACINGS => half.copysign(a + b),
            SIDE_FACINGS.. => DVec2::new(half.x.copysign(a.x + b.x), 0.0),
            _ => DVec2::ZERO,
        };
        (b - a).perp_dot(middle - a) > 0.0
    }

    /// How deep the cushions are, from the noses to the rails.
    pub(crate) fn cushion_width(&self) -> f64 {
        self.pockets.map_or(CUSHION_WIDTH, |pockets| pockets.cushion_width)
    }

    fn jaws(&self, pockets: &Pockets) -> (Jaw, Jaw) {
        let width = pockets.cushion_width;
        (pockets.corner.corner_jaw(width), pockets.side.side_jaw(width))
    }

    /// An empty table, for balls of these radii.
    pub(crate) fn build(&self, radii: &[f64]) -> Result<World<Billiards>, Error> {
        self.check()?;
        for &radius in radii {
            match &self.outline {
                Some(outline) => outline.check(radius)?,
                None => check_nose(["nose", "rounding"], [self.nose, self.rounding], radius)?,
            }
        }
        let settings = carom_engine::Settings::default().with_record_events(false);
        let mut world = World::with_physics(self.physics, settings)?;
        let cushion = Surface::Cushion { nose: self.nose, rounding: self.rounding };
        let mut add = |wall: Wall<Surface>, surface: Surface, number: u64| {
            let mut wall = wall.with_user_data(number);
            wall.surface = surface;
            world.add_wall(wall)
        };
        let half = self.centre();
        if let Some(outline) = &self.outline {
            for (k, (wall, surface)) in outline.walls(half).into_iter().enumerate() {
                add(wall, surface, k as u64)?;
            }
        } else if self.pockets.is_none() {
            add(Wall::container(-half, half), cushion, CONTAINER)?;
        } else {
            let segments = self.segments();
            for (k, &[a, b]) in segments.iter().enumerate() {
                // Balls meet it from the side of the table alone.
                let [a, b] = if self.is_left_of(a, b, k) { [a, b] } else { [b, a] };
                add(Wall::one_sided_segment(a, b), cushion, k as u64)?;
            }
            for (k, (center, radius)) in self.jaw_circles().into_iter().enumerate() {
                add(Wall::disc(center, radius), cushion, (segments.len() + k) as u64)?;
            }
        }
        // The engine knows when edges touch: that is a circle less a radius, for balls of that radius.
        for (class, &ball_radius) in radii.iter().enumerate() {
            for (k, (center, radius)) in self.pocket_circles().into_iter().enumerate() {
                within(
                    "pocket radius",
                    radius - ball_radius,
                    1e-6..=100.0,
                    "more than the radius of each ball",
                )?;
                let wall = Wall::disc(center, radius - ball_radius).with_rules(class_rules(class));
                add(wall, self.physics.pocket_surface(center, radius), k as u64)?;
            }
        }
        Ok(world)
    }
}

/// How far the rails of tables are above the noses, in metres: an assumption, no rule says.
const RAIL: f64 = 0.006;

/// How deep cushions without pockets are, in metres: 1 7/8 to 2 inches for pool.
const CUSHION_WIDTH: f64 = 0.05;

/// How many noses and how many segments before the facings of the sides there are.
const NOSES: usize = 6;
const SIDE_FACINGS: usize = NOSES + 8;

/// The note of the one wall of a table without pockets.
const CONTAINER: u64 = u64::MAX;

/// The number of the cushion at which an impact was, by the note of its wall and the part of that.
pub(crate) fn cushion_number(note: u64, at: Partner) -> usize {
    match at {
        // A container has left, right, bottom, top; the segments begin at the bottom and go round.
        Partner::Wall { part, .. } if note == CONTAINER => [3, 1, 0, 2].get(part as usize).map_or(0, |&k| k),
        _ => note as usize,
    }
}

/// The four mirror images of a point of one quarter.
fn mirrors() -> [DVec2; 4] {
    [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)].map(|(x, y)| DVec2::new(x, y))
}

/// The pocket for balls of one of several radii.
fn class_rules(class: usize) -> Rules {
    Rules::new().with_mask(class_membership(class))
}

/// The group of balls of one of several radii.
pub(crate) fn class_membership(class: usize) -> u32 {
    1 << class.min(31)
}
