"""What gemmviz remembers between two starts: one JSON file in the user's configuration folder."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import platformdirs

from gemmviz.domain.files.atomic import WriteError, write_atomically
from gemmviz.domain.files.bounded_read import Cause, ReadError, read_text
from gemmviz.gui.looks.theme import ThemeChoice

FILE = "settings.json"
BROKEN = "settings.broken.json"
FOLDER_VARIABLE = "GEMMVIZ_CONFIG_DIR"
MOST_RECENT_FILES = 10
MOST_BYTES = 1 << 20
"""A longer file is none of ours."""
MOST_DEPTH = 20
"""Tables and lists within each other; ours have four."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything remembered.

    `geometry` and `docks` are Qt's byte strings in base64, `results` the columns of their table, `recent_files` the
    most recent first, `last_experiment` what the experiment panel made of itself, `folders` where a person last was, by
    purpose ("open", "export", …), `reduced_motion` None as long as the desktop decides. `lesson_steps` are the steps,
    from 0, at which lessons were left, by their ids; `lesson_answers` the steps, from 0, whose questions were answered;
    `lessons_seen` the ids of those whose last step was shown, `lessons_exercised` of those whose exercise was done,
    `lessons_done` of those that were seen, answered and exercised.
    """

    theme: ThemeChoice = ThemeChoice.AUTO
    geometry: str = ""
    docks: str = ""
    results: str = ""
    recent_files: tuple[str, ...] = ()
    last_experiment: Mapping[str, Any] = field(default_factory=dict)
    folders: Mapping[str, str] = field(default_factory=dict)
    reduced_motion: bool | None = None
    lesson_steps: Mapping[str, int] = field(default_factory=dict)
    lesson_answers: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    lessons_seen: tuple[str, ...] = ()
    lessons_exercised: tuple[str, ...] = ()
    lessons_done: tuple[str, ...] = ()
    first_start_seen: bool = False


def settings_folder(environment: Mapping[str, str]) -> Path:
    """Where the settings lie: GEMMVIZ_CONFIG_DIR, else the platform's place for a user's configuration."""
    given = environment.get(FOLDER_VARIABLE, "")
    return Path(given) if given else Path(platformdirs.user_config_dir("gemmviz", appauthor=False))


def load_settings(folder: Path) -> tuple[Settings, str]:
    """The settings in `folder` and a notice for the person, "" if there is nothing to say.

    A file that is no settings file is kept beside as settings.broken.json and the defaults are taken; so are those of
    a single field whose value has the wrong type.
    """
    path = folder / FILE
    try:
        document = _read(path)
    except ReadError as error:
        match error.cause:
            case Cause.MISSING:
                return Settings(), ""
            case Cause.REFUSED:
                return Settings(), f"The settings in {path} cannot be read, {error.fault}; the defaults are used."
        return Settings(), _set_aside(path, error.fault)
    except ValueError:
        return Settings(), _set_aside(path, "it is damaged")
    return _settings_of(document), ""


def writable_fault(folder: Path) -> str:
    """A notice for the person where the settings will not be kept, "" where they will."""
    place = folder
    while not place.exists() and place.parent != place:
        place = place.parent
    if place.is_dir() and os.access(place, os.W_OK | os.X_OK):
        return ""
    reason = "it may not be written to" if place.is_dir() else f"{place} is not a folder"
    return f"Settings cannot be kept in {folder} ({reason}): what you change now is forgotten when the window closes."


def save_settings(settings: Settings, folder: Path) -> str:
    """Write the settings, whole or not at all; a notice for the person if that failed, else ""."""
    try:
        text = json.dumps(asdict(settings), indent=1)  # ASCII: a path may have bytes that are no text
        folder.mkdir(parents=True, exist_ok=True)
        data = text.encode("utf-8")
        # A settings file may be a link into the folder in which a person keeps such files.
        write_atomically(folder / FILE, lambda file: file.write(data), follows_link=True)
    except OSError as error:
        return f"The settings cannot be kept in {folder} ({_reason(error)}); they are lost when gemmviz closes."
    except (TypeError, ValueError) as error:
        return f"The settings cannot be written ({error}); they are lost when gemmviz closes."
    return ""


def _read(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(read_text(path, MOST_BYTES))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(document, dict) or _depth(document) > MOST_DEPTH:
        raise ValueError("no table, or nested too deeply")
    return document


def _depth(document: object) -> int:
    """How many tables and lists lie within each other at most."""
    depth, level = 0, [document]
    while level := [one for one in level if isinstance(one, dict | list)]:
        depth += 1
        level = [inner for one in level for inner in (one.values() if isinstance(one, dict) else one)]
    return depth


def _set_aside(path: Path, fault: str) -> str:
    beside = path.with_name(BROKEN)
    begin = f"The settings in {path} cannot be used, {fault}; the defaults are used."
    try:
        path.replace(beside)
    except OSError:
        return f"{begin} It cannot be moved away either. Remove it."
    return f"{begin} It is kept as {beside}."


def _settings_of(document: Mapping[str, Any]) -> Settings:
    given = {one.name: _checked(one.name, document.get(one.name)) for one in fields(Settings)}
    return Settings(**{name: value for name, value in given.items() if value is not None})


def _checked(name: str, value: object) -> Any:
    """The value as the field takes it; None for one it does not take."""
    match name:
        case "theme":
            return ThemeChoice(value) if isinstance(value, str) and value in tuple(ThemeChoice) else None
        case "geometry" | "docks" | "results":
            return value if isinstance(value, str) else None
        case "recent_files":
            return _paths(value) if isinstance(value, list) else None
        case "last_experiment":
            return value if isinstance(value, dict) else None
        case "lesson_steps":
            return _counts(value) if isinstance(value, dict) else None
        case "lesson_answers":
            return _steps(value) if isinstance(value, dict) else None
        case "lessons_seen" | "lessons_exercised" | "lessons_done":
            return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else None
        case "folders":
            return _words(value) if isinstance(value, dict) else None
        case _:
            return value if isinstance(value, bool) else None


def _steps(table: dict[str, object]) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for name, value in table.items():
        if isinstance(value, list):
            found[name] = tuple(_counts({str(place): one for place, one in enumerate(value)}).values())
    return found


def _paths(values: list[object]) -> tuple[str, ...]:
    return tuple(value for value in values if isinstance(value, str) and value)[:MOST_RECENT_FILES]


def _words(table: dict[str, object]) -> dict[str, str]:
    return {name: value for name, value in table.items() if isinstance(value, str)}


def _counts(table: dict[str, object]) -> dict[str, int]:
    return {name: value for name, value in table.items() if type(value) is int and value > 0}


def _reason(error: OSError) -> str:
    cause = error.__cause__ if isinstance(error, WriteError) else error
    return (cause.strerror if isinstance(cause, OSError) else "") or str(error) or type(error).__name__
