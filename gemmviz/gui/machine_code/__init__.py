"""PTX and SASS of a kernel, to read."""
