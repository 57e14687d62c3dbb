"""Which parameter of a kernel is no factor, though with one value of it what the kernel writes is a scaled product."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gemmviz.adopt.prove.evidence import Traces, View, agrees
from gemmviz.adopt.prove.faults import no_factor_words
from gemmviz.adopt.prove.launcher import BlockGeometry, TryError
from gemmviz.adopt.prove.trial import FACTORS, OTHER_FACTORS, NothingWrittenError
from gemmviz.adopt.resemblance.observation import Observation
from gemmviz.domain.listing import listed


def fault_of_factors(
    views: Sequence[View], traces: Traces, observed: Callable[[Sequence[float]], Observation], geometry: BlockGeometry
) -> str:
    """The first floating-point parameter with another value of which, all others being as before, none of the `views`
    of `traces` holds: "beta does not act as such: ..."; "" where there is none. `observed` gives the kernel other
    values.
    """
    for number, place in enumerate(traces.factors):
        values = [*FACTORS]
        values[number] = OTHER_FACTORS[number]
        seen, what = observed(values), "it is not"
        try:
            changed = seen.trial.run(geometry, (1, 1, 1))
            holds = any(agrees(view, changed) for view in views)
        except NothingWrittenError as error:
            holds, what = False, str(error)
        except TryError:
            continue
        if not holds:
            name, names = seen.names[place], seen.names
            if views[0].scaling.factor == place and views[0].scaling.times == traces.factors[place]:
                what = f"{what}: {name} may act twice"
            given = listed([f"{names[one]} = {value:g}" for one, value in traces.factors.items()])
            return (
                f"{no_factor_words(name)}: with {given} what one block wrote is {_formula(views[0], names)}, with "
                f"{name} = {values[number]:g} {what}"
            )
    return ""


def _formula(view: View, names: Sequence[str]) -> str:
    """What a view says, with the names of the factors: "alpha·A·B + 0.5·C"."""
    scaling = view.scaling

    def scaled(constant: float, place: int | None, word: str) -> str:
        parts = [f"{constant:g}"] if constant != 1.0 else []
        return "·".join([*parts, *([names[place]] if place is not None else []), word])

    product = scaled(scaling.times, scaling.factor, "A·B")
    return product if scaling.added is None else f"{product} + {scaled(scaling.kept, scaling.share, 'C')}"
