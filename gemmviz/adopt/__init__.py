"""Finding out what a kernel file that nobody described computes: it is read, run on the PTX machine, and described."""
