use crate::grammar::Choices;
use carom_engine::Rules;

/// Rules of few groups and teams, so that about half of all pairs collide.
pub fn random_rules(rng: &mut dyn Choices) -> Rules {
    let rules = Rules::new().with_team(rng.pick(&[0, 0, 0, 1, 2]));
    match rng.below(4) {
        0 => rules,
        1 => rules.with_mask(rng.below(4) as u32),
        _ => rules.with_membership(1 << rng.below(2)).with_mask(1 + rng.below(3) as u32),
    }
}

/// Rules by which few meet: of few kinds, or of more than any table of them has.
pub fn sparse_rules(rng: &mut dyn Choices) -> Rules {
    let kinds = rng.pick(&[2, 3, 30]);
    let (membership, mask) = (1 << rng.below(kinds), 1 << rng.below(kinds));
    Rules::new().with_membership(membership).with_mask(mask).with_team(rng.pick(&[0, 0, 0, 3]))
}

/// The definition: each accepts a group of the other, and they are not of one team.
pub fn collide(a: Rules, b: Rules) -> bool {
    let accepts =
        |one: Rules, other: Rules| (0..32).any(|g| one.mask >> g & 1 == 1 && other.membership >> g & 1 == 1);
    accepts(a, b) && accepts(b, a) && (a.team != b.team || a.team == 0)
}
