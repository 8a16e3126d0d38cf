use crate::touch::{NEARBY, magnitude};
use crate::{Error, Rules};
use carom_math::toi::{self, Arm, Gap, Memory, Motion, Side, bent};
use carom_math::tolerance::touch_slack;
use carom_math::{Arc, Circle, DVec2, HalfPlane, Periods, Segment, Time, sqrt};

/// One part of a wall: what a disc can hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Facet {
    pub(crate) shape: Shape,
    /// Slot of its wall; [`Facet::NO_WALL`] once that is removed.
    pub(crate) wall: u32,
    /// Number among the parts of its wall.
    pub(crate) part: u32,
    /// When it was put up: before, nothing hit it.
    pub(crate) since: Time,
    /// Number of the latest impact then: those at the same instant, but before, did not meet it.
    pub(crate) after: u64,
    /// The rules in force: those of its wall, except for such as were set since the schedule was brought
    /// up to date.
    pub(crate) rules: Rules,
    /// Whether it is elsewhere at another time: an arm that turns, or a part of a wall that moves.
    pub(crate) is_driven: bool,
    /// How it moves, if its wall does.
    pub(crate) drift: Drift,
    /// Magnitude of the coordinates and lengths that its distance is computed from, where it was put up. How
    /// far it has moved since is in the coordinates of a disc that touches it. So no slack depends on where
    /// it is sent.
    pub(super) scale: f64,
}

/// How a facet moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Drift {
    pub(crate) velocity: DVec2,
    /// Since when; its form is where it was then.
    pub(crate) from: Time,
    /// Seconds from then on.
    pub(crate) lasts: f64,
}

impl Drift {
    pub(crate) const NONE: Drift = Drift { velocity: DVec2::ZERO, from: Time::ZERO, lasts: f64::INFINITY };
}

impl Facet {
    pub(crate) const NO_WALL: u32 = u32::MAX;

    /// Whether its wall has been removed.
    #[inline(always)]
    pub(crate) fn is_gone(&self) -> bool {
        self.wall == Facet::NO_WALL
    }

    pub(crate) fn new(shape: Shape, wall: u32, part: u32, since: Time, after: u64) -> Self {
        let is_driven = matches!(shape, Shape::Arm(_));
        let (rules, drift, scale) = (Rules::new(), Drift::NONE, shape.scale());
        Facet { shape, wall, part, since, after, rules, is_driven, drift, scale }
    }

    pub(crate) fn with_rules(self, rules: Rules) -> Self {
        Facet { rules, ..self }
    }

    /// Refuses what does not repeat itself with the world.
    pub(crate) fn check_periods(&self, periods: &Periods) -> Result<(), Error> {
        let repeats = match &self.shape {
            Shape::HalfPlane(plane) => {
                (periods.x().is_none() || plane.normal.x == 0.0)
                    && (periods.y().is_none() || plane.normal.y == 0.0)
            }
            _ => periods.is_open(),
        };
        if repeats {
            return Ok(());
        }
        let reason = "the wall does not repeat itself: along an axis with a period only half-planes \
            parallel to it do. \
                      A disc of infinite mass does";
        Err(Error::Inconsistent { field: "period", value: periods.shortest(), reason })
    }

    /// How far from it, wherever it is on its way, a disc of moderate coordinates may be that still takes
    /// part in its impacts, with room to spare.
    pub(crate) fn margin(&self) -> f64 {
        4.0 * NEARBY * touch_slack(self.scale + self.way().abs().max_element())
    }

    /// The largest gap that counts as touching: 4 ulp of the coordinates of both.
    #[inline(always)]
    pub(crate) fn slack(&self, disc: &Motion) -> f64 {
        self.slack_at(magnitude(disc.position).max(disc.radius))
    }

    /// As [`Facet::slack`], for a disc with coordinates and radius of this magnitude.
    #[inline(always)]
    pub(crate) fn slack_at(&self, magnitude: f64) -> f64 {
        touch_slack(magnitude.max(self.scale))
    }
}

