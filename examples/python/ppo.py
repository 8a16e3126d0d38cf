"""Proximal policy optimisation in one file, after CleanRL's `ppo_continuous_action.py`, on environments that
step in one call of Rust.

    pip install 'carom-physics[gym]' torch matplotlib
    python ppo.py carom/PodArena-v0 --set opponents=1 --gamma 0.97 --minutes 4 --out pods
    python ppo.py carom/AirHockey-v0 --set limit=1000 --set hold=2 --set control=way --gamma 0.985 \\
        --envs 256 --steps 32 --epochs 5 --batches 4 --deviation 0.4 --shape 0.3 --minutes 9 --out hockey

It writes `pods.npz`, the policy, which `players.py` plays, `pods.csv` and `pods.png`, the learning curve. The
curve shows the rewards of the environment, of a policy that still tries what it does not mean. `--shape` adds
a reward of shots, which is gone when half of the time is over.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import carom.gym  # noqa: F401
import gymnasium
import numpy as np
import numpy.typing as npt
import torch
from torch import nn

Array = npt.NDArray[np.float32]


class Scale:
    """Running mean and variance, by which observations are brought to about 1 (Chan, Golub, LeVeque 1979)."""

    def __init__(self, width: int) -> None:
        self.mean, self.variance, self.count = np.zeros(width), np.ones(width), 1e-4

    def update(self, rows: Array) -> None:
        count, mean, variance = len(rows), rows.mean(axis=0), rows.var(axis=0)
        total, delta = self.count + count, mean - self.mean
        self.mean = self.mean + delta * count / total
        squares = self.variance * self.count + variance * count + delta**2 * self.count * count / total
        self.variance, self.count = squares / total, total

    def __call__(self, rows: Array) -> torch.Tensor:
        scaled = (rows - self.mean) / np.sqrt(self.variance + 1e-8)
        return torch.as_tensor(np.clip(scaled, -10, 10), dtype=torch.float32)


def shot(before: Array, after: Array) -> npt.NDArray[Any]:
    """What is worth learning before goals: the puck goes over the middle, fast, and to the goal."""
    x, y, vx, vy = after[:, :4].T
    is_over = (before[:, 12] > 0) & (after[:, 12] < 0) & (vx > 0.1)
    # Where it comes to the other end, off the sides.
    folded = np.mod(y + vy * (1.2 - x) / np.maximum(vx, 0.1) + 0.56, 2.24)
    ends = np.where(folded < 1.12, folded, 2.24 - folded) - 0.56
    return np.where(is_over, 0.2 + (abs(ends) < 0.18) * np.minimum(vx, 8) / 8, 0)


SHAPES = {"carom/AirHockey-v0": shot}


def layer(inputs: int, outputs: int, gain: float = 2**0.5) -> nn.Linear:
    linear = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(linear.weight, gain)
    nn.init.zeros_(linear.bias)
    return linear


class Agent(nn.Module):
    """Policy and value, each of two hidden layers."""

    def __init__(self, seen: int, done: int, hidden: int, deviation: float) -> None:
        super().__init__()

        def net(outputs: int, gain: float) -> nn.Sequential:
            inner = [layer(seen, hidden), nn.Tanh(), layer(hidden, hidden), nn.Tanh()]
            return nn.Sequential(*inner, layer(hidden, outputs, gain))

        self.value, self.mean = net(1, 1.0), net(done, 0.01)
        self.log_std = nn.Parameter(torch.full((done,), float(np.log(deviation))))

    def policy(self, seen: torch.Tensor) -> torch.distributions.Normal:
        return torch.distributions.Normal(self.mean(seen), self.log_std.exp())


def save(path: Path, agent: Agent, scale: Scale, options: dict[str, Any]) -> None:
    layers = [each for each in agent.mean if isinstance(each, nn.Linear)]
    arrays = {f"weight{k}": each.weight.detach().numpy() for k, each in enumerate(layers)}
    arrays |= {f"bias{k}": each.bias.detach().numpy() for k, each in enumerate(layers)}
    arrays |= {"mean": scale.mean, "deviation": np.sqrt(scale.variance + 1e-8)}
    np.savez(path, options=np.array(json.dumps(options)), **arrays)


def plot(path: Path, name: str, curve: list[tuple[float, int, float]]) -> None:
    from matplotlib.figure import Figure

    minutes, _, returns = zip(*curve, strict=True)
    figure = Figure(figsize=(6, 3.2), layout="constrained")
    axes = figure.subplots()
    axes.plot(minutes, returns, linewidth=0.8, alpha=0.4, color="tab:blue")
    width = max(1, len(returns) // 30)
    smooth = np.convolve(returns, np.ones(width) / width, mode="valid")
    axes.plot(minutes[width - 1 :], smooth, color="tab:blue")
    axes.set(xlabel="minutes of CPU", ylabel="return of an episode", title=name)
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=120)


def train(args: argparse.Namespace, options: dict[str, Any]) -> None:
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    envs: Any = gymnasium.make_vec(
        args.env, num_envs=args.envs, vectorization_mode="vector_entry_point", threads=args.threads, **options
    )
    width, acts = envs.single_observation_space.shape[0], envs.single_action_space.shape[0]
    agent, scale = Agent(width, acts, args.hidden, args.deviation), Scale(width)
    adam = torch.optim.Adam(agent.parameters(), lr=args.rate, eps=1e-5)
    seen_now, _ = envs.reset(seed=args.seed)
    # In an environment whose episode is over the next step only begins another one: it is not learned from.
    begins = np.zeros(args.envs, np.bool_)
    running = np.zeros(args.envs)
    finished: list[float] = []
    curve: list[tuple[float, int, float]] = []
    start, shape = time.process_time(), (args.steps, args.envs)
    steps = 0
    while (minutes := (time.process_time() - start) / 60) < args.minutes:
        for group in adam.param_groups:
            group["lr"] = args.rate * max(0.05, 1 - minutes / args.minutes)
        seen, done = torch.zeros(*shape, width), torch.zeros(*shape, acts)
        logs, rewards, values = torch.zeros(shape), torch.zeros(shape), torch.zeros(args.steps + 1, args.envs)
        goes_on, counts = torch.zeros(shape), torch.zeros(shape)
        for step in range(args.steps):
            scale.update(seen_now)
            seen[step] = scale(seen_now)
            with torch.no_grad():
                policy = agent.policy(seen[step])
                done[step] = policy.sample()
                logs[step] = policy.log_prob(done[step]).sum(-1)
                values[step] = agent.value(seen[step]).squeeze(-1)
            seen_before = seen_now
            seen_now, reward, terminated, truncated, _ = envs.step(done[step].numpy().clip(-1, 1))
            counts[step] = torch.as_tensor(~begins)
            goes_on[step] = torch.as_tensor(~terminated, dtype=torch.float32)
            rewards[step] = torch.as_tensor(reward, dtype=torch.float32)
            if (weight := args.shape * max(0, 1 - 2 * minutes / args.minutes)) > 0:
                rewards[step] += weight * torch.as_tensor(SHAPES[args.env](seen_before, seen_now))
            if truncated.any():
                # What is cut off is worth what the value function says of where it was.
                with torch.no_grad():
                    rest = agent.value(scale(seen_now)).squeeze(-1)
                cut = torch.as_tensor(truncated & ~terminated)
                rewards[step] += args.gamma * rest * cut
                goes_on[step] *= (~cut).float()
            running += reward
            begins = terminated | truncated
            finished += running[begins].tolist()
            running[begins] = 0
        steps += int(counts.sum())
        with torch.no_grad():
            values[args.steps] = agent.value(scale(seen_now)).squeeze(-1)
        advantages, last = torch.zeros(shape), torch.zeros(args.envs)
        for step in reversed(range(args.steps)):
            delta = rewards[step] + args.gamma * goes_on[step] * values[step + 1] - values[step]
            last = delta + args.gamma * args.smooth * goes_on[step] * last
            advantages[step] = last
        learn(args, agent, adam, counts.bool(), (seen, done, logs, advantages, advantages + values[:-1]))
        finished = finished[-400:]
        if not finished:
            continue
        curve.append((minutes, steps, float(np.mean(finished))))
        if len(curve) % 20 == 0:
            print(f"{minutes:5.1f} min  {steps:9d} steps  return {curve[-1][2]:7.3f}", flush=True)
            save(args.out.with_suffix(".npz"), agent, scale, options)
    save(args.out.with_suffix(".npz"), agent, scale, options)
    rows = "\n".join(f"{minutes:.3f},{steps},{value:.4f}" for minutes, steps, value in curve)
    args.out.with_suffix(".csv").write_text("minutes,steps,return\n" + rows + "\n")
    # Where no episode has come to an end there is nothing to draw.
    if curve:
        plot(args.out.with_suffix(".png"), args.env, curve)


def learn(
    args: argparse.Namespace,
    agent: Agent,
    adam: torch.optim.Adam,
    counts: torch.Tensor,
    rows: tuple[torch.Tensor, ...],
) -> None:
    seen, done, logs, advantages, returns = (each[counts] for each in rows)
    for _ in range(args.epochs):
        for batch in torch.randperm(len(seen)).chunk(args.batches):
            policy = agent.policy(seen[batch])
            ratio = (policy.log_prob(done[batch]).sum(-1) - logs[batch]).exp()
            advantage = advantages[batch]
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
            gain = torch.minimum(ratio * advantage, clipped * advantage).mean()
            error = 0.5 * (agent.value(seen[batch]).squeeze(-1) - returns[batch]).pow(2).mean()
            loss = error - gain - args.entropy * policy.entropy().sum(-1).mean()
            adam.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            adam.step()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else None)
    parser.add_argument("env")
    parser.add_argument("--set", action="append", default=[], metavar="RULE=VALUE")
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--out", type=Path, default=Path("policy"))
    counts = {"envs": 128, "steps": 64, "threads": 1, "epochs": 6, "batches": 8, "hidden": 64, "seed": 1}
    for name, value in counts.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    numbers = {"rate": 1e-3, "gamma": 0.99, "smooth": 0.95, "clip": 0.2, "entropy": 1e-3}
    for name, number in (numbers | {"deviation": 0.6, "shape": 0.0}).items():
        parser.add_argument(f"--{name}", type=float, default=number)
    args = parser.parse_args()
    options: dict[str, Any] = {}
    for rule in args.set:
        name, _, value = rule.partition("=")
        options[name] = int(value) if value.lstrip("-").isdigit() else value
    train(args, options)


if __name__ == "__main__":
    main()
