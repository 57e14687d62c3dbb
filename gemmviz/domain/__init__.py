"""What gemmviz talks about: frozen values, enums and NumPy columns. Imports nothing else of gemmviz."""
