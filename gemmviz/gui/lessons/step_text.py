"""What a step of a lesson says and asks, as words. No Qt."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StepText:
    """The sentence of a step, what explains it, its question with the choices, and what was said of the one chosen
    last; "" for what there is not.
    """

    sentence: str = ""
    more: str = ""
    question: str = ""
    choices: tuple[str, ...] = ()
    answer: str = ""

    @property
    def rest(self) -> str:
        """All but the sentence, in one paragraph."""
        return " ".join(filter(None, (self.more, self.question, " · ".join(self.choices), self.answer)))
