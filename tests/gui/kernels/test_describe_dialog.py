"""A file without a description is described by what it computes, while a person looks on and may cancel."""

from __future__ import annotations

import shutil
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QListWidget, QProgressBar, QPushButton
from pytestqt.qtbot import QtBot
from some_devices import GPU

from gemmviz.adopt.description import Description, FoundHazard
from gemmviz.adopt.finding import AdoptionStep, Findings, KernelFinding, Progress
from gemmviz.adopt.reasons import FaultKind, Reason
from gemmviz.catalogue.gpus import emulated
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.gui.kernels import described
from gemmviz.gui.kernels.describe_dialog import DescribeDialog
from gemmviz.gui.kernels.found_dialog import FoundReport

FOREIGN = Path(__file__).parents[2] / "data" / "adopt"
LIMIT_MS = 90_000


class Shown:
    """A dialog about a copy of a file, and what it says in the end."""

    def __init__(self, qtbot: QtBot, name: str, folder: Path, *, may_run: bool = False, replaces: bool = False) -> None:
        self.path = Path(shutil.copy(FOREIGN / name, folder))
        self.asked: list[Path] = []
        self.described: list[str] = []
        self.failed: list[str] = []
        self.reports: list[FoundReport] = []
        self.dialog = DescribeDialog(self.path, lambda path: self.asked.append(path) or may_run, replaces=replaces)
        self.dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
        self.dialog.found.connect(self.reports.append)
        self.dialog.described.connect(lambda _path, words: self.described.append(words))
        self.dialog.failed.connect(lambda _path, why, _is_racing: self.failed.append(why))
        qtbot.addWidget(self.dialog)
        self.dialog.open()

    @property
    def kernels(self) -> QListWidget:
        found: QListWidget = self.dialog.findChild(QListWidget, "describeKernels")
        return found


@pytest.mark.usefixtures("nvrtc")
def test_that_one_product_is_described(qtbot: QtBot, tmp_path: Path) -> None:
    shown = Shown(qtbot, "turned_b.cu", tmp_path)
    qtbot.waitUntil(lambda: bool(shown.described), timeout=LIMIT_MS)
    assert shown.described[0].startswith(
        "rows_of_both: C = A·B, B column-major, takes every size that was tried, M, N and K each up to "
    )
    assert (tmp_path / "turned_b.cu.toml").is_file()
    assert not shown.dialog.isVisible()
    (report,) = shown.reports
    assert [one.kernel for one in report.kernels] == ["rows_of_both"]
    assert report.is_as_written


@pytest.mark.usefixtures("nvrtc")
def test_that_a_launch_that_is_wrong_is_named_before_the_one_that_is_right(qtbot: QtBot, tmp_path: Path) -> None:
    shown = Shown(qtbot, "grid_for_squares.cu", tmp_path)
    qtbot.waitUntil(lambda: bool(shown.described), timeout=LIMIT_MS)
    before, _, behind = shown.described[0].partition(". Right on the PTX machine is ")
    assert before.startswith("exchanged: Line ")
    assert "launches a grid of ceil_div(" in before
    assert behind.startswith("C = alpha·A·B + beta·C, needs M and N in multiples of 32")


@pytest.mark.usefixtures("nvrtc")
def test_that_a_file_that_proves_nothing_is_not_described(qtbot: QtBot, tmp_path: Path) -> None:
    shown = Shown(qtbot, "sum_of_matrices.cu", tmp_path)
    assert not shown.dialog.findChild(QPushButton, "describeChosen").isVisible(), "there is nothing to choose yet"
    qtbot.waitUntil(lambda: bool(shown.failed), timeout=LIMIT_MS)
    assert shown.failed[0].startswith(f"{shown.path}:1: it looks like an operation on each element")
    assert shown.failed[0].endswith("add was not described. Mend that, or describe it in sum_of_matrices.cu.toml")
    assert list(tmp_path.iterdir()) == [shown.path]
    assert [(report.written, report.kernels[0].kernel) for report in shown.reports] == [("", "add")]


@pytest.mark.usefixtures("nvrtc")
def test_that_of_several_products_a_person_chooses(qtbot: QtBot, tmp_path: Path) -> None:
    shown = Shown(qtbot, "conditional_column.cl", tmp_path)
    qtbot.waitUntil(lambda: shown.kernels.count() == 2, timeout=LIMIT_MS)
    assert "C = A·B, all matrices column-major" in shown.kernels.item(1).text()
    shown.kernels.setCurrentRow(1)
    name = shown.kernels.item(1).data(Qt.ItemDataRole.UserRole)
    button: QPushButton = shown.dialog.findChild(QPushButton, "describeChosen")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert shown.described[0].startswith(f"{name}: C = A·B")
    assert [one.kernel == name for one in shown.reports[0].kernels] == [True, False], "the chosen one first"
    assert f'entry = "{name}"' in (tmp_path / "conditional_column.cl.toml").read_text(encoding="utf-8")


