"""Record when each warp of an SM waits and computes, with few warps and with many: `python docs/record_warps.py`.

It compiles docs/gpu_record/warp_probe.cu with nvcc, runs it on the first NVIDIA GPU, and keeps what the warps of SM 0
did in an example session, for the lesson on GPUs and the Schedule page. Takes about ten seconds.
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
from gpu_record.which_gpu import the_gpu

from gemmviz.backends.registry import NoDeviceError
from gemmviz.catalogue.examples import examples_folder
from gemmviz.compiler.nvidia.tools import find_tool
from gemmviz.domain.clock import timestamp
from gemmviz.domain.device import Device
from gemmviz.domain.files.leftovers import temporary_folder
from gemmviz.domain.runs.warp_timeline import WarpTimeline
from gemmviz.domain.session.session import SessionError, load_session, save_session
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch, RunSpec
from gemmviz.domain.terms import Mode

PROBE = Path(__file__).with_name("gpu_record") / "warp_probe.cu"
EXAMPLE = "gpu-waves.gemmviz"
TILE, SIZE = 16, 2048
"""Of warp_probe.cu."""
LIMIT_S = 300.0


class ProbeError(RuntimeError):
    """Nothing was recorded; the message says why."""


def run_probe() -> Mapping[str, Any]:
    """What the probe prints.

    Raises:
        ProbeError: there is no nvcc, or it or the probe failed.
    """
    nvcc = find_tool("nvcc")
    if nvcc is None:
        raise ProbeError("nvcc is not found. Install the CUDA toolkit, or put nvcc on PATH")
    with temporary_folder() as folder:
        program, results = folder / "warp_probe", folder / "warps.json"
        for command in ([str(nvcc), "-O3", "-arch=native", "-o", program, PROBE], [program, results]):
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
        return dict(json.loads(results.read_text(encoding="utf-8")))


def timelines_of(results: Mapping[str, Any], device: Device, finished: str) -> tuple[WarpTimeline, ...]:
    """What the probe printed, as a session keeps it: one timeline for each number of blocks on an SM.

    Raises:
        ProbeError: stamps changed the product, or another number of blocks fit than was asked for.
    """
    return tuple(_timeline(one, device, finished) for one in results["tiled"])


def _timeline(one: Mapping[str, Any], device: Device, finished: str) -> WarpTimeline:
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
    return WarpTimeline(
        spec=RunSpec("tiled", Shape(SIZE, SIZE, SIZE), (("TILE", TILE),), device.id, mode=Mode.HOT),
        device=device,
        launch=Launch((SIZE // TILE, SIZE // TILE, 1), (TILE, TILE, 1), stamped_shared_bytes),
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
    """Put the timelines into a session in place of those it has.

    Raises:
        SessionError: it cannot be read or written.
    """
    save_session(replace(load_session(path), warp_timelines=tuple(timelines)), path)


def main(words: Sequence[str] | None = None) -> int:
    """Record and keep; 1 where nothing was recorded."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, default=examples_folder() / EXAMPLE, help="the session")
    parser.add_argument("--json", type=Path, help="keep what the probe printed, too")
    parser.add_argument("--read", type=Path, help="take what a probe printed that ran before, on the session's GPU")
    parser.add_argument("--finished", default="", help="with --read: when that was, ISO 8601 in UTC")
    options = parser.parse_args(words)
    try:
        if options.read is not None:
            results: Mapping[str, Any] = json.loads(options.read.read_text(encoding="utf-8"))
            device, finished = load_session(options.into).device, options.finished
        else:
            device = the_gpu("")
            results, finished = run_probe(), timestamp()
            if options.json is not None:
                options.json.write_text(json.dumps(results) + "\n", encoding="utf-8")
        timelines = timelines_of(results, device, finished)
        keep(timelines, options.into)
    except (NoDeviceError, ProbeError, SessionError) as error:
        print(f"nothing was recorded: {error}", file=sys.stderr)
        return 1
    for one in timelines:
        share = one.computing_cycles / one.launch_cycles
        print(f"{one.rows} warps: {share:.1%} of the launch, {float(np.median(one.plain_ms)):.3f} ms without stamps")
    return 0


if __name__ == "__main__":
    sys.exit(main())
