"""Discs that turn and rub, and surfaces that run."""

from __future__ import annotations

import pickle
from typing import Any

import carom
import pytest
from carom import Disc, Wall, World


def test_rough_discs_turn() -> None:
    world = World(rough=(0.5, 0.0))
    world.add_wall(Wall.half_plane((0, 0), (0, 1)))
    hoop = world.insert(Disc((0, 2), 1, velocity=(1, -4), inertia=1))
    world.advance(1.0)
    # It leaves the floor rolling: half of its speed is in its rotation, clockwise.
    assert (world[hoop].velocity[0], world[hoop].angular_velocity) == (0.5, -0.5)
    assert world.angular_velocities.tolist() == [-0.5] and world.rotational_energy == 0.125
    world.set_spin(hoop, angular_velocity=2.0)
    assert world[hoop].angular_velocity == 2 and world[hoop].inertia == 1


@pytest.mark.parametrize("q", [1.0, 0.5, 0.4])
@pytest.mark.parametrize("rho", [0.0, 0.02])
def test_a_conveyor_carries_what_lies_on_it(q: float, rho: float) -> None:
    mu, g, u, r = 0.3, 9.81, 2.0, 0.1
    world = World(gravity=(0, -g), rough=(mu, 0.0), rolling_resistance=rho)
    belt = world.add_wall(Wall.half_plane((0, 0), (0, 1), surface_speed=u))
    disc = world.insert(Disc((0, r), r, inertia=q))
    # Friction pushes it by mu g, and turns its rim by (mu - rho) g / q, until both together have the speed u.
    slips = u / (mu * g + (mu - rho) * g / q)
    carried = mu * g * slips
    world.advance_to(slips)
    assert world[disc].velocity[0] == pytest.approx(carried, rel=1e-12)
    assert world[disc].angular_velocity * r == pytest.approx(u - carried, rel=1e-12)
    other = pickle.loads(pickle.dumps(world))
    for later in (world, other):
        later.advance_to(60.0)
    assert other.checksum() == world.checksum()
    if rho == 0:
        # It rolls from then on with the same velocity v: x = v (t - slips / 2) says when the slip has ended.
        x, v = world[disc].position[0], world[disc].velocity[0]
        assert v == pytest.approx(u * q / (1 + q), rel=1e-12)
        assert 2 * (60.0 - x / v) == pytest.approx(u / (mu * g * (1 + 1 / q)), abs=1e-12)
    else:
        # Rolling resistance takes it along until it stands on the belt.
        assert world[disc].velocity[0] == pytest.approx(u, rel=1e-12) and world[disc].angular_velocity == 0
    assert world.walls[belt].surface_speed == u and world.walls[belt].roughness is None
    again = World(rough=(mu, 0.0))
    wall = again.add_wall(world.walls[belt])
    assert again.walls[wall].surface_speed == u


def test_a_belt_that_is_switched_off_brings_its_disc_to_rest() -> None:
    world = World(gravity=(0, -9.81), rough=(0.5, 0.0), rolling_resistance=0.1)
    belt = world.add_wall(Wall.half_plane((0, 0), (0, 1), surface_speed=3.0))
    disc = world.insert(Disc((0, 0.5), 0.5))
    world.advance(1.0)
    assert abs(world[disc].velocity[0]) > 0.5
    world.set_wall_surface(belt, roughness=(0.8, 0.0), rolling_resistance=0.05)
    assert world.walls[belt].surface_speed == 0 and world.walls[belt].roughness == (0.8, 0.0)
    world.advance(60.0)
    assert world[disc].velocity == (0, 0) and world[disc].angular_velocity == 0
    with pytest.raises(carom.CaromError, match="surface_speed"):
        world.set_wall_surface(belt, surface_speed=1e16)
    with pytest.raises(carom.StaleHandle):
        world.set_wall_surface(belt + 1, surface_speed=1.0)
    plain = World()
    wall = plain.add_wall(Wall.half_plane((0, 0), (0, 1)))
    with pytest.raises(carom.CaromError, match="rough"):
        plain.set_wall_surface(wall, surface_speed=1.0)


def test_rolling_resistance_stops_what_rolls() -> None:
    g, v, r, q = 10.0, 1.0, 2.0, 0.5
    world = World(gravity=(0, -g), rough=(0.5, 0.0))
    half = (0.5, 0.0)
    floor = world.add_wall(Wall.half_plane((0, 0), (0, 1), roughness=half, rolling_resistance=0.02))
    rough: dict[str, Any] = {"roughness": half, "rolling_resistance": 0.045}
    disc = world.insert(Disc((0, r), r, velocity=(v, 0), angular_velocity=-v / r, **rough))
    assert (world.walls[floor].roughness, world.walls[floor].rolling_resistance) == (half, 0.02)
    assert (world[disc].roughness, world[disc].rolling_resistance) == (half, 0.045)
    # By the geometric mean it is braked by rho g / (1 + q), to a stop after v (1 + q) / (rho g).
    brakes = 0.03 * g / (1 + q)
    world.advance(2.0)
    assert world[disc].velocity[0] == pytest.approx(v - 2 * brakes, abs=1e-12)
    world.advance_to(v / brakes + 1e-9)
    assert world[disc].velocity == (0, 0) and world[disc].angular_velocity == 0
    # From the way 2 x / v is the time: the braking is even.
    assert 2 * world[disc].position[0] / v == pytest.approx(v / brakes, abs=1e-12)
    # What is left out stays; without a roughness there is nothing to change.
    world.set_spin(disc, roughness=(0.4, 0.1))
    assert (world[disc].roughness, world[disc].rolling_resistance) == ((0.4, 0.1), 0.045)
    world.set_spin(disc, rolling_resistance=0.0)
    assert (world[disc].roughness, world[disc].rolling_resistance) == ((0.4, 0.1), 0.0)
    plain = world.insert(Disc((9, 9), 1))
    with pytest.raises(carom.CaromError, match="rolling_resistance"):
        world.set_spin(plain, rolling_resistance=0.1)
    # What is refused changes nothing, though the inertia alone would be allowed.
    with pytest.raises(carom.CaromError, match="angular_velocity"):
        world.set_spin(plain, inertia=2.0, angular_velocity=float("inf"))
    assert world[plain].inertia == 0.5
