"""Measure recordings on the PTX machine, as written and as compiled: `python docs/record_machine.py`.

Samples of both forms are taken in turn in one process; a figure is their median. The first recordings are made in
processes of their own with an empty cache. Memory is the peak of a process of its own. Nothing else should run.
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
from functools import partial
from pathlib import Path

import numpy as np

from gemmviz.backends.base import OpenDevice
from gemmviz.backends.registry import backend_of, find_device
from gemmviz.catalogue.kernel import Refusal
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill, Language
from gemmviz.trace.analyse import analyse
from gemmviz.trace.ptx.recorder import Recorder
from gemmviz.trace.record import recorder_for

ODD, LARGE, SMALL = Shape(1037, 1031, 1055), Shape(4096, 4096, 4096), Shape(128, 128, 64)
LIMIT_S = 300.0
SAMPLES = 5


def opened() -> OpenDevice:
    """The PTX machine."""
    device = find_device("machine")
    return backend_of(device).open(device)


def recorder(device: OpenDevice, kernel_id: str, shape: Shape, form: CodeForm | None) -> Recorder:
    """A recorder of a kernel with its usual parameters.

    Raises:
        Refusal: the kernel does not take that size there.
    """
    kernel = load_catalogue().get(kernel_id)
    plan = kernel.plan(shape, kernel.params({}), device.device)
    return recorder_for(device, kernel, plan, shape, make_operands(shape, Fill.UNIFORM, 0), LIMIT_S, form)


def seconds_of(work: Callable[[], object]) -> float:
    """How long some work takes, in seconds."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def one_block(made: Recorder, shape: Shape) -> None:
    """Record and analyse the first block."""
    analyse(made, np.zeros(1, np.int32), shape)


def in_turn(jobs: dict[str, Callable[[], object]]) -> dict[str, float]:
    """The median time of each job, warm, samples taken in turn; seconds."""
    for job in jobs.values():
        job()
    found: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(SAMPLES):
        for name, job in jobs.items():
            found[name].append(seconds_of(job))
    return {name: statistics.median(samples) for name, samples in found.items()}


def of_one_block(shape: Shape) -> None:
    """One block of `tiled`, in each form."""
    machine = opened()
    made = {str(form): recorder(machine, "tiled", shape, form) for form in CodeForm}
    times = in_turn({name: partial(one_block, one, shape) for name, one in made.items()})
    print(f"\none block of tiled at {shape}, recorded and analysed, warm")
    for name, seconds in times.items():
        print(f"| {name} | {seconds:.2f} s |")


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
        seconds = [seconds_of(partial(one_block, made, LARGE)) for _ in range(3)]
        print(f"| {kernel.id} | {min(seconds[1:]):.2f} s |", flush=True)


def whole_grid(form: CodeForm) -> None:
    """All blocks of `tiled` at ODD in this process; one line of JSON."""
    made = recorder(opened(), "tiled", ODD, form)
    one_block(made, ODD)
    blocks = int(np.prod(made.grid))
    found = analyse(made, np.arange(blocks, dtype=np.int32), ODD)
    peak_gib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    figures = {"accesses": found.accesses, "seconds": found.seconds, "searched": found.blocks_searched}
    print(json.dumps({**figures, "blocks": blocks, "peak_gib": peak_gib}))


def first_recording(kernel_id: str) -> None:
    """The first recording of a process, from the choice of the device to the analysis; one line of JSON."""
    seconds = seconds_of(lambda: one_block(recorder(opened(), kernel_id, SMALL, None), SMALL))
    print(json.dumps({"seconds": seconds}))


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
    parser.add_argument("--whole", choices=tuple(CodeForm), help="only all blocks of tiled, in this process")
    parser.add_argument("--first", metavar="KERNEL", help="only the first recording of this process")
    options = parser.parse_args(words)
    if options.whole:
        whole_grid(CodeForm(options.whole))
        return 0
    if options.first:
        first_recording(options.first)
        return 0
    of_one_block(ODD)
    of_every_rung()
    print(f"\nall blocks of tiled at {ODD}, recorded and analysed")
    for name in CodeForm:
        found = in_process("--whole", name)
        rate = found["accesses"] / found["seconds"] / 1e6
        print(
            f"| {name} | {found['seconds']:.1f} s | {rate:.0f} million accesses/s | searched "
            f"{found['searched']:.0f} of {found['blocks']:.0f} blocks | {found['peak_gib']:.2f} GiB |"
        )
    print(f"\nfirst recording at {SMALL}: empty cache, then what that left on disk")
    for kernel_id in ("tiled", "cp_async", "sgemm_best"):
        with tempfile.TemporaryDirectory() as cache:
            cold, warm = (in_process("--first", kernel_id, cache=cache)["seconds"] for _ in range(2))
        print(f"| {kernel_id} | {cold:.1f} s | {warm:.1f} s |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
