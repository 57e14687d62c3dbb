"""The `gemmviz` command."""

from __future__ import annotations

import os
import sys
import time


def main() -> None:
    """Run the command line and leave with its exit code, whatever the output is connected to."""
    began_at = time.time()  # what is imported below takes seconds on a busy machine, and a time limit counts them
    _fill_closed_descriptors()
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            from gemmviz.cli.output import Nowhere

            setattr(sys, name, Nowhere())
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        from gemmviz.cli.terminal import print_unforeseen

        sys.excepthook = print_unforeseen
        sys.exit(_run(began_at))
    except KeyboardInterrupt:  # before the command line hears signals itself
        os.write(2, b"gemmviz: stopped; nothing was written\n")
        os._exit(130)


def _run(began_at: float) -> int:
    from gemmviz.cli.app import run_app
    from gemmviz.cli.faults import FAILED, READER_GONE, complain

    stdout = sys.stdout
    try:
        code = run_app(sys.argv[1:], began_at)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough
        _abandon_output()
        return READER_GONE
    except OSError as error:
        _abandon_output()
        complain(f"cannot write the output: {error.strerror or error}")
        return FAILED
    if getattr(stdout, "is_missed", False):
        complain("cannot write the output: standard output is closed")
        return code or FAILED
    return code


def _fill_closed_descriptors() -> None:
    """See that no file opened later takes the place of a standard stream that the caller closed."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(descriptor)


def _abandon_output() -> None:
    """Let nothing that is still buffered be written at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


if __name__ == "__main__":
    main()
