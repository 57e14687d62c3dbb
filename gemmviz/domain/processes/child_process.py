"""The one place that starts other programs: compilers, ffmpeg, the process that a person's own kernel runs in.

What is started here dies with this process, however that ends, and takes everything with it that it started itself.
On POSIX systems a small supervisor (`supervisor.py`) stands between the two and waits for the end of a pipe that
only this process holds open; on Windows all belong to a job object that the system closes with this process.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

_SUPERVISOR = Path(__file__).with_name("supervisor.py")
_END_S = 5.0
"""How long the supervisor may take to end what it started, before it is killed itself."""


class ChildProcess:
    """A started program. Made by `child_process`."""

    def __init__(self, process: subprocess.Popen[bytes], lifeline: int | None) -> None:
        self._process, self._lifeline = process, lifeline

    @property
    def stdin(self) -> IO[bytes]:
        """The writing end of its standard input; only of one that was given a pipe."""
        assert self._process.stdin is not None
        return self._process.stdin

    def wait(self, limit_s: float | None = None) -> int:
        """Wait for its end: the exit code, a signal's with a minus.

        Raises:
            TimeoutError: it has not ended within `limit_s`, and goes on.
        """
        try:
            return self._process.wait(limit_s)
        except subprocess.TimeoutExpired as error:
            raise TimeoutError(f"it did not end within {error.timeout:g} s") from error

    def communicate(self, given: bytes | None, limit_s: float | None) -> tuple[bytes, bytes]:
        """Hand over standard input, and read both outputs until it ends.

        Raises:
            TimeoutError: it has not ended within `limit_s`, and goes on.
        """
        try:
            return self._process.communicate(given, limit_s)
        except subprocess.TimeoutExpired as error:
            raise TimeoutError(f"it did not end within {error.timeout:g} s") from error

    def end(self) -> None:
        """End it, and what it started, if it has not ended; returns when it has."""
        if self._lifeline is not None:
            lifeline, self._lifeline = self._lifeline, None
            os.close(lifeline)
        else:
            self._process.kill()
        try:
            self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


@contextmanager
def child_process(
    command: Sequence[str],
    *,
    stdin: int | IO[Any] = subprocess.DEVNULL,
    stdout: int | IO[Any] = subprocess.DEVNULL,
    stderr: int | IO[Any] = subprocess.DEVNULL,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    leftovers: Sequence[Path] = (),
) -> Iterator[ChildProcess]:
    """A program that runs, and has ended when the block is left. It never hears Ctrl+C in the terminal.

    `leftovers` are files and folders that are removed where this process dies before the block is left.

    Raises:
        OSError: there is no such program, or it cannot be started.
    """
    program = shutil.which(command[0])
    if program is None:
        raise FileNotFoundError(errno.ENOENT, "there is no such program, or it may not be run", command[0])
    started = _start([program, *command[1:]], stdin, stdout, stderr, folder, environment, leftovers)
    try:
        yield started
    finally:
        started.end()


def run(
    command: Sequence[str], limit_s: float, folder: Path | None = None, leftovers: Sequence[Path] = ()
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, and keep what it writes. What it started itself ends with it.

    Raises:
        TimeoutError: it did not end within `limit_s`, and was ended.
        OSError: it cannot be started.
    """
    pipe = subprocess.PIPE
    with child_process(command, stdout=pipe, stderr=pipe, folder=folder, leftovers=leftovers) as child:
        out, err = child.communicate(None, limit_s)
        code = child.wait()
    return subprocess.CompletedProcess(list(command), code, out.decode(errors="replace"), err.decode(errors="replace"))


if sys.platform == "win32":
    from gemmviz.domain.processes.windows_job import assign_to_job

    def _start(
        command: list[str],
        stdin: int | IO[Any],
        stdout: int | IO[Any],
        stderr: int | IO[Any],
        folder: Path | None,
        environment: Mapping[str, str] | None,
        leftovers: Sequence[Path],
    ) -> ChildProcess:
        del leftovers  # the next start removes them
        process = subprocess.Popen(
            command,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            cwd=folder,
            env=environment,
            creationflags=subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP,
        )
        assign_to_job(process)
        return ChildProcess(process, None)

else:

    def _start(
        command: list[str],
        stdin: int | IO[Any],
        stdout: int | IO[Any],
        stderr: int | IO[Any],
        folder: Path | None,
        environment: Mapping[str, str] | None,
        leftovers: Sequence[Path],
    ) -> ChildProcess:
        reading, lifeline = os.pipe()
        try:
            process = subprocess.Popen(
                [
                    *(sys.executable, "-I", "-S", str(_SUPERVISOR), str(reading)),
                    *(str(path.absolute()) for path in leftovers),
                    "--",
                    *command,
                ],
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                cwd=folder,
                env=environment,
                pass_fds=(reading,),
                start_new_session=True,
            )
        except BaseException:
            os.close(lifeline)
            raise
        finally:
            os.close(reading)
        return ChildProcess(process, lifeline)
