"""The `gemmviz` command."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    """Run the command line and leave with its exit code, whatever the output is connected to."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the caller: there is nobody to tell
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    sys.exit(_run())


def _run() -> int:
    from gemmviz.cli.app import run_app
    from gemmviz.cli.faults import FAILED, complain

    try:
        code = run_app(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough
        _abandon_output()
        return 0
    except OSError as error:
        _abandon_output()
        complain(f"cannot write the output: {error.strerror or error}")
        return FAILED
    return code


def _abandon_output() -> None:
    """Let nothing that is still buffered be written at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


if __name__ == "__main__":
    main()
