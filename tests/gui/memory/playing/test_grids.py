"""Which blocks are at hand, and of which launch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from form_kernel import forms_kernel, in_both_forms

from gemmviz.catalogue.gpus import emulated
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.recording.grids import Playable, block_title, grid_with, grids_of, titles_of

Record = Callable[..., TraceRun]


def test_that_blocks_of_one_launch_belong_together(recorded: Record) -> None:
    first = recorded("tiled", "33x17x5", (1, 0), TILE=16)
    naive = recorded("naive", "33x17x5", (0, 0))
    again = recorded("tiled", "33x17x5", (0, 2), (0, 1), TILE=16)
    tiled, other = grids_of([first, naive, again])
    assert [playable.block for playable in tiled.blocks] == [(1, 0, 0), (0, 1, 0), (0, 2, 0)]
    assert (tiled.newest.run, tiled.newest.block) == (again, (0, 2, 0))
    assert tiled.at((1, 0, 0)).is_same(Playable(first))
    assert tiled.at((1, 1, 0)) is None
    assert other.runs == (naive,)
    assert grid_with((tiled, other), first) is tiled
    assert grid_with((tiled,), naive) is None


def test_that_the_newest_recording_of_a_block_is_played(recorded: Record) -> None:
    old, new = (recorded("tiled", "33x17x5", (1, 0), TILE=16) for _ in range(2))
    (grid,) = grids_of([old, new])
    assert [playable.run for playable in grid.blocks] == [new]


def test_that_other_sizes_parameters_and_sources_are_other_launches(recorded: Record) -> None:
    run = recorded("tiled", "33x17x5", (1, 0), TILE=16)
    other_source = replace(run, source_text=f"{run.source_text}\n// changed\n")
    runs = [
        run,
        recorded("tiled", "33x17x5", (1, 0), TILE=8),
        recorded("tiled", "17x33x5", (1, 0), TILE=16),
        other_source,
    ]
    assert len(grids_of(runs)) == 4


def test_that_titles_tell_launches_apart(recorded: Record) -> None:
    run = recorded("tiled", "33x17x5", (1, 0), TILE=16)
    seeded = replace(run, spec=replace(run.spec, seed=7))
    edited = replace(run, source_text=f"{run.source_text}\n// changed\n")
    titles = titles_of(grids_of([run, recorded("naive", "33x17x5"), seeded, edited]))
    assert len(set(titles)) == 4
    assert titles[-2] == "naive THREAD=16  ·  33×17×5"
    assert titles[1].endswith("seed 7")
    assert (titles[0].endswith("version 2"), titles[3].endswith("version 1")) == (True, True)


def test_that_devices_tell_launches_apart_by_names_for_a_person(recorded: Record) -> None:
    run = recorded("tiled", "33x17x5", (1, 0), TILE=16)
    machines = [replace(run, device=emulated(gpu)) for gpu in ("H100", "A100")]
    runs = [replace(one, spec=replace(one.spec, device=one.device.id)) for one in machines]
    assert titles_of(grids_of(runs)) == (
        "tiled TILE=16  ·  33×17×5  ·  PTX machine, sm_80",
        "tiled TILE=16  ·  33×17×5  ·  PTX machine, sm_90a",
    )


def test_that_a_block_is_named_as_in_the_picture(recorded: Record) -> None:
    assert block_title(Playable(recorded("tiled", "33x17x5", (1, 0), TILE=16))) == "block (1, 0)"


@pytest.mark.usefixtures("nvrtc")
def test_that_both_forms_of_a_kernel_are_two_launches_whose_titles_tell_them_apart(tmp_path: Path) -> None:
    written, compiled = in_both_forms(forms_kernel(tmp_path))
    grids = grids_of([written, compiled])
    assert [grid.runs for grid in grids] == [(compiled,), (written,)]
    assert titles_of(grids) == ("forms  ·  16×64×8  ·  as compiled", "forms  ·  16×64×8  ·  as written")
    edited = replace(compiled, source_text=f"{compiled.source_text}\n// changed\n")
    newest, first, previous = titles_of(grids_of([compiled, written, edited]))
    assert newest.startswith("forms  ·  16×64×8  ·  as compiled")
    assert newest.endswith("version 2")
    assert previous.endswith("version 1")
    assert first == "forms  ·  16×64×8  ·  as written"
