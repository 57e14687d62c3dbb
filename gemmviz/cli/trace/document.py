"""The JSON document of `gemmviz trace --json`, format 1."""

from __future__ import annotations

from typing import Any

from gemmviz.cli.run.document import FORMAT, launch_entry
from gemmviz.cli.trace.report import Block, only_block
from gemmviz.domain.recordings.access import Site, Space
from gemmviz.domain.recordings.machine_accesses import MachineAccesses
from gemmviz.domain.recordings.multiply_adds import multiply_adds_of
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.trace.explain import totals_of

Document = dict[str, Any]


def trace_document(run: TraceRun, block: Block | None = None) -> Document:
    """What was recorded and what follows from it; `block` as of `print_trace`."""
    shape, block = run.spec.shape, block or only_block(run)
    launch = launch_entry(run.launch)
    launch["shared_bytes"] = max(launch["shared_bytes"], _declared_bytes(run))
    return {
        "format": FORMAT,
        "kernel": run.spec.kernel,
        "params": dict(run.spec.params),
        "form": str(run.form),
        "computes": run.spec.computes or "C = A·B",
        "device": run.device.id,
        "shape": {"m": shape.m, "n": shape.n, "k": shape.k},
        "launch": launch,
        "block": None if block is None or run.blocks_recorded > 1 else list(block),
        "blocks_recorded": run.blocks_recorded,
        "blocks": run.blocks_in_grid,
        "blocks_searched": run.blocks_searched,
        "accesses": run.accesses,
        "seconds": run.seconds,
        "finished": run.finished,
        "totals": totals_of(run).as_dict(),
        "multiply_adds": multiply_adds_of(run),
        "sites": [_site_entry(run, site) for site in run.sites],
        "variables": [
            {
                "name": one.name,
                "rows": one.rows,
                "columns": one.columns,
                "element_bytes": one.element_bytes,
            }
            for one in run.arrays
            if one.is_variable
        ],
        "hazards": [
            {
                "kind": str(hazard.kind),
                "line": hazard.line,
                "text": hazard.text,
                "block": list(hazard.block),
                "threads": list(hazard.threads),
                "epoch": hazard.epoch,
                "count": hazard.count,
                "blocks": hazard.blocks,
                "detail": hazard.detail,
            }
            for hazard in run.hazards
        ],
        "executed": [
            {"line": one.line, "kind": one.kind, "instructions": one.instructions, "lanes": one.lanes}
            for one in run.executed
        ],
        "machine": None if run.machine is None else _machine_entry(run.machine),
        "printed": run.printed,
        "repeated_waits": [
            {"line": one.line, "text": one.text, "requests": one.requests} for one in run.repeated_waits
        ],
        "skipped": [{"line": s.line, "text": s.text, "reason": s.reason} for s in run.skipped],
        "complete": not run.skipped,
    }


def _declared_bytes(run: TraceRun) -> int:
    """The shared memory of the arrays that were recorded; a header may say less."""
    return sum(array.nbytes for array in run.arrays if array.space is Space.SHARED)


def _site_entry(run: TraceRun, site: Site) -> Document:
    found = run.counts.of(site)
    entry: Document = {
        "line": site.line,
        "column": site.column,
        "header": site.header,
        "text": site.text,
        "space": site.space.value,
        "kind": str(site.kind),
        "width_bytes": site.width_bytes,
        "array": site.array,
        "accesses": found.accesses,
        "requests": found.requests,
        "sectors": found.sectors,
        "lines_128": found.lines,
        "wavefronts": found.wavefronts,
        "ideal_wavefronts": found.ideal_wavefronts,
        "bytes_asked": found.bytes_asked,
        "bytes_moved": found.bytes_moved,
    }
    return entry


def _machine_entry(machine: MachineAccesses) -> Document:
    """The accesses of each line in PTX and in SASS, and what merged ones cost, as derived."""
    return {
        "target": machine.target,
        "compiler": machine.maker,
        "lines": [
            {
                "line": one.line,
                "accesses": one.sort.value,
                "change": one.change.value,
                "ptx": [{"width_bytes": width.nbytes, "count": width.count} for width in one.ptx],
                "sass": [{"width_bytes": width.nbytes, "count": width.count} for width in one.sass],
            }
            for one in machine.attributable
        ],
        "merged": [
            {
                "lines": list(one.lines),
                "accesses": one.sort.value,
                "requests": one.requests,
                "wavefronts": one.wavefronts,
                "ideal_wavefronts": one.ideal,
                "recorded_requests": one.requests_before,
                "recorded_wavefronts": one.wavefronts_before,
                "recorded_ideal_wavefronts": one.ideal_before,
            }
            for one in machine.merged
        ],
    }
