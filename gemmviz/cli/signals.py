"""How Ctrl+C, SIGTERM and SIGHUP end a command: within a second, with one line, and with nothing left behind.

The signal is raised as an exception in the main thread, so that children are ended and temporary files removed on the
way out. Where the main thread does not come to that, because a compiler or a library keeps it, another thread, which
Python wakes through a pipe, ends the process in its place.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

from gemmviz.domain.files.leftovers import remove_own_leftovers

GRACE_S = 0.7
"""How long the main thread may take to end by itself."""

_ENDING = tuple(signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGHUP") if name in signal.Signals.__members__)
_SHOW_CURSOR = b"\r\x1b[2K\x1b[?25h"
"""Of a terminal in which a progress bar is drawn: the line cleared, the cursor shown."""


class Signalled(BaseException):
    """A signal asks the command to end. No Exception, nor a KeyboardInterrupt: nobody on the way answers it.

    `left` says what the command leaves, where it knows better than from the start.
    """

    def __init__(self, number: int, left: str = "") -> None:
        super().__init__(number)
        self.number, self.left = number, left


class _Ending:
    """What is known about the end of the command that runs."""

    number: int | None = None
    """The first signal that asked for it."""
    is_put_off = False
    """Whether the exception waits for a moment of the command's own."""

    def hear(self, number: int, _frame: FrameType | None) -> None:
        """The handler of every signal in _ENDING; a second one changes nothing, since the end is on its way."""
        if self.number is None:
            self.number = number
            if not self.is_put_off:
                raise Signalled(number)

    def check(self) -> None:
        """Raise what was put off."""
        if self.number is not None:
            raise Signalled(self.number)


_ending = _Ending()


@contextmanager
def ended_by_signals(left: str) -> Iterator[None]:
    """Inside, a signal ends the command by `Signalled`; where nothing comes of that in GRACE_S, it ends the process.

    A signal that was ignored from the start, as by nohup, stays so. `left` says what the command leaves. For the main
    thread; in another one nothing is changed.
    """
    global _ending
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ending = _ending = _Ending()
    heard = [number for number in _ENDING if signal.getsignal(number) not in (signal.SIG_IGN, None)]
    reading, writing = socket.socketpair()
    writing.setblocking(False)
    try:
        terminal = os.dup(2)  # while a compiler runs, standard error itself may be turned away
    except OSError:
        terminal = -1
    watcher = threading.Thread(target=_watch, args=(reading, left, terminal), name="signals", daemon=True)
    watcher.start()
    woken_before = signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
    before = {number: signal.signal(number, ending.hear) for number in heard}
    try:
        yield
    finally:
        if ending.number is None:  # else one more would end the process before it has said why it ends
            for number, handler in before.items():
                signal.signal(number, handler)
        signal.set_wakeup_fd(woken_before)
        writing.close()
        watcher.join()


@contextmanager
def heard_between_steps() -> Iterator[Callable[[], None]]:
    """While the block runs a signal is only noted; the function that is handed out raises it, and is called often.

    Inside Qt's painters an exception would end as a complaint of Qt's.
    """
    _ending.is_put_off = True
    try:
        yield _ending.check
    finally:
        _ending.is_put_off = False


def ignore_signals() -> None:
    """Hear no signal any more: the command ends."""
    for number in _ENDING:
        signal.signal(number, signal.SIG_IGN)


def end_words(number: int, left: str) -> str:
    """What is said about a command that a signal ended."""
    how = "stopped" if number == signal.SIGINT else f"ended by {signal.Signals(number).name}"
    return f"{how}; {left}"


def exit_code(number: int) -> int:
    """The exit code that a shell gives a command that a signal ended: 130 after Ctrl+C."""
    return 128 + number


def _watch(pipe: socket.socket, left: str, terminal: int) -> None:
    """Wait for the first signal, then for the end of the command; end the process where that does not come."""
    with pipe:
        while numbers := pipe.recv(64):
            asked = [number for number in numbers if number in _ENDING]
            if asked:
                _wait_for_the_end(pipe)
                if not _is_closed(pipe):
                    _end_at_once(asked[0], left, terminal)
    with suppress(OSError):
        os.close(terminal)


def _wait_for_the_end(pipe: socket.socket) -> None:
    """Return when the command has ended, after GRACE_S, or when another signal says that somebody will not wait."""
    select.select([pipe], [], [], GRACE_S)


def _is_closed(pipe: socket.socket) -> bool:
    ready, _, _ = select.select([pipe], [], [], 0)
    return bool(ready) and not pipe.recv(64, socket.MSG_PEEK)


def _end_at_once(number: int, left: str, terminal: int) -> NoReturn:
    remove_own_leftovers()
    line = f"gemmviz: {end_words(number, left)}\n".encode()
    with suppress(OSError):
        os.write(terminal, _SHOW_CURSOR + line if os.isatty(terminal) else line)
    os._exit(exit_code(number))  # children end with this process
