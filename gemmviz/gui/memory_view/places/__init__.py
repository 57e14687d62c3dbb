"""Where everything lies on the stage: matrices, shared arrays, the corner, the foot, trees of sums."""
