"""What a new layout of a shared array would do to all requests of a block, in words. Pure."""

from __future__ import annotations

from gemmviz.domain import figures
from gemmviz.domain.listing import either
from gemmviz.domain.terms import Evidence
from gemmviz.explain.requests.machine_requests import RequestCode
from gemmviz.explain.requests.what_if import (
    MOST_PADDING,
    ArrayRequests,
    Effect,
    NewLayout,
    SiteEffect,
    splits_vectors,
)

MOST_SITES = 3
"""Lines that are named where there is room for two lines of text."""
NO_REQUESTS = "No warp accesses this array: the TMA copies it as a whole, so there are no wavefronts to count."
NO_ARRAY = "This array has a single row, which cannot be padded or swizzled."


def effect_words(
    effect: Effect, requests: ArrayRequests, most_sites: int = MOST_SITES, *, code: RequestCode | None = None
) -> str:
    """Before and after, for all requests of the block on the array and for the lines that matter most, then what else
    changes: "All 96 requests of the block on As: 1 536 → 544 wavefronts (modelled; 512 would be ideal). …". Where
    SASS has other requests than the PTX, `code` says which these are.
    """
    if not effect.sites:
        return NO_REQUESTS
    as_recorded = effect.layout.is_as_recorded
    recorded = Evidence.DERIVED if code is RequestCode.SASS else Evidence.RECORDED
    evidence = recorded if as_recorded else Evidence.MODELLED
    change, ideal = _change(effect.before, effect.after, as_recorded), figures.count(effect.ideal)
    noun = f"{code} request" if code is not None else "request"
    every = f"All {figures.count(requests.requests)} {noun}s" if requests.requests > 1 else f"The one {noun}"
    who = f"{every} of the block on {requests.array.name}"
    if splits_vectors(requests, effect.layout):
        who = f"As if the kernel ran: {who[0].lower()}{who[1:]}"
    said = [f"{who}: {change} wavefronts ({evidence}; {ideal} would be ideal)."]
    if len(effect.sites) > 1:
        by_change = sorted(effect.sites, key=lambda site: (-abs(site.after - site.before), site.ideal - site.after))
        shown = by_change[:most_sites]
        said += [_site(site, as_recorded) for site in effect.sites if site in shown]
        more = len(effect.sites) - len(shown)
        said += [f"{figures.counted(more, 'more access', 'more accesses')}."] if more else []
    return " ".join([*said, note_of(effect, requests)]).strip()


def misaligned_words(requests: ArrayRequests, layout: NewLayout) -> str:
    """What breaks where rows begin at places that the array's widest access may not have, and which paddings work; ""
    where they do not: "Misaligned 128-bit access: rows of As are 68 bytes apart, no multiple of 16. …".
    """
    if not splits_vectors(requests, layout):
        return ""
    array, added = requests.array, "added " if requests.source_padding != 0 else ""
    widest, apart = requests.piece * array.element_bytes, (array.columns + layout.padding) * array.element_bytes
    fits = [str(one) for one in range(MOST_PADDING + 1) if not splits_vectors(requests, NewLayout(one))]
    remedy = f" {added}padding of {either(fits)} columns works." if fits else ""
    return (
        f"Misaligned {8 * widest}-bit access: rows of {array.name} would be {figures.count(apart)} bytes apart, which "
        f"is no multiple of {widest}. The kernel would stop with an error.{remedy[:2].upper()}{remedy[2:]}"
    )


def note_of(effect: Effect, requests: ArrayRequests) -> str:
    """What a layout costs beside wavefronts; "" for nothing."""
    if effect.bytes_after != effect.bytes_before:
        before, after = figures.count(effect.bytes_before), figures.count(effect.bytes_after)
        return f"{requests.array.name} would take {after} bytes, not {before}."
    return ""


def _site(site: SiteEffect, as_recorded: bool) -> str:
    return f"Line {site.site.line} {site.site.kind}: {_change(site.before, site.after, as_recorded)}."


def _change(before: int, after: int, as_recorded: bool) -> str:
    return figures.count(before) if as_recorded else f"{figures.count(before)} → {figures.count(after)}"
