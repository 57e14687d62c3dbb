"""The block schedule of a launch: the grid in waves, and a timeline for each multiprocessor."""
