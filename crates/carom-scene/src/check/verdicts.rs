//! The check of verdicts.

use super::program::{MOST, numbered};
use super::{Checked, at_least_zero, point, real, require};
use crate::error::SceneError;
use crate::model::Scene;
use crate::place::FieldPath;
use crate::verdicts::{Meets, Order, Rule, Says, Who};
use carom_engine::math::Shown;
use glam::DVec2;

pub(super) fn verdicts(scene: &Scene, discs: u64) -> Checked {
    let count = scene.verdicts.len();
    require(count <= MOST, || {
        SceneError::value(FieldPath::root().field("verdicts"), count, format!("at most {MOST}"))
    })?;
    let bodies = [discs, scene.walls.len() as u64];
    for (index, rule) in scene.verdicts.iter().enumerate() {
        let path = FieldPath::of("verdicts", index);
        self::rule(rule, bodies, &path)?;
        for (index, order) in rule.ruling.orders.iter().enumerate() {
            self::order(order, bodies[1], &path.clone().field("commands").item(index))?;
        }
    }
    Ok(())
}

fn rule(rule: &Rule<u64>, bodies: [u64; 2], path: &FieldPath) -> Checked {
    side(rule.first, bodies, &path.clone().field("first"))?;
    side(rule.second, bodies, &path.clone().field("second"))?;
    let [least, most] = rule.speeds;
    real(path.clone().field("min_speed"), least, least.is_finite(), "a finite number")?;
    let allowed = format!("a number from 0 on, and from `min_speed`, {}, on", Shown(least));
    real(path.clone().field("max_speed"), most, most >= least.max(0.0), &allowed)?;
    if let Some(toward) = rule.toward {
        let field = path.clone().field("toward");
        point(field.clone(), toward)?;
        require(toward != DVec2::ZERO, || SceneError::value(field, "[0, 0]", "another vector than 0"))?;
    }
    match rule.ruling.says {
        Says::Restitution(restitution) => at_least_zero(path.clone().field("restitution"), restitution),
        Says::Impulse(impulse) | Says::LeastImpulse(impulse) => {
            at_least_zero(path.clone().field("impulse"), impulse)
        }
        Says::Kick(speed) => at_least_zero(path.clone().field("speed"), speed),
        _ => Ok(()),
    }
}

/// The numbers of a side are those of discs or of walls in file order.
fn side(side: Meets, [discs, walls]: [u64; 2], path: &FieldPath) -> Checked {
    let [least, most] = side.user_data;
    if side.user_data == Meets::default().user_data {
        return Ok(());
    }
    let field = path.clone().field("numbers");
    let Some(is_disc) = side.is_disc else {
        let why = "`numbers` are those of discs or of walls: `is = \"disc\"` or `is = \"wall\"` says which";
        return Err(SceneError::missing(path.clone().field("is"), why));
    };
    let (count, what) = if is_disc { (discs, "discs") } else { (walls, "walls") };
    numbered(field.clone().item(0), least, count, what)?;
    numbered(field.clone().item(1), most, count, what)?;
    require(least <= most, || {
        SceneError::value(field, format!("[{least}, {most}]"), "the least and the most")
    })
}

fn order(order: &Order<u64>, walls: u64, path: &FieldPath) -> Checked {
    let of = |who: Who| {
        let field = path.clone().field("of");
        require(who != Who::Both, || SceneError::value(field, "both", "`first` or `second`"))
    };
    let amount = |field: &str, number| at_least_zero(path.clone().field(field), number);
    let vector = |field: &str, vector| point(path.clone().field(field), vector);
    match *order {
        Order::SetVelocity(who, velocity) => of(who).and(vector("velocity", velocity)),
        Order::SetPosition(who, position) => of(who).and(vector("position", position)),
        Order::ApplyImpulse(who, impulse) => of(who).and(vector("impulse", impulse)),
        Order::SetEnabled(who, _) | Order::SetRules(who, _) => of(who),
        Order::SetRadius(who, radius) => of(who).and(amount("radius", radius)),
        Order::SetMass(who, mass) => of(who).and(super::mass(path.clone().field("mass"), mass)),
        Order::SetRestitution(who, restitution) => of(who).and(amount("restitution", restitution)),
        Order::SetTimer(seconds, _) => amount("seconds", seconds),
        Order::TurnArm(wall, angle, rate) => {
            numbered(path.clone().field("wall"), wall, walls, "walls")?;
            real(path.clone().field("angle"), angle, angle.is_finite(), "a finite number")?;
            amount("rate", rate)
        }
        Order::MoveWall(wall, offset, seconds) => {
            numbered(path.clone().field("wall"), wall, walls, "walls")?;
            vector("offset", offset).and(amount("seconds", seconds))
        }
        Order::SetUserData(..) | Order::Insert(..) => {
            let why = "discs of a scene are known by their numbers in file order, which such a command would \
                       change";
            Err(SceneError::unexpected(path.clone().field("do"), why))
        }
    }
}
