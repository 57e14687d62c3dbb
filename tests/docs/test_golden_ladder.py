"""The hardware's counters of every CUDA kernel beside what was recorded of it: equal, or named here with the reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from gpu_record.counters import as_counted

GOLDEN = Path(__file__).parents[1] / "data" / "golden"
ENTRIES: list[dict[str, Any]] = [
    entry
    for file in ("h200_ladder.json", "h200_pipelines.json")
    for entry in json.loads((GOLDEN / file).read_text(encoding="utf-8"))["kernels"]
]
GLOBAL = ("global_load_requests", "global_load_sectors", "global_store_requests", "global_store_sectors")

SUMS_KEPT_IN_REGISTERS = {"global_accumulate", "tiled_global_accumulate"}
"""nvcc drops loads and stores of C that the source has: as written differs, as compiled does not."""
MERGED = {
    "tiled",
    "tiled_wide",
    "register_1d",
    "register_2d",
    "vectorized",
    "warp_tiled",
    "double_buffered",
    "cp_async",
    "sgemm_best",
    "tiled_global_accumulate",
    "wmma_tf32",
    "mma_tf32",
}
"""ptxas merges neighbouring accesses of shared memory (or unmerges them: a wmma tile is one instruction in PTX)."""
CLUSTERS = {"wgmma_tf32", "wgmma_bf16", "wgmma_bf16_late"}
"""What is copied arrives in every block of a cluster."""
ROWS_ACROSS_LINES = {(kernel, "520x392x264") for kernel in CLUSTERS}
"""Rows that begin within a 128-byte line: more arrives than the boxes hold, by the rule of test_multicast.py."""
TENSOR_CORES_BESIDE = {"wgmma_tf32", "tf32x3"}
"""Wavefronts of shared memory that wait for those of tensor cores and copy engine are counted again."""


def named(entry: dict[str, Any]) -> str:
    return f"{entry['kernel']}-{entry['size']}"


def test_that_every_kernel_was_counted_at_both_sizes_unless_it_refuses() -> None:
    counted = {(entry["kernel"], entry["size"]) for entry in ENTRIES}
    small = {kernel for kernel, size in counted if size == "128x128x64"}
    odd = {kernel for kernel, size in counted if size == "1037x1031x1055"}
    assert small - odd == {*CLUSTERS, "tf32x3"}
    assert odd < small
    assert len(small) == 24


@pytest.mark.parametrize("entry", [one for one in ENTRIES if "written" in one], ids=named)
def test_that_what_is_written_asks_global_memory_for_what_the_hardware_counts(entry: dict[str, Any]) -> None:
    written, counters = as_counted(entry["written"]), entry["counters"]
    if entry["kernel"] in SUMS_KEPT_IN_REGISTERS:
        assert all(written[figure] >= counters[figure] for figure in GLOBAL)
        assert written != {**written, **counters}
    else:
        assert {figure: written[figure] for figure in GLOBAL} == {figure: counters[figure] for figure in GLOBAL}


@pytest.mark.parametrize("entry", [one for one in ENTRIES if "compiled" in one], ids=named)
def test_that_compiled_code_does_what_the_hardware_counts(entry: dict[str, Any]) -> None:
    kernel, compiled, counters = entry["kernel"], as_counted(entry["compiled"]), entry["counters"]
    for figure in GLOBAL:
        assert compiled[figure] == counters[figure], figure
    if (kernel, entry["size"]) in ROWS_ACROSS_LINES:
        assert compiled["copy_engine_written_bytes"] < counters["copy_engine_written_bytes"]
    else:
        assert compiled.get("copy_engine_written_bytes", 0) == counters["copy_engine_written_bytes"]
    assert compiled["async_copy_requests"] == counters["async_copy_requests"]
    for figure in ("shared_load_requests", "shared_store_requests"):
        assert compiled[figure] == counters[figure] or kernel in MERGED, figure
    for figure in ("shared_load_wavefronts", "shared_store_wavefronts"):
        assert compiled[figure] == counters[figure] or kernel in MERGED | TENSOR_CORES_BESIDE, figure
    assert (counters["copy_engine_written_bytes"] > 0) == (kernel in {*CLUSTERS, "tf32x3"})


@pytest.mark.parametrize("entry", ENTRIES, ids=named)
def test_that_no_kernel_has_more_warps_at_work_than_fit(entry: dict[str, Any]) -> None:
    assert 0 < entry["achieved_occupancy"] <= 1.05 * entry["occupancy"]  # read in a pass of its own
