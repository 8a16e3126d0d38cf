"""What an installed `carom-physics` must do anywhere: `tools/python/wheel` runs it in an empty environment.

    python smoke.py         # what needs numpy alone
    python smoke.py gym     # the environments, which need the extra `[gym]`
"""

import hashlib
import pickle
import sys

import carom
import numpy as np
from carom.billiards import SHOT, Game, simulate_many


def worlds() -> None:
    world = carom.World()
    world.add_wall(carom.Wall.container((0, 0), (20, 10)))
    cue = world.insert(carom.Disc((4, 5), 0.5, velocity=(30, 1)))
    world.insert_many([[14, 5], [15.1, 5.6]], 0.5)
    world.advance(2.0)
    assert world.positions.shape == (3, 2) and len(world.events) == world.event_count > 0
    saved = pickle.loads(pickle.dumps(world))
    for each in (world, saved):
        each.advance(1.0)
    assert world.checksum() == saved.checksum()
    try:
        world.set_radius(cue, -1.0)
    except carom.CaromError as error:
        assert error.field == "radius", error.field
    else:
        raise AssertionError("a radius below 0 is not refused")
    assert world.draw(width=200).png.startswith(b"\x89PNG")
    run = carom.run("newtons-cradle", until=1.0)
    print("a scene:", run.checksum())


def breaks() -> None:
    shots = np.zeros(20, dtype=SHOT)
    shots["speed"], shots["direction"], shots["seed"] = 9.0, np.pi / 2, np.arange(20)
    rows, positions = simulate_many(Game("9-ball", seed=1), shots)
    assert positions.shape[0] == 20 and (rows["duration"] > 1).all()
    # The bits are the same in all Pythons, of which the tool compares what is printed.
    print("breaks:", hashlib.sha256(positions.tobytes()).hexdigest()[:16])


def environments() -> None:
    import carom.gym  # noqa: F401
    import gymnasium

    envs = gymnasium.make_vec("carom/PodArena-v0", num_envs=8, vectorization_mode="vector_entry_point")
    seen, _ = envs.reset(seed=1)
    total = 0.0
    for _ in range(100):
        seen, rewards, *_ = envs.step(np.ones(envs.action_space.shape, np.float32))
        total += float(rewards.sum())
    assert np.isfinite(seen).all()
    print("environments:", hashlib.sha256(seen.tobytes()).hexdigest()[:16], total)


if __name__ == "__main__":
    for part in (environments,) if sys.argv[1:] == ["gym"] else (worlds, breaks):
        part()
