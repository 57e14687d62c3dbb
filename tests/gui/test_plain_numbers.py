"""A field reads a number as gemmviz writes it, whatever the language of the desktop."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QSpinBox
from pytestqt.qtbot import QtBot

from gemmviz.gui.app import plain_numbers
from gemmviz.gui.widgets.plain_fields import Seconds, Whole


@pytest.fixture(autouse=True)
def _language() -> object:
    before = QLocale()
    QLocale.setDefault(plain_numbers())
    yield
    QLocale.setDefault(before)


@pytest.mark.parametrize("text", ["\u0661\u0662", "\uff15", "1,000", "1,5", "1_0", "0x10"])
def test_that_other_digits_and_marks_between_digits_are_no_number(qtbot: QtBot, text: str) -> None:
    for field in (Whole("m", "M", "", 1, 10**6), Seconds("s", "S", "", 0.1, 10**4)):
        qtbot.addWidget(field)
        state = field.validate(text, len(text))[0]
        assert state is not QValidator.State.Acceptable, field


def test_that_every_field_has_ascii_digits(qtbot: QtBot) -> None:
    field = QSpinBox(maximum=10**6)
    qtbot.addWidget(field)
    assert field.validate("\u0661\u0662", 2)[0] is QValidator.State.Invalid


def test_that_a_point_is_a_decimal_point(qtbot: QtBot) -> None:
    field = Seconds("s", "S", "", 0.1, 1000.0)
    qtbot.addWidget(field)
    field.setValue(1.5)
    assert field.text() == "1.5 s"
    assert field.valueFromText("1.5") == 1.5
    assert field.valueFromText("1.5 s") == 1.5
