"""What is measured, against laws and lattices."""

from __future__ import annotations

import math
from pathlib import Path

import carom
import numpy as np
import pytest
from carom import Disc, World, observe


def gas(n: int, side: float, radius: float) -> World:
    world = World(period=(side, side), record_events=False)
    step = side / n
    places = np.stack(np.meshgrid(np.arange(n), np.arange(n)), axis=-1).reshape(-1, 2) * step
    world.insert_many(places, radius, velocities=np.random.default_rng(1).normal(size=(n * n, 2)))
    return world


def test_the_pressure_is_that_of_henderson() -> None:
    world = gas(16, 16, 0.3)
    world.advance(20.0)
    z, error = observe.pressure(world, windows=200, seconds=1.0)
    # Henderson, Mol. Phys. 30 (1975) 971, to a few parts in a thousand; and what 256 discs are off.
    eta = math.pi * 0.3**2
    henderson = (1 + eta * eta / 8) / (1 - eta) ** 2
    assert 0 < error < 0.01 and abs(z - henderson) < 4 * error + 0.01 * henderson


def test_g_is_nothing_inside_and_one_far_away() -> None:
    world = gas(16, 16, 0.3)
    samples = []
    for _ in range(40):
        world.advance(2.0)
        samples.append(world.positions)
    edges, g = observe.radial(samples, 8.0, 80, period=(16, 16))
    assert edges.shape == (81,) and g.shape == (80,) and edges[-1] == 8.0
    assert (g[:6] == 0).all() and g[6] > 1.3
    assert g[50:] == pytest.approx(1, abs=0.1)
    one = observe.radial(samples[0], 8.0, 80, period=(16, 16))[1]
    assert one.shape == (80,)


def test_a_triangular_lattice_has_hexatic_order() -> None:
    rows = [(i + 0.5 * (j % 2), j * math.sqrt(3) / 2) for j in range(8) for i in range(8)]
    psi = observe.bond_order(rows, period=(8, 8 * math.sqrt(3) / 2))
    assert np.abs(psi) == pytest.approx(1) and abs(psi.mean()) == pytest.approx(1)


def test_frames_are_extended_xyz(tmp_path: Path) -> None:
    world = World(period=(4, 3))
    world.insert(Disc((1, 2), 0.5, velocity=(1, 0), mass=2))
    frames = []
    for _ in range(2):
        frames.append(observe.xyz(world))
        world.advance(0.25)
    observe.write_xyz(tmp_path / "a.xyz", frames)
    lines = (tmp_path / "a.xyz").read_text().splitlines()
    assert len(lines) == 6 and lines[0] == lines[3] == "1"
    assert 'Lattice="4.0 0.0 0.0 0.0 3.0 0.0' in lines[1] and "Time=0.25" in lines[4]
    assert lines[2].split()[:4] == ["X", "1.0", "2.0", "0.0"] and lines[5].split()[1] == "1.25"


def test_a_square_lattice_has_peaks_at_its_reciprocal_vectors() -> None:
    places = np.stack(np.meshgrid(np.arange(8.0), np.arange(8.0)), axis=-1).reshape(-1, 2)
    k, s, waves = observe.structure_factor(places, 7.0, period=(8, 8))
    assert k.shape == s.shape == waves.shape
    # Two of the wave vectors of that bin, 2π long, have S = N, and all others 0.
    peak = int(np.argmax(s))
    assert abs(k[peak] - 2 * math.pi) < 0.5 and s[peak] == pytest.approx(64 * 2 / waves[peak])
    assert np.delete(s, peak) == pytest.approx(0, abs=1e-12)


def test_straight_flight_is_displaced_by_its_speed() -> None:
    times = np.arange(20.0)
    samples = np.stack([np.outer(times, (3, 0)), np.outer(times, (0, -1))], axis=1)
    squares = observe.displacement(samples, 6, spacing=5)
    assert squares == pytest.approx((9 + 1) / 2 * np.arange(7.0) ** 2)
    assert np.isnan(observe.displacement(samples[:3], 6)[3:]).all()


def test_temperature_is_relative_to_the_centre_of_mass_where_momentum_is_kept() -> None:
    cases: list[tuple[observe.Period, float]] = [
        ((None, None), 3.0), ((8, 8), 1.0), ((8, None), 4 / 3), ((None, 8), 10 / 3)
    ]
    for period, kt in cases:
        world = World(period=period)
        world.insert(Disc((1, 1), 0.1, velocity=(3, 1)))
        world.insert(Disc((5, 5), 0.1, velocity=(1, 1)))
        # K = 6 for four degrees of freedom; relative to (2, 1) K = 1 for two. In tubes there are three:
        # relative to 2 along x K = 2, relative to 1 along y K = 5.
        assert observe.temperature(world) == kt


def test_frames_come_back_to_the_last_bit(tmp_path: Path) -> None:
    world = gas(4, 4.1, 0.3)
    world.advance(1.0)
    observe.write_xyz(tmp_path / "a.xyz", [observe.xyz(world)] * 2)
    first, second = observe.read_xyz(tmp_path / "a.xyz")
    assert (first.positions == world.positions).all() and (second.positions == world.positions).all()
    assert first.velocities is not None and (first.velocities == world.velocities).all()
    assert first.radii is not None and (first.radii == 0.3).all() and first.ids is None
    assert (first.time, first.period, first.sides) == (1.0, (4.1, 4.1), (4.1, 4.1))
    (tmp_path / "b.xyz").write_text("1\nLattice=4\n")
    with pytest.raises(carom.CaromError, match="line 2"):
        observe.read_xyz(tmp_path / "b.xyz")


def test_what_is_refused() -> None:
    for call in (
        lambda: observe.pressure(World(), 3, 1.0),
        lambda: observe.pressure(gas(4, 8, 0.3), 1, 1.0),
        lambda: observe.radial(np.zeros((3, 2)), 1.0, 10),
        lambda: observe.radial(np.zeros((3, 2)), -1.0, 10, sides=(4, 4)),
        lambda: observe.bond_order(np.zeros((3, 2)), period=(-1, 1)),
        lambda: observe.xyz(World()),
        lambda: observe.radial(np.zeros((3, 3)), 1.0, 10, sides=(4, 4)),
        lambda: observe.structure_factor(np.zeros((3, 2)), -1.0, period=(4, 4)),
        lambda: observe.displacement(np.zeros((3, 2)), 0),
        lambda: observe.temperature(World()),
    ):
        with pytest.raises(carom.CaromError) as refused:
            call()
        assert refused.value.field and refused.value.allowed
