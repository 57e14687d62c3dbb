"""`gemmviz devices` and `gemmviz kernels`."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from gemmviz.backends.registry import (
    all_devices,
    devices_for,
    emulated_devices,
    how_to_get_a_device,
    what_is_missing,
)
from gemmviz.catalogue.gpus import gpu_of_target, target_of_machine
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.catalogue.presets import load_presets
from gemmviz.catalogue.recordable import records
from gemmviz.cli.run.document import FORMAT, device_entry, kernel_entry
from gemmviz.cli.terminal import print_json, report_terminal, words
from gemmviz.domain import figures
from gemmviz.domain.device import HOST, NO_GPU_FACTS, Device
from gemmviz.domain.kernels.capability import compute_capability, lack_of
from gemmviz.domain.runs.doubts import NOT_TIMED
from gemmviz.domain.terms import Language
from gemmviz.engine.sandbox.protections import protections


def print_devices(as_json: bool) -> int:
    """Every device with its limits and facts."""
    devices, missing = (*all_devices(), *emulated_devices()), what_is_missing()
    if as_json:
        entries = [device_entry(device) for device in devices]
        print_json({"format": FORMAT, "devices": entries, "missing": list(missing), "own_kernels": protections().words})
        return 0
    terminal = report_terminal()
    for device in devices:
        terminal.print_table(_facts(device))
    if not devices_for(Language.CUDA):
        terminal.print_words(how_to_get_a_device())
    for lack in missing:
        terminal.print_words(lack, style="dim")
    terminal.print_words(protections().words, style="dim")
    return 0


def _facts(device: Device) -> Table:
    brought = ", comes with gemmviz" if device.embedded else ""
    table = Table(
        title=words((device.id, "bold"), f" · {device.name}"),
        title_justify="left",
        title_style="none",
        box=None,
        show_header=False,
        padding=(0, 2, 0, 0),
    )
    table.add_column(style="dim")
    table.add_column(overflow="fold")
    rows = [
        ("kind", f"{device.kind.upper()}, backend {device.backend}{brought}"),
        ("vendor", device.vendor),
        ("driver", device.driver),
        ("compute units", figures.count(device.compute_units)),
        ("largest block", f"{figures.count(device.max_threads_per_block)} threads"),
        ("shared memory", f"{figures.size(device.shared_bytes_per_block)} per block"),
        ("memory", f"{figures.size(device.global_bytes)}, {figures.size(device.max_allocation_bytes)} in one piece"),
        ("cache", figures.size(device.cache_bytes)),
        ("clock", figures.megahertz(device.clock_mhz) if device.clock_mhz else "unknown"),
    ]
    if device.is_emulated:
        rows = [row for row in rows if row[0] not in ("driver", "compute units", "cache", "clock")]
        rows.append(("emulates", f"{gpu_of_target(target_of_machine(device)).name}, with its limits; {_ANOTHER}"))
        rows.append(("times", NOT_TIMED))
    elif device.gpu_facts != NO_GPU_FACTS:
        rows += _gpu_rows(device)
    if device.backend == HOST:
        rows = [row for row in rows if row[0] not in ("largest block", "shared memory", "clock", "cache", "memory")]
    for name, value in rows:
        table.add_row(name, value)
    table.add_row("", "")
    return table


_ANOTHER = "--device machine:A100 for instance emulates another GPU"
_ON_THE_MACHINE = "runs here on the PTX machine alone: --device machine"


def why_it_does_not_run(kernel: Kernel, devices: Sequence[Device]) -> str:
    """What all devices but the host lack for a kernel, in the words for the first; "" if one has it all."""
    others = [device for device in devices if device.backend != HOST and not kernel.runs_on_host]
    lacks = [lack_of(kernel.requires, device) for device in others]
    return lacks[0] if lacks and all(lacks) else ""


def _gpu_rows(device: Device) -> list[tuple[str, str]]:
    """What only the interface of a GPU's vendor tells; a compute unit is a streaming multiprocessor."""
    facts = device.gpu_facts
    units, (major, minor) = device.compute_units, compute_capability(facts)
    return [
        ("UUID", facts.uuid),
        ("compute capability", f"{major}.{minor}") if major else ("architecture", facts.architecture),
        ("static shared memory", f"{figures.size(facts.static_shared_bytes)} per block"),
        (
            "multiprocessor",
            f"{figures.size(facts.shared_bytes_per_unit)} of shared memory, {figures.count(facts.registers_per_unit)} "
            f"registers, {figures.count(facts.threads_per_unit)} threads in at most {facts.blocks_per_unit} blocks",
        ),
        (
            "memory bandwidth",
            f"{figures.number(facts.memory_gb_per_s)} GB/s, computed from {figures.megahertz(facts.memory_clock_mhz)} "
            f"and a bus of {figures.count(facts.memory_bus_bits)} bits",
        ),
        ("resident threads", figures.count(units * facts.threads_per_unit)),
    ]


def print_kernels(as_json: bool) -> int:
    """Every kernel in lesson order, and the presets."""
    catalogue = load_catalogue()
    presets = load_presets()
    if as_json:
        document = {
            "format": FORMAT,
            "kernels": [kernel_entry(kernel) for kernel in catalogue.kernels],
            "presets": [
                {
                    "preset": p.id,
                    "title": p.title,
                    "size": str(p.shape),
                    "kernels": list(p.kernels),
                    "params": dict(p.params),
                    "fill": str(p.fill),
                    "origin": p.origin,
                }
                for p in presets
            ],
        }
        print_json(document)
        return 0
    terminal, devices, machines = report_terminal(), all_devices(), emulated_devices()
    terminal.print_words("Kernels, from simple to tuned", style="bold")
    terminal.print()
    for kernel in catalogue.kernels:
        terminal.print_words((kernel.id, "bold"), f"  {kernel.title}")
        terminal.print_words(kernel.teaches, indent=4)
        lack = why_it_does_not_run(kernel, devices)
        if lack:
            is_emulated = any(records(machine, kernel) for machine in machines)
            where = _ON_THE_MACHINE if is_emulated else f"cannot run here: it {lack}"
            terminal.print_words(where, indent=4, style="dim")
        for p in kernel.parameters:
            others = ", ".join(str(choice) for choice in p.choices)
            terminal.print_words(f"{p.name}={p.default}  {p.label}: {others}", indent=4, style="dim")
        terminal.print()
    table = Table(
        title=words(("Presets", "bold")),
        title_justify="left",
        title_style="none",
        box=None,
        header_style="dim",
        padding=(0, 2, 0, 0),
    )
    for column in ("preset", "size", "fill", "kernels", "from"):
        table.add_column(
            column, style="bold" if column == "preset" else "", overflow="fold", no_wrap=column in ("kernels", "size")
        )
    for preset in presets:
        table.add_row(preset.id, str(preset.shape), preset.fill, "\n".join(preset.kernels), preset.origin)
    terminal.print_table(table)
    return 0
