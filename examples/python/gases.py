"""The equation of state of hard discs, from ten thousand small gases.

    pip install 'carom-physics[sweep]' matplotlib
    python gases.py gases            # a data set in the folder `gases`, and gases.png

A row is a gas of a packing fraction, a number of discs and a seed. What many seeds give has an error, and
what several numbers of discs give leads to that of an endless gas. It is compared with the virial series of
ten coefficients by Clisby and McCoy, J. Stat. Phys. 122 (2006) 15. What is left of the series, 0.6 % at 0.5,
is taken as a geometric one.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from carom import World, observe
from carom.sweep import Result, Row, grid, sweep

Array = npt.NDArray[np.float64]

# B_k / B_2^(k-1) from the second on.
VIRIAL = [1, 0.78200444, 0.53223180, 0.33355604, 0.1988425, 0.1148728, 0.0649930, 0.0362193, 0.0199537]
PACKINGS = np.round(np.arange(0.05, 0.51, 0.05), 2)
SIDES = [5, 7, 10]
SEEDS = 334


def gas(row: Row, rng: np.random.Generator) -> Mapping[str, Any]:
    """The compressibility βPA/N of a periodic gas that starts on a square lattice."""
    side = int(row["side"])
    world = World(period=(side, side), record_events=False)
    places = np.stack(np.meshgrid(np.arange(side), np.arange(side)), axis=-1).reshape(-1, 2) + 0.5
    velocities = rng.normal(size=(side * side, 2))
    velocities -= velocities.mean(axis=0)
    velocities /= np.sqrt((velocities**2).sum() / (2 * side * side))
    world.insert_many(places, np.sqrt(row["packing"] / np.pi), velocities=velocities)
    world.advance(10.0)
    z, _ = observe.pressure(world, windows=8, seconds=2.0)
    return {"z": z}


def virial(packing: Array) -> Array:
    terms = (2 * packing[:, None]) ** np.arange(1, len(VIRIAL) + 1) * np.array(VIRIAL)
    ratio = 2 * packing * VIRIAL[-1] / VIRIAL[-2]
    return 1 + terms.sum(axis=1) + terms[:, -1] * ratio / (1 - ratio)


def summary(result: Result) -> tuple[Array, Array]:
    """Means over the seeds and their standard errors: of each number of discs, and then of an endless gas,
    by a line through 1/N."""
    table = result.table
    z = np.asarray(table["z"]).reshape(len(PACKINGS), len(SIDES), SEEDS)
    means, errors = z.mean(axis=2), z.std(axis=2, ddof=1) / SEEDS**0.5
    inverse = 1 / np.array(SIDES, float) ** 2
    ends, bounds = [], []
    for mean, error in zip(means, errors, strict=True):
        design = np.stack([np.ones_like(inverse), inverse], axis=1) / error[:, None]
        covariance = np.linalg.inv(design.T @ design)
        ends.append((covariance @ design.T @ (mean / error))[0])
        bounds.append(covariance[0, 0] ** 0.5)
    return np.column_stack([means, ends]), np.column_stack([errors, bounds])


def plot(path: str, means: Array, errors: Array) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 5), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=[2, 1.2])
    fine = np.linspace(0, 0.52, 200)
    above.plot(fine, virial(fine), color="0.6", label="virial series")
    above.errorbar(
        PACKINGS, means[:, -1], errors[:, -1], fmt=".", color="tab:blue", label="N → ∞, from gases"
    )
    above.set(ylabel="βPA/N")
    above.legend()
    names = [f"N = {side * side}" for side in SIDES] + ["N → ∞"]
    for k, name in enumerate(names):
        ratio, error = means[:, k] / virial(PACKINGS) - 1, errors[:, k] / virial(PACKINGS)
        below.errorbar(PACKINGS, 100 * ratio, 100 * error, fmt=".-", linewidth=0.8, label=name)
    below.axhline(0, color="0.6")
    below.set(xlabel="packing fraction", ylabel="off the series, %")
    below.legend(ncols=2, fontsize=8)
    figure.savefig(path, dpi=120)


def main() -> None:
    out = sys.argv[1] if len(sys.argv) > 1 else "gases"
    rows = grid(packing=PACKINGS, side=SIDES, again=range(SEEDS))
    result = sweep(gas, rows, out=out, seed=1, chunk=200)
    means, errors = summary(result)
    print(f"{result.table.num_rows} gases, digest {result.digest()}, failed: {len(result.failed)}")
    print(f"{'packing':>8}{'βPA/N':>10}{'error':>9}{'series':>9}{'off by':>9} errors")
    for packing, mean, error, series in zip(
        PACKINGS, means[:, -1], errors[:, -1], virial(PACKINGS), strict=True
    ):
        print(f"{packing:8.2f}{mean:10.4f}{error:9.4f}{series:9.4f}{(mean - series) / error:9.1f}")
    plot(f"{out}.png", means, errors)


if __name__ == "__main__":
    main()
