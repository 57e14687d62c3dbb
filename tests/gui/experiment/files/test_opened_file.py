"""A kernel file that was opened and is no kernel yet is chosen alone in the panel."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from heard_panel import HeardPanel
from PySide6.QtWidgets import QPushButton, QWidget

from gemmviz.catalogue.loader import Catalogue, load_catalogue
from gemmviz.gui.experiment.opened_file import CANNOT_RUN, NOT_DESCRIBED, OpenedFile
from gemmviz.gui.experiment.opened_files import OpenedFiles
from gemmviz.gui.experiment.parameter_panel import ParameterPanel
from gemmviz.gui.kernels.kernel_list import KernelList
from gemmviz.gui.kernels.model import ROW_ROLE
from gemmviz.gui.kernels.rows import KernelRow
from gemmviz.gui.kernels.user_catalogue import UserCatalogue
from gemmviz.gui.work.words import BUSY

FILE = OpenedFile(Path("/tmp/mine.cu"), "mine.cu: it has no description", is_adoptable=True)
SAID = "mine.cu cannot run yet: nothing says how it is called. gemmviz can find that out."


def find(panel: HeardPanel, name: str) -> QPushButton:
    found = panel.findChild(QPushButton, name)
    assert found is not None, name
    return found


def rows_of(panel: HeardPanel) -> tuple[list[KernelRow], KernelRow]:
    """The rows of the list, and the chosen one."""
    shown = panel.findChild(KernelList)
    model = shown.model()
    rows = [model.index(place, 0).data(ROW_ROLE) for place in range(model.rowCount())]
    return rows, shown.currentIndex().data(ROW_ROLE)


def test_that_a_file_is_chosen_alone_and_the_buttons_start_nothing_of_another_kernel(panel: HeardPanel) -> None:
    assert any(row.is_compared for row in rows_of(panel)[0])
    panel.show_file(FILE)
    rows, chosen = rows_of(panel)
    assert (chosen.id, chosen.mark, chosen.is_own) == ("mine.cu", NOT_DESCRIBED, True)
    assert not any(row.is_compared for row in rows)
    assert rows[-2].title == "Your own"
    assert panel.refusal() == panel.no_recording() == SAID
    assert panel.plan.runs == ()
    assert [find(panel, name).accessibleName() for name in ("runButton", "recordButton")] == ["Run", "Record"]
    for name in ("runButton", "recordButton", "recordMenuButton", "sweepButton"):
        button = panel.findChild(QWidget, name)
        assert not button.isEnabled(), name
        assert button.accessibleDescription() == SAID, name
    assert panel.findChild(QWidget, "runMenuButton").isEnabled(), "a ladder runs the kernels of the list"
    assert not panel.findChild(ParameterPanel).isVisible()
    assert panel.told == []


def test_that_the_panel_asks_to_describe_the_file_and_only_where_that_is_what_it_lacks(panel: HeardPanel) -> None:
    asked: list[Path] = []
    panel.describe_asked.connect(asked.append)
    panel.show_file(FILE)
    assert find(panel, "describeOpened").isVisible()
    find(panel, "describeOpened").click()
    assert asked == [FILE.path]
    panel.show_file(replace(FILE, why="/tmp/mine.cu:3: unknown key 'entri'", is_adoptable=False))
    assert not find(panel, "describeOpened").isVisible()
    assert panel.refusal() == "mine.cu:3: unknown key 'entri'."
    assert rows_of(panel)[1].mark == CANNOT_RUN


def test_that_a_size_keeps_the_file_and_a_kernel_takes_its_place(panel: HeardPanel) -> None:
    before = panel.experiment()
    panel.show_file(FILE)
    panel.set_experiment(replace(before, is_quick=not before.is_quick))
    assert panel.file == FILE
    panel.findChild(KernelList).kernel_chosen.emit(before.kernel)
    assert panel.file is None
    assert rows_of(panel)[1].id == before.kernel
    assert any(row.is_compared for row in rows_of(panel)[0]), "what was ticked is ticked again"
    assert panel.findChild(ParameterPanel).isVisible()
    assert panel.refusal() == ""


def test_that_a_tick_beside_a_file_brings_the_kernels_back_and_its_own_box_does_nothing(panel: HeardPanel) -> None:
    panel.show_file(FILE)
    panel.findChild(KernelList).kernel_ticked.emit("mine.cu", True)
    assert (panel.file, panel.told) == (FILE, [])
    assert not rows_of(panel)[1].is_compared
    panel.findChild(KernelList).kernel_ticked.emit("vectorized", True)
    assert panel.file is None
    assert "vectorized" in panel.experiment().compared


def test_that_nothing_but_the_end_is_offered_while_something_runs(panel: HeardPanel) -> None:
    panel.show_file(FILE)
    panel.set_busy(True)
    assert find(panel, "runButton").accessibleDescription() == BUSY
    assert find(panel, "cancelButton").isEnabled()


@pytest.fixture
def kernels(panel: HeardPanel) -> UserCatalogue:
    made = UserCatalogue(load_catalogue(), panel)
    made.changed.connect(panel.set_catalogue)
    return made


def test_that_the_file_opened_last_is_chosen_until_it_is_a_kernel(
    panel: HeardPanel, kernels: UserCatalogue, mine: Catalogue
) -> None:
    files, became = OpenedFiles(panel, kernels), list[str]()
    files.became_kernel.connect(became.append)
    path = mine.get("mine").path
    kernels.failed.emit(str(path), "of a file that nobody opened", True)
    assert panel.file is None
    kernels.refused.emit(str(path), "it has no description", True)
    assert panel.file == OpenedFile(path, "it has no description", is_adoptable=True)
    kernels.failed.emit(str(path), f"{path}:1: a fault in what was saved", False)
    assert panel.refusal() == "mine.cu:1: a fault in what was saved."
    kernels.taken.emit("/tmp/another.cu", "another")
    assert (panel.file is not None, became) == (True, [])
    kernels.taken.emit(str(path), "mine")
    assert (panel.file, became) == (None, ["mine"])


def test_that_a_file_can_be_taken_off_the_list(panel: HeardPanel, kernels: UserCatalogue) -> None:
    OpenedFiles(panel, kernels)
    panel.show_file(FILE)
    panel.findChild(KernelList).removal_asked.emit("tiled")
    assert panel.file == FILE
    panel.findChild(KernelList).removal_asked.emit("mine.cu")
    assert panel.file is None


def test_that_a_high_window_keeps_what_is_said_of_the_file(make_panel: Callable[..., HeardPanel]) -> None:
    panel = make_panel()
    panel.show_file(FILE)
    panel.resize(290, 1000)
    assert not panel.findChild(QWidget, "kernelDetail").isVisible()
    assert panel.refusal() == SAID
