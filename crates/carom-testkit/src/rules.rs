use crate::rng::Rng;
use carom_engine::{DiscId, Impact, Partner, Physics, Rules, WallId, World};
use std::collections::{HashMap, HashSet};

/// What collides with what, kept beside a world and judged by the definition alone.
#[derive(Clone, Debug, Default)]
pub struct RuleBook {
    discs: HashMap<DiscId, Rules>,
    walls: HashMap<WallId, Rules>,
    /// Excluded pairs, both ways.
    excluded: HashSet<[DiscId; 2]>,
}

/// Rules of few groups and teams, so that about half of all pairs collide.
pub fn random_rules(rng: &mut Rng) -> Rules {
    let rules = Rules::new().with_team(rng.pick(&[0, 0, 0, 1, 2]));
    match rng.below(4) {
        0 => rules,
        1 => rules.with_mask(rng.below(4) as u32),
        _ => rules.with_membership(1 << rng.below(2)).with_mask(1 + rng.below(3) as u32),
    }
}

/// The definition: each accepts a group of the other, and they are not of one team.
pub fn collide(a: Rules, b: Rules) -> bool {
    let accepts =
        |one: Rules, other: Rules| (0..32).any(|g| one.mask >> g & 1 == 1 && other.membership >> g & 1 == 1);
    accepts(a, b) && accepts(b, a) && (a.team != b.team || a.team == 0)
}

impl RuleBook {
    pub fn of_disc(&self, id: DiscId) -> Rules {
        self.discs.get(&id).copied().unwrap_or_default()
    }

    pub fn of_wall(&self, id: WallId) -> Rules {
        self.walls.get(&id).copied().unwrap_or_default()
    }

    pub fn note_disc(&mut self, id: DiscId, rules: Rules) {
        self.discs.insert(id, rules);
    }

    pub fn note_wall(&mut self, id: WallId, rules: Rules) {
        self.walls.insert(id, rules);
    }

    /// Asserts that two collide that have met.
    pub fn assert_may(&self, impact: &Impact) {
        let other = match impact.b {
            Partner::Disc(b) => self.of_disc(b),
            Partner::Wall { wall, .. } => self.of_wall(wall),
            other => unreachable!("{other:?}"),
        };
        assert!(collide(self.of_disc(impact.a), other), "{impact:?}");
        if let Partner::Disc(b) = impact.b {
            assert!(!self.excluded.contains(&[impact.a, b]), "{impact:?}");
        }
    }

    /// Excludes a pair of discs, or ends that. Returns what came of it.
    pub fn edit_pair<P: Physics>(&mut self, world: &mut World<P>, rng: &mut Rng, discs: &[DiscId]) -> String {
        if discs.is_empty() {
            return String::new();
        }
        let (a, b) = (rng.pick(discs), rng.pick(discs));
        let known = self.excluded.contains(&[a, b]);
        let result = if known { world.include(b, a) } else { world.exclude(a, b) };
        if let Ok(is_new) = result {
            assert_eq!(is_new, a != b, "{a:?} {b:?}");
            for pair in [[a, b], [b, a]] {
                if known {
                    self.excluded.remove(&pair)
                } else {
                    is_new && self.excluded.insert(pair)
                };
            }
            assert_eq!(world.is_excluded(b, a), !known && a != b);
        }
        format!("{result:?}")
    }

    /// Gives some disc or wall random rules. Returns what came of it, which may be a refusal.
    pub fn edit<P: Physics>(
        &mut self,
        world: &mut World<P>,
        rng: &mut Rng,
        discs: &[DiscId],
        walls: &[WallId],
    ) -> String {
        let rules = random_rules(rng);
        if !walls.is_empty() && rng.chance(25) {
            let id = rng.pick(walls);
            let result = world.set_wall_rules(id, rules);
            if result.is_ok() {
                self.note_wall(id, rules);
            }
            return format!("{result:?}");
        }
        if discs.is_empty() {
            return String::new();
        }
        let id = rng.pick(discs);
        let result = world.set_rules(id, rules);
        if result.is_ok() {
            self.note_disc(id, rules);
            assert_eq!(world.get(id).map(|disc| disc.rules()), Some(rules));
        }
        format!("{result:?}")
    }
}
