use crate::{Physics, World};

carom_broadphase::clone_fields!(
    World<P: Physics>: store, scheduler, events, positions_now; scratch scratch
);
