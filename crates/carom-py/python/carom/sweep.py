"""Studies over many parameters: on all cores, resumable, and on a cluster of Ray.

A study is a function of one row of parameters and a generator of random numbers, which gives numbers by
name. What a row gives depends on the row alone: its generator is that of (seed, number of the row), so
that the bits are the same however the rows are cut, in whichever order they come, and wherever they run.

>>> from carom.sweep import grid, sweep
>>> def flight(row, rng):
...     return {"range": row["speed"] ** 2 / 9.81}
>>> result = sweep(flight, grid(speed=[1.0, 2.0, 3.0]))
>>> result.table.column_names
['row', 'speed', 'range', 'error']"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import itertools
import json
import math
import os
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from . import billiards
from .errors import CaromError

Array = npt.NDArray[Any]
Columns = Mapping[str, Array]
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Study:
    """A function of rows, with a name and units."""

    name: str
    function: Callable[..., Mapping[str, Any]]
    """Of a row and a generator; or, if ``is_batched``, of columns and the numbers of their rows."""
    is_batched: bool = False
    units: Mapping[str, str] = field(default_factory=dict)
    """Of parameters and results: they go into the schema."""

    def key(self) -> str:
        """What the results depend on besides the parameters: the name, and the text of the function."""
        try:
            text = inspect.getsource(self.function)
        except (OSError, TypeError):
            text = getattr(self.function, "__qualname__", repr(type(self.function)))
        return f"{self.name}\n{text}"


def _breaks(columns: Columns, rows: Array) -> Mapping[str, Array]:
    """Breaks of a rack, or shots from it, each with a rack of its own."""
    size = len(rows)
    shots = {name: columns[name] for name in billiards.SHOT.names or () if name in columns and name != "seed"}
    seeds = np.asarray(columns["seed"], np.uint64) if "seed" in columns else rows.astype(np.uint64)
    racks = columns.get("rack", np.full(size, "9-ball"))
    gaps = columns.get("gap", np.full(size, 1e-4))
    results: dict[str, Array] = {}
    for rack, gap in sorted(set(zip(racks.tolist(), gaps.tolist(), strict=True))):
        mask = (racks == rack) & (gaps == gap)
        chosen = {name: values[mask] for name, values in shots.items()} | {"seed": seeds[mask]}
        played, _ = billiards.simulate_many(billiards.Game(rack, gap=gap), chosen, threads=1)
        for name in played.dtype.names or ():
            results.setdefault(name, np.zeros(size, played.dtype[name]))[mask] = played[name]
    return results


STUDIES: Mapping[str, Study] = {
    "breaks": Study(
        "breaks",
        _breaks,
        is_batched=True,
        units={"speed": "m/s", "direction": "rad", "elevation": "rad", "gap": "m", "duration": "s"},
    )
}
"""The studies that have a name.

``breaks`` plays a shot of ``speed``, ``direction``, ``side``, ``height`` and ``elevation`` into a rack
(``rack``, ``gap``, and ``seed``, which is the number of the row if it is left out)."""


def grid(**axes: Iterable[Any]) -> dict[str, Array]:
    """All combinations of values; the last name changes fastest."""
    rows = list(itertools.product(*axes.values()))
    return {name: np.array([row[index] for row in rows]) for index, name in enumerate(axes)}


def random(rows: int, *, seed: int = 0, **ranges: tuple[float, float]) -> dict[str, Array]:
    """Uniform random numbers between two bounds; more rows begin with the same ones."""
    columns = enumerate(ranges.items())
    return {name: low + (high - low) * _generator(seed, k).random(rows) for k, (name, (low, high)) in columns}


def sobol(rows: int, *, seed: int = 0, **ranges: tuple[float, float]) -> dict[str, Array]:
    """A scrambled sequence of Sobol' between two bounds, which fills them evenly. Wants SciPy."""
    qmc = importlib.import_module("scipy.stats.qmc")
    points = qmc.Sobol(len(ranges), rng=np.random.default_rng(seed)).random(rows)
    return {name: low + (high - low) * points[:, k] for k, (name, (low, high)) in enumerate(ranges.items())}


def _generator(seed: int, row: int) -> np.random.Generator:
    """The random numbers of a row: Philox is a function of key and counter."""
    return np.random.Generator(np.random.Philox(key=np.array([seed, row], np.uint64)))


