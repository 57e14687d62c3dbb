"""Which hardware counters are read, under which names, and how they stand beside what was recorded. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from gpu_record.ncu_csv import Counted

Candidates = tuple[tuple[str, ...], ...]
"""Metrics that are added up to a figure; of several such sets the first that the GPU has."""

_LSU = "pipe_lsu_mem_global_op"
_SASS = "sm__sass_l1tex_t"

FIGURES: dict[str, Candidates] = {
    **{
        f"global_{words}_{unit}": ((f"l1tex__t_{unit}_{_LSU}_{op}",),)
        for words, op in (("load", "ld"), ("store", "st"))
        for unit in ("requests", "sectors")
    },
    **{
        f"shared_{words}_requests": (
            (f"smsp__inst_executed_op_shared_{op}",),
            (f"smsp__sass_inst_executed_op_shared_{op}",),
            (f"sm__sass_inst_executed_op_shared_{op}",),
        )
        for words, op in (("load", "ld"), ("store", "st"))
    },
    **{
        f"shared_{words}_wavefronts": ((f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}",),)
        for words, op in (("load", "ld"), ("store", "st"))
    },
    **{
        f"async_copy_{unit}": (
            (f"l1tex__t_{unit}_{_LSU}_ldgsts",),
            (f"l1tex__t_{unit}_{_LSU}_ldgsts_cache_access", f"l1tex__t_{unit}_{_LSU}_ldgsts_cache_bypass"),
            (f"{_SASS}_{unit}_{_LSU}_ldgsts_cache_access", f"{_SASS}_{unit}_{_LSU}_ldgsts_cache_bypass"),
        )
        for unit in ("requests", "sectors")
    },
    "async_copy_instructions": (
        ("smsp__inst_executed_op_ldgsts",),
        ("smsp__sass_inst_executed_op_ldgsts",),
        ("sm__sass_inst_executed_op_ldgsts",),
    ),
    "copy_engine_written_bytes": (("l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld",),),
    "copy_engine_sectors": (("l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld",),),
    "copy_engine_store_sectors": (("l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st",),),
    "l2_bytes": (("lts__t_bytes",),),
    "dram_read_bytes": (("dram__bytes_read",),),
    "dram_write_bytes": (("dram__bytes_write",),),
}
"""Figure of a recording's totals, or one that only the hardware has, and where it is counted."""

ACHIEVED = "sm__warps_active.avg.pct_of_peak_sustained_active"
"""Achieved occupancy in percent: warps that were there, of those a multiprocessor can hold, while it had any."""

COMPARED = tuple(name for name in FIGURES if name.startswith(("global", "shared", "async", "copy")))


def chosen_metrics(available: Collection[str]) -> dict[str, tuple[str, ...]]:
    """For each figure that can be counted the metrics to add up; with nothing known the first candidates.

    `available` are base names, as `ncu --query-metrics` lists them.
    """
    if not available:
        return {name: candidates[0] for name, candidates in FIGURES.items()}
    found = {}
    for name, candidates in FIGURES.items():
        there = next((metrics for metrics in candidates if all(metric in available for metric in metrics)), None)
        if there is not None:
            found[name] = there
    return found


def available_metrics(query: str) -> frozenset[str]:
    """The base names in what `ncu --query-metrics` prints: the first word of each line that looks like one."""
    return frozenset(word for line in query.splitlines() if "__" in (word := line.split(" ", 1)[0].strip('",')))


def figures_of(counted: Counted, chosen: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """The figures of one launch; one of which a part was not counted is left out."""
    return {
        name: round(sum(counted.metrics[f"{metric}.sum"] for metric in metrics))
        for name, metrics in chosen.items()
        if all(f"{metric}.sum" in counted.metrics for metric in metrics)
    }


def matched(
    launched: Sequence[Mapping[str, Any]], counted: Sequence[Counted]
) -> list[tuple[Mapping[str, Any], Counted]]:
    """Each launch with what was counted of it: both are in the order of the launches.

    Raises:
        ValueError: another number of launches was counted, or another kernel.
    """
    if len(launched) != len(counted):
        raise ValueError(f"{len(launched)} launches were made and {len(counted)} counted")
    for launch, count in zip(launched, counted, strict=True):
        if launch["entry"] not in count.kernel:
            raise ValueError(f"the launch of {launch['entry']} was counted as {count.kernel}")
    return list(zip(launched, counted, strict=True))


def as_counted(told: Mapping[str, int]) -> dict[str, int]:
    """A recording's totals as the hardware counts them: its loads from global memory have those by cp.async in them."""
    return {
        name: value + told.get(name.replace("global_load", "async_copy"), 0)
        if name.startswith("global_load")
        else value
        for name, value in told.items()
    }


def comparison_rows(entries: Sequence[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """A row for each figure of each kernel and size that is not zero everywhere: as written, as compiled, counted, and
    how far the recording that is nearer to the compiler's work is off.
    """
    rows = []
    for entry in entries:
        written, compiled, counters = (entry.get(kind, {}) for kind in ("written", "compiled", "counters"))
        kinds = (as_counted(written), as_counted(compiled), counters)
        for name in COMPARED:
            values = [kind.get(name) for kind in kinds]
            if any(values):
                own = values[0] if values[1] is None or values[0] == values[2] else values[1]
                rows.append(
                    (
                        f"`{entry['kernel']}`",
                        entry["size"],
                        name.replace("_", " "),
                        *map(_whole, values),
                        _difference(own, values[2]),
                    )
                )
    return rows


def _whole(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


def _difference(own: int | None, count: int | None) -> str:
    if own is None or count is None:
        return ""
    if own == count:
        return "equal"
    return f"{100 * (own - count) / count:+.3g} %" if count else "not counted"