def test_that_the_guess_is_shown_and_cancel_ends_it_at_once(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = threading.Event()

    def look(
        path: Path, progress: Progress, may_run_python: bool, device: Device | None, must_run_there: bool
    ) -> Findings:
        del path, may_run_python, device, must_run_there
        try:
            while True:
                progress(AdoptionStep("running k with blocks of 16 × 16", 3, 24, kernel=2, kernels=3))
                time.sleep(0.05)
        finally:
            ended.set()

    monkeypatch.setattr(described, "look_confined", look)
    shown = Shown(qtbot, "turned_b.cu", tmp_path)
    bar: QProgressBar = shown.dialog.findChild(QProgressBar, "describeProgress")
    words: QLabel = shown.dialog.findChild(QLabel, "describeWords")
    qtbot.waitUntil(lambda: (bar.value(), bar.maximum()) == (3, 24))
    assert words.text() == "Kernel 2 of 3: running k with blocks of 16 × 16 (guess 3 of 24)"
    elapsed: QLabel = shown.dialog.findChild(QLabel, "describeElapsed")
    assert elapsed.text().endswith(" s of at most 360 s")
    begin = time.monotonic()
    qtbot.keyClick(shown.dialog, Qt.Key.Key_Escape)
    assert ended.wait(0.5)
    assert time.monotonic() - begin < 0.5
    assert not shown.dialog.isVisible()
    assert shown.described == shown.failed == []


def test_that_the_bar_counts_functions_while_the_analysis_is_compiled_and_the_seconds_say_that_they_wait(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "compiling the analysis, once for all kernels, up to 1 min: function 32 of up to 51"

    def look(_path: Path, progress: Progress, **_names: object) -> Findings:
        while True:  # until the dialog is closed
            progress(AdoptionStep(said, 3, 24, kernel=1, kernels=1))
            time.sleep(0.05)

    monkeypatch.setattr(described, "look_confined", look)
    shown = Shown(qtbot, "turned_b.cu", tmp_path)
    bar: QProgressBar = shown.dialog.findChild(QProgressBar, "describeProgress")
    qtbot.waitUntil(lambda: (bar.value(), bar.maximum()) == (32, 51))
    elapsed: QLabel = shown.dialog.findChild(QLabel, "describeElapsed")
    assert elapsed.text() == "0 s of at most 120 s; compiling the analysis does not count"
    shown.dialog.reject()


def test_that_what_there_was_no_time_for_is_said_with_the_description(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look(
        path: Path, progress: Progress, may_run_python: bool, device: Device | None, must_run_there: bool
    ) -> Findings:
        del path, progress, may_run_python, device, must_run_there
        found = Description("k", (), (), ("A", "B", "C"), (Storage(), Storage(), Storage(), Storage()), ("16",), ("M",))
        left_out = (
            "looked for races in 3 of 16 blocks and between these: all of them would have taken longer",
            "not checked on A processor, which does not run it: choose the PTX machine (`--device machine`)",
        )
        return Findings(("k",), (KernelFinding("k", 1, found, left_out=left_out),))

    monkeypatch.setattr(described, "look_confined", look)
    shown = Shown(qtbot, "turned_b.cu", tmp_path)
    qtbot.waitUntil(lambda: bool(shown.described))
    assert "\nLooked for races in 3 of 16 blocks and between these: all of them would have" in shown.described[0]
    assert shown.described[0].endswith("choose the PTX machine."), "no option of the command line"


def test_that_the_first_words_say_that_races_were_not_looked_for(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Description("k", (), (), ("A", "B", "C"), (Storage(), Storage(), Storage(), Storage()), ("16",), ("M",))
    unsearched = KernelFinding("k", 1, replace(found, is_searched_for_races=False))
    monkeypatch.setattr(described, "look_confined", lambda *_args, **_names: Findings(("k",), (unsearched,)))
    shown = Shown(qtbot, "turned_b.cu", tmp_path)
    qtbot.waitUntil(lambda: bool(shown.described))
    assert shown.described[0].startswith("k: not verified, since races were not looked for: C = A·B")


def test_that_a_kernel_that_races_is_refused_and_can_be_described_as_it_is(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look(
        path: Path, progress: Progress, may_run_python: bool, device: Device | None, must_run_there: bool
    ) -> Findings:
        del path, progress, may_run_python, device, must_run_there
        storages = Storage(), Storage(), Storage(), Storage()
        race = FoundHazard(HazardKind.RACE, (9,), "thread 0 writes Bs[0,0]")
        racing = Description(
            "k",
            (),
            (),
            ("A", "B", "C"),
            storages,
            ("16",),
            ("M",),
            hazards=(race,),
            unproven="taken from its host code",
        )
        return Findings(
            ("k",),
            (
                KernelFinding(
                    "k", 1, None, (Reason("turned_b.cu:9: the kernel races", FaultKind.RACE),), as_it_is=racing
                ),
            ),
        )

    monkeypatch.setattr(described, "look_confined", look)
    shown = Shown(qtbot, "turned_b.cu", tmp_path)
    button: QPushButton = shown.dialog.findChild(QPushButton, "describeChosen")
    qtbot.waitUntil(button.isVisible)
    assert shown.failed == ["turned_b.cu:9: the kernel races. k was not described"]
    assert shown.described == []
    assert shown.dialog.is_refused
    words = shown.dialog.findChild(QLabel, "describeWords").text()
    assert words.startswith("The kernel races in line 9, so nothing was proven.")
    assert button.text() == "Describe it as it is"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert "It is not verified" in shown.described[0]
    assert "verified:" not in shown.described[0]
    assert "# Not verified" in (tmp_path / "turned_b.cu.toml").read_text(encoding="utf-8")
    assert not shown.dialog.isVisible()


@pytest.mark.parametrize(
    ("there", "replaces", "is_replaced"),
    [
        ("# Not verified: as it is\n", True, True),
        ("# Not verified: as it is\n", False, False),
        ("# mine\n", True, False),
    ],
)
def test_that_a_description_is_replaced_without_a_question_only_where_it_verifies_nothing_and_that_is_wanted(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: str, replaces: bool, is_replaced: bool
) -> None:
    found = Description("k", (), (), ("A", "B", "C"), (Storage(), Storage(), Storage(), Storage()), ("16",), ("M",))
    mended = KernelFinding("k", 1, found)
    monkeypatch.setattr(described, "look_confined", lambda *_args, **_names: Findings(("k",), (mended,)))
    beside = tmp_path / "turned_b.cu.toml"
    beside.write_text(there, encoding="utf-8")
    shown = Shown(qtbot, "turned_b.cu", tmp_path, replaces=replaces)
    button: QPushButton = shown.dialog.findChild(QPushButton, "describeChosen")
    qtbot.waitUntil(lambda: bool(shown.described) or button.isVisible())
    assert bool(shown.described) is is_replaced
    assert (beside.read_text(encoding="utf-8") != there) is is_replaced
    if not is_replaced:
        words = shown.dialog.findChild(QLabel, "describeWords").text()
        assert words.startswith("turned_b.cu.toml is there already. Now found out: k (line 1): C = A·B")
        assert button.text() == "Replace turned_b.cu.toml"
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert shown.described
        assert 'entry = "k"' in beside.read_text(encoding="utf-8")


def test_that_a_description_stays_where_nothing_is_proven_any_more(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    racing = KernelFinding("k", 1, None, (Reason("turned_b.cu:9: it adds"),))
    monkeypatch.setattr(described, "look_confined", lambda *_args, **_names: Findings((), (racing,)))
    beside = tmp_path / "turned_b.cu.toml"
    beside.write_text("# mine\n", encoding="utf-8")
    shown = Shown(qtbot, "turned_b.cu", tmp_path)
    qtbot.waitUntil(lambda: bool(shown.failed))
    assert shown.failed[0].endswith("turned_b.cu.toml stays as it was")
    assert beside.read_text(encoding="utf-8") == "# mine\n"


@pytest.mark.parametrize("may_run", [True, False])
def test_that_a_file_that_must_be_run_is_looked_at_again_only_with_leave(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, may_run: bool
) -> None:
    allowed: list[bool] = []

    def look(
        path: Path, progress: Progress, may_run_python: bool, device: Device | None, must_run_there: bool
    ) -> Findings:
        del path, progress, device, must_run_there
        allowed.append(may_run_python)
        if may_run_python:
            return Findings((), (), "nothing is in it")
        return Findings((), (), "it must be run", must_run_python=True)

    monkeypatch.setattr(described, "look_confined", look)
    shown = Shown(qtbot, "turned_b.cu", tmp_path, may_run=may_run)
    qtbot.waitUntil(lambda: bool(shown.failed))
    assert shown.asked == [shown.path]
    assert allowed == ([False, True] if may_run else [False])
    without = "was not described: what its kernel computes cannot be found out without running Python code"
    assert shown.failed == ["nothing is in it" if may_run else f"{shown.path.name} {without}"]
    assert not shown.dialog.isVisible()


@pytest.mark.parametrize("device", [GPU, emulated(), None])
def test_that_kernels_are_checked_on_the_chosen_device_where_that_is_another_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, device: Device | None
) -> None:
    asked: list[tuple[Device | None, bool]] = []

    def look(
        path: Path, progress: Progress, may_run_python: bool, device: Device | None, must_run_there: bool
    ) -> Findings:
        del path, progress, may_run_python
        asked.append((device, must_run_there))
        return Findings((), ())

    monkeypatch.setattr(described, "look_confined", look)
    assert described.Looking(tmp_path / "k.cu", device).found() == Findings((), ())
    assert asked == [(device if device is GPU else None, False)]
