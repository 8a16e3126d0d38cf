use super::{Draw, Scale};
use carom_engine::{
    Command, Commands, DVec2, Disc, DiscForces, Encounter, Error, Fields, Forces, Judge, Judged, Partner,
    Physics, Rough, RoughDisc, RoughWall, Roughness, Settings, Smooth, Spin, Verdict, Walk, Which, World,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What snapshots hold.
pub trait Stored: Serialize + DeserializeOwned {}

impl<T: Serialize + DeserializeOwned> Stored for T {}

/// A physics that random games are played in.
pub trait Played: Physics<Body: Stored, Extra: Stored, Surface: Stored> + Stored + Fields {
    /// Random laws for a new world, or for one that goes on.
    fn laws(draw: &mut Draw) -> Self;

    fn body(draw: &mut Draw) -> Self::Body;

    fn extra(draw: &mut Draw) -> Self::Extra;

    fn surface(draw: &mut Draw) -> Self::Surface;

    fn scale() -> Scale {
        Scale {
            size: 4.0,
            radius: 0.4,
            least: 0.0,
            speed: 3.0,
            middle: DVec2::ZERO,
            is_round: false,
            crowd: 0,
            is_plain: false,
            is_sparse: false,
            is_limited: false,
        }
    }

    /// A world that is built already, with what stands in it, where the physics has such.
    fn built(_: &mut Draw, _: &Settings) -> Option<World<Self>> {
        None
    }

    /// Energy that discs have besides the kinetic one, and that may become such and be lost within a call.
    fn hidden_energy(_: &World<Self>) -> f64 {
        0.0
    }

    /// The acceleration of a disc that nothing presses on, where it follows from what is known of it now.
    fn free(&self, _: &Disc<Self::Body, Self::Extra>) -> Option<DVec2> {
        None
    }

    /// A random edit of the laws.
    fn edit(world: &mut World<Self>, draw: &mut Draw) -> Result<(), Error> {
        let laws = Self::laws(draw);
        world.set_physics(laws)
    }
}

impl Played for Smooth {
    fn laws(_: &mut Draw) -> Self {
        Smooth
    }

    fn body(_: &mut Draw) {}

    fn extra(_: &mut Draw) {}

    fn surface(_: &mut Draw) {}
}

impl Played for Forces {
    fn laws(draw: &mut Draw) -> Self {
        let gravity = match draw.below(5) {
            0 => DVec2::ZERO,
            1 => 0.5 * draw.velocity(),
            2 => DVec2::new(0.0, -10.0),
            _ => DVec2::NEG_Y,
        };
        let weight = draw.pick(&[0.0, 4.0, 9.81]);
        Forces::new().with_gravity(gravity).and_then(|laws| laws.with_weight(weight)).expect("in range")
    }

    fn body(draw: &mut Draw) -> DiscForces {
        let mut plain = DiscForces::default();
        if draw.scale.is_limited && draw.chance(70) {
            // A disc without friction, which has no limit.
            plain.speed_limit = draw.pick(&[0.25, 0.5, 1.0, 2.0]) * draw.scale.speed;
            plain.acceleration = draw.velocity();
            return plain;
        }
        match draw.below(4) {
            0 | 1 => DiscForces { friction: draw.pick(&[0.125, 0.5, 0.2]), gravity_scale: 0.0, ..plain },
            2 => DiscForces { acceleration: 0.5 * draw.velocity(), ..plain },
            _ => DiscForces { gravity_scale: draw.pick(&[0.0, 0.5, -1.0, 2.0]), ..plain },
        }
    }

    fn extra(_: &mut Draw) {}

    fn surface(_: &mut Draw) {}

    fn free(&self, disc: &Disc<DiscForces>) -> Option<DVec2> {
        let DiscForces { acceleration, gravity_scale, friction, speed_limit } = disc.body;
        let pull = if disc.mass == f64::INFINITY { DVec2::ZERO } else { self.gravity() * gravity_scale };
        let free = pull + acceleration;
        let (speed, along) = (disc.velocity.length(), disc.velocity.dot(free));
        // At the limit rounding decides.
        let (near, across) = (1e-9 * speed_limit, 1e-9 * speed * free.length());
        if friction > 0.0 {
            None
        } else if speed_limit == f64::INFINITY || speed < speed_limit - near || along < -across {
            Some(free)
        } else {
            (speed > speed_limit + near && along > across).then_some(DVec2::ZERO)
        }
    }
}

fn roughness(draw: &mut Draw) -> Roughness {
    let friction = draw.pick(&[0.0, 0.125, 0.5, f64::INFINITY]);
    Roughness::new(friction, draw.pick(&[-1.0, 0.0, 0.5, 1.0])).expect("in range")
}

impl<P: Played<Extra = (), Surface = ()>> Played for Rough<P> {
    fn laws(draw: &mut Draw) -> Self {
        Rough::new(P::laws(draw), roughness(draw))
    }

    fn body(draw: &mut Draw) -> RoughDisc<P::Body> {
        let roughness = draw.chance(50).then(|| roughness(draw));
        RoughDisc { inertia: draw.pick(&[0.5, 0.4, 1.0, f64::INFINITY]), roughness, own: P::body(draw) }
    }

    fn extra(draw: &mut Draw) -> Spin {
        Spin::new(draw.pick(&[0.0, 1.0, -8.0, 30.0]))
    }

    fn surface(draw: &mut Draw) -> RoughWall {
        RoughWall::new(draw.chance(50).then(|| roughness(draw)))
    }
}

impl<P: Played> Played for Judged<P, Dice> {
    fn laws(draw: &mut Draw) -> Self {
        Judged::new(P::laws(draw), Dice { salt: draw.below(256) as u64, whims: draw.below(4) as u8 })
    }

    fn body(draw: &mut Draw) -> P::Body {
        P::body(draw)
    }

    fn extra(draw: &mut Draw) -> P::Extra {
        P::extra(draw)
    }

    fn surface(draw: &mut Draw) -> P::Surface {
        P::surface(draw)
    }
}

/// The note of all timers that verdicts set.
pub const NOTE: u64 = u64::MAX;

/// Verdicts and commands that follow from the numbers of an encounter, to the last bit.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct Dice {
    salt: u64,
    /// How often it is anything but a bounce: 0 for never, 3 for mostly.
    whims: u8,
}

