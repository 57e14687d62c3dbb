"""Parameters of a proven kernel: further values of its template's arguments and macros, each proven by running it."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from math import lcm, prod

from gemmviz.adopt.description import Description
from gemmviz.adopt.parameters.candidates import candidates_of, is_fixed, matters
from gemmviz.adopt.parameters.forms import NAMES, NumberSlot, slots_of, value_of
from gemmviz.adopt.parameters.hints import (
    fixed_words,
    hints_of,
    kept_words,
    replaced_words,
    tried_launches,
    untried_words,
)
from gemmviz.adopt.parameters.host_expressions import UNTOLD, HostExpressions, host_expressions
from gemmviz.adopt.parameters.launch_choices import launches_with
from gemmviz.adopt.parameters.reach import reach_sizes, remainder_sizes
from gemmviz.adopt.parameters.replaceable_texts import ReplaceableTexts
from gemmviz.adopt.parameters.tries import (
    Setting,
    changed,
    first_line,
    multiples_of,
    rounds_of,
    sizes_of,
    tied_of,
    together_of,
)
from gemmviz.adopt.prove.block_order import last_first
from gemmviz.adopt.prove.check import check
from gemmviz.adopt.prove.launcher import TryError
from gemmviz.adopt.prove.machine import CompiledKernel, KernelBuild
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.prove.searched_kernel import SearchedKernel
from gemmviz.adopt.setting_rules import Pair, with_settings, wrong_together_words
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.catalogue.languages.file_constants import FileConstant
from gemmviz.catalogue.values.values_left_out import ValueLeftOut
from gemmviz.domain.listing import listed
from gemmviz.domain.shape import Shape

_MOST_SETTINGS = 12
"""Settings that are compiled, which takes nearly all of the time."""
_MOST_TOGETHER = 4
"""Of these the ones with further values of several parameters."""
_MOST_TIED = 6
"""Settings that are compiled with equal values for several parameters, where none has another value alone."""
_ROUNDS_BEFORE = 2
"""Of single values, before several are tried together."""
_GUARD_S = 60.0
"""For all of them: a guard, which a slow machine may reach before."""
_RUN_S = 5.0
_Found = tuple[Description, tuple[str, ...], tuple[str, ...], str]


@dataclass(slots=True)
class ParameterSearch:
    """The search for further values: each while the other parameters have their defaults, then some together."""

    searched: SearchedKernel
    log: SearchLog
    made: CompiledKernel
    description: Description
    right_sizes: Sequence[Shape]
    """Those at which the description was proven."""
    launch: FoundLaunch | None = None
    """The launch in host code that was proven."""
    host: HostExpressions = UNTOLD
    names: tuple[str, ...] = ()
    tied: dict[str, str] = field(default_factory=dict)
    """Parameters that always have the value of another one, of `names`."""
    replaceable: dict[str, FileConstant] = field(default_factory=dict)
    """Those of the names whose value the file defines for good: another one takes its place before it is compiled."""
    launched: ReplaceableTexts = field(init=False)
    slots: list[NumberSlot] = field(default_factory=list)
    every_slot: list[NumberSlot] = field(default_factory=list)
    """The numbers with all that may stand for them; in `slots` is what the tries have left."""
    kernels: dict[Setting, CompiledKernel] = field(default_factory=dict)
    """The settings that are right, but for the first, and what they compiled to."""
    values: list[list[int]] = field(default_factory=list)
    """Those that are right, of each parameter, the default first."""
    right: list[Setting] = field(default_factory=list)
    """The settings that are right, the defaults first."""
    left_out: dict[str, dict[int, str]] = field(default_factory=dict)
    """Values that are not offered, and why, by the parameters' names."""
    wrong_alone: dict[int, list[int]] = field(default_factory=dict)
    """Values that were tried alone and are not right, by the parameters' places."""
    wrong: list[tuple[Setting, str]] = field(default_factory=list)
    """The settings that were tried and are not right, and why."""
    numbers_tried: Mapping[tuple[int, ...], str] = field(default_factory=dict)
    """The launches that the last setting was wrong in, as numbers for all slots, the one whose fault is told first."""
    wrong_together: list[tuple[tuple[Pair, ...], str]] = field(default_factory=list)
    """Values that are right alone and wrong together, and why."""
    tried: dict[str, set[int]] = field(default_factory=dict)
    """Further values that were tried, by the parameters' names."""
    compiled: int = 0
    end: float = 0.0

    def found(self) -> _Found:
        """The description with its parameters, what a person is told about them, which keep their value since no other
        one is right, and which keep it untried, and why.
        """
        defaults, self.replaceable = candidates_of(self.searched, self.made)
        hints = hints_of(self.searched, defaults)
        if not defaults or is_fixed(self.searched, self.description):
            return self.description, hints, (), kept_words(self.description, defaults)
        self.end = time.monotonic() + _GUARD_S
        is_own = partial(matters, self.searched, self.made, self.replaceable)
        defaults = {name: one for name, one in defaults.items() if is_own(name, one)}
        is_cut = self._search(defaults, _MOST_SETTINGS)
        if len(self.right) == 1 and (tied := tied_of(defaults)):  # alone none has another value: together they may
            together = replace(self, tied=tied)
            together._search({name: value for name, value in defaults.items() if name not in tied}, _MOST_TIED)
            for name, further in self.tried.items():
                together.tried.setdefault(name, set()).update(further)
            self.tried = together.tried
            if len(together.right) > 1:
                alone = {*defaults} - {*tied, *tied.values()}
                together.left_out |= {name: values for name, values in self.left_out.items() if name in alone}
                return together._told(hints, is_cut=is_cut)
        return self._told(hints, is_cut=is_cut)

    def _told(self, hints: tuple[str, ...], *, is_cut: bool) -> _Found:
        """What `found` gives, once all was tried."""
        chosen = [place for place, values in enumerate(self.values) if len(values) > 1]
        ended = f" (at most {_MOST_SETTINGS} settings are compiled, within {_GUARD_S:g} s)" if is_cut else ""
        values = ((name, sorted(values.items())) for name, values in self.left_out.items())
        left_out = tuple(ValueLeftOut(name, value, why) for name, of_name in values for value, why in of_name)
        offered = [place for place in range(len(self.names)) if place in chosen or self._is_told(place)]
        written = self._written({self.names[place]: place for place in offered}) if offered else self.description
        written = replace(written, values_left_out=left_out)
        tried = self.tried | {name: self.tried.get(leader, set()) for name, leader in self.tied.items()}
        together = wrong_together_words(self.wrong_together, self._said)
        notes = (*replaced_words(written, self.replaceable, tried), *together, *hints)
        return written, notes, fixed_words(self._kept), untried_words(self._kept, ended)

    def _search(self, defaults: Mapping[str, int], most: int) -> bool:
        """Try further values of these parameters, and compile so many settings at most; whether some were left
        untried.
        """
        start = tuple(defaults.values())
        self.names, self.values, self.right = tuple(defaults), [[one] for one in start], [start]
        self.host = host_expressions(
            self.searched.kernel, self.launch, self.searched.source.names, self.description, defaults, self.tied
        )
        kernel = self.searched.kernel
        self.launched = ReplaceableTexts(
            kernel, self.searched.source.launches_of(kernel), self.description, self.host, self.names, self.tied
        )
        self.every_slot = self.slots = [*slots_of(self.launched.slot_texts(), defaults)]
        self.kernels, self.compiled, is_cut = {}, 0, False
        self.left_out, self.tried, self.wrong_alone, self.wrong, self.wrong_together = {}, {}, {}, [], []
        rounds = [[changed(start, {place: value}) for place, value in tries] for tries in rounds_of(start)]
        first, second = rounds[:_ROUNDS_BEFORE], rounds[_ROUNDS_BEFORE:]
        kept_back = min(_MOST_TOGETHER, most // 3) if len(start) > 1 else 0
        with ThreadPoolExecutor(1) as ahead:
            is_cut = self._try_each([one for tries in first for one in tries], ahead, most - kept_back)
            threads = [*map(int, self.description.block), prod(map(int, self.description.block))]
            several = together_of(self.names, self.values, self.wrong_alone, threads)[:kept_back]
            self._try_each(several, ahead, most)
            return self._try_each([one for tries in second for one in tries], ahead, most) or is_cut

    def _try_each(self, settings: Sequence[Setting], ahead: Executor, most: int) -> bool:
        """Try settings until so many were compiled; whether some were left untried."""
        left = max(0, most - self.compiled)
        builds = {one: self._build(one) for one in settings[:left]}
        waiting = [ahead.submit(self.made.prepare, one) for one in builds.values()]
        is_cut = False
        try:
            for setting in settings:
                is_cut = not (setting in builds and self._try(setting, builds[setting])) or is_cut
                if setting not in self.right and setting not in builds:
                    self._leave_untried(setting)
        finally:
            for one in waiting:
                one.cancel()
        return is_cut

    def _said(self, name: str) -> str:
        """A parameter with those that have its value: "BM = BN = BK"."""
        return " = ".join((name, *self._tied_to(name)))

    def _tied_to(self, name: str) -> tuple[str, ...]:
        return tuple(one for one, leader in self.tied.items() if leader == name)

    @property
    def _kept(self) -> dict[str, set[int]]:
        """The parameters that have one value, "TM = 4", with the further ones that were tried."""
        return {
            f"{self._said(name)} = {self._start[place]}": self.tried.get(name, set())
            for place, name in enumerate(self.names)
            if len(self.values[place]) == 1 and not self._is_told(place)
        }

    def _is_over(self) -> bool:
        return time.monotonic() > self.end or self.log.is_over

    def _try(self, setting: Setting, build: KernelBuild) -> bool:
        """Take a setting if it is right; whether it was tried."""
        if self._is_over():
            self._leave_untried(setting)
            return False
        before, places = self.slots, self._differing(setting)
        self.compiled += 1
        fault = self._fault(setting, build, is_first=len(places) == 1)
        if fault and self._is_over():
            self.slots = before
            self._leave_untried(setting)
            return False
        for place in places:
            self.tried.setdefault(self.names[place], set()).add(setting[place])
        if fault:
            self.slots = before
            if len(places) == 1:
                self.wrong_alone.setdefault(places[0], []).append(setting[places[0]])
            self.wrong.append((setting, self._fault_words(fault, setting, places[0])))
            self._leave_out(*self.wrong[-1])
            return True
        self.right.append(setting)
        for place in places:
            if setting[place] not in self.values[place]:
                self.values[place].append(setting[place])
            self.left_out.get(self.names[place], {}).pop(setting[place], None)
        return True

    def _differing(self, setting: Setting) -> list[int]:
        """The places of the parameters that do not have their defaults."""
        return [at for at, (one, first) in enumerate(zip(setting, self._start, strict=True)) if one != first]

    def _leave_out(self, setting: Setting, why: str) -> None:
        """Note why a value is wrong alone, or that values which are right alone are wrong together."""
        pairs = [(self.names[place], setting[place]) for place in self._differing(setting)]
        if len(pairs) == 1:
            self.left_out.setdefault(pairs[0][0], {}).setdefault(pairs[0][1], why)
        elif all(changed(self._start, {place: setting[place]}) in self.right for place in self._differing(setting)):
            self.wrong_together.append((tuple(pairs), why))

    def _leave_untried(self, setting: Setting) -> None:
        why = f"within {_GUARD_S:g} s" if self._is_over() else f"at most {_MOST_SETTINGS} settings are compiled"
        why = "within the time limit" if self.log.is_over else why
        if len(self._differing(setting)) == 1:
            self._leave_out(setting, f"not tried ({why})")

    def _is_told(self, place: int) -> bool:
        """Whether the host code says how the kernel is launched with values that nobody tried."""
        return self.host.says_all_of(self.description, self.names[place])

    def _fault_words(self, fault: str, setting: Setting, place: int) -> str:
        """What went wrong with a setting, with the parameters that have the value of another one and its launches."""
        others = [f"{name} = {setting[place]}" for name in self._tied_to(self.names[place])]
        beside = f"with {listed(others)}: " if others else ""
        if self._is_told(place):
            return f"{beside}{fault}; launched as in line {self.host.line}"
        launches = [self._with([*map(str, numbers)]) for numbers in self.numbers_tried]
        return "; ".join(filter(None, (f"{beside}{fault}", tried_launches(launches))))

    @property
    def _start(self) -> Setting:
        return tuple(values[0] for values in self.values)

    def _build(self, setting: Setting) -> KernelBuild:
        known, build, template = self._known(setting), self.made.build, self.searched.kernel.template
        known |= {name: known[leader] for name, leader in self.tied.items()}
        arguments = zip(template, build.template, strict=False)
        macros = {name: value for name, value in known.items() if name not in {one.name for one in template}}
        replaced = tuple((name, macros.pop(name)) for name in self.replaceable if name in macros)
        return replace(
            build,
            template=tuple(str(known.get(one.name, text)) for one, text in arguments),
            defines=tuple({**dict(build.defines), **macros}.items()),
            replaced=replaced,
        )

    def _known(self, setting: Setting) -> dict[str, int]:
        return dict(zip(self.names, setting, strict=True))

    def _fault(self, setting: Setting, build: KernelBuild, *, is_first: bool) -> str:
        """Why none of the launches that are left is right with these values, as the first of them shows; "" where one
        is: those that differ from it go.
        """
        known = self._known(setting)
        self.log.tell(f"trying {', '.join(f'{name} = {value}' for name, value in known.items())}")
        self.numbers_tried = {}
        try:
            made = self.made.compile(build)
        except TryError as error:
            return f"does not compile: {first_line(str(error), self.searched.path)}"
        self.numbers_tried = tried = dict[tuple[int, ...], str]()
        first_rule = len(self.description.block) + len(self.description.grid) + 1
        for slots in (self.slots, self.every_slot):
            for numbers in launches_with(slots, known, first_rule):
                if self._is_over():
                    return "the time ended"
                if numbers in tried:
                    continue
                tried[numbers] = self._fault_of(made, self._with([*map(str, numbers)]), known, is_first=is_first)
                if tried[numbers]:
                    continue
                left = [
                    replace(slot, forms=tuple(one for one in slot.forms if value_of(one, known) == number))
                    for slot, number in zip(slots, numbers, strict=True)
                ]
                if slots is self.slots or self._is_right_before(left):
                    self.slots = left
                    self.kernels[setting] = made
                    return ""
        return self._reason(made, known, tried, first_rule)

    def _reason(
        self, made: CompiledKernel, known: Mapping[str, int], tried: Mapping[tuple[int, ...], str], first_rule: int
    ) -> str:
        """Why no launch is right: what is wrong with a block that follows the values, at sizes of which the multiples
        are those of the defaults, and of the values themselves, too.
        """
        named = [next((one for one in slot.forms if not one.isdigit()), slot.forms[0]) for slot in self.slots]
        grids = range(len(self.description.block), first_rule)
        forms = [slot.forms[0] if slot.text in grids else one for slot, one in zip(self.slots, named, strict=True)]
        best = [value_of(one, known) for one in forms]
        if all(best):
            numbers = tuple(
                lcm(one, slot.value) if slot.text >= first_rule else one
                for slot, one in zip(self.slots, best, strict=True)
            )
            fault = tried.get(numbers) or self._fault_of(made, self._with([*map(str, numbers)]), known, is_first=True)
            if fault:
                self.numbers_tried = {numbers: fault, **tried}
                return fault
        return next(filter(None, tried.values()), "no launch is right with all values")

    def _is_right_before(self, slots: Sequence[NumberSlot]) -> bool:
        """Whether what was right before is so, too, with the forms that are now first."""
        for setting, made in self.kernels.items():
            known = self._known(setting)
            words = [str(value_of(slot.forms[0], known)) for slot in slots]
            if "0" in words or self._fault_of(made, self._with(words), known, is_first=False):
                return False
        return True

    def _with(self, words: Sequence[str]) -> Description:
        return self.launched.with_words(self.slots, words)

    def _fault_of(
        self, made: CompiledKernel, described: Description, known: Mapping[str, int], *, is_first: bool
    ) -> str:
        """What is wrong with a launch, and at which size; "" for nothing."""
        if fault := made.block_fault([*map(int, described.block)]):
            return fault
        sizes = [*sizes_of(described, is_first=is_first), *self._reach(described, known)]
        backwards = replace(made, order=last_first, others={})  # blocks that spoil the next one's part are too large
        for kernel, shape in (*((made, one) for one in sizes), (backwards, sizes[0])):
            found = check(kernel, described, shape, self.log.run_s(_RUN_S))
            if not found.is_right:
                return f"at {shape}, {first_line(found.fault, self.searched.path)}"
        return ""

    def _reach(self, described: Description, known: Mapping[str, int]) -> list[Shape]:
        """Sizes that leave most or least of a step of the further values over, sizes as large as those of the defaults,
        and several steps of these values and of the defaults.
        """
        values = {*known.values(), *self._start}
        multiples = multiples_of(described)
        further = {value for value, first in zip(known.values(), self._start, strict=True) if value != first}
        return [
            *remainder_sizes(described, further, multiples),
            *reach_sizes(described, self.right_sizes, values, multiples),
        ]

    def _written(self, chosen: Mapping[str, int]) -> Description:
        """The description over those parameters; the others stay numbers."""
        start = self._start
        rest = {name: str(value) for name, value in self._known(start).items() if name not in chosen}
        words = [re.sub(r"[A-Z]\w*", lambda name: rest.get(name[0], name[0]), slot.forms[0]) for slot in self.slots]
        words = [word if set(NAMES.findall(word)) else str(value_of(word, {})) for word in words]
        build, template = self.made.build, self.searched.kernel.template
        named = {name: name for name in chosen} | {
            name: leader for name, leader in self.tied.items() if leader in chosen
        }
        of_template = {one.name for one in template}
        tied = [(name, leader) for name, leader in named.items() if name != leader and name not in of_template]
        settings = [tuple((self.names[at], one[at]) for at in self._differing(one)) for one in self.right[1:]]
        written = replace(
            self._with(words),
            template=tuple(named.get(one.name, text) for one, text in zip(template, build.template, strict=False)),
            defines=tuple(one for one in build.defines if one[0] not in named),
            tied=tuple(tied),
            replaced=tuple(one.words for name, one in self.replaceable.items() if name in named),
        )
        defaults = {name: start[place] for name, place in chosen.items()}
        wrong = [(tuple((self.names[at], one[at]) for at in self._differing(one)), why) for one, why in self.wrong]
        return with_settings(replace(written, wrong_settings=tuple(wrong)), defaults, settings, self._tied_to)
