"""The lessons in assets/lessons: what each step says and shows, from one TOML file per lesson."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from cattrs import Converter
from cattrs.errors import BaseValidationError
from cattrs.v import format_exception, transform_error

from gemmviz.catalogue.lesson_scenes import (
    Banks,
    Fragments,
    LessonChart,
    Loops,
    Pictures,
    Repair,
    Scene,
    Schedule,
    Sectors,
    Warps,
)
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.resources import resource_folder


class LessonError(ValueError):
    """A lesson's file cannot be used; the message names the file and what is wrong in it."""


@dataclass(frozen=True, slots=True)
class LessonRecording:
    """A recording that comes with a lesson: a catalogue `kernel`, or a `file` in the lessons' kernel folder.

    `block` is the x and y of the recorded block.
    """

    size: Shape
    kernel: str = ""
    file: str = ""
    params: Mapping[str, int] = field(default_factory=dict)
    fill: Fill = Fill.COUNTING
    block: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class ExampleRecording:
    """The recording of a kernel in an example session: of what only a GPU records."""

    session: str
    kernel: str


@dataclass(frozen=True, slots=True)
class AnswerChoice:
    """An answer to choose from. `says` explains why it is right, or why it is not."""

    text: str
    says: str


@dataclass(frozen=True, slots=True)
class LessonAnswer:
    """The scene in which the answer to a question can be seen, and `more`, what is said beside it: it replaces that of
    the step, which speaks of the picture before.
    """

    more: str
    pictures: Pictures | None = None
    banks: Banks | None = None
    sectors: Sectors | None = None
    schedule: Schedule | None = None

    @property
    def scene(self) -> Pictures | Banks | Sectors | Schedule:
        """What is shown."""
        return next(scene for scene in self._scenes if scene is not None)

    @property
    def _scenes(self) -> tuple[Pictures | Banks | Sectors | Schedule | None, ...]:
        return self.pictures, self.banks, self.sectors, self.schedule

    def __post_init__(self) -> None:
        if sum(scene is not None for scene in self._scenes) != 1:
            raise ValueError("the answer to a question needs one scene: pictures, banks, sectors or schedule")
        if not self.more.strip():
            raise ValueError("the answer to a question shows another scene: its `more` must say what is seen there")


@dataclass(frozen=True, slots=True)
class LessonQuestion:
    """One question with the choices a reader has; `right` is the place of the answer in `choices`.

    `answer` is shown instead of the step's scene once the question is answered.
    """

    text: str
    choices: tuple[AnswerChoice, ...]
    right: int
    answer: LessonAnswer | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.right < len(self.choices):
            raise ValueError(f"the question {self.text!r} has no choice {self.right} to be the right one")
        for choice in self.choices:
            if not choice.says.strip():
                raise ValueError(f"the choice {choice.text!r} of the question {self.text!r} says nothing")


@dataclass(frozen=True, slots=True)
class LessonStep:
    """What is said, in one sentence and a few more, and what is shown with it.

    A step without a scene keeps the scene of the one before. `facts` are statements about recordings and runs that
    hold for what is said; a test computes them.
    """

    text: str
    more: str = ""
    pictures: Pictures | None = None
    banks: Banks | None = None
    sectors: Sectors | None = None
    chart: LessonChart | None = None
    schedule: Schedule | None = None
    warps: Warps | None = None
    fragments: Fragments | None = None
    loops: Loops | None = None
    repair: Repair | None = None
    question: LessonQuestion | None = None
    facts: tuple[str, ...] = ()

    @property
    def scene(self) -> Scene | None:
        """What is shown; None for what the step before showed."""
        return next((each for each in self._scenes if each is not None), None)

    @property
    def answer_scene(self) -> Scene | None:
        """What is shown instead of the scene once the question is answered; None where that stays."""
        answer = self.question.answer if self.question is not None else None
        return answer.scene if answer is not None else None

    @property
    def more_once_answered(self) -> str:
        """What replaces `more` once what the step asks is answered; "" where it asks nothing, or `more` stays."""
        answer = self.question.answer if self.question is not None else None
        return answer.more if answer is not None else self.repair.more if self.repair is not None else ""

    @property
    def _scenes(self) -> tuple[Scene | None, ...]:
        measured = self.chart, self.schedule, self.warps
        return self.pictures, self.banks, self.sectors, *measured, self.fragments, self.loops, self.repair

    def __post_init__(self) -> None:
        if sum(each is not None for each in self._scenes) > 1:
            raise ValueError(f"the step {self.text!r} has more than one scene")


RECORDED_FIGURES = "sectors per request", "wavefronts per request"
"""What a lesson may say about its recordings: of all requests to global memory, or to shared memory."""


@dataclass(frozen=True, slots=True)
class LessonSequel:
    """What is offered once the attempt has ended: with `records` to record its kernels one after the other, with
    an `edit_line` (from 1; 0 for none) to edit its kernel at that line, and to open `view`, a page or a part of the
    page of memory. `says` tells what is seen there, once every kernel is recorded; "" where the attempt itself says it.

    `record_all` is what a button says that records every kernel at once and opens `view`; "" for no such button. It
    comes before the run where that is on no GPU, as its times then teach nothing.

    `figure` is one of RECORDED_FIGURES, which is shown for every recording, `because` says beside it in one sentence
    how it comes about, and `aside` says more of that in the lesson; "" for none of them.
    """

    view: str
    says: str = ""
    records: bool = False
    edit_line: int = 0
    record_all: str = ""
    figure: str = ""
    because: str = ""
    aside: str = ""

    def __post_init__(self) -> None:
        if self.record_all and not self.records:
            raise ValueError(f"{self.record_all!r} records kernels, which needs `records = true`")
        if self.records and not self.says.strip():
            raise ValueError(f"the kernels are recorded to be looked at in {self.view!r}: `says` must tell what for")
        if self.figure and self.figure not in RECORDED_FIGURES:
            raise ValueError(f"figure {self.figure!r} is not known; there are {', '.join(RECORDED_FIGURES)}")


