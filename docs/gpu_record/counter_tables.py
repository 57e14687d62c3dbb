"""The counters of whole kernels as the tables of docs/RECORD.md: a row for each kernel of a size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gemmviz.domain.figures import count
from gpu_record.counters import as_counted

GLOBAL_COLUMNS = ("kernel", "global loads", "global stores", "recorded", "by the TMA", "occupancy, achieved")
SHARED_COLUMNS = ("kernel", "loads: as written, as compiled, counted", "stores: as written, as compiled, counted")
_GLOBAL = ("global_load_requests", "global_load_sectors", "global_store_requests", "global_store_sectors")


def global_rows(entries: Sequence[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """Requests and sectors as counted, and whether what was recorded is that."""
    return [
        (f"`{entry['kernel']}`", *_pairs(entry["counters"]), _verdict(entry), _copied(entry), _occupancy(entry))
        for entry in entries
        if all(name in entry["counters"] for name in _GLOBAL)
    ]


def shared_rows(entries: Sequence[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """Wavefronts of the kernels that use shared memory by loads and stores."""
    rows = []
    for entry in entries:
        kinds = [entry.get(kind, {}) for kind in ("written", "compiled", "counters")]
        cells = [[kind.get(f"shared_{word}_wavefronts") for kind in kinds] for word in ("load", "store")]
        if any(value for cell in cells for value in cell):
            rows.append((f"`{entry['kernel']}`", *(", ".join(map(_number, cell)) for cell in cells)))
    return rows


def _pairs(told: Mapping[str, int]) -> tuple[str, str]:
    load, load_sectors, store, store_sectors = (_number(told[name]) for name in _GLOBAL)
    return f"{load} requests, {load_sectors} sectors", f"{store}, {store_sectors}"


def _verdict(entry: Mapping[str, Any]) -> str:
    words = []
    for kind, name in (("written", "as written"), ("compiled", "as compiled")):
        if kind in entry:
            told = as_counted(entry[kind])
            off = [figure for figure in _GLOBAL if told[figure] != entry["counters"][figure]]
            values = "; ".join(f"{figure.replace('_', ' ')} {_number(told[figure])}" for figure in off)
            words.append(f"{name}: {values}" if off else f"equal {name}")
    return ", ".join(words)


def _copied(entry: Mapping[str, Any]) -> str:
    counted = entry["counters"].get("copy_engine_written_bytes", 0)
    recorded = entry.get("compiled", {}).get("copy_engine_written_bytes")
    if not counted:
        return ""
    verdict = "equal as compiled" if recorded == counted else f"as compiled: {_number(recorded)}"
    return f"{_number(counted)} bytes, {verdict}"


def _occupancy(entry: Mapping[str, Any]) -> str:
    """What fits, and what was there."""
    names = ("occupancy", "achieved_occupancy")
    return ", ".join(f"{entry[name]:.3g} %" for name in names if name in entry)


def _number(value: int | None) -> str:
    return "–" if value is None else count(value)
