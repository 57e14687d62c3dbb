"""The commands and their options; what they do stands in a module each."""

from __future__ import annotations

import signal
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.main import get_command

from gemmviz import __version__
from gemmviz.cli.adopt.command import adopt
from gemmviz.cli.compile.command import compile_
from gemmviz.cli.faults import BAD_INPUT, FAILED, BadInputError, FailedError, StuckError, complain, leave_at_once
from gemmviz.cli.lesson.command import lesson
from gemmviz.cli.options.common_options import (
    AsJson,
    CudaKernelFiles,
    Fill,
    Force,
    OneKernel,
    OneKernelOption,
    Parameters,
    SavedSession,
    Seed,
    SessionOut,
    Size,
    TimeLimit,
)
from gemmviz.cli.options.kernel_name import one_name
from gemmviz.cli.options.option_numbers import number_of, path_of, whole_number_of
from gemmviz.cli.output import is_broken_pipe
from gemmviz.cli.referee.command import referee
from gemmviz.cli.run.command import run
from gemmviz.cli.signals import Signalled, end_words, ended_by_signals, exit_code, ignore_signals
from gemmviz.cli.sweep.command import sweep
from gemmviz.cli.terminal import print_line
from gemmviz.cli.trace.command import trace
from gemmviz.cli.window import asks_for_window, open_window
from gemmviz.domain.files.leftovers import remove_leftovers

app = typer.Typer(
    name="gemmviz",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help=(
        "Shows what a matrix-multiplication kernel really does: C[M,N] = A[M,K] · B[K,N].\n\n"
        "`gemmviz [FILE…]` opens the window with sessions (.gemmviz) and kernel files (.cu, .cuh, .cl, .ptx, .py). "
        "The commands below need no display."
    ),
)

_UsageError: type[Any] = typer.BadParameter.__bases__[0]
"""Click's UsageError, which typer brings along but does not name."""


def run_app(arguments: list[str], began_at: float | None = None) -> int:
    """Run the command line; the exit code. `began_at` is when the program started, seconds since the epoch; None for
    now. Commands find it in their context.

    Raises:
        BrokenPipeError: whoever read the output has gone.
    """
    remove_leftovers()
    left = "files already written are complete" if arguments[:1] in (["export"], ["lesson"]) else "nothing was written"
    try:
        if asks_for_window(arguments, _command_names()):
            return open_window(arguments)
        with ended_by_signals(left):
            code = _command()(arguments, prog_name="gemmviz", standalone_mode=False, obj=began_at)
    except BadInputError as error:
        complain(str(error))
        return BAD_INPUT
    except StuckError as error:
        complain(str(error))
        leave_at_once(FAILED)
    except FailedError as error:
        complain(str(error))
        return FAILED
    except _UsageError as error:
        help_at = error.ctx.command_path if error.ctx is not None else "gemmviz"
        complain(f"{error.format_message()}{_commands_to_choose(error)} (see `{help_at} --help`)")
        return BAD_INPUT
    except SystemExit as error:
        if is_broken_pipe(error):
            raise BrokenPipeError from error
        raise
    except Signalled as ended:
        _leave_by_signal(ended.number, ended.left or left)
    except (KeyboardInterrupt, typer.Abort):
        _leave_by_signal(signal.SIGINT, left)
    finally:
        _print_notes()
    return code if isinstance(code, int) else 0


@cache
def _command() -> Any:
    """All commands with their options: Click's command, which typer would make anew at each call."""
    made: Any = get_command(app)
    for command in (made, *made.commands.values()):
        for option in command.get_params(command.context_class(command)):
            if getattr(option, "is_flag", False):
                option.metavar = ""  # a flag takes no value, which typer calls <bool>
    return made


def _print_notes() -> None:
    """Tell what the backends found on the way that is no fault of the command: a line each on standard error."""
    backends = sys.modules.get("gemmviz.backends.opencl.pocl_cache")
    for words in backends.take_notes() if backends is not None else ():
        complain(words)


def _command_names() -> set[str]:
    return {command.name or command.callback.__name__ for command in app.registered_commands if command.callback}


