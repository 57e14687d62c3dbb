"""What `gemmviz compile` prints and writes: the report, its JSON document, PTX and SASS."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.table import Table

from gemmviz.cli.compile.request import STDOUT, compile_asked
from gemmviz.cli.faults import FailedError
from gemmviz.cli.run.document import FORMAT, launch_entry, shape_entry
from gemmviz.cli.run.request import FORMS, CompileRequest
from gemmviz.cli.terminal import Terminal, print_code, print_json, report_terminal
from gemmviz.compiler.nvidia.code_lines import with_short_paths
from gemmviz.compiler.nvidia.instructions import count_instructions, count_machine_instructions
from gemmviz.compiler.nvidia.nvrtc import CompiledCode
from gemmviz.compiler.nvidia.tools import disassemble
from gemmviz.domain import figures
from gemmviz.domain.files.atomic import WriteError, write_atomically
from gemmviz.domain.kernels.machine_code import without_encodings
from gemmviz.domain.kernels.occupancy_words import limit_words, occupancy_words
from gemmviz.domain.kernels.resources import occupancy
from gemmviz.domain.spec import format_params
from gemmviz.domain.terms import CodeForm
from gemmviz.engine.machine_code import CompileTask

_NO_DISASSEMBLER = "no disassembler was found; `pip install nvidia-cuda-nvdisasm` brings one"
_OPTION = {CodeForm.AS_COMPILED: "", CodeForm.AS_WRITTEN: " (-G)"}


def compile_and_print(request: CompileRequest, as_json: bool) -> int:
    """Compile, write what is asked for, print; the exit code.

    Raises:
        BadInputError: the kernel cannot run on that GPU.
        FailedError: it does not compile, or a file cannot be written.
    """
    task, code = compile_asked(request)
    if request.ptx is not None:
        _put(code.ptx, request.ptx, request.run.force)
    if request.sass is not None:
        _put(_sass(code, task.source.path.name), request.sass, request.run.force)
    if as_json:
        print_json(_document(request, task, code))
    elif STDOUT not in (request.ptx, request.sass):
        _print_report(report_terminal(), request, task, code)
    return 0


def _print_report(terminal: Terminal, request: CompileRequest, task: CompileTask, code: CompiledCode) -> None:
    kernel, params = request.run.jobs[0]
    resources, launch, gpu = code.resources, task.launch, request.gpu.gpu_facts
    made = "from" if code.maker == "PTX" else "by"
    terminal.print_words(
        (kernel.id, "bold"),
        f" {format_params(params)}".rstrip()
        + f", {code.form}{_OPTION[code.form]} {made} {code.maker} {code.release} for {code.target}",
    )
    terminal.print()
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    spills = f"{figures.size(resources.spill_store_bytes)} stored, {figures.size(resources.spill_load_bytes)} loaded"
    table.add_row("registers per thread", str(resources.registers))
    table.add_row("spills per thread", spills if resources.spill_store_bytes else "none")
    table.add_row("static shared memory per block", figures.size(resources.static_shared_bytes))
    table.add_row("dynamic shared memory per block", figures.size(launch.dynamic_shared_bytes))
    table.add_row(f"occupancy on {request.gpu.name}", occupancy_words(occupancy(resources, launch, gpu)))
    terminal.print_table(table)
    for words in limit_words(resources, launch, gpu):
        terminal.print_words(words, indent=2, style="dim")
    terminal.print()
    _print_instructions(terminal, code)


def _print_instructions(terminal: Terminal, code: CompiledCode) -> None:
    """The instructions of the PTX and of the machine code by kind, each once as it stands in the text."""
    ptx, machine = count_instructions(code.ptx, code.symbol), _machine_instructions(code)
    terminal.print_words(("Instructions", "bold"), " in the code, each counted once")
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    columns = {"PTX": ptx} if machine is None else {"PTX": ptx, "SASS": machine}
    for name in columns:
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column()
    kinds = sorted({*ptx, *(machine or {})}, key=lambda kind: [-counts.get(kind, 0) for counts in (machine or {}, ptx)])
    for kind in kinds:
        cells = (figures.count(counts[kind]) if kind in counts else "–" for counts in columns.values())
        table.add_row(*cells, kind)
    table.add_row(*(figures.count(sum(counts.values())) for counts in columns.values()), "all")
    terminal.print_table(table)
    if machine is None:
        terminal.print_words(f"SASS: {_NO_DISASSEMBLER}", style="dim")


def _machine_instructions(code: CompiledCode) -> dict[str, int] | None:
    """Those of the machine code by kind; None where there is no disassembler."""
    sass = disassemble(code.cubin)
    return None if sass is None else count_machine_instructions(sass, code.symbol)


def _document(request: CompileRequest, task: CompileTask, code: CompiledCode) -> dict[str, Any]:
    kernel, params = request.run.jobs[0]
    resources = code.resources
    fits = occupancy(resources, task.launch, request.gpu.gpu_facts)
    return {
        "format": FORMAT,
        "kernel": kernel.id,
        "params": dict(params),
        "shape": shape_entry(request.run.shape),
        "launch": launch_entry(replace(task.launch, static_shared_bytes=resources.static_shared_bytes)),
        "compiler": f"{code.maker} {code.release}",
        "target": code.target,
        "as": next(word for word, form in FORMS.items() if form is code.form),
        "gpu": request.gpu.name,
        "symbol": code.symbol,
        "registers": resources.registers,
        "local_bytes": resources.local_bytes,
        "spill_store_bytes": resources.spill_store_bytes,
        "spill_load_bytes": resources.spill_load_bytes,
        "static_shared_bytes": resources.static_shared_bytes,
        "blocks_per_unit": fits.blocks if fits is not None else None,
        "occupancy": fits.fraction if fits is not None else None,
        "limited_by": list(fits.limited_by) if fits is not None else [],
        "instructions": count_instructions(code.ptx, code.symbol),
        "sass_instructions": _machine_instructions(code),
    }


def _sass(code: CompiledCode, source_name: str) -> str:
    found = disassemble(code.cubin)
    if found is None:
        raise FailedError(f"--sass: {_NO_DISASSEMBLER}")
    return without_encodings(with_short_paths(found, source_name))


def _put(text: str, path: Path, may_replace: bool) -> None:
    """Print a text, or write it to a file."""
    if path == STDOUT:
        print_code(text)
        return
    try:
        write_atomically(path, lambda file: file.write(text.encode(errors="replace")), may_replace=may_replace)
    except WriteError as error:
        raise FailedError(str(error)) from error
