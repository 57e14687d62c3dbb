"""One parameter of a kernel: a row of buttons where its choices fit, else a combo."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gemmviz.catalogue.kernel import Parameter
from gemmviz.gui.kernels.availability import Availability
from gemmviz.gui.looks.fonts import figures
from gemmviz.gui.widgets.fields import ComboBox
from gemmviz.gui.widgets.plain_fields import FIELD_POINTS, ChoiceBox
from gemmviz.gui.widgets.plain_text import plain_text
from gemmviz.gui.widgets.segments import HEIGHT, NarrowRow, Segment


class ParameterField(QWidget):
    """`value_changed` is emitted for every change but those of `show_value`; there is room for `width` by `height`.

    The field is `param_<NAME>`. Its buttons are `param_<NAME>_<value>`; where it has a combo instead, that is
    `param_<NAME>_combo`, with the values as item data.
    """

    value_changed = Signal(int)

    def __init__(self, parameter: Parameter, width: int, height: int = HEIGHT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"param_{parameter.name}")
        spoken = f"{parameter.title} ({parameter.name})" if parameter.title else parameter.name
        self.setAccessibleName(spoken)
        self._parameter, self._value = parameter, parameter.default
        self._segments: NarrowRow | None = None
        self._combo: ComboBox | None = None
        texts = [str(choice) for choice in parameter.choices]
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        if NarrowRow.width_for(texts, field_font()) <= width:
            segments = [Segment(f"param_{parameter.name}_{text}", text, "", f"{spoken} {text}") for text in texts]
            self._segments = NarrowRow(segments, field_font(), height)
            self._segments.chosen.connect(self._on_chosen)
            row.addWidget(self._segments)
        else:
            self._combo = ChoiceBox(f"param_{parameter.name}_combo", spoken, spoken)
            self._combo.setFont(field_font())
            for text, choice in zip(texts, parameter.choices, strict=True):
                self._combo.addItem(text, choice)
            self._combo.currentIndexChanged.connect(self._on_chosen)
            row.addWidget(self._combo)
        self.show_value(parameter.default)
        self.show_refusals({})

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """What takes the keyboard, in order."""
        if self._segments is not None:
            return self._segments.buttons
        return (self._combo,) if self._combo is not None else ()

    def value(self) -> int:
        return self._value

    def set_value(self, value: int) -> None:
        """Choose a value as a person does; one that is not offered is no choice."""
        if value in self._parameter.choices and value != self._value:
            self.show_value(value)
            self.value_changed.emit(value)

    def setValue(self, value: int) -> None:
        """`set_value` under the name that number fields have in Qt."""
        self.set_value(value)

    def show_value(self, value: int) -> None:
        """Show a value; nothing is emitted."""
        index = self._parameter.choices.index(value)
        self._value = value
        if self._segments is not None:
            self._segments.show_current(index)
        if self._combo is not None:
            self._combo.setCurrentIndex(index)

    def show_refusals(self, refusals: Mapping[int, Availability]) -> None:
        """How single values stand that cannot run, by value; the others can."""
        parameter, can = self._parameter, Availability()
        title = f"{parameter.title}: " if parameter.title else ""
        tooltips = [
            refusals.get(value, can).reason or f"{title}{parameter.name} = {value}" for value in parameter.choices
        ]
        refused = [value in refusals for value in parameter.choices]
        if self._segments is not None:
            self._segments.set_refused(tooltips, refused)
        if self._combo is not None:
            for index, (value, tooltip) in enumerate(zip(parameter.choices, tooltips, strict=True)):
                why = refusals.get(value, can).word
                self._combo.setItemText(index, f"{value}  ({why})" if why else str(value))
                self._combo.setItemData(index, plain_text(tooltip), Qt.ItemDataRole.ToolTipRole)
            self._combo.setToolTip(plain_text(tooltips[parameter.choices.index(self._value)]))

    @Slot(int)
    def _on_chosen(self, index: int) -> None:
        value = self._parameter.choices[index]
        if value != self._value:
            self._value = value
            self.value_changed.emit(value)


def field_font() -> QFont:
    return figures(FIELD_POINTS - 0.5)
