"""The texts of a description whose numbers parameters may stand for: block, grid, shared memory and rules for sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gemmviz.adopt.description import Description
from gemmviz.adopt.parameters.coupling import block_names, grid_names, shared_names
from gemmviz.adopt.parameters.forms import NumberSlot, SlotText
from gemmviz.adopt.parameters.host_expressions import HostExpressions
from gemmviz.adopt.source.kernels import FoundKernel
from gemmviz.adopt.source.launches import FoundLaunch


@dataclass(frozen=True, slots=True)
class ReplaceableTexts:
    """The texts of a proven description, launched in the words of the host code. `tied` are parameters that always have
    the value of another one, of `names`.
    """

    kernel: FoundKernel
    launches: Sequence[FoundLaunch]
    proven: Description
    host: HostExpressions
    names: Sequence[str]
    tied: Mapping[str, str]

    @property
    def described(self) -> Description:
        """The description in the words of the host code."""
        return self.host.put_into(self.proven)

    @property
    def texts(self) -> list[str]:
        """The texts that numbers may be replaced in."""
        described = self.described
        rules = (str(rule.multiple) for rule in described.rules)
        return [*described.block, *described.grid, described.shared_bytes, *rules]

    def slot_texts(self) -> list[SlotText]:
        """The texts, each with its dimension and the parameters that the source says it is computed from."""
        described, kernel, launches = self.described, self.kernel, self.launches
        names = (*self.names, *self.tied)
        named: list[frozenset[str]] = [
            block_names(kernel, launches, axis, names) for axis in range(len(described.block))
        ]
        named += [grid_names(kernel, launches, axis, names) for axis in range(len(described.grid))]
        named.append(shared_names(kernel, launches, names))
        named = [frozenset(self.tied.get(name, name) for name in one) for one in named]
        texts = self.texts
        blocks, has_own_parts = len(described.block), not kernel.uses_grid_size
        grids = range(blocks, blocks + len(described.grid)) if has_own_parts else range(0)
        found = [
            SlotText(
                text,
                next((one for one in "MNK" if one in text), ""),
                one,
                at in grids,
                told=self.host.parts[at].forms if at in self.host.parts else None,
            )
            for at, (text, one) in enumerate(zip(texts, named, strict=False))
        ]
        of_grid = {one.dimension: one.named for one in found[blocks:] if one.dimension and one.named}
        rules = zip(described.rules, texts[len(found) :], strict=True)
        of_rules = (
            SlotText(text, rule.dimension, first=of_grid.get(rule.dimension, frozenset())) for rule, text in rules
        )
        return [*found, *of_rules]

    def with_words(self, slots: Sequence[NumberSlot], words: Sequence[str]) -> Description:
        """The description with these words in the slots, and multiples of rules as they then are."""
        texts = self.texts
        for slot, word in reversed([*zip(slots, words, strict=True)]):
            text, (start, end) = texts[slot.text], slot.span
            before, behind = text[:start].rstrip(), text[end:].lstrip()
            is_whole = before[-1:] in ("", "(", ",") and behind[:1] in ("", ")", ",")
            texts[slot.text] = text[:start] + (word if is_whole or word.isalnum() else f"({word})") + text[end:]
        described = self.described
        blocks, grids = len(described.block), len(described.grid)
        return replace(
            described,
            block=tuple(texts[:blocks]),
            grid=tuple(texts[blocks : blocks + grids]),
            shared_bytes=texts[blocks + grids],
            rules=tuple(
                replace(rule, multiple=int(text), least=1) if text.isdigit() else replace(rule, multiple_words=text)
                for rule, text in zip(described.rules, texts[blocks + grids + 1 :], strict=True)
            ),
        )
