"""Measure the ladder on a GPU and print the tables of docs/RECORD.md: `python docs/record_gpu.py --json FILE`.

Every claim of speed is a ratio of pairs in balanced random order, taken in one run; all samples go into the JSON file.
Parameters of the tuned rungs are chosen for each size by samples of all choices in rounds of random order. Cold caches
throughout. To try it without a GPU, the portable rungs are measured on PoCL against NumPy's BLAS:
`--device pocl --sizes 65x63x61`.

It measures in a process of its own: after a kernel that breaks the device another one goes on behind it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from gpu_record.compiled_ahead import compile_ahead
from gpu_record.goals import goal_rows, goals_first
from gpu_record.measured import Found, Measured, NotMeasured, as_found
from gpu_record.pairs import Rival, enter, fastest, measure_pair
from gpu_record.plan import MOST_CHOICES, SIZES, choices_for, ladder, library_for, shares
from gpu_record.tables import GOAL_COLUMNS, ladder_tables, markdown
from gpu_record.which_gpu import the_gpu

from gemmviz import __version__
from gemmviz.backends.base import BackendError, DeviceLostError
from gemmviz.backends.registry import NoDeviceError
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.loader import Catalogue, load_catalogue
from gemmviz.domain import figures
from gemmviz.domain.clock import timestamp
from gemmviz.domain.device import Device
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.measure.bench import Bench, Inputs, make_inputs
from gemmviz.measure.sampling import MeasurementError

FULL_CHECK_TO = 2 * 4096**3
"""Operations of the largest product that every result is compared with in full; beyond it by random projections."""
LEAST_PAIR_S, MOST_PAIR_S = 0.2, 2.0
SLOW_S = 0.3
"""A launch that would take longer is left out: nine of them would take longer than most others together."""
LOST, MOST_LOSSES = 75, 5
"""The exit code of a process whose device is of no more use, and how many of them are borne."""
OVERHEAD_S = {1: 0.15, 2: 0.8, 3: 1.5}
"""Of a kernel beside its samples (memory, transfers, check): up to 2048, to 4096, beyond."""


@dataclass(slots=True)
class Evening:
    """What is being measured, on what, and how much time is left for it."""

    device: Device
    catalogue: Catalogue
    kernels: tuple[Kernel, ...]
    shapes: tuple[Shape, ...]
    budget_s: float
    most_choices: int
    kept_in: Path | None = None
    found: list[Found] = field(default_factory=list)
    launch_s: dict[str, tuple[Shape, float]] = field(default_factory=dict)
    begin: float = field(default_factory=time.monotonic)

    @property
    def done(self) -> set[tuple[str, str]]:
        """Kernels and sizes of which there is an answer."""
        return {(one.kernel, one.size) for one in self.found}

    @property
    def left_s(self) -> float:
        return self.budget_s - (time.monotonic() - self.begin)


def say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def overhead_s(shape: Shape) -> float:
    return OVERHEAD_S[1 if shape.flop <= 2 * 2048**3 else 2 if shape.flop <= FULL_CHECK_TO else 3]


def estimate(evening: Evening) -> str:
    """What will take how long, before anything is measured."""
    sources = sum(
        len(choices_for(k, s, evening.device, evening.most_choices)) for k in evening.kernels for s in evening.shapes
    )
    beside = sum(overhead_s(shape) for shape in evening.shapes) * len(evening.kernels)
    pair = shares(evening.shapes, len(evening.kernels), evening.budget_s - beside)
    return (
        f"{len(evening.kernels)} kernels at {len(evening.shapes)} sizes, {sources} choices of parameters in all; "
        f"about {beside:.0f} s for memory and checks, {min(MOST_PAIR_S, max(LEAST_PAIR_S, pair)):.2g} s for each pair, "
        f"{evening.budget_s:.0f} s altogether"
    )


def measure_size(evening: Evening, bench: Bench, shape: Shape, sizes_left: int) -> None:
    """Every kernel at one size; what fails is kept with its reason."""
    say(f"{shape}: making A, B and the product they are judged by")
    inputs = make_inputs(shape, Fill.UNIFORM, 0)
    if shape.flop > FULL_CHECK_TO:
        inputs = replace(inputs, reference=None)
    libraries: dict[str, Rival | None] = {}
    with ExitStack() as kept:
        order = goals_first([kernel.id for kernel in evening.kernels], str(shape))
        for number, kernel in enumerate(map(evening.catalogue.get, order)):
            if (kernel.id, str(shape)) in evening.done:
                continue
            left = (len(evening.kernels) - number) + (sizes_left - 1) * len(evening.kernels)
            seconds = min(MOST_PAIR_S, max(LEAST_PAIR_S, evening.left_s / left - overhead_s(shape)))
            try:
                found: Found | None = measure_kernel(evening, bench, kernel, inputs, libraries, kept, seconds)
            except DeviceLostError as error:
                evening.found.append(NotMeasured(kernel.id, str(shape), f"the device was lost: {error}"))
                raise
            except (Refusal, MemoryRefusal, BackendError, MeasurementError) as error:
                found = NotMeasured(kernel.id, str(shape), str(error).removeprefix(f"{kernel.id}: "))
            if found is not None:
                evening.found.append(found)
                keep(evening)
            say(f"  {kernel.id}: {told(found) if found is not None else 'the time is over'}")


def measure_kernel(
    evening: Evening,
    bench: Bench,
    kernel: Kernel,
    inputs: Inputs,
    libraries: dict[str, Rival | None],
    kept: ExitStack,
    seconds: float,
) -> Found | None:
    """One kernel at one size: its parameters chosen, its result checked, then in turn with its library. None where no
    time is left for it.
    """
    device, shape = evening.device, inputs.shape
    kernel.plan(shape, kernel.params({}), device)
    expected = expected_s(evening, kernel, shape)
    if expected > SLOW_S:
        return NotMeasured(
            kernel.id, str(shape), f"left out: a launch would take about {figures.milliseconds(1000 * expected)}"
        )
    if evening.left_s <= 0:
        return None
    choices = choices_for(kernel, shape, device, evening.most_choices)
    params = fastest(bench, kernel, choices, device, inputs, 2 * seconds)
    against = library_for(kernel, evening.catalogue, device)
    rival = None
    if against is not None:
        other, where = against
        if other.id not in libraries:
            libraries[other.id] = enter_library(bench, other, where, inputs, kept)
        rival = libraries[other.id]
    with ExitStack() as stack:
        own = enter(bench, kernel, params, device, inputs, stack)
        found = measure_pair(own, rival, inputs, seconds, len(choices))
    evening.launch_s[kernel.id] = (shape, found.time.median / 1000.0)
    return found


def enter_library(bench: Bench, library: Kernel, device: Device, inputs: Inputs, kept: ExitStack) -> Rival | None:
    """The library, kept ready for all kernels of a size; None where it cannot run: the kernels are then timed alone."""
    try:
        return enter(bench, library, library.params({}), device, inputs, kept)
    except DeviceLostError:
        raise
    except (Refusal, MemoryRefusal, BackendError, MeasurementError) as error:
        say(f"  without a library: {error}")
        return None


def expected_s(evening: Evening, kernel: Kernel, shape: Shape) -> float:
    """Seconds of a launch, by the operations of a smaller size; 0 where none was measured."""
    known = evening.launch_s.get(kernel.id)
    return known[1] * shape.flop / known[0].flop if known is not None else 0.0


def told(found: Found) -> str:
    if isinstance(found, NotMeasured):
        return found.reason
    against = f", {found.ratio:.3f} of {found.against}" if found.against else ""
    right = "right" if found.passed else "WRONG"
    return f"{found.time.median:.4g} ms, {found.tflops:.3g} TFLOP/s{against}, {right}"


def facts_of(device: Device, found: Sequence[Found]) -> dict[str, Any]:
    """Device, driver, date and versions: what stands beside every figure."""
    builds = {one.build for one in found if isinstance(one, Measured)}
    return {
        "device": device.name,
        "driver": device.driver,
        "id": device.id,
        "compute_units": device.compute_units,
        "date": timestamp(),
        "gemmviz": __version__,
        "libraries": sorted(build for build in builds if build.startswith("cuBLAS")),
        "compilers": sorted({build.split(" for ")[0] for build in builds if build.startswith("nvcc")}),
    }


def read_words(words: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default=",".join(SIZES), help="MxNxK, several with commas between")
    parser.add_argument("--kernels", default="", help="ids with commas between; without it the whole ladder")
    parser.add_argument("--device", default="", help="id or part of the name; without it the preferred one")
    parser.add_argument("--budget", type=float, default=420.0, help="seconds for all of it")
    parser.add_argument("--choices", type=int, default=MOST_CHOICES, help="most choices of parameters in a sweep")
    parser.add_argument("--json", type=Path, help="keep every sample in this file")
    parser.add_argument("--add", action="store_true", help="go on with what the --json file has already")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)  # measure in this very process
    return parser.parse_args(words)


def prepared(options: argparse.Namespace) -> Evening:
    """What the options ask for."""
    catalogue = load_catalogue()
    kernels = ladder(catalogue)
    if options.kernels:
        kernels = tuple(catalogue.get(name.strip()) for name in options.kernels.split(","))
    device = the_gpu(options.device)
    shapes = sorted(map(Shape.parse, options.sizes.split(",")), key=lambda shape: shape.flop)
    return Evening(device, catalogue, kernels, tuple(shapes), options.budget, options.choices, options.json)


def main(words: Sequence[str] | None = None) -> int:
    """Measure in another process, and in one more behind each kernel that broke the device; print the tables.

    1 where a result was wrong or a process ended otherwise than it should.
    """
    words = list(sys.argv[1:] if words is None else words)
    options = read_words(words)
    if options.inside:
        return measure_inside(options)
    try:
        the_gpu(options.device)
    except NoDeviceError as error:
        say(f"nothing was measured: {error}")
        return 1
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        file = options.json or Path(folder) / "kept.json"
        if not options.add:
            file.unlink(missing_ok=True)
        command = [sys.executable, str(Path(__file__).resolve()), *words, "--inside", "--json", str(file)]
        code = LOST
        for _ in range(MOST_LOSSES):
            left_s = options.budget - (time.monotonic() - begin)
            code = subprocess.run([*command, "--budget", str(max(1.0, left_s))], check=False).returncode
            if code != LOST:
                break
        if not file.is_file():
            return code or 1
        document = json.loads(file.read_text(encoding="utf-8"))
    found = [as_found(row) for row in document["measured"]]
    print_all(document["facts"], found)
    say(f"{time.monotonic() - begin:.0f} s in all")
    return int(code != 0 or any(isinstance(one, Measured) and not one.passed for one in found))


def measure_inside(options: argparse.Namespace) -> int:
    """Plan, compile, measure what has no answer yet; leaves at once with LOST where a kernel broke the device."""
    evening = prepared(options)
    if options.json is not None and options.json.is_file():
        recall(evening, json.loads(options.json.read_text(encoding="utf-8"))["measured"])
    say(f"{evening.device.name}: {estimate(evening)}")
    begin = time.monotonic()
    wanted = (
        (kernel, shape, params)
        for kernel in evening.kernels
        for shape in evening.shapes
        for params in choices_for(kernel, shape, evening.device, evening.most_choices)
    )
    say(f"{compile_ahead(wanted, evening.device)} sources compiled in {time.monotonic() - begin:.0f} s")
    with Bench() as bench:
        try:
            for number, shape in enumerate(evening.shapes):
                measure_size(evening, bench, shape, len(evening.shapes) - number)
        except DeviceLostError as error:
            say(f"the device is lost: {error}")
            keep(evening)
            os._exit(LOST)  # giving back what a lost device holds would wait for ever
    return 0


def recall(evening: Evening, rows: Sequence[Mapping[str, Any]]) -> None:
    """Go on behind what an earlier process measured."""
    evening.found = [as_found(row) for row in rows]
    for one in evening.found:
        if isinstance(one, Measured):
            evening.launch_s[one.kernel] = (Shape.parse(one.size), one.time.median / 1000.0)


def keep(evening: Evening) -> None:
    """Every figure so far: what was measured stays, whatever comes."""
    path = evening.kept_in
    if path is None:
        return
    rows = [one.as_dict() if isinstance(one, Measured) else asdict(one) for one in evening.found]
    document = {"facts": facts_of(evening.device, evening.found), "measured": rows}
    temporary = path.with_name(f".{path.name}.part")
    temporary.write_text(json.dumps(document, allow_nan=False), encoding="utf-8")
    temporary.replace(path)


def print_all(facts: Mapping[str, Any], found: Sequence[Found]) -> None:
    """The tables, and what they were measured on."""
    versions = ", ".join([*facts["compilers"], *facts["libraries"]])
    print(f"{facts['date'][:10]}, {facts['device']}, driver {facts['driver']}" + (f", {versions}" if versions else ""))
    place = {kernel.id: number for number, kernel in enumerate(load_catalogue().kernels)}
    print(f"\n{ladder_tables(sorted(found, key=lambda one: place.get(one.kernel, len(place))))}\n")
    rows = goal_rows(found)
    if rows:
        print(markdown(GOAL_COLUMNS, rows))


if __name__ == "__main__":
    sys.exit(main())
