"""Guesses put to the test: the kernel runs on the PTX machine, and what it wrote says what it computes."""
