use super::{Draw, Played, Scale};
use carom_billiards::{
    BallState, Billiards, Coefficients, CushionModel, Friction, PairModel, PocketModel, Rack, Shot, Surface,
    Table,
};
use carom_engine::{Disc, Settings, Smooth, World};
use core::f64::consts::TAU;

impl Played for Billiards {
    fn laws(draw: &mut Draw) -> Self {
        let pair = draw.pick(&[
            PairModel::FrictionlessElastic,
            PairModel::FrictionlessInelastic,
            PairModel::FrictionalInelastic,
            PairModel::FrictionalInelastic,
            PairModel::FrictionalMathavan,
        ]);
        let cushion = draw.pick(&[
            CushionModel::Mirror,
            CushionModel::Restitution,
            CushionModel::Han2005,
            CushionModel::ImpulseFrictional,
            CushionModel::Mathavan2010,
            CushionModel::StrongeCompliant,
        ]);
        let pocket = draw.pick(&[PocketModel::Mouth, PocketModel::Lip]);
        Billiards { gravity: draw.pick(&[9.81, 9.81, 3.7]), pair, cushion, pocket }
    }

    fn body(draw: &mut Draw) -> Coefficients {
        let friction = draw.pick(&[Friction::Constant(0.06), Friction::ALCIATORE, Friction::Constant(0.0)]);
        Coefficients {
            sliding: draw.pick(&[0.2, 0.1, 0.0]),
            rolling: draw.pick(&[0.01, 0.005]),
            friction,
            restitution: draw.restitution(),
            ..Coefficients::POOL
        }
    }

    fn extra(draw: &mut Draw) -> BallState {
        if draw.chance(40) {
            return BallState::rolling();
        }
        let (level, upright) = (20.0 * draw.velocity(), draw.pick(&[0.0, 50.0, -20.0]));
        BallState::turning(level.extend(upright))
    }

    fn surface(draw: &mut Draw) -> Surface {
        if draw.chance(15) {
            Surface::Pocket
        } else {
            let radii = draw.pick(&[1.28, 1.0, 1.4]);
            Surface::Cushion { nose: radii * 0.028575, rounding: 0.0 }
        }
    }

    fn scale() -> Scale {
        let radius = 0.028575;
        Scale { size: 0.5, radius, least: 0.5 * radius, speed: 1.5, ..Smooth::scale() }
    }

    /// That of the rotation: a ball that spins on its place sets out, and is stopped.
    fn hidden_energy(world: &World<Self>) -> f64 {
        let finite = world.discs().filter(|(_, disc)| disc.mass < f64::INFINITY);
        let of = |disc: Disc<Coefficients, BallState>| {
            let spin = disc.extra.angular_velocity(disc.radius, disc.velocity);
            0.2 * disc.mass * disc.radius * disc.radius * spin.length_squared()
        };
        finite.map(|(_, disc)| of(disc)).sum()
    }

    /// Three in four games are played on a table, half of these with a rack and a first stroke.
    fn built(draw: &mut Draw, settings: &Settings) -> Option<World<Self>> {
        if draw.chance(25) {
            return None;
        }
        let mut table = Table::named(draw.pick(&Table::NAMES)).expect("it is a name");
        table.physics = Billiards::laws(draw);
        let rack = Rack::named(draw.pick(&["8-ball", "9-ball", "9-ball", "three-cushion"])).expect("a name");
        let rack = if draw.chance(50) { rack.with_gap(1e-5).expect("in range") } else { rack };
        let layout = rack.place(&table, draw.below(256) as u64).ok()?;
        let game = layout.build(&table).ok()?;
        let mut world = game.world().clone();
        if draw.chance(50) {
            let shot = Shot::new(draw.range(0.5, 9.0)).aimed_at(0.25 * TAU + draw.range(-0.1, 0.1));
            let shot = shot.with_offset(draw.range(-0.3, 0.3), draw.range(-0.3, 0.3));
            let shot = shot.with_elevation(draw.pick(&[0.0, 0.0, 0.3]));
            let cue = game.discs()[game.index_of("cue").unwrap_or(0)];
            let strike = shot.strike(&table.ball).expect("in range");
            world.set_extra(cue, BallState::turning(strike.spin)).expect("it is there");
            world.set_velocity(cue, strike.velocity).expect("it is there");
        } else {
            world.clear();
        }
        world.set_budget(settings.budget);
        world.set_scheduler(settings.scheduler).expect("it takes so many");
        Some(world)
    }
}
