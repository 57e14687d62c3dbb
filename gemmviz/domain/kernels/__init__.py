"""How a kernel is called and what a compiler made of it, as values."""
