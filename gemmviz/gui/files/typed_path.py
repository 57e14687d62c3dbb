"""The file that typed or pasted words name, and what is wrong with it. No Qt."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname


def typed_path(text: str, folder: Path) -> Path | None:
    """The path that words in a field for a file's name mean, seen from `folder`; None for none, or several names.

    A name that is there as it stands is meant as it stands. Else quotes and backslashes are a shell's, `~` is the home
    of a person, and `file://` begins an address.
    """
    words = text.strip()
    if not words:
        return None
    if _exists(folder / words):
        return folder / words
    if words.lower().startswith("file:"):
        return Path(url2pathname(unquote(urlsplit(words).path)))
    try:
        parts = shlex.split(words, posix=os.name == "posix")
    except ValueError:  # a quote without its partner is part of the name
        parts = [words]
    if len(parts) > 1 and words.count('"') >= 4:
        return None  # several files were chosen in the list
    one = parts[0].strip('"') if len(parts) == 1 else words
    return folder / _at_home(one)


def what_is_wrong(path: Path) -> str:
    """Why a file cannot be opened, and what to do, as sentences; "" where it can be."""
    try:
        if path.is_file():
            return "" if os.access(path, os.R_OK) else f"{path} may not be read by you. Change its permissions."
        if path.exists():
            return f"{path} is no file. Type the name of a file in it."
        there = next(each for each in path.parents if each.is_dir())
    except (OSError, ValueError, StopIteration) as error:
        return f"{path} cannot be looked up: {error}."
    if there == path.parent:
        return f"{there} has no file “{path.name}”. Check the name, or choose one of the list."
    missing = path.relative_to(there).parts[0]
    return f"{there} has no folder “{missing}”. Check the path."


def _at_home(words: str) -> Path:
    try:
        return Path(words).expanduser()
    except RuntimeError:  # nobody has that name: the file may
        return Path(words)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that is too long, or has a NUL
        return False
