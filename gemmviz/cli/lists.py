"""`gemmviz devices` and `gemmviz kernels`."""

from __future__ import annotations

import json

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from gemmviz.backends.registry import all_devices, devices_for, how_to_get_a_device
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.catalogue.presets import load_presets
from gemmviz.cli.document import FORMAT, device_entry, kernel_entry
from gemmviz.cli.output import report_console
from gemmviz.domain import figures
from gemmviz.domain.device import Device
from gemmviz.domain.terms import Language


def print_devices(as_json: bool) -> int:
    """Every device with its limits and facts."""
    devices = all_devices()
    if as_json:
        print(json.dumps({"format": FORMAT, "devices": [device_entry(device) for device in devices]}, indent=2))
        return 0
    console = report_console()
    for device in devices:
        console.print(_facts(device))
    if not devices_for(Language.CUDA):
        console.print(how_to_get_a_device())
    return 0


def _facts(device: Device) -> Table:
    brought = ", comes with gemmviz" if device.embedded else ""
    table = Table(
        title=f"[bold]{device.id}[/] · {device.name}", title_justify="left", box=None, show_header=False,
        padding=(0, 2, 0, 0),
    )  # fmt: skip
    table.add_column(style="dim")
    table.add_column(overflow="fold")
    rows = [
        ("kind", f"{device.kind.upper()} by {device.backend}{brought}"),
        ("vendor", device.vendor),
        ("driver", device.driver),
        ("compute units", figures.count(device.compute_units)),
        ("largest block", f"{figures.count(device.max_threads_per_block)} threads"),
        ("shared memory", f"{figures.size(device.shared_bytes_per_block)} per block"),
        ("memory", f"{figures.size(device.global_bytes)}, {figures.size(device.max_allocation_bytes)} in one piece"),
        ("cache", figures.size(device.cache_bytes)),
        ("clock", f"{device.clock_mhz} MHz" if device.clock_mhz else "not told"),
    ]
    if device.backend == "host":
        rows = [row for row in rows if row[0] not in ("largest block", "shared memory", "clock", "cache", "memory")]
    for name, value in rows:
        table.add_row(name, value)
    table.add_row("", "")
    return table


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
                    "preset": p.id, "title": p.title, "size": str(p.shape), "kernels": list(p.kernels),
                    "params": dict(p.params), "fill": str(p.fill), "origin": p.origin,
                }
                for p in presets
            ],
        }  # fmt: skip
        print(json.dumps(document, indent=2))
        return 0
    console = report_console()
    console.print("[bold]Kernels, in lesson order[/]\n")
    for kernel in catalogue.kernels:
        console.print(f"[bold]{kernel.id}[/]  {kernel.title}", highlight=False)
        console.print(Padding(Text(kernel.teaches), (0, 0, 0, 4)))
        for p in kernel.parameters:
            others = ", ".join(str(choice) for choice in p.choices)
            console.print(Padding(Text(f"{p.name}={p.default}  {p.label}: {others}", "dim"), (0, 0, 0, 4)))
        console.print()
    table = Table(
        title="[bold]Presets[/]",
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
    console.print(table)
    return 0
