use carom_engine::Event;

/// Metres per second from which on an approach is a bounce, where gravity is 10 and radii are about 0.5:
/// 0.005 times the speed `√(g R)`. With more, honest bounces count as events of contacts that press. With
/// less, what rests of a contact beside others counts as a bounce: its largest rest speed is 0.1 m/s, the
/// usual one 0.03.
const BOUNCE: f64 = 0.01;

/// How many of the events are bounces: impacts in which two approach fast, each group counted once.
///
/// Bounces are honest, however many there are: each takes energy. Other events, of contacts that press, are
/// bounded by what tests of the engine allow in a frame.
pub fn bounces<C>(events: &[Event<C>]) -> u64 {
    let fast = |event: &Event<C>| match event {
        Event::Impact(impact) if impact.approach_speed > BOUNCE => Some(impact.group),
        _ => None,
    };
    // The impacts of a group follow each other.
    let mut groups: Vec<_> = events.iter().filter_map(fast).collect();
    groups.dedup();
    groups.len() as u64
}
