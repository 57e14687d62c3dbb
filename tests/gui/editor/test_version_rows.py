"""The list of versions says what each was examined as, where that differs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.recordings.machine_accesses import AccessSort, LineAccesses, MachineAccesses, WidthCount
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params
from gemmviz.explain.source.version_figures import Measured
from gemmviz.gui.editor.version_rows import VersionRows, version_rows

SAVED = "2026-11-26T03:00:00+00:00"


def rows_of(*found: tuple[Params, TraceRun | None]) -> VersionRows:
    versions = [
        Measured(KernelVersion("mine", number, "mine.cu", f"// {number}", SAVED, params), trace)
        for number, (params, trace) in enumerate(found, 1)
    ]
    return version_rows(versions, VersionNames(tuple(one.version for one in versions)))


def test_that_versions_examined_with_different_parameters_say_those_that_differ_and_their_sizes(
    make_recording: Callable[..., TraceRun],
) -> None:
    trace = make_recording()
    other = replace(trace)
    object.__setattr__(other, "spec", replace(trace.spec, shape=Shape(256, 192, 64)))
    small, large = (("BM", 64), ("BK", 4)), (("BM", 64), ("BK", 16))
    found = rows_of((small, trace), (large, other), (large, None))
    assert found.heads[1] == "parameters, size"
    assert [row.texts[1] for row in found.rows] == ["BK=16, –", "BK=16, 256×192×64", f"BK=4, {trace.spec.shape.words}"]
    assert "BM = 64 BK = 4" in found.rows[-1].tip
    assert 1 not in found.goes_first, "a narrow list leaves out other columns"


def test_that_wavefronts_are_told_as_those_of_the_ptx_where_a_gpu_has_others(
    make_recording: Callable[..., TraceRun],
) -> None:
    trace = make_recording()
    line = LineAccesses(3, AccessSort.SHARED_LOADS, (WidthCount(4, 4),), (WidthCount(16, 1),))
    other = replace(trace, machine=MachineAccesses("sm_90a", "NVRTC 13.5", (line,)))
    same, differs = rows_of(((), trace)), rows_of(((), trace), ((), other))
    assert (same.heads[4], differs.heads[4]) == ("excess", "excess in PTX")
    assert "excess wavefronts: " in same.rows[0].tip
    assert "excess wavefronts in PTX: " in differs.rows[0].tip


def test_that_versions_examined_alike_have_their_times() -> None:
    found = rows_of(((("BK", 4),), None), ((("BK", 4),), None))
    assert (found.heads[1], found.goes_first[0]) == ("saved", 1)
