"""The form of a presentation: titles, pictures and captions in type that is read from the back of a room.

One function paints the words, on the screen and in files, so that both look the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from gemmviz.catalogue.kernel_names import kernel_name
from gemmviz.domain.places import place_words
from gemmviz.domain.recordings.hazard import gravest_fault
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.unbroken_text import words_of
from gemmviz.domain.visible_text import make_visible
from gemmviz.gui.looks.fonts import words
from gemmviz.gui.looks.projector import LEAST_WORDS, USUAL_HEIGHT, picture_magnification, projector_theme
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.text.text_item import lines_that_fit
from gemmviz.gui.recording.block_names import Block, block_words, picture_title, totals_words

UNITS_HIGH, LEAST_UNITS_WIDE = 600.0, 900.0
"""A slide is so many units high; a narrow one is higher, so that it is at least so many wide."""
LEAST_LABEL_UNITS = 12.225
"""Units of the smallest words in pictures: of two beside each other, and of one whose elements show their values."""
_LARGE_WORD_UNITS, _WITH_VALUES = LEAST_WORDS * UNITS_HIGH / USUAL_HEIGHT, 16
"""Units of the smallest words of a picture that has the slide to itself, where matrices have more rows or columns than
so many: the elements of smaller ones need the room for their values and sums.
"""
MARGIN, TITLE, CAPTION, HAZARD, BETWEEN = 16.0, 48.0, 83.0, 54.0, 12.0
"""Units: at the sides of words; heights of titles above the pictures and of captions below, and so much more for what
is wrong in a frame; between two pictures."""
NARROW_CAPTION = 96.0
"""Units of the captions below two pictures, which need more lines. A gap is left above the bar of keys."""
TITLE_UNITS, SIZE_UNITS = (24, 21, 18, 15), 16
CAPTION_UNITS, NOTE_UNITS = (19, 17, 16, 15, 13), (13, 12, 11)
"""Sizes of type: of a title, a caption and a note the largest in which it fits; a note that fits in none has two lines
in the largest."""
LONG_CAPTION_UNITS, DETAILS_BELOW = 17, 1.2 * SIZE_UNITS
"""The size of a caption of many sentences; from a title down to its details in a second line."""
_LEADING, _APART, _ABOVE_CAPTION = 1.3, 14.0, 4.0
_CUT = Qt.TextElideMode.ElideRight


@dataclass(frozen=True, slots=True)
class SlideText:
    """The words of one picture: title, its size, what its title means, head and sentence of the caption, a note, and
    what is wrong in the frame; the form of its code where the picture beside it is of another one, and the fault of
    its kernel: "as written", "race".
    """

    title: str = ""
    size: str = ""
    about: str = ""
    head: str = ""
    sentence: str = ""
    note: str = ""
    hazard: str = ""
    form: str = ""
    fault: str = ""

    def __post_init__(self) -> None:
        make_visible(self, "title", "size", "about", "head", "sentence", "note", "hazard")


@dataclass(frozen=True, slots=True)
class SlidePane:
    """Where the title, the picture, what compares it (of no height where nothing does), what is wrong in its frame and
    its caption stand, in units.
    """

    title: Box
    picture: Box
    figures: Box
    hazard: Box
    caption: Box

    def picture_at(self, units: float) -> Box:
        """Where a picture stands of which a pixel is so many units large: its own margin is larger than that of the
        words then, so that it begins so far to the left that its legend stands below the title.
        """
        inset = MARGIN * (1.0 - units)
        return replace(self.picture, x=self.picture.x + inset, width=self.picture.width - 2 * inset)


@dataclass(frozen=True, slots=True)
class SlidePlan:
    """`scale` pixels are a unit; the slide is `width` x `height` units large and has one or two panes."""

    scale: float
    width: float
    height: float
    panes: tuple[SlidePane, ...]

    @property
    def ratios(self) -> Box:
        """Where it stands below the pictures in what they differ."""
        first, last = self.panes[0].figures, self.panes[-1].figures
        return replace(first, x=first.x + MARGIN, width=last.right - first.x - 2 * MARGIN)


def slide_text(
    run: TraceRun,
    block: Block,
    head: str,
    sentence: str,
    hazard: str = "",
    beside: TraceRun | None = None,
    *,
    title: str = "",
    is_modelled: bool = False,
) -> SlideText:
    """The words of a slide of a recorded block: kernel, or a `title` that tells it from what stands `beside` it; size
    and block, a caption, device and day, what is wrong, and what keeps the totals of both from being compared.
    `is_modelled`: what is shown was worked out for another layout of an array.
    """
    recorded = f"{run.recorded_words} on {place_words(run.device, run.finished)}"
    note = f"modelled from accesses {recorded}" if is_modelled else recorded
    of_what = totals_words(run, beside)
    _, shape, at = block_words(run, block)
    return SlideText(
        title or picture_title(run),
        f"M×N×K = {shape}  ·  {at}",
        kernel_name(run.spec.kernel).title,
        head,
        sentence,
        f"{of_what}  ·  {note}" if of_what else note,
        hazard,
        str(run.form) if beside is not None and beside.form is not run.form else "",
        gravest_fault(run.hazards),
    )


def picture_units(shapes: Sequence[Shape], *, is_printed: bool = False) -> float:
    """How many units large a pixel of each picture of such products is: its words are read from afar, or in print."""
    is_large = is_printed or (len(shapes) == 1 and max(shapes[0].m, shapes[0].n, shapes[0].k) > _WITH_VALUES)
    return picture_magnification(_LARGE_WORD_UNITS if is_large else LEAST_LABEL_UNITS)


def plan_slide(
    width: float,
    height: float,
    pictures: int = 1,
    figures: float = 0.0,
    *,
    hazards: bool = False,
    caption: float | None = None,
) -> SlidePlan:
    """Where all of it stands on a slide of `width` x `height` pixels with so many pictures beside each other, and below
    each so many units of `figures`.

    `hazards` keeps room for what is wrong in a frame, be anything wrong in it or not: so no picture jumps. Below one
    picture are so many units of `caption`, None for as many as usual.

    Raises:
        ValueError: there is no picture, or no pixel.
    """
    if pictures < 1 or min(width, height) < 1:
        raise ValueError(
            f"a slide of {pictures} pictures, {width:g} × {height:g} pixels: it needs at least one of each"
        )
    scale = min(height / UNITS_HIGH, width / LEAST_UNITS_WIDE)
    across, down = width / scale, height / scale
    each = (across - BETWEEN * (pictures - 1)) / pictures
    panes, warning = [], HAZARD if hazards else 0.0
    caption = (CAPTION if pictures == 1 else NARROW_CAPTION) if caption is None else caption
    below = down - caption - warning
    for number in range(pictures):
        x = number * (each + BETWEEN)
        panes.append(
            SlidePane(
                Box(x + MARGIN, 0.0, each - 2 * MARGIN, TITLE),
                Box(x, TITLE, each, below - TITLE - figures),
                Box(x, below - figures, each, figures),
                Box(x + MARGIN, below, each - 2 * MARGIN, warning),
                Box(x + MARGIN, down - caption, each - 2 * MARGIN, caption),
            )
        )
    return SlidePlan(scale, across, down, tuple(panes))


def plan_slide_for(width: float, height: float, text: SlideText) -> SlidePlan:
    """The slide of one picture with a caption of many sentences, which has all of it in type that is read."""
    plan = plan_slide(width, height)
    room, size = plan.panes[0].caption, LONG_CAPTION_UNITS
    _, lines = caption_lines(text, room.width, plan.height, size)
    wanted = len(lines) * size * _LEADING + note_height(NOTE_UNITS[0], [text.note]) + 1.0
    return plan_slide(width, height, caption=min(max(wanted, CAPTION), plan.height / 2))


def caption_units(plan: SlidePlan, frames: Iterable[tuple[SlideText, ...]]) -> int:
    """The largest type in which the captions of all frames fit: that of every one of them, so that none jumps."""
    return min((min(_Captions(plan, texts).sizes) for texts in frames if texts), default=CAPTION_UNITS[0])


class _Captions:
    """Where captions and notes of the texts of a slide have room, and the size in which each caption fits its own."""

    def __init__(self, plan: SlidePlan, texts: tuple[SlideText, ...]) -> None:
        self.common, self.texts = common_words(texts)
        shown = list(zip(plan.panes, self.texts, strict=False))
        width = min((pane.caption.width for pane, _ in shown), default=0.0)
        wide = plan.panes[-1].caption.right - plan.panes[0].caption.x
        self.wide = replace(plan.panes[0].caption, width=wide)
        self.note_size, self.notes = note_lines([text.note for _, text in shown], width)
        if self.common.note:
            self.note_size, (of_both,) = note_lines([self.common.note], wide)
            self.notes = [of_both for _ in shown]
        self.rooms = [
            replace(pane.caption, height=pane.caption.height - note_height(self.note_size, note))
            for (pane, _), note in zip(shown, self.notes, strict=True)
        ]
        self.sizes = [
            caption_lines(text, room.width, room.height)[0] for room, (_, text) in zip(self.rooms, shown, strict=True)
        ]


def paint_words(
    painter: QPainter,
    plan: SlidePlan,
    texts: tuple[SlideText, ...],
    theme: Theme,
    largest: int = CAPTION_UNITS[0],
) -> None:
    """Paint titles and captions, in units and in colours for the whole screen, around the places of the pictures. What
    two of them say alike stands once, below both. `largest` is the type of captions that fit in it.
    """
    at = _Captions(plan, texts)
    common, rooms, theme = at.common, at.rooms, projector_theme(theme)
    shown = list(zip(plan.panes, at.texts, strict=False))
    units = min((title_units(text, pane.title.width) for pane, text in shown), default=TITLE_UNITS[0])
    size = min(largest, *at.sizes) if at.sizes else largest
    if common.note:
        _paint_note(painter, at.wide, at.notes[0], at.note_size, theme)
    for (pane, text), room, note in zip(shown, rooms, at.notes, strict=True):
        paint_title(painter, pane.title, text, units, theme)
        _paint_hazard(painter, pane.hazard, text, theme)
        if not common.head:
            _paint_caption(painter, room, text, theme, size)
        if not common.note:
            _paint_note(painter, pane.caption, note, at.note_size, theme)
    if common.head:
        _paint_caption(painter, replace(rooms[0], width=at.wide.width), common, theme, size)
    painter.setPen(QColor(theme.line))
    for left in plan.panes[:-1]:
        x = left.picture.right + BETWEEN / 2
        painter.drawLine(QPointF(x, TITLE / 2), QPointF(x, _divider_end(plan, rooms[0], common)))


def _divider_end(plan: SlidePlan, room: Box, common: SlideText) -> float:
    """Where the line between two pictures ends: above what stands once below both, through which it would run."""
    if plan.panes[0].figures.height:
        return plan.panes[0].figures.y
    if common.head:
        return room.y - _ABOVE_CAPTION
    return room.bottom if common.note else plan.height - plan.panes[0].caption.height / 4


def common_words(texts: tuple[SlideText, ...]) -> tuple[SlideText, tuple[SlideText, ...]]:
    """What all of several texts say alike, size and note in its note, and the texts without that size and note; what
    one text says is its own.
    """
    first = texts[0] if texts else SlideText()
    if len(texts) < 2 or any(text.note != first.note for text in texts):
        return SlideText(), texts
    size = first.size if all(text.size == first.size for text in texts) else ""
    has_caption = all((text.head, text.sentence) == (first.head, first.sentence) for text in texts)
    caption = (first.head, first.sentence) if has_caption else ("", "")
    common = SlideText(head=caption[0], sentence=caption[1], note="  ·  ".join(filter(None, (size, first.note))))
    return common, tuple(replace(text, size="" if size else text.size, note="") for text in texts)


def caption_lines(
    text: SlideText, width: float, height: float, largest: int = CAPTION_UNITS[0]
) -> tuple[int, list[str]]:
    """The size of the type and the lines of a caption in a room of that size, its head and sentence in one run.

    The type is the largest of CAPTION_UNITS, up to `largest`, in which all of it fits; in the smallest the last line is
    cut.
    """
    said = " ".join(filter(None, (_head_of(text), text.sentence)))
    for size in (each for each in CAPTION_UNITS if each <= largest):
        most = max(int(height / (size * _LEADING)), 1)
        measure = QFontMetricsF(_type(size, strong=True)).horizontalAdvance  # a head is bold, and wider
        lines = lines_that_fit(words_of(said), measure, width)
        if len(lines) <= most:
            return size, lines
    lines = lines_that_fit(words_of(said), measure, width, most)
    lines[-1] = QFontMetricsF(_type(size)).elidedText(lines[-1], _CUT, width)
    return size, lines


def _head_of(text: SlideText) -> str:
    """The head of a caption: with a colon before its sentence, unless it is one itself."""
    return f"{text.head}:" if text.head and text.sentence and text.head[-1] not in ".!?:" else text.head


def note_lines(notes: Sequence[str], width: float) -> tuple[int, list[list[str]]]:
    """The size of the type of notes beside each other, and the lines of each: one line in the largest of NOTE_UNITS in
    which all of them fit, else up to two in the largest of all, of which the second may be cut.
    """
    for size in NOTE_UNITS:
        measure = QFontMetricsF(_type(size)).horizontalAdvance
        if all(measure(note) <= width for note in notes):
            return size, [[note] for note in notes]
    metrics, found = QFontMetricsF(_type(NOTE_UNITS[0])), []
    for note in notes:
        first, *others = lines_that_fit(words_of(note), metrics.horizontalAdvance, width)
        found.append([first, metrics.elidedText(" ".join(others), _CUT, width)] if others else [first])
    return NOTE_UNITS[0], found


def note_height(size: int, lines: Sequence[str]) -> float:
    """Units of the height of a note at the bottom of a slide."""
    return size * (_LEADING * len(lines) + 0.7)


def title_units(text: SlideText, width: float) -> int:
    """The largest size of TITLE_UNITS, above that of its details, in which a title fits beside them, else in a line
    above them; the smallest where none does.
    """
    left = width - QFontMetricsF(_type(SIZE_UNITS)).horizontalAdvance(text.size) - _APART
    needed = {units: QFontMetricsF(_type(units, strong=True)).horizontalAdvance(text.title) for units in TITLE_UNITS}
    beside = [units for units in TITLE_UNITS if units > SIZE_UNITS and needed[units] <= left]
    above = [units for units in TITLE_UNITS[1:] if needed[units] <= width]
    return next(iter((*beside, *above)), TITLE_UNITS[-1])


def title_details(text: SlideText, metrics: QFontMetricsF, width: float) -> str:
    """What stands behind a title: its size, and what the title means where all of that has room."""
    whole = "  ·  ".join(filter(None, (text.size, text.about)))
    said = whole if metrics.horizontalAdvance(whole) <= width else text.size
    return metrics.elidedText(said, _CUT, max(width, 0.0))


def paint_title(
    painter: QPainter, room: Box, text: SlideText, units: int, theme: Theme, apart: float = DETAILS_BELOW
) -> float:
    """Paint a title in letters of so many units, its details behind it or `apart` below; where its letters stand."""
    plain, bold = _type(SIZE_UNITS), _type(units, strong=True)
    measure = QFontMetricsF(bold)
    left = room.width - QFontMetricsF(plain).horizontalAdvance(text.size) - _APART
    has_two_lines = measure.horizontalAdvance(text.title) > left
    baseline = room.bottom - (6.0 if has_two_lines else 14.0)
    title = measure.elidedText(text.title, _CUT, room.width)
    x = room.x if has_two_lines else room.x + measure.horizontalAdvance(title) + _APART
    painter.setFont(bold)
    painter.setPen(QColor(theme.text))
    title_at = baseline - apart * has_two_lines
    painter.drawText(QPointF(room.x, title_at), title)
    painter.setFont(plain)
    painter.setPen(QColor(theme.muted))
    painter.drawText(QPointF(x, baseline), title_details(text, QFontMetricsF(plain), room.right - x))
    return title_at


def _paint_hazard(painter: QPainter, room: Box, text: SlideText, theme: Theme) -> None:
    if not text.hazard:
        return
    size, lines = caption_lines(SlideText(head=text.hazard), room.width, room.height)
    painter.setFont(_type(size, strong=True))
    painter.setPen(QColor(theme.hazard))
    for number, line in enumerate(lines):
        painter.drawText(QPointF(room.x, room.y + size * (1.1 + _LEADING * number)), line)


def _paint_caption(painter: QPainter, room: Box, text: SlideText, theme: Theme, largest: int) -> None:
    size, lines = caption_lines(text, room.width, room.height, largest)
    y, head = room.y + size * 1.1, _head_of(text)
    for line in lines:
        x = room.x
        strong = line[: len(head)] if head.startswith(line[: len(head)]) else ""
        for part, is_strong in ((strong, True), (line[len(strong) :], False)):
            font = _type(size, strong=is_strong)
            painter.setFont(font)
            painter.setPen(QColor(theme.text))
            painter.drawText(QPointF(x, y), part)
            x += QFontMetricsF(font).horizontalAdvance(part)
        head = head[len(strong) :].lstrip() if strong == line else ""
        y += size * _LEADING


def _paint_note(painter: QPainter, room: Box, lines: Sequence[str], size: int, theme: Theme) -> None:
    painter.setFont(_type(size))
    painter.setPen(QColor(theme.muted))
    for number, line in enumerate(reversed(lines)):
        painter.drawText(QPointF(room.x, room.bottom - size * (0.6 + _LEADING * number)), line)


def _type(units: int, *, strong: bool = False) -> QFont:
    font = words(weight=QFont.Weight.DemiBold if strong else QFont.Weight.Normal)
    font.setPixelSize(units)
    return font
