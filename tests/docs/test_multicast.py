"""What tensor copies to several blocks of a cluster are counted as, against counters of an H200."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from gpu_record.multicast import LEAST, Matrix, box_sectors, wgmma_bf16_bytes, wgmma_tf32_bytes

from gemmviz.domain.shape import Shape

GOLDEN = Path(__file__).parents[1] / "data" / "golden"
RULES = {"wgmma_tf32": wgmma_tf32_bytes, "wgmma_bf16": wgmma_bf16_bytes, "wgmma_bf16_late": wgmma_bf16_bytes}


def counted(file: str) -> list[tuple[str, str, int]]:
    entries: list[dict[str, Any]] = json.loads((GOLDEN / file).read_text(encoding="utf-8"))["kernels"]
    name = "copy_engine_written_bytes"
    return [
        (one["kernel"], one["size"], one[name] if name in one else one["counters"][name])
        for one in entries
        if one["kernel"] in RULES
    ]


COUNTED = [one for file in ("h200_multicast.json", "h200_pipelines.json", "h200_ladder.json") for one in counted(file)]


@pytest.mark.parametrize(("kernel", "size", "nbytes"), COUNTED, ids=lambda value: str(value))
def test_that_what_arrives_in_clusters_is_what_the_hardware_counts(kernel: str, size: str, nbytes: int) -> None:
    shape = Shape.parse(size)
    assert RULES[kernel](shape.m, shape.n, shape.k) == nbytes


def test_that_enough_was_counted_to_tell_the_rule_from_simpler_ones() -> None:
    assert len(COUNTED) == 76
    whole = {(kernel, size) for kernel, size, nbytes in COUNTED if nbytes % 49152 == 0}
    assert 10 < len(whole) < len(COUNTED) - 50


@pytest.mark.parametrize(
    ("columns", "column", "rows", "sectors"),
    [
        (64, 0, 8, 32),  # pitch 256 bytes: nothing is cut
        (64, 64, 8, 32),  # wholly outside
        (36, 0, 1, 4),  # the first row begins at a line
        (36, 32, 1, 3 + 4),  # 16 bytes inside, 112 outside
        (36, 0, 2, 4 + 7),  # the second one 16 bytes behind a line: 112 and 16 bytes
        (40, 0, 2, 4 + 6),  # 96 and 32 bytes
    ],
)
def test_that_a_row_is_cut_at_lines_and_at_the_edge(columns: int, column: int, rows: int, sectors: int) -> None:
    assert box_sectors(Matrix(8, columns, 4, LEAST[4]), 0, column, rows) == sectors
