"""What a session has to show: which pictures and tables an export makes, under which names. No Qt."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from gemmviz.domain.runs.result import Session
from gemmviz.gui.charts.plot_table import Charted, PlannedTable, Plot

FORMATS = ("png", "svg", "pdf", "csv")


@dataclass(frozen=True, slots=True)
class Planned:
    """One picture: its plot, the name of its file without suffix, and which sweep, run or recorded block (by its place
    in `recorded_block_names`) it is of.
    """

    plot: Plot
    name: str
    number: int = 0


def plots_of(session: Session) -> tuple[Plot, ...]:
    """The plots that have something to show."""
    return tuple(dict.fromkeys(one.plot for one in planned(session)))


def planned(session: Session, names: Collection[str] | None = None) -> tuple[Planned, ...]:
    """The pictures of a session, of the plots in `names` or of all.

    Raises:
        ValueError: a name that no plot has.
    """
    unknown = sorted(set(names or ()) - set(Plot))
    if unknown:
        raise ValueError(f"there is no chart {unknown[0]!r}: choose from {', '.join(Plot)}")
    wanted = [plot for plot in Plot if names is None or plot in names]
    return tuple(Planned(plot, name, number) for plot in wanted for name, number in plot.spec.pictures(session))


def planned_tables(
    session: Session, names: Collection[str] | None = None, charted: Charted | None = None
) -> tuple[PlannedTable, ...]:
    """What those pictures plot, each table once, those of error maps last, which may be many; to be made when it is
    written, as a thousand runs take their time.
    """
    charted = charted or Charted(session.runs, session.traces)
    plots = sorted(dict.fromkeys(one.plot for one in planned(session, names)), key=lambda plot: plot is Plot.ERROR_MAP)
    return tuple({table.name: table for plot in plots for table in plot.spec.tables(session, charted)}.values())
