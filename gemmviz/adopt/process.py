"""The process that a file is looked at in: `python -m gemmviz.adopt.process`, started by `apart.py`.

It confines itself before it loads a library or reads the file. A request comes on standard input; what is found goes to
the folder that it names.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path

from gemmviz.engine.sandbox.attempts import Attempt
from gemmviz.engine.sandbox.confined import confine
from gemmviz.engine.sandbox.confinement import beginning_of, confinement_of, sources_of

ANSWER, REASON, PROGRESS = "answer.json", "reason.txt", "progress.json"
"""Files of the folder: what was found, why nothing was, and what is being done."""
FAILED = 1
_NEED_BYTES = 1 << 30
"""What the matrices of all tries take at most."""


def main() -> None:
    """Look at the file that standard input names; leaves with an exit code."""
    request = json.loads(sys.stdin.buffer.read())
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    path, folder = Path(request["file"]), Path(request["folder"])

    def tell(attempt: Attempt) -> int:
        (folder / REASON).write_text(attempt.words, encoding="utf-8")
        return FAILED

    sources = sources_of(path, beginning_of(path))
    confine(confinement_of(sources, _NEED_BYTES, folder, starts_compilers=True, uses_gpu=False), tell)
    _look(path, folder, request["entry"], request["budget_s"])
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(0)  # a compiler that did not end in time may still run


def _look(path: Path, folder: Path, entry: str, budget_s: float) -> None:
    from gemmviz.adopt.finding import Step
    from gemmviz.adopt.look import look_at
    from gemmviz.catalogue.header import HeaderError
    from gemmviz.catalogue.loader import read_source
    from gemmviz.domain.session_codec import encode

    def progress(step: Step) -> None:
        with suppress(OSError):
            (folder / f"{PROGRESS}.new").write_text(json.dumps(encode(step)[0]), encoding="utf-8")
            (folder / f"{PROGRESS}.new").replace(folder / PROGRESS)

    try:
        text = read_source(path)
    except HeaderError as error:
        (folder / REASON).write_text(str(error), encoding="utf-8")
        return
    found, _ = encode(look_at(path, text, entry, budget_s, progress))
    (folder / ANSWER).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