@dataclass(frozen=True)
class Plan:
    """Which rows of which study are to be computed."""

    study: Study
    parameters: Columns
    seed: int
    chunk: int

    def __len__(self) -> int:
        return len(next(iter(self.parameters.values())))

    def key(self) -> str:
        """The same for plans whose results are the same: the name of the folder."""
        digest = hashlib.blake2b(self.study.key().encode(), digest_size=8)
        digest.update(json.dumps([self.seed, self.chunk]).encode())
        for name, values in self.parameters.items():
            digest.update(f"{name} {values.dtype.str} {len(values)}\n".encode())
            digest.update(np.ascontiguousarray(values).tobytes())
        return digest.hexdigest()

    def chunks(self) -> list[tuple[int, int]]:
        """First row and the one after the last, of each chunk."""
        return [(start, min(start + self.chunk, len(self))) for start in range(0, len(self), self.chunk)]


def run_chunk(plan: Plan, start: int, stop: int) -> pa.Table:
    """The results of some rows: what every backend calls. It knows no Ray and no files."""
    rows = _run_batch if plan.study.is_batched else _run_rows
    found = rows(plan, start, stop)
    columns: dict[str, Any] = {"row": np.arange(start, stop, dtype=np.int64)}
    columns |= {name: values[start:stop] for name, values in plan.parameters.items()}
    for name in found.column_names:
        if name in columns:
            raise CaromError(f"{name} is both a parameter and a result", "results", name, "another name")
        if name != "error":
            columns[name] = found[name]
    table = pa.table(columns | {"error": found["error"]})
    units = plan.study.units
    known = [(own, units.get(own.name)) for own in table.schema]
    return table.cast(pa.schema([own.with_metadata({"unit": unit}) if unit else own for own, unit in known]))


def _table(columns: Mapping[str, Any], errors: list[str | None]) -> pa.Table:
    return pa.table({**columns, "error": pa.array(errors, pa.string())})


def _run_rows(plan: Plan, start: int, stop: int) -> pa.Table:
    given = [_run_row(plan, row) for row in range(start, stop)]
    names = dict.fromkeys(name for results, _ in given for name in results)
    columns = {name: pa.array([results.get(name) for results, _ in given]) for name in names}
    return _table(columns, [error for _, error in given])


def _run_row(plan: Plan, row: int) -> tuple[Mapping[str, Any], str | None]:
    """The results of a row, or why there are none."""
    given = {name: values[row].item() for name, values in plan.parameters.items()}
    try:
        return plan.study.function(given, _generator(plan.seed, row)), None
    except Exception as error:  # the row is reported, and the others go on
        return {}, f"{type(error).__name__}: {error}"


def _run_batch(plan: Plan, start: int, stop: int) -> pa.Table:
    """All rows at once; where that fails half of them at a time, until it is known which rows fail."""
    columns = {name: values[start:stop] for name, values in plan.parameters.items()}
    try:
        found = plan.study.function(columns, np.arange(start, stop, dtype=np.int64))
        return _table(found, [None] * (stop - start))
    except Exception as error:  # the row is reported, and the others go on
        if stop - start == 1:
            return _table({}, [f"{type(error).__name__}: {error}"])
    middle = (start + stop) // 2
    halves = [_run_batch(plan, start, middle), _run_batch(plan, middle, stop)]
    return pa.concat_tables(halves, promote_options="permissive")


def write_chunk(plan: Plan, folder: Path, start: int, stop: int) -> Path:
    """Writes a part under a temporary name and renames it, so that a part that is there is whole."""
    path = _part(folder, start, stop)
    temporary = folder / f".{path.name}.{uuid.uuid4().hex}"
    pq.write_table(run_chunk(plan, start, stop), temporary)
    os.replace(temporary, path)
    return path


def _part(folder: Path, start: int, stop: int) -> Path:
    return folder / f"part-{start:012d}-{stop:012d}.parquet"


@dataclass(frozen=True)
class Result:
    """What a sweep has found."""

    table: pa.Table
    """A row for each row of parameters, in their order: ``row``, parameters, results, and ``error``."""
    folder: Path | None

    @property
    def failed(self) -> list[dict[str, Any]]:
        """The rows that have no results, with their parameters and the error."""
        error = self.table["error"]
        rows: list[dict[str, Any]] = self.table.filter(error.is_valid()).to_pylist()
        return rows

    def digest(self) -> str:
        """A hash of all rows."""
        digest = hashlib.blake2b(digest_size=8)
        for name in self.table.column_names:
            digest.update(name.encode())
            digest.update(json.dumps(self.table[name].to_pylist()).encode())
        return digest.hexdigest()


