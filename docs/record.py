"""Measure the figures of docs/RECORD.md on this machine and print them as a table: `python docs/record.py`.

Every claim of speed is a ratio of pairs in balanced random order, taken in one run.
POSIX only (peak memory of a child process).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from statistics import median

from gemmviz.backends.opencl.pocl import DEFAULT, METHOD_VARIABLE
from gemmviz.backends.registry import devices_for
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.measure.bench import Bench, Inputs, make_inputs
from gemmviz.measure.clock import SystemClock
from gemmviz.measure.compare import Comparison, ComparisonRule, compare
from gemmviz.measure.sampling import Launcher

COMMAND = (sys.executable, "-m", "gemmviz")


def seconds(*words: str) -> float:
    begin = time.perf_counter()
    subprocess.run([*COMMAND, *words], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


@contextmanager
def work_group_method(name: str | None) -> Iterator[None]:
    before = os.environ.pop(METHOD_VARIABLE, None)
    if name is not None:
        os.environ[METHOD_VARIABLE] = name
    try:
        yield
    finally:
        os.environ.pop(METHOD_VARIABLE, None)
        if before is not None:
            os.environ[METHOD_VARIABLE] = before


def launcher(kernel_id: str, inputs: Inputs, bench: Bench, method: str | None = None) -> Launcher:
    """A kernel ready to be launched, its first launch done."""
    kernel = load_catalogue().get(kernel_id)
    with work_group_method(method):
        ready = bench.prepare(kernel, kernel.params({}), devices_for(kernel.language)[0], inputs, limit_s=60.0)
        ready.launcher.run()
    print(f"  {kernel_id}: {ready.launcher.compiled.build}", file=sys.stderr)
    return ready.launcher


def versus(first: Launcher, second: Launcher) -> Comparison:
    rule = ComparisonRule(limit_seconds=30.0)
    for warm in (first, second):
        begin = time.perf_counter()
        while time.perf_counter() - begin < 0.3:
            warm.cold()
    return compare(lambda: first.cold().kernel_ms, lambda: second.cold().kernel_ms, SystemClock(), rule)


def told(name: str, comparison: Comparison) -> None:
    """`ratio` is first over second, in time: below 1 the first is faster."""
    faster = 1 / comparison.ratio
    low, high = 1 / comparison.high, 1 / comparison.low
    print(
        f"| {name} | {faster:.3g} times the speed (95 % interval {low:.3g} to {high:.3g}; medians "
        f"{comparison.a_median_ms:.3g} and {comparison.b_median_ms:.3g} ms) |",
        flush=True,
    )


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print; 1 where a command of gemmviz fails, which has said why."""
    argparse.ArgumentParser(description=__doc__.partition("\n")[0]).parse_args(words)
    try:
        measure()
    except subprocess.CalledProcessError as error:
        print(
            f"not measured any further: `gemmviz {' '.join(error.cmd[3:])}` ended with {error.returncode}",
            file=sys.stderr,
        )
        return 1
    return 0


def measure() -> None:
    """Print a row as soon as it is measured."""
    print("| what | measured |\n|---|---|")
    seconds("--help")
    print(f"| `gemmviz --help`, median of 9 | {median(seconds('--help') for _ in range(9)):.2f} s |", flush=True)
    quick = ("run", "--kernel", "tiled", "--size", "512x512x256", "--budget", "0.5", "--json")
    seconds(*quick)
    wall = median(seconds(*quick) for _ in range(3))
    print(f"| `gemmviz {' '.join(quick[:-1])}`, everything, warm caches | {wall:.2f} s |", flush=True)

    inputs = make_inputs(Shape(512, 512, 256), Fill.UNIFORM, 0)
    bench = Bench()
    told(
        "`tiled` 16 at 512x512x256: the chosen method against PoCL's default",
        versus(launcher("tiled", inputs, bench), launcher("tiled", inputs, bench, DEFAULT)),
    )
    blas = launcher("cpu_blas", inputs, bench)
    two_d = launcher("register_2d", inputs, bench)
    against_blas = versus(two_d, blas)
    told("`register_2d` at 512x512x256 against `cpu_blas`", against_blas)
    gflops = [inputs.shape.flop / (ms * 1e6) for ms in (against_blas.a_median_ms, against_blas.b_median_ms)]
    print(f"| the same in GFLOP/s, {os.cpu_count()} cores | {gflops[0]:.3g} and {gflops[1]:.3g} |", flush=True)
    large = make_inputs(Shape(1024, 1024, 1024), Fill.UNIFORM, 0)
    pair = versus(launcher("cpu_blocked", large, bench), launcher("cpu_blas", large, bench))
    told("`cpu_blocked` at 1024x1024x1024 against `cpu_blas`", pair)

    odd = ("run", "--size", "1037x1031x1055", "--kernel", "naive,tiled,cpu_ijk,cpu_blas", "--json")
    begin = time.perf_counter()
    done = subprocess.run([*COMMAND, *odd], check=True, stdout=subprocess.PIPE, text=True)
    wall = time.perf_counter() - begin
    passed = all(run["accuracy"]["passed"] for run in json.loads(done.stdout)["runs"])
    peak_mib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"| `gemmviz {' '.join(odd[:-1])}` | {wall:.0f} s, peak {peak_mib:.0f} MiB, all passed: {passed} |")


if __name__ == "__main__":
    sys.exit(main())
