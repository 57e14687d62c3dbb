"""What a session has for a handout, what of it is taken at first, and what a person chose. No Qt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from gemmviz.catalogue.loader import Catalogue
from gemmviz.domain.recordings.access import Space
from gemmviz.domain.recordings.hazard import HazardKind, gravest_fault
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.explain.figures.device_names import device_names
from gemmviz.explain.figures.run_facts import describe, distinct_names, facts_of
from gemmviz.explain.figures.traffic.recorded import versions_apart
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.export.handout.tables import has_resources
from gemmviz.gui.export.plan import Planned, planned
from gemmviz.gui.lessons.shown_step import ShownStep
from gemmviz.gui.lessons.step_text import StepText
from gemmviz.gui.recording.block_names import Watched, file_word, picture_title
from gemmviz.gui.recording.grids import Others, grids_of, recorded_with

_FIRST_CHARTS = Plot.KERNEL_TIME, Plot.ROOFLINE, Plot.TRAFFIC
"""The charts that are taken at first, besides those on the screen."""


class Paper(StrEnum):
    """A size of paper."""

    A4 = "a4"
    LETTER = "letter"

    @property
    def words(self) -> str:
        """ "A4", "Letter"."""
        return "A4" if self is Paper.A4 else "Letter"


class PartKind(StrEnum):
    """The sections of a handout in their order, by their headings."""

    STEP = "Lesson"
    RESULTS = "Results"
    RESOURCES = "Resources"
    REQUESTS = "Requests"
    CHART = "Charts"
    PICTURE = "Pictures"
    SOURCE = "Sources"
    TERMS = "Terms"


NOT_OF_SESSIONS = frozenset({PartKind.STEP})
"""What a session alone never has."""
_TABLES = PartKind.RESULTS, PartKind.RESOURCES, PartKind.REQUESTS
_RESOURCES = "Registers, shared memory, occupancy"
_REQUESTS = "Requests, sectors, bank conflicts"


@dataclass(frozen=True, slots=True, eq=False)
class HandoutPicture:
    """A recorded block, by its place in its recording; `watched` is the frame that is looked at, None for the telling
    one. `title` stands above it alone.
    """

    run: TraceRun
    place: int
    others: Others
    watched: Watched | None
    title: str


@dataclass(frozen=True, slots=True)
class PrintedSource:
    """The text of a kernel's file. `about` says whence it comes."""

    file: str
    text: str
    about: str


@dataclass(frozen=True, slots=True)
class PrintedStep:
    """What a step of a lesson says and asks; `title` is its place in the lesson. `shown` is the step where it shows
    what is no frame and no chart, else None.
    """

    title: str
    text: StepText
    shown: ShownStep | None = None


@dataclass(frozen=True, slots=True)
class ScenePicture:
    """What a step of a lesson shows."""

    shown: ShownStep


@dataclass(frozen=True, slots=True, eq=False)
class HandoutPart:
    """Something that a handout may have. `name` is its own among the parts, `title` what the dialog calls it.

    `content` is what a step, a chart, a picture or a source is made from, None for other kinds.
    """

    kind: PartKind
    name: str
    title: str
    content: Planned | HandoutPicture | PrintedSource | PrintedStep | ScenePicture | None = None


@dataclass(frozen=True, slots=True)
class HandoutChoice:
    """A title, the names of the parts that are taken, and the paper."""

    title: str
    parts: frozenset[str]
    paper: Paper = Paper.A4


def parts_of(
    session: Session, catalogue: Catalogue, watched: Watched | None = None, step: PrintedStep | None = None
) -> tuple[HandoutPart, ...]:
    """All parts that a session has, and the `step` of a lesson, in the order of the pages; `watched` is what plays.

    A recording has one picture: the block and frame that are looked at, else the telling frame of its first block. Two
    that stand beside each other are one picture. Below the words of a step its pictures come first.
    """
    pictures = [*_scene(step), *_pictures(session, watched)]
    lesson = () if step is None else (HandoutPart(PartKind.STEP, "step", f"Words of {step.title.lower()}", step),)
    found = [
        *((*lesson, *pictures) if lesson else ()),
        *([HandoutPart(PartKind.RESULTS, "results", "Table of results")] if session.runs or session.errors else ()),
        *([HandoutPart(PartKind.RESOURCES, "resources", _RESOURCES)] if has_resources(session) else ()),
        *([HandoutPart(PartKind.REQUESTS, "requests", _REQUESTS)] if session.traces else ()),
        *_charts(session),
        *(() if lesson else pictures),
        *_sources(session, catalogue),
    ]
    return (*found, HandoutPart(PartKind.TERMS, "terms", "Terms of these pages")) if found else ()


