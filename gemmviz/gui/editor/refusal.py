"""Shows beside the text of a file why it is no kernel yet."""

from __future__ import annotations

from pathlib import Path

from gemmviz.catalogue.header import beside_file
from gemmviz.explain.source.source_fault import compile_faults, without_folder
from gemmviz.gui.editor.panel import EditorPanel
from gemmviz.gui.kernels.described import not_described_words

MEND = " Mend it here, then save (Ctrl+S)."


def show_refusal(panel: EditorPanel, path: Path, why: str, *, is_adoptable: bool) -> None:
    """Underline what is at fault, and say why; a file that only lacks a description has no faulty line, and can
    be given one. A description beside it that is at fault can be opened.
    """
    faults = () if is_adoptable else compile_faults(why, path)
    panel.show_faults(faults)  # says the first in words, and with the line that it has by now
    description = beside_file(path)
    is_of_description = why.startswith((f"{description}:", f"{description.absolute()}:"))
    mend = f" Correct {description.name} and save it: the kernel is then read again." if is_of_description else MEND
    reason = f"{path.name} is no kernel yet" if faults else without_folder(why).rstrip(".")
    words = not_described_words(path.name) if is_adoptable else f"{reason}.{mend}"
    panel.comparison.show_status(
        words,
        is_fault=not is_adoptable,
        is_describable=is_adoptable,
        description=description if is_of_description else None,
    )


def not_compiled_words(*, has_figures: bool) -> str:
    """That what was saved does not compile, and of which version the figures beside it are, if there are any. The line
    stands at the text, where it follows what is typed.
    """
    shown = "The figures are those of the previous version." if has_figures else "No figures yet."
    return f"The saved text does not compile. {shown}"
