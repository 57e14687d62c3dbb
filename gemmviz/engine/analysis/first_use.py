"""On a system where gemmviz was never used: compile what counts and checks accesses before a command needs it.

A confined process would compile it by itself, without a word and in the time that is given for the kernel.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from platformdirs import user_cache_path

import gemmviz
from gemmviz.domain.processes.child_process import child_process
from gemmviz.engine.analysis import ahead
from gemmviz.engine.analysis.ahead import CONFINED, ORDINARY
from gemmviz.engine.analysis.words import COMPILING

WORDS = f"{COMPILING}, once for all kernels, up to 1 min"
COMMAND = (sys.executable, "-P", "-m", ahead.__name__, CONFINED, ahead.AWAITED)
"""With -P no module of the working directory is taken for one of these."""
_LOOK_EVERY_S = 1.0


def is_first(stage: str) -> bool:
    """Whether nothing is there that Numba compiled, neither by itself nor ahead, for a stage of `ahead`."""
    if stage == ORDINARY:
        package, of_user = Path(gemmviz.__file__).parent, user_cache_path("numba", appauthor=False)
        return "NUMBA_CACHE_DIR" not in os.environ and not _has_code(package) and not _has_code(of_user)
    confined = user_cache_path("gemmviz", appauthor=False) / "confined" / "numba"
    return not ahead.is_done(CONFINED) and not _has_code(confined)


def compile_for_confined(say: Callable[[str], None], command: Sequence[str] = COMMAND) -> None:
    """Compile all for confined processes where that was never done, in a process of its own; `say` hears what goes on.
    Where it fails, whoever needs it compiles it. What `say` raises ends the process and is raised again.
    """
    if not is_first(CONFINED):
        return
    paths = (str(Path(gemmviz.__file__).parents[1]), os.environ.get("PYTHONPATH", ""))
    environment = {
        **os.environ,
        **ahead.environment_of(CONFINED),
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
    }
    begin = time.monotonic()
    say(WORDS)
    with child_process(command, environment=environment) as child:
        while True:
            try:
                child.wait(_LOOK_EVERY_S)
            except TimeoutError:
                say(f"{WORDS}: {time.monotonic() - begin:.0f} s so far")
            else:
                return


def _has_code(folder: Path) -> bool:
    return next(folder.rglob("*.nbi"), None) is not None