def first_choice(
    parts: Collection[HandoutPart], plots: Collection[Plot] = (), watched: Watched | None = None
) -> frozenset[str]:
    """The parts that are taken until a person says otherwise: tables, terms, some charts and those on the screen
    (`plots`), what the step of a lesson shows, what plays or else the first recordings, in a session also the newest
    one with a race or another fault, and the sources of these pictures.
    """
    wanted = {*_FIRST_CHARTS, *plots}
    pictures = [part.content for part in parts if isinstance(part.content, HandoutPicture)]
    played = [one for one in pictures if one.watched is not None]
    faulty = [one for one in pictures if _has_fault(one.run)]
    is_step = any(part.kind is PartKind.STEP for part in parts)
    shown = played if watched is not None and played else _unlike(pictures)
    pictures = shown if is_step else [one for one in pictures if one in (*shown, *faulty[-1:])]
    texts = {text for one in pictures for text in _texts_in(one)}
    has_scene = any(isinstance(part.content, ScenePicture) for part in parts)
    return frozenset(
        part.name
        for part in parts
        if part.kind in (*_TABLES, PartKind.STEP, PartKind.TERMS)
        or isinstance(part.content, ScenePicture)
        or (isinstance(part.content, Planned) and part.content.plot in wanted)
        or (part.content in pictures and not has_scene)
        or (isinstance(part.content, PrintedSource) and part.content.text in texts)
    )


def _has_fault(run: TraceRun) -> bool:
    """Whether a recording has a race, also one that the order of its threads made right, or another fault."""
    return any(one.kind is HazardKind.RACE for one in run.hazards) or bool(gravest_fault(run.hazards))


def _unlike(pictures: Sequence[HandoutPicture]) -> list[HandoutPicture]:
    """The first picture, and the one that differs most from it in how many arrays a block shares, else the next one of
    another text.
    """
    shared = [sum(array.space is Space.SHARED for array in one.run.arrays) for one in pictures]
    texts = [one.run.source_text for one in pictures]
    differs = [(abs(shared[at] - shared[0]), texts[at] != texts[0]) for at in range(len(pictures))]
    other = max(range(1, len(pictures)), key=differs.__getitem__, default=0)
    return [pictures[at] for at in sorted({0, other})] if pictures else []


def _charts(session: Session) -> Iterator[HandoutPart]:
    left_out = {Plot.MEMORY} if session.roofs else {Plot.MEMORY, Plot.ROOFLINE}  # marks below no roof tell nothing
    charts = [one for one in planned(session) if one.plot not in left_out]
    several, names = Counter(one.plot for one in charts), _run_names(session)
    for one in charts:
        title = one.plot.spec.title
        if several[one.plot] > 1 or one.plot in (Plot.ERROR_MAP, Plot.SCHEDULE):
            title = f"{title}: {_which(one, session, names)}"
        yield HandoutPart(PartKind.CHART, one.name, title, one)


def _scene(step: PrintedStep | None) -> Iterator[HandoutPart]:
    if step is not None and step.shown is not None:
        yield HandoutPart(PartKind.PICTURE, "scene", f"What {step.title.lower()} shows", ScenePicture(step.shown))


def _run_names(session: Session) -> list[str]:
    """The names of the runs: with size, parameters and device where runs of one kernel differ in them."""
    devices = device_names(run.device for run in session.runs)
    named = zip(distinct_names(facts_of(session.runs), with_device=False), session.runs, strict=True)
    return [", ".join(filter(None, (name, devices.get(run.device.id, "")))) for name, run in named]


