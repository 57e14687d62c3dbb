"""What is to be exported: its files, what would be replaced, and why it cannot be done."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from gemmviz.gui.export.choice import (
    ExportChoice,
    ExportItem,
    faults_of,
    folder_fault,
    overwrite_words,
    typed_folder,
)
from gemmviz.gui.export.targets import existing
from gemmviz.gui.looks.theme import ThemeChoice

TIMING = ExportItem("timing", "Timing")
RUNS = ExportItem("runs", "Results", ("csv",), ("runs.csv", "samples.csv"))


@pytest.fixture
def choice(tmp_path: Path) -> ExportChoice:
    return ExportChoice((TIMING, RUNS), ("png", "csv"), 2, None, ThemeChoice.AUTO, tmp_path)


def test_that_each_thing_goes_to_one_file_of_each_format_it_has(choice: ExportChoice, tmp_path: Path) -> None:
    assert choice.paths == tuple(tmp_path / name for name in ("timing.png", "timing.csv", "runs.csv", "samples.csv"))
    assert replace(choice, items=(RUNS, RUNS)).paths == (tmp_path / "runs.csv", tmp_path / "samples.csv")


def test_that_only_files_that_are_there_are_replaced(choice: ExportChoice, tmp_path: Path) -> None:
    (tmp_path / "timing.svg").touch()
    assert existing(choice.paths) == ()
    (tmp_path / "timing.csv").touch()
    assert existing(choice.paths) == (tmp_path / "timing.csv",)
    assert overwrite_words(existing(choice.paths)) == "Replaces timing.csv"
    assert overwrite_words([Path(f"{letter}.png") for letter in "abcde"]) == "Replaces a.png, b.png, c.png and 2 more"
    assert overwrite_words([]) == ""


def test_that_a_sound_choice_has_no_fault(choice: ExportChoice, tmp_path: Path) -> None:
    faults = faults_of(choice, str(tmp_path))
    assert not faults.any, faults


def test_that_each_fault_is_told_where_it_lies(choice: ExportChoice) -> None:
    faults = faults_of(replace(choice, items=(), formats=(), size=(8000, 8000), scale=4), "  ")
    assert (faults.items, faults.formats, faults.size) == ("choose something to export", "", "")
    assert faults.folder == "enter a folder"
    faults = faults_of(replace(choice, formats=(), size=(8000, 8000), scale=4), "  ")
    assert (faults.items, faults.formats, faults.size) == ("", "choose a format", "")
    assert faults.sentence == "Enter a folder"
    svg = faults_of(replace(choice, formats=("svg",), size=(8000, 8000), scale=4), str(choice.folder))
    assert svg.size == "", "a size matters to PNG alone"
    large = faults_of(replace(choice, size=(8000, 8000), scale=4), str(choice.folder))
    assert large.size.startswith("32000 × 32000 pixels are too many")


@pytest.mark.parametrize("formats", [(), ("png",), ("png", "svg"), ("csv",)])
def test_that_a_table_becomes_csv_whatever_the_formats_of_pictures(
    choice: ExportChoice, tmp_path: Path, formats: tuple[str, ...]
) -> None:
    table = replace(choice, items=(RUNS,), formats=formats)
    assert not faults_of(table, str(tmp_path)).any
    assert table.paths == (tmp_path / "runs.csv", tmp_path / "samples.csv")


def test_that_what_is_ticked_is_never_left_out_in_silence(choice: ExportChoice, tmp_path: Path) -> None:
    picture = ExportItem("memory", "Memory view", ("png", "svg"))
    tables = faults_of(replace(choice, items=(picture, RUNS, picture), formats=("csv",)), str(tmp_path))
    assert tables.formats == "Memory view and 1 more have no CSV. Choose PNG or SVG too, or untick them"
    assert not faults_of(replace(choice, items=(picture, RUNS), formats=("png", "csv")), str(tmp_path)).any


def test_that_a_folder_that_can_be_made_is_no_fault(tmp_path: Path) -> None:
    assert folder_fault(str(tmp_path / "new" / "deeper")) == ""


def test_that_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert folder_fault(str(tmp_path / "file")) == "file is a file. Choose a folder"
    assert "cannot be created" in folder_fault(str(tmp_path / "file" / "below"))


def test_that_a_name_no_folder_can_have_is_told() -> None:
    assert folder_fault("a\0b") == "this is not a valid folder name: type another one"
    assert folder_fault("x" * 5000) == "this is not a valid folder name: type another one"


def test_that_a_folder_that_may_not_be_written_to_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) != tmp_path)
    assert folder_fault(str(tmp_path / "new")) == f"{tmp_path} is not writable. Choose another folder"


def test_that_a_typed_folder_is_what_is_meant() -> None:
    assert typed_folder(" ~/charts ") == Path.home() / "charts"
    assert typed_folder("~nobody-of-that-name/charts") == Path("~nobody-of-that-name/charts")


def test_that_a_presentation_has_the_size_that_is_named_whatever_the_scale(choice: ExportChoice) -> None:
    assert choice.png_scale == choice.scale == 2
    assert replace(choice, still=replace(choice.still, is_slide=True)).png_scale == 1
