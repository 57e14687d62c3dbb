"""The parameters of the chosen kernel, made from its header."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from gemmviz.catalogue.kernel import Kernel, Parameter
from gemmviz.domain.spec import Params
from gemmviz.gui.experiment.controls.parameter_field import ParameterField
from gemmviz.gui.kernels.availability import Availability
from gemmviz.gui.looks.fonts import SMALL, figures, words
from gemmviz.gui.widgets.elided_label import ElidedLabel
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.segments import HEIGHT
from gemmviz.gui.widgets.wrapped_text import heading_font

_MOST_STACKED = 2
_STACKED_WIDTH, _BESIDE_WIDTH, _BESIDE_HEIGHT = 258, 140, 22


class ParameterPanel(QWidget):
    """One or two parameters stand below their names, more of them beside, to save height.

    `param_changed` has the name of a parameter and its new value.
    """

    param_changed = Signal(str, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("parameterPanel")
        self._kernel = ""
        self._parameters: tuple[Parameter, ...] = ()
        self._fields: dict[str, ParameterField] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(6)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(2, 1)

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """What takes the keyboard, in order."""
        return tuple(control for field in self._fields.values() for control in field.controls)

    def field(self, name: str) -> ParameterField:
        return self._fields[name]

    def show_kernel(self, kernel: Kernel, params: Params, refusals: Mapping[tuple[str, int], Availability]) -> bool:
        """Show a kernel's parameters with these values; True if the controls were made anew."""
        is_new = (kernel.id, kernel.parameters) != (self._kernel, self._parameters)
        if is_new:
            self._kernel, self._parameters = kernel.id, kernel.parameters
            self._rebuild()
        for name, value in params:
            field = self._fields[name]
            field.show_value(value)
            field.show_refusals({choice: why for (of, choice), why in refusals.items() if of == name})
        return is_new

    def _rebuild(self) -> None:
        self._fields = {}
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.setParent(None)  # so that nobody finds it by name any more
                widget.deleteLater()
        for row, parameter in enumerate(self._parameters):
            if len(self._parameters) <= _MOST_STACKED:
                self._add_stacked(2 * row, parameter)
            else:
                self._add_beside(row, parameter)
        for field in self._fields.values():
            field.show()  # now, not when the layout comes to it: Tab passes what is hidden
        if not self._parameters:
            nothing = PlainLabel("This kernel has no parameters.")
            nothing.setFont(words(SMALL))
            nothing.setProperty("role", "muted")
            self._grid.addWidget(nothing, 0, 0, 1, 3)

    def _add_stacked(self, row: int, parameter: Parameter) -> None:
        title, name = (ElidedLabel(mode=Qt.TextElideMode.ElideRight) for _ in range(2))
        title.setFont(heading_font() if parameter.title else figures(SMALL))
        name.setFont(figures(SMALL))
        for label in (title, name):
            label.setProperty("role", "muted")
        self._grid.addWidget(title, row, 0, 1, 2)
        self._grid.addWidget(name, row, 2, Qt.AlignmentFlag.AlignRight)
        field = self._field(parameter, _STACKED_WIDTH, HEIGHT)
        title.setBuddy(field)
        title.show_text(parameter.title or parameter.name)
        name.show_text(parameter.name if parameter.title else "")
        self._grid.addWidget(field, row + 1, 0, 1, 3)

    def _add_beside(self, row: int, parameter: Parameter) -> None:
        name, title = PlainLabel(parameter.name), ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        name.setFont(figures(SMALL))
        title.setFont(words(SMALL))
        title.setProperty("role", "muted")
        field = self._field(parameter, _BESIDE_WIDTH, _BESIDE_HEIGHT)
        title.setBuddy(field)
        title.show_text(parameter.title)
        for column, widget in enumerate((name, title, field)):
            self._grid.addWidget(widget, row, column)

    def _field(self, parameter: Parameter, width: int, height: int) -> ParameterField:
        field = ParameterField(parameter, width, height)
        field.value_changed.connect(lambda value: self.param_changed.emit(parameter.name, value))
        self._fields[parameter.name] = field
        return field
