"""What a handout may have, and what it has at first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.device import DeviceKind
from gemmviz.domain.kernels.resources import Resources
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import load_session
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.export.handout.contents import (
    NOT_OF_SESSIONS,
    HandoutPicture,
    PartKind,
    PrintedSource,
    first_choice,
    parts_of,
    shown_of,
)
from gemmviz.gui.recording.block_names import Watched
from gemmviz.resources import resource_folder
from gemmviz.trace.frames.plan import FrameMode

LESSON = resource_folder("assets") / "lessons" / "tiling.gemmviz"


@pytest.fixture(scope="module")
def tiling() -> Session:
    return load_session(Path(LESSON))


def names(parts, kind: PartKind) -> list[str]:
    return [part.name for part in parts if part.kind is kind]


def test_that_parts_come_in_the_order_of_the_sections(tiling: Session, make_result) -> None:
    run = replace(make_result("naive"), resources=Resources(registers=32))
    parts = parts_of(replace(tiling, runs=(run,)), load_catalogue())
    kinds = [part.kind for part in parts]
    assert kinds == sorted(kinds, key=list(PartKind).index)
    assert {*kinds, *NOT_OF_SESSIONS} == {*PartKind}
    assert len({part.name for part in parts}) == len(parts)


def test_that_a_session_of_nothing_has_no_parts(tiling: Session) -> None:
    assert parts_of(replace(tiling, traces=()), load_catalogue()) == ()


def test_that_each_text_is_one_source_and_runs_without_a_recording_have_their_file(
    tiling: Session, make_result
) -> None:
    runs = make_result("naive"), make_result("vectorized"), make_result("vectorized")
    parts = parts_of(replace(tiling, runs=runs), load_catalogue())
    sources = [part.content for part in parts if isinstance(part.content, PrintedSource)]
    assert [(one.file, one.about) for one in sources] == [
        ("naive.cu", "as recorded"),
        ("tiled.cu", "as recorded"),
        ("vectorized.cu", "the file as it is now"),
    ]
    assert sources[0].text == tiling.traces[0].source_text


def test_that_recordings_of_one_title_are_named_by_what_tells_them_apart(tiling: Session) -> None:
    first, *_ = tiling.traces
    mended = replace(first, source_text=f"{first.source_text}\n// mended\n")
    session = replace(tiling, traces=(first, mended), versions=())
    titles = [part.title for part in parts_of(session, load_catalogue()) if part.kind is PartKind.PICTURE]
    own = [session.version_names.of_recording(run) for run in session.traces]
    assert titles == [f"naive THREAD=2, {version}" for version in own]
    assert len(set(own)) == 2
    again = replace(first, finished="2026-11-22T09:00:01+00:00"), replace(first, finished="2026-11-22T09:00:02+00:00")
    parts = parts_of(replace(session, traces=(*again, mended)), load_catalogue())
    titles = [part.title for part in parts if part.kind is PartKind.PICTURE]
    assert [title.rpartition(":")[2] for title in titles[:2]] == ["01", "02"]
    assert len(set(titles)) == 3
    assert [part.content.title for part in parts if isinstance(part.content, HandoutPicture)] == titles
    assert {name for name in first_choice(parts) if name.startswith("picture")} == {
        "picture_1_naive",
        "picture_3_naive",
    }


def test_that_error_maps_are_named_by_what_tells_their_runs_apart() -> None:
    session = load_session(LESSON.parent.parent / "examples" / "cpu-sweep.gemmviz")
    first = session.runs[0]
    sizes = (("BM", 64), ("BN", 64), ("TM", 4), ("TN", 4)), (("BM", 64), ("BN", 128), ("TM", 8), ("TN", 8))
    runs = tuple(replace(first, spec=replace(first.spec, params=params)) for params in sizes)
    titles = [part.title for part in parts_of(replace(session, runs=runs), load_catalogue())]
    maps = [title for title in titles if title.startswith("Error maps of C")]
    assert maps == [
        "Error maps of C: tiled BN=64 TM=4 TN=4",
        "Error maps of C: tiled BN=128 TM=8 TN=8",
    ]
    h100, h200 = (
        replace(first.device, id=f"cuda:{name}", backend="cuda", kind=DeviceKind.GPU, name=f"NVIDIA {name}")
        for name in ("H100", "H200")
    )
    there, here = replace(first, device=h100), replace(first, device=h200)
    titles = [part.title for part in parts_of(replace(session, runs=(there, here)), load_catalogue())]
    assert "Error maps of C: tiled, H100" in titles
    assert "Error maps of C: tiled, H200" in titles


def test_that_the_first_choice_has_two_recordings_and_their_sources(tiling: Session) -> None:
    parts = parts_of(tiling, load_catalogue())
    chosen = first_choice(parts)
    assert [name for name in names(parts, PartKind.PICTURE) if name in chosen] == ["picture_1_naive", "picture_2_tiled"]
    assert {"source_1_naive_cu", "source_2_tiled_cu", "traffic", "terms"} <= chosen


def test_that_the_first_choice_is_what_plays_and_the_chart_on_the_screen(tiling: Session, make_result) -> None:
    session = replace(tiling, runs=(make_result("naive"),))
    watched = Watched(tiling.traces[3], 0, 2, 9, FrameMode.STEP)
    parts = parts_of(session, load_catalogue(), watched)
    chosen = first_choice(parts, (Plot.SAMPLES,), watched)
    (picture,) = [part for part in parts if isinstance(part.content, HandoutPicture) and part.name in chosen]
    assert isinstance(picture.content, HandoutPicture)
    assert (picture.content.run, picture.content.watched) == (tiling.traces[3], watched)
    assert "samples_in_order" in chosen
    assert not {"source_1_naive_cu", "end_to_end_time"} & chosen


def test_that_the_line_below_the_title_speaks_of_what_is_shown(tiling: Session) -> None:
    parts = parts_of(tiling, load_catalogue())
    assert shown_of(tiling, [part for part in parts if part.name == "picture_1_naive"]) == (tiling.traces[0],)
    assert shown_of(tiling, [part for part in parts if part.kind is PartKind.SOURCE]) == ()


def test_that_the_second_picture_is_unlike_the_first(tiling: Session) -> None:
    naive, tiled = tiling.traces[:2]
    session = replace(tiling, traces=(naive, replace(naive, source_text="other"), tiled))
    chosen = first_choice(parts_of(session, load_catalogue()))
    assert {name for name in chosen if name.startswith("picture")} == {"picture_1_naive", "picture_3_tiled"}


def test_that_a_roofline_without_roofs_is_no_part(make_result) -> None:
    session = Session("2026-11-30T12:00:00+00:00", "1", make_result("naive").device, 0.0, runs=(make_result("naive"),))
    found = names(parts_of(session, load_catalogue()), PartKind.CHART)
    assert "kernel_time" in found
    assert "roofline" not in found


def test_that_the_newest_recording_with_a_race_is_among_the_pictures() -> None:
    """What plays is the mended one."""
    session = load_session(Path(resource_folder("assets") / "lessons" / "race.gemmviz"))
    broken, right, _ = session.traces
    session = replace(session, traces=(broken, right))
    watched = Watched(right, 0, 2, 9, FrameMode.STEP)
    parts = parts_of(session, load_catalogue(), watched)
    chosen = first_choice(parts, (), watched)
    pictured = [part.content for part in parts if isinstance(part.content, HandoutPicture) and part.name in chosen]
    assert [one.run for one in pictured] == [broken, right]
    sources = [part.content.text for part in parts if isinstance(part.content, PrintedSource) and part.name in chosen]
    assert sources == [broken.source_text, right.source_text]