/// Form of a facet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    HalfPlane(HalfPlane),
    Segment(Segment),
    OneSided(Segment),
    OneSidedEnd {
        point: DVec2,
        normal: DVec2,
    },
    Point(DVec2),
    Outside(Circle),
    Inside(Circle),
    Arc(Arc),
    /// While it turns, except for the end at its pivot; as it is at the time at which the facet was put up.
    Arm(Arm),
}

/// An end of a straight or round part.
#[derive(Clone, Copy)]
pub(crate) struct End {
    pub(crate) place: DVec2,
    /// Unit vector along the part, from the end.
    pub(crate) away: DVec2,
    /// The side of the part that is left of that way.
    pub(crate) left: Side,
    /// One over the radius of the part; 0 if it is straight.
    pub(crate) curvature: f64,
}

/// How far ends may be apart that are one joint, in what counts as touching: those of arcs are computed from
/// angles.
pub(crate) const JOINT: f64 = 4.0;

pub(crate) fn opposite(side: Side) -> Side {
    if side == Side::Front { Side::Back } else { Side::Front }
}

pub(crate) fn is_near(a: DVec2, b: DVec2, slack: f64) -> bool {
    (a - b).abs().max_element() <= slack
}

/// Apart, as it is long and seldom needed.
#[cold]
#[inline(never)]
fn time_to_arm(disc: &Motion, arm: &Arm, memory: Memory) -> Option<f64> {
    let &Motion { position, velocity, radius, .. } = disc;
    let path = bent::Motion { position, velocity, acceleration: DVec2::ZERO, radius };
    toi::disc_arm(&path, arm, memory, f64::INFINITY)
}

/// In a circle of radius `room`, a chord at the angle `a` to the tangent is `a² room / 2` deep: `2 outside`
/// for `a² = 4 outside / room`.
#[cold]
fn led_back(room: f64, outside: f64, velocity: DVec2, outwards: DVec2) -> DVec2 {
    let (sine2, speed2) = (4.0 * outside / room, velocity.length_squared());
    let inwards = -velocity.dot(outwards);
    let along = velocity + outwards * inwards;
    // A disc that was put far outside on purpose is left alone.
    let is_near = sine2 > 0.0 && sine2 < 1e-6;
    if !is_near || inwards * inwards >= sine2 * speed2 || along == DVec2::ZERO {
        return velocity;
    }
    along * sqrt((1.0 - sine2) * speed2 / along.length_squared()) - outwards * sqrt(sine2 * speed2)
}

impl Shape {
    /// Time until the disc hits it.
    #[inline(always)]
    pub(crate) fn time_of_impact(&self, disc: &Motion, memory: Memory) -> Option<f64> {
        match self {
            Shape::HalfPlane(plane) => toi::disc_half_plane(disc, plane, memory),
            Shape::Segment(segment) => {
                let entry = || toi::disc_segment_entry(disc, segment, memory).map(|(t, _)| t);
                toi::disc_segment_body(disc, segment, memory).or_else(entry)
            }
            Shape::OneSided(segment) => toi::disc_one_sided_segment(disc, segment, memory)
                .or_else(|| toi::disc_one_sided_entry(disc, segment, memory)),
            Shape::OneSidedEnd { point, normal } => toi::disc_one_sided_end(disc, *point, *normal, memory),
            Shape::Point(point) => toi::disc_circle_outside(disc, &Circle::point(*point), memory),
            Shape::Outside(circle) => toi::disc_circle_outside(disc, circle, memory),
            Shape::Inside(circle) => toi::disc_circle_inside(disc, circle, memory),
            Shape::Arc(arc) => {
                let entry = || toi::disc_arc_entry(disc, arc, memory).map(|(t, _)| t);
                toi::disc_arc(disc, arc, memory).or_else(entry)
            }
            Shape::Arm(arm) => time_to_arm(disc, arm, memory),
        }
    }

