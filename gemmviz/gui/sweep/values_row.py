"""The values that a sweep takes: a field for each parameter, in which a person types or ticks them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QSizePolicy, QVBoxLayout, QWidget

from gemmviz.catalogue.kernel import Kernel, Parameter
from gemmviz.catalogue.values.further_values import ValuesError, values_in
from gemmviz.catalogue.values.values_left_out import ValueLeftOut, left_out_lines
from gemmviz.domain.listing import listed
from gemmviz.gui.looks.fonts import SMALL, figures, words
from gemmviz.gui.looks.icons import icon
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.elided_label import ElidedLabel
from gemmviz.gui.widgets.flow_layout import FlowLayout
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import action_text, plain_text

_LETTERS = 10, 26
"""The fewest and the most letters that a field has room for."""
_BESIDE_TEXT = 52
"""Pixels of a field for its edges and its menu."""
_MOST_REASON = 60
"""Letters of a reason in a menu; the tooltip has all."""


class ValuesRow(QWidget):
    """Shows a field for each parameter that is swept, and below them which values the description leaves out.

    `changed` is emitted for every change of a text but those of `show_kernel`.
    """

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("settingsValues")
        self.setAccessibleName("Values to examine")
        self._theme = theme
        self._kernel: Kernel | None = None
        self._names: tuple[str, ...] = ()
        self._right: frozenset[tuple[str, int]] = frozenset()
        self._typed: dict[tuple[str, str], str] = {}
        self._fields: dict[str, QLineEdit] = {}
        self._left_out = named(ElidedLabel(mode=Qt.TextElideMode.ElideRight), "settingsLeftOut", role="muted")
        self._left_out.setFont(words(SMALL))
        self._row = QWidget()
        self._flow = FlowLayout(8, self._row)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self._row)
        column.addWidget(self._left_out)

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """What takes the keyboard, in order."""
        return tuple(self._fields.values())

    def values(self) -> dict[str, tuple[int, ...]]:
        """What is to be examined, by parameter, in ascending order.

        Raises:
            ValuesError: a field holds something else.
        """
        found = {}
        for name, field in self._fields.items():
            try:
                found[name] = tuple(sorted(values_in(field.text())))
            except ValuesError as error:
                raise ValuesError(f"Values of {name}: {error}") from error
        return found

    def show_kernel(self, kernel: Kernel, names: Sequence[str]) -> None:
        """Show the fields of these parameters; what was typed stays while the kernel offers the same values."""
        known = self._kernel
        is_same = known is not None and (known.id, known.parameters, known.values_left_out) == (
            *(kernel.id, kernel.parameters, kernel.values_left_out),
        )
        if is_same and tuple(names) == self._names:
            return
        if known is not None and known.id == kernel.id and not is_same:
            self._typed = {key: text for key, text in self._typed.items() if key[0] != kernel.id}
        self._kernel, self._names = kernel, tuple(names)
        self._rebuild(kernel)

    def show_right(self, values: Collection[tuple[str, int]]) -> None:
        """Call these values, which the sweep that is shown found right, left out no more."""
        if self._right != frozenset(values):
            self._right = frozenset(values)
            self._show_left_out()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        ticks = icon("chevron-down", theme, theme.muted)
        for field in self.findChildren(QLineEdit):  # those that are there now: Python may hold one that Qt has deleted
            for action in field.actions():
                action.setIcon(ticks)

    def _rebuild(self, kernel: Kernel) -> None:
        while (item := self._flow.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                for menu in widget.findChildren(QMenu):
                    menu.close()  # it would tick values of a kernel that is not shown any more
                widget.hide()
                widget.setParent(None)  # so that nobody finds it by name any more
                widget.deleteLater()
        self._fields = {}
        for parameter in kernel.parameters:
            if parameter.name in self._names:
                self._flow.addWidget(self._field(kernel, parameter))
        self._show_left_out()
        self.setVisible(bool(self._fields))

    def _left_out_of(self, names: Collection[str]) -> list[ValueLeftOut]:
        """The values of these parameters that the description leaves out and no sweep found right."""
        known = self._kernel.values_left_out if self._kernel is not None else ()
        return [one for one in known if one.name in names and (one.name, one.value) not in self._right]

    def _show_left_out(self) -> None:
        left_out = self._left_out_of(self._names)
        by_name = {one.name: [two.value for two in left_out if two.name == one.name] for one in left_out}
        found = [f"{name} = {listed([str(value) for value in sorted(values)])}" for name, values in by_name.items()]
        words = f"The description leaves out {' and '.join(found)}." if found else ""
        self._left_out.show_text(f"{words} The menu of each field gives the reasons." if words else "", words)
        self._left_out.setToolTip(plain_text("\n".join(left_out_lines(left_out))))
        self._left_out.setVisible(bool(found))

    def _field(self, kernel: Kernel, parameter: Parameter) -> QWidget:
        text = self._typed.get((kernel.id, parameter.name), _text_of(parameter.choices))
        tip = (
            f"Values of {parameter.name} to examine. Type others, such as 48: each is checked first, and one that is "
            "wrong is crossed out"
        )
        field = named(QLineEdit(text), f"settingsValues_{parameter.name}", tip, f"Values of {parameter.name}")
        field.setFont(figures(SMALL + 0.5))
        _fit(field)
        field.textChanged.connect(partial(self._on_typed, kernel.id, parameter.name))
        tick = field.addAction(
            icon("chevron-down", self._theme, self._theme.muted), QLineEdit.ActionPosition.TrailingPosition
        )
        tick.setToolTip(plain_text(f"Tick values of {parameter.name}"))
        tick.triggered.connect(lambda _checked=False: self._open_menu(field, parameter))
        name = PlainLabel(parameter.name)
        name.setFont(figures(SMALL))
        name.setBuddy(field)
        both = QWidget()
        row = QHBoxLayout(both)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(name)
        row.addWidget(field)
        both.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._fields[parameter.name] = field
        return both

    def menu_for(self, field: QLineEdit, parameter: Parameter) -> QMenu:
        """The values that a person can tick: those that are offered, and those that are left out, each with why."""
        menu = QMenu(field)
        menu.setObjectName(f"settingsValuesMenu_{parameter.name}")
        menu.setToolTipsVisible(True)
        reasons: Mapping[int, str] = {one.value: one.because for one in self._left_out_of((parameter.name,))}
        right = {value for name, value in self._right if name == parameter.name}
        try:
            chosen = set(values_in(field.text()))
        except ValuesError:
            chosen = set()
        for value in sorted({*parameter.choices, *reasons, *right, *chosen}):
            why = reasons.get(value, "" if value in {*parameter.choices, *right} else "not tried yet")
            shown = f"{why[:_MOST_REASON]} …" if len(why) > _MOST_REASON else why
            action = menu.addAction(action_text(f"{value}   {shown}".rstrip()))
            action.setCheckable(True)
            action.setChecked(value in chosen)
            action.setToolTip(plain_text(f"{parameter.name} = {value}{': ' * bool(why)}{why}"))
            action.toggled.connect(partial(self._on_ticked, field, value))
        return menu

    def _open_menu(self, field: QLineEdit, parameter: Parameter) -> None:
        menu = self.menu_for(field, parameter)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(field.mapToGlobal(QPoint(0, field.height())))

    def _on_ticked(self, field: QLineEdit, value: int, is_wanted: bool) -> None:
        try:
            now = {*values_in(field.text())}
        except ValuesError:
            now = set()
        field.setText(_text_of(sorted(now | {value} if is_wanted else now - {value})))

    @Slot(str)
    def _on_typed(self, kernel: str, name: str, text: str) -> None:
        self._typed[kernel, name] = text
        _fit(self._fields[name])
        self.changed.emit()


def _fit(field: QLineEdit) -> None:
    """Make a field as wide as its text, within limits."""
    metrics = QFontMetrics(field.font())
    least, most = (metrics.horizontalAdvance("0") * letters for letters in _LETTERS)
    field.setFixedWidth(max(least, min(most, metrics.horizontalAdvance(field.text()))) + _BESIDE_TEXT)


def _text_of(values: Sequence[int]) -> str:
    return ", ".join(map(str, values))
