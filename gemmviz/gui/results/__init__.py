"""The table of runs at the bottom."""
