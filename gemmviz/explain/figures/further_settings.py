"""What a sweep says about values that the description of a kernel does not offer: right, or left out and why. No Qt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.toml_text import toml_text
from gemmviz.catalogue.values.proven_settings import KEY as PROVEN_SETTINGS
from gemmviz.catalogue.values.values_left_out import MOST_LETTERS, ValueLeftOut
from gemmviz.domain.listing import listed
from gemmviz.domain.spec import Params
from gemmviz.explain.figures.param_words import varied_params, varied_words
from gemmviz.explain.figures.settings import setting_rows
from gemmviz.explain.source.version_figures import UNKNOWN, Measured

_NO_FIGURES = "no result is known"
_PLACE = re.compile(r"^\S+\.toml:\d+: |; correct '\w+'$")
"""Where a launch is described and what to correct there, which another value is no reason for."""


@dataclass(frozen=True, slots=True)
class FurtherValues:
    """The further values that were right in every setting of a sweep, and those that were not; of these the ones
    `without_figures` were never examined, since a rule, the compiler or a limit of the GPU refused them before.
    """

    right: tuple[tuple[str, int], ...] = ()
    left_out: tuple[ValueLeftOut, ...] = ()
    without_figures: frozenset[tuple[str, int]] = frozenset()
    proven: tuple[Params, ...] = ()
    """The settings in which right ones were examined, each with the values that are no defaults of the kernel."""

    @property
    def wrong(self) -> tuple[ValueLeftOut, ...]:
        """Those that were examined and are wrong."""
        return tuple(one for one in self.left_out if (one.name, one.value) not in self.without_figures)

    @property
    def not_examined(self) -> tuple[ValueLeftOut, ...]:
        """Those of which no setting could be examined."""
        return tuple(one for one in self.left_out if (one.name, one.value) in self.without_figures)

    @property
    def offered(self) -> dict[str, list[int]]:
        """The right ones by their parameters."""
        found: dict[str, list[int]] = {}
        for name, value in self.right:
            found.setdefault(name, []).append(value)
        return found

    @property
    def words(self) -> str:
        """What is to be written: "BM = 48 is a choice now; BM = 256 is left out"."""
        right = [f"{name} = {value}" for name, value in self.right]
        wrong = [f"{one.name} = {one.value}" for one in self.left_out]
        parts = [f"{listed(right)} {'is a choice' if len(right) == 1 else 'are choices'} now"] if right else []
        parts += [f"{listed(wrong)} {'is' if len(wrong) == 1 else 'are'} left out, with the reason"] if wrong else []
        return "; ".join(parts)

    @property
    def sentence(self) -> str:
        """What is known of them: "The description does not offer BM = 48 (right) and BM = 256 (wrong)"; "" for none."""
        known = [f"{name} = {value} (right)" for name, value in self.right]
        known += [f"{one.name} = {one.value} (wrong)" for one in self.wrong]
        known += [f"{one.name} = {one.value} (not examined)" for one in self.not_examined]
        return f"The description does not offer {listed(known)}" if known else ""

    def header_lines(self, kernel: Kernel) -> str:
        """The lines of a kernel's header that offer the right ones, too; "" where none is right."""
        offered, choices = self.offered, {one.name: one.choices for one in kernel.parameters}
        known = kernel.proven_settings if offered else ()
        proven = [dict(one) for one in dict.fromkeys((*known, *self.proven))] if known else []
        return toml_text({PROVEN_SETTINGS: proven} if proven else {}) + "\n".join(
            f"[params.{name}]\nchoices = [{', '.join(map(str, sorted({*choices[name], *values})))}]"
            for name, values in offered.items()
        )

    def __bool__(self) -> bool:
        return bool(self.right or self.left_out)


def further_values(kernel: Kernel, settings: Sequence[Measured]) -> FurtherValues:
    """What settings say about values that a kernel does not offer. A value is right where every setting with it is
    sound; one whose reason the description has already is not told again.
    """
    choices = {one.name: one.choices for one in kernel.parameters}
    faults: dict[tuple[str, int], str] = {}
    examined: set[tuple[str, int]] = set()
    rows, varied = setting_rows(settings), varied_params([one.version.params for one in settings])
    for row, one in zip(rows, settings, strict=True):
        params = dict(one.version.params)
        new = [(name, value) for name, value in params.items() if name in choices and value not in choices[name]]
        fault = "" if row.is_sound else _PLACE.sub("", (row.faults or (_NO_FIGURES,))[0]).rstrip(".")
        if any(cell != UNKNOWN for cell in row.cells):
            examined.update(new)
        for key in new:
            others = [name for name in varied if name != key[0]]
            beside = f"with {varied_words(one.version.params, others)}: " if fault and others else ""
            faults[key] = faults.get(key, "") or f"{beside}{fault}"
    right = tuple(key for key, fault in faults.items() if not fault)
    proven = tuple(
        kernel.not_defaults(one.version.params)
        for one in settings
        if (new := [key for key in one.version.params if key in faults]) and all(key in right for key in new)
    )
    known = set(kernel.values_left_out)
    wrong = (ValueLeftOut(*key, fault[:MOST_LETTERS]) for key, fault in faults.items() if fault)
    return FurtherValues(
        right,
        tuple(one for one in wrong if one not in known),
        frozenset(faults.keys() - examined),
        proven,
    )
