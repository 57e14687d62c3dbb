"""Whatever is changed in a session file: it is refused in words, or every report, table and chart of it is made."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gemmviz.catalogue.examples import examples_folder
from gemmviz.cli.run.saved import report_and_print
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import SessionError, load_session
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.export.pictures.charts import PictureMaker
from gemmviz.gui.export.plan import planned, planned_tables
from gemmviz.gui.figures.last_run import run_section
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.results.table import ResultsTable

SOURCES = ("cpu-sweep", "gpu-accuracy", "gpu-waves")
INTEGERS = (0, 1, -1, 2, 7, 1000, 2**31 - 1, 2**31, 2**53, 2**53 + 1, 2**63, 10**400)
FLOATS = (0.0, -0.0, 5e-324, 1e-9, 0.5, 1.0, 3e10, 1e30, 1e99, 1e308, -1.0, "nan", "inf", "-inf")
SMALL = tuple(value for value in FLOATS if isinstance(value, float) and value < 1e38)
TEXTS = ("", "x", "[red]", "\x1b[31m", "=1+1", "2025-01-01", "2199-12-31T23:59:59-12:00", "9999-99-99", "y" * 3000)
OTHERS = (True, False, None, [], {})

Way = tuple[str | int, ...]


@cache
def entries_of(name: str) -> dict[str, bytes]:
    with zipfile.ZipFile(examples_folder() / f"{name}.gemmviz") as archive:
        return {entry: archive.read(entry) for entry in archive.namelist()}


def leaves(tree: Any, way: Way = ()) -> Iterator[Way]:
    """The way to everything in a tree that is no table."""
    if isinstance(tree, dict) and tree:
        for key, value in tree.items():
            yield from leaves(value, (*way, key))
    else:
        yield way
        for place, value in enumerate(tree if isinstance(tree, list) else ()):
            yield from leaves(value, (*way, place))


def at(tree: Any, way: Way) -> Any:
    for step in way:
        tree = tree[step]
    return tree


@st.composite
def mutated(draw: st.DrawFn) -> dict[str, bytes]:
    """The entries of an example with one to three figures, texts or elements changed."""
    entries = dict(entries_of(draw(st.sampled_from(SOURCES))))
    manifest = json.loads(entries["manifest.json"])
    for _ in range(draw(st.integers(1, 3))):
        top = draw(st.sampled_from(sorted(key for key, value in manifest["session"].items() if value)))
        way = draw(st.sampled_from([(top, *way) for way in leaves(manifest["session"][top])]))
        old = at(manifest["session"], way)
        usual = INTEGERS if type(old) is int else FLOATS if type(old) is float else TEXTS
        if isinstance(old, list):
            new = draw(st.sampled_from([old[:-1], old[::-1], old + old[-1:]]))
        else:
            new = draw(st.sampled_from(usual if draw(st.integers(0, 9)) else (*INTEGERS, *FLOATS, *TEXTS, *OTHERS)))
        at(manifest["session"], way[:-1])[way[-1]] = new
    entries["manifest.json"] = json.dumps(manifest).encode()
    if draw(st.booleans()):
        name = draw(st.sampled_from(sorted(entry for entry in entries if entry.endswith(".npy"))))
        column = np.load(io.BytesIO(entries[name]))
        if column.size:
            values = (
                [v for v in FLOATS if isinstance(v, float) and v < 1e38]
                if column.dtype.kind == "f"
                else [0, 1, -1, 100]
            )
            column[draw(st.integers(0, column.size - 1))] = draw(st.sampled_from(values))
            buffer = io.BytesIO()
            np.lib.format.write_array(buffer, column, version=(1, 0))
            entries[name] = buffer.getvalue()
    return entries


def opened(path: Path) -> Session | None:
    """The session, None where it is refused; the message is one line."""
    try:
        return load_session(path)
    except SessionError as error:
        message = str(error)
    assert message.startswith(f"cannot open {path}: ")
    assert "\n" not in message
    return None


def show_all(session: Session, path: Path) -> None:
    """Everything that a person may ask of a session."""
    for as_json in (False, True):
        report_and_print(path, as_json)
    for table in planned_tables(session):
        table.make()
    for run in session.runs:
        run_section(run, session)
    maker = PictureMaker(session, LIGHT, None)
    for one in {one.plot: one for one in planned(session) if one.plot is not Plot.MEMORY}.values():
        maker.widget_for(one).grab()
    maker.close()
    results = ResultsTable()
    results.show_session(session)
    results.grab()
    results.deleteLater()


@pytest.mark.usefixtures("qtbot")
@given(entries=mutated())
@settings(
    max_examples=settings().max_examples // 4,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_that_a_changed_session_is_refused_in_words_or_shown_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], entries: dict[str, bytes]
) -> None:
    path = tmp_path / "changed.gemmviz"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    session = opened(path)
    if session is not None:
        show_all(session, path)
    capsys.readouterr()
