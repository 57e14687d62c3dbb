"""The process that a file is looked at in: `python -m gemmviz.adopt.process`, started by `confined_process.py`.

It confines itself before it loads a library or reads the file. A request comes on standard input; what is found goes to
the folder that it names.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from gemmviz.engine.confined_child import work_confined

_NEED_BYTES = 1 << 30
"""What the matrices of all tries take at most."""


def _look(request: dict[str, Any], folder: Path) -> None:
    from gemmviz.adopt.finding import AdoptionStep, Findings
    from gemmviz.adopt.look import look_at
    from gemmviz.backends.registry import NoDeviceError, find_device
    from gemmviz.catalogue.header import HeaderError
    from gemmviz.catalogue.loader import read_source
    from gemmviz.domain.session.codec import encode
    from gemmviz.engine.confined_process import AnswerFolder

    def tell(step: AdoptionStep) -> None:
        left.say(json.dumps(encode(step)[0]))

    path, left = Path(request["file"]), AnswerFolder(folder)
    try:
        text = read_source(path)
        device = find_device(request["device"]) if request["device"] else None
    except (HeaderError, NoDeviceError) as error:
        left.answer(Findings((), (), str(error)))
        return
    may_run_python = bool(request["may_run_python"])
    entry, budget_s = request["entry"], request["budget_s"]
    left.answer(
        look_at(
            path,
            text,
            entry,
            budget_s,
            tell,
            may_run_python=may_run_python,
            device=device,
            must_run_there=bool(request["must_run_there"]),
            spent_s=max(0.0, time.time() - request["began_at"]),
            has_hard_limit=bool(request["has_hard_limit"]),
            on_part=left.answer_in_part,
        )
    )


if __name__ == "__main__":
    work_confined(_look, _NEED_BYTES)