    /// As `time_of_impact`, on a path that bends, before it ends.
    pub(crate) fn first_contact(&self, disc: &bent::Motion, memory: Memory, until: f64) -> Option<f64> {
        match self {
            Shape::HalfPlane(plane) => bent::disc_half_plane(disc, plane, memory, until),
            Shape::Segment(segment) => bent::disc_segment_side(disc, segment, memory, until).map(|(t, _)| t),
            Shape::OneSided(segment) => bent::disc_one_sided_segment(disc, segment, memory, until),
            Shape::OneSidedEnd { point, normal } => {
                bent::disc_one_sided_end(disc, *point, *normal, memory, until)
            }
            Shape::Point(point) => bent::disc_circle_outside(disc, &Circle::point(*point), memory, until),
            Shape::Outside(circle) => bent::disc_circle_outside(disc, circle, memory, until),
            Shape::Inside(circle) => bent::disc_circle_inside(disc, circle, memory, until),
            Shape::Arc(arc) => bent::disc_arc_side(disc, arc, memory, until).map(|(t, _)| t),
            Shape::Arm(arm) => toi::disc_arm(disc, arm, memory, until),
        }
    }

    /// The point that it is, if it is the end of a straight or round part.
    #[inline(always)]
    pub(crate) fn end(&self) -> Option<DVec2> {
        match self {
            Shape::Point(point) | Shape::OneSidedEnd { point, .. } => Some(*point),
            _ => None,
        }
    }

    /// Its ends, if it has any.
    pub(crate) fn ends(&self) -> [Option<End>; 2] {
        match self {
            Shape::Segment(segment) | Shape::OneSided(segment) => {
                let (a, along) = (segment.start, segment.direction);
                let b = a + along * segment.length;
                [
                    Some(End { place: a, away: along, left: Side::Front, curvature: 0.0 }),
                    Some(End { place: b, away: -along, left: Side::Back, curvature: 0.0 }),
                ]
            }
            Shape::Arc(arc) if !arc.full => {
                let end = |towards: DVec2, away, left| {
                    Some(End {
                        place: arc.circle.center + towards * arc.circle.radius,
                        away,
                        left,
                        curvature: 1.0 / arc.circle.radius,
                    })
                };
                [end(arc.first, arc.first.perp(), Side::Back), end(arc.last, -arc.last.perp(), Side::Front)]
            }
            _ => [None; 2],
        }
    }

    /// If it joins another part at `end` of that: on which side of the other a point there is that is on this
    /// side of it.
    ///
    /// Seen along both ways that lead away from the joint, what is left of the one is right of the other.
    pub(crate) fn beside(&self, side: Side, end: &End, slack: f64) -> Option<Side> {
        let own =
            self.ends().into_iter().flatten().find(|own| is_near(own.place, end.place, JOINT * slack))?;
        Some(if side == own.left { opposite(end.left) } else { end.left })
    }

    /// If `other` lies on the same line or circle, within `slack`: the side of it that `side` of this one is.
    pub(crate) fn continued_by(&self, other: &Shape, side: Side, slack: f64) -> Option<Side> {
        match (self, other) {
            (Shape::Segment(one) | Shape::OneSided(one), Shape::Segment(other) | Shape::OneSided(other)) => {
                let height = |point: DVec2| (point - one.start).dot(one.normal()).abs();
                let is_on_line = height(other.start) <= slack
                    && height(other.start + other.direction * other.length) <= slack;
                let is_same_way = one.direction.dot(other.direction) > 0.0;
                is_on_line.then(|| if is_same_way { side } else { opposite(side) })
            }
            (Shape::Arc(one), Shape::Arc(other)) => {
                let apart = one.circle.center - other.circle.center;
                let is_on_circle = apart.abs().max_element() <= slack
                    && (one.circle.radius - other.circle.radius).abs() <= slack;
                is_on_circle.then_some(side)
            }
            _ => None,
        }
    }

    /// Whether it can be hit from either side.
    #[inline]
    pub(crate) fn has_two_sides(&self) -> bool {
        matches!(self, Shape::Segment(_) | Shape::OneSided(_) | Shape::Arc(_))
    }

