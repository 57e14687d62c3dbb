"""The words of fills, modes, presets and devices in the experiment panel."""

from __future__ import annotations

from gemmviz.catalogue.presets import Preset
from gemmviz.domain.device import Device, DeviceKind
from gemmviz.domain.input_words import SEEDED, fill_words
from gemmviz.domain.runs.driver_words import driver_words
from gemmviz.domain.terms import Fill, Mode
from gemmviz.gui.work.experiment import Experiment, budget_s_of

OWN_SETTINGS = "Custom settings"
LOOKING_FOR_DEVICES = "looking for devices…"

FILL_WORDS: dict[Fill, tuple[str, str]] = {
    Fill.UNIFORM: ("Uniform, 0 to 1", "Random numbers from 0 up to 1, from the seed"),
    Fill.NORMAL: ("Normal", "Random numbers of the standard normal distribution, from the seed"),
    Fill.RAMP: ("Ramp", "From 0 to 1 in even steps"),
    Fill.ONES: ("Ones", "All ones: every element of C is K"),
    Fill.INTEGERS: ("Small integers", "Random whole numbers, so small that every sum is exact, from the seed"),
    Fill.INTEGERS_2147: ("Integers to 2147", "Random whole numbers from 0 to 2147, from the seed; sums round"),
    Fill.COUNTING: ("Counting", "1, 2, 3, … in A and in B"),
    Fill.ROW_COLUMN: ("Row and column", "A[i][j] = i and B[i][j] = j"),
    Fill.INDEX_TWOS: ("Index and twos", "A counts 0, 1, 2, …; B is 2 everywhere"),
}
"""For every fill its title and what it does."""

MODE_WORDS: dict[Mode, tuple[str, str]] = {
    Mode.COLD: ("Cold", "One launch per sample, with the caches overwritten before it"),
    Mode.HOT: ("Hot", "Launches in batches, with the caches as the launch before left them"),
}


def seed_refusal(fill: Fill) -> str:
    """Why a seed makes no difference; "" where it does."""
    return "" if fill in SEEDED else f"The fill “{FILL_WORDS[fill][0]}” is not random, so it needs no seed."


def preset_text(preset: Preset) -> str:
    """Title and size; the size once where it is the title."""
    return f"{preset.title} · {preset.shape.words}"


def preset_tooltip(preset: Preset) -> str:
    values = ", ".join(f"{name}={value}" for name, value in preset.params)
    lines = (
        preset_text(preset),
        f"kernels: {', '.join(preset.kernels)}",
        values,
    )
    return "\n".join(line for line in lines if line)


def summary(experiment: Experiment) -> str:
    """The settings that are rarely touched, in one line."""
    seed = "" if seed_refusal(experiment.fill) else f" · seed {experiment.seed}"
    fill = fill_words(experiment.fill)
    return f"{fill}{seed} · {experiment.mode} · {budget_s_of(experiment):g} s"


def budget_tooltip(experiment: Experiment) -> str:
    """What the budget is, or why it makes no difference now."""
    if experiment.is_quick:
        return f"Quick mode measures each kernel for {budget_s_of(experiment):g} s. Turn it off to use this budget"
    return "The longest time to sample one kernel"


def device_tooltip(device: Device) -> str:
    """Name, id and driver."""
    return f"{device.name}\nid {device.id} · {device.compute_units} compute units\n{driver_words(device.driver)}"


def device_note(device: Device | None, advice: str) -> str:
    """What one should know of the device; for none, how to get one."""
    if device is None:
        return f"{advice[:1].upper()}{advice[1:].rstrip('.')}." if advice else ""
    if device.is_emulated:
        return "Executes a GPU's code on the CPU, once: its times are emulated."
    if device.kind is not DeviceKind.CPU:
        return ""
    return (
        "Runs on the CPU: times are not a GPU's. "
        "The target GPU is for machine code, occupancy and the PTX machine only."
    )
