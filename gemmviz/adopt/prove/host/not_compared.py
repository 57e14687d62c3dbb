"""Why a launch in host code cannot be compared with what was proven."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gemmviz.adopt.description import Description
from gemmviz.adopt.prove.host.launch_numbers import number_places
from gemmviz.adopt.prove.host.launch_terms import LaunchTerms, unknown_in_grid
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.domain.figures import counted
from gemmviz.domain.kernels.call import OPERANDS
from gemmviz.domain.listing import either, listed

_COMPUTED = re.compile(r"\[(?!\s*0\s*\])|(?<![-+(,])\s*[+-](?!>)\s*\w")
"""In a pointer that is given: one that is moved, or that points to an element but the first."""
_VARIABLE = re.compile(r"[A-Za-z_][\w.]*")
_MOST_NAMED = 4


def why_not_compared(terms: LaunchTerms, description: Description) -> str:
    """Why a launch says nothing of a whole product, or cannot be read: "its grid (`g`) could not be read; …"; "" where
    it can be compared.
    """
    launch, texts = terms.launch, terms.launch.texts
    words = description.arguments
    if launch.unread:
        return launch.unread
    if any(place < len(words) and _must_stay(words[place]) for place in launch.changing):
        return _IN_LOOP
    if launch.is_grid_changing and not (terms.grid and all(terms.grid) and terms.block and all(terms.block)):
        return _IN_LOOP
    for text, word in zip(texts.arguments, words, strict=False):
        if word in OPERANDS and _COMPUTED.search(re.sub(r"<[^<>]*>", "", text)):
            return f"it gives the kernel the computed pointer `{text}`, so it may compute a part of a product"
    if terms.lessened:
        given = listed([f"`{texts.arguments[place]}` for {words[place]}" for place in terms.lessened])
        return f"it gives the kernel {given}, so it may compute a part of a product"
    parts = [("block", terms.block, texts.block), ("grid", terms.grid, texts.grid)]
    if uses_dynamic_shared(description):
        parts.append(("shared memory", (terms.shared_bytes,), texts.shared_bytes))
    for name, found, text in parts:
        unknown = unknown_in_grid(launch, launch.arguments) if name == "grid" and not all(found) else []
        if unknown:
            return _not_given_words(unknown)
        if not found or not all(found):
            return f"its {name}{f' (`{text}`)' if text else ''} could not be read; {_WRITE}"
    if not all(terms.conditions):
        return f"it stands under a condition that could not be read; {_WRITE}"
    if len(launch.arguments) != len(words):
        return f"it has {counted(len(launch.arguments), 'argument')}, and the kernel takes {len(words)}"
    for place in number_places(description):
        text = launch.arguments[place]
        is_known = terms.arguments[place] or terms.traced[place] or _VARIABLE.fullmatch(text)
        if not is_known:
            return f"its argument `{texts.arguments[place]}` could not be read; {_WRITE}"
    return ""


def uses_dynamic_shared(description: Description) -> bool:
    """Whether the bytes that a launch gives for dynamic shared memory are part of what was proven."""
    return description.shared_bytes != "0"


def why_doubtful(terms: LaunchTerms) -> str:
    """Why other numbers than those that were proven say nothing against a launch: its grid or its block depends on
    variables whose values only the caller knows; "" where it depends on none.
    """
    if terms.by_name:
        return _not_given_words([name for name, _ in terms.by_name])
    parts = {*_VARIABLE.findall(" ".join((*terms.launch.grid, *terms.launch.block, terms.launch.shared_bytes)))}
    held = [(name, value) for name, value in terms.assumed if name in parts]
    if not held:
        return ""
    names, values = (listed([*dict.fromkeys(one)]) for one in zip(*held, strict=True))
    return f"only its caller knows {names}, and gemmviz tried the kernel with {values} there"


def other_tiles(launch: FoundLaunch, description: Description) -> str:
    """That calls give a launch other edges of a tile than the one that was proven: "calls of its function give it
    bs = 8 or 32, and bs = 16 was proven"; "" where they give it no other.
    """
    for values, text, word in zip(launch.called_with, launch.arguments, description.arguments, strict=False):
        others = [str(value) for value in values if str(value) != word]
        if others and word.isdigit():
            return (
                f"calls of its function give it {text} = {either(others, _MOST_NAMED)}, and {text} = {word} was proven"
            )
    return ""


def _not_given_words(names: Sequence[str]) -> str:
    are = "is" if len(names) == 1 else "are"
    return f"its grid depends on {listed([*names])}, which {are} not passed to the kernel"


_IN_LOOP = "it stands in a loop that changes what it gives the kernel"
_WRITE = "write it with numbers and the sizes that the kernel takes"


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
