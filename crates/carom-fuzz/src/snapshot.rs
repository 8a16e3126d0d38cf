use carom_engine::World;

/// Larger ones are read, not run.
const MOST_DISCS: usize = 64;

/// Any bytes as a snapshot: as JSON if they begin with a brace, else as postcard. What is read is well
/// formed, writes back to the same bytes, and runs.
pub fn snapshot(bytes: &[u8]) {
    let json = bytes.first() == Some(&b'{');
    let read = if json {
        serde_json::from_slice::<World>(bytes).map_err(|error| error.to_string())
    } else {
        postcard::from_bytes::<World>(bytes).map_err(|error| error.to_string())
    };
    let Ok(mut world) = read else { return };
    if world.len() > MOST_DISCS {
        return;
    }
    world.assert_well_formed();
    let saved = postcard::to_stdvec(&world).expect("what was loaded saves");
    let again: World = postcard::from_bytes(&saved).expect("what was saved loads");
    assert_eq!(postcard::to_stdvec(&again).expect("what was loaded saves"), saved);
    world.set_budget(50);
    let _ = world.advance(1.0);
}
