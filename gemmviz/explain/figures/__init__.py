"""What charts and reports say of runs and recordings, as values: rows, series of marks, axes, words."""