    /// On which side a disc on this path hits it, where it has two; `None` also if it does not hit it.
    ///
    /// At the place of contact itself a point may be rounded to the other side.
    pub(crate) fn side_hit(&self, disc: &Motion, memory: Memory) -> Option<Side> {
        match self {
            Shape::Segment(segment) => toi::disc_segment_side(disc, segment, memory)
                .or_else(|| toi::disc_segment_entry(disc, segment, memory))
                .map(|(_, side)| side),
            Shape::OneSided(_) => self.time_of_impact(disc, memory).map(|_| Side::Front),
            Shape::Arc(arc) => toi::disc_arc_side(disc, arc, memory)
                .or_else(|| toi::disc_arc_entry(disc, arc, memory))
                .map(|(_, side)| side),
            _ => None,
        }
    }

    /// As `side_hit`, of a disc whose path bends.
    pub(crate) fn side_hit_on_parabola(
        &self,
        path: &bent::Motion,
        memory: Memory,
        until: f64,
    ) -> Option<Side> {
        match self {
            Shape::Segment(segment) => {
                bent::disc_segment_side(path, segment, memory, until).map(|(_, side)| side)
            }
            Shape::OneSided(_) => self.first_contact(path, memory, until).map(|_| Side::Front),
            Shape::Arc(arc) => bent::disc_arc_side(path, arc, memory, until).map(|(_, side)| side),
            _ => None,
        }
    }

    /// On which side of its line a point is, if it is straight and the point is not on the line, except for
    /// `slack`.
    pub(crate) fn side_of(&self, at: DVec2, slack: f64) -> Option<Side> {
        let (start, normal) = match self {
            Shape::Segment(segment) | Shape::OneSided(segment) => (segment.start, segment.normal()),
            Shape::OneSidedEnd { point, normal } => (*point, *normal),
            _ => return None,
        };
        let height = (at - start).dot(normal);
        (height.abs() > slack).then_some(if height > 0.0 { Side::Front } else { Side::Back })
    }

    /// Whether the time at which a disc that grows hits it is known: not on the hollow sides of rooms and
    /// arcs, and of arms that turn.
    pub(crate) fn takes_growth(&self) -> bool {
        !matches!(self, Shape::Inside(_) | Shape::Arc(_) | Shape::Arm(_))
    }

    /// Magnitude of the coordinates and lengths that its distance is computed from.
    fn scale(&self) -> f64 {
        match self {
            Shape::HalfPlane(plane) => magnitude(plane.point),
            Shape::Segment(segment) | Shape::OneSided(segment) => {
                magnitude(segment.start).max(segment.length)
            }
            Shape::OneSidedEnd { point, .. } | Shape::Point(point) => magnitude(*point),
            Shape::Outside(circle) | Shape::Inside(circle) | Shape::Arc(Arc { circle, .. }) => {
                magnitude(circle.center).max(circle.radius)
            }
            Shape::Arm(arm) => magnitude(arm.pivot).max(arm.reach()),
        }
    }

    /// Where the disc that is hitting it faces it, even if rounding has put the disc past its end.
    #[inline]
    pub(crate) fn gap_at_impact(&self, disc: &Motion, memory: Memory) -> Gap {
        if let Shape::Arm(arm) = self {
            return toi::gap_disc_arm_at_impact(disc, arm, memory);
        }
        self.gap(disc, memory).unwrap_or_else(|| self.gap_past_end(disc, memory))
    }

    /// The velocity after an impact with it, at `gap`; turned where a disc would leave a round room by
    /// sliding.
    ///
    /// A disc that slides along the wall from inside, or grazes it, flies a chord and ends an ulp or so
    /// outside. From there a tangent leads further out, at each impact. It is turned inwards, by about 10⁻⁸
    /// rad and at the same speed, so that its chord goes as deep as it is outside.
    #[inline]
    pub(crate) fn led_back(&self, disc: &Motion, gap: &Gap) -> DVec2 {
        match self {
            Shape::Inside(circle) | Shape::Arc(Arc { circle, .. })
                if gap.distance < 0.0 && gap.side == Side::Back =>
            {
                led_back(circle.radius - disc.radius, -gap.distance, disc.velocity, gap.normal)
            }
            _ => disc.velocity,
        }
    }

