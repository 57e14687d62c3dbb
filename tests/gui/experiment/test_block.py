import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QSpinBox

from gemmviz.gui.experiment.block import BlockDialog, ask_block, block_words


def test_that_blocks_are_named_with_the_directions_of_the_grid() -> None:
    assert block_words((3, 0, 0), (65, 1, 1)) == "(3)"
    assert block_words((3, 1, 0), (65, 65, 1)) == "(3, 1)"
    assert block_words((1, 2, 3), (2, 3, 4)) == "(1, 2, 3)"


def test_that_only_blocks_of_the_grid_can_be_asked_for(qtbot) -> None:
    dialog = BlockDialog((65, 3, 1))
    qtbot.addWidget(dialog)
    x, y, z = (dialog.findChild(QSpinBox, name) for name in ("blockX", "blockY", "blockZ"))
    x.setValue(1000)
    y.setValue(1)
    assert z is None or z.isHidden()
    assert dialog.block() == (64, 1, 0)


@pytest.mark.parametrize(("answer", "block"), [("accept", (0, 0, 0)), ("reject", None)])
def test_that_a_block_comes_back_only_if_it_was_meant(answer, block) -> None:
    def respond() -> None:
        getattr(QApplication.activeModalWidget(), answer)()

    QTimer.singleShot(0, respond)
    assert ask_block(None, (65, 3, 1)) == block
