"""What the command palette finds besides commands: kernels, presets, recordings, pages, lessons and terms."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtWidgets import QAbstractButton, QWidget

from gemmviz.catalogue.glossary import GlossaryTerm
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.kernel_names import kernel_name
from gemmviz.catalogue.lessons import Lesson
from gemmviz.catalogue.presets import Preset
from gemmviz.catalogue.term_words import names_of
from gemmviz.domain.kernels.version_names import UNNUMBERED, time_words
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.domain.shape import Shape, ShapeError
from gemmviz.domain.visible_text import visible
from gemmviz.explain.source.recorded_lines import facts_of, title_of
from gemmviz.gui.commands.ranking import TERM
from gemmviz.gui.commands.search_words import LESSON_WORDS, VIEW_WORDS
from gemmviz.gui.widgets.key_focus import focus_by_keys
from gemmviz.gui.widgets.segments import Segments


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One thing to find: `kind` says what it is, `title` is what it is called, `detail` stands muted behind the title;
    `kept_detail`, with which that begins, tells it from others of its title and is never cut.

    `keywords` are found too but not shown; one that is the whole query beats everything. `do` shows or chooses it.
    `refusal` says why it cannot be done now, "" where it can. With `changes_settings` it sets up another experiment.
    """

    kind: str
    title: str
    do: Callable[[], object]
    detail: str = ""
    keywords: tuple[str, ...] = ()
    refusal: str = ""
    changes_settings: bool = False
    kept_detail: str = ""


Provider = Callable[[], Iterable[Entry]]
"""Gives the entries as they are when the palette opens."""
Maker = Callable[[str], Sequence[Entry]]
"""Makes the entries that a query itself asks for; none for most."""
_SIZE = re.compile(r"(\d+)\s*[x×*, ]\s*(\d+)(?:\s*[x×*, ]\s*(\d+))?", re.ASCII | re.IGNORECASE)
_BLACKBOARD = 16
"""The largest dimension of a product that somebody may follow by hand."""


def kernel_entries(kernels: Iterable[Kernel], choose: Callable[[str], object]) -> list[Entry]:
    """Every kernel; `choose` gets the id."""
    return [
        Entry(
            "Kernel",
            name.id,
            partial(choose, kernel.id),
            name.title if name.title != name.id else kernel.path.name,
            (name.id, kernel.teaches),
            changes_settings=True,
        )
        for kernel in kernels
        for name in (kernel_name(kernel),)
    ]


def preset_entries(presets: Iterable[Preset], choose: Callable[[Preset], object]) -> list[Entry]:
    """Every preset; `choose` gets it."""
    return [
        Entry(
            "Preset",
            preset.title,
            partial(choose, preset),
            f"{preset.shape.words} · {', '.join(preset.kernels)}",
            (preset.id, preset.origin, str(preset.shape)),
            changes_settings=True,
        )
        for preset in presets
    ]


def size_entries(
    query: str, now: Shape, set_size: Callable[[Shape], object], for_blackboard: Callable[[Shape], object]
) -> list[Entry]:
    """The size that a query is: "512x512x256", "512 256 64" or "8x8"; `set_size` gets it, and of a small one
    `for_blackboard`, which sets up more for it. No entry for anything else.

    Two equal numbers are all three dimensions; of two others K is that of `now`.
    """
    match = _SIZE.fullmatch(query.strip())
    if match is None:
        return []
    m, n, k = match.groups()
    k = k or (m if m == n else str(now.k))
    title, what = f"Set M×N×K to {m}×{n}×{k}", f"now {now.words}"
    try:
        shape = Shape.parse(f"{m}x{n}x{k}")
    except ShapeError as error:
        return [Entry("Size", title, lambda: None, what, refusal=str(error), changes_settings=True)]
    found = [Entry("Size", f"Set M×N×K to {shape.words}", partial(set_size, shape), what, changes_settings=True)]
    if max(shape.m, shape.n, shape.k) <= _BLACKBOARD:
        title = f"Set up {shape.words} for a blackboard"
        what = "the numbers 1, 2, 3, …, and tiles of which several make up C"
        found.append(Entry("Size", title, partial(for_blackboard, shape), what, changes_settings=True))
    return found


def recording_entries(session: Session, play: Callable[[TraceRun], object]) -> list[Entry]:
    """The recordings of a session that keep a block to play, the newest first. That of a version of a kernel says which
    version, and recordings of one title and version say when they were made.
    """
    traces = [trace for trace in reversed(session.traces) if trace.blocks]
    versions = session.version_names
    names = [(title_of(trace), versions.of_recording(trace)) for trace in traces]
    recordings, entries = Counter(names), []
    for trace, (title, version) in zip(traces, names, strict=True):
        made = f"recorded {time_words(trace.finished)}" if recordings[title, version] > 1 else ""
        kept = visible(" · ".join(filter(None, (version, made))))
        detail = " · ".join(filter(None, (kept, visible(facts_of(trace)))))
        entries.append(
            Entry("Recording", visible(title), partial(play, trace), detail, _words_of(version), kept_detail=kept)
        )
    return entries


def _words_of(version: str) -> tuple[str, ...]:
    """The words by which a version is found, its number among them; none of an unnumbered one."""
    return () if version == UNNUMBERED else tuple(version.replace("(", "").replace(")", "").split())


def page_entries(pages: Iterable[tuple[str, QWidget]], show_tab: Callable[[str], object]) -> list[Entry]:
    """The views of each page, by the buttons that choose them; `show_tab` gets the page's name."""

    def show(page: str, button: QAbstractButton) -> None:
        show_tab(page)
        button.click()
        focus_by_keys(button)

    return [
        Entry(
            "Page",
            button.text(),
            partial(show, page, button),
            f"{page}: {button.accessibleDescription()}",
            (page, *VIEW_WORDS.get(button.objectName(), ())),
        )
        for page, widget in pages
        for segments in widget.findChildren(Segments)
        if segments.isVisibleTo(widget)
        for button in segments.findChildren(QAbstractButton)
    ]


def term_entries(terms: Iterable[GlossaryTerm], look_up: Callable[[str], object]) -> list[Entry]:
    """Every term of the glossary, found by each of its names; `look_up` gets them all."""
    return [
        Entry(TERM, term.name, partial(look_up, term.name), term.plain_meaning, names_of(term.name)) for term in terms
    ]


def lesson_entries(lessons: Iterable[Lesson], open_lesson: Callable[[str], object]) -> list[Entry]:
    """Every lesson, in the order given; `open_lesson` gets the id."""
    return [
        Entry(f"Lesson {lesson.number}", lesson.title, partial(open_lesson, lesson.id), lesson.summary, keywords)
        for lesson in lessons
        for keywords in ((lesson.id, *LESSON_WORDS.get(lesson.id, ())),)
    ]
