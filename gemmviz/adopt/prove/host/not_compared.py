"""Why a launch in host code cannot be compared with what was proven."""

from __future__ import annotations

import re

from gemmviz.adopt.description import Description
from gemmviz.adopt.prove.host.launch_numbers import number_places
from gemmviz.adopt.prove.host.launch_terms import LaunchTerms, unknown_in_grid
from gemmviz.domain.kernels.call import OPERANDS
from gemmviz.domain.listing import listed

_COMPUTED = re.compile(r"\[(?!\s*0\s*\])|(?<![-+(,])\s*[+-](?!>)\s*\w")
"""In a pointer that is given: one that is moved, or that points to an element but the first."""
_VARIABLE = re.compile(r"[A-Za-z_][\w.]*")


def why_not_compared(terms: LaunchTerms, description: Description, *, uses_shared: bool) -> str:
    """Why a launch says nothing of a whole product, or cannot be read: "line 3's grid could not be read (`g`): not
    compared with it"; "" where it can be compared.
    """
    launch, texts = terms.launch, terms.launch.texts
    line = f"line {launch.line}"
    words = description.arguments
    if launch.unread:
        return f"{line} {launch.unread}: not compared"
    if any(place < len(words) and _must_stay(words[place]) for place in launch.changing):
        return f"{line} launches it in a loop: not compared"
    if launch.is_grid_changing and not (terms.grid and all(terms.grid) and terms.block and all(terms.block)):
        return f"{line} launches it in a loop: not compared"
    for text, word in zip(texts.arguments, words, strict=False):
        if word in OPERANDS and _COMPUTED.search(re.sub(r"<[^<>]*>", "", text)):
            return f"{line} gives the kernel a pointer that is computed (`{text}`): not compared"
    parts = [("block", terms.block, texts.block), ("grid", terms.grid, texts.grid)]
    if uses_shared:
        parts.append(("shared memory", (terms.shared_bytes,), texts.shared_bytes))
    for name, found, text in parts:
        unknown = unknown_in_grid(launch, launch.arguments) if name == "grid" and not all(found) else []
        if unknown:
            return (
                f"{line}'s grid depends on {listed(unknown)}, which it does not give the kernel: not compared with it"
            )
        if not found or not all(found):
            return f"{line}'s {name} could not be read{f' (`{text}`)' if text else ''}: not compared with it"
    if not all(terms.conditions):
        return f"{line} launches it under a condition that could not be read: not compared"
    if len(launch.arguments) != len(words):
        return f"{line} gives the kernel another number of arguments than it takes: not compared"
    for place in number_places(description):
        text = launch.arguments[place]
        is_known = terms.arguments[place] or terms.traced[place] or _VARIABLE.fullmatch(text)
        if not is_known:
            return f"what {line} gives the kernel could not be read (`{texts.arguments[place]}`): not compared with it"
    return ""


def why_doubtful(terms: LaunchTerms) -> str:
    """Why other numbers than those that were proven say nothing against a launch: its grid or its block depends on
    variables whose values only the caller knows; "" where it depends on none.
    """
    line = f"line {terms.launch.line}"
    if terms.by_name:
        depends = f"depends on {listed([name for name, _ in terms.by_name])}, which it does not give the kernel"
        return f"{line}'s grid {depends}: not compared with it"
    parts = {*_VARIABLE.findall(" ".join((*terms.launch.grid, *terms.launch.block, terms.launch.shared_bytes)))}
    held = [(name, value) for name, value in terms.assumed if name in parts]
    if not held:
        return ""
    names, values = (listed([*dict.fromkeys(one)]) for one in zip(*held, strict=True))
    return f"{line}'s launch depends on {names}, for which gemmviz gave the kernel {values}: not compared with it"


def taken_words(terms: LaunchTerms) -> str:
    """That functions and variables are believed by their names; "" for none."""
    taken = terms.launch.taken
    if terms.by_name:
        names, sizes = (listed([*one]) for one in zip(*terms.by_name, strict=True))
        if any(name.upper() != size for name, size in terms.by_name):
            return f" ({names} taken for {sizes}, which the kernel is not given)"
        return f" ({names} taken for {sizes}, as {'its name says' if len(terms.by_name) == 1 else 'their names say'})"
    if not taken:
        return ""
    return f" ({listed([*taken])} taken to round up, as {'its name says' if len(taken) == 1 else 'their names say'})"


def _must_stay(word: str) -> bool:
    """Whether what is given for it must be the same in each pass of a loop for a launch to make a whole product."""
    return word in OPERANDS or word.lstrip("-").isdigit()
