"""Options that several commands have, with their help texts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gemmviz.cli.options.option_numbers import number_of, path_of, whole_number_of
from gemmviz.domain.terms import COMPILED_NOTE
from gemmviz.domain.terms import Fill as Fills

OneKernel = Annotated[
    str | None, typer.Argument(metavar="KERNEL", help="Name of the kernel; `gemmviz kernels` lists them.")
]
OneKernelOption = Annotated[str | None, typer.Option("--kernel", metavar="NAME", help="Another way to give KERNEL.")]
Size = Annotated[
    str | None, typer.Option("--size", metavar="MxNxK", help="Size of the product, for instance 512x512x256.")
]
Fill = Annotated[
    str | None,
    typer.Option("--fill", metavar="FILL", help=f"How to fill A and B: {', '.join(Fills)} (default {Fills.UNIFORM})."),
]
SavedSession = Annotated[
    Path, typer.Argument(parser=path_of("FILE.gemmviz"), metavar="FILE.gemmviz", help="Saved session.")
]
Seed = Annotated[
    int,
    typer.Option(
        "--seed", parser=whole_number_of("--seed"), metavar="NUMBER", help="Seed for random fills, 0 or more."
    ),
]


def _kernel_file(endings: str) -> Any:
    """The option for a person's own kernel files with one of these endings."""
    parser, words = path_of("--kernel-file"), f"Your own kernel file: {endings}."
    return typer.Option("--kernel-file", parser=parser, metavar="FILE", help=words)


KernelFiles = Annotated[list[Path] | None, _kernel_file(".cu, .cuh, .cl, .ptx or .py")]
NvidiaKernelFiles = Annotated[list[Path] | None, _kernel_file(".cu, .cuh, .ptx or .py")]
"""In a language for NVIDIA GPUs."""
CudaKernelFiles = Annotated[list[Path] | None, _kernel_file(".cu or .cuh")]
RunPython = Annotated[
    bool,
    typer.Option(
        "--run-python", help="Your own file is Python (Triton, Numba, some of CuPy): run it, confined, to compile it."
    ),
]
SessionOut = Annotated[
    Path | None,
    typer.Option("--out", parser=path_of("--out"), metavar="F.gemmviz", help="Save the session to this file."),
]
TimeLimit = Annotated[
    float,
    typer.Option(
        "--time-limit",
        parser=number_of("--time-limit"),
        metavar="SECONDS",
        help="Time limit for one launch, and for compiling (there at least 10 s).",
    ),
]
Target = Annotated[
    str | None,
    typer.Option(
        "--target",
        metavar="sm_XX|GPU",
        help="Record on the PTX machine, compiled for this architecture or GPU, for instance sm_80 or A100 "
        "(default sm_90a).",
    ),
]
Form = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="written|compiled|both",
        help="Record the accesses of the source, of what NVIDIA's compiler made of it, or both beside each other "
        f"(default written; compiled for kernels that run by CUDA alone). {COMPILED_NOTE}",
    ),
]
BlockIndex = Annotated[str | None, typer.Option("--block", metavar="BX,BY", help="Block to record (default 0,0).")]
RecordingDevice = Annotated[
    str | None,
    typer.Option(
        "--device",
        metavar="ID",
        help="Device to record on; `gemmviz devices` lists them. The default is an NVIDIA GPU that records the kernel, "
        "otherwise the PTX machine; --as both and --values need the PTX machine.",
    ),
]
WithValues = Annotated[
    bool, typer.Option("--values", help="Print a thread's variables at each barrier (on the PTX machine).")
]
ThreadIndex = Annotated[
    str | None, typer.Option("--thread", metavar="X,Y,Z", help="Thread whose variables to print (default 0,0).")
]
Parameters = Annotated[
    list[str] | None, typer.Option("--param", metavar="NAME=VALUE", help="Set a parameter of the kernel.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace existing files, but never through a link.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]
