"""Which versions of a kernel are held against each other, and by which of their recordings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.explain.source.comparability import why_not_compared
from gemmviz.explain.source.compared_versions import compared_versions, measured_in
from gemmviz.explain.source.line_figures import LineFigureKind
from gemmviz.explain.source.version_figures import EXCESS, Measured
from gemmviz.explain.source.version_lines import changes_between
from gemmviz.gui.files.document import SessionDocument

Make = Callable[..., TraceRun]
LARGE = Shape(8, 3, 2)


def recorded(trace: TraceRun, hour: int, wavefronts: int, *, text: str = "", blocks: int = 1) -> TraceRun:
    """The recording as one at the large size that ended in that hour; of the wavefronts 5 are the ideal."""
    loads = np.zeros(LARGE.m * LARGE.k, np.int64), np.zeros(LARGE.k * LARGE.n, np.int64)
    return replace(
        trace,
        spec=replace(trace.spec, shape=LARGE),
        counts=replace(trace.counts, wavefronts=np.array([0, wavefronts])),
        a_loads=loads[0],
        b_loads=loads[1],
        source_text=text or trace.source_text,
        blocks_recorded=blocks,
        finished=f"2027-01-01T{hour}:00:00+00:00",
    )


def version(number: int, trace: TraceRun) -> KernelVersion:
    return KernelVersion("tiled", number, "tiled.cu", trace.source_text, trace.finished, recorded=trace.finished)


def test_that_the_version_before_is_compared_by_a_recording_of_its_text_at_the_size_of_the_newest(
    make_recording: Make,
) -> None:
    small = make_recording(finished="2027-01-01T10:00:00+00:00")
    newest = recorded(small, 14, 5, text=f"{small.source_text}// edited\n")
    first, second = version(1, small), version(2, newest)
    document = SessionDocument()
    for one, trace in ((first, small), (second, newest)):
        document.add_version(one, trace)
    _, before = compared_versions(document.session, "tiled", Measured(second, newest), 0)
    assert before is not None
    assert before.trace is small, "there is no other recording of its text"
    by_hand = recorded(small, 12, 37)
    for trace in (by_hand, recorded(small, 13, 99, blocks=4), replace(recorded(newest, 13, 77), source_name="b.cu")):
        document.add_trace(trace)
    known, before = compared_versions(document.session, "tiled", Measured(second, newest), 0)
    assert before is not None
    assert (before.version, before.trace) == (first, by_hand)
    excess = [one for one in changes_between(before, known[1]) if one.figure is LineFigureKind.EXCESS]
    assert [one.words for one in excess] == ["32→0"]
    assert [EXCESS.value(one) for one in known] == [15, 0], "the list has what was found out after each save"


def test_that_a_recording_of_more_blocks_is_not_compared(make_recording: Make) -> None:
    trace = make_recording(finished="2027-01-01T10:00:00+00:00")
    assert "recorded in other blocks" in why_not_compared(replace(trace, blocks_recorded=1), trace)
    assert trace.blocks_recorded > 1


def test_that_the_version_that_was_saved_last_comes_before_unless_another_one_is_chosen(make_recording: Make) -> None:
    document, traces = SessionDocument(), []
    for number, hour in ((1, 12), (2, 10), (3, 14)):
        traces.append(recorded(make_recording(), hour, 5, text=f"// {number}\n"))
        document.add_version(version(number, traces[-1]), traces[-1])
    session = document.session
    newest = measured_in(session, session.versions[2])
    for chosen, number in ((0, 1), (2, 2), (9, 1)):
        known, before = compared_versions(session, "tiled", newest, chosen)
        assert before is not None
        assert (before.version.number, before.trace) == (number, traces[number - 1])
        assert [one.version.number for one in known] == [1, 2, 3]
    assert compared_versions(session, "tiled", None, 0)[1] is None