@dataclass(frozen=True, slots=True)
class LessonReversal:
    """What `says` of two kernels of the attempt of which the first, faster on a GPU, is `slower` than the second."""

    slower: str
    than: str
    says: str


@dataclass(frozen=True, slots=True)
class LessonAttempt:
    """The last step: what a reader runs on the own machine. `text` and `more` say so, and `more` what to know of the
    result; `after` says that beside the result, in few words, which `page` shows. `seen` comes before the result: what
    the lesson showed of its kernels. `sequel` is what is offered there, `reversal` what is said of a CPU that ranks two
    of the kernels as no GPU does.

    It runs `kernels` of the catalogue, or a copy, for the reader to edit, of a `file` in the lessons' kernel folder.
    """

    text: str
    more: str
    after: str
    size: Shape
    kernels: tuple[str, ...] = ()
    seen: str = ""
    file: str = ""
    params: Mapping[str, int] = field(default_factory=dict)
    fill: Fill = Fill.UNIFORM
    page: str = "Timing"
    sequel: LessonSequel | None = None
    reversal: LessonReversal | None = None

    def __post_init__(self) -> None:
        if bool(self.kernels) == bool(self.file):
            raise ValueError(f"the last step {self.text!r} needs kernels of the catalogue or a file, one of the two")
        if self.kernels and not self.seen.strip():
            raise ValueError(f"the last step {self.text!r} runs kernels: `seen` must tell what was seen of them")
        if self.reversal is not None and not {self.reversal.slower, self.reversal.than} <= {*self.kernels}:
            raise ValueError(f"the last step {self.text!r} does not run both kernels of its reversal")

    @property
    def file_path(self) -> Path:
        """Where its file lies."""
        return lessons_folder() / "kernels" / self.file


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson. `picture` names the small drawing on its card. It plays its `recordings`, and those of `examples`."""

    id: str
    number: int
    title: str
    summary: str
    minutes: int
    picture: str
    steps: tuple[LessonStep, ...]
    attempt: LessonAttempt
    recordings: Mapping[str, LessonRecording] = field(default_factory=dict)
    examples: Mapping[str, ExampleRecording] = field(default_factory=dict)

    @property
    def step_count(self) -> int:
        """How many steps a reader goes through, with the attempt."""
        return len(self.steps) + 1

    def scene_at(self, step: int) -> Scene | None:
        """What a step of `steps` shows: its own scene, or that of the last step before it that has one."""
        until = self.steps[: step + 1] if 0 <= step < len(self.steps) else ()
        return next((each.scene for each in reversed(until) if each.scene is not None), None)

    def texts_beside_chart(self, step: int) -> tuple[str, ...]:
        """What is said beside the chart of a step, in all steps that show it, with rings or without; none for another
        scene.
        """
        chart = self.scene_at(step)
        if not isinstance(chart, LessonChart):
            return ()
        shown = ((each, self.scene_at(number)) for number, each in enumerate(self.steps))
        return tuple(each.more for each, scene in shown if isinstance(scene, LessonChart) and scene.is_like(chart))

    @property
    def question_steps(self) -> tuple[int, ...]:
        """The places in `steps` of those that ask a reader something: a question, or a place for a barrier."""
        return tuple(n for n, step in enumerate(self.steps) if step.question is not None or step.repair is not None)

    @property
    def session_path(self) -> Path:
        """The session that holds the recordings, in the order of `recordings`."""
        return lessons_folder() / f"{self.id}.gemmviz"

    @property
    def sessions(self) -> tuple[str, ...]:
        """The ids of the example sessions it shows."""
        scenes = (step.scene for step in self.steps)
        shown = [each.session for each in scenes if isinstance(each, LessonChart | Schedule | Warps)]
        return tuple(dict.fromkeys([*shown, *(each.session for each in self.examples.values())]))


def lessons_folder() -> Path:
    """Where the lessons lie."""
    return resource_folder("assets") / "lessons"


def load_lessons(folder: Path | None = None) -> tuple[Lesson, ...]:
    """Every lesson, by its number.

    Raises:
        LessonError: a file is not a lesson.
    """
    root = folder if folder is not None else lessons_folder()
    return tuple(sorted((_read(path, _changed_ns(path)) for path in root.glob("*.toml")), key=_number))


def _changed_ns(path: Path) -> int:
    with suppress(OSError):  # then it cannot be read either
        return path.stat().st_mtime_ns
    return 0


def _number(lesson: Lesson) -> int:
    return lesson.number


@lru_cache(maxsize=32)
def _read(path: Path, changed_ns: int) -> Lesson:
    """The lesson of a file that was changed last at that time."""
    del changed_ns
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        return _converter().structure(table | {"id": path.stem}, Lesson)
    except BaseValidationError as error:
        raise LessonError(f"{path.name}: {'; '.join(transform_error(error, format_exception=_words))}") from error
    except (OSError, ValueError) as error:
        raise LessonError(f"{path.name}: {error}") from error


def _words(error: BaseException, wanted: type | None) -> str:
    """What is wrong, as the error itself says it where it says anything of its own."""
    own = isinstance(error, ValueError) and not isinstance(error, BaseValidationError) and str(error)
    return str(error) if own else format_exception(error, wanted)


@cache
def _converter() -> Converter:
    found = Converter(forbid_extra_keys=True)
    found.register_structure_hook(Shape, lambda words, _: Shape.parse(_as_words(words)))
    return found


def _as_words(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a size such as 4x4x4")
    return value
