"""Options with values that cannot be: each is refused before anything starts, with option, value and what is right."""

from __future__ import annotations

from collections.abc import Iterator

from fault_record.case import Case
from fault_record.scratch import Scratch, check_refused

_NO_NUMBER = (
    "",
    " ",
    "x",
    "nan",
    "inf",
    "-inf",
    "1e999",
    "-1",
    "0x10",
    "1_0",
    "١",
    "１",
    "1,5",
    "1 s",
    "+",
    "--",
    "9" * 500,
    "1\n",
)
_NO_SIZES = (
    "",
    "x",
    "8",
    "8x8",
    "8x8x8x8",
    "8x8x",
    "0x8x8",
    "8x0x8",
    "8x8x0",
    "-8x8x8",
    "+8x8x8",
    " 8x8x8",
    "8x8x8 ",
    "8 x8x8",
    "8.0x8x8",
    "8e1x8x8",
    "1_0x8x8",
    "٨x8x8",
    "0x10x8x8",
    "8×8×8x",
    "16777217x1x1",
    "16777216x16777216x1",
    "9" * 400 + "x1x1",
    "8x8x8\n",
    "8,8,8",
    "MxNxK",
)
_NO_PARAMETERS = (
    "",
    "TILE",
    "TILE=",
    "=8",
    "TILE=x",
    "TILE=0",
    "TILE=-8",
    "TILE=8.5",
    "TILE=8,",
    "TILE=8,x",
    "TILE=٨",
    "TILE=1e1",
    "TILE=" + "9" * 300,
    "TILE=7",
    "tile=8",
    "NOTHING=8",
    "TILE=8=8",
    "T\x1b[31mILE=8",
    "TILE=8\n",
)
_RUN = ("run", "--kernel", "tiled", "--size", "8x8x8")
_TRACE = ("trace", "--kernel", "tiled", "--size", "8x8x8")


def cases() -> Iterator[Case]:
    """Every option with every value that is none."""
    for command in (_RUN, _TRACE):
        for value in _NO_NUMBER:
            for option in ("--seed", "--time-limit"):
                yield _refused(*command, option, value)
        for value in _NO_PARAMETERS:
            yield _refused(*command, "--param", value)
    for value in _NO_NUMBER:
        yield _refused(*_RUN, "--budget", value)
    yield _refused(*_RUN, "--budget", "0")
    for value in ("0", "1e-9"):
        yield _refused(*_RUN, "--time-limit", value)
        yield _refused(*_TRACE, "--time-limit", value)
    for value in _NO_SIZES:
        yield _refused("run", "--kernel", "tiled", "--size", value)
        yield _refused("trace", "--kernel", "tiled", "--size", value)
    for name in ("", "nothing", "tiled,", ",tiled", "tiled,nothing", "../tiled", "tiled\x1b", "[/red]", "-"):
        yield _refused("run", "--size", "8x8x8", "--kernel", name)
        yield _refused("trace", "--size", "8x8x8", "--kernel", name)
    for option, values in (
        ("--fill", ("", "x", "uniform,zeros", "[bold]")),
        ("--mode", ("", "warm", "COLD\x1b")),
        ("--device", ("", "x", "cuda:99", "opencl:99:99", "[/]", "\x1b[2J")),
        ("--preset", ("", "nothing", "[/red]")),
    ):
        for value in values:
            yield _refused(*_RUN, option, value)
    for value in ("", "0,0,0,0", "-1,0", "9,9", "a,b", "٠,٠", "0,", "1e1,0", "9" * 100 + ",0"):
        yield _refused(*_TRACE, "--block", value)
    for words in (("nothing",), ("--nothing",), ("run", "--nothing"), ("run",), ("trace",), ("report",), ("export",)):
        yield _refused(*words)


def _refused(*words: str) -> Case:
    def attempt(scratch: Scratch) -> None:
        check_refused(scratch.run(*words, limit_s=20.0), (2,), ".")
        scratch.check_nothing_left()

    shown = " ".join(repr(word) if not word.isprintable() or not word.strip() else word for word in words)
    return Case("options", shown if len(shown) < 90 else f"{shown[:60]}… ({len(shown)} characters)", attempt)
