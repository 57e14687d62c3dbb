"""The figures of the last run, at the right."""
