"""What a guarded process is asked for, and where its answer lies: data on a pipe and files in a folder."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from gemmviz.catalogue.header import HeaderError
from gemmviz.cli.faults import BadInputError
from gemmviz.cli.run.request import CheckedRun
from gemmviz.compiler.code_cache import CodeCache
from gemmviz.domain.files.bounded_read import ReadError, read_bytes
from gemmviz.domain.session.codec import decode, encode
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params
from gemmviz.domain.terms import Fill, Mode
from gemmviz.engine.own_kernel_file import load_described_kernel, load_own_kernel

_LONGEST_REASON = 4000
_MOST_SAID = 1 << 20


class GuardedCommand(StrEnum):
    """What is done with the kernel."""

    RUN = "run"
    TRACE = "trace"
    SCHEDULE = "schedule"
    COMPILE = "compile"
    EXAMINE = "examine"


@dataclass(frozen=True, slots=True)
class GuardedRequest:
    """One command for a kernel file of a person's, with every combination of parameters.

    `kernel` is the id to use, `device` "" the preferred one. `block` is the block to record, None all; `keeps_blocks`
    whether the events of single blocks are wanted, `keeps_values` the values of variables. `exact` is the kernel whose
    C is in the answer's folder to be compared with, "" where there is none. `starts_compilers` and `uses_gpu` are what
    the request may do, `need_bytes` is the memory that the matrices take. `gpu`, `target` and `form` say what is
    compiled for, `forms` what is recorded, one after the other, "" for the usual form. `description` describes the
    kernel where its file does not.
    """

    command: GuardedCommand
    kernel_file: str
    kernel: str
    choices: tuple[Params, ...]
    shape: Shape
    fill: Fill
    seed: int
    mode: Mode
    budget_s: float
    time_limit_s: float
    device: str
    folder: str
    block: tuple[int, int, int] | None = None
    keeps_blocks: bool = True
    keeps_values: bool = False
    exact: str = ""
    starts_compilers: bool = False
    uses_gpu: bool = False
    need_bytes: int = 0
    gpu: str = ""
    target: str = ""
    form: str = ""
    forms: tuple[str, ...] = ("",)
    description: str = ""
    places: tuple[tuple[str, str], ...] = ()
    """Where the keys of the description stand in its file."""

    @property
    def answer(self) -> AnswerFiles:
        return AnswerFiles(Path(self.folder))

    def as_request(self) -> CheckedRun:
        """The request as the command line has it.

        Raises:
            BadInputError: the kernel file cannot be read.
        """
        try:
            path = Path(self.kernel_file)
            found = load_described_kernel(path, self.description) if self.description else load_own_kernel(path)
            kernel = replace(found, id=self.kernel, places=self.places)
        except HeaderError as error:
            raise BadInputError(f"--kernel-file {error}") from error
        return CheckedRun(
            jobs=tuple((kernel, params) for params in self.choices),
            is_ladder=False,
            shape=self.shape,
            fill=self.fill,
            seed=self.seed,
            mode=self.mode,
            budget_s=self.budget_s,
            time_limit_s=self.time_limit_s,
            device=self.device or None,
            out=self.answer.session,
        )


@dataclass(frozen=True, slots=True)
class AnswerFiles:
    """The files of an answer. What a foreign kernel's process wrote is read as data, and no more of it than fits."""

    folder: Path

    @property
    def session(self) -> Path:
        """What was found."""
        return self.folder / "answer.gemmviz"

    @property
    def code(self) -> CodeCache:
        """What was compiled, under the name "code"."""
        return CodeCache(self.folder / "code")

    @property
    def exact(self) -> Path:
        """C to compare with, given beforehand."""
        return self.folder / "exact.npy"

    @property
    def said(self) -> Path:
        """What the process wrote to standard error."""
        return self.folder / "said.txt"

    def exit_message(self) -> str:
        """The last line that the process wrote to standard error, "" if it wrote none."""
        try:
            lines = read_bytes(self.said, _MOST_SAID).decode(errors="replace").split("\n")
        except ReadError:
            return ""
        return next((line.strip()[:_LONGEST_REASON] for line in reversed(lines) if line.strip()), "")

    def refuse(self, reason: str) -> None:
        """Say why nothing was found."""
        self._reason.write_bytes(reason.encode(errors="replace")[:_LONGEST_REASON])

    def reason(self) -> str:
        """Why nothing was found, with each of a compiler's errors in a line of its own; "" if nobody said so."""
        try:
            lines = read_bytes(self._reason, _LONGEST_REASON).decode(errors="replace").splitlines()
        except ReadError:
            return ""
        return "\n".join(words for line in lines if (words := " ".join(line.split())))

    @property
    def _reason(self) -> Path:
        return self.folder / "reason.txt"


def to_bytes(request: GuardedRequest) -> bytes:
    """A request as it goes through the pipe."""
    tree, _ = encode(request)
    return json.dumps(tree).encode()


def from_bytes(given: bytes) -> GuardedRequest:
    """The request that `to_bytes` made these bytes of.

    Raises:
        ValueError: they are none.
    """
    return decode(json.loads(given), {}, GuardedRequest)
