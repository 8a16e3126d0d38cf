//! Racks: where balls lie at the start of a game.

use crate::random::Random;
use crate::{Ball, Error, Layout, Table};
use carom_engine::DVec2;
use carom_engine::math::sqrt;

/// How balls are set up, and how tightly.
///
/// The balls whose places the rules leave open are drawn by the seed. Gaps: each ball of the triangle lies
/// at random within half a gap of its place in a triangle that is wider by a gap.
///
/// ```
/// use carom_billiards::{Rack, Table};
///
/// let layout = Rack::eight_ball().with_gap(1e-4)?.place(&Table::pool_8ft(), 7)?;
/// assert_eq!((layout.balls.len(), layout.balls[5].label.as_str()), (16, "8"));
/// # Ok::<(), carom_billiards::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rack {
    game: Kind,
    gap: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    EightBall,
    NineBall,
    TenBall,
    StraightPool,
    Snooker,
    ThreeCushion,
}

impl Rack {
    /// Names of the racks that there are, for [`Rack::named`].
    pub const NAMES: [&'static str; 6] =
        ["8-ball", "9-ball", "10-ball", "straight-pool", "snooker", "three-cushion"];

    const KINDS: [Kind; 6] = [
        Kind::EightBall,
        Kind::NineBall,
        Kind::TenBall,
        Kind::StraightPool,
        Kind::Snooker,
        Kind::ThreeCushion,
    ];

    const fn tight(game: Kind) -> Rack {
        Rack { game, gap: 0.0 }
    }

    /// Fifteen balls with the 8 in the middle, a solid and a stripe in the rear corners, tight.
    #[must_use]
    pub fn eight_ball() -> Rack {
        Rack::tight(Kind::EightBall)
    }

    /// A diamond of nine with the 1 in front and the 9 in the middle, tight.
    #[must_use]
    pub fn nine_ball() -> Rack {
        Rack::tight(Kind::NineBall)
    }

    /// A triangle of ten with the 1 in front, the 10 in the middle, 2 and 3 in the rear corners, tight.
    #[must_use]
    pub fn ten_ball() -> Rack {
        Rack::tight(Kind::TenBall)
    }

    /// Fifteen balls in any order, tight.
    #[must_use]
    pub fn straight_pool() -> Rack {
        Rack::tight(Kind::StraightPool)
    }

    /// Fifteen reds and the colours on their spots, tight; the cue ball in the D, beside the brown.
    #[must_use]
    pub fn snooker() -> Rack {
        Rack::tight(Kind::Snooker)
    }

    /// Red on the foot spot, yellow on the head spot, the cue ball 0.1825 m beside that.
    #[must_use]
    pub fn three_cushion() -> Rack {
        Rack::tight(Kind::ThreeCushion)
    }

    /// One of [`Rack::NAMES`], tight.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn named(name: &str) -> Result<Rack, Error> {
        let known = || Rack::NAMES.join(", ");
        let found = Rack::NAMES.iter().zip(Rack::KINDS).find(|(known, _)| **known == name);
        let unknown = || Error::Unknown { what: "rack", name: name.into(), known: known() };
        found.map(|(_, game)| Rack::tight(game)).ok_or_else(unknown)
    }

