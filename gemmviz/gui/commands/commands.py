"""Actions as plain values: what the command palette and the list of shortcuts show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence

from gemmviz.gui.commands.actions import KEYWORDS
from gemmviz.gui.commands.entries import Entry
from gemmviz.gui.widgets.plain_text import plain_text

SectionedAction = tuple[str, QAction]
"""The section (menu) of an action and the action."""


@dataclass(frozen=True, slots=True)
class Command:
    """One thing the program can be told: `keys` are its shortcuts, `tip` what it does or why it cannot be done now.

    `detail` stands muted behind the name, and `kept_detail`, with which it begins, is never cut; `keywords` are found
    as well and not shown. With `changes_settings` it sets up another experiment.
    """

    section: str
    name: str
    keys: tuple[str, ...] = ()
    enabled: bool = True
    tip: str = ""
    detail: str = ""
    kept_detail: str = ""
    keywords: tuple[str, ...] = ()
    changes_settings: bool = False


def commands_of(actions: Sequence[SectionedAction]) -> tuple[Command, ...]:
    """The actions' words and keys as they are now, in the same order."""
    return tuple(
        Command(
            section,
            plain_words(action.text()),
            tuple(keys for keys in map(_spelt, action.shortcuts()) if keys),
            action.isEnabled(),
            action.toolTip(),
            keywords=tuple(action.property(KEYWORDS) or ()),
        )
        for section, action in actions
    )


def command_of(entry: Entry) -> Command:
    """What the palette shows of something that is no action."""
    tip = entry.refusal or (f"{entry.title}\n{entry.detail}" if entry.detail else entry.title)
    return Command(
        entry.kind,
        entry.title,
        enabled=not entry.refusal,
        tip=plain_text(tip),
        detail=entry.detail,
        kept_detail=entry.kept_detail,
        keywords=entry.keywords,
        changes_settings=entry.changes_settings,
    )


def plain_words(text: str) -> str:
    """A menu's text without the marks of its access keys: `&Save && close…` is `Save & close`."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&").removesuffix("…").strip()


def _spelt(keys: QKeySequence) -> str:
    return keys.toString(QKeySequence.SequenceFormat.NativeText)
