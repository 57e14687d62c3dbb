"""gemmviz shows what a matrix-multiplication kernel really does."""

__version__ = "0.2.0"
