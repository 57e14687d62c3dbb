import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from gemmviz.gui.kernels.model import ROW_ROLE, KernelModel
from gemmviz.gui.kernels.rows import KernelRow

ROWS = (
    KernelRow("On the CPU"),
    KernelRow("Loops", "loops", 1, "teaches", "File loops.cu."),
    KernelRow("On the device"),
    KernelRow("Tiles", "tiles", 2, is_compared=True),
)
CHECK, CHECKED = Qt.ItemDataRole.CheckStateRole, Qt.CheckState.Checked


class ModelUnderTest(KernelModel):
    """Keeps its tester."""

    tester: QAbstractItemModelTester


@pytest.fixture
def model() -> ModelUnderTest:
    made = ModelUnderTest()
    made.tester = QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Fatal)
    made.set_rows(ROWS)
    return made


def test_that_the_model_keeps_qts_rules_through_every_change(model: ModelUnderTest) -> None:
    assert model.set_rows(ROWS[:2])
    assert model.set_rows(())
    assert model.set_rows(ROWS)
    assert not model.set_rows((*ROWS[:3], KernelRow("Tiles", "tiles", 2)))
    assert model.rowCount() == 4
    assert model.rowCount(model.index(0)) == 0


def test_that_headings_can_be_neither_chosen_nor_ticked(model: ModelUnderTest) -> None:
    heading, kernel = model.index(0), model.index(1)
    assert model.flags(heading) == Qt.ItemFlag.NoItemFlags
    assert model.flags(kernel) & Qt.ItemFlag.ItemIsUserCheckable
    assert heading.data(CHECK) is None
    assert not model.setData(heading, CHECKED, CHECK)
    assert not model.setData(kernel, "words", Qt.ItemDataRole.EditRole)


def test_that_a_tick_is_kept_and_told_once(model: ModelUnderTest) -> None:
    told = []
    model.ticked.connect(lambda *what: told.append(what))
    assert model.setData(model.index(1), CHECKED, CHECK)
    assert model.setData(model.index(1), CHECKED, CHECK)
    assert told == [("loops", True)]
    assert model.index(1).data(CHECK) == CHECKED
    assert model.setData(model.index(3), Qt.CheckState.Unchecked, CHECK)
    assert told[1:] == [("tiles", False)]


def test_that_rows_are_found_and_read(model: ModelUnderTest) -> None:
    index = model.row_of("loops")
    assert index.row() == 1
    assert index.data() == "loops · Loops"
    assert index.data(ROW_ROLE) == ROWS[1]
    assert index.data(Qt.ItemDataRole.ToolTipRole) == "loops · Loops\nteaches\nFile loops.cu."
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "1 loops · Loops"
    assert not model.row_of("").isValid()
    assert not model.row_of("gone").isValid()
    assert model.data(QModelIndex()) is None
