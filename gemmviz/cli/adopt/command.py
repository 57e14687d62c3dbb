"""The options of `gemmviz adopt`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gemmviz.cli.options.common_options import AsJson, Force, RunPython
from gemmviz.cli.options.option_numbers import number_of, path_of


def adopt(
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(parser=path_of("FILE"), metavar="FILE", help="Kernel file (.cu, .cuh, .cl, .ptx or .py).")
    ],
    entry: Annotated[
        str | None, typer.Option("--entry", metavar="NAME", help="Kernel to look at; all of the file without it.")
    ] = None,
    write: Annotated[bool, typer.Option("--write", help="Write what was proven to FILE.toml beside the file.")] = False,
    time_limit: Annotated[
        float | None,
        typer.Option(
            "--time-limit",
            parser=number_of("--time-limit"),
            metavar="SECONDS",
            help="Time limit for each kernel (default 120, beside what is compiled once for all kernels).",
        ),
    ] = None,
    device: Annotated[
        str | None,
        typer.Option(
            "--device",
            metavar="ID",
            help="Device to prove it on, too (default the PTX machine alone); `gemmviz devices` lists them.",
        ),
    ] = None,
    run_python: RunPython = False,
    force: Force = False,
    as_json: AsJson = False,
) -> int:
    """Find out what a kernel file computes, by running it.

    The exit code is 0 for one kernel that is verified, 3 if it has a race or another hazard, or its host code launches
    it in a way that was not proven, 4 if it is right but for something, or no kernel was proven, or several were.
    """
    from gemmviz.cli.adopt.report import adopt_and_print

    return adopt_and_print(file, entry or "", write, time_limit, force, as_json, run_python, device, context.obj)
