"""What the tests of exports share: real recordings of odd sizes, made once, and films opened again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gemmviz.cli.app import run_app
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import load_session
from gemmviz.gui.export.film_source import FilmSource, film_source_of


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """Two recordings: a block of `tiled` of 7 phases (3 tiles of 4 columns, the last one narrower), one of `naive`."""
    folder = tmp_path_factory.mktemp("recorded")
    tiled, naive = folder / "tiled.gemmviz", folder / "naive.gemmviz"
    trace = ["trace", "--size", "9x7x10", "--out"]
    assert run_app([*trace, str(tiled), "--kernel", "tiled", "--param", "TILE=4", "--block", "1,2"]) == 0
    assert run_app([*trace, str(naive), "--kernel", "naive", "--param", "THREAD=4"]) == 0
    first = load_session(tiled)
    return replace(first, traces=(*first.traces, *load_session(naive).traces[:1]))


@pytest.fixture
def film_source(recorded: Session) -> FilmSource:
    """The recorded block (1, 2) of `tiled`."""
    return film_source_of(recorded.traces[0])


@pytest.fixture(scope="session")
def recorded_in_tiles_of_8(tmp_path_factory: pytest.TempPathFactory) -> FilmSource:
    """A block of `tiled` with tiles of 8 × 8."""
    path = tmp_path_factory.mktemp("tiles") / "tiled.gemmviz"
    trace = ["trace", "--kernel", "tiled", "--param", "TILE=8", "--size", "24x24x24", "--block", "1,1"]
    assert run_app([*trace, "--out", str(path)]) == 0
    return film_source_of(load_session(path).traces[0])