def _commands_to_choose(error: Any) -> str:
    """All commands, where none is called nearly as what was typed."""
    is_unlike = error.format_message().startswith("No such command") and "Did you mean" not in error.format_message()
    return f" Choose from {', '.join(_command().commands)}." if is_unlike else ""


def _leave_by_signal(number: int, left: str) -> NoReturn:
    ignore_signals()
    with suppress(OSError):  # the terminal may have gone
        complain(end_words(number, left))
    leave_at_once(exit_code(number))


def _print_version(wanted: bool) -> None:
    if wanted:
        print_line(f"gemmviz {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    del version


@app.command()
def devices(as_json: AsJson = False) -> int:
    """List the devices that kernels can run on, with their limits."""
    from gemmviz.cli.lists import print_devices

    return print_devices(as_json)


@app.command()
def kernels(as_json: AsJson = False) -> int:
    """List the kernels, what each teaches, and the presets."""
    from gemmviz.cli.lists import print_kernels

    return print_kernels(as_json)


app.command()(run)
app.command()(trace)
app.command("compile")(compile_)
app.command()(sweep)
app.command()(adopt)
app.command()(referee)
app.command()(lesson)


@app.command()
def roofs(
    device: Annotated[
        str,
        typer.Option(
            "--device",
            metavar="ID",
            help="Device to measure (default an NVIDIA GPU, else an OpenCL device); `gemmviz devices` lists them.",
        ),
    ] = "",
    time_limit: TimeLimit = 60.0,
    into: Annotated[
        Path | None,
        typer.Option(
            "--into",
            parser=path_of("--into"),
            metavar="F.gemmviz",
            help="Add the roofs to this session; create it if it does not exist.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Measure the roofs of a device: its highest rates for copying, multiply-adds and tensor cores."""
    from gemmviz.cli.roofs import roofs_and_print

    return roofs_and_print(device, time_limit, into, as_json)


@app.command()
def schedule(
    kernel: OneKernel = None,
    kernel_option: OneKernelOption = None,
    size: Size = None,
    param: Parameters = None,
    device: Annotated[
        str | None, typer.Option("--device", metavar="ID", help="NVIDIA GPU to run on; `gemmviz devices` lists them.")
    ] = None,
    kernel_file: CudaKernelFiles = None,
    fill: Fill = None,
    seed: Seed = 0,
    mode: Annotated[
        str,
        typer.Option("--mode", metavar="cold|hot", help="cold: overwrite the caches before the launch; hot: do not."),
    ] = "cold",
    time_limit: TimeLimit = 60.0,
    out: SessionOut = None,
    force: Force = False,
    as_json: AsJson = False,
) -> int:
    """Record which multiprocessor runs which block of a launch, and when: waves, busy time, tail."""
    from gemmviz.cli.schedule.command import read_schedule_request, schedule_and_print

    request = read_schedule_request(
        kernel=one_name(kernel, kernel_option),
        size=size,
        param=param or [],
        device=device,
        kernel_file=kernel_file or [],
        fill=fill,
        seed=seed,
        mode=mode,
        time_limit=time_limit,
        out=out,
        force=force,
    )
    return schedule_and_print(request, as_json)


@app.command()
def report(
    session: SavedSession,
    as_json: AsJson = False,
    pdf: Annotated[
        Path | None,
        typer.Option(
            "--pdf", parser=path_of("--pdf"), metavar="F.pdf", help="Write a handout to this file: pages to print."
        ),
    ] = None,
    paper: Annotated[
        str | None, typer.Option("--paper", metavar="a4|letter", help="Paper of the handout (default a4).")
    ] = None,
    title: Annotated[
        str | None,
        typer.Option(
            "--title",
            metavar="TEXT",
            help="Title of the handout (default: that of the example or lesson, else the file's name).",
        ),
    ] = None,
    parts: Annotated[
        str | None,
        typer.Option(
            "--parts",
            metavar="NAME[,NAME…]",
            help="What the handout has: all, results, resources, requests, charts, pictures, sources, terms, or single "
            "ones such as kernel_time.",
        ),
    ] = None,
    force: Force = False,
) -> int:
    """Print a saved session, runs as `gemmviz run` does, recordings as `gemmviz trace` does; or write a handout."""
    from gemmviz.cli.handout.command import HandoutWords

    words = HandoutWords(pdf, paper, title, parts, force)
    if pdf is not None:
        if as_json:
            raise BadInputError("--pdf and --json exclude each other: give one of them")
        from gemmviz.cli.handout.command import write_handout

        return write_handout(session, words)
    if words.stray:
        raise BadInputError(f"{words.stray} is for a handout: name its file with --pdf, too")
    from gemmviz.cli.run.saved import report_and_print

    return report_and_print(session, as_json)


@app.command()
def export(
    session: SavedSession,
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            parser=path_of("--out"),
            metavar="DIR",
            help="Folder to write to; it is created if it does not exist.",
        ),
    ],
    formats: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="png,svg,pdf,csv,gif,mp4,frames",
            help="Formats to write, separated by commas. gif, mp4 and frames are animations of recorded blocks.",
        ),
    ] = "csv",
    scale: Annotated[
        float,
        typer.Option("--scale", parser=number_of("--scale"), metavar="FACTOR", help="Scale of pictures, 0.1 to 8."),
    ] = 1.0,
    theme: Annotated[str, typer.Option("--theme", metavar="light|dark", help="Colours of pictures.")] = "light",
    plot: Annotated[
        str | None,
        typer.Option(
            "--plot",
            metavar="NAME[,NAME…]",
            help="Export only these charts, with their tables: kernel_time,memory.",
        ),
    ] = None,
    size: Annotated[
        str | None,
        typer.Option("--size", metavar="WxH", help="Size in pixels (default for animations 1920x1080)."),
    ] = None,
    frames: Annotated[
        str | None,
        typer.Option(
            "--frames", metavar="FIRST:LAST", help="Frames to export, counted from 1, for instance 3:20 or 3."
        ),
    ] = None,
    speed: Annotated[
        float | None,
        typer.Option(
            "--speed",
            parser=number_of("--speed"),
            metavar="FACTOR",
            help="Speed of an animation, 0.25 to 16; 1 shows one recorded frame every 2 seconds.",
        ),
    ] = None,
    fps: Annotated[
        int,
        typer.Option(
            "--fps", parser=whole_number_of("--fps"), metavar="NUMBER", help="Frame rate of the animation file."
        ),
    ] = 25,
    mode: Annotated[
        str | None,
        typer.Option(
            "--mode",
            metavar="barrier|step|request",
            help="What one frame shows: a barrier interval, a few iterations (step), or one warp request.",
        ),
    ] = None,
    block: Annotated[
        str | None, typer.Option("--block", metavar="BX,BY", help="Export only recordings of this block.")
    ] = None,
    heat: Annotated[
        str,
        typer.Option(
            "--heat", metavar="none|so-far|in-all|sectors|banks|age", help="What the colours of elements show."
        ),
    ] = "none",
    animate: Annotated[
        bool | None,
        typer.Option(
            "--animate/--no-animate",
            help="Animate tiles between two frames. With --format frames there is one PNG per frame unless "
            "--animate is given.",
        ),
    ] = None,
    loop: Annotated[bool, typer.Option("--loop/--no-loop", help="Repeat a GIF forever, or play it once.")] = True,
    presentation: Annotated[
        bool,
        typer.Option(
            "--presentation", help="Draw recorded blocks as 1920x1080 slides: title, size and caption in large type."
        ),
    ] = False,
    force: Force = False,
) -> int:
    """Export charts, tables, pictures of memory and animations of a saved session to files."""
    from gemmviz.cli.export.command import export_and_print
    from gemmviz.cli.export.memory_options import MemoryWords

    memory = MemoryWords(size, frames, speed, fps, mode, block, heat, animate, loop, presentation)
    return export_and_print(session, out, formats, scale, theme, plot, memory, force)
