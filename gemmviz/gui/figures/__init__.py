"""The figures of a run and a recording, at the right."""
