"""Compiles what counts accesses once for all processes of a whole run, where nothing is compiled yet.

Numba takes as long for it as for hundreds of tests; without this, each process of pytest-xdist would compile the same
functions, and those for confined processes, which look elsewhere, once more.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from platformdirs import user_cache_path

import gemmviz

_FINISHED = "GEMMVIZ_TESTS_COMPILED"
"""The variable that says which file is there once all is compiled."""
_PATIENCE_S = 180.0
PACKAGE = Path(gemmviz.__file__).parent


def begin() -> subprocess.Popen[bytes] | None:
    """Start to compile, unless something is compiled already."""
    if any(PACKAGE.rglob("__pycache__/*.nbi")):
        return None
    os.environ[_FINISHED] = str(Path(tempfile.mkdtemp()) / "finished")
    return subprocess.Popen([sys.executable, __file__, os.environ[_FINISHED]], cwd=PACKAGE.parent)


def wait() -> None:
    """Wait until all is compiled, where somebody has begun to."""
    finished, deadline = Path(os.environ.get(_FINISHED, os.devnull)), time.monotonic() + _PATIENCE_S
    while not finished.exists() and time.monotonic() < deadline:
        time.sleep(0.1)


def end(compiling: subprocess.Popen[bytes]) -> None:
    """Leave no process and no file."""
    compiling.kill()
    compiling.wait()
    shutil.rmtree(Path(os.environ.pop(_FINISHED)).parent, ignore_errors=True)


def main(finished: Path) -> None:
    """Compile, and say so."""
    try:
        from gemmviz.engine.analysis.ahead import compile_all, copy_ordinary

        compile_all()
        copy_ordinary(user_cache_path("gemmviz", appauthor=False) / "confined" / "numba")
    finally:
        finished.touch()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
