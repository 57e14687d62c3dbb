"""Which keys more than one action claims."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence

from gemmviz.gui.commands.commands import SectionedAction, plain_words


def duplicates(actions: Sequence[SectionedAction]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Shortcuts that more than one action claims, each with the actions' names; the empty tuple is how it should be.

    Shortcuts that hold inside a single widget only do not disturb others and are left out.
    """
    claims: dict[str, dict[int, str]] = {}
    inside = (Qt.ShortcutContext.WidgetShortcut, Qt.ShortcutContext.WidgetWithChildrenShortcut)
    for section, action in actions:
        if action.shortcutContext() in inside:
            continue
        for keys in (one.toString(QKeySequence.SequenceFormat.NativeText) for one in action.shortcuts()):
            if keys:
                claims.setdefault(keys, {})[id(action)] = f"{section}: {plain_words(action.text())}"
    return tuple((keys, tuple(names.values())) for keys, names in sorted(claims.items()) if len(names) > 1)
