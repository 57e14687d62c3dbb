"""What can go wrong in the machine, as exceptions."""

from __future__ import annotations

from enum import Enum, auto

from gemmviz.machine.ptx.places import Place


class OutsideAccess(Enum):
    """Which memory an access does not hit."""

    SHARED = auto()
    """The shared memory of its block."""
    NEAR = auto()
    """An array, in front of which it lies."""
    PAST_END = auto()
    """An array, past the end of which it lies."""
    FAR_PAST_END = auto()
    """Every array: it lies far past the end of the nearest one, or of that of its pointer."""
    FAR = auto()
    """Every array: it lies far from all."""


class MachineError(Exception):
    """The machine cannot do what was asked; the message is for the person who asked: `said`, behind the `line` of the
    kernel's file, 0 for none.
    """

    def __init__(self, said: str = "", line: int = 0) -> None:
        self.said, self.line = said, line
        super().__init__(self.at(line))

    def at(self, line: int) -> str:
        """The message with another line of the kernel's file, 0 for none."""
        return f"line {line}: {self.said}" if line else self.said


class NotImplementedInMachineError(MachineError):
    """An instruction, modifier or operand that the machine does not implement; the message names it and its line."""


class KernelFaultError(MachineError):
    """A kernel did something that ends a launch on a GPU as well, or that a GPU leaves undefined.

    `place` is the line of the kernel's file; `block` and `thread` are indices in x, y, z. `is_access`: it touched
    memory that it may not touch, or at an address that is not aligned; `outside` says which memory it did not hit, None
    where that is neither shared memory nor an array that the kernel was given.
    """

    def __init__(
        self,
        words: str,
        place: Place,
        block: tuple[int, int, int],
        thread: tuple[int, int, int] | None = None,
        *,
        is_access: bool = False,
        outside: OutsideAccess | None = None,
    ) -> None:
        self.words, self.place, self.block, self.thread = words, place, block, thread
        self.is_access, self.outside = is_access, outside
        who = f"thread {thread} of block {block}" if thread is not None else f"block {block}"
        who = f"{place.header}; {who}" if place.header else who
        super().__init__(f"{words} ({who})", place.line)


class DeadlockError(KernelFaultError):
    """Every warp of a block waits for another one."""


class WaitsForBlocksError(KernelFaultError):
    """Threads of a block wait for what only another block can change, which does not run and did not run before."""


class EndlessLoopError(KernelFaultError):
    """Threads are in a loop that they can never leave."""


class LaunchCancelledError(MachineError):
    """The launch was ended by who started it, or by its time limit."""
