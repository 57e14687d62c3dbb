"""Runs as rows of a table and as lines of figures, and where their figures come from."""