    /// The table on which it is played, as a name of [`Table::NAMES`].
    #[must_use]
    pub fn usual_table(&self) -> &'static str {
        match self.game {
            Kind::Snooker => "snooker-12ft",
            Kind::ThreeCushion => "carom-10ft",
            _ => "pool-9ft",
        }
    }

    /// Its name in [`Rack::NAMES`].
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self.game {
            Kind::EightBall => "8-ball",
            Kind::NineBall => "9-ball",
            Kind::TenBall => "10-ball",
            Kind::StraightPool => "straight-pool",
            Kind::Snooker => "snooker",
            Kind::ThreeCushion => "three-cushion",
        }
    }

    /// The mean gap between balls, in metres.
    #[must_use]
    pub fn gap(&self) -> f64 {
        self.gap
    }

    /// With gaps of this mean, in metres, 0 to 0.01.
    ///
    /// # Errors
    /// If it is out of range.
    pub fn with_gap(self, gap: f64) -> Result<Rack, Error> {
        crate::error::within("gap", gap, 0.0..=0.01, "a number from 0 to 0.01")?;
        Ok(Rack { gap, ..self })
    }

    /// The balls in their places on a table, with the cue ball on the head spot or as the game says.
    ///
    /// # Errors
    /// For noses or balls of no size. Whether that is a table, and the rack fits onto it, is seen by
    /// [`Layout::build`].
    pub fn place(&self, table: &Table, seed: u64) -> Result<Layout, Error> {
        table.check_size()?;
        let mut random = Random::new(seed);
        Ok(match self.game {
            Kind::Snooker => self.place_snooker(table, &mut random),
            Kind::ThreeCushion => place_three_cushion(table),
            _ => self.place_pool(table, &mut random),
        })
    }

    fn place_pool(&self, table: &Table, random: &mut Random) -> Layout {
        let (head, foot) = spots(table);
        let labels = self.order(random);
        let rows: &[usize] = match self.game {
            Kind::NineBall => &[1, 2, 3, 2, 1],
            Kind::TenBall => &[1, 2, 3, 4],
            _ => &[1, 2, 3, 4, 5],
        };
        let places = self.triangle(table.ball, foot, rows, random);
        let mut layout = Layout::new();
        layout.balls.reserve(1 + places.len());
        let layout = layout.with(Layout::CUE, table.ball, head);
        let named = labels.into_iter().zip(places);
        named.fold(layout, |layout, (number, at)| layout.with(number.to_string(), table.ball, at))
    }

    /// The numbers of the balls, row by row from the front.
    fn order(&self, random: &mut Random) -> Vec<u32> {
        // Places that the rules give, counted from the front, and the balls that belong there.
        let (count, fixed): (u32, Vec<(usize, u32)>) = match self.game {
            Kind::NineBall => (9, vec![(0, 1), (4, 9)]),
            Kind::TenBall => (10, vec![(0, 1), (4, 10), (6, 2), (9, 3)]),
            Kind::EightBall => {
                let solid = 1 + random.below(7) as u32;
                let stripe = 9 + random.below(7) as u32;
                let corners = if random.below(2) == 0 { [solid, stripe] } else { [stripe, solid] };
                (15, vec![(4, 8), (10, corners[0]), (14, corners[1])])
            }
            _ => (15, Vec::new()),
        };
        let is_free = |number: &u32| fixed.iter().all(|(_, of_fixed)| of_fixed != number);
        let mut free: Vec<u32> = (1..=count).filter(is_free).collect();
        random.shuffle(&mut free);
        let mut free = free.into_iter();
        let at = |place: usize| fixed.iter().find(|(fixed, _)| *fixed == place).map(|&(_, number)| number);
        (0..count as usize).filter_map(|place| at(place).or_else(|| free.next())).collect()
    }

    /// Rows of balls, from the one in front towards the foot.
    fn triangle(&self, ball: Ball, front: DVec2, rows: &[usize], random: &mut Random) -> Vec<DVec2> {
        let apart = 2.0 * ball.radius + self.gap;
        let mut places = Vec::new();
        for (row, &count) in rows.iter().enumerate() {
            let y = front.y + row as f64 * (apart * sqrt(0.75));
            for k in 0..count {
                let x = front.x + (k as f64 - 0.5 * (count as f64 - 1.0)) * apart;
                let moved = if self.gap > 0.0 { random.in_disc() * (0.5 * self.gap) } else { DVec2::ZERO };
                places.push(DVec2::new(x, y) + moved);
            }
        }
        places
    }

    fn place_snooker(&self, table: &Table, random: &mut Random) -> Layout {
        let ball = table.ball;
        let (brown, of_d) = the_d(table);
        let start = brown + DVec2::new(0.5 * of_d, 0.0);
        let mut layout = Layout::new().with(Layout::CUE, ball, start);
        let spots = snooker_spots(table);
        for (label, spot) in COLOURS.into_iter().zip(spots) {
            layout = layout.with(label, ball, spot);
        }
        // As near to the pink as can be without touching it.
        let front = spots[4] + DVec2::new(0.0, 2.0 * ball.radius + 1e-3 + self.gap);
        let places = self.triangle(ball, front, &[1, 2, 3, 4, 5], random);
        for (k, at) in places.into_iter().enumerate() {
            layout = layout.with(format!("red {}", k + 1), ball, at);
        }
        layout
    }
}

/// The colours of snooker by their values, from 2 to 7.
pub(crate) const COLOURS: [&str; 6] = ["yellow", "green", "brown", "blue", "pink", "black"];

/// The centre and the radius of the D of a snooker table: dimensions of a full-size one, others in
/// proportion.
pub(crate) fn the_d(table: &Table) -> (DVec2, f64) {
    let scale = table.length / 3.569;
    (DVec2::new(0.5 * table.width, 0.737 * scale), 0.292 * scale)
}

/// The spots of the colours of snooker.
pub(crate) fn snooker_spots(table: &Table) -> [DVec2; 6] {
    let (brown, of_d) = the_d(table);
    let aside = DVec2::new(of_d, 0.0);
    let above = |y: f64| DVec2::new(brown.x, y);
    let black = table.length - 0.324 * (table.length / 3.569);
    [brown + aside, brown - aside, brown, above(0.5 * table.length), above(0.75 * table.length), above(black)]
}

/// Head spot and foot spot: a quarter of the length from the cushions.
pub(crate) fn spots(table: &Table) -> (DVec2, DVec2) {
    let middle = 0.5 * table.width;
    (DVec2::new(middle, 0.25 * table.length), DVec2::new(middle, 0.75 * table.length))
}

/// From the head spot to where the cue ball lies at the start of three-cushion billiards.
pub(crate) const BESIDE: DVec2 = DVec2::new(0.1825, 0.0);

fn place_three_cushion(table: &Table) -> Layout {
    let (head, foot) = spots(table);
    Layout::new()
        .with(Layout::CUE, table.ball, head + BESIDE)
        .with("yellow", table.ball, head)
        .with("red", table.ball, foot)
}
