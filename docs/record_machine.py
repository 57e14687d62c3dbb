"""Measure recordings on the PTX machine, and beside Oclgrind where it is installed: `python docs/record_machine.py`.

Whole grids and first recordings are made in processes of their own. Oclgrind and the machine run in turn; a ratio is
the median of the ratios of neighbours, of times by the clock and of CPU seconds, with the least and the greatest.
Memory is the peak of a process of its own. Nothing else should run.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from machine_record import oclgrind

from gemmviz.backends.base import OpenDevice
from gemmviz.backends.recording import recorder_for
from gemmviz.backends.registry import backend_of, find_device
from gemmviz.catalogue.kernel import Refusal
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill, Language
from gemmviz.trace.analyse import analyse
from gemmviz.trace.recorder import Recorder

ODD, LARGE, SMALL = Shape(1037, 1031, 1055), Shape(4096, 4096, 4096), Shape(128, 128, 64)
INTERPRETED = Shape(256, 256, 256)
"""What Oclgrind interprets in half a minute."""
LIMIT_S = 300.0
SAMPLES = 5


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of a process or a piece of work: by the clock, and of all its threads on the CPU."""

    seconds: float
    cpu_s: float


def opened() -> OpenDevice:
    """The PTX machine."""
    device = find_device("machine")
    return backend_of(device).open(device)


def recorder(device: OpenDevice, kernel_id: str, shape: Shape, form: CodeForm) -> Recorder:
    """A recorder of a kernel with its usual parameters.

    Raises:
        Refusal: the kernel does not take that size there.
    """
    kernel = load_catalogue().get(kernel_id)
    plan = kernel.plan(shape, kernel.params({}), device.device)
    return recorder_for(device, kernel, plan, shape, make_operands(shape, Fill.UNIFORM, 0), LIMIT_S, form)


def cost_of(work: Callable[[], object]) -> Cost:
    """What some work of this process or of processes that it waits for takes."""
    begin, before = time.perf_counter(), _cpu_s()
    work()
    return Cost(time.perf_counter() - begin, _cpu_s() - before)


def _cpu_s() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def one_block(made: Recorder, shape: Shape) -> None:
    """Record and analyse the first block."""
    analyse(made, np.zeros(1, np.int32), shape)


def in_turn(jobs: dict[str, Callable[[], object]]) -> dict[str, list[Cost]]:
    """What each job costs, warm, samples taken in turn."""
    for job in jobs.values():
        job()
    found: dict[str, list[Cost]] = {name: [] for name in jobs}
    for _ in range(SAMPLES):
        for name, job in jobs.items():
            found[name].append(cost_of(job))
    return found


def of_one_block(shape: Shape) -> None:
    """One block of `tiled` in each form."""
    machine = opened()
    forms = {"as compiled": CodeForm.AS_COMPILED, "as written": CodeForm.AS_WRITTEN}
    made = {name: recorder(machine, "tiled", shape, form) for name, form in forms.items()}
    costs = in_turn({name: partial(one_block, one, shape) for name, one in made.items()})
    print(f"\none block of tiled at {shape}, recorded and analysed, warm, median of {SAMPLES}")
    for name, samples in costs.items():
        print(f"| {name} | {statistics.median(one.seconds for one in samples):.3f} s |")


def of_every_rung() -> None:
    """One block of each rung at LARGE, warm."""
    machine = opened()
    print(f"\none block at {LARGE}, recorded and analysed, warm")
    for kernel in load_catalogue().kernels:
        if kernel.language is not Language.CUDA or kernel.not_emulated:
            continue
        try:
            made = recorder(machine, kernel.id, LARGE, CodeForm.AS_COMPILED)
        except Refusal:
            continue
        seconds = [cost_of(partial(one_block, made, LARGE)).seconds for _ in range(3)]
        print(f"| {kernel.id} | {min(seconds[1:]):.2f} s |", flush=True)


def whole_grid(shape: Shape) -> None:
    """All blocks of `tiled` in this process, warm; one line of JSON."""
    made = recorder(opened(), "tiled", shape, CodeForm.AS_COMPILED)
    one_block(made, shape)
    blocks = int(np.prod(made.grid))
    before = _cpu_s()
    found = analyse(made, np.arange(blocks, dtype=np.int32), shape)
    cpu_s = _cpu_s() - before
    peak_gib = _peak_gib()
    figures = {"accesses": found.accesses, "seconds": found.seconds, "searched": found.blocks_searched, "cpu_s": cpu_s}
    print(json.dumps({**figures, "blocks": blocks, "peak_gib": peak_gib}))


