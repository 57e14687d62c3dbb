"""What is set up to run: the panel at the left, and what it says."""
