"""Count what asynchronous copies cost with Nsight Compute, one warp at a time: `python docs/record_copies.py`.

Each pattern of docs/gpu_record/copy_patterns.py is launched once under `ncu`. What was counted is golden data that the
rules of `gemmviz.trace.model` are held to.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from gpu_record.copy_patterns import KERNELS, Pattern, every_pattern
from gpu_record.counters import matched
from gpu_record.ncu_csv import NcuError, read_ncu
from gpu_record.which_gpu import the_gpu

from gemmviz.backends.registry import NoDeviceError
from gemmviz.compiler.nvidia.tools import find_tool

GOLDEN = Path(__file__).parents[1] / "tests" / "data" / "golden" / "h200_copies.json"
PROBE = Path(__file__).with_name("gpu_record") / "copy_probe.py"
LIMIT_S = 600.0
SASS = "smsp__sass_l1tex"
METRICS = {
    "requests": ("l1tex__t_requests_pipe_lsu_mem_global_op_ld",),
    "sectors": ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld",),
    "sectors_from_l2": (
        f"{SASS}_m_xbar2l1tex_read_sectors_mem_global_op_ldgsts_cache_bypass",
        "l1tex__m_xbar2l1tex_read_sectors_mem_global_op_ldgsts_cache_access",
    ),
    "wavefronts": (f"{SASS}_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts",),
}
"""Figure, and the metrics that are added up to it: a copy is counted by one of them, the other is 0."""


def count(ncu: str, log: Path | None) -> list[Mapping[str, float]]:
    """The metrics of each pattern.

    Raises:
        NcuError, ValueError: nothing was counted, or not what was launched.
    """
    metrics = ",".join(f"{metric}.sum" for parts in METRICS.values() for metric in parts)
    command = [
        ncu,
        "--csv",
        "--page",
        "raw",
        "--print-units",
        "base",
        "--clock-control",
        "none",
        "--cache-control",
        "all",
        "--metrics",
        metrics,
        "--kernel-name-base",
        "function",
        "--kernel-name",
        f"regex:^({'|'.join(KERNELS)})$",
        sys.executable,
        str(PROBE),
    ]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=LIMIT_S, check=False)
    if log is not None:
        log.write_text(f"{done.stdout}\n{done.stderr}", encoding="utf-8")
    launched = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"kernel"')]
    return [counted.metrics for _, counted in matched(launched, read_ncu(done.stdout))]


def golden(pattern: Pattern, counted: Mapping[str, float]) -> dict[str, Any]:
    """What is kept of a pattern: `from` is -1 for a lane that reads nothing, `to` for one that takes no part."""
    takes_part = pattern.source >= 0
    return {
        "name": pattern.name,
        "way": "past L1" if pattern.entry == "probe_past_l1" else "through L1",
        "width_bytes": KERNELS[pattern.entry],
        "from": np.where(takes_part & (pattern.read > 0), pattern.source, -1).tolist(),
        "to": np.where(takes_part, pattern.target, -1).tolist(),
        "counters": {name: round(sum(counted[f"{metric}.sum"] for metric in parts)) for name, parts in METRICS.items()},
    }


def keep(path: Path, entries: Iterable[Mapping[str, Any]], about: str) -> None:
    """A line for each pattern."""
    lines = ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in entries)
    path.write_text(f'{{"about": {json.dumps(about)}, "copies": [\n{lines}\n]}}\n', encoding="utf-8")


def main(words: Sequence[str] | None = None) -> int:
    """Count, keep; 1 where nothing was counted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", type=Path, default=GOLDEN, help="the golden data")
    parser.add_argument("--log", type=Path, help="keep what ncu printed")
    options = parser.parse_args(words)
    try:
        device = the_gpu("")
    except NoDeviceError as error:
        print(f"nothing was counted: {error}", file=sys.stderr)
        return 1
    ncu = find_tool("ncu")
    if ncu is None:
        print("nothing was counted: ncu (Nsight Compute) is not found", file=sys.stderr)
        return 1
    try:
        counted = count(str(ncu), options.log)
    except (NcuError, ValueError, subprocess.TimeoutExpired) as error:
        print(f"nothing was counted: {error}", file=sys.stderr)
        return 1
    about = (
        "Hardware counters of one warp that copies asynchronously once, read with Nsight Compute (--clock-control "
        f"none) on an {device.name}, driver {device.driver}, {datetime.now(UTC).date()}."
    )
    entries = [golden(pattern, found) for pattern, found in zip(every_pattern(), counted, strict=True)]
    keep(options.file, entries, about)
    print(f"{len(entries)} patterns")
    return 0


if __name__ == "__main__":
    sys.exit(main())
