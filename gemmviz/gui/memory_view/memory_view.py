"""The picture the program exists for: one block of a kernel at work, frame by frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QSinglePointEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.arithmetic import Floats
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.gui.looks.projector import has_screen, least_label, projector_scale
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.memory_view.bar_tips import BarTips
from gemmviz.gui.memory_view.block_analysis import BlockAnalysis, analyse_block
from gemmviz.gui.memory_view.composer import Composer, PictureNeeds
from gemmviz.gui.memory_view.element_keys import ARROWS, element_for_key
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.paint.painter import paint_scene
from gemmviz.gui.memory_view.places.camera import STEP, Camera
from gemmviz.gui.memory_view.places.overview import overview_box
from gemmviz.gui.memory_view.scene import Element, Scene
from gemmviz.gui.memory_view.spoken_of import SpokenOf
from gemmviz.gui.memory_view.text.help import picture_help
from gemmviz.gui.memory_view.text.labels import EMPTY
from gemmviz.gui.memory_view.text.sum_card import is_at_another_place
from gemmviz.gui.tasks.background import Background, raise_again
from gemmviz.gui.widgets.plain_text import plain_text
from gemmviz.gui.work.empty_notice import EmptyNotice
from gemmviz.gui.work.last_work import Asked, LastWork
from gemmviz.gui.work.words import words_for_empty
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.values import Frame

AT_ONCE = 1 << 18
"""Traces of so many addresses are looked through at once, larger ones on another thread."""
DRAG_FROM, ARROW, AROUND = 4, 64.0, 22.0
"""Pixels from which a press is a drag, by which an arrow key moves, and around an array that fills the window."""


class MemoryView(QWidget):
    """Shows one frame of one block. It asks nobody: recordings, frames and values are given to it."""

    block_chosen = Signal(int, int)
    """x and y of a block of the grid that is not the one shown."""
    element_hovered = Signal(object)
    """(array, row, column), or None."""
    element_chosen = Signal(object)
    """(array, row, column), or None."""
    thread_chosen = Signal(int)
    """The thread that makes the element of C that was clicked."""
    needs_changed = Signal(object)
    """What the layout and the numbers in it depend on is another: PictureNeeds, or None."""
    tiles_moved = Signal()
    """The tiles have come further, or have arrived."""

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, is_in_lesson: bool = False) -> None:
        super().__init__(parent)
        self.setObjectName("memoryView")
        self.setAccessibleName("Memory view: A, B, C and shared memory")
        self._is_in_lesson = is_in_lesson
        self.setStatusTip(plain_text(picture_help(None, is_in_lesson=is_in_lesson)))
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(320, 240)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._composer = Composer()
        self._composer.can_zoom, self._composer.is_in_lesson = not is_in_lesson, is_in_lesson
        self._scene: Scene | None = None
        self.empty = EmptyNotice(self)
        """What stands here while nothing is recorded."""
        self.show_work(None)
        self.set_theme(theme)
        self._is_stale, self._composed_size = True, (0.0, 0.0)
        self._background = Background(self, threads=1)
        self._pressed: QPointF | None = None
        self._dragged = False
        self._magnification: float | None = None
        BarTips(self, lambda: (self.picture_state(), self._looks, self.magnification))

    def sizeHint(self) -> QSize:
        return QSize(980, 560)

    def show_recording(
        self,
        run: TraceRun | None,
        block: BlockTrace | None,
        frames: Frames | None,
        analysis: BlockAnalysis | None = None,
    ) -> None:
        """Another recording or block. `frames` may be None while they are made: the layout is shown meanwhile.

        `analysis` is that of `analyse_block`; without it a large block is analysed on another thread, and shown then.
        """
        self._background.cancel_all()
        self.setStatusTip(plain_text(picture_help(run, is_in_lesson=self._is_in_lesson)))
        kept = self._composer.analysis
        if analysis is None and kept is not None and block is not None and kept.trace is block:
            analysis = kept
        if analysis is None and frames is not None and block is not None:
            if block.addresses.size <= AT_ONCE:
                analysis = analyse_block(block)
            else:
                self._background.start(lambda: analyse_block(block), self._use_analysis, raise_again)
        self._composer.show(run, block, frames, analysis)
        self.empty.setVisible(run is None)
        self._tell_needs()

    def lay_out_beside(self, needs: PictureNeeds | None) -> None:
        """Place everything so that a picture with these needs can stand beside this one in the same layout."""
        self._composer.beside = needs
        self._changed()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.empty.resize(event.size())
        self._hover(None)  # what the pointer was at lies elsewhere now
        self._tell_needs()

    def show_frame(self, frame: Frame) -> None:
        """The current frame, one of the frames given last."""
        self._composer.show_frame(frame)
        self.setAccessibleDescription(frame.caption)
        self._changed()

    def show_recorded_blocks(self, blocks: Iterable[tuple[int, int]]) -> None:
        """Mark more blocks as recorded than the recording itself keeps: x and y of each."""
        self._composer.others = tuple(blocks)
        self._changed()

    def set_arrival(self, fraction: float) -> None:
        """How far the tiles have come from the last frame to this: 0 to 1; 1 is arrived."""
        self._composer.arrival = min(max(fraction, 0.0), 1.0)
        self._changed()
        self.tiles_moved.emit()

    def set_heat(self, kind: HeatKind) -> None:
        """What colours stand for: NONE for what becomes of the elements."""
        self._composer.use_heat(kind)
        self._changed()

    def set_values(self, a: Floats | None = None, b: Floats | None = None, c: Floats | None = None) -> None:
        """The numbers of A, B and C as far as they are known, shown where there is room.

        `show_recording` forgets them if the recording has other inputs.
        """
        self._composer.use_values(a, b, c)
        self._tell_needs()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._has_screen = has_screen(self)
        self._looks = looks_of(theme, is_on_screen=self._has_screen)
        self.empty.words.set_colour(theme.muted)
        self.update()

    def show_work(self, last: LastWork | None) -> None:
        """Say what is going on while nothing is recorded."""
        self.empty.words.setText(words_for_empty(EMPTY, last, {Asked.RECORDING}))
        self.empty.show_button(last is None or not last.is_running)

    @property
    def theme(self) -> Theme:
        """Whose colours it has."""
        return self._looks.theme

    def thread_of(self, element: Element) -> int | None:
        """The thread that computes an element of C in the block that is shown; None for any other element."""
        return self._composer.thread_of(element)

    def show_thread(self, thread: int | None) -> None:
        """Mark the elements that a thread accesses, in this frame and in all; None for no thread."""
        self._composer.thread = thread
        self._changed()

    def show_warp(self, warp: int | None) -> None:
        """Mark what a warp touches in this frame; None for no warp."""
        self._composer.warp = warp
        self._changed()

    def show_element(self, name: str | None, row: int = 0, column: int = 0) -> None:
        """Mark an element, and where it lies in shared memory; None for no element."""
        self._composer.chosen = None if name is None else (name, row, column)
        self._changed()

    def show_spoken_of(self, spoken_of: SpokenOf) -> None:
        """Frame and name what a text beside the picture speaks of."""
        self._composer.spoken_of = spoken_of
        self._changed()

    @property
    def canvas_size(self) -> tuple[float, float]:
        """Width and height that the picture is laid out in: pixels, over the magnification."""
        return self.width() / self.magnification, self.height() / self.magnification

    @property
    def magnification(self) -> float:
        """How large everything is painted: as told, or else as suits the window."""
        return self._magnification or projector_scale(self)

    def set_magnification(self, factor: float | None, enlarged: float = 1.0) -> None:
        """Paint all `factor` times as large, letters `enlarged` compared to a window; None: as suits the window.

        Raises:
            ValueError: the factor is not positive.
        """
        if factor is not None and not factor > 0.0:
            raise ValueError(f"magnification {factor:g}: choose a positive factor")
        if (factor, enlarged) != (self._magnification, self._composer.enlarged):
            self._magnification, self._composer.enlarged = factor, enlarged
            self._tell_needs()

    def cover_foot(self, height: float) -> None:
        """Leave so many pixels at the foot to what stands over them: the line of the place, then the legend, go."""
        self._composer.covered = height / self.magnification
        self._changed()

    def present(self, is_presented: bool, *, names_device: bool = False) -> None:
        """Whether it is presented: one legend for all frames, and no word of where it was recorded unless it
        `names_device`.
        """
        self._composer.present(is_presented, names_device=names_device)
        self._changed()

    def fit(self) -> None:
        """The whole layout."""
        self._composer.camera = Camera()
        self._changed()

    def zoom_in(self) -> None:
        self._zoom(STEP, QPointF(*self.canvas_size) / 2)

    def zoom_out(self) -> None:
        self._zoom(1.0 / STEP, QPointF(*self.canvas_size) / 2)

    def picture_state(self) -> Scene | None:
        """What is painted, as values; None where nothing is recorded."""
        size = self.canvas_size
        if self._is_stale or size != self._composed_size:
            self._composer.resize(*size, least_label(self, is_in_lesson=self._is_in_lesson) / self.magnification)
            if has_screen(self) != self._has_screen:
                self.set_theme(self.theme)
            self._scene, self._is_stale, self._composed_size = self._composer.scene(), False, size
        return self._scene

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            if (scene := self.picture_state()) is None:
                painter.fillRect(self.rect(), self._looks.theme.canvas)
            else:
                painter.scale(self.magnification, self.magnification)
                paint_scene(painter, scene, self._looks)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._dragged = self._at(event), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            self._composer.pointer = self._at(event).x(), self._at(event).y()
            self._hover(self._element_at(self._at(event)))
            return
        at = self._at(event)
        step = at - self._pressed
        if self._dragged or step.manhattanLength() >= DRAG_FROM:
            self._pressed, self._dragged = at, True
            self._hover(None)
            self._move(step.x(), step.y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._pressed is not None:
            self._pressed = None
            if not self._dragged:
                self._click(self._at(event))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """An array fills the window, or all is seen again; of C only the block that is shown: others are asked for."""
        scene, at = self.picture_state(), self._at(event)
        if scene is None or event.button() != Qt.MouseButton.LeftButton:
            return
        box, block = scene.array_at(at.x(), at.y()), scene.block_at(at.x(), at.y())
        if not scene.camera.shows_all:
            self.fit()
        elif box is not None and block in (None, scene.block[:2]):
            self._hover(None)
            self._composer.show_large(box.grown(AROUND))
            self._changed()

    def leaveEvent(self, _event: QEvent) -> None:
        self._hover(None)

    def wheelEvent(self, event: QWheelEvent) -> None:
        pixels: QPoint = event.pixelDelta()
        if not pixels.isNull() and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._move(pixels.x() / self.magnification, pixels.y() / self.magnification)
        else:
            self._zoom(STEP ** (event.angleDelta().y() / 120.0), self._at(event))
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        acts: dict[int, Callable[[], None]] = {
            **dict.fromkeys((Qt.Key.Key_Plus, Qt.Key.Key_Equal), self.zoom_in),
            Qt.Key.Key_Minus: self.zoom_out,
            Qt.Key.Key_0: self.fit,
            Qt.Key.Key_Escape: lambda: self._choose(None),
        }
        if not self._composer.camera.shows_all:  # else there is nothing to move, and the page steps through frames
            acts |= {key: partial(self._move, -ARROW * right, -ARROW * down) for key, (right, down) in ARROWS.items()}
        act, element = acts.get(event.key()), element_for_key(self.picture_state(), event)
        if self._scene is not None and element is not None:
            self._composer.reveal(self._scene.cell(*element))
            self._choose_with_thread(element)
        elif act is None or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().keyPressEvent(event)
        else:
            act()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent) and event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture:
            self._zoom(1.0 + event.value(), self._at(event))
            return True
        return super().event(event)

    def _at(self, event: QSinglePointEvent) -> QPointF:
        """Where in the layout an event is."""
        return event.position() / self.magnification

    def _click(self, at: QPointF) -> None:
        scene = self.picture_state()
        if scene is None:
            return
        overview = overview_box(scene)
        if not scene.camera.shows_all and overview.holds(at.x(), at.y()):
            scale = scene.window.width / overview.width
            self._composer.centre((at.x() - overview.x) * scale, (at.y() - overview.y) * scale)
            self._changed()
            return
        block = scene.block_at(at.x(), at.y())
        if block is not None and block != scene.block[:2]:
            self.block_chosen.emit(*block)
            return
        self._choose_with_thread(scene.element_at(at.x(), at.y()))

    def _choose_with_thread(self, element: Element | None) -> None:
        self._choose(element)
        if element is not None and (thread := self._composer.thread_of(element)) is not None:
            self.thread_chosen.emit(thread)

    def _choose(self, element: Element | None) -> None:
        self._composer.chosen = element
        self._changed()
        self.element_chosen.emit(element)

    def _hover(self, element: Element | None) -> None:
        last, pointer = self._scene if element is not None else None, self._composer.pointer
        if element == self._composer.hovered and (last is None or not is_at_another_place(last, pointer)):
            return
        self._composer.hovered = element
        self._changed()
        can_record = (scene := self.picture_state()) is not None and scene.hovered_block is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if can_record else Qt.CursorShape.ArrowCursor)
        self.element_hovered.emit(element)

    def _element_at(self, at: QPointF) -> Element | None:
        scene, (x, y) = self.picture_state(), at.toTuple()
        return scene.element_at(x, y) if scene is not None and scene.window.holds(x, y) else None

    def _zoom(self, factor: float, at: QPointF) -> None:
        self._composer.zoom(factor, at.x(), at.y())
        self._changed()

    def _move(self, x: float, y: float) -> None:
        self._composer.move(x, y)
        self._changed()

    def _use_analysis(self, analysis: BlockAnalysis) -> None:
        self._composer.use_analysis(analysis)
        self._tell_needs()

    def _tell_needs(self) -> None:
        self._changed()
        self.needs_changed.emit(self._composer.needs(self.canvas_size))

    def _changed(self) -> None:
        self._is_stale = True
        self.update()
