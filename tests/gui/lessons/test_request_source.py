"""A request in a lesson says which recording it is of."""

from __future__ import annotations

import pytest
from lesson_scenes import data_of
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.lesson_scenes import Banks
from gemmviz.gui.lessons.scenes.request_scene import BanksScene
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory_view.text.place import EMULATED
from gemmviz.gui.widgets.elided_label import ElidedLabel

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def test_that_a_request_says_which_recording_it_is_of(qtbot: QtBot) -> None:
    _, data = data_of("bank-conflicts")
    scene = BanksScene(LIGHT)
    qtbot.addWidget(scene)
    scene.resize(980, 600)
    scene.show()
    scene.show_banks(Banks("transposed", "As", "As", "store", plays=False), data)
    run = data.traces["transposed"]
    label = scene.findChild(ElidedLabel, f"{scene.stage.objectName()}LessonSource")
    assert label is not None
    assert label.isVisible()
    for part in (run.spec.kernel, run.spec.shape.words, EMULATED, run.finished[:10]):
        assert part in label.whole
    assert "sm_" not in label.whole, "a reader of a lesson knows no PTX"
    scene.stop()
