"""What the window says of what comes back from the engine."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from gemmviz.domain.runs.result import RunError
from gemmviz.engine.messages import RunFailed
from gemmviz.engine.running_order import not_run_words
from gemmviz.gui.control.run_control import RunControl
from gemmviz.gui.files.document import SessionDocument
from gemmviz.gui.work.last_work import Asked, LastWork, WorkStage


class QuietClient(QObject):
    """A client whose worker does nothing."""

    happened = Signal(object)
    busy = False

    def close(self) -> None:
        """There is no worker."""


def test_that_a_kernel_that_never_ends_has_the_message_and_those_after_it_have_none(qtbot: Any) -> None:
    del qtbot
    client, document = QuietClient(), SessionDocument()
    control = RunControl(client, document)  # type: ignore[arg-type]
    said: list[tuple[str, str]] = []
    control.failed.connect(lambda cause, words, _details: said.append((cause, words)))
    client.happened.emit(RunFailed(1, RunError("mine", "the kernel did not end within 60 s")))
    client.happened.emit(RunFailed(1, RunError("other", not_run_words("mine"))))
    control.take_all()
    assert said == [("mine", "mine: the kernel did not end within 60 s")]
    errors = document.session.errors
    assert [error.kernel for error in errors] == ["mine", "other"]
    assert errors[1].reason == "mine ran before and did not end, or left the device unusable"
    control.close()


def test_that_a_failed_request_is_told_until_what_it_left_is_gone(qtbot: Any) -> None:
    """Not only until another text of a kernel file, or a roof, comes into a session without results."""
    del qtbot
    document = SessionDocument()
    control = RunControl(QuietClient(), document)  # type: ignore[arg-type]
    told: list[LastWork | None] = []
    control.work_changed.connect(told.append)
    failed = LastWork(1, Asked.RECORDING, ("mine",), "4×4×4", WorkStage.FAILED)
    control._tell_work(failed)
    document.use_file_texts((("mine", "a kernel"),))
    control.note_change("mine")
    assert told == [failed, replace(failed, stage=WorkStage.CHANGED)]
    document.add_error(RunError("mine", "it does not compile"))
    document.remove(document.session.errors)
    assert told[-1] is None
    control.close()
