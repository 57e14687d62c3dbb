from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QPushButton, QSpinBox, QToolButton, QWidget

from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill, Mode
from gemmviz.gui.experiment.more import MoreSection
from gemmviz.gui.looks.theme import DARK, LIGHT
from gemmviz.gui.work.experiment import Experiment

EXPERIMENT = Experiment("tiled", Shape(3, 4, 5), seed=7, budget_s=2.5, launch_limit_s=30.0)


class Heard(MoreSection):
    """Keeps what it told."""

    told: list[Any]


@pytest.fixture
def more(qtbot) -> Heard:
    made = Heard(EXPERIMENT, LIGHT)
    qtbot.addWidget(made)
    made.told = []
    made.edited.connect(made.told.append)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_that_the_section_opens_and_closes_by_keyboard(more: Heard, qtbot) -> None:
    button, fill = more.findChild(QToolButton, "moreButton"), more.findChild(QComboBox, "fillCombo")
    assert not fill.isVisible()
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert fill.isVisible()
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert not fill.isVisible()
    assert button.accessibleDescription() == "uniform · seed 7 · cold · 2.5 s"


def test_that_showing_an_experiment_tells_nothing(more: Heard) -> None:
    other = replace(EXPERIMENT, fill=Fill.ONES, seed=1, mode=Mode.HOT, budget_s=1.0, launch_limit_s=2.0)
    more.show_experiment(other)
    assert more.told == []
    assert more.findChild(QComboBox, "fillCombo").currentText() == "Ones"
    assert more.findChild(QDoubleSpinBox, "budgetSpin").value() == 1.0
    assert [b.text() for b in more.findChild(QWidget, "modeSelector").findChildren(QPushButton) if b.isChecked()] == [
        "Hot"
    ]


@pytest.mark.parametrize(
    ("edit", "changed"),
    [
        (lambda m: m.findChild(QComboBox, "fillCombo").setCurrentIndex(3), {"fill": Fill.ONES}),
        (lambda m: m.findChild(QSpinBox, "seedSpin").setValue(12), {"seed": 12}),
        (lambda m: m.findChild(QWidget, "modeSelector").findChildren(QPushButton)[1].click(), {"mode": Mode.HOT}),
        (lambda m: m.findChild(QDoubleSpinBox, "budgetSpin").setValue(0.5), {"budget_s": 0.5}),
        (lambda m: m.findChild(QDoubleSpinBox, "launchLimitSpin").setValue(90), {"launch_limit_s": 90.0}),
    ],
    ids=["fill", "seed", "mode", "budget", "limit"],
)
def test_that_an_edit_changes_one_setting_and_is_told_once(more: Heard, edit, changed) -> None:
    edit(more)
    assert more.told == [replace(EXPERIMENT, **changed)]


def test_that_a_fill_without_chance_has_no_seed_and_says_so(more: Heard) -> None:
    seed = more.findChild(QSpinBox, "seedSpin")
    assert seed.isEnabled()
    more.show_experiment(replace(EXPERIMENT, fill=Fill.COUNTING))
    assert not seed.isEnabled()
    assert "is not random" in seed.toolTip()
    assert more.findChild(QToolButton, "moreButton").accessibleDescription() == "counting · cold · 2.5 s"


def test_that_values_finer_than_the_fields_survive_another_edit(more: Heard) -> None:
    fine = replace(EXPERIMENT, seed=2**40, budget_s=0.125, launch_limit_s=33.33)
    more.show_experiment(fine)
    more.findChild(QComboBox, "fillCombo").setCurrentIndex(1)
    assert more.told == [replace(fine, fill=Fill.NORMAL)]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_that_the_closed_section_shows_what_is_set(more: Heard, theme) -> None:
    more.set_theme(theme)
    more.resize(258, 28)
    button = more.findChild(QToolButton, "moreButton")
    closed = button.grab().toImage()
    button.setChecked(True)
    assert button.grab().toImage() != closed
