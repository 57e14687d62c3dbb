"""The options of `gemmviz referee`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

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
from gemmviz.cli.options.common_options import (
    AsJson,
    Force,
    KernelFiles,
    OneKernel,
    OneKernelOption,
    Parameters,
    RunPython,
)
from gemmviz.cli.options.kernel_name import one_name
from gemmviz.cli.options.option_numbers import number_of, path_of


def referee(
    kernel: OneKernel = None,
    kernel_option: OneKernelOption = None,
    param: Parameters = None,
    kernel_file: KernelFiles = None,
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
    device: Annotated[
        str | None,
        typer.Option(
            "--device",
            metavar="ID",
            help="Device to launch on (default the PTX machine); `gemmviz devices` lists them.",
        ),
    ] = None,
    time_limit: Annotated[
        float,
        typer.Option(
            "--time-limit", parser=number_of("--time-limit"), metavar="SECONDS", help="Time limit for all examinations."
        ),
    ] = 600.0,
    page: Annotated[
        Path | None,
        typer.Option(
            "--page",
            parser=path_of("--page"),
            metavar="F.png|F.svg|F.pdf|F.csv",
            help="Write the verdict as one page, or every case as a table.",
        ),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> int:
    """Judge a kernel by examinations; exit code 1 if it is wrong, 4 if it could not be examined."""
    from gemmviz.cli.referee.report import read_referee_request, referee_and_print

    description = description_of(
        entry, template, args, launch_block, grid, shared_bytes, layout, element_type, alpha, beta, start
    )
    given: dict[str, Any] = {
        "kernel": one_name(kernel, kernel_option),
        "param": param or [],
        "kernel_file": kernel_file or [],
    }
    request = read_referee_request(
        description=description,
        device=device,
        time_limit=time_limit,
        page=page,
        force=force,
        run_python=run_python,
        **given,
    )
    return referee_and_print(request, as_json)
