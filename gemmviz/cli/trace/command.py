"""The options of `gemmviz trace`."""

from __future__ import annotations

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
    BlockIndex,
    Fill,
    Force,
    Form,
    KernelFiles,
    OneKernel,
    OneKernelOption,
    Parameters,
    RecordingDevice,
    RunPython,
    Seed,
    SessionOut,
    Size,
    Target,
    ThreadIndex,
    TimeLimit,
    WithValues,
)
from gemmviz.cli.options.kernel_name import one_name


def trace(
    kernel: OneKernel = None,
    kernel_option: OneKernelOption = None,
    size: Size = None,
    param: Parameters = None,
    block: BlockIndex = None,
    all_blocks: Annotated[
        bool,
        typer.Option(
            "--all-blocks",
            help="Record all blocks of the grid. If there are at most 16 and the product is small (M·N·K up to "
            "64·64·64), all can be played, otherwise only the first.",
        ),
    ] = False,
    device: RecordingDevice = None,
    target: Target = None,
    form: Form = None,
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
    values: WithValues = False,
    thread: ThreadIndex = None,
    fill: Fill = None,
    seed: Seed = 0,
    time_limit: TimeLimit = 60.0,
    out: SessionOut = None,
    force: Force = False,
    as_json: AsJson = False,
) -> int:
    """Record a kernel's memory accesses and explain them; exit code 3 if there is a race or another hazard."""
    from gemmviz.cli.run.request import read_trace_request

    given: dict[str, Any] = {
        "kernel": one_name(kernel, kernel_option),
        "size": size,
        "param": param or [],
        "device": device,
        "kernel_file": kernel_file or [],
        "fill": fill,
        "seed": seed,
        "time_limit": time_limit,
        "out": out,
        "force": force,
        "run_python": run_python,
        "description": description_of(
            entry, template, args, launch_block, grid, shared_bytes, layout, element_type, alpha, beta, start
        ),
    }
    request = read_trace_request(block, all_blocks, target, form, values, thread, **given)
    from gemmviz.cli.trace.recording import trace_and_print  # loads Numba: nothing that is refused waits for it

    return trace_and_print(request, as_json)
