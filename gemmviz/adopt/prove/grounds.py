"""What goes with a proven description: where what was tried came from, and what else was found out by running it."""

from __future__ import annotations

from gemmviz.adopt.description import Description
from gemmviz.adopt.propose.geometry import BlockGuess
from gemmviz.adopt.propose.instances import Instance
from gemmviz.adopt.propose.roles import matrices_in_order, role_of
from gemmviz.adopt.prove.check import check
from gemmviz.adopt.prove.machine import CompiledKernel
from gemmviz.adopt.prove.readings import whole_places
from gemmviz.adopt.prove.searched_kernel import SearchedKernel
from gemmviz.domain.shape import Shape


def because(
    searched: SearchedKernel, made: CompiledKernel, description: Description, instance: Instance, guess: BlockGuess
) -> tuple[str, ...]:
    """Where what was tried, and turned out right, came from."""
    found = [f"the block: {guess.because}"]
    if instance.template:
        found.append(f"the template's arguments: {instance.because}")
    places = whole_places(made.types)
    sizes = {} if places else {one.name: one.value for one in searched.constants}
    for name, value in instance.defines:
        why = "usual sizes of such macros, or the condition of its #if"
        smaller = f"{sizes.get(name)} takes too long to be proven, and its #ifndef lets others define it"
        found.append(f"{name} = {value}: {smaller if name in sizes else why}")
    parameters = searched.kernel.parameters
    letters = matrices_in_order(parameters)
    pointers = {parameters[place].name: letter for place, letter in letters.items()}
    roles = [role_of(parameters[place], pointers) for place in places]
    is_told = {"batch": "1" in description.arguments}
    told = [role for role in roles if role.word and is_told.get(role.word, True)]
    return (*found, *(role.because for role in told if "it is called" not in role.because))


def notes(made: CompiledKernel, description: Description, base: Shape, limit_s: float) -> tuple[str, ...]:
    """What else was found out by running it, each run within `limit_s` seconds."""
    found = []
    if not check(made, description, base, limit_s, in_float32=True).is_right:
        found.append("sums are rounded more coarsely than in float32, which `run` takes for an error")
    if description.has_beta and not check(made, description, base, limit_s, beta=0.0, is_poisoned=True).is_right:
        found.append("C is read even where beta is 0, so a NaN in it stays one")
    return tuple(found)
