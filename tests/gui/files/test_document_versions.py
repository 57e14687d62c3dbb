"""The versions of kernels in the document, and which of its recordings are theirs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.session.versions import recording_of_version
from gemmviz.gui.files.document import SessionDocument

Record = Callable[..., TraceRun]


@pytest.fixture
def document(qtbot: QtBot) -> SessionDocument:
    del qtbot
    return SessionDocument()


def test_that_the_recording_of_an_earlier_version_comes_before_that_of_the_newest(
    document: SessionDocument, make_recording: Record
) -> None:
    earlier, newest, again = (replace(make_recording(), finished=f"2026-01-0{day}") for day in (1, 2, 3))
    for number, trace in enumerate((earlier, newest), 1):
        version = KernelVersion(trace.spec.kernel, number, "mine.cu", f"text {number}", "", recorded=trace.finished)
        document.add_version(version, trace)
    first = document.session.versions[0]
    document.add_version(replace(first, recorded=again.finished), again, is_newest=False)
    assert [trace.finished for trace in document.session.traces] == [again.finished, newest.finished]


def test_that_what_a_person_recorded_is_the_recording_of_the_version_that_is_the_same(
    document: SessionDocument, make_recording: Record
) -> None:
    own, same, again, other = (replace(make_recording(), finished=f"2026-01-0{day}") for day in (1, 2, 3, 4))
    other = replace(other, spec=replace(other.spec, device="machine:sm_80"))
    version = KernelVersion(own.spec.kernel, 1, own.source_name, own.source_text, "", recorded=same.finished)

    def kept() -> tuple[list[str], list[str]]:
        session = document.session
        told = [found.finished for one in session.versions if (found := recording_of_version(session, one))]
        return [trace.finished for trace in session.traces], told

    document.add_trace(own)
    document.add_version(version, same)
    assert kept() == ([own.finished], [own.finished])
    document.add_version(replace(version, recorded=other.finished), other)
    assert kept() == ([own.finished, other.finished], [other.finished]), "what a person recorded stays"
    document.add_version(replace(version, recorded=same.finished), same)
    document.add_trace(again)
    assert kept() == ([again.finished], [again.finished]), "one of all that are the same"


def test_that_what_a_person_records_takes_the_place_of_what_a_version_has(
    document: SessionDocument, make_recording: Record
) -> None:
    of_version, own = (replace(make_recording(), finished=f"2026-01-0{day}") for day in (1, 2))
    version = KernelVersion(own.spec.kernel, 1, own.source_name, own.source_text, "", recorded=of_version.finished)
    document.add_version(version, of_version)
    document.add_trace(own)
    (left,), (known,) = document.session.traces, document.session.versions
    assert (left.finished, known.recorded) == (own.finished, own.finished)


def test_that_a_block_recorded_again_is_kept_once(document: SessionDocument, make_recording: Record) -> None:
    first, second, third, fourth = (replace(make_recording(), finished=f"2026-01-0{day}") for day in (1, 2, 3, 4))
    other_setting = replace(third, spec=replace(third.spec, seed=third.spec.seed + 1))
    other_text = replace(fourth, source_text=f"{fourth.source_text}\n")
    for trace in (first, other_setting, second, other_text):
        document.add_trace(trace)
    kept = [trace.finished for trace in document.session.traces]
    assert kept == [other_setting.finished, second.finished, other_text.finished]


def test_that_recordings_of_which_no_block_was_kept_stay(document: SessionDocument, make_recording: Record) -> None:
    whole = make_recording()
    part = replace(whole, blocks=(), blocks_recorded=1)
    first, second = (replace(part, finished=f"2026-01-0{day}") for day in (1, 2))
    assert first.blocks_recorded < first.blocks_in_grid, "they may be of other blocks"
    for trace in (first, second):
        document.add_trace(trace)
    assert len(document.session.traces) == 2
