"""Record when each warp of an SM waits and computes: `python docs/record_warps.py`.

It compiles probes in docs/gpu_record with nvcc, runs them on the first NVIDIA GPU, and keeps what the warps of SM 0
did in example sessions, for the lesson on GPUs and the Schedule page: `tiled` with few warps and with many
(warp_probe.cu), and kernels that load a tile before they multiply it, or while they multiply another (ahead_probe.cu).
Takes about half a minute.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from gpu_record.stamped_kernels import INSERTIONS, stamped_source
from gpu_record.which_gpu import the_gpu

from gemmviz.backends.registry import NoDeviceError
from gemmviz.catalogue.examples import examples_folder
from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.compiler.nvidia.tools import find_tool
from gemmviz.domain.clock import timestamp
from gemmviz.domain.device import Device
from gemmviz.domain.files.leftovers import temporary_folder
from gemmviz.domain.runs.warp_timeline import WarpTimeline
from gemmviz.domain.session.session import SessionError, load_session, save_session
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch, Params, RunSpec
from gemmviz.domain.terms import Mode

PROBES = Path(__file__).with_name("gpu_record")
EXAMPLES = {"tiled": "gpu-waves.gemmviz"} | dict.fromkeys(INSERTIONS, "gpu-ladder.gemmviz")
"""By kernel, the session that keeps what its warps do."""
SIZES = {"tiled": 2048} | dict.fromkeys(INSERTIONS, 4096)
"""M, N and K in the probes."""
LIMIT_S = 300.0


class ProbeError(RuntimeError):
    """Nothing was recorded; the message says why."""


def run_probe(kernel: str) -> Sequence[Mapping[str, Any]]:
    """What the probe of a kernel prints: an entry for each number of blocks on an SM.

    Raises:
        ProbeError: there is no nvcc, or it or the probe failed.
    """
    nvcc = find_tool("nvcc")
    if nvcc is None:
        raise ProbeError("nvcc is not found. Install the CUDA toolkit, or put nvcc on PATH")
    with temporary_folder() as folder:
        program, results, source = folder / "warp_probe", folder / "warps.json", folder / "stamped.cuh"
        build = [nvcc, "-O3", "-std=c++17", "-arch=native", "-o", program]
        if kernel in INSERTIONS:
            source.write_text(stamped_source(kernel), encoding="utf-8")
            build += ["-include", source, *_definitions(kernel), PROBES / "ahead_probe.cu"]
        else:
            build += [PROBES / "warp_probe.cu"]
        for command in (build, [program, results]):
            try:
                done = subprocess.run(
                    list(map(str, command)),
                    capture_output=True,
                    text=True,
                    errors="replace",
                    timeout=LIMIT_S,
                    check=False,
                )
            except (OSError, subprocess.TimeoutExpired) as error:
                raise ProbeError(str(error)) from error
            if done.returncode:
                raise ProbeError(f"{Path(str(command[0])).name} ended with {done.returncode}: {done.stderr.strip()}")
        printed = json.loads(results.read_text(encoding="utf-8"))
        return list(printed["tiled"]) if kernel not in INSERTIONS else [printed]


def _definitions(kernel: str) -> list[str]:
    """What ahead_probe.cu is told of a kernel."""
    spec, launch = _launched(kernel)
    entry = load_catalogue().get(kernel).entry
    macros = dict(spec) | {"BLOCK": launch.threads_per_block, "KERNEL": entry, "STAMPED": f"stamped_{entry}"}
    return [f"-D{name}={value}" for name, value in macros.items()]


def _launched(kernel: str) -> tuple[Params, Launch]:
    """The usual parameters and the launch of a kernel at its probe's size."""
    found = load_catalogue().get(kernel)
    params = found.params({})
    return params, found.plan(Shape(*3 * [SIZES[kernel]]), params, emulated()).launch


def timelines_of(
    kernel: str, results: Sequence[Mapping[str, Any]], device: Device, finished: str
) -> tuple[WarpTimeline, ...]:
    """What the probe of a kernel printed, as a session keeps it: one timeline for each number of blocks on an SM.

    Raises:
        ProbeError: stamps changed the product, or another number of blocks fit than was asked for.
    """
    return tuple(_timeline(kernel, one, device, finished) for one in results)


