"""One or two pictures with title and caption in large type, as a widget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from gemmviz.domain.shape import Shape
from gemmviz.explain.block.running_totals import TotalsSoFar
from gemmviz.gui.looks.projector import projector_theme
from gemmviz.gui.memory_view.memory_view import MemoryView
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.presentation.paint_ratios import RATIOS_HEIGHT, RatioPart, paint_ratios, ratio_words
from gemmviz.gui.presentation.slide import (
    CAPTION_UNITS,
    SlidePlan,
    SlideText,
    caption_units,
    paint_words,
    picture_units,
    plan_slide,
)
from gemmviz.gui.stages.stage_picture import StagePicture

Picture = MemoryView | StagePicture


class PresentationStage(QWidget):
    """Shows pictures in the form of a slide; what they show, and their theme, is their own.

    The views become children of the stage, are as large as it has room for, and are magnified so that their smallest
    words are read from afar; numbers that have no room in that size are left out.
    Below two pictures stands which part the whole block of one needs of what the other one does, as on a slide.
    `release` makes the views again what they were, before they go elsewhere.
    """

    def __init__(
        self,
        views: Sequence[Picture],
        shapes: Sequence[Shape],
        parent: QWidget | None = None,
        *,
        hazards: bool = False,
        compares: bool = False,
    ) -> None:
        """`shapes` are the products of the views; `hazards` keeps room for what is wrong in a frame; with `compares`
        the totals of two views are compared.
        """
        super().__init__(parent)
        self._hazards, self._shapes = hazards, tuple(shapes)
        self.setObjectName("presentationStage")
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._views = tuple(views)
        self._texts = tuple(SlideText() for _ in self._views)
        self._totals: tuple[TotalsSoFar | None, ...] = (None,) * len(self._views) if compares else ()
        self._so_far: tuple[TotalsSoFar | None, ...] = self._totals
        self._captions: tuple[tuple[tuple[str, str], ...], ...] = ()
        self._least_caption: tuple[SlidePlan, int] | None = None
        for view in self._views:
            view.setParent(self)
            if isinstance(view, MemoryView):
                view.present(True)
            view.show()
        self._place()

    @property
    def views(self) -> tuple[Picture, ...]:
        """The pictures, from the left."""
        return self._views

    @property
    def texts(self) -> tuple[SlideText, ...]:
        """The words of each picture."""
        return self._texts

    @property
    def plan(self) -> SlidePlan:
        """Where everything stands now: type is as large as on a slide of the whole screen, such as an exported one."""
        size = max(self.width(), 1), max(self.height(), 1)
        figures = RATIOS_HEIGHT if self._totals else 0.0
        return plan_slide(*size, max(len(self._views), 1), figures, hazards=self._hazards)

    def show_text(self, place: int, text: SlideText) -> None:
        """Show the words of one picture, counted from 0.

        Raises:
            IndexError: there is no such picture.
        """
        if not 0 <= place < len(self._texts):
            raise IndexError(f"picture {place}: the stage has {len(self._texts)}")
        self._texts = (*self._texts[:place], text, *self._texts[place + 1 :])
        self._tell()

    @property
    def totals(self) -> tuple[TotalsSoFar | None, ...]:
        """The totals of the whole block of each of two pictures, None while they are counted; () where they are not
        compared.
        """
        return self._totals

    def show_totals(self, place: int, totals: TotalsSoFar | None) -> None:
        """Compare the totals of the whole block of one of two pictures, counted from 0, with those of the other one.

        Raises:
            IndexError: there is no such picture, or nothing is compared.
        """
        if not 0 <= place < len(self._totals):
            raise IndexError(f"totals of picture {place}: the stage has {len(self._totals)}")
        self._totals = (*self._totals[:place], totals, *self._totals[place + 1 :])
        self._tell()

    def show_so_far(self, place: int, totals: TotalsSoFar | None) -> None:
        """Show what the block of one of two pictures, counted from 0, has asked of memory so far; None while it is
        counted.

        Raises:
            IndexError: there is no such picture, or nothing is compared.
        """
        if not 0 <= place < len(self._so_far):
            raise IndexError(f"totals of picture {place}: the stage has {len(self._so_far)}")
        self._so_far = (*self._so_far[:place], totals, *self._so_far[place + 1 :])
        self.update()

    @property
    def ratios(self) -> list[RatioPart]:
        """The line that compares both pictures."""
        return ratio_words(self._totals, self._texts, self._so_far)

    def release(self) -> None:
        """Unmagnify the views; who takes them gives them another parent."""
        for view in self._views:
            if isinstance(view, MemoryView):
                view.present(False)
            view.set_magnification(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def paintEvent(self, _event: QPaintEvent) -> None:
        plan, theme = self.plan, projector_theme(self._views[0].theme)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(theme.canvas))
            painter.scale(plan.scale, plan.scale)
            if self._totals:
                paint_ratios(painter, plan.ratios, self.ratios, theme)
            paint_words(painter, plan, self._texts, theme, self._caption_units(plan))

    def keep_captions(self, captions: Sequence[tuple[tuple[str, str], ...]]) -> None:
        """Write every caption in type in which these fit, too: head and sentence of each picture at other frames."""
        self._captions, self._least_caption = tuple(captions), None
        self.update()

    def _caption_units(self, plan: SlidePlan) -> int:
        """The type of captions: what fits those of other frames; never larger again while the slide has one size."""
        known, shown = self._least_caption, [self._texts]
        largest = known[1] if known is not None and known[0] == plan else CAPTION_UNITS[0]
        if known is None or known[0] != plan:
            others = (zip(self._texts, each, strict=False) for each in self._captions)
            shown += [tuple(replace(text, head=head, sentence=said) for text, (head, said) in each) for each in others]
        self._least_caption = plan, min(largest, caption_units(plan, shown))
        return self._least_caption[1]

    def _tell(self) -> None:
        """Show what has changed, and say it to those who listen."""
        said = [f"{each.title}, {each.size}. {each.hazard} {each.head}: {each.sentence}" for each in self._texts]
        for place, totals in enumerate(self._totals):
            lines = [f"{line.words} {line.value}" for line in totals.lines] if totals is not None else []
            said[place] += f" In the whole block: {'; '.join(lines) or 'counting'}."
        self.setAccessibleName(" ".join(said))
        self.update()

    def _place(self) -> None:
        plan, of_picture = self.plan, picture_units(self._shapes)
        for view, pane in zip(self._views, plan.panes, strict=False):
            units = of_picture if isinstance(view, MemoryView) else 1.0  # a stage writes its labels larger itself
            view.setMinimumSize(0, 0)
            view.set_magnification(units * plan.scale)
            view.setGeometry(_in_pixels(pane.picture_at(units), plan.scale))


def _in_pixels(box: Box, scale: float) -> QRect:
    """A box in pixels, of which `scale` are a unit."""
    left, top = round(box.x * scale), round(box.y * scale)
    return QRect(left, top, round(box.right * scale) - left, round(box.bottom * scale) - top)
