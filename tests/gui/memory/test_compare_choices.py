"""What can stand beside a recording, the most useful first."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QComboBox

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.result import Session
from gemmviz.domain.trace_run import TraceRun
from gemmviz.engine.messages import Job
from gemmviz.gui.memory.control import MemoryControl
from gemmviz.gui.parts import Parts

Record = Callable[..., TraceRun]
SessionOf = Callable[..., Session]


def test_that_recordings_of_the_same_size_come_first_and_other_blocks_last(
    parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    kernels = load_catalogue()
    control.set_kernels(tuple(Job(kernels.get(name), kernels.get(name).params({})) for name in ("naive", "tiled_wide")))
    same, large = recorded("naive", "16x16x16", (0, 0)), recorded("naive", "32x32x32", (0, 0))
    shown = recorded("tiled", "16x16x16", (0, 0), (1, 0), TILE=8)
    control.show_session(session_of(same, large, shown))
    combo = parts.memory_page.findChild(QComboBox, "compareCombo")
    words = [combo.itemText(place) for place in range(combo.count())]
    assert [text.partition("  ·  ")[0] for text in words] == [
        "Compare with: none", "naive THREAD=16", "naive THREAD=16", "", "Record tiled_wide with these settings", "",
        "tiled TILE=8",
    ]  # fmt: skip
    assert "16x16x16" in words[1].replace("×", "x")
    assert "32x32x32" in words[2].replace("×", "x")
    assert words[-1].endswith(", another block")
    asked: list[str] = []
    control.record_asked.connect(lambda _spec, kernel, _blocks: asked.append(kernel))
    for place, beside in ((1, same), (2, large), (len(words) - 1, shown)):
        combo.activated.emit(place)
        assert control.played[1] is not None
        assert control.played[1].run is beside
        assert combo.currentIndex() == place
    combo.activated.emit(words.index("Record tiled_wide with these settings"))
    assert asked == ["tiled_wide"]
    assert combo.currentIndex() == len(words) - 1  # until it is recorded, nothing has changed
    combo.activated.emit(0)
    assert control.played[1] is None
