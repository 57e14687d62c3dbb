"""The `gemmviz` command."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and leave with its exit code."""
    from gemmviz.cli.guard import crash_guarded

    sys.exit(crash_guarded(sys.argv[1:]))


if __name__ == "__main__":
    main()
