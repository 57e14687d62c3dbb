"""A person's own kernel may crash the process that runs it; then a second process is there to say so."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from gemmviz.cli.faults import FAILED, INTERRUPTED, complain

_INSIDE = "GEMMVIZ_GUARDED"
_GRACE_S = 5.0


def crash_guarded(arguments: list[str]) -> int:
    """Run the command line; with a kernel file of the user's, in a child process whose crash is reported."""
    has_user_kernel = any(word == "--kernel-file" or word.startswith("--kernel-file=") for word in arguments)
    if not has_user_kernel or _INSIDE in os.environ:
        from gemmviz.cli.app import run_app

        return run_app(arguments)
    child = subprocess.Popen([sys.executable, "-m", "gemmviz", *arguments], env={**os.environ, _INSIDE: "1"})
    code = _wait(child)
    if code >= 0:
        return code
    reason = (
        f"the process that ran the kernel was ended by {_signal_name(-code)}: "
        "most likely the kernel reads or writes outside its arrays"
    )
    complain(reason)
    if "--json" in arguments:
        import json

        from gemmviz.cli.document import FORMAT

        error = {"kernel": _kernel_file(arguments), "reason": reason}
        print(json.dumps({"format": FORMAT, "runs": [], "errors": [error]}))
    return FAILED


def _wait(child: subprocess.Popen[bytes]) -> int:
    """The child's exit code. Ctrl-C reaches the child as well; one that does not end by itself is ended."""
    try:
        return child.wait()
    except KeyboardInterrupt:
        try:
            return child.wait(_GRACE_S)
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            child.kill()
            child.wait()
            complain("stopped; nothing was written")
            return INTERRUPTED


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _kernel_file(arguments: list[str]) -> str:
    for word, following in zip(arguments, [*arguments[1:], ""], strict=True):
        if word == "--kernel-file":
            return following
        if word.startswith("--kernel-file="):
            return word.partition("=")[2]
    return ""
