"""A line or two that say which frame shows and what it does, cut short with dots where they do not fit."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QTextCharFormat,
    QTextLayout,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from gemmviz.catalogue.term_words import with_terms
from gemmviz.domain.unbroken_text import with_unbroken_spaces
from gemmviz.gui.looks.fonts import words
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text

POINTS = 10.5
GAP = 8


def split_caption(caption: str) -> tuple[str, str]:
    """A frame's caption as head and sentence: "step 3 of 66: load …" gives "Step 3 of 66" and "load …"."""
    head, _, sentence = caption.partition(": ")
    return head[:1].upper() + head[1:], sentence


class CaptionLabel(PlainLabel):
    """Head in bold, sentence in grey behind it; with `lines` it goes on in a second line.

    `text` is both, "Barrier interval 3 of 66: load …"; the tooltip has all of a cut line. Fewer lines than there is
    room for stand in the middle, or `is_at_top`.
    """

    def __init__(self, parent: QWidget | None = None, *, lines: int = 1, is_at_top: bool = False) -> None:
        super().__init__(parent=parent)
        self._is_at_top = is_at_top
        self._lines = lines
        self._theme = LIGHT
        self._head = self._sentence = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_caption(self, head: str, sentence: str = "") -> None:
        """Show a frame's head and sentence, or a sentence of another kind as the head alone."""
        self._head, self._sentence = head, sentence
        said = f"{head}: {sentence}" if sentence else head
        self.setText(said)
        self.setAccessibleName(said)
        self._tell_all()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    @property
    def lines(self) -> int:
        """In how many lines it goes on at most."""
        return self._lines

    def set_lines(self, lines: int) -> None:
        """Go on in so many lines at most."""
        if lines != self._lines:
            self._lines = lines
            self._tell_all()
            self.updateGeometry()
            self.update()

    @property
    def line_height(self) -> int:
        """Pixels of a line."""
        return round(QFontMetricsF(_bold()).height())

    def lines_at(self, width: int) -> int:
        """How many lines head and sentence take in so many pixels."""
        return self._flowing(self._flowing_text(), width).lineCount()

    @property
    def is_cut(self) -> bool:
        """Whether a line does not fit."""
        if self._lines > 1:
            return self._flowing(self._flowing_text()).lineCount() > self._lines
        left, right = self._places()
        return max(left, right) > self.width()

    def sizeHint(self) -> QSize:
        return QSize(400, self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(80, round(QFontMetricsF(_bold()).height() * self._lines))

    def resizeEvent(self, _event: object) -> None:
        self._tell_all()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._lines > 1:
            self._paint_flowing(painter)
            return
        baseline = round((self.height() + QFontMetricsF(_bold()).capHeight()) / 2)
        left, _ = self._places()
        painter.setFont(self._head_font())
        painter.setPen(QColor(self._theme.text if self._sentence else self._theme.muted))
        painter.drawText(0, baseline, _cut(self._head_font(), self._head, self.width()))
        if self._sentence and left < self.width():
            painter.setFont(words(POINTS))
            painter.setPen(QColor(self._theme.muted))
            painter.drawText(round(left), baseline, _cut(words(POINTS), self._sentence, self.width() - left))

    def _places(self) -> tuple[float, float]:
        """Where the sentence begins, or the head ends without one, and where the sentence would end."""
        left = QFontMetricsF(self._head_font()).horizontalAdvance(self._head)
        if not self._sentence:
            return left, left
        sentence = QFontMetricsF(words(POINTS)).horizontalAdvance(self._sentence)
        return left + GAP, left + GAP + sentence

    def _flowing_text(self) -> str:
        return with_unbroken_spaces(f"{self._head}  {self._sentence}" if self._sentence else self._head)

    def _flowing(self, text: str, width: int | None = None) -> QTextLayout:
        """Head and sentence as lines of a width, the label's for None."""
        layout = QTextLayout(text, words(POINTS))
        head, rest = QTextLayout.FormatRange(), QTextLayout.FormatRange()
        head.start, head.length = 0, len(self._head)
        rest.start, rest.length = len(self._head), max(len(text) - len(self._head), 0)
        for part, font, colour in (
            (head, self._head_font(), self._theme.text if self._sentence else self._theme.muted),
            (rest, words(POINTS), self._theme.muted),
        ):
            look = QTextCharFormat()
            look.setFont(font)
            look.setForeground(QColor(colour))
            part.format = look
        layout.setFormats([head, rest])
        layout.beginLayout()
        top = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(self.width() if width is None else width, 1))
            line.setPosition(QPointF(0.0, top))
            top += QFontMetricsF(_bold()).height()
        layout.endLayout()
        return layout

    def _paint_flowing(self, painter: QPainter) -> None:
        """As many lines as there is room for; the last is cut where there are more."""
        text = self._flowing_text()
        layout = self._flowing(text)
        if layout.lineCount() > self._lines:
            begin = layout.lineAt(self._lines - 1).textStart()
            # A head is wider than the same letters of a sentence; it seldom reaches as far as the last line.
            layout = self._flowing(text[:begin] + _cut(words(POINTS), text[begin:], self.width() - 1))
        height = min(layout.lineCount(), self._lines) * QFontMetricsF(_bold()).height()
        top = 0.0 if self._is_at_top else max((self.height() - height) / 2, 0.0)
        layout.draw(painter, QPointF(0.0, top))

    def _head_font(self) -> QFont:
        return _bold() if self._sentence else words(POINTS)

    def _tell_all(self) -> None:
        self.setToolTip(plain_text(with_terms(self.text() if self.is_cut else "", self.text())))


def _bold() -> QFont:
    return words(POINTS, QFont.Weight.DemiBold)


def _cut(font: QFont, text: str, width: float) -> str:
    return QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, width)
