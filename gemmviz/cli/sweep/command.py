"""The options of `gemmviz sweep`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gemmviz.cli.options.call_options import (
    Alpha,
    Arguments,
    Beta,
    ElementType,
    Entry,
    Grid,
    LaunchBlock,
    Layout,
    SharedBytes,
    StartOfC,
    Template,
    description_of,
)
from gemmviz.cli.options.common_options import AsJson, Force, KernelFiles, OneKernel, OneKernelOption, RunPython
from gemmviz.cli.options.kernel_name import one_name
from gemmviz.cli.options.option_numbers import number_of, path_of


def sweep(
    kernel: OneKernel = None,
    kernel_option: OneKernelOption = None,
    over: Annotated[
        str | None,
        typer.Option(
            "--over",
            metavar="NAME[,NAME…]",
            help="Parameters to sweep, all their values (default those of --param with several values, else all).",
        ),
    ] = None,
    param: Annotated[
        list[str] | None,
        typer.Option(
            "--param",
            metavar="NAME=VALUE[,VALUE…]",
            help="Values to take in place of all choices, further ones are tried.",
        ),
    ] = None,
    size: Annotated[
        str,
        typer.Option(
            "--size", metavar="MxNxK", help="Size to record a block at; at most 1024x1024x256 if the kernel takes that."
        ),
    ] = "1024x1024x256",
    kernel_file: KernelFiles = None,
    gpu: Annotated[
        str | None,
        typer.Option(
            "--gpu", metavar="NAME", help='GPU to compile for, for instance "RTX 4090"; it need not be installed.'
        ),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option("--csv", parser=path_of("--csv"), metavar="F.csv", help="Write the table to this file."),
    ] = None,
    run_python: RunPython = False,
    entry: Entry = None,
    template: Template = None,
    args: Arguments = None,
    launch_block: LaunchBlock = None,
    grid: Grid = None,
    shared_bytes: SharedBytes = None,
    layout: Layout = None,
    element_type: ElementType = None,
    alpha: Alpha = None,
    beta: Beta = None,
    start: StartOfC = None,
    time_limit: Annotated[
        float,
        typer.Option(
            "--time-limit",
            parser=number_of("--time-limit"),
            metavar="SECONDS",
            help="Time limit for one launch on the PTX machine, and for compiling (there at least 10 s).",
        ),
    ] = 20.0,
    force: Force = False,
    as_json: AsJson = False,
) -> int:
    """Compare the settings of a kernel without a GPU: registers, occupancy, requests, conflicts, result."""
    from gemmviz.cli.sweep.request import read_sweep_request

    request = read_sweep_request(
        over=over,
        csv=csv,
        gpu=gpu,
        kernel=one_name(kernel, kernel_option),
        size=size,
        param=param or [],
        kernel_file=kernel_file or [],
        time_limit=time_limit,
        run_python=run_python,
        force=force,
        description=description_of(
            entry, template, args, launch_block, grid, shared_bytes, layout, element_type, alpha, beta, start
        ),
    )
    from gemmviz.cli.sweep.report import sweep_and_print  # loads Numba: nothing that is refused waits for it

    return sweep_and_print(request, as_json)
