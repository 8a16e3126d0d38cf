use carom_engine::{Crossing, DVec2, Disc, DiscId, Event, Hold, Partner, Physics, Time, World};

/// All bits of a time.
pub fn time_bits(time: Time) -> [u64; 2] {
    [time.epoch_start().to_bits(), time.offset().to_bits()]
}

fn vector(to: &mut Vec<u64>, v: DVec2) {
    to.extend([v.x.to_bits(), v.y.to_bits()]);
}

fn hold_bits(to: &mut Vec<u64>, kind: u64, hold: &Hold) {
    to.extend([kind, u64::from(hold.a.slot()), u64::from(hold.a.generation())]);
    to.extend(format!("{:?} {:?}", hold.b, hold.user_data).bytes().map(u64::from));
    vector(to, hold.point);
    vector(to, hold.normal);
}

fn crossing_bits(to: &mut Vec<u64>, kind: u64, crossing: &Crossing) {
    let Crossing { disc, region, user_data, cause, .. } = crossing;
    to.extend([kind, u64::from(disc.slot()), u64::from(disc.generation())]);
    to.extend(format!("{region:?} {user_data:?} {cause:?}").bytes().map(u64::from));
    vector(to, crossing.position);
    vector(to, crossing.velocity);
}

/// All bits of an event, so that +0 and −0 differ.
pub fn event_bits<C: std::fmt::Debug>(event: &Event<C>) -> Vec<u64> {
    let mut bits = time_bits(event.time()).to_vec();
    match event {
        Event::Impact(impact) => {
            bits.extend([impact.group, u64::from(impact.a.slot()), u64::from(impact.a.generation())]);
            match impact.b {
                Partner::Disc(b) => bits.extend([1, u64::from(b.slot()), u64::from(b.generation())]),
                Partner::Wall { wall, part } => {
                    bits.extend([2, u64::from(wall.slot()), u64::from(wall.generation()), u64::from(part)]);
                }
            }
            for v in [impact.point, impact.normal, impact.before[0], impact.before[1]] {
                vector(&mut bits, v);
            }
            vector(&mut bits, impact.after[0]);
            vector(&mut bits, impact.after[1]);
            bits.extend([impact.approach_speed.to_bits(), impact.impulse.to_bits()]);
        }
        Event::Crushed { body, by, against, impulse, velocity, .. } => {
            bits.extend(format!("crushed {body:?} {by:?} {against:?}").bytes().map(u64::from));
            vector(&mut bits, *velocity);
            bits.push(impulse.to_bits());
        }
        Event::Released { body, velocity, .. } => {
            bits.extend([4, u64::from(body.slot()), u64::from(body.generation())]);
            vector(&mut bits, *velocity);
        }
        Event::GrowthEnded { .. } => bits.push(5),
        Event::Held(hold) => hold_bits(&mut bits, 6, hold),
        Event::LetGo(hold) => hold_bits(&mut bits, 7, hold),
        Event::Entered(crossing) => crossing_bits(&mut bits, 8, crossing),
        Event::Left(crossing) => crossing_bits(&mut bits, 9, crossing),
        Event::Change { disc, change, .. } => {
            bits.extend([3, u64::from(disc.slot()), u64::from(disc.generation())]);
            bits.extend(format!("{change:?}").bytes().map(u64::from));
        }
        // Numbers are shown to the last bit.
        other => bits.extend(format!("{other:?}").bytes().map(u64::from)),
    }
    bits
}

/// All bits of everything that can be read of the discs of a world, and when their states were written.
pub fn state_bits<P: Physics>(world: &World<P>) -> Vec<u64> {
    let mut bits = time_bits(world.now()).to_vec();
    bits.push(world.len() as u64);
    for (id, disc) in world.discs() {
        bits.extend([u64::from(id.slot()), u64::from(id.generation()), disc.user_data]);
        vector(&mut bits, disc.position);
        vector(&mut bits, disc.velocity);
        bits.extend([disc.radius, disc.mass, disc.restitution].map(f64::to_bits));
        bits.extend(time_bits(world.get(id).unwrap().state_time()));
    }
    bits
}

/// The deepest overlap of two discs; negative if all are apart.
pub fn deepest_overlap<P: Physics>(world: &World<P>) -> f64 {
    deepest_overlap_by(world, |depth, _| depth)
}

/// The largest of what is made of how deep two discs overlap, and of the two.
pub fn deepest_overlap_by<P: Physics>(
    world: &World<P>,
    weigh: impl Fn(f64, [&(DiscId, Disc<P::Body, P::Extra>); 2]) -> f64,
) -> f64 {
    let discs: Vec<_> = world.discs().collect();
    let mut deepest = f64::NEG_INFINITY;
    for (k, a) in discs.iter().enumerate() {
        for b in &discs[..k] {
            let way = world.periods().nearest(b.1.position - a.1.position).length();
            deepest = deepest.max(weigh(a.1.radius + b.1.radius - way, [a, b]));
        }
    }
    deepest
}

/// One thing that was seen, with words for a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Seen {
    /// An event, and its bits.
    Event(String, Vec<u64>),
    /// The states of all discs.
    States(Vec<u64>),
    /// The outcome of an edit.
    Edit(String),
    /// The end of the record: too many events.
    TooMany,
}

impl Seen {
    pub fn event<C: std::fmt::Debug>(event: &Event<C>) -> Self {
        Seen::Event(format!("{event:?}"), event_bits(event))
    }

    pub fn states<P: Physics>(world: &World<P>) -> Self {
        Seen::States(state_bits(world))
    }

    pub fn edit(outcome: impl std::fmt::Debug) -> Self {
        Seen::Edit(format!("{outcome:?}"))
    }
}

/// Notes the events of a call, and the states after it.
pub fn note<P: Physics>(seen: &mut Vec<Seen>, events: &[Event<P::Change>], world: &World<P>) {
    seen.extend(events.iter().map(Seen::event));
    seen.push(Seen::states(world));
}

/// How many events a record has.
pub fn events_in(seen: &[Seen]) -> usize {
    seen.iter().filter(|seen| matches!(seen, Seen::Event(..))).count()
}

/// All bits of several events.
pub fn bits_of<C: std::fmt::Debug>(events: &[Event<C>]) -> Vec<Vec<u64>> {
    events.iter().map(event_bits).collect()
}

/// Fails at the first difference.
pub fn assert_same(one: &[Seen], other: &[Seen], what: &str) {
    for (i, (a, b)) in one.iter().zip(other).enumerate() {
        if *a == Seen::TooMany || *b == Seen::TooMany {
            return;
        }
        assert!(a == b, "{what}: entry {i} differs\n{a:?}\n{b:?}\nafter {:?}", one[..i].last());
    }
    let cut = |seen: &[Seen]| seen.last() == Some(&Seen::TooMany);
    assert!(
        one.len() == other.len() || cut(one) || cut(other),
        "{what}: {} and {} entries",
        one.len(),
        other.len()
    );
}
