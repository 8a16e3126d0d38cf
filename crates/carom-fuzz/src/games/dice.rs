use super::Own;
use carom_engine::{
    Command, Commands, DVec2, Disc, Encounter, Judge, Partner, Roughness, Spin, Verdict, Which,
};

/// The note of all timers that verdicts and commands set.
pub(super) const NOTE: u64 = u64::MAX;

/// Verdicts and commands that follow from the numbers of an encounter, to the last bit.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Dice {
    salt: u64,
    /// How often it is anything but a bounce: 0 for never, 3 for mostly.
    whims: u8,
}

impl Dice {
    pub(super) fn new(salt: u64, whims: u8) -> Self {
        Dice { salt, whims }
    }

    fn roll(&self, met: &Encounter<'_, Own, Spin, Option<Roughness>>) -> u64 {
        let mut bits = self.salt ^ met.a.user_data.rotate_left(7) ^ met.b.user_data.rotate_left(19);
        bits ^= met.approach_speed.to_bits().rotate_left(31) ^ met.point.x.to_bits();
        bits = (bits ^ (bits >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 32)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }
}

impl Judge<Own, Spin, Option<Roughness>> for Dice {
    fn verdict(
        &self,
        met: &Encounter<'_, Own, Spin, Option<Roughness>>,
        commands: &mut Commands<Own, Spin>,
    ) -> Verdict {
        let roll = self.roll(met);
        if roll >> 60 >= [0, 2, 6, 14][usize::from(self.whims)] {
            return Verdict::Bounce;
        }
        let which = [Which::First, Which::Second, Which::Both][(roll >> 20) as usize % 3];
        match roll >> 8 & 31 {
            0 => commands.set_timer((roll >> 40 & 15) as f64 / 64.0, NOTE),
            1 => {
                let place = met.a.position - met.normal * (met.a.radius + 0.3);
                commands.insert(Disc::new(place, 0.2).with_velocity(met.a.velocity));
            }
            2 => commands.set_timer(f64::NAN, NOTE),
            3..=4 => {
                if let Partner::Disc(disc) = met.b.body {
                    commands.push(Command::SetVelocity(disc, DVec2::new(1.0, -0.5)));
                }
            }
            5 => {
                if let Some(disc) = met.a.disc() {
                    commands.push(Command::MoveTo(disc, DVec2::new(0.5, -0.5), 0.25));
                    commands.set_position(disc, [1.0, 1.0]);
                }
            }
            6 => {
                if let Some(disc) = met.a.disc() {
                    commands.set_enabled(disc, false);
                    commands.push(Command::SetUserData(disc, roll >> 32));
                }
            }
            _ => {}
        }
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
}
