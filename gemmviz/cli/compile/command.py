"""The options of `gemmviz compile`."""

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
from gemmviz.cli.options.common_options import (
    AsJson,
    Force,
    NvidiaKernelFiles,
    OneKernel,
    OneKernelOption,
    Parameters,
    RunPython,
)
from gemmviz.cli.options.kernel_name import one_name
from gemmviz.cli.options.option_numbers import number_of, path_of


def compile_(
    kernel: OneKernel = None,
    kernel_option: OneKernelOption = None,
    param: Parameters = None,
    kernel_file: NvidiaKernelFiles = None,
    gpu: Annotated[
        str | None,
        typer.Option(
            "--gpu",
            metavar="NAME",
            help='GPU to compile for, for instance "RTX 4090"; it need not be installed (default H100).',
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            "--target", metavar="sm_XX", help="Architecture to compile for, for instance sm_90a (default the GPU's)."
        ),
    ] = None,
    form: Annotated[
        str,
        typer.Option("--as", metavar="compiled|written", help="compiled: optimised, as for a run; written: with -G."),
    ] = "compiled",
    ptx: Annotated[
        Path | None,
        typer.Option("--ptx", parser=path_of("--ptx"), metavar="F.ptx|-", help="Write the PTX; - prints it."),
    ] = None,
    sass: Annotated[
        Path | None,
        typer.Option("--sass", parser=path_of("--sass"), metavar="F.sass|-", help="Write the SASS; - prints it."),
    ] = None,
    size: Annotated[
        str | None,
        typer.Option("--size", metavar="MxNxK", help="Size of the product, for few kernels of effect on their code."),
    ] = None,
    time_limit: Annotated[
        float,
        typer.Option(
            "--time-limit",
            parser=number_of("--time-limit"),
            metavar="SECONDS",
            help="Time limit for compiling; below 10 s it is 10 s.",
        ),
    ] = 60.0,
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
    force: Force = False,
    as_json: AsJson = False,
) -> int:
    """Compile a kernel for NVIDIA GPUs without a GPU: registers, spills, occupancy, PTX and SASS."""
    from gemmviz.cli.compile.request import read_compile_request

    request = read_compile_request(
        kernel=one_name(kernel, kernel_option),
        param=param or [],
        kernel_file=kernel_file or [],
        gpu=gpu,
        target=target,
        form=form,
        ptx=ptx,
        sass=sass,
        size=size,
        time_limit=time_limit,
        run_python=run_python,
        description=description_of(
            entry, template, args, launch_block, grid, shared_bytes, layout, element_type, alpha, beta, start
        ),
        force=force,
        as_json=as_json,
    )
    from gemmviz.cli.compile.report import compile_and_print  # loads the compilers: nothing refused waits for it

    return compile_and_print(request, as_json)
