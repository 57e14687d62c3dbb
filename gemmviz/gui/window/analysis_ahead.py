"""While nothing runs, a process of its own compiles what counts and checks the accesses of recordings."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Slot

from gemmviz.engine.analysis import ahead
from gemmviz.engine.client import Client
from gemmviz.engine.messages import Event, Finished, WorkerLost

QUIET_S = 3.0
"""How long nothing must have run: a person who chose one kernel may run the next at once."""

_END_MS = 300


class AnalysisAhead(QObject):
    """Starts that process once nothing has run for `quiet_s`, and ends it when something is to run: times are measured
    then. Each function that was compiled by then stays compiled. Where the process fails nothing more is tried, and
    the first recording compiles the rest.
    """

    def __init__(
        self,
        client: Client,
        parent: QObject | None = None,
        *,
        quiet_s: float = QUIET_S,
        missing_stage: Callable[[], str | None] = ahead.missing_stage,
        command: Sequence[str] = (sys.executable, "-m", ahead.__name__),
    ) -> None:
        super().__init__(parent)
        self._client, self._missing_stage, self._command = client, missing_stage, command
        self._timer = QTimer(self, singleShot=True, interval=round(1000 * quiet_s))
        self._timer.timeout.connect(self._begin)
        self._process: QProcess | None = None
        self._is_given_up = False
        client.begun.connect(self._stop)
        client.happened.connect(self._on_happened)
        self._timer.start()

    @property
    def is_compiling(self) -> bool:
        """Whether the process is there."""
        return self._process is not None

    @Slot()
    def _begin(self) -> None:
        stage = self._missing_stage() if self._process is None and not self._client.busy else None
        if stage is None:
            return
        environment = QProcessEnvironment.systemEnvironment()
        for name, value in ahead.environment_of(stage).items():
            environment.insert(name, value)
        self._process = process = QProcess(self)
        process.setProcessEnvironment(environment)
        process.setStandardOutputFile(QProcess.nullDevice())
        process.setStandardErrorFile(QProcess.nullDevice())
        process.finished.connect(self._on_finished)
        process.errorOccurred.connect(self._on_error)
        program, *words = self._command
        process.start(program, [*words, stage])

    @Slot()
    def _stop(self) -> None:
        self._timer.stop()
        process, self._process = self._process, None
        if process is not None:
            process.finished.connect(process.deleteLater)
            process.kill()

    @Slot()
    def end(self) -> None:
        """End the process for good, and wait until it is gone."""
        process = self._process
        self._give_up()
        self._stop()
        if process is not None:
            process.waitForFinished(_END_MS)

    @Slot(object)
    def _on_happened(self, event: Event) -> None:
        if isinstance(event, (Finished, WorkerLost)) and not self._is_given_up:
            self._timer.start()

    @Slot(int)
    def _on_finished(self, code: int) -> None:
        process = self._process
        if process is None or self.sender() is not process:
            return  # it was ended for something that runs
        self._process = None
        process.deleteLater()
        if code == 0 and process.exitStatus() is QProcess.ExitStatus.NormalExit:
            self._timer.start(0)
        else:
            self._give_up()

    @Slot(QProcess.ProcessError)
    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            self._process = None
            self._give_up()

    def _give_up(self) -> None:
        self._is_given_up = True
        self._timer.stop()
