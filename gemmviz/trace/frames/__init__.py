"""From a trace to the frames of its animation: what each moves, holds, does wrong, and its caption."""
