"""What is remembered from one start to the next: written when it changes, and completed when the window closes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from gemmviz.catalogue.lessons import Lesson
from gemmviz.catalogue.loader import Catalogue
from gemmviz.catalogue.presets import Preset
from gemmviz.domain.recovery.folders import recovery_root
from gemmviz.gui.files.recent_files import with_recent
from gemmviz.gui.lessons.progress import LessonProgress, progress_in
from gemmviz.gui.looks.theme import ThemeChoice
from gemmviz.gui.settings import load_settings, save_settings, writable_fault
from gemmviz.gui.settings_writer import SettingsWriter
from gemmviz.gui.tasks.file_questions import answer_in_time
from gemmviz.gui.work.experiment import Experiment, default_experiment, from_dict, to_dict


class Preferences:
    """The settings of one folder; `state` is the folder of recovery data, by default the same."""

    def __init__(self, folder: Path, state: Path | None = None) -> None:
        self._folder = folder
        self.recovery = recovery_root(state or folder)
        """Where windows keep what is not saved."""
        self._settings, notice = load_settings(folder)
        self._writer = SettingsWriter(partial(save_settings, folder=folder))
        self.notices: tuple[str, ...] = tuple(words for words in (notice or writable_fault(folder),) if words)

    @property
    def theme(self) -> ThemeChoice:
        return self._settings.theme

    @property
    def layout(self) -> tuple[str, str]:
        """The window's geometry and the docks' state."""
        return self._settings.geometry, self._settings.docks

    @property
    def results(self) -> str:
        """The columns of the table of results, as it tells them."""
        return self._settings.results

    @property
    def recent(self) -> tuple[str, ...]:
        """Paths of files, the most recent first."""
        return self._settings.recent_files

    def reduced_motion(self, desktop: bool) -> bool:
        """Whether things jump instead of moving: as a person chose, or else as the desktop has it."""
        chosen = self._settings.reduced_motion
        return desktop if chosen is None else chosen

    def folder(self, purpose: str) -> Path:
        """Where a person last was for a purpose, or the home folder."""
        kept = Path(self._settings.folders.get(purpose, ""))
        return kept if kept.is_absolute() and answer_in_time(kept.is_dir, otherwise=False) else Path.home()

    def experiment(self, catalogue: Catalogue, presets: tuple[Preset, ...]) -> Experiment:
        """The last experiment, or the first one ever."""
        last = self._settings.last_experiment
        return from_dict(last, catalogue) if last else default_experiment(catalogue, presets)

    def lesson_progress(self, lesson: Lesson) -> LessonProgress:
        """How far a person has come in a lesson."""
        kept, name = self._settings, lesson.id
        return progress_in(
            lesson,
            kept.lesson_steps.get(name, 0),
            kept.lesson_answers.get(name, ()),
            is_read=name in kept.lessons_seen,
            is_done=name in kept.lessons_done,
            is_exercised=name in kept.lessons_exercised,
        )

    def use_lesson(self, lesson: Lesson, step: int) -> None:
        """A person is at a step of a lesson, counted from 0; the last one is its end."""
        kept, name = self._settings, lesson.id
        steps = {other: value for other, value in kept.lesson_steps.items() if other != name}
        if step:
            steps[name] = step
        seen = (*kept.lessons_seen, name) if step == lesson.step_count - 1 else kept.lessons_seen
        self._change(lesson_steps=steps, lessons_seen=tuple(dict.fromkeys(seen)))
        self._finish_lesson(lesson)

    def answer_question(self, lesson: Lesson, step: int) -> None:
        """A person answered the question of a step, or was shown its answer."""
        answers = self._settings.lesson_answers
        given = tuple(sorted({*answers.get(lesson.id, ()), step}))
        self._change(lesson_answers={**answers, lesson.id: given})
        self._finish_lesson(lesson)

    def finish_exercise(self, lesson: Lesson) -> None:
        """A person has done the exercise of a lesson."""
        self._change(lessons_exercised=tuple(dict.fromkeys((*self._settings.lessons_exercised, lesson.id))))
        self._finish_lesson(lesson)

    def _finish_lesson(self, lesson: Lesson) -> None:
        """A lesson that is read, has no open question and whose exercise is done is done, and what was kept of it is
        not needed any more.
        """
        kept, name = self._settings, lesson.id
        progress = self.lesson_progress(lesson)
        is_finished = progress.is_read and not progress.open_questions and progress.is_exercised
        if not progress.is_done and not is_finished:
            return
        self._change(
            lesson_steps={other: value for other, value in kept.lesson_steps.items() if other != name},
            lesson_answers={other: value for other, value in kept.lesson_answers.items() if other != name},
            lessons_seen=tuple(other for other in kept.lessons_seen if other != name),
            lessons_exercised=tuple(other for other in kept.lessons_exercised if other != name),
            lessons_done=tuple(dict.fromkeys((*kept.lessons_done, name))),
        )

    def use_theme(self, choice: ThemeChoice) -> None:
        self._change(theme=choice)

    def use_reduced_motion(self, reduced: bool) -> None:
        self._change(reduced_motion=reduced)

    def use_folder(self, purpose: str, folder: Path) -> None:
        self._change(folders={**self._settings.folders, purpose: str(folder)})

    def use_file(self, path: Path) -> None:
        self._change(recent_files=with_recent(self._settings.recent_files, path))

    def forget_files(self) -> None:
        self._change(recent_files=())

    def keep(self, experiment: Experiment, layout: tuple[str, str], results: str) -> str:
        """Write everything down now, with what only the end of a window knows; a sentence if that failed, else ""."""
        geometry, docks = layout
        self._settings = replace(
            self._settings,
            geometry=geometry,
            docks=docks,
            results=results,
            last_experiment=to_dict(experiment),
            first_start_seen=True,
        )
        return self._writer.write_now(self._settings)

    def _change(self, **fields: Any) -> None:
        """Take new values of fields, and have them written soon, so that a crash loses at most the last second."""
        changed = replace(self._settings, **fields)
        if changed != self._settings:
            self._settings = changed
            self._writer.write_soon(changed)