def _which(one: Planned, session: Session, names: Sequence[str]) -> str:
    """Which of several pictures of a plot one is; `names` are those of the runs."""
    if one.plot is Plot.ERROR_MAP:
        return names[one.number]
    if one.plot is Plot.SCHEDULE:
        return describe(session.schedules[one.number].spec)
    return str(one.number)


def _pictures(session: Session, watched: Watched | None) -> Iterator[HandoutPart]:
    grids, names = grids_of(session.traces), session.version_names
    beside = watched.beside.run if watched is not None and watched.beside is not None else None
    playable = [run for run in session.traces if run.blocks]
    alike: dict[str, list[tuple[str, ...]]] = {}
    versions = versions_apart(playable, names)
    facts = [(run.spec.shape.words, str(run.form), *of_it) for run, of_it in zip(playable, versions, strict=True)]
    for run, own in zip(playable, facts, strict=True):
        alike.setdefault(picture_title(run), []).append(own)
    for number, run in enumerate(playable, 1):
        if run is beside:
            continue
        shown = watched if watched is not None and watched.run is run else None
        title = picture_title(run)
        title = ", ".join(filter(None, (title, *_telling(facts[number - 1], alike[title]))))
        if shown is not None and shown.beside is not None:
            title = " and ".join(each.title for each in shown.beside.names)
        place = shown.place if shown is not None else 0
        content = HandoutPicture(run, place, recorded_with(grids, run), shown, title)
        yield HandoutPart(PartKind.PICTURE, f"picture_{number}_{file_word(run.spec.kernel)}", title, content)


def _telling(own: Sequence[str], alike: Sequence[Sequence[str]]) -> list[str]:
    """Of the facts of a recording those in which it and others of its title differ; all of equal ones."""
    told = [fact for fact, of_all in zip(own, zip(*alike, strict=True), strict=True) if len(set(of_all)) > 1]
    return told or (list(own) if len(alike) > 1 else [])


def _sources(session: Session, catalogue: Catalogue) -> Iterator[HandoutPart]:
    """The texts that were recorded, each once, and the files as they are now of kernels that only ran."""
    found: dict[tuple[str, str], PrintedSource] = {}
    recorded = set[str]()
    names = session.version_names
    for run in session.traces:
        recorded.add(run.spec.kernel)
        version = names.of_recording(run)
        about = f"as recorded{f', {version}' if version else ''}"
        found.setdefault((run.source_name, run.source_text), PrintedSource(run.source_name, run.source_text, about))
    now = {kernel.id: (kernel.path.name, kernel.shown.text) for kernel in catalogue.kernels}
    now = {**{kernel: (kernel, text) for kernel, text in session.file_texts}, **now}
    for kernel in dict.fromkeys(run.spec.kernel for run in session.runs):
        file, text = now.get(kernel, ("", ""))
        if kernel not in recorded and text:
            found.setdefault((file, text), PrintedSource(file, text, "the file as it is now"))
    several = Counter(source.file for source in found.values())
    for number, source in enumerate(found.values(), 1):
        title = f"{source.file}, {source.about}" if several[source.file] > 1 else source.file
        yield HandoutPart(PartKind.SOURCE, f"source_{number}_{file_word(source.file)}", title, source)


def _texts_in(picture: HandoutPicture) -> Iterator[str]:
    yield picture.run.source_text
    if picture.watched is not None and picture.watched.beside is not None:
        yield picture.watched.beside.run.source_text


def shown_of(session: Session, parts: Collection[HandoutPart]) -> tuple[RunResult | TraceRun, ...]:
    """The runs and recordings that some parts show: what the line below the title speaks of."""
    runs = session.runs if any(part.kind in (*_TABLES[:2], PartKind.CHART) for part in parts) else ()
    recorded = session.traces if any(part.kind is PartKind.REQUESTS for part in parts) else ()
    pictured = [part.content for part in parts if isinstance(part.content, HandoutPicture)]
    beside = [one.watched.beside.run for one in pictured if one.watched is not None and one.watched.beside is not None]
    return (*runs, *recorded, *(one.run for one in pictured), *beside)
