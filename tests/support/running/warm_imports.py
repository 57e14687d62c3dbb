"""What processes of the program import, for the process that those of the tests are forked from (`warm_process.py`).

Nothing of it starts a thread, and no function is compiled by Numba: a confined process must say first where Numba keeps
what it compiles. Numba is told of that place when the process is confined.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module

import numba
from numba.core import config

from gemmviz.engine.sandbox import confined
from gemmviz.engine.sandbox.confinement import Confinement

sys.modules["numba"] = None  # type: ignore[assignment]
for _name in (
    "gemmviz.backends.registry",
    "gemmviz.trace.analyse",
    "gemmviz.backends.machine.recorder",
    "gemmviz.backends.recording",
    "gemmviz.backends.machine.compiling",
    "gemmviz.engine.recording",
    "gemmviz.engine.machine_code",
    "gemmviz.engine.examination",
    "gemmviz.engine.roofs",
    "gemmviz.engine.jobs",
    "gemmviz.engine.event_sender",
    "gemmviz.engine.request_handler",
    "gemmviz.engine.worker",
    "gemmviz.engine.confined_worker",
    "gemmviz.engine.confined_child",
    "gemmviz.adopt.look",
    "gemmviz.adopt.finding",
    "gemmviz.referee.confined",
    "gemmviz.cli.guarded.request",
    "gemmviz.cli.compile.request",
    "gemmviz.cli.run.experiment",
    "gemmviz.cli.trace.recording",
    "gemmviz.compiler.nvidia.nvrtc",
    "gemmviz.domain.session.session",
):
    with suppress(ImportError):
        import_module(_name)
sys.modules["numba"] = numba

_prepare = confined._prepare


def _prepare_and_tell_numba(confinement: Confinement) -> None:
    _prepare(confinement)
    config.reload_config()  # type: ignore[no-untyped-call]


confined._prepare = _prepare_and_tell_numba
