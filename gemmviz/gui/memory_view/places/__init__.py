"""Where everything lies in the layout: matrices, shared arrays, the on-chip panel, the legend, trees of sums."""