def _timeline(kernel: str, one: Mapping[str, Any], device: Device, finished: str) -> WarpTimeline:
    blocks = one["blocks_per_sm"]
    if not one["same_bits"] or set(one["occupancy"]) != {blocks}:
        raise ProbeError(f"with {blocks} blocks on an SM the stamped kernel is not the same as the plain one")
    tiles = [
        (row, warp["block"], *stamps)
        for row, warps in enumerate(_rows(one["warps"]))
        for warp in warps
        for stamps in warp["stamps"]
    ]
    row, block, load, arrive, start, stop = np.array(tiles, np.int64).T
    _, stamped_shared_bytes = one["dynamic_shared"]
    params, launch = _launched(kernel)
    return WarpTimeline(
        spec=RunSpec(kernel, Shape(*3 * [SIZES[kernel]]), params, device.id, mode=Mode.HOT),
        device=device,
        launch=replace(launch, dynamic_shared_bytes=stamped_shared_bytes),
        unit=0,
        blocks_per_unit=blocks,
        row=row.astype(np.int32),
        block=block,
        load=load,
        arrive=arrive,
        start=start,
        stop=stop,
        window_cycles=one["window"],
        launch_cycles=one["cycles"],
        computing_cycles=one["cycles_some_warp_multiplies"],
        plain_ms=np.array(one["plain_ms"], np.float64),
        stamped_ms=np.array(one["stamped_ms"], np.float64),
        finished=finished,
    )


def _rows(warps: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """The warps of each row of the picture, in the order of time: a warp of a new block continues the row of one that
    has ended.
    """
    rows: list[list[Mapping[str, Any]]] = []
    for warp in sorted(warps, key=lambda each: (each["slot"], each["warp"])):
        begin = warp["stamps"][0][0]
        free = next((row for row in rows if row[-1]["stamps"][-1][3] <= begin), None)
        if free is not None:
            free.append(warp)
        else:
            rows.append([warp])
    return rows


def keep(timelines: Sequence[WarpTimeline], path: Path) -> None:
    """Put the timelines into a session in place of those of their kernels.

    Raises:
        SessionError: it cannot be read or written.
    """
    session, kernels = load_session(path), {one.spec.kernel for one in timelines}
    others = tuple(one for one in session.warp_timelines if one.spec.kernel not in kernels)
    save_session(replace(session, warp_timelines=(*others, *timelines)), path)


def main(words: Sequence[str] | None = None) -> int:
    """Record and keep; 1 where nothing was recorded."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernel", action="append", choices=list(EXAMPLES), help="whose warps (default all)")
    parser.add_argument("--into", type=Path, help="a session that keeps all (default the example of each kernel)")
    parser.add_argument("--json", type=Path, help="keep what the probes printed, too")
    parser.add_argument("--read", type=Path, help="take what probes printed that ran before, on the sessions' GPU")
    parser.add_argument("--finished", default="", help="with --read: when that was, ISO 8601 in UTC")
    options = parser.parse_args(words)
    try:
        device = the_gpu("") if options.read is None else None
        if options.read is not None:
            results = json.loads(options.read.read_text(encoding="utf-8"))
        else:
            results = {kernel: run_probe(kernel) for kernel in options.kernel or EXAMPLES}
        finished = options.finished if options.read is not None else timestamp()
        if options.json is not None:
            options.json.write_text(json.dumps(results) + "\n", encoding="utf-8")
        for kernel, printed in results.items():
            path = options.into or examples_folder() / EXAMPLES[kernel]
            timelines = timelines_of(kernel, printed, device or load_session(path).device, finished)
            keep(timelines, path)
            for one in timelines:
                share, ms = one.computing_cycles / one.launch_cycles, float(np.median(one.plain_ms))
                print(f"{kernel}, {one.rows} warps: {share:.1%} of the launch, {ms:.3f} ms without stamps")
    except (NoDeviceError, ProbeError, SessionError) as error:
        print(f"nothing was recorded: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
