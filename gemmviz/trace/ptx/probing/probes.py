"""What each instruction of a kernel's PTX tells a recording, and the numbers of the values that it tells."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.machine.log import As, Logged, LoggedValue
from gemmviz.machine.ptx.parse import Module, SharedSymbol, Statement
from gemmviz.trace.ptx.probing.accesses import Found, Unseen, What, find
from gemmviz.trace.ptx.probing.split_vectors import Vectors, joined


@dataclass(frozen=True, slots=True)
class Probe:
    """What one instruction tells; its values have the numbers from `first` on. `symbol`: of What.SYMBOL, which."""

    first: int
    found: Found
    function: str
    statement: Statement | None = None
    symbol: SharedSymbol | None = None

    @property
    def logged(self) -> Logged:
        """What the machine writes down for it."""
        found = self.found
        return Logged(self.first, found.values, found.guard, found.negated, found.after)


@dataclass(frozen=True, slots=True)
class Probed:
    """The kernel `symbol` of a PTX module with its probes; `unseen` are the instructions that are not recorded."""

    module: Module
    symbol: str
    probes: tuple[Probe, ...]
    unseen: tuple[tuple[Statement, str], ...]

    @property
    def has_mbarriers(self) -> bool:
        """Whether it has an operation on an mbarrier, be it only its initialisation."""
        functions = (self.module.entry(self.symbol), *(one for one in self.module.functions if not one.is_entry))
        return any(statement.words[0] == "mbarrier" for function in functions for statement in function.statements)


def find_probes(module: Module, symbol: str, *, tells_symbols: bool, vectors: Vectors | None = None) -> Probed:
    """The probes of the kernel `symbol` and of all functions that are no kernels, in the order of the text.

    With `tells_symbols` the kernel begins by telling where each shared variable lies. `vectors` tell which accesses of
    several components are one in code as written (`split_vectors`); None of code as compiled.

    Raises:
        KeyError: the module has no such kernel.
    """
    probes: list[Probe] = []
    unseen: list[tuple[Statement, str]] = []
    number = 0

    def add(found: Found, function: str, statement: Statement | None, shared: SharedSymbol | None) -> None:
        nonlocal number
        probes.append(Probe(number, found, function, statement, shared))
        number += len(found.values)

    entry = module.entry(symbol)
    for function in (entry, *(one for one in module.functions if not one.is_entry)):
        if function is entry and tells_symbols:
            for shared in module.shared:
                add(Found(What.SYMBOL, (LoggedValue(shared.name, As.ADDRESS),)), function.name, None, shared)
        of_vectors = joined(function.statements, vectors) if vectors is not None else {}
        for each in function.statements:
            statement = of_vectors.get(each.start, each)
            if statement is None:
                continue
            found = find(statement)
            if isinstance(found, Unseen):
                unseen.append((statement, found.reason))
            elif found is not None:
                add(found, function.name, statement, None)
    return Probed(module, symbol, tuple(probes), tuple(unseen))
