"""Theoretical occupancy, held against what NVIDIA's own calculator says."""

from __future__ import annotations

import pytest

from gemmviz.domain.device import NO_GPU_FACTS, GpuFacts
from gemmviz.domain.kernels.capability import nvidia_facts
from gemmviz.domain.kernels.resources import NO_RESOURCES, Resources, occupancy
from gemmviz.domain.spec import Launch

UNITS = {
    # threads, bytes of shared memory, bytes reserved in each block, blocks: CUDA C++ Programming Guide
    (7, 5): (1024, 65536, 0, 16),
    (8, 0): (2048, 167936, 1024, 32),
    (8, 6): (1536, 102400, 1024, 16),
    (9, 0): (2048, 233472, 1024, 32),
    (10, 0): (2048, 233472, 1024, 32),
    (12, 0): (1536, 102400, 1024, 24),
}
CALCULATED = [
    # capability, registers, threads, dynamic shared bytes, blocks: cuda_occupancy.h of CUDA 13.0, compiled and asked
    ((7, 5), 8, 1000, 1024, 1),
    ((7, 5), 40, 33, 16384, 4),
    ((7, 5), 128, 1, 1, 16),
    ((7, 5), 128, 160, 1, 3),
    ((7, 5), 168, 1000, 1024, 0),
    ((7, 5), 200, 128, 16384, 2),
    ((8, 0), 8, 256, 1024, 8),
    ((8, 0), 8, 384, 1024, 5),
    ((8, 0), 40, 1, 65536, 2),
    ((8, 0), 40, 1024, 49152, 1),
    ((8, 0), 96, 1024, 49152, 0),
    ((8, 0), 168, 32, 49152, 3),
    ((8, 6), 32, 384, 1, 4),
    ((8, 6), 32, 512, 49152, 2),
    ((8, 6), 33, 512, 100000, 1),
    ((8, 6), 65, 33, 1024, 14),
    ((8, 6), 168, 32, 16384, 5),
    ((8, 6), 168, 1024, 16384, 0),
    ((9, 0), 32, 256, 16384, 8),
    ((9, 0), 65, 96, 1024, 9),
    ((9, 0), 65, 512, 232448, 1),
    ((9, 0), 96, 33, 16384, 10),
    ((9, 0), 96, 1000, 1024, 0),
    ((9, 0), 255, 128, 1024, 2),
    ((10, 0), 40, 128, 0, 12),
    ((10, 0), 65, 1, 0, 28),
    ((10, 0), 128, 1024, 232448, 0),
    ((10, 0), 168, 1, 49152, 4),
    ((10, 0), 168, 33, 100000, 2),
    ((10, 0), 200, 160, 0, 1),
    ((12, 0), 31, 33, 1, 24),
    ((12, 0), 31, 512, 65536, 1),
    ((12, 0), 33, 512, 0, 3),
    ((12, 0), 64, 160, 0, 6),
    ((12, 0), 128, 96, 16384, 5),
    ((12, 0), 168, 1000, 65536, 0),
]


def device(capability: tuple[int, int] = (9, 0)) -> GpuFacts:
    threads, shared, reserved, blocks = UNITS[capability]
    return nvidia_facts(
        capability,
        static_shared_bytes=49152,
        shared_bytes_per_unit=shared,
        reserved_shared_bytes=reserved,
        registers_per_block=65536,
        registers_per_unit=65536,
        threads_per_unit=threads,
        blocks_per_unit=blocks,
    )


def launch(threads: int, shared_bytes: int = 0) -> Launch:
    return Launch((9, 1, 1), (threads, 1, 1), shared_bytes)


@pytest.mark.parametrize(("capability", "registers", "threads", "shared_bytes", "blocks"), CALCULATED)
def test_that_as_many_blocks_fit_as_nvidias_calculator_says(
    capability: tuple[int, int], registers: int, threads: int, shared_bytes: int, blocks: int
) -> None:
    found = occupancy(Resources(registers), launch(threads, shared_bytes), device(capability))
    assert found is not None
    assert found.blocks == blocks
    assert found.warps == blocks * -(-threads // 32)


@pytest.mark.parametrize(
    ("registers", "threads", "shared_bytes", "limits"),
    [
        (128, 256, 0, ("registers",)),
        (32, 256, 0, ("warps", "registers")),
        (24, 256, 0, ("warps",)),
        (24, 32, 0, ("blocks",)),
        (24, 256, 100_000, ("shared memory",)),
        (255, 256, 200_000, ("registers", "shared memory")),
    ],
)
def test_that_what_allows_no_more_is_named(
    registers: int, threads: int, shared_bytes: int, limits: tuple[str, ...]
) -> None:
    found = occupancy(Resources(registers), launch(threads, shared_bytes), device())
    assert found is not None
    assert found.limited_by == limits


def test_that_the_fraction_is_of_the_warps_a_unit_has() -> None:
    found = occupancy(Resources(168), launch(256, 24_576), device())
    assert found is not None
    assert (found.blocks, found.warps, found.most_warps, found.fraction) == (1, 8, 64, 0.125)


def test_that_static_shared_memory_counts_as_the_compiler_counts_it() -> None:
    compiled = occupancy(Resources(24, static_shared_bytes=40_960), launch(64), device())
    written = occupancy(Resources(24), Launch((1, 1, 1), (64, 1, 1), static_shared_bytes=40_960), device())
    assert compiled is not None
    assert compiled == written
    assert compiled.blocks == 5


def test_that_nobody_guesses_what_nobody_told() -> None:
    assert occupancy(NO_RESOURCES, launch(64), device()) is None
    assert occupancy(Resources(24), launch(64), NO_GPU_FACTS) is None