impl Dice {
    fn roll<B, X, F>(&self, met: &Encounter<'_, B, X, F>) -> u64 {
        let mut bits = self.salt ^ met.a.user_data.rotate_left(7) ^ met.b.user_data.rotate_left(19);
        bits ^= met.approach_speed.to_bits().rotate_left(31) ^ met.point.x.to_bits();
        bits = (bits ^ (bits >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 32)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    fn command<B: Default, X: Default, F>(
        roll: u64,
        met: &Encounter<'_, B, X, F>,
        commands: &mut Commands<B, X>,
    ) {
        let (first, seconds) = (met.a.disc(), (roll >> 40 & 15) as f64 / 64.0);
        match (roll >> 8 & 31, met.b.body, first) {
            (0, ..) => commands.set_timer(seconds, NOTE),
            (1, ..) => {
                let place = met.a.position - met.normal * (met.a.radius + 0.3);
                commands.insert(Disc::new(place, 0.2).with_velocity(met.a.velocity));
            }
            (2, ..) => commands.set_timer(f64::NAN, NOTE),
            (3..=4, Partner::Disc(disc), _) => {
                commands.push(Command::SetVelocity(disc, DVec2::new(1.0, -0.5)));
            }
            (5, _, Some(disc)) => {
                commands.push(Command::MoveTo(disc, DVec2::new(0.5, -0.5), 0.25));
                commands.set_position(disc, [1.0, 1.0]);
            }
            (6, _, Some(disc)) => {
                commands.set_enabled(disc, false);
                commands.push(Command::SetUserData(disc, roll >> 32));
            }
            (7, Partner::Wall { wall, .. }, _) => {
                commands.push(Command::MoveWall(wall, DVec2::new(0.25, 0.5), seconds));
            }
            (8, Partner::Wall { wall, .. }, _) => commands.push(Command::TurnArm(wall, 1.0, 4.0)),
            _ => {}
        }
    }
}

impl<B: Default, X: Default, F> Judge<B, X, F> for Dice {
    fn has_rules(&self) -> bool {
        self.whims > 0
    }

    fn verdict(&self, met: &Encounter<'_, B, X, F>, commands: &mut Commands<B, X>) -> Verdict {
        let roll = self.roll(met);
        if roll >> 60 >= [0, 2, 6, 14][usize::from(self.whims)] {
            return Verdict::Bounce;
        }
        Dice::command(roll, met, commands);
        let which = [Which::First, Which::Second, Which::Both][(roll >> 20) as usize % 3];
        match roll % 20 {
            0 => Verdict::Restitution(0.0),
            1 => Verdict::Restitution(1.25),
            2 => Verdict::Impulse(met.stopping_impulse + 0.5),
            3 => Verdict::Kick(0.5),
            4..=8 => Verdict::Pass,
            9 => Verdict::Capture(which),
            10 if met.b.disc().is_some() || roll & 1 << 50 == 0 => Verdict::Remove(which),
            11 if met.b.disc().is_some() => Verdict::BounceAndRemove(which),
            12 => Verdict::Impulse(f64::NAN),
            _ => Verdict::Bounce,
        }
    }

    fn walk(&self, walk: &mut Walk<'_>) {
        walk.field("salt", &self.salt);
        walk.field("whims", &self.whims);
    }
}
