"""The process that a kernel is judged in: `python -m gemmviz.referee.process`, started by `confined_process.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gemmviz.engine.confined_child import work_confined

_NEED_BYTES = 1 << 30
"""What the matrices of all examinations take at most."""


def _judge(request: dict[str, Any], folder: Path) -> None:
    from dataclasses import replace

    from gemmviz.backends.registry import NoDeviceError, find_device
    from gemmviz.catalogue.header import HeaderError
    from gemmviz.catalogue.loader import load_kernel
    from gemmviz.engine.confined_process import AnswerFolder
    from gemmviz.engine.own_kernel_file import load_described_kernel, load_own_kernel
    from gemmviz.measure.bench import Watch
    from gemmviz.referee.judge import judge

    left, path = AnswerFolder(folder), Path(request["file"])
    try:
        if request["description"]:
            kernel = load_described_kernel(path, request["description"])
        else:
            kernel = load_kernel(path) if request["is_shipped"] else load_own_kernel(path)
        places = tuple((key, place) for key, place in request["places"])  # a description handed on has lost its file
        kernel = replace(kernel, id=request["kernel"], places=places)
        device = find_device(request["device"])
    except (HeaderError, NoDeviceError) as error:
        left.refuse(str(error))
        return
    params = tuple((name, value) for name, value in request["params"])
    limits = request["launch_limit_s"], request["budget_s"]
    left.answer(judge(kernel, params, device, Watch(left.say), *limits, is_alone=request["is_alone"]))


if __name__ == "__main__":
    work_confined(_judge, _NEED_BYTES)
