"""The error map of C, with its legend and its worst elements."""
