"""Describes a kernel file that nobody described: what its kernels compute is found out by running them, apart."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path

from gemmviz.adopt.confined import AdoptError, look_confined
from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import AdoptionStep, Findings, KernelFinding
from gemmviz.adopt.reasons import NO_RACES_SEARCHED
from gemmviz.adopt.sidecar import write_sidecar
from gemmviz.adopt.words import hazards_shown, remedy_words, right_words, summary_of
from gemmviz.catalogue.header import beside_file
from gemmviz.catalogue.kernel import NOT_VERIFIED
from gemmviz.catalogue.loader import MOST_BYTES
from gemmviz.catalogue.values.values_left_out import left_out_lines
from gemmviz.domain.device import Device
from gemmviz.domain.files.atomic import WriteError
from gemmviz.domain.files.bounded_read import ReadError, read_text
from gemmviz.domain.listing import listed
from gemmviz.gui.kernels.watch import FileLook, look_at
from gemmviz.gui.work.window_words import in_window


def text_of(path: Path) -> str:
    """The text of a kernel file; "" where it cannot be read."""
    try:
        return read_text(path, MOST_BYTES)
    except ReadError:
        return ""


class DescribingCancelledError(Exception):
    """A person does not want to know any more."""


@dataclass(slots=True, eq=False)
class Looking:
    """A look at a file on a thread of its own: `step` is what is being done, and `cancel` ends it. `device` is where
    kernels are checked besides the PTX machine.
    """

    path: Path
    device: Device | None = None
    may_run_python: bool = False
    step: AdoptionStep = field(default_factory=AdoptionStep)
    cancel: threading.Event = field(default_factory=threading.Event)
    look: FileLook | None = None
    """The file as it was when it was looked at; None until then."""
    source: str = ""
    """Its text then; "" until then, and where it cannot be read."""

    def found(self) -> Findings | None:
        """What is found out, with a fault where the file cannot be looked at; None where it was cancelled. Takes
        seconds.
        """
        try:
            self.look, self.source = look_at(self.path), text_of(self.path)
            other = None if self.device is None or self.device.is_emulated else self.device
            return look_confined(
                self.path,
                progress=self._on_step,
                may_run_python=self.may_run_python,
                device=other,
                must_run_there=False,
            )
        except AdoptError as error:
            return Findings((), (), str(error))
        except DescribingCancelledError:
            return None

    def _on_step(self, step: AdoptionStep) -> None:
        if self.cancel.is_set():
            raise DescribingCancelledError
        self.step = step


DESCRIBE = "Find out and describe it"
ANEW = "Describe it anew"


def anew_words(kernel: str) -> str:
    """That a kernel which was described as it is has no hazard any more, and what can be done."""
    return (
        f"No hazard was found in {kernel}, but its description says that nothing is verified. gemmviz can "
        "find out what it computes, and at which sizes"
    )


def describe_tip(path: Path) -> str:
    """What happens where a person has a file described."""
    return f"Run its kernels on the PTX machine, confined, and write what that proves to {path.name}.toml"


def not_described_words(path: str) -> str:
    """That a file has no description yet, and that gemmviz can make it."""
    return f"{Path(path).name} cannot run yet: nothing says how it is called. gemmviz can find that out."


def why_not(path: Path, found: Findings) -> str:
    """Why a file of which nothing was proven has no description: FILE:LINE and the reason of a kernel, of one that
    races if there is one, then those of the others.
    """
    if found.fault:
        return found.fault
    with_reasons = [one for one in found.found if one.reasons]
    first = next((one for one in with_reasons if one.has_race), next(iter(with_reasons), None))
    if first is None:
        return f"{path}: no kernel was proven to be a product. Describe it in {path.name}.toml"
    others = "".join(f". {one.kernel}: {one.reasons[0]}" for one in with_reasons if one is not first)
    instead = "" if first.has_race else f". Mend that, or describe it in {path.name}.toml"
    why = ". ".join(first.reasons) if first.has_race else first.reasons[0]
    return f"{why}{others}. {first.kernel} was not described{instead}"


_NO_RACES = f"not verified, since {NO_RACES_SEARCHED}"
AS_IT_IS = "Describe it as it is"


def as_it_is_words(path: Path, known: Description) -> str:
    """What happens where a person has a kernel described as it is that a fault keeps from being proven."""
    shown = hazards_shown(known) or "its results are wrong at some sizes"
    marked = ", with its race marked" if known.has_races else ""
    return (
        f"{shown[:1].upper()}{shown[1:]}, so nothing was proven. How it is launched is known, {known.unproven}: you "
        f"can run and record it all the same{marked}. “{AS_IT_IS}” writes that to {path.name}.toml, as not verified."
    )


def _warning(description: Description) -> str:
    """What a person has to know before what was proven: hazards and what to do about them, and that host code launches
    the kernel in another way; "" for neither.
    """
    shown, otherwise = hazards_shown(description), description.otherwise
    if not description.is_proven:
        wrong = f"{shown}. {remedy_words(description)} " if shown else "its results are wrong at some sizes. "
        return f"{wrong}It is not verified. Meant to compute "
    sentences = [f"{shown}. {remedy_words(description)}"] if shown else []
    if otherwise:
        sentences += [f"{otherwise[:1].upper()}{otherwise[1:]}.", "Right on the PTX machine is"]
    elif shown:
        sentences.append(f"It is not verified: {right_words(description)}:")
    return " ".join((*sentences, "")) if sentences else ""


def is_unverified(path: Path) -> bool:
    """Whether the description beside a file says that nothing of it was proven, so that a new one may replace it."""
    try:
        return NOT_VERIFIED in read_text(beside_file(path), MOST_BYTES)
    except ReadError:
        return False


def write_description(looking: Looking, chosen: KernelFinding, *, may_replace: bool) -> tuple[str, str]:
    """Write what was proven of a kernel beside its file, in place of another description if it `may_replace` that: a
    sentence for a person, with what was not checked in lines of its own below, or "" and why it was not written.
    """
    assert chosen.description is not None
    if looking.look != look_at(looking.path):
        name = looking.path.name
        return "", f"{name} was changed while gemmviz found out what it computes, and was not described. Open it again"
    try:
        written = write_sidecar(looking.path, chosen.description, may_replace=may_replace)
    except WriteError as error:
        return "", str(error)
    unsearched = "" if chosen.description.is_searched_for_races else f"{_NO_RACES}: "
    found = f"{unsearched}{_warning(chosen.description)}{summary_of(chosen.description, chosen.right_sizes)}"
    found += f". Checked on {listed(['the PTX machine', *chosen.devices])}" if chosen.devices else ""
    values = [f"left out: {line}" for line in left_out_lines(chosen.description.values_left_out)]
    left_out = "".join(f"\n{words[:1].upper()}{words[1:]}." for words in (*chosen.fixed, *values, *chosen.left_out))
    words = f"{chosen.description.entry}: {found}. Its description was written to {written.name}{left_out}"
    return in_window(words), ""
