"""The options of `gemmviz run`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gemmviz.cli.faults import BadInputError
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
    Fill,
    Force,
    KernelFiles,
    RunPython,
    Seed,
    SessionOut,
    Size,
    TimeLimit,
)
from gemmviz.cli.options.kernel_name import several_names
from gemmviz.cli.options.option_numbers import number_of
from gemmviz.cli.terminal import print_error

_FORMER = (
    "--block of `run` is deprecated: write --launch-block for the threads of a block. Elsewhere --block is a block of "
    "the grid."
)


def run(
    kernels: Annotated[
        list[str] | None,
        typer.Argument(metavar="KERNEL", help="Kernels to run; `gemmviz kernels` lists them, `all` runs every kernel."),
    ] = None,
    kernel: Annotated[
        str | None,
        typer.Option("--kernel", metavar="NAME[,NAME…|all]", help="Another way to give KERNEL."),
    ] = None,
    size: Size = None,
    preset: Annotated[
        str | None,
        typer.Option(
            "--preset",
            metavar="PRESET",
            help="Use the settings of a preset, which `gemmviz kernels` lists; other options override them.",
        ),
    ] = None,
    param: Annotated[
        list[str] | None,
        typer.Option(
            "--param",
            metavar="NAME=VALUE[,VALUE…]",
            help="Set a parameter of the kernels; several values make a sweep.",
        ),
    ] = None,
    device: Annotated[
        str | None,
        typer.Option(
            "--device",
            metavar="ID",
            help="Device to run GPU kernels on (default an NVIDIA GPU, else an OpenCL device); `gemmviz devices` lists "
            "them.",
        ),
    ] = None,
    kernel_file: KernelFiles = None,
    run_python: RunPython = False,
    entry: Entry = None,
    template: Template = None,
    args: Arguments = None,
    launch_block: LaunchBlock = None,
    block: Annotated[str | None, typer.Option("--block", hidden=True)] = None,
    grid: Grid = None,
    shared_bytes: SharedBytes = None,
    layout: Layout = None,
    element_type: ElementType = None,
    alpha: Alpha = None,
    beta: Beta = None,
    start: StartOfC = None,
    fill: Fill = None,
    seed: Seed = 0,
    mode: Annotated[
        str,
        typer.Option("--mode", metavar="cold|hot", help="cold: overwrite the caches before each sample; hot: do not."),
    ] = "cold",
    budget: Annotated[
        float,
        typer.Option(
            "--budget",
            parser=number_of("--budget"),
            metavar="SECONDS",
            help="Longest time to spend on the samples of one kernel.",
        ),
    ] = 10.0,
    time_limit: TimeLimit = 60.0,
    out: SessionOut = None,
    force: Force = False,
    as_json: AsJson = False,
) -> int:
    """Run kernels: time them, check their results in float64, compare them with the CPU."""
    from gemmviz.cli.run.experiment import run_and_print
    from gemmviz.cli.run.request import read_request

    if block is not None:
        if launch_block is not None:
            raise BadInputError(f"--launch-block and --block exclude each other: {_FORMER}")
        print_error(_FORMER)
        launch_block = block
    given: dict[str, Any] = {
        "kernel": several_names(kernels or [], kernel),
        "size": size,
        "preset": preset,
        "param": param or [],
        "device": device,
        "kernel_file": kernel_file or [],
        "fill": fill,
        "seed": seed,
        "mode": mode,
        "budget": budget,
        "time_limit": time_limit,
        "out": out,
        "force": force,
        "run_python": run_python,
        "description": description_of(
            entry, template, args, launch_block, grid, shared_bytes, layout, element_type, alpha, beta, start
        ),
    }
    request = read_request(**given)
    return run_and_print(request, as_json)
