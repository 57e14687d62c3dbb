"""What docs/record_faults.py tries: bad situations, each with what a program that survives it does."""
