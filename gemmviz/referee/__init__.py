"""Judges a kernel: examinations, each with a verdict and what it rests on."""