    #[cold]
    fn gap_past_end(&self, disc: &Motion, memory: Memory) -> Gap {
        let axis = match self {
            Shape::HalfPlane(plane) => plane.normal,
            Shape::Segment(segment) | Shape::OneSided(segment) => segment.normal(),
            Shape::OneSidedEnd { point, .. } | Shape::Point(point) => disc.position - *point,
            Shape::Outside(circle) | Shape::Inside(circle) | Shape::Arc(Arc { circle, .. }) => {
                disc.position - circle.center
            }
            Shape::Arm(arm) => disc.position - arm.pivot,
        };
        let axis = axis.try_normalize().unwrap_or(DVec2::X);
        let is_behind = match memory {
            Memory::Near(side) | Memory::Met(side) if self.has_two_sides() => side == Side::Back,
            // It is being hit, so the disc's surface moves towards it.
            _ => self.surface_velocity(disc, memory).dot(axis) > 0.0,
        };
        if is_behind {
            Gap { distance: 0.0, normal: axis, side: Side::Back }
        } else {
            Gap { distance: 0.0, normal: -axis, side: Side::Front }
        }
    }

    /// The velocity towards it of the disc's surface: a disc that grows need not move to come nearer.
    fn surface_velocity(&self, disc: &Motion, memory: Memory) -> DVec2 {
        let towards = match (self, memory) {
            (Shape::Segment(segment) | Shape::OneSided(segment), Memory::Near(side) | Memory::Met(side)) => {
                segment.normal() * (side.sign() * disc.radius)
            }
            (Shape::OneSidedEnd { point, .. } | Shape::Point(point), _) => disc.position - *point,
            _ => DVec2::ZERO,
        };
        disc.velocity - towards * disc.growth
    }

    /// Distance, where the disc faces it; of a point also from behind a wall of one side, where rounding may
    /// have put it.
    #[inline(always)]
    pub(crate) fn distance(&self, disc: &Motion) -> Option<f64> {
        let gap = match self {
            Shape::OneSided(segment) if disc.radius == 0.0 => {
                toi::gap_disc_segment_body(disc, segment, Memory::None)
            }
            _ => self.gap(disc, Memory::None),
        };
        gap.map(|gap| gap.distance)
    }

    /// As `gap`, of a disc that is put there: it is on the side where its centre is also in the line of a
    /// one-sided wall, through which a disc is let that gets there.
    pub(crate) fn gap_beside(&self, disc: &Motion, memory: Memory) -> Option<Gap> {
        let side = || self.side_of(disc.position, 0.0).unwrap_or(Side::Front);
        match self {
            Shape::OneSided(_) | Shape::OneSidedEnd { .. } if memory == Memory::None => {
                self.gap(disc, Memory::Near(side()))
            }
            _ => self.gap(disc, memory),
        }
    }

    /// Distance and normal, where the disc faces it.
    #[inline(always)]
    pub(crate) fn gap(&self, disc: &Motion, memory: Memory) -> Option<Gap> {
        match self {
            Shape::HalfPlane(plane) => Some(toi::gap_disc_half_plane(disc, plane)),
            Shape::Segment(segment) => toi::gap_disc_segment_body(disc, segment, memory),
            Shape::OneSided(segment) => toi::gap_disc_one_sided_segment(disc, segment, memory),
            Shape::OneSidedEnd { point, normal } => {
                toi::gap_disc_one_sided_end(disc, *point, *normal, memory)
            }
            // Points never meet each other.
            Shape::Point(_) if disc.radius == 0.0 => None,
            Shape::Point(point) => Some(toi::gap_disc_circle_outside(disc, &Circle::point(*point))),
            Shape::Outside(circle) if disc.radius + circle.radius == 0.0 => None,
            Shape::Outside(circle) => Some(toi::gap_disc_circle_outside(disc, circle)),
            Shape::Inside(circle) => Some(toi::gap_disc_circle_inside(disc, circle)),
            Shape::Arc(arc) => toi::gap_disc_arc(disc, arc, memory),
            Shape::Arm(arm) => Some(toi::gap_disc_arm(disc, arm, memory)),
        }
    }
}
