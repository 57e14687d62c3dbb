"""Settings of a sweep that nobody examined."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.domain.kernels.examined_sweep import BlockCounts, ExaminedSweep, digest_of
from gemmviz.domain.kernels.kernel_version import Check, Compilation, KernelVersion
from gemmviz.domain.kernels.resources import Occupancy, Resources
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm
from gemmviz.explain.figures.settings import kept_setting
from gemmviz.explain.source.version_figures import Measured


def make_sweep(*settings: Measured, missing: int = 0) -> ExaminedSweep:
    """These settings of `mine`, as a session keeps them."""
    kept = tuple(map(kept_setting, settings))
    return ExaminedSweep("mine", "mine.cu", digest_of("text"), "NVIDIA H100 SXM", kept, missing=missing)


def make_setting(
    bm: int, tn: int | None = None, *, passed: bool = True, fault: str = "", sectors: int = 0, hazards: int = 0
) -> Measured:
    """The kernel `mine` with an edge of a tile; with a `fault` nothing else is known of it. Only with `sectors`, those
    of its block per 1000 multiply-adds, is a block recorded.
    """
    params = (("BM", bm), *((("TN", tn),) if tn is not None else ()))
    code = Compilation(
        "H100 SXM", "sm_90a", "NVRTC 13.0", Resources(40), 2 * bm * bm * 4, Occupancy(4, 32, 64, ("registers",))
    )
    check = Check(Shape(64, 64, 64), passed, 0.5 if passed else 20.0, 1.0)
    faults = (fault,) if fault else ()
    version = KernelVersion("mine", 1, "mine.cu", "", "2026-01-02T03:04:05+00:00", params, faults=faults)
    version = version if fault else replace(version, compilation=code, check=check)
    return Measured(version, None, make_counts(sectors, hazards) if sectors else None)


def make_counts(sectors: int, hazards: int = 0) -> BlockCounts:
    """What is kept of a block of 1000 multiply-adds."""
    return BlockCounts(
        shape=Shape(1024, 1024, 256),
        block=(0, 0, 0),
        form=CodeForm.AS_COMPILED,
        warps=2,
        global_requests=10,
        global_sectors=sectors,
        shared_requests=20,
        wavefronts=30,
        excess_wavefronts=10,
        hazards=hazards,
        multiply_adds=1000,
        instructions=500,
    )
