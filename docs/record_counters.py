"""Count what every CUDA kernel does with Nsight Compute, beside what is recorded: `python docs/record_counters.py`.

Steps: `count` launches each kernel once at each size under `ncu`; `written` records all its blocks as the source says;
`compiled` as nvcc compiled it (on a GPU only). Each adds to one file of golden data, so that a step can be made where
that is possible: `--steps written --file FILE` on any machine. At the end all of it is printed as a table.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from gpu_record.compiled_ahead import compile_ahead
from gpu_record.counter_tables import GLOBAL_COLUMNS, SHARED_COLUMNS, global_rows, shared_rows
from gpu_record.counters import (
    ACHIEVED,
    FIGURES,
    available_metrics,
    chosen_metrics,
    comparison_rows,
    figures_of,
    matched,
)
from gpu_record.ncu_csv import NcuError, read_ncu
from gpu_record.tables import markdown
from gpu_record.which_gpu import the_gpu

from gemmviz.backends.base import BackendError, OpenDevice
from gemmviz.backends.recording import recorder_for
from gemmviz.backends.registry import MACHINE, NoDeviceError, backend_of, devices_for, emulated_devices
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.compiler.nvidia.tools import find_tool
from gemmviz.compiler.source import CompilerMissingError
from gemmviz.domain.device import Device
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill, Language
from gemmviz.trace.analyse import analyse
from gemmviz.trace.counts.totals import Totals
from gemmviz.trace.ptx.decoding.totals import totals_of
from gemmviz.trace.refusal import RecordingRefusal
from gemmviz.trace.tags import TagRefusal

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests" / "data" / "golden"
LAUNCH = Path(__file__).with_name("gpu_record") / "launch_once.py"
SIZES = ("128x128x64", "1037x1031x1055")
COLUMNS = ("kernel", "size", "figure", "as written", "as compiled", "counted", "difference")
STEPS = ("count", "written", "compiled")
LIMIT_S = 900.0
"""Of ncu, which launches each kernel several times."""
LAUNCH_LIMIT_S = 60.0

Entry = dict[str, Any]


def count(kernels: Sequence[Kernel], sizes: Sequence[str], log: Path | None) -> list[Entry]:
    """Launch each kernel once at each size under ncu, all in one process; figures of each launch.

    Raises:
        NcuError: ncu is not there, or counted nothing.
    """
    ncu = find_tool("ncu")
    if ncu is None:
        raise NcuError("ncu (Nsight Compute) is not found: it comes with the CUDA toolkit")
    compile_ahead(
        ((kernel, Shape.parse(size), kernel.params({})) for kernel in kernels for size in sizes),
        devices_for(Language.CUDA)[0],
    )
    query = subprocess.run([ncu, "--query-metrics"], capture_output=True, text=True, timeout=120, check=False).stdout
    chosen = chosen_metrics(available_metrics(query))
    metrics = ",".join(sorted({f"{metric}.sum" for parts in chosen.values() for metric in parts} | {ACHIEVED}))
    entries = "|".join(sorted({re.escape(kernel.entry) for kernel in kernels}))
    command = [
        str(ncu),
        "--csv",
        "--page",
        "raw",
        "--print-units",
        "base",
        "--clock-control",
        "none",
        "--metrics",
        metrics,
        "--kernel-name-base",
        "function",
        "--kernel-name",
        f"regex:^({entries})$",
        sys.executable,
        str(LAUNCH),
        *(word for size in sizes for word in ("--size", size)),
        *(kernel.id for kernel in kernels),
    ]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=LIMIT_S, check=False)
    if log is not None:
        log.write_text(f"{done.stdout}\n{done.stderr}\n{query}", encoding="utf-8")
    launched = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"kernel"')]
    for line in done.stderr.splitlines():
        print(line, file=sys.stderr)
    return [
        {
            **{
                name: launch[name] for name in ("kernel", "size", "params", "occupancy", "limited_by") if name in launch
            },
            **({"achieved_occupancy": counted.metrics[ACHIEVED]} if ACHIEVED in counted.metrics else {}),
            "counters": figures_of(counted, chosen),
        }
        for launch, counted in matched(launched, read_ncu(done.stdout))
    ]


def add_recorded(entries: Sequence[Entry], step: str, budget_s: float) -> Iterator[Entry]:
    """Give each entry the totals of its recording, the small sizes first; what cannot be recorded is named."""
    catalogue, device = load_catalogue(), device_here()
    opened, begin = backend_of(device).open(device), time.monotonic()
    for entry in sorted(entries, key=lambda one: Shape.parse(one["size"]).flop):
        kernel, shape = catalogue.get(entry["kernel"]), Shape.parse(entry["size"])
        if time.monotonic() - begin > budget_s:
            print(f"not recorded, the time is over: {kernel.id} {shape}", file=sys.stderr, flush=True)
            continue
        try:
            totals = RECORDERS[step](kernel, shape, opened)
        except (Refusal, MemoryRefusal, RecordingRefusal, TagRefusal, BackendError) as error:
            print(f"not recorded: {kernel.id} {shape} as {step}: {error}", file=sys.stderr, flush=True)
            continue
        entry[step] = {name: value for name, value in totals.as_dict().items() if name in FIGURES}
        yield entry
    opened.release()


def as_written(kernel: Kernel, shape: Shape, opened: OpenDevice) -> Totals:
    """All blocks, as the source says."""
    if kernel.needs_cuda:
        raise RecordingRefusal("its figures are those of its compiled code")
    plan = kernel.plan(shape, kernel.params({}), opened.device)
    recorder = recorder_for(opened, kernel, plan, shape, make_operands(shape, Fill.ONES, 0), LAUNCH_LIMIT_S)
    return analyse(recorder, np.arange(plan.launch.blocks, dtype=np.int32), shape).totals


def device_here() -> Device:
    """A GPU, or else the PTX machine.

    Raises:
        NoDeviceError: there is neither.
    """
    gpus = [device for device in devices_for(Language.CUDA) if device.backend == "cuda"]
    for device in (*gpus, *emulated_devices()):
        return device
    raise NoDeviceError(MACHINE.missing())


def why_no_gpu() -> str:
    """Why nothing can be counted, nor recorded as compiled; "" on a GPU."""
    try:
        the_gpu("")
    except NoDeviceError as error:
        return str(error)
    return ""


def as_compiled(kernel: Kernel, shape: Shape, opened: OpenDevice) -> Totals:
    """All blocks, as nvcc compiled it."""
    if opened.device.backend != "cuda":
        raise RecordingRefusal("compiled code is recorded on an NVIDIA GPU")
    plan = kernel.plan(shape, kernel.params({}), opened.device)
    operands = make_operands(shape, Fill.ONES, 0)
    recorder = recorder_for(opened, kernel, plan, shape, operands, LAUNCH_LIMIT_S, CodeForm.AS_COMPILED)
    return totals_of(recorder, np.arange(plan.launch.blocks, dtype=np.int32), shape).totals


RECORDERS: dict[str, Callable[[Kernel, Shape, OpenDevice], Totals]] = {"written": as_written, "compiled": as_compiled}


def keep(path: Path, entries: Sequence[Entry], about: str) -> None:
    """Write the golden data, in the form of h200_kernels.json."""
    path.write_text(json.dumps({"about": about, "kernels": list(entries)}, indent=1) + "\n", encoding="utf-8")


def why_nothing(steps: Sequence[str]) -> str:
    """Why the steps cannot even begin here, in one line; "" where they can."""
    if "count" in steps and (reason := why_no_gpu()):
        return f"nothing was counted: {reason}"
    try:
        device_here()
    except NoDeviceError as error:
        return f"nothing was recorded: {error}"
    return ""


def about_words() -> str:
    """Where the counters come from."""
    device = device_here()
    return (
        "Hardware counters of whole kernels with default parameters, read with Nsight Compute (--clock-control none) "
        f"on an {device.name}, driver {device.driver}, {datetime.now(UTC).date()}; see docs/gpu_record/counters.py."
    )


def slug(name: str) -> str:
    """A device's name as a file's.

    >>> slug("NVIDIA H200")
    'h200'
    """
    return "_".join(re.findall(r"[a-z0-9]+", name.casefold().replace("nvidia", "")))


def read_words(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernels", default="", help="ids with commas between; without it every kernel in CUDA C")
    parser.add_argument("--sizes", default=",".join(SIZES))
    parser.add_argument("--steps", default=",".join(STEPS), help="of count, written, compiled")
    parser.add_argument(
        "--file", type=Path, help="the golden data; without it in tests/data/golden, by the device's name"
    )
    parser.add_argument("--log", type=Path, help="keep what ncu printed, and the metrics it offers")
    parser.add_argument("--budget", type=float, default=600.0, help="seconds for each of the recording steps")
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> int:
    """Count, record, keep, print; 1 where ncu counted nothing, or nothing could be recorded."""
    options, catalogue = read_words(words), load_catalogue()
    steps, ids = options.steps.split(","), [one for one in options.kernels.split(",") if one]
    if reason := why_nothing(steps):
        print(reason, file=sys.stderr)
        return 1
    file = options.file or GOLDEN / f"{slug(device_here().name)}_ladder.json"
    if "count" in steps:
        ids = ids or [kernel.id for kernel in catalogue.kernels if kernel.language is Language.CUDA]
        try:
            entries = count([catalogue.get(one) for one in ids], options.sizes.split(","), options.log)
        except (NcuError, ValueError, CompilerMissingError, subprocess.TimeoutExpired) as error:
            print(f"nothing was counted: {error}", file=sys.stderr)
            return 1
        about = about_words()
        keep(file, entries, about)
    else:
        try:
            known = json.loads(file.read_text(encoding="utf-8"))
            entries, about = known["kernels"], known["about"]
        except OSError as error:
            print(f"nothing was recorded: {file}: {error.strerror}; the step count makes it", file=sys.stderr)
            return 1
        except (ValueError, LookupError, TypeError):
            print(f"nothing was recorded: {file} was not made by the step count", file=sys.stderr)
            return 1
    wanted = [one for one in entries if one["size"] in options.sizes.split(",") and (not ids or one["kernel"] in ids)]
    code = 0
    for step in (step for step in STEPS if step in steps and step in RECORDERS):
        if step == "compiled" and (reason := why_no_gpu()):
            print(f"nothing was recorded as compiled: {reason}", file=sys.stderr)
            code = 1
            continue
        for _ in add_recorded(wanted, step, options.budget):
            keep(file, entries, about)
    print(markdown(COLUMNS, comparison_rows(wanted)))
    for size in dict.fromkeys(entry["size"] for entry in wanted):
        of_size = [entry for entry in wanted if entry["size"] == size]
        print(f"\n{size}\n\n{markdown(GLOBAL_COLUMNS, global_rows(of_size))}")
        print(f"\n{markdown(SHARED_COLUMNS, shared_rows(of_size))}")
    return code


if __name__ == "__main__":
    sys.exit(main())
