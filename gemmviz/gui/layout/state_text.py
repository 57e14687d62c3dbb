"""The state of a window as text, for the settings."""

from __future__ import annotations

from PySide6.QtCore import QByteArray


def as_text(state: QByteArray) -> str:
    """What Qt saved, as letters."""
    return bytes(state.toBase64().data()).decode("ascii")


def from_text(text: str) -> QByteArray:
    """What Qt saved; nothing it understands where `text` is none of its."""
    return QByteArray.fromBase64(text.encode("ascii", errors="replace"))
