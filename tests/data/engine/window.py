"""A window without widgets: starts a client, runs one kernel file, and says what happens, a line each.

    python window.py KERNEL.cu SECONDS LAST_EVENT

SECONDS limit a launch; it leaves after an event of the name LAST_EVENT, by the client's close, or never.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QTimer

from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Mode
from gemmviz.engine.client import Client
from gemmviz.engine.messages import Conditions, Event, Job, RunRequest, WorkerReady


def main() -> None:
    application = QCoreApplication(sys.argv)
    kernel = load_user_kernel(Path(sys.argv[1]))
    client = Client()

    def on_event(event: Event) -> None:
        name = type(event).__name__
        print(f"{name} {event.process}" if isinstance(event, WorkerReady) else f"{name} {getattr(event, 'words', '')}")
        sys.stdout.flush()
        if name == sys.argv[3]:
            client.close()
            QTimer.singleShot(0, application.quit)

    client.happened.connect(on_event)
    client.start()
    conditions = Conditions(Shape(9, 7, 5), mode=Mode.HOT, budget_s=0.05, launch_limit_s=float(sys.argv[2]))
    client.submit(RunRequest(client.next_id(), (Job(kernel, kernel.params({})),), conditions))
    application.exec()


if __name__ == "__main__":
    main()
