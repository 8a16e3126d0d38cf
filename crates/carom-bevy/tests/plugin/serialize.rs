use bevy_math::DVec2;
use carom_bevy::{
    Body, Disc, Kinematic, Mass, MoveTo, Position, Region, Restitution, Rules, UserData, Velocity, Wall,
};
use serde::{Serialize, de::DeserializeOwned};

fn comes_back<T: Serialize + DeserializeOwned + PartialEq + core::fmt::Debug>(value: T) {
    let text = serde_json::to_string(&value).unwrap();
    assert_eq!(serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
}

/// All digits of all components, so that what is loaded goes on with the same bits.
#[test]
fn components_come_back_as_they_were() {
    let place = DVec2::new(0.1, -1.0 / 3.0);
    comes_back(Disc::new(0.3).with_overlap());
    comes_back(Disc::new(0.3).with_sensor());
    comes_back((Position(place), Velocity(place), Restitution(0.7), UserData(u64::MAX)));
    comes_back([Mass(2.5), Mass(0.0)]);
    comes_back(Kinematic { max_speed: 3.0 });
    comes_back(Rules(carom::Rules::new().with_membership(2).with_mask(5).with_team(1)));
    comes_back(MoveTo { target: place, seconds: 0.1 });
    comes_back(Wall::from(carom::Wall::polyline(&[[0.0, 0.1], [1.0, 0.7], [2.0, 0.2]])));
    comes_back(Region::from(carom::Region::disc([0.1, 0.2], 0.3)));
    comes_back(Body(carom::DiscForces { friction: 0.1, ..carom::DiscForces::default() }));
}
