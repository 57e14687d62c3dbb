"""The choice of another kernel, and what becomes of the values that were chosen for the former. No Qt."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import Catalogue, is_shipped
from gemmviz.domain.listing import either, listed
from gemmviz.domain.spec import Params
from gemmviz.gui.kernels.availability import LOOKING, Devices, availability_in
from gemmviz.gui.work.experiment import Experiment, with_param

_NOT_OFFERED, _NO_RUN = "does not offer", "cannot run here with"
_BEGINS, _KEEPS = "begins with its own values", "keeps the values that were set for it"


def with_kernel(
    experiment: Experiment, kernel_id: str, catalogue: Catalogue, devices: Devices = LOOKING, *, is_copy: bool = False
) -> Experiment:
    """Another kernel. Values that were chosen for the former go with it to parameters of the same names that offer
    them, unless the other kernel can run with its own values and not with these. A person's own kernel keeps its own
    values, its defaults or what was chosen for it, unless it is a copy that was made of the former now.

    What is compared stays, so that a kernel that was ticked is still there when it is left again.
    """
    changed = replace(experiment, kernel=kernel_id)
    former, kernel = _known(catalogue, experiment.kernel), _known(catalogue, kernel_id)
    if former is None or kernel is None or former is kernel or (not is_copy and not is_shipped(kernel)):
        return changed
    choices = {parameter.name: parameter.choices for parameter in kernel.parameters}
    kept = changed
    for name, value in experiment.chosen_for(former):
        if value in choices.get(name, ()):
            kept = with_param(kept, kernel, name, value)
    if not devices.known or kept.params_of(kernel) == changed.params_of(kernel):
        return kept
    return kept if _can_run(kept, kernel, devices) or not _can_run(changed, kernel, devices) else changed


def lost_words(before: Experiment, after: Experiment, catalogue: Catalogue, devices: Devices = LOOKING) -> str:
    """What the choice of another kernel changed besides: "TILE changed from 8 to 16: wide does not offer TILE 8", and
    that the former runs no longer where the other was ticked; "" for nothing, and where more was set than the kernel
    and the size.
    """
    former, kernel = _known(catalogue, before.kernel), _known(catalogue, after.kernel)
    resized = replace(before, shape=after.shape, compared=after.compared)
    if former is None or kernel is None or after != with_kernel(resized, after.kernel, catalogue, devices):
        return ""
    return ". ".join(filter(None, (_lost_values(before, after, former, kernel), _lost_kernel(after, former.id))))


def values_to_offer(before: Experiment, after: Experiment, catalogue: Catalogue) -> Params:
    """The values that were chosen for the former kernel and that a person's own kernel, which is chosen now, offers and
    has not taken over.
    """
    former, kernel = _known(catalogue, before.kernel), _known(catalogue, after.kernel)
    if former is None or kernel is None or is_shipped(kernel):
        return ()
    now, choices = dict(after.params_of(kernel)), {each.name: each.choices for each in kernel.parameters}
    chosen = before.chosen_for(former)
    return tuple((name, value) for name, value in chosen if value in choices.get(name, ()) and now[name] != value)


def _lost_kernel(after: Experiment, former: str) -> str:
    """That the kernel chosen before runs no longer, as one of those that run beside it is chosen now; "" otherwise."""
    if after.kernel not in after.compared or former in after.compared:
        return ""
    return f"Run leaves out {former}: {after.kernel}, which was ticked, is chosen now. Tick {former} to run it as well"


def _lost_values(before: Experiment, after: Experiment, former: Kernel, kernel: Kernel) -> str:
    now, choices = dict(after.params_of(kernel)), {each.name: each.choices for each in kernel.parameters}
    lost = {name: value for name, value in before.chosen_for(former) if now.get(name, value) != value}
    if not lost:
        return ""
    changes = listed([f"{name} changed from {value} to {now[name]}" for name, value in lost.items()])
    if not is_shipped(kernel):
        return f"{changes}: {kernel.id} {_KEEPS if after.chosen_for(kernel) else _BEGINS}"
    values = either([f"{name} {value}" for name, value in lost.items()])
    offered = sum(value in choices[name] for name, value in lost.items())
    why = _NOT_OFFERED if not offered else _NO_RUN if offered == len(lost) else f"{_NOT_OFFERED} or {_NO_RUN}"
    return f"{changes}: {kernel.id} {why} {values}"


def _can_run(experiment: Experiment, kernel: Kernel, devices: Devices) -> bool:
    return availability_in(experiment, kernel, experiment.params_of(kernel), devices, None).can_run


def _known(catalogue: Catalogue, kernel_id: str) -> Kernel | None:
    return next((kernel for kernel in catalogue.kernels if kernel.id == kernel_id), None)
