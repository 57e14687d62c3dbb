"""gemmviz shows what a matrix-multiplication kernel really does."""

__version__ = "0.1.0"
