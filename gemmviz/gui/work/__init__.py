"""What is to run, what was asked of the engine last, and how it stands."""
