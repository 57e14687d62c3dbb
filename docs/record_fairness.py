"""Compare kernels with themselves: intervals must contain 1. `python docs/record_fairness.py`, `--on gpu`.

For kernels of about 5, 50 and 500 µs it compares the same launch with itself as often as `--runs` says, each time by
pairs in balanced random order with an interval over blocks, as the program compares (`gemmviz/measure/compare.py`), and
prints for docs/RECORD.md how many intervals contain 1. At least 90 of 100 must. `--earlier` adds the same in the fixed
order A B A B, as it was before, to see what that would have told.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import median

import numpy as np
from gpu_record.tables import markdown
from gpu_record.which_gpu import the_gpu

from gemmviz.backends.base import BackendError
from gemmviz.backends.registry import NoDeviceError, find_device
from gemmviz.catalogue.kernel import Refusal
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain import figures
from gemmviz.domain.device import Device
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.measure.bench import Bench, make_inputs
from gemmviz.measure.clock import SystemClock
from gemmviz.measure.compare import Comparison, ComparisonRule, compare, judge
from gemmviz.measure.sampling import Launcher

TARGETS_US = (5.0, 50.0, 500.0)
LEAST_SHARE = 0.9
"""The part of the intervals that must contain 1; 0.95 is what they promise."""
SIZES = (1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048)
KERNELS = {"cpu": (("tiled", "pocl"), ("cpu_ikj", "host")), "gpu": (("tiled", ""),)}
"""What is launched: a kernel and its device. Any will do: only its time matters."""
COLUMNS = (
    "kernel, size",
    "a launch",
    "pairs",
    "intervals that contain 1",
    "half-width of the interval, median",
    "at least 90 %",
)
EARLIER = "in the fixed order A B A B"
LIMIT_S = 60.0
Take = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Subject:
    """A kernel that is ready to be launched, with the caches overwritten before each launch."""

    name: str
    launcher: Launcher
    launch_ms: float

    def take(self) -> float:
        """One sample in ms."""
        return self.launcher.cold().kernel_ms


@dataclass(frozen=True, slots=True)
class Held:
    """How the comparisons of a kernel with itself came out."""

    subject: Subject
    found: tuple[Comparison, ...]
    earlier: tuple[Comparison, ...] = ()

    @property
    def is_good(self) -> bool:
        return count_of(self.found) >= LEAST_SHARE * len(self.found)


def say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def count_of(found: Sequence[Comparison]) -> int:
    """How many intervals contain 1."""
    return sum(one.low <= 1.0 <= one.high for one in found)


def subjects(kernel_id: str, device: Device, bench: Bench, stack: ExitStack) -> Iterator[Subject]:
    """The kernel at those of SIZES at which it lasts nearest to each target."""
    kernel = load_catalogue().get(kernel_id)
    tried: list[Subject] = []
    for size in SIZES:
        shape = Shape(size, size, size)
        try:
            ready = bench.prepare(kernel, kernel.params({}), device, make_inputs(shape, Fill.UNIFORM, 0), LIMIT_S)
        except Refusal:
            continue
        stack.callback(ready.release)
        begin = time.monotonic()
        taken = [ready.launcher.cold().kernel_ms for _ in range(5)]
        while len(taken) < 25 and time.monotonic() - begin < 0.5:
            taken.append(ready.launcher.cold().kernel_ms)
        tried.append(Subject(f"`{kernel_id}` {shape}", ready.launcher, median(taken[2:])))
        if tried[-1].launch_ms > 2 * TARGETS_US[-1] / 1000.0:
            break
    usable = [one for one in tried if one.launch_ms > 0]
    for target_us in TARGETS_US if usable else ():
        yield min(usable, key=lambda one: abs(math.log(1000.0 * one.launch_ms / target_us)))


def against_itself(subject: Subject, runs: int, pairs: int, rng: np.random.Generator) -> tuple[Comparison, ...]:
    """As the program compares."""
    rule = ComparisonRule(pairs=pairs, limit_seconds=LIMIT_S)
    return tuple(compare(subject.take, subject.take, SystemClock(), rule, rng=rng) for _ in range(runs))


def in_fixed_order(subject: Subject, runs: int, pairs: int) -> tuple[Comparison, ...]:
    """As it was compared before."""
    found = []
    for _ in range(runs):
        times = np.array([subject.take() for _ in range(2 * pairs)])
        found.append(judge(times[0::2], times[1::2]))
    return tuple(found)


def row(held: Held, pairs: int) -> tuple[str, ...]:
    """A line of the table."""

    def contained(found: Sequence[Comparison]) -> str:
        return f"{count_of(found)} of {len(found)}"

    widths = [(one.high - one.low) / 2 for one in held.found if math.isfinite(one.high - one.low)]
    cells = (
        held.subject.name,
        figures.milliseconds(held.subject.launch_ms),
        str(pairs),
        contained(held.found),
        f"±{100 * median(widths):.2g} %" if widths else "",
        "yes" if held.is_good else "NO",
    )
    return (*cells, contained(held.earlier)) if held.earlier else cells


def read_words(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--on", choices=("cpu", "gpu"), default="cpu", help="where; without it on the CPU")
    parser.add_argument("--device", default="", help="with --on gpu: id or part of the name")
    parser.add_argument("--runs", type=int, default=100, help="comparisons of each kernel with itself")
    parser.add_argument("--pairs", type=int, default=96, help="pairs in each")
    parser.add_argument("--seed", type=int, default=0, help="of the orders")
    parser.add_argument("--earlier", action="store_true", help=f"the same {EARLIER} as well")
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> int:
    """Compare and print the table; 1 where too few intervals contain 1, or nothing could be measured."""
    options = read_words(words)
    rng, held = np.random.default_rng(options.seed), []
    try:
        with Bench() as bench:
            for kernel_id, device_id in KERNELS[options.on]:
                device = the_gpu(options.device) if options.on == "gpu" else find_device(device_id)
                say(f"{kernel_id} on {device.name}")
                with ExitStack() as stack:
                    for subject in subjects(kernel_id, device, bench, stack):
                        begin = time.monotonic()
                        found = against_itself(subject, options.runs, options.pairs, rng)
                        earlier = in_fixed_order(subject, options.runs, options.pairs) if options.earlier else ()
                        held.append(Held(subject, found, earlier))
                        say(f"  {row(held[-1], options.pairs)}, {time.monotonic() - begin:.0f} s")
    except (NoDeviceError, BackendError) as error:
        say(f"nothing was measured: {error}")
        return 1
    print(markdown((*COLUMNS, EARLIER) if options.earlier else COLUMNS, [row(one, options.pairs) for one in held]))
    return 0 if held and all(one.is_good for one in held) else 1


if __name__ == "__main__":
    sys.exit(main())
