from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSpinBox

from gemmviz.domain.shape import Shape
from gemmviz.gui.experiment.controls.size_field import SizeField

LIMITS = "a whole number from 1 to 16\N{NARROW NO-BREAK SPACE}777\N{NARROW NO-BREAK SPACE}216"


class Heard(SizeField):
    """Keeps what it told."""

    told: list[Any]


@pytest.fixture
def field(qtbot) -> Heard:
    made = Heard()
    qtbot.addWidget(made)
    made.show_shape(Shape(3, 5, 7))
    made.told = []
    made.size_changed.connect(lambda *size: made.told.append(size))
    made.show()
    qtbot.waitExposed(made)
    return made


def test_that_the_spins_hold_m_n_and_k_within_their_limits(field: Heard) -> None:
    spins = [field.findChild(QSpinBox, name) for name in ("sizeM", "sizeN", "sizeK")]
    assert [spin.value() for spin in spins] == [3, 5, 7]
    assert {(spin.minimum(), spin.maximum()) for spin in spins} == {(1, 16_777_216)}
    assert [label.buddy() for label in field.findChildren(QLabel) if label.buddy()] == spins
    assert field.minimumSizeHint().width() <= 258


def test_that_typing_tells_once_when_it_is_done(field: Heard, qtbot) -> None:
    spin = field.findChild(QSpinBox, "sizeN")
    spin.setFocus()
    spin.selectAll()
    qtbot.keyClicks(spin, "1031")
    assert field.told == []
    qtbot.keyClick(spin, Qt.Key.Key_Return)
    assert field.told == [(3, 1031, 7)]


def test_that_the_arrow_keys_step(field: Heard, qtbot) -> None:
    qtbot.keyClick(field.findChild(QSpinBox, "sizeK"), Qt.Key.Key_Up)
    assert field.told == [(3, 5, 8)]


def test_that_showing_a_size_tells_nothing(field: Heard) -> None:
    field.show_shape(Shape(16, 16, 16))
    assert field.told == []


@pytest.mark.parametrize("typed", ["-3", "1e3", "99999999999", "0", "abc", "16777217"])
def test_that_what_is_no_size_is_refused_in_words_and_never_becomes_another(field: Heard, qtbot, typed: str) -> None:
    spin, said = field.findChild(QSpinBox, "sizeM"), field.findChild(QLabel, "sizeRefusal")
    spin.setFocus()
    spin.selectAll()
    qtbot.keyClicks(spin, typed)
    assert spin.lineEdit().text() == typed, "no key is lost"
    too_large = {"99999999999": "99\u202f999\u202f999\u202f999", "16777217": "16\u202f777\u202f217"}
    fault = f"“{typed}” is not a size. Enter {LIMITS}"
    if typed in too_large:
        fault = f"{too_large[typed]} is too large: at most 16\u202f777\u202f216"
    assert said.text() == fault
    qtbot.keyClick(spin, Qt.Key.Key_Return)
    assert not said.isHidden()
    assert said.text() == f"{fault}. 3 is kept."
    assert (spin.value(), spin.lineEdit().text()) == (3, "3")
    assert {size[0] for size in field.told} <= {3}
    spin.selectAll()
    qtbot.keyClicks(spin, "12")
    assert said.isHidden()
    qtbot.keyClick(spin, Qt.Key.Key_Return)
    assert field.told == [(12, 5, 7)]


def test_that_a_kept_size_is_said_for_a_while(qtbot) -> None:
    made = Heard(kept_ms=20)
    qtbot.addWidget(made)
    made.show()
    spin, said = made.findChild(QSpinBox, "sizeM"), made.findChild(QLabel, "sizeRefusal")
    spin.setFocus()
    spin.selectAll()
    qtbot.keyClicks(spin, "64tiled")
    qtbot.keyClick(spin, Qt.Key.Key_Return)
    assert "is kept" in said.text()
    qtbot.waitUntil(said.isHidden)
    qtbot.keyClicks(spin, "x")
    made.show_shape(
        Shape(
            made.findChild(QSpinBox, "sizeM").value(),
            *(made.findChild(QSpinBox, name).value() for name in ("sizeN", "sizeK")),
        )
    )
    assert not said.isHidden(), "what is still being typed is no size"
