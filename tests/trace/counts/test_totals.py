"""Counts added up per source line; in all, `test_summary` has them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pytest

from gemmviz.domain.recordings.access import AccessPath, BlockTrace
from gemmviz.domain.shape import Shape
from gemmviz.trace.counts.summary import per_warp, summarise
from gemmviz.trace.counts.totals import LineCounts, by_line, total

TraceOf = Callable[..., BlockTrace]


def test_that_a_line_keeps_its_global_and_its_shared_requests_apart(tiled_block: TraceOf) -> None:
    """As[tx][ty] = A[...] on line 8 is one load that is coalesced and one store that collides."""
    block = tiled_block((16, 16, 16), 16, 0, 0, transposed=True)
    lines = by_line(block.sites, summarise(block))
    assert [row.line for row in lines] == [8, 9, 13, 18]
    assert lines[0] == LineCounts(
        line=8,
        global_requests=8,
        sectors=32,
        lines=8,
        bytes_asked=1024,
        bytes_moved=1024,
        shared_requests=8,
        wavefronts=64,
        ideal_wavefronts=8,
    )
    assert lines[0].sectors_per_request == 4.0
    assert lines[0].excess_wavefronts == 56
    assert math.isnan(lines[2].sectors_per_request)


def test_that_lines_come_in_order_and_add_up(tiled_block: TraceOf) -> None:
    block = tiled_block((37, 29, 19), 8, 1, 2)
    columns = summarise(block)
    lines, all_ = by_line(block.sites, columns), total(block.sites, columns, Shape(37, 29, 19))
    assert sum(row.global_requests for row in lines) == all_.global_load_requests + all_.global_store_requests
    assert sum(row.shared_requests for row in lines) == all_.shared_load_requests + all_.shared_store_requests
    assert sum(row.sectors for row in lines) == all_.global_load_sectors + all_.global_store_sectors
    assert sum(row.wavefronts for row in lines) == all_.shared_load_wavefronts + all_.shared_store_wavefronts
    assert sum(row.bytes_asked for row in lines) == all_.bytes_asked
    assert sum(row.bytes_moved for row in lines) == all_.bytes_moved


def test_that_the_totals_have_the_names_and_the_order_of_the_report(tiled_block: TraceOf) -> None:
    block = tiled_block((8, 8, 8), 8, 0, 0)
    assert list(total(block.sites, summarise(block), Shape(8, 8, 8)).as_dict()) == [
        "global_load_requests",
        "global_load_sectors",
        "global_store_requests",
        "global_store_sectors",
        "shared_load_requests",
        "shared_load_wavefronts",
        "shared_load_ideal_wavefronts",
        "shared_store_requests",
        "shared_store_wavefronts",
        "shared_store_ideal_wavefronts",
        "bytes_asked",
        "bytes_moved",
        "bytes_ideal",
        "async_copy_requests",
        "async_copy_sectors",
        "async_copy_wavefronts",
        "async_copy_ideal_wavefronts",
        "copy_engine_bytes",
        "tensor_core_bytes",
        "copy_engine_written_bytes",
        "global_atomic_requests",
        "global_atomic_sectors",
        "shared_atomic_requests",
        "shared_atomic_wavefronts",
        "shared_atomic_ideal_wavefronts",
    ]


def test_that_each_way_of_access_has_figures_of_its_own(trace_of: TraceOf) -> None:
    block = trace_of(
        """
        1 global load 4 A
        2 global load 4 A
        2 shared store 4 S
        3 global load 16 A
        4 shared load 16 S
        3 shared store 16 S
        """,
        "0 | A:0-31\n1 | A:0-7\n2 | S:0 S:32\n3 | A:0 A:4 A:8\n4 | S:0 S:4\n5 | S:0 S:4 S:8 S:12",
        "A global 1x64\nS shared 1x64",
    )
    paths = (
        AccessPath.LOAD_STORE,
        AccessPath.ASYNC_COPY,
        AccessPath.ASYNC_COPY,
        AccessPath.COPY_ENGINE,
        AccessPath.TENSOR_CORE,
        AccessPath.COPY_ENGINE,
    )
    sites = tuple(replace(site, path=path) for site, path in zip(block.sites, paths, strict=True))
    found = total(sites, summarise(block), Shape(8, 8, 8))
    assert (found.global_load_requests, found.global_load_sectors) == (1, 4)
    assert (found.shared_load_requests, found.shared_store_requests, found.shared_store_wavefronts) == (0, 0, 0)
    assert (found.async_copy_requests, found.async_copy_sectors) == (1, 1)
    assert (found.async_copy_wavefronts, found.async_copy_ideal_wavefronts) == (2, 1)
    assert (found.copy_engine_bytes, found.copy_engine_written_bytes, found.tensor_core_bytes) == (48, 64, 32)
    assert found.bytes_asked == 128 + 32 + 48


def test_that_no_sites_are_no_lines(trace_of: TraceOf) -> None:
    assert by_line((), summarise(trace_of("", "barrier"))) == ()


def test_that_columns_per_warp_are_no_lines(tiled_block: TraceOf) -> None:
    block = tiled_block((8, 8, 8), 8, 0, 0)
    with pytest.raises(ValueError, match="do not belong to 7 sites"):
        by_line(block.sites, per_warp(block))
