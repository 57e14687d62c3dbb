"""Why two versions of a kernel, or their recordings, cannot be held against each other. No Qt."""

from __future__ import annotations

from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.spec import Params, format_params
from gemmviz.explain.source.constants import params_beside


def why_not_compared(before: TraceRun | None, after: TraceRun | None) -> str:
    """Why two recordings cannot be held against each other, in a sentence; "" if they can, or where one is missing."""
    if before is None or after is None:
        return ""
    texts = [(trace.source_text, trace.spec.params) for trace in (before, after)]
    blocks = [(trace.blocks_recorded, *(block.block for block in trace.blocks)) for trace in (before, after)]
    for what, old, new in (
        ("at another size", before.spec.shape, after.spec.shape),
        ("with other parameters", *_params_beside_each_other(*texts)),
        ("with other inputs", (before.spec.fill, before.spec.seed), (after.spec.fill, after.spec.seed)),
        (f"{before.form}, this one {after.form}", before.form, after.form),
        ("in other blocks", *blocks),
    ):
        if old != new:
            return f"The earlier version was recorded {what}: only figures of the compiler are compared."
    if before.device.id != after.device.id:
        old_place, new_place = (each.device.distinct_name for each in (before, after))
        return f"The earlier version was recorded on the {old_place}, this one on the {new_place}: not comparable."
    return ""


def other_params_words(before: KernelVersion | None, after: KernelVersion) -> str:
    """Why nothing that was compiled or checked of two versions can be held against each other, in a sentence with the
    values that differ; "" if it can. A parameter that only one of them has is a change of the text.
    """
    if before is None:
        return ""
    old, new = map(dict, _params_beside_each_other(*((one.text, one.params) for one in (before, after))))
    names = [name for name, value in old.items() if new.get(name, value) != value]
    if not names:
        return ""
    was, now = (format_params(tuple((name, params[name]) for name in names)) for params in (old, new))
    return f"Not comparable: version {before.number} was examined with {was}, version {after.number} with {now}."


def _params_beside_each_other(before: tuple[str, Params], after: tuple[str, Params]) -> tuple[Params, Params]:
    """The parameters of two texts, with those of the other one that are constants of a text."""
    return params_beside(*before, after[1]), params_beside(*after, before[1])


def other_target_words(before: KernelVersion | None, after: KernelVersion) -> str:
    """Why what was compiled of two versions cannot be held against each other, in a sentence; "" if it can, or where
    one was not compiled.
    """
    old, new = before.compilation if before is not None else None, after.compilation
    if before is None or old is None or new is None or old.target == new.target:
        return ""
    return (
        f"Not comparable: version {before.number} was compiled for the {old.gpu_words}, "
        f"version {after.number} for the {new.gpu_words}."
    )


def form_words(before: TraceRun | None, after: TraceRun | None) -> str:
    """In which form the blocks of two versions were recorded: "as written", and where the version before was
    recorded in another one, that too; "" where the later one was not recorded.
    """
    if after is None:
        return ""
    earlier = f", before {before.form}" if before is not None and before.form is not after.form else ""
    return f"{after.form}{earlier}"
