"""What is set up to run: the panel at the left and the values behind it."""