def sweep(
    study: str | Study | Callable[[Row, np.random.Generator], Mapping[str, Any]],
    parameters: Mapping[str, Iterable[Any]],
    *,
    out: str | os.PathLike[str] | None = None,
    seed: int = 0,
    chunk: int = 1000,
    backend: Literal["threads", "ray"] = "threads",
    threads: int | None = None,
    progress: bool = False,
) -> Result:
    """Computes a study for all rows of parameters.

    With ``out``, a folder, each chunk becomes a part of a data set in Parquet, in a folder that is named
    by the plan: who runs the same again computes only what is missing. Ray needs one that all workers see.
    ``threads`` is how many chunks are computed at once, that of the cores by default; on Ray it is how
    many are in flight. Rows whose function raises an exception are reported, and the others go on."""
    plan = _plan(study, parameters, seed, chunk)
    if backend not in ("threads", "ray"):
        message = f"backend is {backend!r}, allowed is threads or ray"
        raise CaromError(message, "backend", backend, "threads or ray")
    if backend == "ray" and out is None:
        raise CaromError("out is missing, beside Ray a folder is allowed", "out", "missing", "a folder")
    folder = None
    if out is not None:
        folder = Path(out).resolve() / plan.key()
        folder.mkdir(parents=True, exist_ok=True)
    missing = [ends for ends in plan.chunks() if folder is None or not _part(folder, *ends).exists()]
    most = threads or os.cpu_count() or 1
    tables: dict[int, pa.Table] = {}
    run = _on_threads if backend == "threads" else _on_ray
    with _bar(progress, plan, missing) as bar:
        for (start, stop), table in run(plan, folder, missing, most):
            bar.update(stop - start)
            if table is not None:
                tables[start] = table
    if folder is not None:
        tables = {start: pq.read_table(_part(folder, start, stop)) for start, stop in plan.chunks()}
    parts = [tables[start] for start, _ in plan.chunks()]
    return Result(pa.concat_tables(parts, promote_options="permissive").combine_chunks(), folder)


def _plan(study: Any, parameters: Mapping[str, Iterable[Any]], seed: int, chunk: int) -> Plan:
    if isinstance(study, str):
        if study not in STUDIES:
            known = ", ".join(STUDIES)
            raise CaromError(f"study is {study!r}, allowed is one of {known}", "study", study, known)
        study = STUDIES[study]
    elif not isinstance(study, Study):
        study = Study(getattr(study, "__name__", "study"), study)
    columns = {name: np.asarray(values) for name, values in parameters.items()}
    lengths = {name: values.shape for name, values in columns.items()}
    if len(set(lengths.values())) != 1 or any(len(shape) != 1 for shape in lengths.values()):
        allowed = "one or more columns of the same length"
        message = f"parameters are {lengths}, allowed are {allowed}"
        raise CaromError(message, "parameters", str(lengths), allowed)
    if chunk < 1:
        raise CaromError(f"chunk is {chunk}, allowed is 1 or more", "chunk", chunk, "1 or more")
    return Plan(study, columns, seed, chunk)


Done = tuple[tuple[int, int], "pa.Table | None"]


def _on_threads(plan: Plan, folder: Path | None, missing: list[tuple[int, int]], most: int) -> Iterator[Done]:
    def work(start: int, stop: int) -> Done:
        if folder is None:
            return (start, stop), run_chunk(plan, start, stop)
        write_chunk(plan, folder, start, stop)
        return (start, stop), None

    pool = ThreadPoolExecutor(most)
    todo, flying = iter(missing), set[Future[Done]]()
    try:
        while True:
            flying |= {pool.submit(work, *ends) for ends in itertools.islice(todo, 2 * most - len(flying))}
            if not flying:
                return
            done, flying = wait(flying, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
    finally:
        pool.shutdown(cancel_futures=True)


def _on_ray(plan: Plan, folder: Path | None, missing: list[tuple[int, int]], most: int) -> Iterator[Done]:
    ray = importlib.import_module("ray")
    if not ray.is_initialized():
        ray.init(num_cpus=most, include_dashboard=False, log_to_driver=False)
    task = ray.remote(num_cpus=1, max_retries=5)(write_chunk)
    shared = ray.put(plan)
    todo, flying = iter(missing), dict[Any, tuple[int, int]]()
    while True:
        # A bounded number, so that the driver of a large study holds few tasks.
        for ends in itertools.islice(todo, 4 * most - len(flying)):
            flying[task.remote(shared, folder, *ends)] = ends
        if not flying:
            return
        done, _ = ray.wait(list(flying))
        for reference in done:
            ray.get(reference)
            yield flying.pop(reference), None


class _Silent:
    """A bar that shows nothing."""

    def __enter__(self) -> _Silent:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def update(self, rows: int) -> None:
        pass


def _bar(progress: bool, plan: Plan, missing: list[tuple[int, int]]) -> Any:
    if not progress:
        return _Silent()
    rows = math.fsum(stop - start for start, stop in missing)
    tqdm = importlib.import_module("tqdm.auto").tqdm
    return tqdm(total=len(plan), initial=len(plan) - int(rows), desc=plan.study.name, unit="row")


__all__ = [
    "STUDIES",
    "Plan",
    "Result",
    "Study",
    "grid",
    "random",
    "run_chunk",
    "sobol",
    "sweep",
    "write_chunk",
]