def _peak_gib() -> float:
    """The most memory that this process had; on Linux `getrusage` counts what the process had that started it, too."""
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text(encoding="utf-8").splitlines()
        return int(next(line.split()[1] for line in lines if line.startswith("VmHWM:"))) / 2**20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def of_whole_grid(shape: Shape) -> None:
    """All blocks of `tiled` with counts, reuse and hazards, several processes one after the other."""
    found = [in_process("--whole", *_words_of(shape)) for _ in range(SAMPLES)]
    seconds, cpu_s, peak = (statistics.median(one[name] for one in found) for name in ("seconds", "cpu_s", "peak_gib"))
    rate = found[0]["accesses"] / seconds / 1e6
    print(f"\nall blocks of tiled at {shape}, recorded and analysed, median of {SAMPLES} processes")
    print(
        f"| {seconds:.2f} s | {cpu_s:.2f} CPU s | {rate:.0f} million accesses/s | searched {found[0]['searched']:.0f} "
        f"of {found[0]['blocks']:.0f} blocks | {peak:.2f} GiB |"
    )


def _words_of(shape: Shape) -> list[str]:
    return [str(shape.m), str(shape.n), str(shape.k)]


def beside_oclgrind(shape: Shape) -> None:
    """All blocks of `tiled`: whole processes of Oclgrind and of the machine, in turn."""
    version = oclgrind.version()
    if not version:
        print(f"\nno comparison with Oclgrind: {oclgrind.COMMAND} is not on PATH")
        return
    kernel = load_catalogue().get("tiled")
    plan = kernel.plan(shape, kernel.params({}), find_device("machine"))
    work: list[dict[str, float]] = []
    costs = in_turn(
        {
            "machine": lambda: work.append(in_process("--whole", *_words_of(shape))),
            "Oclgrind": lambda: oclgrind.run_all_blocks(kernel, plan, shape),
        }
    )
    checks = " ".join(oclgrind.CHECKS)
    print(f"\nall blocks of tiled at {shape}: {version} with {checks}, {SAMPLES} pairs of whole processes, medians")
    for name, samples in costs.items():
        seconds, cpu_s = (statistics.median(values) for values in _columns(samples))
        print(f"| {name} | {seconds:.2f} s | {cpu_s:.2f} CPU s |")
    alone = [Cost(one["seconds"], one["cpu_s"]) for one in work[1:]]
    for name, samples in (("whole processes", costs["machine"]), ("without the start of Python", alone)):
        ratios = [(b.seconds / a.seconds, b.cpu_s / a.cpu_s) for a, b in zip(samples, costs["Oclgrind"], strict=True)]
        words = [
            f"{statistics.median(one):.0f} ({min(one):.0f} to {max(one):.0f})" for one in zip(*ratios, strict=True)
        ]
        print(f"| Oclgrind / machine, {name} | {words[0]} by the clock | {words[1]} of CPU seconds |")
    print(f"| accesses | {work[0]['accesses']:.0f} |")


def _columns(samples: Sequence[Cost]) -> tuple[list[float], list[float]]:
    return [one.seconds for one in samples], [one.cpu_s for one in samples]


def first_recording(kernel_id: str) -> None:
    """The first recording of a process, from the choice of the device to the analysis; one line of JSON."""
    cost = cost_of(lambda: one_block(recorder(opened(), kernel_id, SMALL, CodeForm.AS_COMPILED), SMALL))
    print(json.dumps({"seconds": cost.seconds}))


def in_process(*words: str, cache: str = "") -> dict[str, float]:
    """What this script prints in a process of its own, with that folder for what is remembered on disk."""
    environment = {**os.environ, **({"XDG_CACHE_HOME": cache} if cache else {})}
    command = [sys.executable, str(Path(__file__)), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--whole", nargs=3, type=int, metavar=("M", "N", "K"), help="only all blocks of tiled")
    parser.add_argument("--first", metavar="KERNEL", help="only the first recording of this process")
    options = parser.parse_args(words)
    if options.whole:
        whole_grid(Shape(*options.whole))
        return 0
    if options.first:
        first_recording(options.first)
        return 0
    of_one_block(ODD)
    of_every_rung()
    of_whole_grid(ODD)
    beside_oclgrind(INTERPRETED)
    print(f"\nfirst recording at {SMALL}: empty cache, then what that left on disk")
    for kernel_id in ("tiled", "cp_async", "sgemm_best"):
        with tempfile.TemporaryDirectory() as cache:
            cold, warm = (in_process("--first", kernel_id, cache=cache)["seconds"] for _ in range(2))
        print(f"| {kernel_id} | {cold:.1f} s | {warm:.1f} s |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
