"""The controls that the experiment panel is made of."""
