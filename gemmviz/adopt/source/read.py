"""Reads a kernel file: what stands in it, before anything of it is run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gemmviz.adopt.source.active_code import active_code
from gemmviz.adopt.source.host_calls.called_launches import with_calls_written_in
from gemmviz.adopt.source.kernels import FoundKernel, kernels_of
from gemmviz.adopt.source.launch_calls import handed_on
from gemmviz.adopt.source.launches import MOST_LAUNCHES, FoundLaunch, instantiations_of, launches_of
from gemmviz.adopt.source.names import Names, names_of
from gemmviz.adopt.source.required_block import required_block
from gemmviz.adopt.source.spaced_launches import with_launches_joined
from gemmviz.adopt.source.template_types import TemplateTypes, launching_templates
from gemmviz.adopt.source.tree import IDENTIFIER, Node, SourceError, parse
from gemmviz.adopt.source.written_macros import with_kernels_written_out
from gemmviz.catalogue.expressions import ExpressionError, evaluate
from gemmviz.catalogue.overloads import overloads_of
from gemmviz.domain.terms import Language

_MOST_NUMBERS = 8
"""Numbers of its template that calls give one function."""
_MOST_FORWARDED = 3
"""Functions that may pass arguments on, one to the next, before the launch."""


@dataclass(frozen=True, slots=True)
class FoundSource:
    """A file's kernels, the launches in its host code, the templates that it instantiates with which arguments, and
    what its names stand for. `left_out` are the lines of kernels that its conditions leave out whatever is defined.
    """

    kernels: tuple[FoundKernel, ...]
    launches: tuple[FoundLaunch, ...]
    instantiations: tuple[tuple[str, tuple[str, ...]], ...]
    names: Names
    left_out: tuple[int, ...] = ()
    handed: tuple[tuple[str, int, str], ...] = ()
    """Kernels that are handed to a function which may launch them, by their names, the line and that function."""
    included: tuple[str, ...] = ()
    """The texts of files that it includes from its own folder."""

    def instantiations_of(self, kernel: FoundKernel) -> tuple[tuple[str, ...], ...]:
        """The template arguments that the file instantiates a kernel with."""
        return tuple(given for name, given in self.instantiations if name == kernel.short_name)

    def launches_of(self, kernel: FoundKernel) -> tuple[FoundLaunch, ...]:
        """The launches of a kernel, in the order of the file; of one that shares its name those with as many arguments
        as it takes. A launch of which nothing says which kernel it is may be of the only one.
        """
        count = len(kernel.parameters)
        return tuple(
            one
            for one in self.launches
            if (one.kernel.rpartition("::")[2] == kernel.short_name or (not one.kernel and len(self.kernels) == 1))
            and (not kernel.overload or len(one.arguments) == count)
        )


def read_source(text: str, language: Language, included: Sequence[str] = ()) -> FoundSource:
    """What stands in a file; names that it does not define may stand for what the `included` texts say.

    Raises:
        SourceError: the code is nested too deeply, or there is too much of it.
    """
    try:
        text = with_kernels_written_out(with_launches_joined(text) if language is Language.CUDA else text)
        root = parse(text, language)
        beside = _included_names(included, language)
        names = names_of(root).beside(beside)
        overloads = overloads_of(text) if language is Language.CUDA else {}
        kernels = tuple(
            replace(one, overload=overloads.get(one.line, ""), required_block=required_block(text, one.short_name))
            for one in kernels_of(root, names)
        )
        # a kernel under a condition is looked at as where its condition holds
        asked = {
            name for one in kernels for condition in one.conditions for name in IDENTIFIER.findall(condition.words)
        }
        active = active_code(text, asked, launching_templates(root)) if language is Language.CUDA else text
        lines = active.split("\n")
        left_out = tuple(one.line for one in kernels if not lines[one.line - 1].strip())
        kernels = tuple(one for one in kernels if one.line not in left_out)
        host = root if active == text else parse(active, language)
        launches: list[FoundLaunch] = []
        written, first = list[str](), host
        short = dict.fromkeys(one.short_name for one in kernels)
        while len(written) < _MOST_NUMBERS:
            code, tree = _written_out(active, host, names, language, len(written))
            if code in written:
                break
            host_names = (names if tree is root else names_of(tree).beside(beside)).without_ambiguous()
            typed = TemplateTypes(tree, host_names, kernels)
            found = [each for call, one in launches_of(tree, host_names, short) for each in typed.typed(one, call)]
            launches += [one for one in found if one not in launches and not _is_never_made(one)]
            first = first if written else tree
            written.append(code)
        first_names = names if first is root else names_of(first).beside(beside)
        named = instantiations_of(first, first_names.without_ambiguous())
        handed = tuple((name, line, function) for name in short for line, function in handed_on(first, name))
        return FoundSource(kernels, tuple(launches[:MOST_LAUNCHES]), named, names, left_out, handed, tuple(included))
    except RecursionError as error:
        raise SourceError("the code is nested too deeply: split it into parts") from error


def _is_never_made(launch: FoundLaunch) -> bool:
    """Whether a condition of a launch is false whatever the sizes are, as with a number that a call gives."""
    return any(_is_false(one.words) for one in launch.conditions)


def _is_false(words: str) -> bool:
    try:
        return bool(words) and not evaluate(words, {})
    except ExpressionError:
        return False


def _included_names(texts: Sequence[str], language: Language) -> Names:
    """What names of included files stand for, as the first one defines each; of a file that is too large, nothing."""
    found = Names()
    for text in texts:
        try:
            found = found.beside(names_of(parse(text, language)))
        except (SourceError, RecursionError):
            continue
    return found


def _written_out(code: str, host: Node, names: Names, language: Language, number: int) -> tuple[str, Node]:
    """The code and its tree with calls of functions that launch written in, of templates with the numbers of one
    call.
    """
    for _ in range(_MOST_FORWARDED if language is Language.CUDA else 0):
        before, code = code, with_calls_written_in(host, code, names, number)
        if code == before:
            break
        host = parse(code, language)
    return code, host
